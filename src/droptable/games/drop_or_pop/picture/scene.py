"""Drop or Pop! as a picture: four columns with holes, a colour die, and everybody's counters.

Columns and seats have the same four colours, which mean nothing to each other. A column therefore
has a sign besides its colour (flame, drop, sun, leaf), a seat has its symbol.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from droptable.core.bits import members
from droptable.core.components import arrow, at, counter, cross
from droptable.core.language import _
from droptable.core.scene import Frame, Line, Path_, Picture, Scene
from droptable.core.svg import Svg, join
from droptable.games.drop_or_pop import rules
from droptable.games.drop_or_pop.picture.layout import Layout
from droptable.games.drop_or_pop.picture.pieces import (
    column_picture,
    counters,
    die_picture,
    filled_rows,
    seat_picture,
    touches,
)
from droptable.games.drop_or_pop.words import COLOURS, verdict

PATHS = {rules.DROP: "drop", rules.POP: "pop", rules.IGNORE: "do-ignore", rules.PASS: "do-pass"}


def draw(view: Any, viewer: int, frame: Frame) -> Picture:
    layout = Layout(rules.rows(view), frame.tall)
    body = join(
        *(column_picture(view, layout, column) for column in range(rules.COLUMNS)),
        die_picture(view, layout),
        *touches(view, layout),
        *counters(view, layout),
        *(seat_picture(view, layout, seat, viewer, frame) for seat in range(view["players"])),
    )
    title = _("Drop or Pop!, turn {turn} of at most {limit}").format(
        turn=int(view["turn"]) + (not view["won"]), limit=int(view["turn_limit"])
    )
    return Picture(360 if frame.tall else 1000, round(layout.height), body, title)


def path(view: Any, seat: int, action: int) -> Path_:
    return (PATHS[action],)


def ghost(view: Any, seat: int, action: int, frame: Frame) -> Svg | None:
    layout, column = Layout(rules.rows(view), frame.tall), int(view["column"])
    filled = filled_rows(view, column)
    x = layout.x(column)
    if action == rules.DROP:
        here = at(x, layout.y(filled), counter(seat, layout.radius))
        start, end = layout.y(layout.rows) + layout.radius + 4, layout.y(filled) - layout.radius
        return join(here, arrow(x, start, x, end - 4) if end - start > layout.cell / 2 else None)
    if action == rules.POP:
        gone = at(x, layout.y(0), cross(layout.radius * 0.7))
        falls = [arrow(x, layout.y(row), x, layout.y(row - 0.7)) for row in range(1, filled)]
        return join(gone, *falls)
    return None


def prompt(view: Any, viewer: int, names: Sequence[str]) -> str:
    if view["won"]:
        return verdict(view, names)
    seat, column = int(view["seat"]), int(view["column"])
    if column == rules.NO_COLUMN:
        if seat == viewer:
            return _("Your colour is being rolled.")
        return _("A colour is being rolled for {name}.").format(name=names[seat])
    if seat != viewer:
        sentence = _("{name} may drop or pop in the {column} column.")
        return sentence.format(name=names[seat], column=_(COLOURS[column]))
    return " ".join(_choices(view, viewer)).format(column=_(COLOURS[column]))


def sheet(views: Iterable[Any], names: Sequence[str]) -> Sequence[Line]:
    last = list(views)[-1]
    sizes = tuple(rules.group_size(int(cells)) for cells in last["counters"][: len(names)])
    won = members(int(last["won"]))
    epic = tuple(
        _("epic") if seat in won and size >= rules.EPIC else "" for seat, size in enumerate(sizes)
    )
    lines = [Line(_("Largest group"), "OP6", sizes, total=True)]
    if any(epic):
        lines.append(Line(_("Five or more"), "OP7", epic))
    return lines


def _choices(view: Any, seat: int) -> Iterable[str]:
    drop, pop = rules.can_drop(view, seat), rules.can_pop(view)
    if drop and pop:
        yield _("Drop a counter into the {column} column, or pop its lowest one.")
    elif drop:
        yield _("Drop a counter into the {column} column.")
    elif pop:
        yield _("Pop the lowest counter out of the {column} column.")
    else:
        yield _("You can neither drop nor pop in the {column} column.")
    if not view["ignored"]:
        yield _("Or ignore this colour for another one.")
    elif not drop and not pop:
        yield _("You have to pass.")


SCENE = Scene(
    accent="red",
    style=Path(__file__).with_name("style.css"),
    draw=draw,
    path=path,
    prompt=prompt,
    ghost=ghost,
    sheet=sheet,
)
