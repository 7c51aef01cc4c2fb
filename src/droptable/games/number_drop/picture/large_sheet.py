"""The large sheet of Number Drop: its grid with marks and circles, and the points of its rows."""

from __future__ import annotations

from typing import Any

from droptable.core.components import at, box, cross, plate, text, touch
from droptable.core.language import _
from droptable.core.svg import Svg, el, join
from droptable.games.number_drop import rules
from droptable.games.number_drop.picture.circled_combos import circles
from droptable.games.number_drop.picture.layout import Layout
from droptable.games.number_drop.rules import grid
from droptable.games.number_drop.rules.grid import ROWS, SAFE_ROWS
from droptable.games.number_drop.rules.shapes import COLUMNS
from droptable.games.number_drop.words.notation import Cell, board, cells_of


def large_sheet(state: Any, seat: int, name: str, acting: bool, layout: Layout, *, lit: bool,
                mine: bool) -> Svg:  # fmt: skip
    """A seat's sheet; what can be touched depends on what the seat is doing, if it is acting."""
    doing = int(state["doing"][seat]) if acting else rules.NOTHING
    x, y, width, height = layout.name
    points = str(rules.score(state, seat))
    size = 13 if layout.tall else 24
    title = plate(seat, name, width, height, size, active=lit, mine=mine, note=points)
    return join(
        at(x, y, title, key="name"),
        _paper(layout),
        *(_row_points(state, seat, row, layout) for row in range(ROWS)),
        _fresh(state, seat, layout),
        *(
            outline(cells, layout, key=f"circle-{cells[0][1] + 1}-{cells[0][0] + 1}")
            for cells in circles(state, seat)
        ),
        _chosen(state, seat, layout),
        *(_column(column, layout) for column in range(COLUMNS) if doing in _BY_COLUMNS),
        *(_mark(state, seat, cell, layout) for cell in cells_of(grid.marked(state, seat))),
        *(
            _number(state, seat, cell, layout)
            for cell in cells_of(grid.free(state, seat))
            if doing == rules.CIRCLE
        ),
    )


_BY_COLUMNS = (rules.WRITE, rules.DROP, rules.BLOCK)


# -- paper ----------------------------------------------------------------------------------------


def _paper(layout: Layout) -> Svg:
    """The printed grid, with the Game Over line."""
    c = layout.cell
    width, height = COLUMNS * c, ROWS * c
    line = layout.top + (ROWS - SAFE_ROWS) * c
    lines = "".join(
        f"M{layout.left + i * c:.1f} {layout.top}v{height}" for i in range(1, COLUMNS)
    ) + "".join(f"M{layout.left} {layout.top + i * c:.1f}h{width}" for i in range(1, ROWS))
    x, y = layout.left + width / 2, layout.top + height / 2
    return el(
        "g",
        box(width, height, "shadow", x=x, y=y + 2, r=c / 6),
        box(width, height, "card", x=x, y=y, r=c / 6),
        box(width, 3 * c, "danger", x=x, y=layout.top + 1.5 * c, r=c / 6),
        el("path", d=lines, class_="ruled"),
        el("path", d=f"M{layout.left} {line}h{width}", class_="over-line"),
        class_="still",
    )


def _row_points(state: Any, seat: int, row: int, layout: Layout) -> Svg:
    """+2 or -5 at a row's end, circled once it counts (ND13)."""
    _x, y = layout.at((row, 0))
    x = layout.left + COLUMNS * layout.cell + layout.small * 1.1
    if row < SAFE_ROWS:
        words, counts = "+2", grid.full_rows(state, seat) >> row & 1
    else:
        marked = any(here == row for here, _ in cells_of(grid.marked(state, seat)))
        words, counts = "−5", state["stage"] == rules.OVER and marked
    if not counts:
        return at(x, y, text(words, size=layout.small, kind="soft"))
    return at(
        x,
        y,
        box(layout.small * 2, layout.small * 1.6, "counted", r=layout.small * 0.8),
        text(words, size=layout.small, kind="bold"),
    )


