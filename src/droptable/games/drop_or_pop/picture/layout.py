"""Where things lie in pictures of Drop or Pop!."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Layout:
    """Where things are in a picture."""

    rows: int
    tall: bool

    @property
    def cell(self) -> float:
        """The height of a row."""
        sizes = (54, 44) if self.tall else (66, 52)
        return sizes[self.rows == 8]

    @property
    def column(self) -> float:
        """The width of a column."""
        return 57 if self.tall else 98

    @property
    def top(self) -> float:
        """Where the holes begin, below the counter that is about to fall."""
        return self.cell + (16 if self.tall else 24)

    @property
    def foot(self) -> float:
        """The height of the columns' feet, where their names are."""
        return 30 if self.tall else 42

    @property
    def size(self) -> float:
        """The size of text."""
        return 13 if self.tall else 23

    @property
    def height(self) -> float:
        return self.top + self.rows * self.cell + self.foot + 8

    def x(self, column: int) -> float:
        return (35 if self.tall else 360) + column * (self.column + 2)

    def y(self, row: float) -> float:
        """The centre of a row; row `rows` hovers above the column."""
        gap = 8 if row >= self.rows else 0
        return self.top + (self.rows - row - 0.5) * self.cell - gap

    @property
    def radius(self) -> float:
        """Of counters."""
        return self.cell * 0.41
