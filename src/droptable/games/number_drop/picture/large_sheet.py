"""The large sheet of Number Drop: its grid with marks and circles, and the points of its rows."""

from __future__ import annotations

from typing import Any

from droptable.core.components import (
    at,
    box,
    motion,
    seat_sign,
    shortened,
    text,
    touch,
)
from droptable.core.language import _
from droptable.core.scene import Frame
from droptable.core.svg import Svg, el, join
from droptable.games.number_drop import rules
from droptable.games.number_drop.picture.circled_combos import circles
from droptable.games.number_drop.picture.layout import Layout
from droptable.games.number_drop.picture.moment import Moment
from droptable.games.number_drop.picture.outlines import outline
from droptable.games.number_drop.picture.shape_blocks import digit, tile
from droptable.games.number_drop.rules import grid
from droptable.games.number_drop.rules.grid import ROWS, SAFE_ROWS
from droptable.games.number_drop.rules.shapes import COLUMNS
from droptable.games.number_drop.words.notation import (
    COLUMN_LETTERS,
    Cell,
    board,
    cells_of,
    place_of,
)

_BY_COLUMNS = (rules.WRITE, rules.DROP, rules.BLOCK)


def large_sheet(state: Any, seat: int, acting: bool, frame: Frame, moment: Moment,
                layout: Layout, *, mine: bool) -> Svg:  # fmt: skip
    """A seat's sheet; what can be touched depends on what the seat is doing, if it is acting."""
    doing = int(state["doing"][seat]) if acting else rules.NOTHING
    return join(
        _name(state, seat, frame, moment, layout, mine=mine),
        _paper(layout),
        *(_row_points(state, seat, row, moment, layout) for row in range(ROWS)),
        *(_column(column, doing, layout) for column in range(COLUMNS) if doing in _BY_COLUMNS),
        *(
            outline(cells, layout, f"circle-{seat}-{place_of(cells[0])}",
                    motion=motion(enter="stroke", time=0.5))
            for cells in circles(state, seat)
        ),
        _chosen(state, seat, layout),
        *(_mark(state, seat, cell, layout) for cell in cells_of(grid.marked(state, seat))),
        _squares(state, seat, doing, layout),
        *(
            _number(state, seat, cell, layout)
            for cell in cells_of(grid.free(state, seat))
            if doing == rules.CIRCLE
        ),
        _gain(moment, seat, layout),
    )  # fmt: skip


def _name(state: Any, seat: int, frame: Frame, moment: Moment, layout: Layout, *,
          mine: bool) -> Svg:  # fmt: skip
    """Whose sheet it is, with the points: the display of the machine."""
    x, y, wide, high = layout.name
    size = 13 if layout.tall else 24
    points = moment.score(state, seat)
    kind = "nd-plate"
    if seat in moment.lit:
        kind += f" nd-lit-{seat}"
    if mine:
        kind += " nd-mine"
    if seat in moment.won:
        kind += " won"
    room = wide - size * 2.1 - size * (1.6 + 0.62 * len(str(points)))
    own = _("{name} (you)").format(name=frame.names[seat])
    name = frame.names[seat]
    name = own if mine and own == shortened(own, room, size) else shortened(name, room, size)
    left, right = x - wide / 2, x + wide / 2
    r = size * 0.34
    check = f"M{-r:.1f} 0l{r * 0.7:.1f} {r * 0.7:.1f}L{r:.1f} {-r * 0.8:.1f}"
    return join(
        box(wide, high, kind, x=x, y=y, r=size * 0.4),
        at(left + size, y, seat_sign(seat, size * 0.5, frame.face(seat))),
        text(name, left + size * 1.8, y, size=size,
             kind="left bold" if seat in moment.lit else "left"),
        at(room + left + size * 2.2, y, el("path", d=check, class_="nd-check"))
        if seat in moment.done else None,
        at(right - size * 0.5, y, text(points, size=size * 1.15, kind="right bold"),
           key=f"points-{seat}", motion=motion(face=points, turn="count")),
    )  # fmt: skip


# -- paper ----------------------------------------------------------------------------------------


