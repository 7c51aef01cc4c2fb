"""Number Drop as a picture: one large sheet with its table, dice, a tray, and the others small."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from droptable.core.components import arrow, at
from droptable.core.language import _
from droptable.core.scene import Frame, Line, Path_, Scene
from droptable.core.svg import Svg, el, join
from droptable.games.number_drop import rules
from droptable.games.number_drop.picture.beats import beats
from droptable.games.number_drop.picture.dice_tray import fill, turning
from droptable.games.number_drop.picture.large_sheet import landing_square
from droptable.games.number_drop.picture.layout import Layout
from droptable.games.number_drop.picture.offered_combos import chips, circled_ghost
from droptable.games.number_drop.picture.score_lines import lines
from droptable.games.number_drop.picture.shape_blocks import tile
from droptable.games.number_drop.picture.solo_tracks import tile_x, tile_y
from droptable.games.number_drop.picture.table import draw, large_seat, layout_of
from droptable.games.number_drop.rules import grid
from droptable.games.number_drop.rules.shapes import COLUMNS, SHAPES
from droptable.games.number_drop.words.notation import (
    LETTERS,
    Cell,
    board,
    cells_of,
    digits_left,
    shown_die,
)
from droptable.games.number_drop.words.prompts import prompt


def path(view: Any, seat: int, action: int) -> Path_:
    if action < rules.NAME_ID:
        return (f"column-{action - rules.WRITE_ID + 1}",)
    if action < rules.DROP_ID:
        return (f"shape-{SHAPES[action - rules.NAME_ID]}",)
    if action < rules.NUMBER_ID:
        orientation, column = divmod(action - rules.DROP_ID, COLUMNS)
        return f"piece-{orientation}", f"column-{column + 1}"
    if action < rules.CELL_ID:
        number = action - rules.NUMBER_ID
        die = rules.die_for(view, seat, number)
        if view["dice"][die] == rules.STAR:
            return f"die-{die}", f"value-{number}"
        return (f"die-{die}",)
    if action < rules.DONE_ID:
        row, column = divmod(action - rules.CELL_ID, COLUMNS)
        return (f"cell-{column + 1}-{row + 1}",)
    if action < rules.SLIDE_ID:
        return ({rules.DONE_ID: "do-done", rules.SKIP_ID: "do-skip"}.get(action, "do-none"),)
    return (f"tile-{LETTERS[action - rules.SLIDE_ID]}",)


def ghost(view: Any, seat: int, action: int, frame: Frame) -> Svg | None:
    """What a move would do. Shapes to name and cells to choose need no ghost: one sees them."""
    if large_seat(seat, frame) != seat:
        return None
    drawn = _ghost(view, seat, action, layout_of(frame))
    return el("g", drawn, class_="ghost") if drawn else None


def _ghost(view: Any, seat: int, action: int, layout: Layout) -> Svg | None:
    if action < rules.NAME_ID:
        return _written((0, action - rules.WRITE_ID), seat + 2, layout)
    if rules.DROP_ID <= action < rules.NUMBER_ID:
        shape, place = int(view["shape"][seat]), action - rules.DROP_ID
        cells = cells_of(grid.landing(view, seat, shape, place))
        mark = grid.X if view["doing"][seat] == rules.BLOCK else 0
        return join(*(_written(cell, mark, layout) for cell in cells))
    if rules.NUMBER_ID <= action < rules.CELL_ID:
        (cell,) = cells_of(rules.next_to_number(view, seat))
        return _written(cell, action - rules.NUMBER_ID + 1, layout)
    if action == rules.DONE_ID:
        return circled_ghost(view, seat, cells_of(board(view, "chosen", seat)), layout)
    if action >= rules.SLIDE_ID:
        return _slid(view, action - rules.SLIDE_ID, layout)
    return None


def _written(cell: Cell, mark: int, layout: Layout) -> Svg:
    """A square that would be filled, and with what if that is known."""
    number = tile(mark, layout.cell * 0.86) if mark else None
    return at(*layout.at(cell), landing_square(layout), number)


def _slid(view: Any, letter: int, layout: Layout) -> Svg:
    """An arrow beside a tile, one notch long."""
    notches = int(view["notches"][letter])
    x = tile_x(letter, layout)
    return arrow(x, tile_y(notches, layout), x, tile_y(notches - 1, layout), head=6)


def switches(view: Any, seat: int) -> Mapping[str, Mapping[str, str]]:
    return turning(view, seat)


def refusal(view: Any, seat: int, touched: Sequence[str]) -> str:
    """Why a typed number, or a drag over numbers, means nothing."""
    if view["doing"][seat] == rules.NUMBER and not touched:
        left = " ".join(map(shown_die, digits_left(view, seat)))
        return _("No die that is left shows that number: {left}.").format(left=left)
    if view["doing"][seat] == rules.CIRCLE and len(touched) > 1:
        return _("These numbers are no combo that is still open.")
    return ""


def sheet(views: Iterable[Any], names: Sequence[str]) -> Sequence[Line]:
    *_before, last = views
    return lines(last)


SCENE = Scene(
    accent="blue",
    style=Path(__file__).with_name("style.css"),
    draw=draw,
    path=path,
    prompt=prompt,
    ghost=ghost,
    switches=switches,
    sheet=sheet,
    refusal=refusal,
    beats=beats,
    chips=chips,
    fill=fill,
    automatic=frozenset({"skip", "none", *(f"slide {letter}" for letter in LETTERS)}),
)
