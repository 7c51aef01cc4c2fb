"""Five levels to play against: how often each of them blunders, plays greedily or searches.

Time alone would not set levels apart: in some games a search of a tenth of a second plays nearly as
well as a long one. Until a game's bots are compiled, all levels play greedily, so nobody waits.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from droptable.bots.players import GreedyBot, SearchBot
from droptable.bots.precompile import bots_ready
from droptable.core.game import Game
from droptable.core.heuristics import LevelShares
from droptable.core.language import N_
from droptable.core.state import View


@dataclass(frozen=True)
class Level:
    """How a level plays, on one core."""

    random: float  # share of decisions for which it makes any legal move
    greedy: float  # share of the others that it makes at once, as `greedy` does
    seconds: float  # of search, for the rest
    promise: float  # the most seconds that a move takes, as people are told


USUAL = LevelShares()
LEVELS = {  # from the weakest up, as they play where a game says nothing else
    N_("beginner"): Level(random=USUAL.beginner, greedy=1.0, seconds=0.0, promise=0.1),
    N_("easy"): Level(random=USUAL.easy, greedy=1.0, seconds=0.0, promise=0.1),
    N_("normal"): Level(random=0.0, greedy=1.0, seconds=0.0, promise=0.3),
    N_("hard"): Level(random=0.0, greedy=USUAL.hard, seconds=0.4, promise=1.0),
    N_("master"): Level(random=0.0, greedy=0.0, seconds=2.6, promise=3.0),
}
SHARES = {"beginner": "random", "easy": "random", "hard": "greedy"}  # that games may set
ADVISER = "adviser"  # gives hints to people
ADVICE = Level(random=0.0, greedy=0.0, seconds=0.4, promise=1.0)

GREEDY_SECONDS = 0.05  # for a greedy move in plain Python


def level_of(name: str, game: Game) -> Level:
    """How a level plays a game."""
    if name == ADVISER:
        return ADVICE
    level = LEVELS[name]
    if game.bot is None or name not in SHARES:
        return level
    return replace(level, **{SHARES[name]: getattr(game.bot.levels, name)})


class LevelBot:
    """A bot of a named level, on one core."""

    def __init__(self, name: str, seed: int | None = None) -> None:
        self._name = name
        self._random = random.Random(seed)
        start = self._random.getrandbits(32)
        self._greedy = GreedyBot(start)
        seconds = (ADVICE if name == ADVISER else LEVELS[name]).seconds
        self._search = SearchBot(start, seconds=seconds, cores=1)

    def choose(self, view: View) -> str:
        level = level_of(self._name, view.game)
        if self._random.random() < level.random:
            return self._random.choice(view.legal)
        if not bots_ready(view.game):
            return self._greedy.choose_soon(view, GREEDY_SECONDS)
        if not self._search.goes_on(view) and self._random.random() < level.greedy:
            return self._greedy.choose(view)
        return self._search.choose(view)
