"""The dice of Number Drop, and the tray with what there is to choose from at the moment."""

from __future__ import annotations

from functools import lru_cache
from math import cos, pi, sin
from typing import Any

from droptable.core.components import Motion, at, box, motion, star, text, touch
from droptable.core.contract import NOBODY
from droptable.core.language import _
from droptable.core.scene import Fill
from droptable.core.svg import Svg, el, join
from droptable.games.number_drop import rules
from droptable.games.number_drop.picture.large_sheet import open_squares
from droptable.games.number_drop.picture.layout import Layout, Space
from droptable.games.number_drop.picture.shape_blocks import blocks, fitted, printed
from droptable.games.number_drop.rules.shapes import (
    COLUMNS,
    DIE_SHAPES,
    ORIENTATIONS,
    SHAPES,
    Cells,
    shifted,
)
from droptable.games.number_drop.words.notation import LETTERS, digits_left

DIGITS = tuple(str(digit) for digit in range(10))


# -- dice -----------------------------------------------------------------------------------------


def dice(state: Any, seat: int, acting: bool, layout: Layout) -> Svg:
    """The five dice; the number dice can be touched while numbers are written."""
    writing = acting and state["doing"][seat] == rules.NUMBER
    return join(
        *(_number_die(state, seat, i, writing, layout) for i in range(4)),
        _shape_die(state, layout),
    )


def _number_die(state: Any, seat: int, i: int, writing: bool, layout: Layout) -> Svg:
    face = int(state["dice"][i])
    place, key = layout.dice[i], f"die-{i}"
    used = face and int(state["used"][seat]) >> i & 1
    shown = "" if not face else "*" if face == rules.STAR else str(face)
    rolled = _rolling(shown, i)
    drawn = die_body(shown, layout.die)
    if used or not writing:
        return at(*place, drawn, key=key, kind="quiet" if used else None, motion=rolled)
    label = _("Star: any number")
    if face != rules.STAR:
        label = _("Die {number}").format(number=face)
    keys = None if face == rules.STAR else str(face)
    return touch(key, label, *place, drawn, key=key, keys=keys, motion=rolled)


def _shape_die(state: Any, layout: Layout) -> Svg:
    shape = int(state["shape_die"])
    shown = "" if shape == rules.NO_SHAPE else "*" if shape == rules.WILD else SHAPES[shape]
    return at(
        *layout.dice[4],
        die_body(shown, layout.die, "nd-shape-die"),
        key="die-shape",
        motion=_rolling(shown, 4),
    )


def _rolling(face: str, number: int) -> Motion:
    """Dice tumble one after the other; they are taken up at once."""
    return motion(face=face, turn="tumble" if face else "none", wait=0.09 * number, time=0.6)


@lru_cache(64)
def die_body(face: str, size: float, kind: str = "nd-die") -> Svg:
    """A die seen from above its front: two sides in the shade, the face, light on its edge."""
    deep, front = size * 0.12, size * 0.88
    r = size * 0.17
    move = -deep / 2
    light = front / 2 - r
    sign: Svg | None = None
    if face == "*":
        sign = star(front * 0.36, 0.45, 5, "nd-star")
    elif face.isdigit():
        sign = text(face, size=front * 0.72, kind="nd-die-digit")
    elif face:
        cells = printed(SHAPES.index(face))
        sign = blocks(cells, fitted(cells, front * 0.78, front * 0.6, front * 0.27), "nd-on-die")
    return join(
        box(size * 0.94, size * 0.2, "shadow", x=deep * 0.3, y=size * 0.47, r=size * 0.1),
        box(front, front, f"{kind}-side", x=deep / 2, y=deep / 2, r=r),
        box(front, front, f"{kind}-under", x=0, y=deep / 2, r=r),
        box(front, front, f"{kind} rim", x=move, y=move, r=r),
        el("path", class_="nd-shine", stroke_width=size * 0.035,
           d=f"M{move - light:.2f} {move - front / 2 + size * 0.05:.2f}h{2 * light:.2f}"),
        at(move, move, sign) if sign else None,
    )  # fmt: skip


