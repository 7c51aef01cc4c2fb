"""The board of Drop. in a picture: wood, hexagons, coordinates, stones, and outlines of groups.

A tall picture stands the board on a corner, a wide one on an edge: so the cells are as large as
they can be.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import cos, pi, sin, sqrt

from droptable.core.components import at, seat_symbol, text, touch
from droptable.core.language import N_, _, spoken
from droptable.core.svg import Svg, el, join
from droptable.games.drop import rules
from droptable.games.drop.picture.stones import STEPS, Cell
from droptable.games.drop.words.notation import cell_name, column_name, row_name

ROOT = sqrt(3)
STONE = 0.7  # a stone's radius, by the side of a cell
OFTEN = 2048  # cells and stones are drawn again and again
HELD = (N_("{cell}, black stone"), N_("{cell}, white stone"), N_("{cell}, the dud"))


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


def in_order(group: Iterable[Cell]) -> list[Cell]:
    """The cells of a group as one would count them: from neighbour to neighbour."""
    left = set(group)
    counted: list[Cell] = []
    waiting = [min(left)] if left else []
    for q, r in waiting:
        counted.append((q, r))
        left.discard((q, r))
        near = [(q + dq, r + dr) for dq, dr in STEPS if (q + dq, r + dr) in left]
        left -= set(near)
        waiting += near
    return counted


@dataclass(frozen=True)
class Hexes:
    """Where the cells of a board are: `side` is the side of a cell, in units of the picture."""

    size: int
    tall: bool
    x: float  # the board's centre
    y: float
    side: float
    frame: float = 0  # the width of the wooden frame, where the coordinates are

    @classmethod
    def within(cls, size: int, tall: bool, x: float, y: float, length: float) -> Hexes:
        """A board that is `length` units wide if it is tall, else high, with its frame."""
        frame = 16 if tall else 28
        return cls(size, tall, x, y, (length - 2 * frame) / (3 * size - 1), frame)

    def at(self, cell: tuple[float, float]) -> tuple[float, float]:
        """The centre of a cell."""
        q, r = cell
        if self.tall:
            return self.x + 1.5 * self.side * q, self.y + ROOT * self.side * (r + q / 2)
        return self.x + ROOT * self.side * (q + r / 2), self.y + 1.5 * self.side * r

    def hexagon(self, scale: float, kind: str) -> Svg:
        """A cell's shape round 0, 0."""
        return _hexagon(self.side * scale, self.tall, kind)

    def edge(self, cell: Cell, step: Cell) -> str:
        """The edge between a cell and its neighbour, as a part of a path."""
        x, y = self.at(cell)
        to_x, to_y = self.at((cell[0] + step[0], cell[1] + step[1]))
        dx, dy = (to_x - x) / ROOT / 2, (to_y - y) / ROOT / 2
        x, y = (x + to_x) / 2, (y + to_y) / 2
        return f"M{_short(x - dy)} {_short(y + dx)}L{_short(x + dy)} {_short(y - dx)}"

    # -- what is drawn ----------------------------------------------------------------------------

    def board(self) -> Svg:
        """The wood under the cells, its frame with the coordinates, and the grain."""
        return _wood(self)

    def grain(self) -> Svg:
        """The grain of the wood over the cells."""
        return _grain(self)

    def cell(self, cell: Cell, kind: int = -1) -> Svg:
        """A cell, with the stone that it holds in its label.

        On the outer ring nothing can be placed, but who tries is told why (DR2).
        """
        return _cell(self, cell, kind, spoken())

    def group(self, cells: Sequence[Cell], colour: int, kind: str = "", key: str = "") -> Svg:
        """The ground of a group, outlined."""
        inside = set(cells)
        edges = [
            self.edge((q, r), (dq, dr))
            for q, r in cells
            for dq, dr in STEPS
            if (q + dq, r + dr) not in inside
        ]
        ground = [at(*self.at(cell), self.hexagon(1, f"ground-{colour}")) for cell in cells]
        outline = el(
            "path",
            d="".join(edges),
            class_=f"group-{colour} {kind}".rstrip(),
            stroke_width=self.side / (6 if kind else 9),
        )
        return el("g", *ground, outline, class_="still", id=key or None)


@lru_cache
def _wood(hexes: Hexes) -> Svg:
    far = hexes.size - 1
    corners = _points([hexes.at((q * far, r * far)) for q, r in STEPS])
    low = _points([(x, y + hexes.frame / 6) for x, y in (hexes.at((q * far, r * far))
                                                         for q, r in STEPS)])  # fmt: skip
    field, width = 2.05 * hexes.side, 2 * (hexes.side + hexes.frame) - hexes.frame / 4
    return join(
        el("polygon", points=low, class_="wood-shadow", stroke_width=width),
        el("polygon", points=corners, class_="wood-rim", stroke_width=width),
        el("polygon", points=corners, class_="wood", stroke_width=width - hexes.frame / 6),
        el("polygon", points=corners, class_="wood-groove", stroke_width=field + 3),
        el("polygon", points=corners, class_="wood-field", stroke_width=field),
        *_coordinates(hexes),
    )


