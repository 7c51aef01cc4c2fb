"""Four levels for people: how long each may think, how often it thinks, and how careless it is.

Time alone would not tell levels apart: in some games a tenth of a second finds nearly all that can
be found. Until a game's bots are compiled, all levels play by instinct: nobody waits.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from droptable.bots.players import GreedyBot, SearchBot
from droptable.bots.precompile import bots_ready
from droptable.core.language import N_
from droptable.core.state import View


@dataclass(frozen=True)
class Level:
    """How a level plays, on one core."""

    careless: float  # share of decisions for which any legal move will do
    instinct: float  # share of the others that are made at once, as `greedy` does
    seconds: float  # for the rest, which are searched
    promise: float  # seconds that a move takes at most, as people are told


LEVELS = {
    N_("easy"): Level(careless=0.35, instinct=1.0, seconds=0.0, promise=0.1),
    N_("normal"): Level(careless=0.0, instinct=1.0, seconds=0.0, promise=0.3),
    N_("hard"): Level(careless=0.0, instinct=0.4, seconds=0.4, promise=1.0),
    N_("master"): Level(careless=0.0, instinct=0.0, seconds=2.6, promise=3.0),
}
ADVISER = "adviser"  # whom people ask for a hint
ADVICE = Level(careless=0.0, instinct=0.0, seconds=0.4, promise=1.0)

INSTINCT_SECONDS = 0.05  # for a move by plain instinct


class LevelBot:
    """A bot of a named level, on one core."""

    def __init__(self, name: str, seed: int | None = None) -> None:
        self._level = ADVICE if name == ADVISER else LEVELS[name]
        self._random = random.Random(seed)
        start = self._random.getrandbits(32)
        self._instinct = GreedyBot(start)
        self._search = SearchBot(start, seconds=self._level.seconds, cores=1)

    def choose(self, view: View) -> str:
        if self._random.random() < self._level.careless:
            return self._random.choice(view.legal)
        if not bots_ready(view.game):
            return self._instinct.choose_soon(view, INSTINCT_SECONDS)
        if not self._search.goes_on(view) and self._random.random() < self._level.instinct:
            return self._instinct.choose(view)
        return self._search.choose(view)