# -- pencil ---------------------------------------------------------------------------------------


def _mark(state: Any, seat: int, cell: Cell, layout: Layout) -> Svg:
    mark = grid.mark_at(state, seat, *cell)
    row, column = cell
    key = f"mark-{column + 1}-{row + 1}"
    return at(*layout.at(cell), pencil(mark, layout), key=key, kind="still")


def pencil(mark: int, layout: Layout) -> Svg:
    """A number, or an X."""
    if mark == grid.X:
        return cross(layout.cell * 0.27, "pencil-x")
    return text(mark - 1, size=layout.cell * 0.62, kind="pencil")


def _fresh(state: Any, seat: int, layout: Layout) -> Svg:
    """The squares of what dropped this round, and which of them gets the next number."""
    fallen = cells_of(board(state, "fallen", seat))
    squares = [at(*layout.at(cell), square(layout, "fresh")) for cell in fallen]
    if state["doing"][seat] == rules.NUMBER:
        (cell,) = cells_of(rules.next_to_number(state, seat))
        size = layout.cell * 0.62
        squares.append(
            at(*layout.at(cell), square(layout, "next"), text("?", size=size, kind="bold"))
        )
    return el("g", *squares, class_="still")


def square(layout: Layout, kind: str) -> Svg:
    """A cell's square with a little air round it."""
    return box(layout.cell - 3, layout.cell - 3, kind, r=layout.cell / 7)


def _chosen(state: Any, seat: int, layout: Layout) -> Svg | None:
    circled = cells_of(board(state, "circled", seat))
    cells = [cell for cell in cells_of(board(state, "chosen", seat)) if cell not in circled]
    return outline(cells, layout, kind="choice") if cells else None


def outline(cells: list[Cell], layout: Layout, key: str | None = None,
            kind: str = "circle") -> Svg:  # fmt: skip
    """A pencilled line round cells: a broad stroke through them, and a lighter one inside it."""
    c = layout.cell
    parts = []
    for row, column in cells:
        x, y = layout.at((row, column))
        right, up = (row, column + 1) in cells, (row + 1, column) in cells
        parts.append(f"M{x:.1f} {y:.1f}h.01")
        if right:
            parts.append(f"M{x:.1f} {y:.1f}h{c}")
        if up:
            parts.append(f"M{x:.1f} {y:.1f}v-{c}")
        if right and up and (row + 1, column + 1) in cells:
            parts.append(f"M{x:.1f} {y:.1f}h{c}v-{c}h-{c}z")
    way = "".join(parts)
    return el(
        "g",
        el("path", d=way, class_=f"{kind}-rim", stroke_width=c * 0.84),
        el("path", d=way, class_=f"{kind}-inside", stroke_width=c * 0.84 - 4),
        id=key,
        class_="still",
    )


# -- what is touched ------------------------------------------------------------------------------


def _column(column: int, layout: Layout) -> Svg:
    """A column as one strip."""
    height = ROWS * layout.cell
    return touch(
        f"column-{column + 1}",
        _("Column {column}").format(column=column + 1),
        layout.at((0, column))[0],
        layout.top + height / 2,
        box(layout.cell - 2, height, "zone", r=layout.cell / 6),
        key=f"column-{column + 1}",
    )


def _number(state: Any, seat: int, cell: Cell, layout: Layout) -> Svg:
    """A number that may become part of a combo."""
    row, column = cell
    name = f"cell-{column + 1}-{row + 1}"
    label = _("{number} in column {column}, row {row}").format(
        number=grid.mark_at(state, seat, row, column) - 1, column=column + 1, row=row + 1
    )
    return touch(
        name,
        label,
        *layout.at(cell),
        box(layout.cell - 2, layout.cell - 2, "zone rim", r=layout.cell / 6),
        key=name,
    )
