"""Where things lie in pictures of Drop or Pop!."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Layout:
    """Where things are in a picture: the tubes in their frame, and the plates beside them."""

    rows: int
    tall: bool

    @property
    def width(self) -> int:
        return 360 if self.tall else 1000

    @property
    def cell(self) -> float:
        """The height of a row."""
        sizes = (56, 49) if self.tall else (63, 49)
        return sizes[self.rows == 8]

    @property
    def pitch(self) -> float:
        """From the centre of a tube to the next one's."""
        return 55 if self.tall else 82

    @property
    def radius(self) -> float:
        """Of counters."""
        return round(self.cell * 0.43, 1)

    @property
    def tube(self) -> float:
        """The width of a tube."""
        return 2 * self.radius + (6 if self.tall else 12)

    @property
    def marker(self) -> float:
        """The height of the sign that names the tube of this turn."""
        return 26 if self.tall else 42

    @property
    def top(self) -> float:
        """Where the tubes begin, below the counter that is about to fall."""
        return self.marker + self.cell + self.lip + (6 if self.tall else 8)

    @property
    def lip(self) -> float:
        """How far the tubes stand out of the frame."""
        return round(self.cell * 0.22, 1)

    @property
    def foot(self) -> float:
        """The height of the frame below the tubes, where their names are."""
        return 26 if self.tall else 44

    @property
    def size(self) -> float:
        """The size of text."""
        return 13 if self.tall else 23

    @property
    def small(self) -> float:
        """The size of the smallest text."""
        return 12 if self.tall else 22

    @property
    def height(self) -> float:
        return self.top + self.rows * self.cell + self.foot + 5

    @property
    def left(self) -> float:
        """The left edge of the frame."""
        return 2 if self.tall else 308

    @property
    def right(self) -> float:
        return 242 if self.tall else 692

    def x(self, column: int) -> float:
        """The centre of a tube."""
        first = 46 if self.tall else 384
        return first + column * self.pitch

    @property
    def middle(self) -> float:
        """Where the marker waits for a colour."""
        return (self.x(1) + self.x(2)) / 2

    def y(self, row: float) -> float:
        """The centre of a row; row `rows` hovers above the tube."""
        gap = self.lip + 2 if row >= self.rows else 0
        return self.top + (self.rows - row - 0.5) * self.cell - gap

    @property
    def exit(self) -> float:
        """Where a counter is that has left its tube through the bottom."""
        return self.height - self.radius - 2
