"""Components of pictures: cards, dice, counters, plates, arrows. Games put them in place.

Every component is drawn around 0, 0 and moved by `at` or `touch`. Sizes are in units of the
picture. The shape that shows whether a component can be touched has the class `rim` (see
`scene.css`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import atan2, cos, pi, sin
from typing import TypeAlias

from droptable.core.faces import FACES
from droptable.core.faces import face as draw_face
from droptable.core.language import _
from droptable.core.svg import Child, Svg, el, join

OFTEN = 1024  # components that are drawn again and again are cached
CARD = 0.7  # width of a card, relative to its height
LETTER = 0.57  # greatest width of a letter, relative to its size: fonts differ
RED_SUITS = ("hearts", "diamonds")
SUITS = {  # outlines for a radius of 1
    "clubs": "M0 -1C.6 -1 .72 -.35 .34 -.08C.95 -.25 1.15 .55 .5 .62C.28 .64 .12 .5 .08 .35"
    "L.3 1L-.3 1L-.08 .35C-.12 .5 -.28 .64 -.5 .62C-1.15 .55 -.95 -.25 -.34 -.08"
    "C-.72 -.35 -.6 -1 0 -1Z",
    "diamonds": "M0 -1L.75 0L0 1L-.75 0Z",
    "hearts": "M0 1C-.5 .5 -1 .1 -1 -.4C-1 -1 -.25 -1.1 0 -.5C.25 -1.1 1 -1 1 -.4C1 .1 .5 .5 0 1Z",
    "spades": "M0 -1C.4 -.45 1 -.1 1 .3C1 .8 .3 .85 .1 .45L.3 1L-.3 1L-.1 .45"
    "C-.3 .85 -1 .8 -1 .3C-1 -.1 -.4 -.45 0 -1Z",
}
SYMBOLS = ("circle", "square", "triangle", "plus", "star", "ring")  # of the seats, in words


# -- places ---------------------------------------------------------------------------------------


class CardSizes:
    """Sizes that pictures with cards share, for phones and for wide screens."""

    tall: bool

    @property
    def text(self) -> float:
        return 13 if self.tall else 23

    @property
    def small(self) -> float:
        return 12 if self.tall else 22

    @property
    def width(self) -> float:
        return 360 if self.tall else 1000

    @property
    def margin(self) -> float:
        return 8 if self.tall else 14


Motion: TypeAlias = "Mapping[str, str | float]"
STILL: Motion = {}


def motion(
    *,
    enter: str | None = None,
    from_: str | None = None,
    leave: str | None = None,
    to: str | None = None,
    way: str | None = None,
    face: object = None,
    turn: str | None = None,
    wait: float | None = None,
    time: float | None = None,
) -> Motion:
    """How a thing with a key comes, goes, moves and turns; see `droptable.core.scene`."""
    face = None if face is None else str(face)
    given = {
        "data_enter": enter, "data_from": from_, "data_leave": leave, "data_to": to,
        "data_way": way, "data_face": face, "data_turn": turn, "data_wait": wait,
        "data_time": time,
    }  # fmt: skip
    return {name: value for name, value in given.items() if value is not None}


def at(
    x: float,
    y: float,
    *children: Child,
    key: str | None = None,
    kind: str | None = None,
    motion: Motion = STILL,
) -> Svg:
    """Something drawn around 0, 0, moved to its place; `key` is its id, `kind` its classes."""
    place = f"translate({_short(x)} {_short(y)})"
    return el("g", *children, id=key, class_=kind, transform=place, **motion)


def touch(
    name: str,
    label: str,
    x: float,
    y: float,
    *children: Child,
    key: str | None = None,
    kind: str | None = None,
    keys: str | None = None,
    aim: str | None = None,
    motion: Motion = STILL,
) -> Svg:
    """Something that can be touched as a step of a move's path. Its `rim` is a direct child.

    `keys` are keys and gestures that touch it as well; `aim="x"` lets the ghosts decide which move
    is meant (see `droptable.core.scene`).
    """
    return el(
        "g",
        *children,
        id=key,
        class_=kind,
        data_touch=name,
        data_key=keys,
        data_aim=aim,
        role="img",  # a name needs a role; a client makes buttons of those that can be touched
        aria_label=label,
        transform=f"translate({_short(x)} {_short(y)})",
        **motion,
    )


def spread(count: int, width: float, step: float) -> list[float]:
    """Where `count` things lie in a row around 0: `step` apart, or as far as `width` allows."""
    if count > 1:
        step = min(step, width / (count - 1))
    return [(i - (count - 1) / 2) * step for i in range(count)]


# -- shapes and text ------------------------------------------------------------------------------


def box(width: float, height: float, kind: str, *, x: float = 0, y: float = 0,
        r: float = 8) -> Svg:  # fmt: skip
    """A rectangle with rounded corners, by its centre."""
    return el(
        "rect",
        x=x - width / 2,
        y=y - height / 2,
        width=width,
        height=height,
        rx=r,
        class_=kind,
    )


def text(words: object, x: float = 0, y: float = 0, *, size: float = 14,
         kind: str | None = None) -> Svg:  # fmt: skip
    """A word or two; classes `left` and `right` align it there, `bold`, `soft` and `seat-0` …"""
    return el("text", str(words), x=x, y=y, font_size=size, class_=kind)


def shortened(words: str, width: float, size: float) -> str:
    """As much of a name as fits into a width."""
    most = max(int(width / (LETTER * size)), 1)
    return words if len(words) <= most else words[: most - 1].rstrip() + "…"


def shape(path: str, radius: float, kind: str) -> Svg:
    """A path that is written for a radius of 1, in absolute coordinates, scaled to a radius."""
    return el(
        "path", d=re.sub(r"-?[\d.]+", lambda n: _short(float(n[0]) * radius), path), class_=kind
    )


def drop(radius: float, kind: str) -> Svg:
    """A falling drop, pointing up."""
    return shape(
        "M0 -1.3C.72 -.3 1 0 1 .35C1 .9 .55 1.3 0 1.3C-.55 1.3 -1 .9 -1 .35C-1 0 -.72 -.3 0 -1.3Z",
        radius,
        kind,
    )


def star(radius: float, inner: float, rays: int, kind: str) -> Svg:
    """A star; its rays begin at `inner`, relative to its radius."""
    return el("path", d=_star(radius, inner, rays), class_=kind)


def sun(radius: float, kind: str) -> Svg:
    """A disc with eight rays."""
    rays = ""
    for i in range(8):
        corners = ((1.35, 0.0), (0.98, 0.22), (0.98, -0.22))
        turned = [(radius * length, i * pi / 4 + side) for length, side in corners]
        rays += _polygon([(length * cos(turn), length * sin(turn)) for length, turn in turned])
    return el("path", d=_circle(radius * 0.78) + rays, class_=kind)


def arrow(x1: float, y1: float, x2: float, y2: float, *, head: float = 10,
          kind: str = "arrow") -> Svg:  # fmt: skip
    """An arrow from one point to another, visible on any background."""
    turn = atan2(y2 - y1, x2 - x1)
    wings = [(x2 - head * cos(turn + side), y2 - head * sin(turn + side)) for side in (-0.5, 0.5)]
    (ax, ay), (bx, by) = wings
    line = f"M{_short(x1)} {_short(y1)}L{_short(x2)} {_short(y2)}"
    tip = f"M{_short(ax)} {_short(ay)}L{_short(x2)} {_short(y2)}L{_short(bx)} {_short(by)}"
    return _stroke(line + tip, kind)


def cross(radius: float, kind: str = "arrow") -> Svg:
    """A cross over something that is removed."""
    r = _short(radius)
    return _stroke(f"M-{r} -{r}L{r} {r}M-{r} {r}L{r} -{r}", kind)


def _stroke(path: str, kind: str) -> Svg:
    return join(el("path", d=path, class_="halo"), el("path", d=path, class_=kind))


# -- seats ----------------------------------------------------------------------------------------


def seat_symbol(seat: int, radius: float, kind: str | None = None) -> Svg:
    """The symbol of a seat beside its colour: circle, square, triangle, plus, star, ring."""
    kind = f"seat-{seat}" if kind is None else kind
    if SYMBOLS[seat] == "circle":
        return el("circle", r=radius * 0.9, class_=kind)
    if SYMBOLS[seat] == "square":
        return box(radius * 1.6, radius * 1.6, kind, r=radius / 6)
    return el("path", d=_outline(SYMBOLS[seat], radius), fill_rule="evenodd", class_=kind)


@lru_cache(OFTEN)
def seat_sign(seat: int, radius: float, face: str = "") -> Svg:
    """How a seat is recognised: its symbol in its colour; a bot's face has both at its edge."""
    if face not in FACES:
        return seat_symbol(seat, radius)
    corner, badge = radius * 0.72, max(radius * 0.4, 3.5)
    return join(
        el("circle", r=radius, class_=f"seat-{seat}"),
        draw_face(face, radius * 0.87),
        at(
            corner,
            corner,
            el("circle", r=badge, class_="badge"),
            seat_symbol(seat, badge * 0.68),
        ),
    )


