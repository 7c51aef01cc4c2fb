"""Drop or Pop! by instinct: grow one's own groups, break up those of the others."""

from __future__ import annotations

import numpy as np

from droptable.core.bits import count_bits
from droptable.core.chance import below
from droptable.core.compile import kernel
from droptable.core.contract import Ids, Random, State
from droptable.games.drop_or_pop.rules import (
    DROP,
    IGNORE,
    POP,
    TO_WIN,
    beside,
    group_of_lowest,
    occupied,
    popped,
)

VICTORY = 10.0  # beats everything that groups can be worth
HOPE = 0.16  # what another colour is worth: the promise that it may bring
SPITE = 0.25  # how much the others' loss is worth, against one's own gain
NOISE = 0.3  # of appeal, so that simulated seats vary

RIVALS = 1.0  # by instinct: with a colour a turn, a tree grows too broad to think for all


@kernel
def appeal(state: State, seat: int, action: int) -> float:
    """What the move changes in everybody's groups."""
    if action == IGNORE:
        return HOPE
    column = int(state["column"])
    filled = occupied(state)
    change = 0.0
    if action == DROP:
        cell = (((filled >> (8 * column)) & 0xFF) + 1) << (8 * column)
        for other in range(state["players"]):
            cells = int(state["counters"][other])
            after = cells | cell if other == seat else cells
            gain = promise(after, filled | cell) - promise(cells, filled)
            change += gain if other == seat else -SPITE * gain
    elif action == POP:
        for other in range(state["players"]):
            cells = int(state["counters"][other])
            gain = promise(popped(cells, column), popped(filled, column)) - promise(cells, filled)
            change += gain if other == seat else -SPITE * gain
    return change


@kernel
def playout_move(state: State, seat: int, ids: Ids, count: int, random: Random) -> int:
    """The most appealing move, or one that looks nearly as good."""
    best = int(ids[0])
    best_appeal = -1e9
    for k in range(count):
        action = int(np.int64(ids[k]))
        looks = appeal(state, seat, action) + NOISE * below(random, 1024) / 1024.0
        if looks > best_appeal:
            best, best_appeal = action, looks
    return best


@kernel
def promise(cells: int, filled: int) -> float:
    """How near a seat is to four: its groups, large ones above all, that have room to grow."""
    worth = 0.0
    while cells:
        group = group_of_lowest(cells)
        size = count_bits(group)
        if size >= TO_WIN:
            worth += VICTORY + size
        room = count_bits(beside(group) & ~filled & 0xFFFFFFFF)
        worth += 0.05 * size * size * (1.0 if room else 0.5)
        cells &= ~group
    return worth
