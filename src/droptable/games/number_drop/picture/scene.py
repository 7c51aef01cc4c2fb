"""Number Drop as a picture: one large sheet with its table, dice, a tray, and the others small."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from droptable.core.bits import members
from droptable.core.components import arrow, at
from droptable.core.contract import DEALER_ACTS, NOBODY
from droptable.core.language import ngettext
from droptable.core.scene import Frame, Line, Path_, Picture, Scene
from droptable.core.svg import Svg, el, join
from droptable.games.number_drop import rules
from droptable.games.number_drop.picture.combo_table import combo_table, entry_place
from droptable.games.number_drop.picture.dice_tray import WILD, dice, tray, turning
from droptable.games.number_drop.picture.large_sheet import large_sheet, outline, pencil, square
from droptable.games.number_drop.picture.layout import TALL, WIDE, Layout
from droptable.games.number_drop.picture.score_lines import lines
from droptable.games.number_drop.picture.small_sheets import small_sheets
from droptable.games.number_drop.picture.solo_tracks import tile_x, tile_y, tracks
from droptable.games.number_drop.rules import combos, grid
from droptable.games.number_drop.rules.shapes import COLUMNS, SHAPES
from droptable.games.number_drop.words.notation import LETTERS, Cell, board, cells_of
from droptable.games.number_drop.words.prompts import prompt


def draw(view: Any, viewer: int, frame: Frame) -> Picture:
    layout = _layout(frame)
    large = _large(viewer, frame)
    acting = large == viewer and bool(rules.to_act(view) >> viewer & 1)
    others = [seat for seat in range(view["players"]) if seat != large]
    lit = _lit(view, viewer, frame.open)
    body = join(
        large_sheet(
            view, large, frame.names[large], acting, layout, lit=large in lit, mine=large == viewer
        ),
        combo_table(view, large, layout),
        dice(view, large, acting, layout),
        tray(view, large, layout) if acting else None,
        small_sheets(view, others, frame.names, lit, layout)
        if others
        else tracks(view, acting, layout),
    )
    points = rules.score(view, large)
    title = ngettext(
        "{name}'s sheet of Number Drop, {points} point",
        "{name}'s sheet of Number Drop, {points} points",
        points,
    )
    title = title.format(name=frame.names[large], points=points)
    return Picture(layout.width, layout.height, body, title)


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
        if view["dice"][rules.die_for(view, seat, number)] == rules.STAR:
            return WILD, f"value-{number}"
        return (f"die-{number}",)
    if action < rules.DONE_ID:
        row, column = divmod(action - rules.CELL_ID, COLUMNS)
        return (f"cell-{column + 1}-{row + 1}",)
    if action < rules.SLIDE_ID:
        return ({rules.DONE_ID: "do-done", rules.SKIP_ID: "do-skip"}.get(action, "do-none"),)
    return (f"tile-{LETTERS[action - rules.SLIDE_ID]}",)


def ghost(view: Any, seat: int, action: int, frame: Frame) -> Svg | None:
    """Drops, slides and circles. Numbers and cells need none: one sees where they are."""
    if _large(seat, frame) != seat:
        return None
    layout = _layout(frame)
    drawn = _ghost(view, seat, action, layout)
    return el("g", drawn, class_="ghost") if drawn else None


def _ghost(view: Any, seat: int, action: int, layout: Layout) -> Svg | None:
    if action < rules.NAME_ID:
        return _written((0, action - rules.WRITE_ID), seat + 2, layout)
    if rules.DROP_ID <= action < rules.NUMBER_ID:
        shape, place = int(view["shape"][seat]), action - rules.DROP_ID
        cells = cells_of(grid.landing(view, seat, shape, place))
        mark = grid.X if view["doing"][seat] == rules.BLOCK else 0
        return join(*(_written(cell, mark, layout) for cell in cells))
    if action == rules.DONE_ID:
        return _circled(view, seat, layout)
    if action >= rules.SLIDE_ID:
        return _slid(view, action - rules.SLIDE_ID, layout)
    return None


def _written(cell: Cell, mark: int, layout: Layout) -> Svg:
    """A square that would be filled, and with what if that is known."""
    number = pencil(mark, layout) if mark else None
    return at(*layout.at(cell), square(layout, "landing"), number)


def _circled(view: Any, seat: int, layout: Layout) -> Svg:
    """The chosen combo circled, on the sheet and in its table."""
    cells = cells_of(board(view, "chosen", seat))
    place = entry_place(combos.kind_of_chosen(view, seat), len(cells), layout)
    ring = el("circle", r=layout.table_row * 0.42, class_="arrow")
    marks = [
        at(*layout.at(cell), pencil(grid.mark_at(view, seat, *cell), layout)) for cell in cells
    ]
    return join(outline(cells, layout), *marks, at(*place, ring))


def _slid(view: Any, letter: int, layout: Layout) -> Svg:
    """An arrow beside a tile, one notch long."""
    notches = int(view["notches"][letter])
    x = tile_x(letter, layout)
    return arrow(x, tile_y(notches, layout), x, tile_y(notches - 1, layout), head=6)


def switches(view: Any, seat: int) -> Mapping[str, Mapping[str, str]]:
    return turning(view, seat)


def sheet(views: Iterable[Any], names: Sequence[str]) -> Sequence[Line]:
    *_before, last = views
    return lines(last)


def _layout(frame: Frame) -> Layout:
    return TALL if frame.tall else WIDE


def _large(viewer: int, frame: Frame) -> int:
    """Whose sheet is drawn large: the one asked for, else the viewer's, else the first."""
    if frame.focus is not None:
        return frame.focus
    return 0 if viewer == NOBODY else viewer


def _lit(view: Any, viewer: int, everything: bool) -> tuple[int, ...]:
    """Whose name is lit: who rolls or plays, as far as that is known; nobody's alone."""
    actors = rules.to_act(view)
    if view["players"] == 1:
        return ()
    if actors == DEALER_ACTS:
        return (rules.active_seat(view),) if view["stage"] == rules.ROLLING else ()
    if rules.is_secret(view) and not everything:  # who is done is not known of others
        return (viewer,) if viewer != NOBODY and actors >> viewer & 1 else ()
    return members(actors)


SCENE = Scene(
    accent="blue",
    style=Path(__file__).with_name("style.css"),
    draw=draw,
    path=path,
    prompt=prompt,
    ghost=ghost,
    switches=switches,
    sheet=sheet,
)