def _outline(symbol: str, r: float) -> str:
    if symbol == "triangle":
        return _polygon([(0, -r), (r * 0.95, r * 0.75), (-r * 0.95, r * 0.75)])
    if symbol == "plus":
        a, b = r * 0.95, r * 0.34
        corners = [(-b, -a), (b, -a), (b, -b), (a, -b), (a, b), (b, b)]
        return _polygon([*corners, *((-x, -y) for x, y in corners)])
    if symbol == "star":
        return _star(r * 1.1, 0.44, 5)
    return _circle(r) + _circle(r * 0.5)


@lru_cache(OFTEN)
def counter(seat: int, radius: float, kind: str = "") -> Svg:
    """A round counter of a seat, with a rim and the seat's symbol."""
    return join(
        el("circle", cy=radius * 0.09, r=radius, class_="shadow"),
        el("circle", r=radius, class_=f"seat-{seat} rim {kind}".rstrip()),
        el("circle", r=radius * 0.82, class_="groove"),
        seat_symbol(seat, radius * 0.46, "mark"),
    )


def plate(
    seat: int,
    name: str,
    width: float,
    height: float,
    size: float,
    *children: Child,
    active: bool = False,
    mine: bool = False,
    note: str = "",
    badge: str = "",
    name_room: float | None = None,
    face: str = "",
) -> Svg:
    """A seat's place: its symbol and name, a note on the right (points), and whatever lies below.

    A badge stands before the note; a name is at most `name_room` wide, or as wide as there is room.
    The children are drawn around 0, 0, the centre of the plate; the name is its top line. The plate
    of a seat that has to act is lit and has a notch, the viewer's own one has a strong edge.
    `face` is the character of a seat's bot (`frame.face(seat)`).
    """
    left, right, top = -width / 2, width / 2, -height / 2 + size * 0.95
    noted = (len(note) + 0.5) * LETTER * size if note else 0
    badged = (len(badge) + 1) * LETTER * size if badge else 0
    sign, begin = (0.74, 2.1) if face else (0.5, 1.8)  # radius, and where the name begins
    room = width - size * (begin + 0.5) - noted - badged - size * 0.6 * (badge != "")
    room = room if name_room is None else min(room, name_room)
    own = _("{name} (you)").format(name=name)
    name = own if mine and own == shortened(own, room, size) else shortened(name, room, size)
    notch = _polygon([(left, -size * 0.5), (left + size * 0.35, 0), (left, size * 0.5)])
    kind = f"plate wash-{seat}" if active else "plate"
    return join(
        box(width, height, f"{kind} mine" if mine else kind),
        el("path", d=notch, class_=f"seat-{seat}") if active else None,
        at(left + size, top, seat_sign(seat, size * sign, face)),
        text(name, left + size * begin, top, size=size, kind="left bold" if active else "left"),
        text(note, right - size * 0.5, top, size=size, kind="right bold") if note else None,
        at(right - size * 0.6 - noted - badged / 2, top, _badge(badge, badged, size)),
        *children,
    )


