"""The final score of Number Drop, line by line, and in solo its rank."""

from __future__ import annotations

from typing import Any

from droptable.core.bits import count_bits
from droptable.core.language import _
from droptable.core.scene import Line
from droptable.games.number_drop import rules
from droptable.games.number_drop.rules import combos, grid, scoring
from droptable.games.number_drop.words import solo_rank


def lines(view: Any) -> list[Line]:
    """All that adds up to the score (ND15), by seats; in solo the rank follows (ND18)."""
    seats = range(view["players"])
    circled = [[int(bits) for bits in view["combos"][seat]] for seat in seats]
    over = view["stage"] == rules.OVER
    rows = [
        Line(_("Full rows, +2 each"), "ND13",
             tuple(scoring.FULL_ROW * count_bits(grid.full_rows(view, seat)) for seat in seats)),
        Line(_("Rows above the line, −5 each"), "ND13",
             tuple(scoring.MARKED_ROW * grid.rows_above_line(view, seat) if over else 0
                   for seat in seats)),
        Line(_("Identical combos"), "ND15",
             tuple(scoring.value_points(kinds[0]) for kinds in circled)),
        Line(_("Consecutive combos"), "ND15",
             tuple(scoring.value_points(kinds[1]) for kinds in circled)),
        Line(_("All identical combos"), "ND15",
             tuple(scoring.column_points(kinds[0]) for kinds in circled)),
        Line(_("All consecutive combos"), "ND15",
             tuple(scoring.column_points(kinds[1]) for kinds in circled)),
        Line(_("Bonus for a combo of 8"), "ND11",
             tuple(combos.BONUS * int(view["bonus"][seat]) for seat in seats)),
        Line(_("Total"), "ND15", tuple(rules.score(view, seat) for seat in seats), total=True),
    ]  # fmt: skip
    if view["players"] == 1:
        rank = solo_rank(rules.score(view, 0))
        rows.append(Line(_("Rank among the printed scores"), "ND18", (rank,)))
    return rows
