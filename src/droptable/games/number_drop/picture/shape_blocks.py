"""The squares that Number Drop is made of: numbered ones on a sheet, and small ones of shapes."""

from __future__ import annotations

from functools import lru_cache

from droptable.core.components import box, cross, text
from droptable.core.svg import Svg, el, join
from droptable.games.number_drop.rules import grid
from droptable.games.number_drop.rules.shapes import ORIENTATIONS, Cells, height, width


@lru_cache(256)
def tile(mark: int, side: float) -> Svg:
    """A number, or an X, on a square of its colour with a little depth."""
    kind = "nd-x" if mark == grid.X else f"nd-{mark - 1}"
    sign = cross(side * 0.25, "nd-cross") if mark == grid.X else digit(mark, side, "nd-digit")
    return join(_square(side, kind), sign)


def digit(mark: int, side: float, kind: str) -> Svg:
    """A number as it stands in a square."""
    return text(mark - 1, 0, -side * 0.03, size=side * 0.72, kind=kind)


def _square(side: float, kind: str) -> Svg:
    """A square in flat layers: its edge below, its face, the light on its upper edge."""
    inner, r = side - 2, side * 0.16
    light = inner / 2 - r
    return join(
        box(inner, inner, "nd-edge", r=r),
        box(inner, inner - side * 0.09, kind, y=-side * 0.045, r=r),
        el("path", d=f"M{-light:.2f} {1.6 - inner / 2:.2f}h{2 * light:.2f}", class_="nd-shine",
           stroke_width=side * 0.05),
    )  # fmt: skip


@lru_cache(256)
def blocks(cells: Cells, unit: float, kind: str = "nd-block") -> Svg:
    """Squares of `unit` round 0, 0."""
    left, low = width(cells) / 2 - 0.5, height(cells) / 2 - 0.5
    return join(
        *(
            join(
                box(unit * 0.94, unit * 0.94, f"{kind}-edge", x=x, y=y, r=unit / 5),
                box(unit * 0.94, unit * 0.78, kind, x=x, y=y - unit * 0.08, r=unit / 5),
            )
            for x, y in (((column - left) * unit, (low - row) * unit) for row, column in cells)
        )
    )


def printed(shape: int) -> Cells:
    """A shape as it lies on dice and tiles: flat, so that its picture is low."""
    return min(ORIENTATIONS[shape], key=height)


def fitted(cells: Cells, wide: float, high: float, most: float) -> float:
    """The side of a shape's squares so that it fits into a space."""
    return min(wide / width(cells), high / height(cells), most)
