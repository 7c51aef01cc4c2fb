"""The grid of one seat as bit boards: marks, falling shapes, connected cells, full rows.

A board is two integers, its low half (rows 1-7) and its high half (rows 8-14), each with bit
8 * row + column; bit 7 beside a row is not used:     48 .. 54    row 7 / row 14
                                                      ..
                                                       0 ..  6    row 1 / row 8
A grid's marks are digit + 1, or X, in binary: board k of `marks` holds the bits of weight 1 << k.
"""

from __future__ import annotations

from droptable.core.bits import count_bits
from droptable.core.compile import kernel
from droptable.core.contract import State
from droptable.games.number_drop.rules.shapes import BITS, COLUMNS

ROWS = 14
SAFE_ROWS = 11  # rows under the Game Over line
X = 15  # a mark that is no number, beside the marks digit + 1
MOST_MARK = 10  # the mark of the digit 9

ROW = 0x7F  # the lowest row of a half
HALF = 0x7F7F7F7F7F7F7F  # all cells of a half
EVERY_ROW = 0x01010101010101
TOP_ROW = 48  # the shift to a half's highest row
REACH = 24  # the shift, in the high half, to the rows that a shape under the upper edge can fill
ABOVE_LINE = 32  # the shift, in the high half, to row 12


@kernel
def marked(state: State, seat: int) -> tuple[int, int]:
    """The cells that are not empty."""
    low = 0
    high = 0
    for k in range(4):
        low |= int(state["marks"][seat, 0, k])
        high |= int(state["marks"][seat, 1, k])
    return low, high


@kernel
def free(state: State, seat: int) -> tuple[int, int]:
    """The numbers that are not circled: the ones that combos can use (ND5, ND10)."""
    marks = state["marks"]
    low, high = marked(state, seat)
    low &= ~(int(marks[seat, 0, 2]) & int(marks[seat, 0, 3]))  # no number has both bits, an X has
    high &= ~(int(marks[seat, 1, 2]) & int(marks[seat, 1, 3]))
    return low & ~int(state["circled"][seat, 0]), high & ~int(state["circled"][seat, 1])


@kernel
def mark_at(state: State, seat: int, row: int, column: int) -> int:
    """What stands in a cell: 0, digit + 1, or X; rows and columns from 0."""
    shift = 8 * (row % 7) + column
    mark = 0
    for k in range(4):
        mark |= ((int(state["marks"][seat, row // 7, k]) >> shift) & 1) << k
    return mark


@kernel
def solid(state: State, seat: int) -> tuple[int, int]:
    """The marked cells and all that lies under them: where nothing can fall through (ND8)."""
    low, high = marked(state, seat)
    high |= high >> 8
    high |= high >> 16
    high |= high >> 32
    low |= (high & ROW) * EVERY_ROW
    low |= low >> 8
    low |= low >> 16
    low |= low >> 32
    return low & HALF, high & HALF


@kernel
def landing(state: State, seat: int, shape: int, place: int) -> tuple[int, int]:
    """The cells where a shape comes to rest: the lowest where nothing is above or in its way."""
    below = solid(state, seat)
    low = int(BITS[shape, place // COLUMNS]) << (place % COLUMNS)
    high = 0
    while (low & below[0]) | (high & below[1]):  # ND8
        high = (high << 8) | (low >> TOP_ROW)
        low = (low << 8) & HALF
    return low, high


@kernel
def around(low: int, high: int) -> tuple[int, int]:
    """The cells beside, above and below some cells; also bits outside the grid, to be masked."""
    return (
        (low << 1) | (low >> 1) | (low << 8) | (low >> 8) | ((high & ROW) << TOP_ROW),
        (high << 1) | (high >> 1) | (high << 8) | (high >> 8) | (low >> TOP_ROW),
    )


@kernel
def showing(state: State, seat: int, mark: int) -> tuple[int, int]:
    """The free cells with a certain number, given as digit + 1."""
    low, high = free(state, seat)
    for k in range(4):
        low_bits = int(state["marks"][seat, 0, k])
        high_bits = int(state["marks"][seat, 1, k])
        if (mark >> k) & 1:
            low &= low_bits
            high &= high_bits
        else:
            low &= ~low_bits
            high &= ~high_bits
    return low, high


@kernel
def highest(state: State, seat: int, low: int, high: int) -> tuple[int, int, int]:
    """The mark of the highest number among some cells, and the cells that show it."""
    mark = 0
    for k in range(3, -1, -1):
        low_bits = low & int(state["marks"][seat, 0, k])
        high_bits = high & int(state["marks"][seat, 1, k])
        if low_bits | high_bits:
            low = low_bits
            high = high_bits
            mark |= 1 << k
    return mark, low, high


@kernel
def group(low: int, high: int, in_low: int, in_high: int) -> tuple[int, int]:
    """All cells of a board that are connected with some of its cells."""
    grown_low = 0
    grown_high = 0
    while low != grown_low or high != grown_high:
        grown_low = low
        grown_high = high
        near = around(low, high)
        low |= near[0] & in_low
        high |= near[1] & in_high
    return low, high


@kernel
def size_of(low: int, high: int) -> int:
    return count_bits(low) + count_bits(high)


@kernel
def full_rows(state: State, seat: int) -> int:
    """Bits of the rows 1-11 whose +2 is earned: full before this round's drop (ND13)."""
    low, high = marked(state, seat)
    low &= ~int(state["fallen"][seat, 0])
    high &= ~int(state["fallen"][seat, 1])
    rows = 0
    for row in range(SAFE_ROWS):
        if low & ROW == ROW:
            rows |= 1 << row
        low = (low >> 8) | ((high & ROW) << TOP_ROW)
        high >>= 8
    return rows


@kernel
def rows_above_line(state: State, seat: int) -> int:
    """How many of the rows 12-14 have a mark."""
    above = marked(state, seat)[1] >> ABOVE_LINE
    count = 0
    while above:
        if above & ROW:
            count += 1
        above >>= 8
    return count


@kernel
def mark_cells(state: State, seat: int, low: int, high: int, mark: int) -> None:
    """Write a mark into cells that are empty."""
    for k in range(4):
        if (mark >> k) & 1:
            state["marks"][seat, 0, k] |= low
            state["marks"][seat, 1, k] |= high


@kernel
def unmark(state: State, seat: int, low: int, high: int) -> None:
    """Empty cells."""
    for k in range(4):
        state["marks"][seat, 0, k] &= ~low
        state["marks"][seat, 1, k] &= ~high
