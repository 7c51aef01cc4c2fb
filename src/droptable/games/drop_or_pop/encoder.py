"""What a learner sees of Drop or Pop!: every seat's counters, the colour, whose turn it is."""

from __future__ import annotations

from typing import Any

from droptable.core.bits import count_bits
from droptable.core.compile import kernel
from droptable.core.contract import State
from droptable.core.tensor import (
    OWN_FIRST,
    Encoder,
    Plane,
    Tensor,
    clockwise,
    members_of,
    turned,
)
from droptable.games.drop_or_pop.rules import COLUMNS, COUNTERS, NO_COLUMN, rows


def planes(players: int, options: dict[str, Any]) -> list[Plane]:
    """The planes in the order of `encode`."""
    board = (players, COLUMNS, 2 * players)
    return [
        Plane("counters", board, f"1 where a seat has a counter, row 1 first; {OWN_FIRST}"),
        Plane("in hand", (players,), f"counters that are not on the board, of 6; {OWN_FIRST}"),
        Plane("column", (COLUMNS,), "the colour that is rolled, one-hot; none before the roll"),
        Plane("ignored", (1,), "1 once this turn's first colour was ignored"),
        Plane("turn", (players,), f"whose turn it is, one-hot; {OWN_FIRST}"),
        Plane("won", (players,), f"1 for each winner, when the match is over; {OWN_FIRST}"),
        Plane("clock", (1,), "turns that are finished, as a share of `turn_limit`"),
    ]


@kernel
def encode(view: State, seat: int, out: Tensor) -> int:
    players = int(view["players"])
    first = max(seat, 0)
    height = rows(view)
    cells = COLUMNS * height
    at = players * cells
    for k in range(players):
        counters = int(view["counters"][clockwise(first, k, players)])
        board = 0
        for column in range(COLUMNS):
            board |= (counters >> 8 * column & ((1 << height) - 1)) << column * height
        members_of(out[k * cells : (k + 1) * cells], board)
        out[at + k] = 1.0 - count_bits(counters) / COUNTERS
    at += players
    course = 0
    if view["column"] != NO_COLUMN:
        course = 1 << int(view["column"])
    course |= int(view["ignored"]) << COLUMNS
    course |= turned(1 << int(view["seat"]), first, players) << (COLUMNS + 1)
    course |= turned(int(view["won"]), first, players) << (COLUMNS + 1 + players)
    end = at + COLUMNS + 1 + 2 * players
    members_of(out[at:end], course)
    out[end] = int(view["turn"]) / int(view["turn_limit"])
    return end + 1


ENCODER = Encoder(planes=planes, encode=encode)
