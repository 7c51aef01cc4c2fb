"""Trees branch on what their seat sees, keep to their settings, and grow alike in plain Python."""

# ruff: noqa: ARG001

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

import droptable
from droptable import bots
from droptable.bots.tree import HIDDEN, NONE, ROOT, SEARCH, TreeSearch, grow
from droptable.core.chance import below
from droptable.core.compile import PLAIN, Kernels, kernel
from droptable.core.contract import DEALER
from droptable.core.game import Game
from droptable.core.heuristics import SearchSettings
from droptable.core.state import State, View
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


def kernels(game: Game, **slots: Any) -> Kernels:
    """The kernels of a game as plain Python, with these functions in some of its slots."""
    own = {name: kernel(function) for name, function in slots.items()}
    return Kernels(game.name, game.slots | own, PLAIN)


def plain_search(view: View, settings: SearchSettings, **slots: Any) -> TreeSearch:
    """A search in plain Python, with these settings and functions instead of the game's own."""
    search = TreeSearch(view, 1, view.legal_ids(view.to_act[0]), settings)
    search._grow = kernels(view.game, **slots).twin(grow)
    return search


def children(search: TreeSearch, node: int) -> Iterator[tuple[int, int]]:
    """The children of a node: each one's event and place."""
    nodes = search.tree.nodes
    child = int(nodes[node]["child"])
    while child != NONE:
        yield int(nodes[child]["event"]), child
        child = int(nodes[child]["sibling"])


def size(search: TreeSearch) -> int:
    return int(search.tree.search[0]["size"])


def first_move(state: Any, seat: int, ids: Any, count: int, random: Any) -> int:
    return int(ids[0])


def any_move(state: Any, seat: int, ids: Any, count: int, random: Any) -> int:
    return int(ids[below(random, count)])


def terrible(state: Any, seat: int, action: int) -> float:
    return -1e6


def test_opponents_follow_the_rollout_policy_as_often_as_the_setting_says() -> None:
    """Opponents who always drop branch nothing with a share of 1, and are searched with 0."""
    view = first_view(droptable.game("drop-or-pop"))
    tried = {}
    for share in (0.0, 1.0):
        settings = SearchSettings(opponent_rollouts=share, rollout_limit=9)
        search = plain_search(view, settings, rollout_move=first_move)
        search.run(200)
        dropped = dict(children(search, ROOT))[drop_or_pop_rules.DROP]
        colours = [place for _, place in children(search, dropped)]
        tried[share] = max(len(list(children(search, colour))) for colour in colours)
    assert tried[1.0] == 1 < tried[0.0]


def test_hidden_moves_of_opponents_are_one_branch() -> None:
    """What an opponent hides does not branch the tree, that it has hidden something does."""
    view = first_view(droptable.game("drop-site"))
    settings = SearchSettings(opponent_rollouts=1.0, rollout_limit=1)
    search = plain_search(view, settings, rollout_move=any_move)
    search.run(300)
    drawn = [place for _, own in children(search, ROOT) for _, place in children(search, own)]
    events = [event for place in drawn for event, _ in children(search, place)]
    assert HIDDEN in events
    assert min(events) == HIDDEN
    assert 0 <= max(events) < drop_site_rules.HIDE


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_a_full_tree_still_counts_every_iteration(share: float) -> None:
    """With no room for more nodes, whoever moves next, every iteration is counted for a move."""
    view = first_view(droptable.game("drop-or-pop"))
    search = plain_search(view, SearchSettings(opponent_rollouts=share, max_nodes=8))
    search.run(150)
    assert size(search) == 8
    assert sum(visits for visits, _ in search.tally().values()) == 150


def test_moves_that_look_terrible_are_compared_all_the_same() -> None:
    """A prior far below zero is no reason to try no move at all."""
    view = first_view(droptable.game("drop-or-pop"))
    search = plain_search(view, SearchSettings(), heuristic=terrible)
    search.run(60)
    assert sum(visits for visits, _ in search.tally().values()) == 60


@pytest.mark.parametrize("name", GAMES)
def test_trees_are_the_same_compiled_and_plain(name: str) -> None:
    """The same seed grows the same tree in machine code and in plain Python."""
    view = first_view(droptable.game(name))
    assert view.game.bot is not None
    compiled = TreeSearch(view, 1, view.legal_ids(view.to_act[0]))
    plain = plain_search(view, view.game.bot.search)
    for search in (compiled, plain):
        search.run(25)
    assert size(compiled) == size(plain)
    for turn, (visits, shares) in compiled.tally().items():
        assert plain.tally()[turn][0] == visits
        assert plain.tally()[turn][1] == pytest.approx(shares)