def fill(state: Any, seat: int) -> Fill | None:
    """The squares that wait for numbers, in the rules' order, and the dice that are left (ND7)."""
    if seat == NOBODY or state["doing"][seat] != rules.NUMBER:
        return None
    if not rules.to_act(state) >> seat & 1:
        return None
    pieces = {
        f"die-{i}": DIGITS if state["dice"][i] == rules.STAR else (str(state["dice"][i]),)
        for i in range(4)
        if not state["used"][seat] >> i & 1
    }
    slots = tuple(f"square-{number}" for number, _cell in open_squares(state, seat))
    return Fill(slots, pieces, "num {}")


# -- the tray -------------------------------------------------------------------------------------


def tray(state: Any, seat: int, layout: Layout) -> Svg | None:
    """What a seat that is to act chooses from: shapes, how one lies, or numbers for a star."""
    doing = state["doing"][seat]
    if doing == rules.NAME:
        return _shapes(layout)
    if doing in (rules.DROP, rules.BLOCK):
        return _piece(state, seat, layout)
    if doing == rules.NUMBER and rules.STAR in digits_left(state, seat):
        return _values(layout)
    return None


def round_sign(state: Any, layout: Layout) -> Svg | None:
    """What round it is, where nothing is to be chosen; a block is announced there, too."""
    x, y, wide, high = layout.piece
    letter = int(state["block"])
    if letter != rules.NO_LETTER:
        shape = int(state["tiles"][letter])
        cells = printed(shape)
        unit = fitted(cells, wide * 0.6, high * 0.5, high * 0.2)
        return at(
            x, y,
            box(wide, high, "nd-falling", r=layout.small * 0.4),
            text(LETTERS[letter], -wide * 0.32, 0, size=layout.small * 1.4,
                 kind="bold nd-falling-text"),
            at(wide * 0.12, 0, blocks(cells, unit, "nd-tile")),
            key="block",
            motion=motion(enter="slam"),
        )  # fmt: skip
    if state["stage"] in (rules.DEALING_TILES, rules.OVER):
        return None
    words = _("Round {number}").format(number=int(state["round"]) + 1)
    return text(words, x, y, size=layout.small * 1.15, kind="soft")


def _panel(layout: Layout) -> Svg | None:
    """On a phone the choice lies over the sheets of the others."""
    if not layout.tall:
        return None
    x, y, wide, high = layout.keys
    return box(wide + 6, high + 6, "nd-plate", x=x, y=y, r=8)


def _shapes(layout: Layout) -> Svg:
    drawn = []
    for shape, place in enumerate(layout.key_places(DIE_SHAPES)):
        name, cells = SHAPES[shape], printed(shape)
        unit = fitted(cells, place[2] * 0.8, place[3] * 0.7, place[3] * 0.3)
        label = _("Shape {shape}").format(shape=name)
        drawn.append(_button(f"shape-{name}", label, place, blocks(cells, unit), name.lower()))
    return join(_panel(layout), *drawn)


def _values(layout: Layout) -> Svg:
    """The numbers that a star can be; seen only after a star was touched on its own."""
    places = layout.key_places(len(DIGITS))
    return join(
        *(
            _button(f"value-{digit}", _("The star is a {number}").format(number=digit), place,
                    text(digit, size=place[3] * 0.5, kind="bold"), digit, "nd-value")
            for digit, place in zip(DIGITS, places, strict=True)
        ),
    )  # fmt: skip


def _button(name: str, label: str, place: Space, inside: Svg, keys: str | None = None,
            kind: str | None = None) -> Svg:  # fmt: skip
    x, y, wide, high = place
    return touch(
        name, label, x, y,
        box(wide, high, "nd-key-edge", r=7),
        box(wide, high - 4, "nd-key rim", y=-2, r=7),
        at(0, -2, inside),
        key=name, keys=keys, kind=kind, motion=motion(enter="grow", leave="none", time=0.15),
    )  # fmt: skip


