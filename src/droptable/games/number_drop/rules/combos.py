"""Combos (ND10, ND11): which cells may be chosen next, found on bit boards; and circling them."""

from __future__ import annotations

from droptable.core.bits import count_bits
from droptable.core.compile import kernel
from droptable.core.contract import Ids, State
from droptable.games.number_drop.rules.grid import (
    HALF,
    MOST_MARK,
    ROW,
    TOP_ROW,
    around,
    free,
    group,
    highest,
    showing,
    size_of,
)
from droptable.games.number_drop.rules.record import CELL_ID, DONE_ID, SKIP_ID
from droptable.games.number_drop.rules.shapes import COLUMNS

SMALLEST, LARGEST = 3, 7  # the values of a kind; the bonus is one larger
BONUS = 8
IDENTICAL, CONSECUTIVE = 0, 1  # kinds of combos
NO_SIZE = 99  # larger than any combo can be


@kernel
def open_sizes(state: State, seat: int) -> tuple[int, int]:
    """For both kinds, the sizes that can still be circled, as bits 3-8 (ND11)."""
    bonus = 0 if state["bonus"][seat] else 1 << BONUS
    identical = ~int(state["combos"][seat, IDENTICAL]) & 0b11111
    consecutive = ~int(state["combos"][seat, CONSECUTIVE]) & 0b11111
    return (identical << SMALLEST) | bonus, (consecutive << SMALLEST) | bonus


@kernel
def next_open(sizes: int, size: int) -> int:
    """The smallest open size that is larger than this one, or NO_SIZE."""
    larger = (sizes >> (size + 1)) << (size + 1)
    return count_bits((larger & -larger) - 1) if larger else NO_SIZE


@kernel
def kind_of_chosen(state: State, seat: int) -> int:
    """The kind of two or more chosen cells (ND10): identical if all show the highest number."""
    low = int(state["chosen"][seat, 0])
    high = int(state["chosen"][seat, 1])
    top = highest(state, seat, low, high)
    return IDENTICAL if top[1] == low and top[2] == high else CONSECUTIVE


@kernel
def next_cells(state: State, seat: int) -> tuple[int, int]:
    """The cells that may join the chosen ones (ND10).

    A connected set can grow one by one up to its whole group, and a path upward can stop at every
    length. So the next larger open size is in reach, or none is.
    """
    low = int(state["chosen"][seat, 0])
    high = int(state["chosen"][seat, 1])
    size = size_of(low, high)
    mark, top_low, top_high = highest(state, seat, low, high)
    uniform = top_low == low and top_high == high  # also a single cell, which may be either kind
    sizes = open_sizes(state, seat)
    near = around(top_low, top_high)  # an upward path goes on from its highest number
    found_low = 0
    found_high = 0
    if uniform:
        wanted = next_open(sizes[IDENTICAL], size)
        same = showing(state, seat, mark)
        whole = group(low, high, same[0], same[1])
        if size_of(whole[0], whole[1]) >= wanted:
            found_low = near[0] & same[0] & ~low
            found_high = near[1] & same[1] & ~high
    if size == 1 or not uniform:
        wanted = next_open(sizes[CONSECUTIVE], size)
        heads = path_heads(state, seat, mark + 1, wanted - size)
        found_low |= near[0] & heads[0]
        found_high |= near[1] & heads[1]
    return found_low, found_high


@kernel
def path_heads(state: State, seat: int, mark: int, length: int) -> tuple[int, int]:
    """The cells with a mark from which a path of so many cells leads upward (ND10)."""
    top = mark + length - 1
    if top > MOST_MARK:
        return 0, 0
    low, high = showing(state, seat, top)
    while top > mark and low | high:
        top -= 1
        near = around(low, high)
        step = showing(state, seat, top)
        low = near[0] & step[0]
        high = near[1] & step[1]
    return low, high