@pytest.mark.parametrize("name", ["depot", "drop-site"])
def test_children_are_in_order_whatever_the_world(name: str) -> None:
    """Moves that are legal only in some worlds are put in their place, each of them once."""
    view = first_view(droptable.game(name))
    search = plain_search(view, SearchSettings(rollout_limit=1), rollout_move=any_move)
    search.run(400)
    late = 0
    for node in range(size(search)):
        events = [event for event, _ in children(search, node)]
        places = [place for _, place in children(search, node)]
        assert events == sorted(set(events))
        late += places != sorted(places)
    assert late > 0


def by_the_last(states: Any, seat: int, action: int, ids: Any, scratch: Any) -> float:
    return float(action)


def by_turns(state: Any, seat: int, scratch: Any, values: Any) -> bool:
    values[0] = values[1] = values[2] = 0.0
    values[int(state["turn"]) % 3] = 1.0  # this many turns were finished
    return not state["ignored"]  # which is not the end of a turn


def test_a_rollout_ends_with_a_leaf_value_after_the_seats_next_turns() -> None:
    """With a `lookahead`, the seat makes so many turns by its prior, and then its leaf has a value.

    All drop, and turns go round: seat 0 gets its leaf value after its own turns, when one, four,
    seven … are finished; a match that is over before counts as it is.
    """
    view = first_view(droptable.game("drop-or-pop"))
    for lookahead in (1, 2):
        settings = SearchSettings(opponent_rollouts=1.0, lookahead=lookahead)
        search = plain_search(
            view, settings, rollout_move=first_move, leaf_value=by_turns, prior=by_the_last
        )
        search.run(60)
        shares = sum(sums for _, sums in search.tally().values())
        assert shares.sum() == pytest.approx(60)
        assert shares[1] > 50, "the leaf comes right after a turn of seat 0"


def test_nodes_keep_what_ucb_is_made_of() -> None:
    """Mean and inverse root of every move that was tried follow from its total and its visits."""
    view = first_view(droptable.game("drop-or-pop"))
    search = plain_search(view, SearchSettings(rollout_limit=9))
    search.run(200)
    for node in search.tree.nodes[1 : size(search)]:
        if node["visits"] and node["event"] >= 0:
            assert node["mean"] == pytest.approx(node["total"] / node["visits"])
            assert node["inverse_root"] == pytest.approx(node["visits"] ** -0.5)


def test_progressive_widening_tries_the_best_moves_by_their_priors() -> None:
    """A root that was visited n times has tried 1 + widening * sqrt(n) of its moves."""
    view = first_view(droptable.game("drop"))
    settings = SearchSettings(widening=0.5, rollout_limit=1)
    search = plain_search(view, settings, prior=by_the_last)
    search.run(100)
    tried = [turn[0] for turn, (visits, _) in search.tally().items() if visits]
    assert len(tried) == 6  # 1 + 0.5 * sqrt(99), rounded up
    assert sorted(tried) == sorted(view.legal_ids(0))[-6:]


def test_the_settings_of_a_game_reach_its_tree() -> None:
    """Every setting that a game gives is in the record that kernels read."""
    view = first_view(droptable.game("depot"))
    assert view.game.bot is not None
    record = TreeSearch(view, 1, view.legal_ids(view.to_act[0])).tree.search[0]
    given = vars(view.game.bot.search)
    assert set(given) <= set(SEARCH.names or ())
    assert record["lookahead"] == given["lookahead"] == 2
    assert record["opponent_rollouts"] == given["opponent_rollouts"] == 1.0
    assert given["rollout_noise"] is None and record["rollout_noise"] < 0


def endings(count: int) -> Iterator[State]:
    """Positions of Drop. with two placements left."""
    for seed in range(count):
        chance = random.Random(seed)
        state = droptable.game("drop").start(size=5, pieces=10)
        while state.fields["left"].sum() > 2:
            state.apply(state.to_act[0], chance.choice(state.legal(state.to_act[0])))
        yield state


def exact_value(state: State, seat: int) -> float:
    """The seat's share of the victory if both sides play perfectly: exhaustive minimax."""
    if state.over:
        return (seat in state.winners) / len(state.winners)
    mover = state.to_act[0]
    values = []
    for token in state.legal(mover):
        after = state.copy()
        after.apply(mover, token)
        values.append(exact_value(after, seat))
    return max(values) if mover == seat else min(values)


def test_search_finds_the_known_optimum_of_an_ending() -> None:
    """With two placements left, search chooses a move that is best under perfect play."""
    decided = 0
    for state in endings(4):
        seat = state.to_act[0]
        values = {}
        for token in state.legal(seat):
            after = state.copy()
            after.apply(seat, token)
            values[token] = exact_value(after, seat)
        decided += len(set(values.values())) > 1
        best = bots.search(state.view(seat), iterations=6000, seed=1, cores=1).best
        assert values[best.token] == max(values.values())
    assert decided, "no position has a wrong move: the test would prove nothing"
