"""Drop.: place pieces on a hexagon of hexagons, push lines outward, keep the largest clump.

Black places one piece, then white and black place two each by turns (DR1), on any empty inner cell
(DR2). A placed piece pushes the six lines that start next to it one cell outward (DR3); then every
piece with four neighbours of one colour leaves the board (DR4). The dud has no colour (DR5). When
all pieces are placed or there is no room (DR6), the larger connected group wins (DR7).

A row of the board is one integer, a cell three bits of it, one for each kind of piece: so lines move
and neighbours are counted for all kinds, and for a whole row, in the same few operations.
"""

from __future__ import annotations

import numpy as np

from droptable.core.bits import count_bits
from droptable.core.compile import kernel
from droptable.core.contract import Ids, Numbers, Random, State

BLACK, WHITE, DUD = 0, 1, 2  # kinds of pieces; the first two are also their seats
SEATS = 2
SMALLEST, LARGEST = 5, 9  # cells on a side of the board
OPENING_RING = 1  # of the option `opening`
SQUEEZE_ANY = 0  # of the option `squeeze`

# In a row, a cell of column c has bit c if a black piece stands there, bit 20 + c if a white one, bit
# 40 + c if the dud. Row 0, column 0 and what lies beyond the last ones are off the board and empty:
#
#   row = r + size, column = q + size:       row 1      . .        the neighbours of X are
#                                            row 2     . X .       the cells drawn round it
#                                            row 3      . .
PLANE = 20  # bits a row has for one kind of piece
ONE_CELL = 1 | 1 << PLANE | 1 << 2 * PLANE  # all kinds of pieces in column 0
ONE_PLANE = (1 << PLANE) - 1  # the black pieces of a row
ROWS = 2 * LARGEST + 1
STATE = np.dtype(
    [
        ("rows", np.int64, ROWS),  # the board, see above; rows 1 to 2 * size - 1 are in use
        ("players", np.int32),  # always 2
        ("size", np.int32),  # cells on a side, 5-9
        ("pieces", np.int32),  # what each seat has at the start, 8-60
        ("opening", np.int32),  # 0 dud, 1 ring
        ("squeeze", np.int32),  # 0 any, 1 enemy
        ("left", np.int32, SEATS),  # pieces that each seat has still to place
    ]
)

# The six directions as steps of rows and columns, going round.
ROW_STEP = np.array([0, 1, 1, 0, -1, -1], np.int64)
COLUMN_STEP = np.array([1, 0, -1, -1, 0, 1], np.int64)



def cells(size: int) -> list[tuple[int, int]]:
    """All cells of a board as (row, column), in the order of their ids."""
    return [
        (r + size, q + size)
        for r in range(1 - size, size)
        for q in range(1 - size, size)
        if abs(q + r) < size
    ]


# By size: the row and the column of each cell by its id, and the columns of each row as bits.
ROW_OF = np.zeros((LARGEST + 1, len(cells(LARGEST))), np.int64)
COLUMN_OF = np.zeros_like(ROW_OF)
BOARD = np.zeros((LARGEST + 1, ROWS), np.int64)
for _size in range(SMALLEST, LARGEST + 1):
    for _id, (_row, _column) in enumerate(cells(_size)):
        ROW_OF[_size, _id], COLUMN_OF[_size, _id] = _row, _column
        BOARD[_size, _row] |= 1 << _column


@kernel
def setup(state: State) -> None:
    centre = int(state["size"])
    rows = state["rows"]
    rows[centre] = 1 << (centre + DUD * PLANE)
    if state["opening"] == OPENING_RING:
        for direction in range(6):
            colour = direction & 1
            column = centre + int(COLUMN_STEP[direction])
            rows[centre + ROW_STEP[direction]] |= 1 << (column + colour * PLANE)
    for seat in range(SEATS):
        state["left"][seat] = state["pieces"]


@kernel
def to_act(state: State) -> int:
    if placed(state) == 2 * state["pieces"] or not has_room(state):  # DR6
        return 0
    return 1 << seat_to_place(state)


