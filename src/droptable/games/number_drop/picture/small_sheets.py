"""Beside the large sheet of Number Drop: small ones of the others, or solo's sliding tiles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from droptable.core.components import at, box, seat_symbol, shortened, text, touch
from droptable.core.language import _
from droptable.core.svg import Svg, el, join
from droptable.games.number_drop import rules
from droptable.games.number_drop.picture.layout import Layout
from droptable.games.number_drop.picture.shape_blocks import blocks, printed
from droptable.games.number_drop.rules import grid
from droptable.games.number_drop.rules.grid import ROWS, SAFE_ROWS
from droptable.games.number_drop.rules.shapes import COLUMNS
from droptable.games.number_drop.words.notation import LETTERS, Cell, board, cells_of

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
        aria_label=_("{name}, {points} points").format(name=name, points=points),
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


# -- solo -----------------------------------------------------------------------------------------


def tracks(state: Any, acting: bool, layout: Layout) -> Svg:
    """The tiles of solo above their `GO!`: one notch down is one step of the track (ND16)."""
    sliding = acting and state["doing"][0] == rules.SLIDE
    return join(*(_track(state, letter, sliding, layout) for letter in range(rules.LETTERS)))


def _track(state: Any, letter: int, sliding: bool, layout: Layout) -> Svg:
    """The whole track can be touched: a tile may be small."""
    left, top, wide, high = layout.others
    lane = wide / rules.LETTERS
    x, y = left + (letter + 0.5) * lane, top + high / 2
    name = f"tile-{LETTERS[letter]}"
    rail = join(box(lane - 4, high - 2, "plate rim", r=6), _notches(letter, x, y, layout))
    if state["tiles"][letter] == rules.NO_SHAPE:
        return at(x, y, rail)
    tile = at(
        -lane * 0.18,
        tile_y(int(state["notches"][letter]), layout) - y,
        _tile(LETTERS[letter], int(state["tiles"][letter]), lane * 0.58, layout),
        key=name,
    )
    if sliding:
        return touch(name, _("Tile {letter}").format(letter=LETTERS[letter]), x, y, rail, tile)
    return at(x, y, rail, tile)


def _notches(letter: int, x: float, y: float, layout: Layout) -> Svg:
    """The marks at the right of a track, whose last one is `GO!`."""
    mark = layout.small * 0.35
    ticks = "".join(
        f"M{tile_x(letter, layout) - x - mark:.2f} {tile_y(notch, layout) - y:.2f}h{2 * mark:.2f}"
        for notch in range(1, rules.NOTCHES + 1)
    )
    size = layout.small
    go_x, go_y = tile_x(letter, layout) - x, tile_y(0, layout) - y
    if layout.tall:
        go_y += 5  # clear of the marks
    else:
        go_x, go_y = 0, go_y + tile_height(layout) / 2 + size * 0.8
    return join(el("path", d=ticks, class_="line"), text("GO!", go_x, go_y, size=size, kind="soft"))


def _tile(letter: str, shape: int, width: float, layout: Layout) -> Svg:
    """Letter and shape, beside or below each other."""
    high = tile_height(layout)
    unit = width * 0.15
    if layout.tall:
        parts = text(letter, -width * 0.33, size=layout.small, kind="bold"), (width * 0.15, 0.0)
    else:
        parts = text(letter, 0, -high * 0.2, size=layout.small, kind="bold"), (0.0, high * 0.25)
    return join(
        box(width, high, "card", r=5), parts[0], at(*parts[1], blocks(printed(shape), unit))
    )


def tile_height(layout: Layout) -> float:
    return 20 if layout.tall else 58


def tile_x(letter: int, layout: Layout) -> float:
    """The middle of the marks beside a tile."""
    left, _top, wide, _high = layout.others
    return left + (letter + 0.8) * wide / rules.LETTERS


def tile_y(notches: int, layout: Layout) -> float:
    """Where a tile is that has so many notches below it."""
    _left, top, _wide, high = layout.others
    room = 8 if layout.tall else 8 + layout.small * 1.5  # for the margins, and for GO! below
    way = high - tile_height(layout) - room
    return top + 4 + tile_height(layout) / 2 + way * (1 - notches / rules.NOTCHES)
