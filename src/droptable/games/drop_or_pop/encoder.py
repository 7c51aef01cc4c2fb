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
    members_of,
    one_hot,
    seat_of,
    seats_of,
)
from droptable.games.drop_or_pop.rules import COLUMNS, COUNTERS, rows


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
    at = 0
    for k in range(players):
        cells = int(view["counters"][(first + k) % players])
        for column in range(COLUMNS):
            members_of(out[at : at + height], cells >> 8 * column)
            at += height
    for k in range(players):
        out[at + k] = 1.0 - count_bits(int(view["counters"][(first + k) % players])) / COUNTERS
    at += players
    one_hot(out[at : at + COLUMNS], int(view["column"]))
    at += COLUMNS
    out[at] = view["ignored"]
    at += 1
    seat_of(out[at : at + players], int(view["seat"]), first)
    at += players
    seats_of(out[at : at + players], int(view["won"]), first)
    at += players
    out[at] = int(view["turn"]) / int(view["turn_limit"])
    return at + 1


ENCODER = Encoder(planes=planes, encode=encode)