@kernel
def legal(state: State, seat: int, ids: Ids) -> int:
    size = int(state["size"])
    rows = state["rows"]
    count = 0
    action = size + 1  # the first row has `size` cells, and the next one starts in the ring too
    for row in range(2, 2 * size - 1):  # DR2
        free = free_inner_cells(size, row, int(rows[row]))
        length = inner_length(size, row)
        for cell in range(length):
            ids[count] = action + cell  # overwritten by the next one if this one is not free
            count += (free >> cell) & 1
        action += length + 2
    return count


@kernel
def chance(state: State, ids: Ids, weights: Numbers) -> int:
    return 0  # there is no dealer


@kernel
def apply(state: State, actor: int, action: int) -> None:
    size = int(state["size"])
    row = int(ROW_OF[size, action])
    column = int(COLUMN_OF[size, action])
    state["left"][actor] -= 1
    push_all(state, row, column)
    state["rows"][row] |= 1 << (column + actor * PLANE)
    squeeze_all(state)


@kernel
def scores(state: State, points: Numbers) -> None:
    for seat in range(SEATS):
        points[seat] = largest_group(state, seat)  # DR7


@kernel
def winners(state: State) -> int:
    if to_act(state):
        return 0
    black = largest_group(state, BLACK)
    white = largest_group(state, WHITE)
    return (black >= white) | (white >= black) << 1  # DR7: equal is a draw of both


@kernel
def witnesses(state: State, actor: int, action: int) -> int:
    return (1 << SEATS) - 1


@kernel
def observe(state: State, seat: int) -> None:
    pass  # everything is known to all


@kernel
def determinize(state: State, seat: int, random: Random) -> None:
    pass


@kernel
def placed(state: State) -> int:
    """How many pieces both seats have placed."""
    return 2 * int(state["pieces"]) - int(state["left"][BLACK]) - int(state["left"][WHITE])


@kernel
def seat_to_place(state: State) -> int:
    """DR1: black, white white, black black, white white …, down to a single last piece."""
    return (placed(state) + 1) >> 1 & 1


@kernel
def free_inner_cells(size: int, row: int, pieces: int) -> int:
    """The empty cells of a row as bits, its first cell that is not in the outer ring being bit 0."""
    taken = pieces | pieces >> PLANE | pieces >> 2 * PLANE
    return ~taken >> (max(1, size - row + 1) + 1)


@kernel
def inner_length(size: int, row: int) -> int:
    """The cells of a row that are not in the outer ring."""
    return 2 * size - 3 - abs(size - row)


@kernel
def has_room(state: State) -> bool:
    """Whether there is an empty cell that is not in the outer ring."""
    size = int(state["size"])
    for row in range(2, 2 * size - 1):
        free = free_inner_cells(size, row, int(state["rows"][row]))
        if free & ((1 << inner_length(size, row)) - 1):
            return True
    return False


@kernel
def push_all(state: State, row: int, column: int) -> int:
    """DR3: push the six lines round a cell outward; return how many pieces move."""
    pushed = 0
    for direction in range(6):
        pushed += push_line(state, row, column, ROW_STEP[direction], COLUMN_STEP[direction])
    return pushed


@kernel
def push_line(state: State, row: int, column: int, down: int, right: int) -> int:
    """DR3: push the line that starts next to a cell, if it can move; return its length."""
    rows = state["rows"]
    length = 0
    row += down
    column += right
    while int(rows[row]) >> column & ONE_CELL:
        length += 1
        row += down
        column += right
    if not int(BOARD[state["size"], row]) >> column & 1:
        return 0  # the line reaches the edge
    for _ in range(length):  # the far end first
        piece = int(rows[row - down]) >> (column - right) & ONE_CELL
        rows[row] |= piece << column
        row -= down
        column -= right
        rows[row] ^= piece << column
    return length


