"""The things in pictures of Drop or Pop!: tubes of glass with their signs, counters, the marker."""

from __future__ import annotations

from functools import lru_cache
from math import cos, pi, sin
from typing import Any

from droptable.core import components
from droptable.core.components import at, box, motion, seat_symbol, text
from droptable.core.language import _
from droptable.core.svg import Svg, el, join
from droptable.games.drop_or_pop import rules
from droptable.games.drop_or_pop.picture.layout import Layout
from droptable.games.drop_or_pop.words import COLOURS

FLAME = (
    "M.1 -1.3C.3 -.7 1 -.3 .95 .4C.9 .95 .5 1.2 0 1.2C-.5 1.2 -.9 .95 -.95 .4"
    "C-.95 0 -.65 -.2 -.6 -.6C-.3 -.5 -.2 -.2 -.15 0C.1 -.4 .2 -.8 .1 -1.3Z"
)
LEAF = "M-.9 1.1L-.65 .75C-1.3 -.4 -.2 -1.1 1 -1C1.1 .3 .4 1.2 -.5 .8L-.75 1.2Z"


def sign(column: int, r: float, kind: str = "") -> Svg:
    """What stands for a tube beside its colour: flame, drop, sun, leaf."""
    return _sign(column, r, kind or f"seat-{column}")


@lru_cache
def _sign(column: int, r: float, kind: str) -> Svg:
    if column == 1:
        return components.drop(r, kind)
    if column == 2:
        return components.sun(r, kind)
    return components.shape(FLAME if column == 0 else LEAF, r, kind)


@lru_cache(256)
def disc(seat: int, radius: float, kind: str = "") -> Svg:
    """A counter: an edge, a raised top with a ring, a light, and the seat's symbol."""
    r = radius
    a, b = 1.1 * pi, 1.6 * pi
    light = (
        f"M{r * 0.72 * cos(a):.1f} {r * 0.72 * sin(a):.1f}A{r * 0.72:.1f} {r * 0.72:.1f} 0 0 1 "
        f"{r * 0.72 * cos(b):.1f} {r * 0.72 * sin(b):.1f}"
    )
    return join(
        el("circle", cy=r * 0.12, r=r, class_="shadow"),
        el("circle", r=r, class_=f"seat-{seat} rim {kind}".rstrip()),
        el("circle", cy=r * 0.05, r=r * 0.97, class_="disc-edge"),
        el("circle", cy=-r * 0.04, r=r * 0.86, class_=f"seat-{seat}"),
        el("circle", cy=-r * 0.04, r=r * 0.64, class_="disc-ring", stroke_width=r * 0.07),
        el("path", d=light, class_="disc-light", stroke_width=r * 0.11),
        at(0, -r * 0.04, seat_symbol(seat, r * 0.42, "mark")),
    )


@lru_cache
def frame_picture(layout: Layout) -> Svg:
    """The frame that holds the tubes, and the numbers of the rows."""
    width, x = layout.right - layout.left, (layout.left + layout.right) / 2
    lip = layout.lip
    high = layout.rows * layout.cell
    numbers = [
        text(row + 1, layout.left + (9 if layout.tall else 18), layout.y(row), size=layout.small,
             kind="row-number")
        for row in range(layout.rows)
    ]  # fmt: skip
    middle = layout.top + (high + layout.foot - lip) / 2
    return join(
        box(width, high + layout.foot + lip, "stand-shadow", x=x, y=middle + 3, r=lip),
        box(width, high + layout.foot + lip, "stand", x=x, y=middle, r=lip),
        box(width - 8, 3, "stand-light", x=x, y=layout.top - lip + 4, r=1.5),
        *numbers,
    )


def tube_picture(view: Any, layout: Layout, column: int) -> Svg:
    """A tube of glass: its sign etched into every cell, and its name at the foot."""
    chosen = column == int(view["column"]) and not view["won"]
    return _tube(layout, column, chosen, _(COLOURS[column]))


@lru_cache(256)
def _tube(layout: Layout, column: int, chosen: bool, name: str) -> Svg:
    height = layout.rows * layout.cell
    lip = layout.lip
    wide = layout.tube
    etched = [
        at(0, (row + 0.5) * layout.cell, sign(column, layout.cell * 0.17, f"etched-{column}"))
        for row in range(layout.rows)
    ]
    foot = height + layout.foot / 2
    return at(
        layout.x(column),
        layout.top,
        box(wide, height + lip, f"wash-{column} {'tube chosen' if chosen else 'tube'}",
            y=(height - lip) / 2, r=wide * 0.24),
        box(wide * 0.09, height * 0.94, "glass-light", x=-wide * 0.36, y=height / 2, r=2),
        box(wide * 0.05, height * 0.94, "glass-shade", x=wide * 0.42, y=height / 2, r=2),
        *etched,
        box(wide + 8, layout.cell * 0.13, "lip", y=-lip, r=3),
        text(name, 0, foot, size=layout.size, kind="foot bold" if chosen else "foot"),
        key=f"tube-{column}",
    )  # fmt: skip


def marker_picture(view: Any, layout: Layout) -> Svg:
    """The sign of this turn's colour above its tube; all four signs until it is known."""
    column = int(view["column"])
    waits = column == rules.NO_COLUMN
    high = layout.marker
    wide = layout.tube + (4 if layout.tall else 20)
    x = layout.middle if waits else layout.x(column)
    if waits:
        wide = high * 3
        shown = join(
            *(at((i - 1.5) * high * 0.68, 0, sign(i, high * 0.21)) for i in range(rules.COLUMNS))
        )
    else:
        shown = sign(column, high * 0.31)
    tip = high * 0.2
    point = f"M{-tip:.1f} {high / 2 - 1:.1f}L{tip:.1f} {high / 2 - 1:.1f}L0 {high / 2 + tip:.1f}Z"
    tone = "card" if waits else f"wash-{column} pointing"
    return at(
        x,
        2 + high / 2,
        box(wide, high, "shadow", y=2, r=high * 0.3),
        None if waits else el("path", d=point, class_=f"seat-{column}"),
        box(wide, high, tone, r=high * 0.3),
        shown,
        key="marker",
        kind="still",
        motion=motion(
            way="hop",
            face="waits" if waits else COLOURS[column],
            turn="none" if waits else "tumble",
            time=0.5,
        ),
    )


def socket(radius: float) -> Svg:
    """The place of a counter that is on the board."""
    return el("circle", r=radius, class_="socket")
