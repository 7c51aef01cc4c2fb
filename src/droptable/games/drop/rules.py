"""Drop.: place pieces on a board of hexagons, push lines outward, keep the largest group.

Black places one piece, then white and black place two each by turns (DR1), on any empty cell that
is not in the outer ring (DR2). A placed piece pushes the six lines that start next to it one cell
outward (DR3); then every piece with four neighbours of one colour leaves the board (DR4). The dud
has no colour (DR5). When all pieces are placed or there is no room (DR6), the larger group wins
(DR7).

A row of the board is one integer with three bits a cell, one for each kind of piece. So a line
moves without asking what it is made of, and the neighbours of a whole row are counted at once.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from droptable.core.bits import count_bits
from droptable.core.compile import kernel
from droptable.core.contract import Bounds, Ids, Numbers, Rules, State

SEATS = 2
BLACK, WHITE, DUD = 0, 1, 2  # kinds of pieces; a colour is also its seat
SMALLEST, LARGEST = 5, 9  # cells on a side of the board
RING = 1  # of the option `opening`
ANY = 0  # of the option `squeeze`

# The cell q,r lies in row r + size, column q + size. Both start from 1 and end before 2 * size, so
# that every cell has six neighbours, if only off the board. Those of X in row 3, column 5:
#
#   row 2     5  6
#   row 3    4  X  6
#   row 4     4  5
#
# A black piece in column c is bit c of its row, a white one bit c + 20, the dud bit c + 40.
PLANE = 20  # bits a row has for one kind of piece
ONE_PLANE = (1 << PLANE) - 1
ONE_CELL = 1 | 1 << PLANE | 1 << 2 * PLANE  # column 0, any kind of piece
ROWS = 2 * LARGEST + 1
STATE = np.dtype(
    [
        ("rows", np.int64, ROWS),  # bits as above; rows 0 and 2 * size are off the board, and empty
        ("players", np.int32),  # 2
        ("size", np.int32),  # cells on a side, 5-9
        ("pieces", np.int32),  # that each seat has at the start, 8-60
        ("opening", np.int32),  # 0 the dud alone, 1 with a ring of pieces
        ("squeeze", np.int32),  # 0 by any colour, 1 by the enemy's only
        ("left", np.int32, SEATS),  # pieces that each seat has still to place
    ]
)

ROW_STEPS = np.array([0, 1, 1, 0, -1, -1])  # the six directions, going round from 1,0
COLUMN_STEPS = np.array([1, 0, -1, -1, 0, 1])


@cache
def cells(size: int) -> tuple[tuple[int, int], ...]:
    """The cells q,r of a board, in the order of their ids: row by row, q ascending."""
    axis = range(1 - size, size)
    return tuple((q, r) for r in axis for q in axis if abs(q + r) < size)


# By size and id: the row and the column of a cell. By size and row: its cells, as bits of columns.
ROW_OF = np.zeros((LARGEST + 1, len(cells(LARGEST))), np.int64)
COLUMN_OF = np.zeros_like(ROW_OF)
BOARD = np.zeros((LARGEST + 1, ROWS), np.int64)
INNER = np.zeros_like(BOARD)  # the board without its outer ring
for _size in range(SMALLEST, LARGEST + 1):
    for _id, (_q, _r) in enumerate(cells(_size)):
        ROW_OF[_size, _id] = _r + _size
        COLUMN_OF[_size, _id] = _q + _size
        BOARD[_size, _r + _size] |= 1 << (_q + _size)
    for _q, _r in cells(_size - 1):
        INNER[_size, _r + _size] |= 1 << (_q + _size)


@kernel
def setup(state: State) -> None:
    centre = int(state["size"])
    rows = state["rows"]
    rows[centre] = 1 << (centre + DUD * PLANE)
    if state["opening"] == RING:
        for direction in range(6):
            column = centre + int(COLUMN_STEPS[direction])
            colour = direction & 1  # black at 1,0, then by turns
            rows[centre + ROW_STEPS[direction]] |= 1 << (column + colour * PLANE)
    for seat in range(SEATS):
        state["left"][seat] = state["pieces"]


@kernel
def to_act(state: State) -> int:
    if placed(state) == SEATS * state["pieces"] or not has_room(state):  # DR6
        return 0
    return 1 << seat_to_place(state)


@kernel
def legal(state: State, seat: int, ids: Ids) -> int:
    size = int(state["size"])
    count = 0
    length = size - 1  # of a row without the outer ring
    action = size + 1  # the first row, all of it outer ring, has `size` cells
    for row in range(2, 2 * size - 1):  # DR2
        free = free_cells(state, row) >> max(2, size - row + 2)
        for cell in range(action, action + length):
            ids[count] = cell  # the next one takes its place unless it is free
            count += free & 1
            free >>= 1
        action += length + 2
        length += 1 if row < size else -1
    return count


@kernel
def apply(state: State, actor: int, action: int) -> None:
    state["left"][actor] -= 1
    place(state, actor, action)
    take_squeezed(state)


@kernel
def scores(state: State, points: Numbers) -> None:
    for seat in range(SEATS):
        points[seat] = largest_group(state, seat)  # DR7


@kernel
def winners(state: State) -> int:
    if to_act(state):
        return 0
    best = 0
    won = 0
    for seat in range(SEATS):
        size = largest_group(state, seat)
        if size > best:
            best = size
            won = 0
        if size == best:
            won |= 1 << seat  # DR7: both if they are equal
    return won


@kernel
def placed(state: State) -> int:
    """How many pieces both seats have placed."""
    return SEATS * int(state["pieces"]) - int(state["left"][BLACK]) - int(state["left"][WHITE])


@kernel
def seat_to_place(state: State) -> int:
    """DR1: black; white, white; black, black; … and whoever has one piece left places one."""
    return ((placed(state) + 1) >> 1) & 1


@kernel
def free_cells(state: State, row: int) -> int:
    """DR2: the cells of a row that a piece can be placed on, as bits of columns."""
    pieces = int(state["rows"][row])
    taken = pieces | pieces >> PLANE | pieces >> 2 * PLANE
    return ~taken & int(INNER[state["size"], row])


@kernel
def has_room(state: State) -> bool:
    """DR6: whether there is a cell to place on."""
    for row in range(2, 2 * int(state["size"]) - 1):  # noqa: SIM110 - Numba has no generators
        if free_cells(state, row):
            return True
    return False


@kernel
def place(state: State, seat: int, action: int) -> int:
    """Put a piece on a cell and push the lines round it outward; return how many pieces move."""
    row = int(ROW_OF[state["size"], action])
    column = int(COLUMN_OF[state["size"], action])
    state["rows"][row] |= 1 << (column + seat * PLANE)
    pushed = 0
    for direction in range(6):  # the six lines have no cell in common: their order does not matter
        pushed += push_line(state, row, column, ROW_STEPS[direction], COLUMN_STEPS[direction])
    return pushed


@kernel
def push_line(state: State, row: int, column: int, down: int, right: int) -> int:
    """DR3: push the line that starts next to a cell; return how many pieces move."""
    rows = state["rows"]
    length = length_to_push(state, row, column, down, right)
    row += down * (length + 1)
    column += right * (length + 1)
    for _ in range(length):  # the far end first
        piece = (int(rows[row - down]) >> (column - right)) & ONE_CELL
        rows[row] |= piece << column
        row -= down
        column -= right
        rows[row] ^= piece << column
    return length


@kernel
def length_to_push(state: State, row: int, column: int, down: int, right: int) -> int:
    """DR3: how many pieces are in the line that starts next to a cell; 0 if it does not move."""
    rows = state["rows"]
    length = 0
    row += down
    column += right
    while (int(rows[row]) >> column) & ONE_CELL:
        length += 1
        row += down
        column += right
    return length if (int(BOARD[state["size"], row]) >> column) & 1 else 0  # it reaches the edge


@kernel
def take_squeezed(state: State) -> None:
    """DR4: take all squeezed pieces off the board together."""
    rows = state["rows"]
    own = -1 if state["squeeze"] == ANY else 0
    above = int(rows[0])
    for row in range(1, 2 * int(state["size"])):
        here = int(rows[row])
        rows[row] = here & ~squeezed(own, above, here, int(rows[row + 1]))
        above = here  # as it was before any piece left


@kernel
def squeezed(own: int, above: int, here: int, below: int) -> int:
    """DR4: the pieces of a row with four or more neighbours of one colour, as bits.

    `own` is -1 if a piece's own colour counts, 0 if only the other does. The dud is alone of its
    kind, so it never has four of it around; and it is in neither colour's plane (DR5).
    """
    left, right = here << 1, here >> 1
    upper, lower = above >> 1, below << 1
    # Add up three neighbours and three more: a sum is 2 * two + one.
    one = left ^ above ^ upper
    two = (left & above) | (upper & (left ^ above))
    one_more = right ^ below ^ lower
    two_more = (right & below) | (lower & (right ^ below))
    four = (two & two_more) | ((two | two_more) & one & one_more)
    enemy = ((four >> PLANE) & ONE_PLANE) | ((four & ONE_PLANE) << PLANE)
    return here & (enemy | (own & four))


@kernel
def largest_group(state: State, colour: int) -> int:
    """DR7: the size of the largest connected group of a colour.

    Word k of six holds rows k, k + 6 and k + 12, so that the rows next to those of a word lie in
    the words next to it, and the board fits into local variables: kernels never allocate.
    """
    rows = state["rows"]
    a = b = c = d = e = f = int(rows[0])  # 0, but not a literal one: see below
    shift = colour * PLANE
    for part in range(3):
        row = 6 * part
        to = part * PLANE
        a |= ((int(rows[row]) >> shift) & ONE_PLANE) << to
        b |= ((int(rows[row + 1]) >> shift) & ONE_PLANE) << to
        c |= ((int(rows[row + 2]) >> shift) & ONE_PLANE) << to
        d |= ((int(rows[row + 3]) >> shift) & ONE_PLANE) << to
        e |= ((int(rows[row + 4]) >> shift) & ONE_PLANE) << to
        f |= ((int(rows[row + 5]) >> shift) & ONE_PLANE) << to
    return largest_of_six(a, b, c, d, e, f)


@kernel
def largest_of_six(a: int, b: int, c: int, d: int, e: int, f: int) -> int:
    """The size of the largest group in six words."""
    none = a ^ a  # a plain 0 would make Numba compile the functions below once more for it
    left = count_six(a, b, c, d, e, f)
    best = 0
    while left > best:
        while not a:  # move the whole board up by a row
            a, b, c, d, e, f = b, c, d, e, f, none
        u, v, w, x, y, z = a & -a, none, none, none, none, none  # a group, in words like the board
        size = 0
        grown = 1
        while grown > size:
            size = grown
            u = a & with_neighbours(z << PLANE, u, v)
            v = b & with_neighbours(u, v, w)
            w = c & with_neighbours(v, w, x)
            x = d & with_neighbours(w, x, y)
            y = e & with_neighbours(x, y, z)
            z = f & with_neighbours(y, z, u >> PLANE)
            grown = count_six(u, v, w, x, y, z)
        a, b, c, d, e, f = a ^ u, b ^ v, c ^ w, d ^ x, e ^ y, f ^ z
        left -= size
        best = max(best, size)
    return best


@kernel
def with_neighbours(above: int, here: int, below: int) -> int:
    """A row, or a word of rows, of a set of cells, and the neighbours of the set in that row."""
    return here | here << 1 | here >> 1 | above | above >> 1 | below | below << 1


@kernel
def count_six(a: int, b: int, c: int, d: int, e: int, f: int) -> int:
    """How many cells are in six words."""
    return (
        count_bits(a)
        + count_bits(b)
        + count_bits(c)
        + count_bits(d)
        + count_bits(e)
        + count_bits(f)
    )


# -- bounds, for whoever has to know before a match how long it can get ---------------------------


def most_moves(players: int, options: dict[str, int]) -> int:
    return 2 * options["pieces"]  # DR6


RULES = Rules(
    STATE,
    setup=setup,
    to_act=to_act,
    legal=legal,
    apply=apply,
    scores=scores,
    winners=winners,
    bounds=Bounds(moves=most_moves),
)
