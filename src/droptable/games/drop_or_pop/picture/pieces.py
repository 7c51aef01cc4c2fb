"""The things in pictures of Drop or Pop!: columns with their signs, the die, counters, plates."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from droptable.core import components
from droptable.core.bits import count_bits, members
from droptable.core.components import at, box, counter, plate, text, touch
from droptable.core.language import _
from droptable.core.scene import Frame
from droptable.core.svg import Svg, el, join
from droptable.games.drop_or_pop import rules
from droptable.games.drop_or_pop.picture.layout import Layout
from droptable.games.drop_or_pop.words import COLOURS

FLAME = (
    "M.1 -1.3C.3 -.7 1 -.3 .95 .4C.9 .95 .5 1.2 0 1.2C-.5 1.2 -.9 .95 -.95 .4"
    "C-.95 0 -.65 -.2 -.6 -.6C-.3 -.5 -.2 -.2 -.15 0C.1 -.4 .2 -.8 .1 -1.3Z"
)
LEAF = "M-.9 1.1L-.65 .75C-1.3 -.4 -.2 -1.1 1 -1C1.1 .3 .4 1.2 -.5 .8L-.75 1.2Z"


def column_picture(view: Any, layout: Layout, column: int) -> Svg:
    """A coloured column with its holes, its sign between them, and its name at the foot."""
    height = layout.rows * layout.cell
    chosen = column == view["column"]
    middle = height / 2 + layout.foot / 2
    sides = layout.column / 2 - layout.cell * 0.11
    signs = [
        at(side, row * layout.cell, sign(column, layout.cell * 0.085))
        for row in range(1, layout.rows)
        for side in (-sides, sides)
    ]
    holes = [
        el("circle", cy=(row + 0.5) * layout.cell, r=layout.radius + 2, class_="hole")
        for row in range(layout.rows)
    ]
    return at(
        layout.x(column),
        layout.top,
        box(
            layout.column,
            height + layout.foot,
            f"wash-{column} {'chosen' if chosen else 'frame'}",
            y=middle,
            r=layout.cell * 0.2,
        ),
        *signs,
        *holes,
        text(
            _(COLOURS[column]),
            0,
            height + layout.foot / 2,
            size=layout.size,
            kind="bold" if chosen else None,
        ),
        key=f"column-{column}",
    )


@lru_cache
def sign(column: int, r: float) -> Svg:
    """What stands for a column beside its colour: flame, drop, sun, leaf."""
    kind = f"seat-{column}"
    if column == 1:
        return components.drop(r, kind)
    if column == 2:
        return components.sun(r, kind)
    return components.shape(FLAME if column == 0 else LEAF, r, kind)


def die_picture(view: Any, layout: Layout) -> Svg:
    """The colour die: what it shows, or all four signs until it has fallen."""
    side = 76 if layout.tall else 150
    x, y = (302, 60) if layout.tall else (160, 140)
    column = int(view["column"])
    if column == rules.NO_COLUMN:
        faces = join(
            *(
                at((i % 2 - 0.5) * side / 2.2, (i // 2 - 0.5) * side / 2.2, sign(i, side * 0.13))
                for i in range(rules.COLUMNS)
            )
        )
    else:
        faces = sign(column, side * 0.28)
    tone = "card" if column == rules.NO_COLUMN else f"wash-{column} frame"
    second = text(_("second colour"), 0, side / 2 + layout.size, size=layout.size, kind="soft")
    return at(
        x,
        y,
        box(side, side, "shadow", y=3, r=side * 0.2),
        box(side, side, tone, r=side * 0.2),
        faces,
        second if view["ignored"] else None,
        key="die",
    )


def touches(view: Any, layout: Layout) -> Iterable[Svg]:
    """What is touched to drop, from above down to where the counter lands, and to pop."""
    column = int(view["column"])
    if column == rules.NO_COLUMN or view["won"]:
        return
    x, name = layout.x(column), _(COLOURS[column])
    width = layout.column - 4
    filled = filled_rows(view, column)
    if rules.can_drop(view, int(view["seat"])):
        top, end = layout.y(layout.rows) - layout.cell / 2, layout.y(filled) + layout.cell / 2
        label = _("Drop a counter into the {column} column").format(column=name)
        zone = box(width, end - top - 2, "zone rim", r=layout.cell * 0.3)
        yield touch("drop", label, x, (top + end) / 2, zone, key="drop")
    if filled:
        label = _("Pop the lowest counter out of the {column} column").format(column=name)
        zone = box(width, layout.cell - 2, "zone rim", r=layout.cell * 0.3)
        yield touch("pop", label, x, layout.y(0), zone, key="pop")


def counters(view: Any, layout: Layout) -> Iterable[Svg]:
    """The counters in the columns, and the one that hovers over the column of this turn.

    They are numbered by seat and column from the bottom up, so that the one that hovers already has
    the number with which it will land.
    """
    seat, column = int(view["seat"]), int(view["column"])
    lit = _winning_cells(view)
    for owner in range(view["players"]):
        cells = int(view["counters"][owner])
        for where in range(rules.COLUMNS):
            mine = members(cells >> (8 * where) & 0xFF)
            places = [(layout.y(row), bool(lit >> (8 * where + row) & 1)) for row in mine]
            hovers = owner == seat and where == column and not view["won"]
            if hovers and rules.can_drop(view, seat):
                places.append((layout.y(layout.rows), False))
            for number, (y, won) in enumerate(places):
                yield at(
                    layout.x(where),
                    y,
                    counter(owner, layout.radius, "won" if won else ""),
                    key=f"counter-{owner}-{where}-{number}",
                    kind="still",
                )


def _winning_cells(view: Any) -> int:
    """The cells of all groups of four or more, when the match is over."""
    lit = 0
    for seat in members(int(view["won"])):
        cells = int(view["counters"][seat])
        while cells:
            group = rules.group_of_lowest(cells)
            cells &= ~group
            if count_bits(group) >= rules.TO_WIN:
                lit |= group
    return lit


def seat_picture(view: Any, layout: Layout, seat: int, viewer: int, frame: Frame) -> Svg:
    """A seat's plate: how large its largest group is, and the counters that it still has."""
    width, first, x = (108, 128, 302) if layout.tall else (260, 12, 852)
    share = (layout.height - 8 - first) / int(view["players"])
    height = min(share - 10, 4.8 * layout.size)
    cells = int(view["counters"][seat])
    left = rules.COUNTERS - count_bits(cells)
    r = layout.size * (0.5 if layout.tall else 0.6)
    y = height / 2 - 2 * r
    hand = [
        at(-width / 2 + 2 * r + i * 1.9 * r, y,
           counter(seat, r) if i < left else el("circle", r=r, class_="hole"))
        for i in range(rules.COUNTERS)
    ]  # fmt: skip
    group = f"{rules.group_size(cells)}/{rules.TO_WIN}"
    return at(
        x,
        first + height / 2 + seat * share,
        plate(
            seat,
            frame.names[seat],
            width,
            height,
            layout.size,
            *hand,
            text(group, width / 2 - layout.size * 0.4, y, size=layout.size, kind="right bold"),
            active=seat == view["seat"] and not view["won"],
            mine=seat == viewer,
        ),
        key=f"seat-{seat}",
    )


def filled_rows(view: Any, column: int) -> int:
    """How many counters a column holds."""
    return count_bits(rules.occupied(view) >> (8 * column) & 0xFF)