def _badge(words: str, width: float, size: float) -> Svg:
    if not words:
        return Svg("")
    return join(box(width, size * 1.4, "badge", r=size * 0.4), text(words, size=size))


# -- cards and dice -------------------------------------------------------------------------------


@lru_cache(OFTEN)
def card(face: object, height: float, *, note: str = "", size: float | None = None,
         note_size: float = 12, kind: str = "") -> Svg:  # fmt: skip
    """A card face up: a large number, and a note (its points) below."""
    size = height * 0.42 if size is None else size
    lift = note_size * 0.55 if note else 0
    return join(
        _shadow(height),
        box(height * CARD, height, f"card rim {kind}".rstrip(), r=height * 0.09),
        text(face, 0, -lift, size=size, kind="bold"),
        text(note, 0, height / 2 - note_size * 0.85, size=note_size, kind="soft") if note else None,
    )


@lru_cache(OFTEN)
def covered_card(face: object, height: float, size: float, *, down: float | None = None,
                 across: float | None = None) -> Svg:  # fmt: skip
    """A card that others cover except for a strip, `down` or `across`, which shows its number."""
    x = 0 if across is None else (across - height * CARD) / 2
    y = 0 if down is None else (down - height) / 2
    shown = down is None or down > size * 0.9
    return join(
        _shadow(height),
        box(height * CARD, height, "card rim", r=height * 0.09),
        text(face, x, y, size=size, kind="bold") if shown else None,
    )