@kernel
def first_cells(state: State, seat: int) -> tuple[int, int]:
    """The cells that some open combo can start from (ND10), for all numbers at once.

    Boards a0-a3 are the low half of the free marks in binary, b0-b3 the high half: comparing each
    with itself moved by a step finds all pairs of neighbours of which one is equal or one higher.
    """
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
    # What stands above each cell of the low half, and below each cell of the high half.
    u0 = _above(a0, b0)
    u1 = _above(a1, b1)
    u2 = _above(a2, b2)
    u3 = _above(a3, b3)
    d0 = _below(a0, b0)
    d1 = _below(a1, b1)
    d2 = _below(a2, b2)
    d3 = _below(a3, b3)

    found_low = 0
    found_high = 0
    sizes = open_sizes(state, seat)
    wanted = next_open(sizes[IDENTICAL], 0)
    if wanted != NO_SIZE:
        # Cells whose neighbour above or to the right is equal.
        up_a = a & _same(a0, a1, a2, a3, u0, u1, u2, u3)
        up_b = b & _same(b0, b1, b2, b3, b0 >> 8, b1 >> 8, b2 >> 8, b3 >> 8)
        right_a = a & _same(a0, a1, a2, a3, a0 >> 1, a1 >> 1, a2 >> 1, a3 >> 1)
        right_b = b & _same(b0, b1, b2, b3, b0 >> 1, b1 >> 1, b2 >> 1, b3 >> 1)
        found_low, found_high = _of_three(up_a, up_b, right_a, right_b)
        if wanted > SMALLEST and found_low | found_high:
            found_low, found_high = _of_size(state, seat, found_low, found_high, wanted)

    wanted = next_open(sizes[CONSECUTIVE], 0)
    if wanted != NO_SIZE:
        # One more, in binary; then the cells whose neighbour on each side is one higher.
        p0 = ~a0
        p1 = a1 ^ a0
        p2 = a2 ^ (a0 & a1)
        p3 = a3 ^ (a0 & a1 & a2)
        q0 = ~b0
        q1 = b1 ^ b0
        q2 = b2 ^ (b0 & b1)
        q3 = b3 ^ (b0 & b1 & b2)
        up_a = a & _same(p0, p1, p2, p3, u0, u1, u2, u3)
        up_b = b & _same(q0, q1, q2, q3, b0 >> 8, b1 >> 8, b2 >> 8, b3 >> 8)
        down_a = a & _same(p0, p1, p2, p3, a0 << 8, a1 << 8, a2 << 8, a3 << 8)
        down_b = b & _same(q0, q1, q2, q3, d0, d1, d2, d3)
        right_a = a & _same(p0, p1, p2, p3, a0 >> 1, a1 >> 1, a2 >> 1, a3 >> 1)
        right_b = b & _same(q0, q1, q2, q3, b0 >> 1, b1 >> 1, b2 >> 1, b3 >> 1)
        left_a = a & _same(p0, p1, p2, p3, a0 << 1, a1 << 1, a2 << 1, a3 << 1)
        left_b = b & _same(q0, q1, q2, q3, b0 << 1, b1 << 1, b2 << 1, b3 << 1)
        low = a
        high = b
        for _ in range(wanted - 1):  # the cells from which 2, 3 … lead upward
            next_low = (
                up_a & _above(low, high)
                | down_a & (low << 8)
                | right_a & (low >> 1)
                | left_a & (low << 1)
            )
            high = (
                up_b & (high >> 8)
                | down_b & _below(low, high)
                | right_b & (high >> 1)
                | left_b & (high << 1)
            )
            low = next_low
        found_low |= low
        found_high |= high
    return found_low, found_high


@kernel
def _above(low: int, high: int) -> int:
    """For each cell of the low half, the cell above it."""
    return (low >> 8) | ((high & ROW) << TOP_ROW)


@kernel
def _below(low: int, high: int) -> int:
    """For each cell of the high half, the cell below it."""
    return (high << 8) | (low >> TOP_ROW)


