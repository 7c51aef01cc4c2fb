"""Trees branch on what their seat sees, keep to their settings, and grow alike in plain Python."""

# ruff: noqa: ARG001

from __future__ import annotations

import random
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

import droptable
from droptable.bots.search_base import Settings
from droptable.bots.tree import NONE, ROOT, UNSEEN, Tree, grow
from droptable.core.chance import below
from droptable.core.compile import Kernels, kernel
from droptable.core.contract import DEALER
from droptable.core.game import Game
from droptable.core.state import View
from droptable.games.drop_or_pop import rules as drop_or_pop_rules
from droptable.games.drop_site import rules as drop_site_rules

GAMES = ["depot", "drop", "drop-or-pop", "drop-site"]


def first_view(game: Game) -> View:
    """What the first seat with a choice sees."""
    chance = random.Random(5)
    state = game.start()
    while state.to_act[0] == DEALER or len(state.legal(state.to_act[0])) < 2:
        state.deal(chance)
    return state.view(state.to_act[0])


def plain_tree(view: View, *modules: ModuleType, **settings: Any) -> Tree:
    """A tree that grows in plain Python, with these modules in front of the game's own instinct."""
    tree = Tree(view, 1, view.legal_ids(view.to_act[0]))
    kernels = Kernels(view.game.name, *modules, *view.game._modules, compiled=False)
    tree._grow = kernels.twin(grow)
    tree._settings = Settings(**settings)
    return tree


def children(tree: Tree, node: int) -> Iterator[tuple[int, int]]:
    """The children of a node: each one's event and place."""
    child = int(tree._nodes[node]["child"])
    while child != NONE:
        yield int(tree._nodes[child]["event"]), child
        child = int(tree._nodes[child]["sibling"])


def instinct(**slots: Any) -> ModuleType:
    """A module that fills these slots."""
    module = ModuleType("instinct")
    for name, function in slots.items():
        setattr(module, name, kernel(function))
    return module


def first_move(state: Any, seat: int, ids: Any, count: int, random: Any) -> int:
    return int(ids[0])


def any_move(state: Any, seat: int, ids: Any, count: int, random: Any) -> int:
    return int(ids[below(random, count)])


def terrible(state: Any, seat: int, action: int) -> float:
    return -1e6


def test_rivals_move_by_instinct_as_often_as_the_setting_says() -> None:
    """Rivals who always drop branch nothing with a setting of 1, and are thought for with 0."""
    view = first_view(droptable.game("drop-or-pop"))
    tried = {}
    for rivals in (0.0, 1.0):
        tree = plain_tree(view, instinct(playout_move=first_move), rivals=rivals, longest=9)
        tree.run(200)
        dropped = dict(children(tree, ROOT))[drop_or_pop_rules.DROP]
        colours = [place for _, place in children(tree, dropped)]
        tried[rivals] = max(len(list(children(tree, colour))) for colour in colours)
    assert tried[1.0] == 1 < tried[0.0]


def test_hidden_moves_of_rivals_are_one_branch() -> None:
    """What a rival hides does not branch the tree, that it has hidden something does."""
    view = first_view(droptable.game("drop-site"))
    tree = plain_tree(view, instinct(playout_move=any_move), rivals=1.0, longest=1)
    tree.run(300)
    drawn = [place for _, own in children(tree, ROOT) for _, place in children(tree, own)]
    events = [event for place in drawn for event, _ in children(tree, place)]
    assert UNSEEN in events
    assert min(events) == UNSEEN
    assert 0 <= max(events) < drop_site_rules.HIDE


@pytest.mark.parametrize("rivals", [0.0, 0.5, 1.0])
def test_a_full_tree_still_counts_every_iteration(rivals: float) -> None:
    """With no room for more nodes, whatever moves next, every iteration is one of a move."""
    view = first_view(droptable.game("drop-or-pop"))
    tree = plain_tree(view, rivals=rivals, nodes=8)
    tree._nodes = tree._nodes[:8].copy()
    tree.run(150)
    assert tree._size == 8
    assert sum(visits for visits, _ in tree.tally().values()) == 150


def test_moves_that_look_terrible_are_compared_all_the_same() -> None:
    """An appeal far below zero is no reason to try no move at all."""
    view = first_view(droptable.game("drop-or-pop"))
    tree = plain_tree(view, instinct(appeal=terrible))
    tree.run(60)
    assert sum(visits for visits, _ in tree.tally().values()) == 60


@pytest.mark.parametrize("name", GAMES)
def test_trees_are_the_same_compiled_and_plain(name: str) -> None:
    """The same seed grows the same tree in machine code and in plain Python."""
    view = first_view(droptable.game(name))
    settings = vars(Settings.of(view.game))
    compiled, plain = Tree(view, 1, view.legal_ids(view.to_act[0])), plain_tree(view, **settings)
    for tree in (compiled, plain):
        tree.run(25)
    assert compiled._size == plain._size
    for turn, (visits, shares) in compiled.tally().items():
        assert plain.tally()[turn][0] == visits
        assert plain.tally()[turn][1] == pytest.approx(shares)


@pytest.mark.parametrize("name", ["depot", "drop-site"])
def test_children_are_in_order_whatever_the_world(name: str) -> None:
    """Moves that are legal in some worlds only are put in their place, each of them once."""
    tree = plain_tree(first_view(droptable.game(name)), instinct(playout_move=any_move), longest=1)
    tree.run(400)
    late = 0
    for node in range(tree._size):
        events = [event for event, _ in children(tree, node)]
        places = [place for _, place in children(tree, node)]
        assert events == sorted(set(events))
        late += places != sorted(places)
    assert late > 0


def by_the_last(states: Any, seat: int, action: int, ids: Any, notes: Any) -> float:
    return float(action)


def by_turns(state: Any, seat: int, notes: Any, values: Any) -> bool:
    values[0] = values[1] = values[2] = 0.0
    values[int(state["turn"]) % 3] = 1.0  # this many turns were finished
    return not state["ignored"]  # which is not the end of a turn


def test_a_match_is_foreseen_after_the_seats_next_turns() -> None:
    """With `ahead`, the seat goes on by its outlook, so many turns, and then the match is judged.

    All drop, and turns go round: seat 0 is foreseen after its turns, when one, four, seven … are
    finished; a match that is over before counts as it is.
    """
    view = first_view(droptable.game("drop-or-pop"))
    module = instinct(playout_move=first_move, foresee=by_turns, outlook=by_the_last)
    for ahead in (1, 2):
        tree = plain_tree(view, module, rivals=1.0, ahead=ahead)
        tree.run(60)
        shares = sum(sums for _, sums in tree.tally().values())
        assert shares.sum() == pytest.approx(60)
        assert shares[1] > 50, "foreseen right after a turn of seat 0"


def test_nodes_keep_what_scores_are_made_of() -> None:
    """Mean and doubt of every move that was tried are those of its total and its visits."""
    tree = plain_tree(first_view(droptable.game("drop-or-pop")), longest=9)
    tree.run(200)
    for node in tree._nodes[1 : tree._size]:
        if node["visits"] and node["event"] >= 0:
            assert node["mean"] == pytest.approx(node["total"] / node["visits"])
            assert node["doubt"] == pytest.approx(node["visits"] ** -0.5)


def test_settings_are_the_games_own() -> None:
    """A game's instinct names settings in capitals; the rest are the usual ones."""
    assert Settings.of(droptable.game("depot")).rivals == 1.0
    assert Settings.of(droptable.game("drop")).rivals == Settings().rivals == 0.0
