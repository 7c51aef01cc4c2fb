"""Names of cells as people say them: `c4`, a letter for the column and a number for the row.

Rows are horizontal on a wide screen, and row 1 is the lowest. Columns slant down to the right;
column a begins with the lowest row, so that `a1` is the board's lower left corner. A cell has the
same name however the board is turned. Tokens stay `q,r`.
"""

from __future__ import annotations

Cell = tuple[int, int]  # q, r


def cell_name(size: int, cell: Cell) -> str:
    """The name of a cell of a board with `size` cells on a side."""
    q, r = cell
    return column_name(size, q) + row_name(size, r)


def column_name(size: int, q: int) -> str:
    return chr(ord("a") + q + size - 1)


def row_name(size: int, r: int) -> str:
    return str(size - r)


def cell_named(size: int, name: str) -> Cell:
    """The cell that has this name."""
    return ord(name[0]) - ord("a") - size + 1, size - int(name[1:])