def _piece(state: Any, seat: int, layout: Layout) -> Svg:
    """The shape as it lies now; all ways to lie are there, and the one in the hand is seen."""
    shape = int(state["shape"][seat])
    x, y, wide, high = layout.piece
    ways = turning(state, seat)
    kind = "nd-block" if state["doing"][seat] == rules.DROP else "nd-tile"
    drawn = []
    pieces = [name for name in ways if name.startswith("piece-")]
    for number, name in enumerate(pieces):
        cells = ORIENTATIONS[shape][int(name.removeprefix("piece-"))]
        unit = fitted(cells, wide * 0.86, high * 0.86, high * 0.27)
        label = _("The {shape}, way {number} of {count} to lie").format(
            shape=SHAPES[shape], number=number + 1, count=len(pieces)
        )
        shown = join(box(wide, high, "zone nd-strip", r=8), blocks(cells, unit, kind))
        grown = motion(enter="grow", leave="none", time=0.15)
        hidden = "nd-way nd-other-way" if number else "nd-way"
        drawn.append(touch(name, label, x, y, shown, key=name, kind=hidden, motion=grown))
    buttons = [
        _button(name, label, place, _icon(icon, min(place[2], place[3]) * 0.3), keys)
        for (name, label, icon, keys), place in zip(_switches(), layout.buttons, strict=True)
        if name in ways
    ]
    return join(box(wide, high, "nd-plate", x=x, y=y, r=8), *drawn, *buttons)


def _switches() -> tuple[tuple[str, str, str, str], ...]:
    """Names, labels, icons and keys of what turns a shape."""
    return (
        ("turn", _("Turn"), "turn", "r wheel rightclick"),
        ("flip", _("Flip"), "flip", "f"),
    )


def _icon(name: str, r: float) -> Svg:
    """A round arrow, clockwise; or a triangle and its mirror image."""
    if name == "turn":
        h = r * 0.5
        arc = f"M{r * cos(pi / 3):.2f} {r * sin(pi / 3):.2f}A{r:.2f} {r:.2f} 0 1 1 {r:.2f} 0"
        way = arc + f"M{r - h:.2f} {-h:.2f}L{r:.2f} 0L{r + h:.2f} {-h:.2f}"
    else:
        way = "".join(f"M{s * r * 0.25:.2f} {-r:.2f}V{r:.2f}H{s * r * 1.2:.2f}Z" for s in (-1, 1))
    return el("path", d=way, class_="nd-icon")


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
    switches: dict[str, dict[str, str]] = {}
    for name, change in (("turn", _turned), ("flip", _flipped)):
        after = {
            f"piece-{number}": f"piece-{_next_way(ways, number, change, fits)}" for number in fits
        }
        if name == "flip" and _reached(switches.get("turn", {}), fits[:1]) == len(fits):
            continue  # turning is enough
        if any(piece != other for piece, other in after.items()):
            switches[name] = after
    pieces = [f"piece-{number}" for number in fits]
    return switches | {piece: dict.fromkeys(pieces, piece) for piece in pieces}


def _reached(after: dict[str, str], first: list[int]) -> int:
    """How many ways to lie are reached from the first one."""
    reached = [f"piece-{number}" for number in first]
    while reached and after.get(reached[-1], reached[0]) not in reached:
        reached.append(after[reached[-1]])
    return len(reached)


def _next_way(ways: tuple[Cells, ...], number: int, change: Any, fits: list[int]) -> int:
    """How a shape lies after a change; turned on until it fits, or as before."""
    cells = change(ways[number])
    for _turn in range(4):
        if ways.index(cells) in fits:
            return ways.index(cells)
        cells = _turned(cells)
    return number


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
