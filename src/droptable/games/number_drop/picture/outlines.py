"""The pencil line round the numbers of a combo: one rounded contour, inside the cells' edges."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from droptable.core.components import STILL, Motion, at
from droptable.core.svg import Svg, el
from droptable.games.number_drop.picture.layout import Layout
from droptable.games.number_drop.words.notation import Cell

Point = tuple[float, float]
INSET = 0.07  # of a cell's side
ROUND = 0.36


def outline_path(cells: Iterable[Cell], c: float, left: float, floor: float) -> str:
    """A contour round cells of side `c`, in a grid whose lower left corner is given."""
    return "".join(
        _rounded([(left + x * c, floor - y * c) for x, y in loop], ROUND * c)
        for loop in contours(tuple(sorted(cells)))
    )


def outline(cells: Iterable[Cell], layout: Layout, key: str | None = None, kind: str = "nd-ring",
            motion: Motion = STILL) -> Svg:  # fmt: skip
    """A line round cells of the large sheet."""
    way = outline_path(cells, layout.cell, layout.left, layout.floor)
    line = el("path", d=way, class_=kind, stroke_width=layout.cell * 0.09)
    return at(0, 0, line, key=key, kind="still", motion=motion)


@lru_cache(1024)
def contours(cells: tuple[Cell, ...]) -> list[list[Point]]:
    """The corners of the cells' outlines, anticlockwise, moved a little inwards."""
    edges: dict[Point, list[Point]] = {}
    for row, column in cells:
        corners = [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)]
        beyond = [(row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)]
        for i, other in enumerate(beyond):
            if other not in cells:
                edges.setdefault(corners[i], []).append(corners[(i + 1) % 4])
    loops = []
    while edges:
        loops.append(_inset(_walk(edges, min(edges))))
    return loops


def _walk(edges: dict[Point, list[Point]], start: Point) -> list[Point]:
    """Use up the edges of one outline. Where two cells touch by a corner it stays with its own."""
    corners: list[Point] = []
    here, way = start, (0.0, 0.0)
    while here in edges:
        ends = edges[here]
        to_left = (here[0] - way[1], here[1] + way[0])
        there = to_left if to_left in ends else ends[0]
        ends.remove(there)
        if not ends:
            del edges[here]
        turned = (there[0] - here[0], there[1] - here[1])
        if turned != way:
            corners.append(here)
        here, way = there, turned
    return corners


def _inset(corners: list[Point]) -> list[Point]:
    moved = []
    for i, (x, y) in enumerate(corners):
        before, after = corners[i - 1], corners[(i + 1) % len(corners)]
        (ax, ay), (bx, by) = _way(before, (x, y)), _way((x, y), after)
        moved.append((x - INSET * (ay + by), y + INSET * (ax + bx)))
    return moved


def _way(a: Point, b: Point) -> Point:
    """The direction from one point to another, along an axis."""
    return _sign(b[0] - a[0]), _sign(b[1] - a[1])


def _sign(number: float) -> float:
    return (number > 1e-6) - (number < -1e-6)


def _rounded(corners: list[Point], r: float) -> str:
    """A closed path with round corners."""
    parts = []
    for i, (x, y) in enumerate(corners):
        before, after = corners[i - 1], corners[(i + 1) % len(corners)]
        (ax, ay), (bx, by) = _way(before, (x, y)), _way((x, y), after)
        start = f"{x - ax * r:.1f} {y - ay * r:.1f}"
        parts.append(
            f"{'L' if i else 'M'}{start}Q{x:.1f} {y:.1f} {x + bx * r:.1f} {y + by * r:.1f}"
        )
    return "".join(parts) + "Z"
