"""The dice of Number Drop, and the tray with what there is to choose from at the moment."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Any

from droptable.core.components import at, box, die, star, text, touch
from droptable.core.contract import NOBODY
from droptable.core.language import _
from droptable.core.svg import Child, Svg, el, join
from droptable.games.number_drop import rules
from droptable.games.number_drop.picture.layout import Layout
from droptable.games.number_drop.picture.shape_blocks import blocks, printed
from droptable.games.number_drop.rules.shapes import (
    COLUMNS,
    DIE_SHAPES,
    ORIENTATIONS,
    SHAPES,
    Cells,
    shifted,
)
from droptable.games.number_drop.words.notation import LETTERS, digits_left

WILD = "die-wild"
MOST_THINGS = 10  # in the tray: the numbers, or eight ways to lie and two switches
Thing = tuple[str, str, Svg]  # a name to touch, a label, and a drawing


# -- dice -----------------------------------------------------------------------------------------


def dice(state: Any, seat: int, acting: bool, layout: Layout) -> Svg:
    """The five dice; the number dice can be touched while numbers are written."""
    writing = acting and state["doing"][seat] == rules.NUMBER
    return join(
        *(_number_die(state, seat, i, writing, layout) for i in range(4)),
        _shape_die(state, layout),
        _falling(state, layout),
    )


def _number_die(state: Any, seat: int, i: int, writing: bool, layout: Layout) -> Svg:
    face = int(state["dice"][i])
    place, key = layout.dice[i], f"die-{i}"
    if face == 0:
        return at(*place, box(layout.die, layout.die, "slot", r=layout.die / 5), key=key)
    used = int(state["used"][seat]) >> i & 1
    drawn = _star(layout) if face == rules.STAR else die(face, layout.die)
    if used or not writing:
        return at(*place, drawn, key=key, kind="quiet" if used else None)
    if face == rules.STAR:
        return touch(WILD, _("Star: any number"), *place, drawn, key=key)
    return touch(f"die-{face}", _("Die {number}").format(number=face), *place, drawn, key=key)


def _shape_die(state: Any, layout: Layout) -> Svg:
    shape = int(state["shape_die"])
    place, size = layout.dice[4], layout.die
    if shape == rules.NO_SHAPE:
        return at(*place, box(size, size, "slot", r=size / 5), key="die-shape")
    if shape == rules.WILD:
        return at(*place, _star(layout), key="die-shape")
    drawn = join(die("", size), blocks(printed(shape), size * 0.2))
    return at(*place, drawn, key="die-shape")


def _star(layout: Layout) -> Svg:
    """A die that shows its star."""
    return join(die("", layout.die), star(layout.die * 0.32, 0.44, 5, "star"))


def _falling(state: Any, layout: Layout) -> Svg | None:
    """The letter whose block falls in this round (ND4); a wide table shows it clearly enough."""
    letter = int(state["block"])
    if letter == rules.NO_LETTER or not layout.tall:
        return None
    return at(
        *layout.sign,
        box(layout.die, layout.die, "falling", r=layout.die / 2),
        text(LETTERS[letter], size=layout.die * 0.55, kind="bold"),
    )


# -- the tray -------------------------------------------------------------------------------------


def tray(state: Any, seat: int, layout: Layout) -> Svg:
    """What a seat that is to act chooses from: shapes, ways to lie, or numbers for a star."""
    doing = state["doing"][seat]
    things: list[Thing] = []
    buttons: list[Thing] = []
    if doing == rules.NAME:
        things = [_shape(shape, layout) for shape in range(DIE_SHAPES)]
    elif doing in (rules.DROP, rules.BLOCK):
        things = _pieces(int(state["shape"][seat]), layout)
        buttons = [_SWITCHES[name](layout) for name in turning(state, seat) if name in _SWITCHES]
    elif doing == rules.NUMBER and rules.STAR in digits_left(state, seat):
        things = [_value(number, layout) for number in range(10)]
    if layout.tall:
        things, buttons = things + buttons, []
    places = layout.tray_places(len(things)) + layout.tray_places(MOST_THINGS)[-len(buttons) :]
    return join(
        *(_thing(*thing, place) for thing, place in zip(things + buttons, places, strict=False))
    )


def _thing(name: str, label: str, inside: Svg, place: tuple[float, ...]) -> Svg:
    x, y, wide, high = place
    return touch(name, label, x, y, box(wide, high, "card rim", r=7), inside, key=name)


def _unit(layout: Layout) -> float:
    return layout.thing * 0.165


def _shape(shape: int, layout: Layout) -> Thing:
    name = SHAPES[shape]
    label = _("Shape {shape}").format(shape=name)
    return f"shape-{name}", label, blocks(printed(shape), _unit(layout))


def _pieces(shape: int, layout: Layout) -> list[Thing]:
    return [
        (
            f"piece-{number}",
            _("Shape {shape}, turned {number}").format(shape=SHAPES[shape], number=number),
            blocks(cells, _unit(layout)),
        )
        for number, cells in enumerate(ORIENTATIONS[shape])
    ]


def _value(number: int, layout: Layout) -> Thing:
    label = _("The star is a {number}").format(number=number)
    return f"value-{number}", label, text(number, size=layout.thing * 0.45, kind="bold")


# -- turning --------------------------------------------------------------------------------------


def turning(state: Any, seat: int) -> dict[str, dict[str, str]]:
    """By switch: which piece takes the place of which, among those that can be dropped somewhere.

    The pieces are switches, too: whoever has one in the hand can take another one.
    """
    if seat == NOBODY or not rules.to_act(state) >> seat & 1:
        return {}
    if state["doing"][seat] not in (rules.DROP, rules.BLOCK):
        return {}
    ways = ORIENTATIONS[int(state["shape"][seat])]
    fits = _fitting(state, seat)
    switches = {}
    for name, change in (("turn", _turned), ("flip", _flipped)):
        after = {}
        for number in fits:
            other = ways.index(change(ways[number]))
            while other not in fits:
                other = ways.index(change(ways[other]))
            after[f"piece-{number}"] = f"piece-{other}"
        if any(piece != other for piece, other in after.items()):
            switches[name] = after
    pieces = [f"piece-{number}" for number in fits]
    return switches | {piece: dict.fromkeys(pieces, piece) for piece in pieces}


def _fitting(state: Any, seat: int) -> list[int]:
    """The orientations of a seat's shape that have a legal drop."""
    ids = [0] * (len(ORIENTATIONS) * COLUMNS)
    count = rules.legal(state, seat, ids)
    drops = [action - rules.DROP_ID for action in ids[:count] if action != rules.NONE_ID]
    return sorted({drop // COLUMNS for drop in drops})


def _turned(cells: Cells) -> Cells:
    """A quarter clockwise."""
    return shifted(tuple((-column, row) for row, column in cells))


def _flipped(cells: Cells) -> Cells:
    return shifted(tuple((row, -column) for row, column in cells))


def _turn(layout: Layout) -> Thing:
    """A round arrow, clockwise."""
    r = layout.thing * 0.22
    h = r * 0.5
    arc = f"M{r * cos(pi / 3):.2f} {r * sin(pi / 3):.2f}A{r:.2f} {r:.2f} 0 1 1 {r:.2f} 0"
    head = f"M{r - h:.2f} {-h:.2f}L{r:.2f} 0L{r + h:.2f} {-h:.2f}"
    return "turn", _("Turn"), _icon(el("path", d=arc + head))


def _flip(layout: Layout) -> Thing:
    """A triangle and its mirror image."""
    r = layout.thing * 0.24
    sides = [f"M{s * r * 0.25:.2f} {-r:.2f}V{r:.2f}H{s * r * 1.2:.2f}Z" for s in (-1, 1)]
    return "flip", _("Flip"), _icon(el("path", d="".join(sides)))


def _icon(*children: Child) -> Svg:
    return el("g", *children, class_="icon")


_SWITCHES = {"turn": _turn, "flip": _flip}
