"""The sheets of the others, small, beside the large one of Number Drop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from droptable.core.components import at, box, seat_symbol, shortened, text
from droptable.core.language import ngettext
from droptable.core.svg import Svg, el, join
from droptable.games.number_drop import rules
from droptable.games.number_drop.picture.layout import Layout
from droptable.games.number_drop.rules import grid
from droptable.games.number_drop.rules.grid import ROWS, SAFE_ROWS
from droptable.games.number_drop.rules.shapes import COLUMNS
from droptable.games.number_drop.words.notation import Cell, board, cells_of

Space = tuple[float, float, float, float]  # centre, width and height


def small_sheets(state: Any, seats: Sequence[int], names: Sequence[str], lit: Sequence[int],
                 layout: Layout) -> Svg:  # fmt: skip
    """Some seats' sheets side by side; a client may make one large by its `data-focus`."""
    places = layout.other_places(len(seats))
    return join(
        *(
            _small_sheet(state, seat, names[seat], seat in lit, place, layout)
            for seat, place in zip(seats, places, strict=True)
        )
    )


def _small_sheet(state: Any, seat: int, name: str, lit: bool, space: Space,
                 layout: Layout) -> Svg:  # fmt: skip
    x, y, wide, high = space
    points = rules.score(state, seat)
    write = _beside if layout.tall else _below
    return el(
        "g",
        box(wide - 4, high - 2, f"plate wash-{seat}" if lit else "plate", r=6),
        write(state, seat, name, points, wide - 4, high - 2, layout.small),
        id=f"small-{seat}",
        data_focus=str(seat),
        aria_label=ngettext("{name}, {points} point", "{name}, {points} points", points).format(
            name=name, points=points
        ),
        transform=f"translate({x:.2f} {y:.2f})",
    )


def _beside(state: Any, seat: int, name: str, points: int, wide: float, high: float,
            size: float) -> Svg:  # fmt: skip
    """A low place: symbol, points and name stand beside the grid."""
    dot = (high - 4) / ROWS
    left = COLUMNS * dot + 6 - wide / 2
    return join(
        at(2 - wide / 2, 2 - high / 2, _dots(state, seat, dot)),
        at(left + size * 0.5, -size * 0.7, seat_symbol(seat, size * 0.5)),
        text(points, left + size * 1.3, -size * 0.7, size=size, kind="bold left"),
        text(shortened(name, wide / 2 - left, size), left, size * 0.8, size=size, kind="left"),
    )


def _below(state: Any, seat: int, name: str, points: int, wide: float, high: float,
           size: float) -> Svg:  # fmt: skip
    """A higher place: the name stands below the grid, and so does the rest if it is narrow."""
    narrow = high > 2 * wide
    below, beside = (size * 2.5, 8.0) if narrow else (size * 1.4, size * 2.2)
    dot = min((high - below - 4) / ROWS, (wide - beside) / COLUMNS)
    left, top = 4 - wide / 2, 4 - high / 2
    line = top + ROWS * dot + size * 0.75
    if narrow:
        sign, sum_x, sum_y = (
            (left + size * 0.5, line + size * 1.1),
            left + size * 1.8,
            line + size * 1.1,
        )
    else:
        sign, sum_x, sum_y = (wide / 2 - size, top + size * 0.6), wide / 2 - size, top + size * 1.8
    return join(
        at(left, top, _dots(state, seat, dot)),
        at(*sign, seat_symbol(seat, size * 0.5)),
        text(points, sum_x, sum_y, size=size, kind="bold"),
        text(shortened(name, wide - 8, size), left, line, size=size, kind="left"),
    )


def _dots(state: Any, seat: int, dot: float) -> Svg:
    """A sheet whose numbers are too small to be read: dots, full squares if circled, and Xs."""
    circled = cells_of(board(state, "circled", seat))
    marked = cells_of(grid.marked(state, seat))
    crossed = [cell for cell in marked if grid.mark_at(state, seat, *cell) == grid.X]
    free = [cell for cell in marked if cell not in circled and cell not in crossed]
    width, line = COLUMNS * dot, (ROWS - SAFE_ROWS) * dot
    return join(
        el("rect", width=width, height=ROWS * dot, class_="card"),
        el("path", d="".join(_dot(cell, dot, 0.2) for cell in free), class_="dot"),
        el("path", d="".join(_dot(cell, dot, 0.03) for cell in circled), class_="dot-circled"),
        el("path", d="".join(_x(cell, dot) for cell in crossed), class_="dot-x",
           stroke_width=dot / 6),
        el("path", d=f"M0 {line:.2f}h{width:.2f}", class_="over-line"),
    )  # fmt: skip


def _dot(cell: Cell, dot: float, air: float) -> str:
    """A square with some air round it, by the size of a cell."""
    row, column = cell
    x, y, side = (column + air) * dot, (ROWS - 1 - row + air) * dot, (1 - 2 * air) * dot
    return f"M{x:.2f} {y:.2f}h{side:.2f}v{side:.2f}h{-side:.2f}z"


def _x(cell: Cell, dot: float) -> str:
    row, column = cell
    x, y, side = (column + 0.2) * dot, (ROWS - 0.8 - row) * dot, 0.6 * dot
    return f"M{x:.2f} {y:.2f}l{side:.2f} {side:.2f}m0 {-side:.2f}l{-side:.2f} {side:.2f}"
