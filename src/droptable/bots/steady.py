"""Bots whose choices can be repeated: the same view and seed always give the same move.

The levels search by the clock, so nobody can repeat what they did. These play like them, but search
for a number of iterations (`LevelShares.steady`): for the deal of a day, which is the same match
for everybody, and for matches by the thousand.
"""

from __future__ import annotations

import hashlib
import random

from droptable.bots.levels import level_of
from droptable.bots.players import GreedyBot, SearchBot
from droptable.bots.precompile import bots_ready
from droptable.core.game import Game
from droptable.core.heuristics import Heuristics
from droptable.core.state import View


class SteadyBot:
    """A level by iterations instead of seconds."""

    def __init__(self, name: str, game: Game, seed: int, iterations: int | None = None) -> None:
        """It searches for so many iterations, by default as many as the game says."""
        self._level = level_of(name, game)
        self._random = random.Random(seed)
        start = self._random.getrandbits(32)
        self._greedy = GreedyBot(start)
        iterations = iterations or (game.bot or Heuristics()).levels.steady
        self._search = SearchBot(start, iterations=iterations, cores=1)

    def choose(self, view: View) -> str:
        level = self._level
        if self._random.random() < level.random:
            return self._random.choice(view.legal)
        if not self._search.goes_on(view) and self._random.random() < level.greedy:
            engine = view.game.engine if bots_ready(view.game) else view.game.plain
            return self._greedy.choose(view, engine)
        return self._search.choose(view)


def steady_choice(name: str, view: View, seed: bytes) -> str:
    """The move of a level for a view: another seat or view is another throw of the dice."""
    digest = hashlib.sha256(seed + bytes([view.seat or 0]) + bytes(view)).digest()
    return SteadyBot(name, view.game, int.from_bytes(digest[:8], "big")).choose(view)
