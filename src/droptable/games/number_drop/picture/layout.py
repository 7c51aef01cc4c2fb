"""Where everything lies in a picture of Number Drop, tall and wide, in units of the picture.

The large sheet's grid gets all the height that there is: it is what people touch.
"""

from __future__ import annotations

from dataclasses import dataclass

from droptable.games.number_drop.rules.grid import ROWS
from droptable.games.number_drop.rules.shapes import COLUMNS
from droptable.games.number_drop.words.notation import Cell

Place = tuple[float, float]  # a centre
Space = tuple[float, float, float, float]  # centre, width and height


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
    name: Space  # of the large sheet's owner
    dice: tuple[Place, ...]  # the four number dice and the shape die
    die: float
    piece: Space  # the shape that is dropped, as it lies now
    buttons: tuple[Space, Space]  # turn and flip
    keys: Space  # shapes or numbers to choose from
    key_columns: int
    panel: tuple[float, float]  # left edge and width of the table's ground
    table: tuple[float, float, float, float]  # x of both kinds, letters and tiles
    table_top: float  # the centre of its head line
    table_row: float
    others: tuple[float, float, float, float]  # the place of the others: left, top, width, height

    @property
    def right(self) -> float:
        return self.left + COLUMNS * self.cell

    @property
    def floor(self) -> float:
        return self.top + ROWS * self.cell

    def at(self, cell: Cell) -> Place:
        """The centre of a cell of the large sheet."""
        row, column = cell
        return (
            self.left + (column + 0.5) * self.cell,
            self.top + (ROWS - row - 0.5) * self.cell,
        )

    def key_places(self, count: int) -> list[Space]:
        """Centres and sizes for so many things to choose from, line by line."""
        x, y, width, height = self.keys
        columns = min(count, self.key_columns)
        lines = -(-count // columns)
        wide, high = width / columns, height / lines
        return [
            (
                x - width / 2 + (i % columns + 0.5) * wide,
                y - height / 2 + (i // columns + 0.5) * high,
                wide - 3,
                high - 3,
            )
            for i in range(count)
        ]

    def other_places(self, count: int, rows: int) -> tuple[list[Space], float, int]:
        """Places for so many others, the side of their cells, and how many lines stand below.

        Of all ways to arrange them the one is taken that has the largest cells.
        """
        left, top, width, height = self.others
        ways = []
        for columns in range(1, count + 1):
            wide, high = width / columns - 4, height / -(-count // columns) - 4
            beside = min((wide - self.side - 6) / COLUMNS, (high - self.head - 5) / rows)
            if rows * beside >= self.small * 7.2 or columns == 1:  # points and five letters
                ways.append((beside, columns, 0))
            lines = 1 if wide > self.small * 5.6 else 2  # points stand beside the name, or below
            below = high - self.head - lines * self.small * 1.4 - 6
            ways.append((min((wide - 8) / COLUMNS, below / rows), columns, lines))
        dot, columns, lines = max(ways, key=lambda way: (round(way[0], 1), -way[2]))
        wide, high = width / columns, height / -(-count // columns)
        places = [
            (left + (i % columns + 0.5) * wide, top + (i // columns + 0.5) * high, wide, high)
            for i in range(count)
        ]
        return places, min(dot, self.cell * 0.84), lines

    @property
    def head(self) -> float:
        """The height of a small sheet's name."""
        return self.small * 1.35

    @property
    def side(self) -> float:
        """The width of what stands beside a small sheet."""
        return self.small * (1.45 if self.tall else 1.75)


TALL = Layout(
    tall=True,
    width=360,
    height=520,
    small=12,
    cell=27,
    left=21,
    top=4,
    name=(298, 15, 120, 25),
    dice=((256, 50), (297, 50), (338, 50), (256, 93), (297, 93)),
    die=39,
    piece=(276, 356, 76, 76),
    buttons=((337, 337, 42, 40), (337, 378, 42, 40)),
    keys=(180, 423, 352, 47),
    key_columns=10,
    panel=(238, 120),
    table=(254, 282, 311, 339),
    table_top=126,
    table_row=25.5,
    others=(2, 398, 356, 121),
)
WIDE = Layout(
    tall=False,
    width=1000,
    height=560,
    small=22,
    cell=37,
    left=374,
    top=10,
    name=(167, 31, 318, 46),
    dice=tuple((38 + 64 * i, 90) for i in range(5)),
    die=54,
    piece=(82, 192, 148, 124),
    buttons=((202, 192, 80, 124), (286, 192, 80, 124)),
    keys=(167, 192, 318, 124),
    key_columns=5,
    panel=(8, 318),
    table=(56, 126, 208, 278),
    table_top=281,
    table_row=36,
    others=(692, 6, 304, 548),
)
