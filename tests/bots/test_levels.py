"""Levels: how often each of them blunders, plays greedily or searches, game by game."""

from __future__ import annotations

from itertools import pairwise

import pytest

import droptable
from droptable.bots.instincts import habit_of
from droptable.bots.levels import LEVELS, level_of
from droptable.core.errors import GameError
from droptable.core.heuristics import LevelShares
from droptable.lab.anchors import QUICK, noise_of
from droptable.lab.cell import Cell
from droptable.lab.matches import play_chunk


@pytest.mark.parametrize("game", droptable.games(), ids=lambda game: game.name)
def test_each_level_is_more_careful_than_the_one_below(game):
    """From the weakest up, fewer moves are random and fewer of the others greedy, in every game."""
    ladder = [level_of(name, game) for name in LEVELS]
    for lower, upper in pairwise(ladder):
        assert (upper.random, upper.greedy) < (lower.random, lower.greedy)
    assert ladder[-1].random == ladder[-1].greedy == 0.0


def test_a_game_sets_the_shares_of_its_levels():
    """What a game says is what its levels do; what it does not say is as usual."""
    game = droptable.game("drop")
    shares = game.bot.levels
    assert level_of("beginner", game).random == shares.beginner != LEVELS["beginner"].random
    assert level_of("hard", game).greedy == shares.hard != LEVELS["hard"].greedy
    assert level_of("normal", game) == LEVELS["normal"]
    assert habit_of("easy", game).random == shares.easy != habit_of("easy").random
    assert {name: noise_of(name, game) for name in QUICK} == {
        "random": 1000, "beginner": 720, "easy": 400, "normal": 0,
    }  # fmt: skip


def test_impossible_shares_are_refused():
    """A share is from 0 to 1."""
    with pytest.raises(GameError, match=r"easy is 1\.5; expected a share from 0 to 1"):
        LevelShares(easy=1.5)


def test_the_lowest_levels_are_apart():
    """In Drop., `normal` wins clearly more often against `easy` than not, and so on down."""
    for upper, lower in (("normal", "easy"), ("easy", "beginner"), ("beginner", "random")):
        chunk = play_chunk(Cell("drop", lineup=(upper, lower), rotate=True), 1, 0, 400)
        won = chunk.share[chunk.bot == 0].mean()
        assert won > 0.62, (upper, won)
