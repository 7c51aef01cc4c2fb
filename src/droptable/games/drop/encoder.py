"""What a learner sees of Drop.: the board as square planes, pieces left, whose turn it is.

The hexagon lies in a square of 2 * `size` - 1 rows and columns as in `rules`: the cell `q,r` is in
row r + size - 1, column q + size - 1, both from 0. Its six neighbours are left, right, above, above
right, below left and below.
"""

from __future__ import annotations

from typing import Any

from droptable.core.compile import kernel
from droptable.core.contract import State
from droptable.core.tensor import WORD, Encoder, Plane, Tensor, members_of
from droptable.games.drop.rules import BOARD, DUD, PLANE, SEATS, free_cells, placed, seat_to_place


def planes(players: int, options: dict[str, Any]) -> list[Plane]:
    """The planes in the order of `encode`."""
    side = 2 * options["size"] - 1
    board = (side, side)
    return [
        Plane("own", board, "1 where a piece of the viewer's colour stands"),
        Plane("rival", board, "1 where a piece of the other colour stands"),
        Plane("dud", board, "1 where the dud stands"),
        Plane("free", board, "1 where a piece can be placed"),
        Plane("board", board, "1 for the cells of the board"),
        Plane("left", (SEATS,), "pieces still to place, of `pieces`: own, rival's"),
        Plane(
            "turn", (SEATS,), "who places next, one-hot: own, rival; none when the match is over"
        ),
        Plane("twice", (1,), "1 if the next placement is the first of two"),
        Plane("black", (1,), "1 if the viewer is black"),
    ]


@kernel
def encode(view: State, seat: int, out: Tensor) -> int:
    first = max(seat, 0)
    side = 2 * int(view["size"]) - 1
    cells = side * side
    columns = (1 << side) - 1
    room = 0
    own = rival = dud = free = board = 0  # bits of some rows, from the row at `at` on
    at = width = 0
    for row in range(1, side + 1):
        pieces = int(view["rows"][row])
        free_here = free_cells(view, row)
        room |= free_here
        own |= (pieces >> (first * PLANE + 1) & columns) << width
        rival |= (pieces >> ((1 - first) * PLANE + 1) & columns) << width
        dud |= (pieces >> (DUD * PLANE + 1) & columns) << width
        free |= (free_here >> 1) << width
        board |= (int(BOARD[view["size"], row]) >> 1) << width
        width += side
        if width + side > WORD or row == side:
            members_of(out[at : at + width], own)
            members_of(out[at + cells : at + cells + width], rival)
            members_of(out[at + 2 * cells : at + 2 * cells + width], dud)
            members_of(out[at + 3 * cells : at + 3 * cells + width], free)
            members_of(out[at + 4 * cells : at + 4 * cells + width], board)
            at += width
            own = rival = dud = free = board = width = 0
    _encode_turn(view, first, room, out[5 * cells :])
    return len(out)


@kernel
def _encode_turn(view: State, first: int, room: int, out: Tensor) -> None:
    for k in range(SEATS):
        out[k] = int(view["left"][(first + k) % SEATS]) / int(view["pieces"])
    turn = twice = 0
    if room and placed(view) < SEATS * view["pieces"]:  # DR6
        place_next = seat_to_place(view)
        turn = 1 << (place_next - first) % SEATS
        if placed(view) & 1 and view["left"][place_next] > 1:  # DR1
            twice = 1
    members_of(out[SEATS:], turn | twice << SEATS | (1 - first) << (SEATS + 1))


ENCODER = Encoder(planes=planes, encode=encode)