@kernel
def squeeze_all(state: State) -> int:
    """DR4: take all squeezed pieces off the board together; return how many."""
    rows = state["rows"]
    own = -1 if state["squeeze"] == SQUEEZE_ANY else 0
    last = 2 * int(state["size"])
    found = 0
    for row in range(1, last):
        found |= squeezed(own, int(rows[row - 1]), int(rows[row]), int(rows[row + 1]))
    if found == 0:
        return 0
    count = 0
    above = 0
    for row in range(1, last):
        here = int(rows[row])
        leaving = squeezed(own, above, here, int(rows[row + 1]))
        above = here  # as it was: all leave together
        rows[row] = here ^ leaving
        count += count_bits(leaving)
    return count


@kernel
def squeezed(own: int, above: int, here: int, below: int) -> int:
    """DR4: the pieces of a row with four or more neighbours of one colour, as bits.

    Their own colour counts if `own` is -1, and does not if it is 0. There is one dud only, so it
    never has any effect here (DR5).
    """
    # Two full adders: three neighbours each, all columns and colours at once.
    left, right, upper_right, lower_left = here << 1, here >> 1, above >> 1, below << 1
    odd = above ^ upper_right ^ right
    two = above & upper_right | (above ^ upper_right) & right
    odd_2 = below ^ lower_left ^ left
    two_2 = below & lower_left | (below ^ lower_left) & left
    four = two & two_2 | (two | two_2) & odd & odd_2
    enemy = (four >> PLANE) & ONE_PLANE | (four & ONE_PLANE) << PLANE
    return (enemy | four & own) & here


@kernel
def largest_group(state: State, colour: int) -> int:
    """DR7: the size of the largest connected group of a colour."""
    # Three rows a word, so that the whole board is six local numbers and a group six others.
    c0 = three_rows(state, colour, 1)
    c1 = three_rows(state, colour, 4)
    c2 = three_rows(state, colour, 7)
    c3 = three_rows(state, colour, 10)
    c4 = three_rows(state, colour, 13)
    c5 = three_rows(state, colour, 16)
    best = 0
    left = bits6(c0, c1, c2, c3, c4, c5)
    while left > best:
        g0 = c0 & -c0
        g1 = 0 if c0 else c1 & -c1
        g2 = 0 if c0 | c1 else c2 & -c2
        g3 = 0 if c0 | c1 | c2 else c3 & -c3
        g4 = 0 if c0 | c1 | c2 | c3 else c4 & -c4
        g5 = 0 if c0 | c1 | c2 | c3 | c4 else c5 & -c5
        size = 0
        grown = 1
        while grown > size:
            size = grown
            g0 = grow(0, g0, g1) & c0
            g1 = grow(g0, g1, g2) & c1
            g2 = grow(g1, g2, g3) & c2
            g3 = grow(g2, g3, g4) & c3
            g4 = grow(g3, g4, g5) & c4
            g5 = grow(g4, g5, 0) & c5
            grown = bits6(g0, g1, g2, g3, g4, g5)
        c0 ^= g0
        c1 ^= g1
        c2 ^= g2
        c3 ^= g3
        c4 ^= g4
        c5 ^= g5
        left -= size
        best = max(best, size)
    return best


@kernel
def three_rows(state: State, colour: int, row: int) -> int:
    shift = colour * PLANE
    rows = state["rows"]
    return (
        (int(rows[row]) >> shift & ONE_PLANE)
        | (int(rows[row + 1]) >> shift & ONE_PLANE) << PLANE
        | (int(rows[row + 2]) >> shift & ONE_PLANE) << 2 * PLANE
    )


@kernel
def grow(above: int, here: int, below: int) -> int:
    up = here << PLANE | above >> 2 * PLANE
    down = here >> PLANE | below << 2 * PLANE
    return here | here << 1 | here >> 1 | up | up >> 1 | down | down << 1


@kernel
def bits6(a: int, b: int, c: int, d: int, e: int, f: int) -> int:
    return (
        count_bits(a)
        + count_bits(b)
        + count_bits(c)
        + count_bits(d)
        + count_bits(e)
        + count_bits(f)
    )
