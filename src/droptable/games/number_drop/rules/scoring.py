"""The score of a sheet (ND13, ND15)."""

from __future__ import annotations

from droptable.core.bits import count_bits
from droptable.core.compile import kernel
from droptable.core.contract import State
from droptable.games.number_drop.rules.combos import (
    BONUS,
    CONSECUTIVE,
    IDENTICAL,
    LARGEST,
    SMALLEST,
)
from droptable.games.number_drop.rules.grid import full_rows, rows_above_line
from droptable.games.number_drop.rules.record import OVER

ALL_VALUES = 0b11111  # 3-7, as bits
FULL_ROW, MARKED_ROW = 2, -5  # under and above the Game Over line
COLUMN_BONUS = 10  # for all values of one kind


@kernel
def score(state: State, seat: int) -> int:
    """ND15 with what is on the sheet now; the -5s count once the match is over (ND13)."""
    points = FULL_ROW * count_bits(full_rows(state, seat)) + combo_points(state, seat)
    if state["stage"] == OVER:
        points += MARKED_ROW * rows_above_line(state, seat)
    return points


@kernel
def combo_points(state: State, seat: int) -> int:
    """The points of all circled combos (ND15)."""
    identical = int(state["combos"][seat, IDENTICAL])
    consecutive = int(state["combos"][seat, CONSECUTIVE])
    return (
        value_points(identical)
        + column_points(identical)
        + value_points(consecutive)
        + column_points(consecutive)
        + BONUS * int(state["bonus"][seat])
    )


@kernel
def value_points(values: int) -> int:
    """The sum of some values of one kind, given as bits: 3 is 1."""
    points = 0
    for value in range(SMALLEST, LARGEST + 1):
        if (values >> (value - SMALLEST)) & 1:
            points += value
    return points


@kernel
def column_points(values: int) -> int:
    """What a complete column earns (ND15)."""
    return COLUMN_BONUS if values == ALL_VALUES else 0
