"""The ten shapes of Number Drop, their numbered orientations, and the same as bits for the kernels.

As in `grid`, the cell at (row, column) is bit 8 * row + column. A shape's bits are those of its
place in the lower left corner.
"""

from __future__ import annotations

import numpy as np

Cells = tuple[tuple[int, int], ...]  # (row, column), ascending: bottom row first, left to right

COLUMNS = 7
MOST_ORIENTATIONS = 8
PICTURES = {
    "I": ("####",),
    "O": ("##", "##"),
    "T": ("###", " # "),
    "L": ("# ", "# ", "##"),
    "S": (" ##", "## "),
    "I3": ("###",),
    "L3": ("# ", "##"),
    "U5": ("# #", "###"),
    "X5": (" # ", "###", " # "),
    "T5": ("###", " # ", " # "),
}
SHAPES = tuple(PICTURES)  # the first five are on the shape die and are the solo tiles
DIE_SHAPES = 5


def shifted(cells: Cells) -> Cells:
    """The cells with lowest row and leftmost column 0, in order."""
    low = min(row for row, _ in cells)
    left = min(column for _, column in cells)
    return tuple(sorted((row - low, column - left) for row, column in cells))


def orientations(shape: str) -> tuple[Cells, ...]:
    """All rotations and mirror images, each once, sorted: an orientation's number is its index."""
    cells: Cells = tuple(
        (row, column)
        for row, line in enumerate(reversed(PICTURES[shape]))
        for column, mark in enumerate(line)
        if mark == "#"
    )
    versions = set()
    for _ in range(4):
        cells = tuple((column, -row) for row, column in cells)
        versions.add(shifted(cells))
        versions.add(shifted(tuple((row, -column) for row, column in cells)))
    return tuple(sorted(versions))


ORIENTATIONS = tuple(orientations(shape) for shape in SHAPES)


def height(cells: Cells) -> int:
    return 1 + max(row for row, _ in cells)


def width(cells: Cells) -> int:
    return 1 + max(column for _, column in cells)


def bits(cells: Cells) -> int:
    return sum(1 << (8 * row + column) for row, column in cells)


# Index [shape, orientation]; 0 where a shape has no such orientation.
BITS = np.zeros((len(SHAPES), MOST_ORIENTATIONS), np.int64)
# Index [shape, i]: the places where a shape is inside the seven columns, 7 * orientation + column,
# ascending, PLACE_COUNT of them; TOP_BITS is the shape there under the grid's upper edge, as bits
# of the grid's high half.
PLACE_COUNT = np.zeros(len(SHAPES), np.int64)
PLACES = np.zeros((len(SHAPES), MOST_ORIENTATIONS * COLUMNS), np.int64)
TOP_BITS = np.zeros((len(SHAPES), MOST_ORIENTATIONS * COLUMNS), np.int64)

for _shape, _orientations in enumerate(ORIENTATIONS):
    for _number, _cells in enumerate(_orientations):
        BITS[_shape, _number] = bits(_cells)
        for _column in range(COLUMNS + 1 - width(_cells)):
            _i = PLACE_COUNT[_shape]
            PLACES[_shape, _i] = COLUMNS * _number + _column
            TOP_BITS[_shape, _i] = bits(_cells) << (8 * (7 - height(_cells)) + _column)
            PLACE_COUNT[_shape] += 1