def _coordinates(hexes: Hexes) -> Iterable[Svg]:
    """Letters at the lower ends of the columns, numbers at the left ends of the rows."""
    axis, far = range(1 - hexes.size, hexes.size), hexes.size - 1
    size = 12 if hexes.tall else 22
    beyond = (hexes.side * 1.02 + hexes.frame * 0.43) / (hexes.side * 1.5)  # by steps of a cell
    corner = beyond * 0.9  # where an edge begins, the frame is round
    for q in axis:
        x, y = hexes.at((q, min(far, far - q) + (beyond if q else corner)))
        yield text(column_name(hexes.size, q), x, y, size=size, kind="coordinate")
    for r in axis:
        x, y = hexes.at((max(-far, -far - r) - (beyond if r else corner), r))
        yield text(row_name(hexes.size, r), x, y, size=size, kind="coordinate")


@lru_cache
def _grain(hexes: Hexes) -> Svg:
    """Long lines that bend a little, from one side of the field to the other."""
    lines = []
    far = hexes.size - 1
    for r in range(-far, far + 1):
        for i, shift in enumerate((-0.3, 0.22)):
            first, last = max(-far, -far - r), min(far, far - r)
            bend = hexes.side * (0.14 + 0.05 * ((r * 5 + i * 3) % 4))
            if hexes.tall:  # columns instead of rows: the wood is turned with the board
                (x1, y1), (x2, y2) = hexes.at((r, first)), hexes.at((r, last))
                x1, x2 = x1 + shift * hexes.side, x2 + shift * hexes.side
                third = (y2 - y1) / 3
                curve = f"C{x1 + bend:.1f} {y1 + third:.1f} {x2 - bend:.1f} {y2 - third:.1f}"
            else:
                (x1, y1), (x2, y2) = hexes.at((first, r)), hexes.at((last, r))
                y1, y2 = y1 + shift * hexes.side, y2 + shift * hexes.side
                third = (x2 - x1) / 3
                curve = f"C{x1 + third:.1f} {y1 + bend:.1f} {x2 - third:.1f} {y2 - bend:.1f}"
            lines.append(f"M{x1:.1f} {y1:.1f}{curve} {x2:.1f} {y2:.1f}")
    return el("path", d="".join(lines), class_="grain still")


@lru_cache(OFTEN)
def _cell(hexes: Hexes, cell: Cell, kind: int, _language: str) -> Svg:
    q, r = cell
    name = f"cell-{q},{r}"
    outer = max(abs(q), abs(r), abs(q + r)) == hexes.size - 1
    drawn = hexes.hexagon(0.94, "outer-cell rim" if outer else "cell rim")
    said = cell_name(hexes.size, cell)
    label = _(HELD[kind]).format(cell=said) if kind >= 0 else said
    if kind < 0 and outer:
        label = _("{cell}, outer ring").format(cell=said)
    return touch(name, label, *hexes.at(cell), drawn, key=name, kind="field")


@lru_cache(OFTEN)
def stone(kind: int, radius: float, classes: str = "") -> Svg:
    """A turned stone: black with a light circle, white with a dark square; the dud is a peg."""
    r = round(radius, 1)
    if kind == rules.DUD:
        return join(
            el("circle", cx=r * 0.05, cy=r * 0.2, r=r, class_="shadow"),
            el("circle", r=r * 0.98, class_="peg-foot", stroke_width=r / 10),
            el("circle", cy=-r * 0.04, r=r * 0.74, class_="peg-side"),
            el("circle", cy=-r * 0.22, r=r * 0.68, class_="peg", stroke_width=r / 16),
            _arc(r * 0.5, 195, 285, 0, -r * 0.22, "peg-light", r * 0.1),
            el("path", d=f"M{-r * 0.26:.2f} {-r * 0.22:.2f}H{r * 0.26:.2f}", class_="peg-slot",
               stroke_width=r / 7),
        )  # fmt: skip
    name = ("black", "white")[kind]
    return join(
        el("circle", cx=r * 0.05, cy=r * 0.15, r=r, class_="shadow"),
        el("circle", r=r * 0.97, class_=f"{name} {classes}".rstrip(), stroke_width=r / 14),
        el("circle", cy=-r * 0.05, r=r * 0.86, class_=f"{name}-top"),
        el("circle", cy=-r * 0.05, r=r * 0.6, class_=f"{name}-ring", stroke_width=r * 0.09),
        _arc(r * 0.75, 200, 285, 0, -r * 0.05, f"{name}-light", r * 0.1),
        at(0, -r * 0.05, seat_symbol(kind, r * 0.36, f"{name}-mark")),
    )


def _arc(r: float, start: float, end: float, x: float, y: float, kind: str, width: float) -> Svg:
    """A part of a circle, by degrees clockwise from the right."""
    a, b = start * pi / 180, end * pi / 180
    d = (
        f"M{_short(x + r * cos(a))} {_short(y + r * sin(a))}"
        f"A{_short(r)} {_short(r)} 0 0 1 {_short(x + r * cos(b))} {_short(y + r * sin(b))}"
    )
    return el("path", d=d, class_=kind, stroke_width=width)


@lru_cache
def _hexagon(side: float, tall: bool, kind: str) -> Svg:
    turn = 0 if tall else pi / 6
    corners = [(side * cos(turn + i * pi / 3), side * sin(turn + i * pi / 3)) for i in range(6)]
    return el("polygon", points=_points(corners), class_=kind)


def _points(corners: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{_short(x)},{_short(y)}" for x, y in corners)


def _short(way: float) -> str:
    return f"{way:.1f}".removesuffix(".0")