@kernel
def _same(a0: int, a1: int, a2: int, a3: int, b0: int, b1: int, b2: int, b3: int) -> int:
    """The bits at which four boards agree with four others."""
    return ~((a0 ^ b0) | (a1 ^ b1) | (a2 ^ b2) | (a3 ^ b3))


@kernel
def _of_three(up_a: int, up_b: int, right_a: int, right_b: int) -> tuple[int, int]:
    """The cells of groups of three or more: two equal neighbours, or next to such a cell."""
    down_a = up_a << 8
    down_b = _below(up_a, up_b)
    left_a = right_a << 1
    left_b = right_b << 1
    two_a = (up_a & down_a) | (right_a & left_a) | ((up_a | down_a) & (right_a | left_a))
    two_b = (up_b & down_b) | (right_b & left_b) | ((up_b | down_b) & (right_b | left_b))
    low = (
        two_a
        | up_a & _above(two_a, two_b)
        | down_a & (two_a << 8)
        | right_a & (two_a >> 1)
        | left_a & (two_a << 1)
    )
    high = (
        two_b
        | up_b & (two_b >> 8)
        | down_b & _below(two_a, two_b)
        | right_b & (two_b >> 1)
        | left_b & (two_b << 1)
    )
    return low & HALF, high & HALF


@kernel
def _of_size(state: State, seat: int, low: int, high: int, size: int) -> tuple[int, int]:
    """Those of the cells whose whole group of equal numbers has at least a size."""
    found_low = 0
    found_high = 0
    while low | high:
        seed_low = low & -low
        seed_high = 0 if low else high & -high
        mark, _, _ = highest(state, seat, seed_low, seed_high)
        same = showing(state, seat, mark)
        whole = group(seed_low, seed_high, same[0], same[1])
        if size_of(whole[0], whole[1]) >= size:
            found_low |= whole[0]
            found_high |= whole[1]
        low &= ~whole[0]
        high &= ~whole[1]
    return found_low, found_high


# -- phase 4 --------------------------------------------------------------------------------------


@kernel
def legal_cells(state: State, seat: int, ids: Ids) -> int:
    size = size_of(int(state["chosen"][seat, 0]), int(state["chosen"][seat, 1]))
    cells = first_cells(state, seat) if size == 0 else next_cells(state, seat)
    count = _list_cells(cells[0], CELL_ID, ids, 0)
    count = _list_cells(cells[1], CELL_ID + 7 * COLUMNS, ids, count)
    if size == 0:
        ids[count] = SKIP_ID
        count += 1
    elif (open_sizes(state, seat)[kind_of_chosen(state, seat)] >> size) & 1:
        ids[count] = DONE_ID
        count += 1
    return count


@kernel
def _list_cells(cells: int, first: int, ids: Ids, count: int) -> int:
    while cells:
        bit = count_bits((cells & -cells) - 1)
        ids[count] = first + bit - (bit >> 3)  # 8 bits a row, 7 ids a row
        count += 1
        cells &= cells - 1
    return count


@kernel
def circle(state: State, seat: int) -> None:
    size = size_of(int(state["chosen"][seat, 0]), int(state["chosen"][seat, 1]))
    if size == BONUS:
        state["bonus"][seat] = 1  # ND11
    else:
        state["combos"][seat, kind_of_chosen(state, seat)] |= 1 << (size - SMALLEST)
    for half in range(2):
        state["circled"][seat, half] |= state["chosen"][seat, half]


@kernel
def uncircle(state: State, seat: int) -> None:
    """Undo `circle`, if the combo chosen this round is circled."""
    low = int(state["chosen"][seat, 0])
    high = int(state["chosen"][seat, 1])
    if (low & int(state["circled"][seat, 0])) | (high & int(state["circled"][seat, 1])) == 0:
        return
    size = size_of(low, high)
    if size == BONUS:
        state["bonus"][seat] = 0
    else:
        state["combos"][seat, kind_of_chosen(state, seat)] &= ~(1 << (size - SMALLEST))
    for half in range(2):
        state["circled"][seat, half] &= ~state["chosen"][seat, half]
