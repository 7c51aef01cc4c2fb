"""`greedy` as a kernel, for benchmarks that play millions of matches against it."""

from __future__ import annotations

from typing import Any

import numpy as np

from droptable.bots.instinct import appeal
from droptable.core.chance import below
from droptable.core.compile import kernel
from droptable.core.contract import legal


@kernel
def greedy_move(state: Any, seat: int, ids: Any, random: Any) -> int:
    """The most appealing move, a random one of equals."""
    best = -1e9
    move = 0
    equal = 0
    for k in range(legal(state, seat, ids)):
        action = int(np.int64(ids[k]))
        looks = appeal(state, seat, action)
        if looks > best:
            best = looks
            equal = 0
        if looks == best:
            equal += 1
            if below(random, equal) == 0:
                move = action
    return move
