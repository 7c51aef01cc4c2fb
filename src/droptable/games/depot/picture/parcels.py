"""The cards of Depot: labels with a parcel that grows with the number.

A card's corner says its number, so it can be read in a fan. The straps of a parcel differ from
number to number, as its size does: nothing hangs on colour alone.
"""

from __future__ import annotations

from functools import lru_cache

from droptable.core.components import CARD, OFTEN, at, box, text
from droptable.core.svg import Svg, el, join

# Width and height of a parcel's front and its depth, relative to the width of its card.
SIZES = {
    1: (0.22, 0.17, 0.08),
    2: (0.36, 0.17, 0.10),
    3: (0.30, 0.29, 0.12),
    4: (0.45, 0.27, 0.13),
    5: (0.35, 0.43, 0.14),
    6: (0.47, 0.41, 0.15),
    7: (0.55, 0.47, 0.16),
    8: (0.58, 0.58, 0.17),
}
# Straps across the front, each at a share of its width, and straps along it, of its height.
ACROSS: dict[int, tuple[float, ...]] = {2: (0.5,), 4: (0.5,), 5: (0.3, 0.7), 7: (0.5,),
                                        8: (0.25, 0.75)}  # fmt: skip
ALONG: dict[int, tuple[float, ...]] = {3: (0.5,), 4: (0.5,), 6: (0.33, 0.67), 7: (0.33, 0.67),
                                       8: (0.25, 0.75)}  # fmt: skip
STRAP = 0.055  # its width, relative to the card's
SLOPE = 0.6  # how steeply the depth of a parcel goes up


@lru_cache(OFTEN)
def parcel(number: int, width: float) -> Svg:
    """A parcel on a card of that width, standing on 0, 0."""
    w, h, d = (part * width for part in SIZES[number])
    w0, d0, s = -(w + d) / 2, d * SLOPE, STRAP * width
    right = w0 + w
    outline = [(w0, 0), (w0, -h), (w0 + d, -h - d0), (right + d, -h - d0), (right + d, -d0),
               (right, 0)]  # fmt: skip
    top = [(w0, -h), (w0 + d, -h - d0), (right + d, -h - d0), (right, -h)]
    side = [(right, -h), (right + d, -h - d0), (right + d, -d0), (right, 0)]
    straps = []
    for share in ACROSS.get(number, ()):  # over the top, and down the front
        x = w0 + share * w - s / 2
        straps.append([(x, 0), (x, -h), (x + d, -h - d0), (x + d + s, -h - d0), (x + s, -h),
                       (x + s, 0)])  # fmt: skip
    for share in ALONG.get(number, ()):  # along the front, and round the side
        y = -share * h + s / 2
        straps.append([(w0, y), (right, y), (right + d, y - d0), (right + d, y - d0 - s),
                       (right, y - s), (w0, y - s)])  # fmt: skip
    return join(
        el("path", d=_polygon(outline), class_=f"dp-parcel-{number}"),
        el("path", d=_polygon(top), class_="dp-lit"),
        el("path", d=_polygon(side), class_="dp-dim"),
        *(el("path", d=_polygon(strap), class_="dp-tape") for strap in straps),
    )


@lru_cache(OFTEN)
def parcel_card(number: int, height: float, least: float, *, tilt: float = 0,
                both: bool = False) -> Svg:  # fmt: skip
    """A card face up: its number in the corner (in `both` of them), and its parcel.

    No number is smaller than `least`.
    """
    width, size = height * CARD, max(height * 0.27, least)
    x, y = -width / 2 + size * 0.52, -height / 2 + size * 0.62
    digit = f"bold dp-digit-{number}"
    small = max(height * 0.19, least)
    other = text(number, width / 2 - small * 0.55, height / 2 - small * 0.65, size=small,
                 kind=digit)  # fmt: skip
    face = join(
        at(0, height * (0.27 if both else 0.4), parcel(number, width * 1.12)),
        text(number, x, y, size=size, kind=digit),
        other if both else None,
    )
    turned = f"rotate({tilt})" if tilt else None
    return join(
        _rect(width, height, "shadow", y=height * 0.025, transform=turned),
        _rect(width, height, "card rim", transform=turned),
        el("g", face, transform=turned) if tilt else face,
    )


@lru_cache(OFTEN)
def small_card(number: int, height: float, size: float, *, across: float | None = None) -> Svg:
    """A small card that shows little but its number; others may cover all but a strip of it."""
    width = height * CARD
    x = 0 if across is None else min((across - width) / 2, 0)
    return join(
        _rect(width, height, "card rim"),
        box(width * 0.84, height * 0.13, f"dp-parcel-{number}", y=height * 0.38, r=1),
        text(number, x, -height * 0.08, size=size, kind=f"bold dp-digit-{number}"),
    )


@lru_cache(OFTEN)
def parcel_back(height: float, *, plain: bool = False) -> Svg:
    """A card face down: brown paper with a strip of tape and an arrow that says which way is up."""
    width = height * CARD
    arrow = [(0, -0.16), (0.13, 0.02), (0.05, 0.02), (0.05, 0.16), (-0.05, 0.16), (-0.05, 0.02),
             (-0.13, 0.02)]  # fmt: skip
    mark = [(x * height, y * height) for x, y in arrow]
    return join(
        None if plain else _rect(width, height, "shadow", y=height * 0.025),
        _rect(width, height, "dp-kraft rim"),
        el("rect", x=-width * 0.13, y=-height / 2, width=width * 0.26, height=height,
           class_="dp-kraft-tape"),
        None if plain else el("path", d=_polygon(mark), class_="dp-kraft-mark"),
    )  # fmt: skip


def _rect(width: float, height: float, kind: str, *, y: float = 0,
          transform: str | None = None) -> Svg:  # fmt: skip
    return el("rect", x=-width / 2, y=y - height / 2, width=width, height=height,
              rx=height * 0.08, class_=kind, transform=transform)  # fmt: skip


def _polygon(points: list[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + "Z"
