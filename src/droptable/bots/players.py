"""The kinds of bots: any move, the best one by the heuristic, or the one that a search finds."""

from __future__ import annotations

import math
import random
import time

import numpy as np

from droptable.bots.search import search
from droptable.core.compile import kernel
from droptable.core.contract import Ids, legal
from droptable.core.engine import Engine
from droptable.core.heuristics import heuristic
from droptable.core.loops import States
from droptable.core.state import View


class RandomBot:
    """Any legal move, uniformly at random."""

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def choose(self, view: View) -> str:
        return self._random.choice(view.legal)


@kernel
def rate_moves(states: States, seat: int, ids: Ids, ratings: np.ndarray) -> int:
    """Write the seat's legal moves and the heuristic of each; return how many there are."""
    count = legal(states[0], seat, ids)
    for k in range(count):
        ratings[k] = heuristic(states[0], seat, int(np.int64(ids[k])))
    return count


class GreedyBot:
    """The best move by the game's heuristic; a random one of equals."""

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def choose(self, view: View, engine: Engine | None = None) -> str:
        assert view.seat is not None
        vocabulary = view.game.vocabulary(view.options)
        tokens = vocabulary.actions
        ids, _ = vocabulary.room()
        ratings = np.zeros(len(ids))
        rate = (engine or view.game.engine).kernels.twin(rate_moves)
        count = rate(view.array, view.seat, ids, ratings)
        best = ids[:count][ratings[:count] == ratings[:count].max()]
        choice: str = tokens[self._random.choice(best.tolist())]
        return choice

    def choose_soon(self, view: View, seconds: float) -> str:
        """The same without machine code: the best of the moves that there is time to rate."""
        assert view.seat is not None
        tokens = view.game.vocabulary(view.options).actions
        rate = view.game.plain.kernels.twin(heuristic)
        deadline = time.monotonic() + seconds
        best, best_rating = "", -math.inf
        for action in self._random.sample(view.legal_ids(view.seat), len(view.legal)):
            rating = rate(view.fields, view.seat, action)
            if not best or rating > best_rating:
                best, best_rating = tokens[action], rating
            if time.monotonic() > deadline:
                break
        return best


class SearchBot:
    """Searches for some seconds or iterations per move, and plays out the turns it has planned."""

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
        self._turn: list[str] = []  # its planned moves …
        self._expected = b""  # … and the view for which they were planned

    def values(self, view: View) -> dict[str, float]:
        """The own share of the victory after each move, as found; those not tried have none."""
        assert view.seat is not None
        findings = search(
            view, seconds=self._seconds, iterations=self._iterations,
            seed=self._random.getrandbits(32), cores=self._cores,
        )  # fmt: skip
        untried = dict.fromkeys(view.legal, -math.inf)
        return untried | {move.token: move.shares[view.seat] for move in findings.moves}

    def goes_on(self, view: View) -> bool:
        """Whether it has already planned its move here."""
        return bytes(view) == self._expected

    def choose(self, view: View) -> str:
        if not self.goes_on(view):
            if len(view.legal) == 1:
                return view.legal[0]
            findings = search(
                view,
                seconds=self._seconds,
                iterations=self._iterations,
                seed=self._random.getrandbits(32),
                cores=self._cores,
            )
            self._turn = list(findings.turn)
        token = self._turn.pop(0)
        self._expected = _after(view, token) if self._turn else b""
        return token


def _after(view: View, token: str) -> bytes:
    """What the seat will see after its move, if nothing else happens."""
    assert view.seat is not None
    world = view.determinize(seed=0)
    world.apply(view.seat, token)
    return bytes(world.view(view.seat))
