"""The shapes of Number Drop as small blocks of squares."""

from __future__ import annotations

from droptable.core.components import box
from droptable.core.svg import Svg, join
from droptable.games.number_drop.rules.shapes import ORIENTATIONS, Cells, height, width


def blocks(cells: Cells, unit: float, kind: str = "block") -> Svg:
    """Squares of `unit` round 0, 0."""
    left, low = width(cells) / 2 - 0.5, height(cells) / 2 - 0.5
    return join(
        *(
            box(unit * 0.94, unit * 0.94, kind, x=(column - left) * unit, y=(low - row) * unit,
                r=unit / 5)
            for row, column in cells
        )
    )  # fmt: skip


def printed(shape: int) -> Cells:
    """A shape as it lies on dice and tiles: flat, so that its picture is low."""
    return min(ORIENTATIONS[shape], key=height)
