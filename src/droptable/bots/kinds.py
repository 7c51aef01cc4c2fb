"""The kinds of bots: any move, the most appealing one, or the one that a search finds."""

from __future__ import annotations

import random

import numpy as np

from droptable.bots.instinct import appeal
from droptable.bots.search import search
from droptable.core.compile import kernel
from droptable.core.contract import CHANCE_LIMIT, Ids, legal
from droptable.core.loops import States
from droptable.core.state import View


class RandomBot:
    """Any legal move, each as likely as the others."""

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def choose(self, view: View) -> str:
        return self._random.choice(view.legal)


@kernel
def rate_appeal(states: States, seat: int, ids: Ids, appeals: np.ndarray) -> int:
    """Write the seat's legal moves and how appealing each is; return how many there are."""
    count = legal(states[0], seat, ids)
    for k in range(count):
        appeals[k] = appeal(states[0], seat, int(np.int64(ids[k])))
    return count


class GreedyBot:
    """The move that looks best at once, by the game's instinct; a random one of equals."""

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def choose(self, view: View) -> str:
        assert view.seat is not None
        tokens = view.game.vocabulary(view.options).actions
        ids = np.zeros(max(len(tokens), CHANCE_LIMIT), np.int32)
        appeals = np.zeros(len(ids))
        rate = view.game.engine.kernels.twin(rate_appeal)
        count = rate(view.array, view.seat, ids, appeals)
        best = appeals[:count].max()
        choice: str = tokens[self._random.choice(ids[:count][appeals[:count] == best].tolist())]
        return choice


class SearchBot:
    """Tree search, for so many seconds or iterations a move."""

    def __init__(
        self,
        seed: int | None = None,
        *,
        seconds: float | None = None,
        iterations: int | None = None,
        cores: int | None = None,
    ) -> None:
        self._random = random.Random(seed)
        self._seconds = seconds
        self._iterations = iterations
        self._cores = cores

    def choose(self, view: View) -> str:
        moves = view.legal
        if len(moves) == 1:
            return moves[0]
        found = search(
            view,
            seconds=self._seconds,
            iterations=self._iterations,
            seed=self._random.getrandbits(32),
            cores=self._cores,
        )
        return found.best.token
