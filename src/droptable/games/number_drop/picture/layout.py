"""Where everything lies in a picture of Number Drop, tall and wide, in units of the picture.

The large sheet's grid gets all the height that there is: it is what people touch.
"""

from __future__ import annotations

from dataclasses import dataclass

from droptable.games.number_drop.rules.grid import ROWS
from droptable.games.number_drop.words.notation import Cell

Place = tuple[float, float]  # a centre


@dataclass(frozen=True)
class Layout:
    """Centres and sizes; lengths that have no word of their own are widths."""

    tall: bool
    width: int
    height: int
    small: float  # the size of small text
    cell: float  # a cell of the large sheet
    left: float  # of the grid's edges
    top: float
    name: tuple[float, float, float, float]  # the large sheet's name: centre, width, height
    dice: tuple[Place, ...]  # the four number dice and the shape die
    die: float
    sign: Place  # the letter whose block falls
    tray: tuple[float, float, float, float]  # what is chosen from: centre, width, height
    tray_columns: int
    thing: float  # a thing in the tray is at most so wide, and so high
    table: tuple[float, float, float, float]  # x of both kinds, letters and tiles
    table_top: float  # the centre of its head line
    table_row: float
    others: tuple[float, float, float, float]  # the place of the others: left, top, width, height

    def at(self, cell: Cell) -> Place:
        """The centre of a cell of the large sheet."""
        row, column = cell
        return (
            self.left + (column + 0.5) * self.cell,
            self.top + (ROWS - row - 0.5) * self.cell,
        )

    def tray_places(self, count: int) -> list[tuple[float, float, float, float]]:
        """Centres and sizes for so many things in the tray, line by line."""
        if not count:
            return []
        x, y, width, height = self.tray
        columns = self.tray_columns
        lines = -(-count // columns)
        wide = min(width / min(count, columns), self.thing)
        high = min(height / lines, self.thing)
        top = y - height / 2 + high / 2
        return [
            (
                x + (i % columns - (min(count, columns) - 1) / 2) * wide,
                top + i // columns * high,
                wide - 3,
                high - 3,
            )
            for i in range(count)
        ]

    def other_places(self, count: int) -> list[tuple[float, float, float, float]]:
        """Centres and sizes for the places of so many others: few get more room."""
        left, top, width, height = self.others
        columns = max(count, 2) if self.tall else min(max(count, 2), 3)
        wide, high = width / columns, height / -(-count // columns)
        return [
            (left + (i % columns + 0.5) * wide, top + (i // columns + 0.5) * high, wide, high)
            for i in range(count)
        ]


TALL = Layout(
    tall=True,
    width=360,
    height=520,
    small=12,
    cell=29,
    left=4,
    top=5,
    name=(297, 17, 118, 24),
    dice=((264, 56), (312, 56), (264, 104), (312, 104), (264, 152)),
    die=44,
    sign=(312, 152),
    tray=(180, 439, 354, 48),
    tray_columns=10,
    thing=48,
    table=(251, 284, 314, 343),
    table_top=186,
    table_row=30,
    others=(4, 466, 352, 52),
)
WIDE = Layout(
    tall=False,
    width=1000,
    height=560,
    small=22,
    cell=38,
    left=390,
    top=14,
    name=(851, 36, 282, 44),
    dice=tuple((43 + 74 * i, 49) for i in range(5)),
    die=70,
    sign=(339, 49),
    tray=(191, 167, 370, 148),
    tray_columns=5,
    thing=74,
    table=(742, 808, 882, 950),
    table_top=92,
    table_row=58,
    others=(6, 252, 370, 302),
)
