"""The kinds of bots: any move, the most appealing one, or the one that a search finds."""

from __future__ import annotations

import math
import random
import time

import numpy as np

from droptable.bots.instinct import appeal
from droptable.bots.search import search
from droptable.core.compile import kernel
from droptable.core.contract import Ids, legal
from droptable.core.engine import Engine
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

    def choose(self, view: View, engine: Engine | None = None) -> str:
        assert view.seat is not None
        vocabulary = view.game.vocabulary(view.options)
        tokens = vocabulary.actions
        ids, _ = vocabulary.room()
        appeals = np.zeros(len(ids))
        rate = (engine or view.game.engine).kernels.twin(rate_appeal)
        count = rate(view.array, view.seat, ids, appeals)
        best = appeals[:count].max()
        choice: str = tokens[self._random.choice(ids[:count][appeals[:count] == best].tolist())]
        return choice

    def choose_soon(self, view: View, seconds: float) -> str:
        """The same without machine code: the best of the moves that there is time to look at."""
        assert view.seat is not None
        tokens = view.game.vocabulary(view.options).actions
        rate = view.game.plain.kernels.twin(appeal)
        deadline = time.monotonic() + seconds
        best, best_appeal = "", -math.inf
        for action in self._random.sample(view.legal_ids(view.seat), len(view.legal)):
            found = rate(view.fields, view.seat, action)
            if not best or found > best_appeal:
                best, best_appeal = tokens[action], found
            if time.monotonic() > deadline:
                break
        return best


class SearchBot:
    """Search, for so many seconds or iterations a move; a turn that it planned it plays out."""

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
        self._turn: list[str] = []  # what it means to do next
        self._expected = b""  # if it then sees this

    def goes_on(self, view: View) -> bool:
        """Whether it has planned what to do here."""
        return bytes(view) == self._expected

    def choose(self, view: View) -> str:
        if not self.goes_on(view):
            if len(view.legal) == 1:
                return view.legal[0]
            found = search(
                view,
                seconds=self._seconds,
                iterations=self._iterations,
                seed=self._random.getrandbits(32),
                cores=self._cores,
            )
            self._turn = list(found.turn)
        token = self._turn.pop(0)
        self._expected = _after(view, token) if self._turn else b""
        return token


def _after(view: View, token: str) -> bytes:
    """What the seat will see after its move, if nothing else happens."""
    assert view.seat is not None
    world = view.determinize(seed=0)
    world.apply(view.seat, token)
    return bytes(world.view(view.seat))
