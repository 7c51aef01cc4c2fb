"""The board of Drop. in a picture: where its hexagons lie, stones, and outlines of groups.

A tall picture stands the board on a corner of its cells' grid, a wide one on an edge: so the cells
are as large as they can be.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin, sqrt
from typing import Any

from droptable.core.components import at, seat_symbol, touch
from droptable.core.language import _
from droptable.core.svg import Svg, el, join
from droptable.games.drop import rules

Cell = tuple[int, int]  # q, r
STEPS: tuple[Cell, ...] = tuple(
    (int(q), int(r)) for q, r in zip(rules.COLUMN_STEPS, rules.ROW_STEPS, strict=True)
)
ROOT = sqrt(3)
STONE = 0.68  # a stone's radius, by the side of a cell


def pieces(view: Any) -> dict[Cell, int]:
    """The kinds of the pieces on the board."""
    size = int(view["size"])
    cells = {}
    for q, r in rules.cells(size):
        bits = (int(view["rows"][r + size]) >> (q + size)) & rules.ONE_CELL
        if bits:
            cells[q, r] = bits.bit_length() // rules.PLANE
    return cells


def largest_groups(board: dict[Cell, int], colour: int) -> list[list[Cell]]:
    """The largest connected groups of a colour (DR7), several if they are equal."""
    left = {cell for cell, kind in board.items() if kind == colour}
    groups = []
    while left:
        group = [left.pop()]
        for q, r in group:  # grows as its neighbours are found
            near = {(q + dq, r + dr) for dq, dr in STEPS} & left
            group += sorted(near)
            left -= near
        groups.append(sorted(group))
    most = max(map(len, groups), default=0)
    return sorted(group for group in groups if len(group) == most)


@dataclass(frozen=True)
class Hexes:
    """Where the cells of a board are: `side` is the side of a cell, in units of the picture."""

    size: int
    tall: bool
    x: float  # the board's centre
    y: float
    side: float

    @classmethod
    def within(cls, size: int, tall: bool, x: float, y: float, length: float) -> Hexes:
        """A board that is `length` units wide if it is tall, else high, with a margin round it."""
        return cls(size, tall, x, y, length / (3 * size - 1 + 0.6))

    def at(self, cell: Cell) -> tuple[float, float]:
        """The centre of a cell."""
        q, r = cell
        if self.tall:
            return self.x + 1.5 * self.side * q, self.y + ROOT * self.side * (r + q / 2)
        return self.x + ROOT * self.side * (q + r / 2), self.y + 1.5 * self.side * r

    def hexagon(self, scale: float, kind: str) -> Svg:
        """A cell's shape round 0, 0."""
        turn = 0 if self.tall else pi / 6
        corners = [
            (cos(turn + i * pi / 3), sin(turn + i * pi / 3), self.side * scale) for i in range(6)
        ]
        return el("polygon", points=_points([(c * s, d * s) for c, d, s in corners]), class_=kind)

    def edge(self, cell: Cell, step: Cell) -> str:
        """The edge between a cell and its neighbour, as a part of a path."""
        x, y = self.at(cell)
        to_x, to_y = self.at((cell[0] + step[0], cell[1] + step[1]))
        dx, dy = (to_x - x) / ROOT / 2, (to_y - y) / ROOT / 2
        x, y = (x + to_x) / 2, (y + to_y) / 2
        return f"M{x - dy:.2f} {y + dx:.2f}L{x + dy:.2f} {y - dx:.2f}"

    # -- what is drawn ----------------------------------------------------------------------------

    def board(self) -> Svg:
        """The wood under the cells: a hexagon whose corners are those of the outer ring."""
        far = self.size - 1
        corners = _points([self.at((q * far, r * far)) for q, r in STEPS])
        width = 2.3 * self.side
        return join(
            el("polygon", points=corners, class_="wood-rim", stroke_width=width + 2),
            el("polygon", points=corners, class_="wood", stroke_width=width),
        )

    def cell(self, cell: Cell) -> Svg:
        """A cell; on the outer ring nothing can be placed, but who tries is told why (DR2)."""
        q, r = cell
        name = f"cell-{q},{r}"
        outer = max(abs(q), abs(r), abs(q + r)) == self.size - 1
        shapes = (
            [self.hexagon(0.86, "outer-cell")]
            if outer
            else [self.hexagon(0.95, "cell"), self.hexagon(0.95, "zone")]
        )
        label = _("Cell {cell}").format(cell=f"{q},{r}")
        return touch(name, label, *self.at(cell), *shapes, key=name)

    def stone(self, kind: int, cell: Cell) -> Svg:
        """A piece on a cell, named by it: which one moved there is not to be seen in a view."""
        name = f"{('black', 'white', 'dud')[kind]}-{cell[0]},{cell[1]}"
        return at(*self.at(cell), stone(kind, self.side * STONE), key=name, kind="still")

    def group(self, cells: list[Cell], colour: int) -> Svg:
        """The ground of a group, outlined."""
        edges = [
            self.edge((q, r), (dq, dr))
            for q, r in cells
            for dq, dr in STEPS
            if (q + dq, r + dr) not in cells
        ]
        ground = [at(*self.at(cell), self.hexagon(1, f"wash-{colour}")) for cell in cells]
        outline = el("path", d="".join(edges), class_=f"group-{colour}", stroke_width=self.side / 7)
        return el("g", *ground, outline, class_="still")


def stone(kind: int, radius: float) -> Svg:
    """A piece: black with a light circle, white with a dark square, the dud an empty block."""
    if kind == rules.DUD:
        corners = [
            (radius * cos(i * pi / 4 + 0.39), radius * sin(i * pi / 4 + 0.39)) for i in range(8)
        ]
        low = [(x, y + radius * 0.1) for x, y in corners]
        return join(
            el("polygon", points=_points(low), class_="shadow"),
            el("polygon", points=_points(corners), class_="dud", stroke_width=radius / 8),
            *(
                el(
                    "path",
                    d=f"M{-w:.2f} {h:.2f}H{w:.2f}",
                    class_="dud-mark",
                    stroke_width=radius / 6,
                )
                for w, h in ((radius / 2, -radius * 0.3), (radius / 2, radius * 0.3))
            ),
        )
    name = ("black", "white")[kind]
    return join(
        el("circle", cy=radius * 0.1, r=radius, class_="shadow"),
        el("circle", r=radius, class_=name, stroke_width=radius / 10),
        seat_symbol(kind, radius * 0.42, f"{name}-mark"),
    )


def _points(corners: list[tuple[float, float]]) -> str:
    return " ".join(f"{x:.2f},{y:.2f}" for x, y in corners)
