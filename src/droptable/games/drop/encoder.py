"""What a learner sees of Drop.: the board as square planes, pieces left, whose turn it is.

The hexagon lies in a square of 2 * `size` - 1 rows and columns as in `rules`: the cell `q,r` is in
row r + size - 1, column q + size - 1, both from 0. Its six neighbours are left, right, above, above
right, below left and below.
"""

from __future__ import annotations

from typing import Any

from droptable.core.compile import kernel
from droptable.core.contract import State
from droptable.core.tensor import Encoder, Plane, Tensor, members_of
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
    at = 0
    room = 0
    for row in range(1, side + 1):
        pieces = int(view["rows"][row])
        free = free_cells(view, row)
        room |= free
        members_of(out[at : at + side], pieces >> (first * PLANE + 1))
        members_of(out[at + cells : at + cells + side], pieces >> ((1 - first) * PLANE + 1))
        members_of(out[at + 2 * cells : at + 2 * cells + side], pieces >> (DUD * PLANE + 1))
        members_of(out[at + 3 * cells : at + 3 * cells + side], free >> 1)
        board = int(BOARD[view["size"], row])
        members_of(out[at + 4 * cells : at + 4 * cells + side], board >> 1)
        at += side
    at += 4 * cells
    for k in range(SEATS):
        out[at + k] = int(view["left"][(first + k) % SEATS]) / int(view["pieces"])
    at += SEATS
    if room and placed(view) < SEATS * view["pieces"]:  # DR6
        place_next = seat_to_place(view)
        out[at + (place_next - first) % SEATS] = 1.0
        two_in_turn = placed(view) & 1 and view["left"][place_next] > 1  # DR1
        out[at + SEATS] = 1.0 if two_in_turn else 0.0
    at += SEATS + 1
    out[at] = 1.0 - first
    return at + 1


ENCODER = Encoder(planes=planes, encode=encode)