def _paper(layout: Layout) -> Svg:
    """The printed grid with its coordinates and the Game Over line."""
    c = layout.cell
    width, height = COLUMNS * c, ROWS * c
    line = layout.top + (ROWS - SAFE_ROWS) * c
    lines = "".join(
        f"M{layout.left + i * c:.1f} {layout.top}v{height}" for i in range(1, COLUMNS)
    ) + "".join(f"M{layout.left} {layout.top + i * c:.1f}h{width}" for i in range(1, ROWS))
    x, y = layout.left + width / 2, layout.top + height / 2
    rim = 3 if layout.tall else 5
    return el(
        "g",
        box(width + 2 * rim, height + 2 * rim, "nd-cabinet", x=x, y=y, r=c / 4),
        box(width, height, "nd-screen", x=x, y=y, r=2),
        box(width, 3 * c, "nd-danger", x=x, y=layout.top + 1.5 * c, r=2),
        el("path", d=lines, class_="nd-lines"),
        el("path", d=f"M{layout.left - rim} {line}h{width + 2 * rim}", class_="nd-over"),
        *(
            text(row + 1, layout.left - rim - layout.small * 0.75, layout.at((row, 0))[1],
                 size=layout.small, kind="soft")
            for row in range(ROWS)
        ),
        *(
            text(letter, layout.at((0, column))[0], layout.floor + rim + layout.small * 0.55,
                 size=layout.small, kind="soft")
            for column, letter in enumerate(COLUMN_LETTERS)
        ),
        class_="still",
    )  # fmt: skip


def _row_points(state: Any, seat: int, row: int, moment: Moment, layout: Layout) -> Svg:
    """+2 or -5 at a row's end, lit once it counts (ND13)."""
    _x, y = layout.at((row, 0))
    size = layout.small
    x = layout.right + size * (1.15 if layout.tall else 1.2)
    if row < SAFE_ROWS:
        words, counts, kind = "+2", bool(grid.full_rows(state, seat) >> row & 1), "nd-counted"
    else:
        marked = any(here == row for here, _ in cells_of(grid.marked(state, seat)))
        counted = row < SAFE_ROWS + moment.lost_rows
        words, counts = "−5", bool(state["stage"] == rules.OVER and marked and counted)
        kind = "nd-lost"
    return at(
        x,
        y,
        box(size * 1.85, layout.cell * 0.72, kind, r=layout.cell * 0.3) if counts else None,
        text(words, size=size, kind=f"bold {kind}-text" if counts else "soft"),
        key=f"row-{seat}-{row + 1}",
        motion=motion(face=f"{words} {counts}", turn="pulse", wait=0.08 * (row % SAFE_ROWS)),
    )


# -- marks ----------------------------------------------------------------------------------------


def _mark(state: Any, seat: int, cell: Cell, layout: Layout) -> Svg:
    """A number or an X on its square; the line round a combo takes the squares' place."""
    mark = grid.mark_at(state, seat, *cell)
    ringed = cell in cells_of(board(state, "circled", seat)) or cell in cells_of(
        board(state, "chosen", seat)
    )
    fresh = not ringed and cell in cells_of(board(state, "fallen", seat))
    enter = "slam" if mark == grid.X else "grow"
    return at(
        *layout.at(cell),
        digit(mark, layout.cell, "nd-inside") if ringed else tile(mark, layout.cell),
        box(layout.cell - 3, layout.cell - 3, "nd-new", r=layout.cell * 0.15) if fresh else None,
        key=f"mark-{seat}-{place_of(cell)}",
        kind="still",
        motion=motion(enter=enter, time=0.35 if mark == grid.X else 0.2),
    )


