"""Why a turn of Number Drop was worse than another, in a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from droptable.core.language import _, ngettext
from droptable.games.number_drop.rules import grid
from droptable.games.number_drop.rules.record import CIRCLE
from droptable.games.number_drop.rules.scoring import combo_points, score
from droptable.games.number_drop.rules.shapes import COLUMNS
from droptable.games.number_drop.words.notation import board, cells_of

Cell = tuple[int, int]  # (row, column)
ROWS = 14


def explain(before: Any, made: Any, best: Any, seat: int, names: Sequence[str]) -> str:
    name = names[seat]
    combo = int(combo_points(best, seat)) - int(combo_points(made, seat))
    if combo > 0:
        text = ngettext(
            "There was a combo to circle that is worth {count} point more.",
            "There was a combo to circle that is worth {count} points more.",
            combo,
        )
        return text.format(count=combo)
    if before["doing"][seat] == CIRCLE:
        return _("These numbers are worth more in a larger combo, later.")
    if grid.rows_above_line(made, seat) > grid.rows_above_line(best, seat):
        return _("It goes above the Game Over line.")
    gaps, fewer = (_gaps(after, seat) for after in (made, best))
    if gaps > fewer:
        text = ngettext(
            "It leaves {count} gap under the shape that the better drop does not.",
            "It leaves {count} gaps under the shape that the better drop does not.",
            gaps - fewer,
        )
        return text.format(count=gaps - fewer)
    points = int(score(best, seat)) - int(score(made, seat))
    if points > 0:
        return _("The better drop completes a row.")
    now, better = (_combos(after, seat) for after in (made, best))
    if better[1] > now[1]:
        text = _("The better numbers make a run of {better}, not {now}.")
        return text.format(better=better[1], now=now[1])
    if better[0] > now[0]:
        text = _("The better numbers bring {better} equal ones together, not {now}.")
        return text.format(better=better[0], now=now[0])
    high, lower = (_height(after, seat) for after in (made, best))
    if high > lower:
        return _("It builds {name}'s sheet higher than need be.").format(name=name)
    return ""


def _gaps(state: Any, seat: int) -> int:
    """Empty cells under a mark: no shape can reach them any more."""
    marked = set(cells_of(grid.marked(state, seat)))
    tops = {column: max((r for r, c in marked if c == column), default=-1) for _r, column in marked}
    return sum((row, column) not in marked for column, top in tops.items() for row in range(top))


def _height(state: Any, seat: int) -> int:
    return max((row for row, _column in cells_of(grid.marked(state, seat))), default=-1)


def _combos(state: Any, seat: int) -> tuple[int, int]:
    """The most equal numbers that lie together, and the longest run, of those not circled yet."""
    circled = set(cells_of(board(state, "circled", seat)))
    digits = {
        cell: mark - 1
        for cell in cells_of(grid.marked(state, seat))
        if cell not in circled and (mark := grid.mark_at(state, seat, *cell)) != grid.X
    }

    @cache
    def run_from(cell: Cell) -> int:
        ahead = [n for n in _beside(cell) if digits.get(n) == digits[cell] + 1]
        return 1 + max((run_from(n) for n in ahead), default=0)

    return max(_sets(digits), default=0), max(map(run_from, digits), default=0)


def _sets(digits: dict[Cell, int]) -> Iterator[int]:
    """The sizes of the groups of equal numbers."""
    left = set(digits)
    while left:
        group = [left.pop()]
        for cell in group:
            for other in _beside(cell):
                if other in left and digits[other] == digits[cell]:
                    left.remove(other)
                    group.append(other)
        yield len(group)


def _beside(cell: Cell) -> Iterator[Cell]:
    for row, column in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        place = cell[0] + row, cell[1] + column
        if 0 <= place[0] < ROWS and 0 <= place[1] < COLUMNS:
            yield place
