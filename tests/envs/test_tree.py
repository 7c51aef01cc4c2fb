"""A game tree in arrays says what OpenSpiel's own tools say, and what is known."""

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import exploitability

from benchmarks import small_games
from benchmarks.exploitability import AsOpenSpiel, policy_of
from droptable.core.errors import GameError
from droptable.envs.openspiel import register
from droptable.envs.openspiel.tree import Tree
from droptable.envs.openspiel.variant import variant_of
from tests.lab.little_games import HEAP, NIM_GAME


def tree_of(game, players=2, most=100_000, **options):
    """All that can happen in a game."""
    register(game)
    return Tree(variant_of(game, {"players": players, **options}), most)


def test_nim_is_won_by_whoever_begins():
    """By backward induction; against random play, both seats gain by playing well."""
    tree = tree_of(NIM_GAME)
    assert len(tree) <= (HEAP + 1) ** 2  # one node for each record, however it came about
    perfect = tree.solved(1)
    assert tree.values(perfect).tolist() == [1, -1]
    assert tree.nash_conv(perfect) == 0
    assert (tree.best_responses(tree.uniform()) > tree.values(tree.uniform())).all()


@pytest.mark.parametrize("name", ["drop-site", "drop-or-pop"])
def test_openspiel_agrees(name):
    """With hidden cards and without, for two and for three: the same NashConv."""
    game, players, options, _about = small_games.small_game(name, small_games.TINY)
    tree = tree_of(game, players, **options)
    theirs = pyspiel.load_game(register(game), {"players": players, **options})
    rng = np.random.default_rng(1)
    some = tree.policy_of(lambda _, actions: rng.dirichlet(np.ones(len(actions))))
    for policy in (some, policy_of(tree, "easy"), tree.solved(20)):
        asked = AsOpenSpiel(theirs, tree, policy)
        expected = exploitability.nash_conv(theirs, asked, use_cpp_br=False)
        assert tree.nash_conv(policy) == pytest.approx(expected, abs=1e-9)


def test_regret_minimisation_finds_an_equilibrium_of_hidden_cards():
    """What can be gained against it shrinks as it goes on."""
    game, players, options, _about = small_games.small_game("drop-site", small_games.TINY)
    tree = tree_of(game, players, **options)
    gains = [tree.nash_conv(tree.solved(iterations)) for iterations in (2, 20, 200)]
    assert gains[0] > gains[1] > gains[2] >= 0
    assert gains[2] < 1e-3 < tree.nash_conv(tree.uniform())


def test_a_game_that_is_too_large_is_refused():
    """The error says how many nodes were allowed."""
    with pytest.raises(GameError, match=r"nim: more than 5 nodes; expected a smaller game"):
        tree_of(NIM_GAME, most=5)
