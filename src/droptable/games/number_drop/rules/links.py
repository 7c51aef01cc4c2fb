"""Links between neighbours on a sheet: where a set goes on, or a run (ND10).

They are found for all numbers at once: for each of the four directions, the free cells whose
neighbour there shows the same number, or one more.
"""

from __future__ import annotations

from droptable.core.compile import kernel
from droptable.core.contract import State
from droptable.games.number_drop.rules.grid import HALF, ROW, TOP_ROW, free

Links = tuple[int, int, int, int, int, int, int, int]  # up, down, right, left: low and high half


@kernel
def up(low: int, high: int) -> tuple[int, int]:
    """A board moved up by one row."""
    return (low << 8) & HALF, ((high << 8) & HALF) | (low >> TOP_ROW)


@kernel
def down(low: int, high: int) -> tuple[int, int]:
    """A board moved down by one row."""
    return (low >> 8) | ((high & ROW) << TOP_ROW), high >> 8


@kernel
def _agreement(a0: int, a1: int, a2: int, a3: int, b0: int, b1: int, b2: int, b3: int) -> int:
    """The bits at which four boards agree with four others."""
    return ~((a0 ^ b0) | (a1 ^ b1) | (a2 ^ b2) | (a3 ^ b3))


@kernel
def find_links(state: State, seat: int, more: int) -> Links:
    """The free cells whose neighbour shows the same number (more = 0), or one more (more = 1)."""
    a, b = free(state, seat)
    marks = state["marks"]
    a0 = a & int(marks[seat, 0, 0])
    a1 = a & int(marks[seat, 0, 1])
    a2 = a & int(marks[seat, 0, 2])
    a3 = a & int(marks[seat, 0, 3])
    b0 = b & int(marks[seat, 1, 0])
    b1 = b & int(marks[seat, 1, 1])
    b2 = b & int(marks[seat, 1, 2])
    b3 = b & int(marks[seat, 1, 3])
    u0 = down(a0, b0)
    u1 = down(a1, b1)
    u2 = down(a2, b2)
    u3 = down(a3, b3)
    d0 = up(a0, b0)
    d1 = up(a1, b1)
    d2 = up(a2, b2)
    d3 = up(a3, b3)
    # What the neighbour is to show, in binary; an empty cell shows 0, which no number leads to.
    p0, p1, p2, p3, q0, q1, q2, q3 = a0, a1, a2, a3, b0, b1, b2, b3
    if more:
        p0 = ~a0
        p1 = a1 ^ a0
        p2 = a2 ^ (a0 & a1)
        p3 = a3 ^ (a0 & a1 & a2)
        q0 = ~b0
        q1 = b1 ^ b0
        q2 = b2 ^ (b0 & b1)
        q3 = b3 ^ (b0 & b1 & b2)
    return (
        a & _agreement(p0, p1, p2, p3, u0[0], u1[0], u2[0], u3[0]),
        b & _agreement(q0, q1, q2, q3, u0[1], u1[1], u2[1], u3[1]),
        a & _agreement(p0, p1, p2, p3, d0[0], d1[0], d2[0], d3[0]),
        b & _agreement(q0, q1, q2, q3, d0[1], d1[1], d2[1], d3[1]),
        a & _agreement(p0, p1, p2, p3, a0 >> 1, a1 >> 1, a2 >> 1, a3 >> 1),
        b & _agreement(q0, q1, q2, q3, b0 >> 1, b1 >> 1, b2 >> 1, b3 >> 1),
        a & _agreement(p0, p1, p2, p3, a0 << 1, a1 << 1, a2 << 1, a3 << 1),
        b & _agreement(q0, q1, q2, q3, b0 << 1, b1 << 1, b2 << 1, b3 << 1),
    )


@kernel
def forward(links: Links, low: int, high: int) -> tuple[int, int]:
    """The cells that links lead to from some cells."""
    above = up(low & links[0], high & links[1])
    below = down(low & links[2], high & links[3])
    return (
        above[0] | below[0] | (low & links[4]) << 1 | (low & links[6]) >> 1,
        above[1] | below[1] | (high & links[5]) << 1 | (high & links[7]) >> 1,
    )


@kernel
def backward(links: Links, low: int, high: int) -> tuple[int, int]:
    """The cells from which links lead to some cells."""
    above = down(low, high)
    below = up(low, high)
    return (
        links[0] & above[0] | links[2] & below[0] | links[4] & (low >> 1) | links[6] & (low << 1),
        links[1] & above[1] | links[3] & below[1] | links[5] & (high >> 1) | links[7] & (high << 1),
    )
