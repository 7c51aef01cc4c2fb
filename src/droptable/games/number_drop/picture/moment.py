"""What a picture of Number Drop shows besides a record: who is to be looked at, and how far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from droptable.games.number_drop import rules
from droptable.games.number_drop.rules.grid import rows_above_line
from droptable.games.number_drop.rules.scoring import MARKED_ROW
from droptable.games.number_drop.words.notation import Cell

ALL_ROWS = 3  # rows above the Game Over line


@dataclass(frozen=True)
class Gain:
    """Points that fly from a combo to its entry in the table."""

    seat: int
    points: int
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Moment:
    """Seats that are lit, and what is shown only while something happens."""

    lit: tuple[int, ...] = ()  # who rolls or plays
    done: tuple[int, ...] = ()  # who has done its part
    won: tuple[int, ...] = ()
    news: tuple[int, ...] = ()  # whose sheet has just changed
    lost_rows: int = ALL_ROWS  # rows above the line whose -5 is counted already, from below
    gain: Gain | None = None

    def score(self, state: Any, seat: int) -> int:
        """A seat's points as far as they are counted."""
        points = rules.score(state, seat)
        if state["stage"] == rules.OVER:
            rows = rows_above_line(state, seat)
            points -= MARKED_ROW * max(rows - self.lost_rows, 0)
        return points
