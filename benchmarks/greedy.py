"""`greedy` as a kernel, for benchmarks that play millions of matches against it."""

from __future__ import annotations

from typing import Any

import numpy as np

from droptable.core.chance import below
from droptable.core.compile import kernel
from droptable.core.contract import legal
from droptable.core.heuristics import heuristic


@kernel
def greedy_move(state: Any, seat: int, ids: Any, random: Any) -> int:
    """The best move by the heuristic, a random one of equals."""
    best = -1e9
    move = 0
    equal = 0
    for k in range(legal(state, seat, ids)):
        action = int(np.int64(ids[k]))
        rating = heuristic(state, seat, action)
        if rating > best:
            best = rating
            equal = 0
        if rating == best:
            equal += 1
            if below(random, equal) == 0:
                move = action
    return move