@lru_cache(OFTEN)
def card_back(height: float, kind: str = "") -> Svg:
    """A card face down: a drop on its back."""
    width = height * CARD
    return join(
        _shadow(height),
        box(width, height, f"back rim {kind}".rstrip(), r=height * 0.09),
        box(width * 0.8, height * 0.86, "back-frame", r=height * 0.06),
        drop(height * 0.2, "back-mark"),
    )


@lru_cache(OFTEN)
def playing_card(rank: str, suit: str, height: float, kind: str = "") -> Svg:
    """A card of the usual deck: its index and a small suit in the corner, the suit large below.

    The corner is what is seen of a card in a fan.
    """
    width = height * CARD
    colour = "suit-red" if suit in RED_SUITS else "suit-black"
    corner = -width / 2 + height * 0.17
    return join(
        _shadow(height),
        box(width, height, f"card rim {kind}".rstrip(), r=height * 0.09),
        text(rank, corner, -height * 0.34, size=height * 0.24, kind=f"bold {colour}"),
        at(corner, -height * 0.1, shape(SUITS[suit], height * 0.085, colour)),
        at(width * 0.1, height * 0.22, shape(SUITS[suit], height * 0.2, colour)),
    )


def pile(count: int, height: float, size: float) -> Svg:
    """A pile of cards face down, higher the more there are, with their count."""
    edges = min(count, 2 + count // 12, 6)
    if not count:
        return join(box(height * CARD, height, "slot", r=height * 0.09), text("0", size=size))
    backs = [at(0, -2.5 * i, card_back(height)) for i in range(edges)]
    badge = max(size * 1.7, len(str(count)) * size * LETTER + size)
    top = -2.5 * (edges - 1)
    return join(
        *backs,
        box(badge, size * 1.5, "badge", y=top, r=size * 0.75),
        text(count, 0, top, size=size, kind="bold"),
    )


def die(face: object, size: float, kind: str = "") -> Svg:
    """A die that shows a numeral or a sign."""
    return join(
        box(size, size, "shadow", y=size * 0.05, r=size * 0.2),
        box(size, size, f"card rim {kind}".rstrip(), r=size * 0.2),
        text(face, size=size * 0.6, kind="bold"),
    )


def _shadow(height: float) -> Svg:
    return box(height * CARD, height, "shadow", y=height * 0.025, r=height * 0.09)


# -- paths ----------------------------------------------------------------------------------------


@lru_cache(16 * OFTEN)
def _short(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if value else "0"


def _polygon(points: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{_short(x)} {_short(y)}" for x, y in points) + "Z"


def _star(radius: float, inner: float, rays: int) -> str:
    turns = [(i * pi / rays - pi / 2, radius * (inner if i % 2 else 1)) for i in range(2 * rays)]
    return _polygon([(length * cos(turn), length * sin(turn)) for turn, length in turns])


def _circle(r: float) -> str:
    r_ = _short(r)
    return f"M-{r_} 0A{r_} {r_} 0 1 1 {r_} 0A{r_} {r_} 0 1 1 -{r_} 0Z"
