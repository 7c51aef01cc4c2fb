"""Cards of Drop Site: a crate under a parachute, with its points as dots.

The number is printed on the crate, and in the corner that is seen of a card in a fan or a stack.
"""

from __future__ import annotations

from functools import lru_cache

from droptable.core.components import CARD, OFTEN, at, box, drop, shape, text
from droptable.core.svg import Svg, el, join

CANOPY = (
    "M-1 0C-1 -1.15 1 -1.15 1 0C.8 -.2 .52 -.2 .34 0C.2 -.2 -.2 -.2 -.34 0C-.52 -.2 -.8 -.2 -1 0Z"
)
GORE = "M-.34 0C-.34 -.5 -.2 -.86 0 -.86C.2 -.86 .34 -.5 .34 0C.2 -.2 -.2 -.2 -.34 0Z"
MOST_DOTS = 10  # points beyond are written


def canopy_of(number: int) -> str:
    """The class of a card's parachute: 0 has its own colour, then each three numbers."""
    return f"ds-canopy-{(number + 2) // 3}"


def parachute(width: float, cords: float, kind: str) -> Svg:
    """An open parachute, its lower edge at 0; its cords meet `cords` below, at a crate."""
    half, load = width / 2, width * 0.24
    lines = "".join(
        f"M{x * half:.1f} 0L{end:.1f} {cords:.1f}"
        for x, end in ((-1, -load), (-0.34, -load), (0.34, load), (1, load))
    )
    return join(
        el("path", d=lines, class_="ds-cord"),
        shape(CANOPY, half, kind),
        shape(GORE, half, "ds-gore"),
    )


@lru_cache(OFTEN)
def face(number: int, points: int, height: float, small: float, tilt: float = 0,
         kind: str = "") -> Svg:  # fmt: skip
    """A card face up. Its rim is a direct child, also of one that is tilted in a fan."""
    width, colour = height * CARD, canopy_of(number)
    index = max(height * 0.155, small)
    x, y = width / 2 - index * (0.6 if number < 10 else 0.82), height / 2 - height * 0.115
    crate_y = height * 0.06
    printed = join(
        at(width * 0.07, -height * 0.26, parachute(height * 0.36, height * 0.16, colour)),
        box(height * 0.5, height * 0.34, "ds-crate", y=crate_y, r=height * 0.03),
        el("path", d=_planks(height * 0.5, height * 0.34, crate_y), class_="ds-plank"),
        text(number, 0, crate_y, size=height * 0.31, kind="bold"),
        text(number, -x, -y, size=index, kind="bold"),
        _dots(points, height, small),
    )
    return join(*_blank(height, tilt, f"ds-card rim {kind}".rstrip()), _tilted(tilt, printed))


@lru_cache(OFTEN)
def small_face(number: int, height: float, size: float, kind: str = "") -> Svg:
    """A card that is too small for a crate: its number below a strip of its parachute's colour."""
    strip = height * 0.16
    return join(
        *_blank(height, 0, f"ds-card rim {kind}".rstrip()),
        box(height * CARD - 4, strip, canopy_of(number), y=-height / 2 + strip / 2 + 2, r=2),
        text(number, 0, strip / 2, size=max(size, height * 0.4), kind="bold"),
    )


@lru_cache(OFTEN)
def back(height: float, tilt: float = 0) -> Svg:
    """A card face down."""
    inside = join(
        box(height * CARD * 0.82, height * 0.87, "back-frame", r=height * 0.06),
        drop(height * 0.18, "back-mark"),
    )
    return join(*_blank(height, tilt, "back rim"), _tilted(tilt, inside))


@lru_cache(OFTEN)
def small_back(height: float) -> Svg:
    """A card face down that is too small for a frame."""
    return join(
        box(height * CARD, height, "back", r=height * 0.12), drop(height * 0.16, "back-mark")
    )


def _blank(height: float, tilt: float, kind: str) -> tuple[Svg, Svg]:
    """A card's shadow and its body."""
    place = _turn(tilt)
    size = {"width": height * CARD, "height": height, "rx": height * 0.09}
    x, y = -height * CARD / 2, -height / 2
    return (
        el("rect", x=x, y=y + height * 0.025, **size, class_="shadow", transform=place),
        el("rect", x=x, y=y, **size, class_=kind, transform=place),
    )


def _tilted(tilt: float, content: Svg) -> Svg:
    return el("g", content, transform=_turn(tilt)) if tilt else content


def _turn(tilt: float) -> str | None:
    return f"rotate({tilt:.1f})" if tilt else None


def _planks(width: float, height: float, y: float) -> str:
    """Two lines across a crate, above and below its number."""
    left, right, gap = -width / 2, width / 2, height * 0.36
    return "".join(
        f"M{left:.1f} {level:.1f}L{right:.1f} {level:.1f}" for level in (y - gap, y + gap)
    )


def _dots(points: int, height: float, small: float) -> Svg:
    """A card's points: dots in one or two rows; if they are many, a dot and how many."""
    radius, step = height * 0.031, height * 0.095
    if points > MOST_DOTS:
        size, y = max(small, height * 0.14), height * 0.37
        return join(
            el("circle", cx=-size * 0.75, cy=y, r=size * 0.28, class_="ds-pip"),
            text(points, size * 0.35, y, size=size, kind="bold"),
        )
    rows = [points] if points <= 4 else [(points + 1) // 2, points // 2]
    circles = [
        el(
            "circle",
            cx=(i - (count - 1) / 2) * step,
            cy=height * (0.37 if len(rows) == 1 else 0.325 + 0.09 * row),
            r=radius,
            class_="ds-pip",
        )
        for row, count in enumerate(rows)
        for i in range(count)
    ]
    return join(*circles)
