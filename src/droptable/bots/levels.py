"""Four levels for people: how long each may think, and how often it makes a careless move.

Until a game's bots are compiled, all levels play by instinct: nobody waits.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from droptable.bots.kinds import GreedyBot, SearchBot
from droptable.bots.ready import bots_ready
from droptable.core.state import View


@dataclass(frozen=True)
class Level:
    """Thinks for so many seconds on one core; 0 means a greedy move."""

    seconds: float
    careless: float  # how often any legal move will do
    promise: float  # seconds that a move takes at most, as people are told


LEVELS = {
    "easy": Level(0.0, 0.35, 0.1),
    "normal": Level(0.03, 0.0, 0.3),
    "hard": Level(0.4, 0.0, 1.0),
    "master": Level(2.6, 0.0, 3.0),
}


INSTINCT_SECONDS = 0.05  # for a move by plain instinct


class LevelBot:
    """A bot of a named level, on one core."""

    def __init__(self, name: str, seed: int | None = None) -> None:
        self._level = LEVELS[name]
        self._random = random.Random(seed)
        start = self._random.getrandbits(32)
        self._instinct = GreedyBot(start)
        self._search = SearchBot(start, seconds=self._level.seconds, cores=1)

    def choose(self, view: View) -> str:
        if self._random.random() < self._level.careless:
            return self._random.choice(view.legal)
        if not bots_ready(view.game):
            return self._instinct.choose_soon(view, INSTINCT_SECONDS)
        return (self._search if self._level.seconds else self._instinct).choose(view)
