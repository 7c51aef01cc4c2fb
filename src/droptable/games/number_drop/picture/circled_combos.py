"""Which circled cells of a sheet belong together: a record keeps only all of them.

They are split into the combos that the sheet counts, as one would read them from the paper. Where
several ways are possible, any is as good; where it takes too long, touching numbers stay together.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from droptable.core.bits import members
from droptable.games.number_drop.rules import grid
from droptable.games.number_drop.rules.combos import BONUS, CONSECUTIVE, IDENTICAL, SMALLEST
from droptable.games.number_drop.words.notation import Cell, board, cells_of

Digits = dict[Cell, int]
Combo = tuple[int, int]  # kind and size
TRIES = 20_000  # parts of combos; after that the search is given up


def circles(state: Any, seat: int) -> list[list[Cell]]:
    """The cells of each circled combo, this round's first: that one is known."""
    circled = set(cells_of(board(state, "circled", seat)))
    chosen = board(state, "chosen", seat)
    now = [cell for cell in cells_of(chosen) if cell in circled]
    left = circled.difference(now)
    digits = {cell: grid.mark_at(state, seat, *cell) for cell in left}
    combos = [
        (kind, value + SMALLEST)
        for kind in (IDENTICAL, CONSECUTIVE)
        for value in members(int(state["combos"][seat, kind]))
    ]
    if state["bonus"][seat]:
        combos += [(IDENTICAL, BONUS), (CONSECUTIVE, BONUS)]
    parts = split(tuple(sorted(digits.items())), tuple(combos))
    return [*([now] if now else []), *map(list, parts)]


@lru_cache(1024)
def split(marks: tuple[tuple[Cell, int], ...], combos: tuple[Combo, ...]) -> list[list[Cell]]:
    """A way to split numbered cells into such combos, no combo used twice."""
    tries = iter(range(TRIES))
    parts = _split(dict(marks), list(combos), tries)
    return _touching(dict(marks)) if parts is None else parts


def _split(digits: Digits, combos: list[Combo], tries: Iterator[int]) -> list[list[Cell]] | None:
    if not digits:
        return []
    first = min(digits)
    for combo in sorted(combos, key=lambda combo: -combo[1]):
        for cells in _with(first, *combo, digits, tries):
            left = {cell: digit for cell, digit in digits.items() if cell not in cells}
            rest = _split(left, [other for other in combos if other != combo], tries)
            if rest is not None:
                return [sorted(cells), *rest]
    return None


def _with(
    cell: Cell, kind: int, size: int, digits: Digits, tries: Iterator[int]
) -> list[frozenset[Cell]]:
    """All combos of a kind and size among numbered cells that have a cell in them."""
    grown = {frozenset([cell])}
    for _ in range(size - 1):
        grown = {
            cells | {more}
            for cells in grown
            if next(tries, None) is not None
            for more in _more(cells, kind, digits)
        }
    return sorted(grown, key=sorted)


def _more(cells: frozenset[Cell], kind: int, digits: Digits) -> set[Cell]:
    """The cells by which a part of a combo can grow."""
    values = [digits[cell] for cell in cells]
    if kind == IDENTICAL:
        return {
            more for cell in cells for more in _near(cell)
            if more not in cells and digits.get(more) == values[0]
        }  # fmt: skip
    ends = ((min(values), -1), (max(values), 1))
    return {
        more for end, step in ends for cell in cells if digits[cell] == end
        for more in _near(cell) if digits.get(more) == end + step
    }  # fmt: skip


def _touching(digits: Digits) -> list[list[Cell]]:
    """Cells that are connected by equal or consecutive numbers."""
    left = dict(digits)
    parts = []
    while left:
        cell, digit = left.popitem()
        part = [(cell, digit)]
        for here, number in part:  # grows as it is gone through
            for near in _near(here):
                if near in left and abs(left[near] - number) <= 1:
                    part.append((near, left.pop(near)))
        parts.append(sorted(cell for cell, _ in part))
    return sorted(parts)


def _near(cell: Cell) -> list[Cell]:
    row, column = cell
    return [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
