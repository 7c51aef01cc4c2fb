"""Four levels to play against: how often each of them blunders, plays greedily or searches.

Time alone would not set levels apart: in some games a search of a tenth of a second plays nearly as
well as a long one. Until a game's bots are compiled, all levels play greedily, so nobody waits.
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

    random: float  # share of decisions for which it makes any legal move
    greedy: float  # share of the others that it makes at once, as `greedy` does
    seconds: float  # of search, for the rest
    promise: float  # the most seconds that a move takes, as people are told


LEVELS = {
    N_("easy"): Level(random=0.35, greedy=1.0, seconds=0.0, promise=0.1),
    N_("normal"): Level(random=0.0, greedy=1.0, seconds=0.0, promise=0.3),
    N_("hard"): Level(random=0.0, greedy=0.4, seconds=0.4, promise=1.0),
    N_("master"): Level(random=0.0, greedy=0.0, seconds=2.6, promise=3.0),
}
ADVISER = "adviser"  # gives hints to people
ADVICE = Level(random=0.0, greedy=0.0, seconds=0.4, promise=1.0)

GREEDY_SECONDS = 0.05  # for a greedy move in plain Python


class LevelBot:
    """A bot of a named level, on one core."""

    def __init__(self, name: str, seed: int | None = None) -> None:
        self._level = ADVICE if name == ADVISER else LEVELS[name]
        self._random = random.Random(seed)
        start = self._random.getrandbits(32)
        self._greedy = GreedyBot(start)
        self._search = SearchBot(start, seconds=self._level.seconds, cores=1)

    def choose(self, view: View) -> str:
        if self._random.random() < self._level.random:
            return self._random.choice(view.legal)
        if not bots_ready(view.game):
            return self._greedy.choose_soon(view, GREEDY_SECONDS)
        if not self._search.goes_on(view) and self._random.random() < self._level.greedy:
            return self._greedy.choose(view)
        return self._search.choose(view)
