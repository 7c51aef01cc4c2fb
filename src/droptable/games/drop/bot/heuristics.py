"""Drop. at a glance: keep pieces on the board, get them to the rim, join them towards the end.

Groups break up until late, so their sizes say little before the last turns. A piece in the outer
ring lasts: nobody can place there, and its line cannot be pushed outward.
"""

from __future__ import annotations

from droptable.core.bits import count_bits
from droptable.core.compile import kernel
from droptable.core.contract import State
from droptable.games.drop.rules import (
    ANY,
    BLACK,
    BOARD,
    COLUMN_OF,
    INNER,
    ONE_CELL,
    ONE_PLANE,
    PLANE,
    ROW_OF,
    SEATS,
    WHITE,
    count_six,
    largest_of_six,
    length_to_push,
    placed,
    squeezed,
)

PIECE = 0.05  # worth of one more piece than the other seat has
RIM = 0.04  # extra worth of one more piece in the outer ring
JOINED = 0.05  # worth of one more piece in the largest group, at the end of the match


@kernel
def heuristic(state: State, seat: int, action: int) -> float:
    """How far the seat is ahead once the piece is placed, from -1 to 1."""
    pieces, rim, joined = lead_after(state, seat, action)
    if int(state["left"][BLACK]) + int(state["left"][WHITE]) == 1:
        lead = JOINED * joined  # nothing else counts in the end
    else:
        done = placed(state) / (SEATS * int(state["pieces"]))
        lead = PIECE * pieces + RIM * rim + JOINED * done * done * joined
    lead /= 1.0 + abs(lead)
    return lead if seat == BLACK else -lead


@kernel
def lead_after(state: State, seat: int, action: int) -> tuple[int, int, int]:
    """What black has more than white after a placement: pieces, on the rim, in the largest group.

    The state stays as it is: row by row, the board after the push and the squeeze goes into six
    words for each colour, as in `rules.largest_group`. The words take turns to be the first.
    """
    size = int(state["size"])
    rows = state["rows"]
    row = int(ROW_OF[size, action])
    column = int(COLUMN_OF[size, action])
    left = length_to_push(state, row, column, 0, -1)
    right = length_to_push(state, row, column, 0, 1)
    up = length_to_push(state, row, column, -1, 0)
    up_right = length_to_push(state, row, column, -1, 1)
    down = length_to_push(state, row, column, 1, 0)
    down_left = length_to_push(state, row, column, 1, -1)
    own = -1 if state["squeeze"] == ANY else 0
    above = here = int(rows[0])  # empty
    a = b = c = d = e = f = here  # black
    u = v = w = x = y = z = here  # white
    rim = 0
    for i in range(12 if size <= 6 else 18):
        beneath = int(rows[i + 1])
        steps = i + 1 - row
        if steps > 0:
            nearer = int(rows[i])
            beneath = pushed_cell(beneath, nearer, column, column, steps, down)
            to = column - steps
            beneath = pushed_cell(beneath, nearer, to + 1, to, steps, down_left)
        elif steps < 0:
            nearer = int(rows[i + 2])
            beneath = pushed_cell(beneath, nearer, column, column, -steps, up)
            to = column - steps
            beneath = pushed_cell(beneath, nearer, to - 1, to, -steps, up_right)
        else:
            west = (((1 << left) - 1) << (column - left)) * ONE_CELL
            east = (((1 << right) - 1) << (column + 1)) * ONE_CELL
            moved = (beneath & west) >> 1 | (beneath & east) << 1
            beneath = (beneath & ~(west | east)) | moved | 1 << (column + seat * PLANE)
        kept = here & ~squeezed(own, above, here, beneath)
        black, white = kept & ONE_PLANE, (kept >> PLANE) & ONE_PLANE
        outer = int(BOARD[size, i]) & ~int(INNER[size, i])
        rim += count_bits(black & outer) - count_bits(white & outer)
        part = i // 6 * PLANE
        a, b, c, d, e, f = b, c, d, e, f, a | black << part
        u, v, w, x, y, z = v, w, x, y, z, u | white << part
        above = here
        here = beneath
    return (
        count_six(a, b, c, d, e, f) - count_six(u, v, w, x, y, z),
        rim,
        largest_of_six(a, b, c, d, e, f) - largest_of_six(u, v, w, x, y, z),
    )


@kernel
def pushed_cell(row: int, nearer: int, column: int, to: int, steps: int, length: int) -> int:
    """A row after the push of a line that crosses it so many steps from the placed piece.

    The line has `length` pieces if it moves, and crosses this row in column `to` and the row nearer
    to the placed piece in `column`. The cell gets the piece from there, the first one gets none.
    """
    if length == 0 or steps > length + 1:
        return row
    row &= ~(ONE_CELL << to)
    return row if steps == 1 else row | ((nearer >> column) & ONE_CELL) << to