def _squares(state: Any, seat: int, doing: int, layout: Layout) -> Svg | None:
    """The squares of a dropped shape that wait for their numbers, in the rules' order (ND7).

    They fall together, from the grid's upper edge.
    """
    squares = open_squares(state, seat)
    if state["doing"][seat] != rules.NUMBER or not squares:
        return None
    drawn = []
    for number, cell in squares:
        name, place = f"square-{number}", layout.at(cell)
        inside = box(layout.cell - 2, layout.cell - 2, "nd-open rim", r=layout.cell * 0.16)
        if doing == rules.NUMBER:
            ask = text("?", size=layout.cell * 0.7, kind="nd-ask")
            label = _("Square {place}").format(place=place_of(cell))
            drawn.append(touch(name, label, *place, inside, ask))
        else:
            drawn.append(at(*place, inside))
    middle = sum(layout.at(cell)[0] for _number, cell in squares) / len(squares)
    sky = at(middle, layout.top + layout.cell, box(1, 1, "zone"), key=f"sky-{seat}",
             motion=motion(leave="none"))  # fmt: skip
    fall = motion(enter="fly", from_=f"sky-{seat}", way="fall", leave="none", time=0.45)
    return join(sky, at(0, 0, *drawn, key=f"drop-{seat}", motion=fall))


def open_squares(state: Any, seat: int) -> list[tuple[int, Cell]]:
    """The squares of this round's shape without a number: which of the four, and where."""
    marked = cells_of(grid.marked(state, seat))
    fallen = [
        cell
        for cell in cells_of(board(state, "fallen", seat))
        if grid.mark_at(state, seat, *cell) != grid.X
    ]
    return [(i, cell) for i, cell in enumerate(fallen) if cell not in marked]


def landing_square(layout: Layout) -> Svg:
    """Where a square of a shape would land."""
    return box(layout.cell - 3, layout.cell - 3, "nd-landing", r=layout.cell / 7)


def _chosen(state: Any, seat: int, layout: Layout) -> Svg | None:
    """The cells that are chosen for a combo which is not circled yet."""
    circled = cells_of(board(state, "circled", seat))
    cells = [cell for cell in cells_of(board(state, "chosen", seat)) if cell not in circled]
    return outline(cells, layout, "choice", kind="nd-choice") if cells else None


def _gain(moment: Moment, seat: int, layout: Layout) -> Svg | None:
    """Points that have just been won, over their combo; they fly to the table."""
    gain = moment.gain
    if gain is None or gain.seat != seat:
        return None
    places = [layout.at(cell) for cell in gain.cells]
    x = sum(x for x, _y in places) / len(places)
    y = sum(y for _x, y in places) / len(places)
    return at(x, y, gain_sign(gain.points, layout.small * 1.5), key="gain",
              motion=motion(enter="grow", leave="fly", to=f"points-{seat}", wait=0.25))  # fmt: skip


def gain_sign(points: int, size: float) -> Svg:
    """`+3` on a bright ground."""
    words = f"+{points}"
    wide = size * (0.9 + 0.6 * len(words))
    return join(
        box(wide, size * 1.5, "nd-counted", r=size * 0.75),
        text(words, size=size, kind="bold nd-counted-text"),
    )


# -- what is touched ------------------------------------------------------------------------------


def _column(column: int, doing: int, layout: Layout) -> Svg:
    """A column as one strip. A shape is aimed: the drop is meant that is nearest to the pointer."""
    height = ROWS * layout.cell
    letter = COLUMN_LETTERS[column]
    return touch(
        f"column-{column + 1}",
        _("Column {column}").format(column=letter),
        layout.at((0, column))[0],
        layout.top + height / 2,
        box(layout.cell - 2, height, "zone nd-strip", r=layout.cell / 6),
        key=f"column-{column + 1}",
        keys=str(column + 1),
        aim=None if doing == rules.WRITE else "x",
        motion=motion(enter="fade", leave="none"),
    )


def _number(state: Any, seat: int, cell: Cell, layout: Layout) -> Svg:
    """A number that may become part of a combo."""
    row, column = cell
    name = f"cell-{column + 1}-{row + 1}"
    label = _("{number} on {place}").format(
        number=grid.mark_at(state, seat, row, column) - 1, place=place_of(cell)
    )
    return touch(
        name,
        label,
        *layout.at(cell),
        box(layout.cell - 2, layout.cell - 2, "zone rim", r=layout.cell / 6),
        key=name,
        motion=motion(enter="fade", leave="none"),
    )
