"""Drop or Pop! at a glance: grow your own groups, break up those of the others."""

from __future__ import annotations

from droptable.core.bits import count_bits
from droptable.core.compile import kernel
from droptable.core.contract import State
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

VICTORY = 10.0  # more than any groups are worth
HOPE = 0.16  # worth of another colour, for what it may bring
SPITE = 0.25  # weight of the others' losses against the seat's own gain


@kernel
def heuristic(state: State, seat: int, action: int) -> float:
    """How a move changes the worth of everybody's groups."""
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
def promise(cells: int, filled: int) -> float:
    """How close a seat is to four: its groups, above all large ones with room to grow."""
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
