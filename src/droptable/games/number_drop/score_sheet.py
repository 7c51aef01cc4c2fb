"""The final score of Number Drop, line by line, and in solo its rank."""

from __future__ import annotations

from typing import Any

from droptable.core.bits import count_bits, members
from droptable.core.language import _
from droptable.core.scene import Line
from droptable.games.number_drop import combos, grid, rules
from droptable.games.number_drop.words import solo_rank

ALL = 0b11111


def lines(view: Any) -> list[Line]:
    """All that adds up to the score (ND15), by seats; in solo the rank follows (ND18)."""
    seats = range(view["players"])
    circled = [[int(bits) for bits in view["combos"][seat]] for seat in seats]
    over = view["stage"] == rules.OVER
    found = [
        Line(_("Full rows, +2 each"), "ND13",
             tuple(2 * count_bits(grid.full_rows(view, seat)) for seat in seats)),
        Line(_("Rows above the line, −5 each"), "ND13",
             tuple(-5 * grid.rows_above_line(view, seat) if over else 0 for seat in seats)),
        Line(_("Identical combos"), "ND15", tuple(_values(kinds[0]) for kinds in circled)),
        Line(_("Consecutive combos"), "ND15", tuple(_values(kinds[1]) for kinds in circled)),
        Line(_("All identical combos"), "ND15", tuple(_whole(kinds[0]) for kinds in circled)),
        Line(_("All consecutive combos"), "ND15", tuple(_whole(kinds[1]) for kinds in circled)),
        Line(_("Bonus for a combo of 8"), "ND11",
             tuple(combos.BONUS * int(view["bonus"][seat]) for seat in seats)),
        Line(_("Total"), "ND15", tuple(rules.score(view, seat) for seat in seats), total=True),
    ]  # fmt: skip
    if view["players"] == 1:
        rank = solo_rank(rules.score(view, 0))
        found.append(Line(_("Rank among the printed scores"), "ND18", (rank,)))
    return found


def _values(bits: int) -> int:
    return sum(value + combos.SMALLEST for value in members(bits))


def _whole(bits: int) -> int:
    """What a complete column earns."""
    return 10 if bits == ALL else 0
