"""The combos that a seat of Number Drop can circle now, offered as short cuts, best first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from droptable.core.components import at, box
from droptable.core.contract import NOBODY
from droptable.core.language import _, ngettext
from droptable.core.scene import Chip, Frame
from droptable.core.svg import Svg, el, join
from droptable.games.number_drop import rules
from droptable.games.number_drop.picture.combo_table import entry_place
from droptable.games.number_drop.picture.layout import Layout
from droptable.games.number_drop.picture.outlines import outline
from droptable.games.number_drop.picture.shape_blocks import digit
from droptable.games.number_drop.picture.table import large_seat, layout_of
from droptable.games.number_drop.rules import combos, grid
from droptable.games.number_drop.rules.scoring import ALL_VALUES, COLUMN_BONUS
from droptable.games.number_drop.words.notation import (
    LETTERS,
    Cell,
    board,
    cells_of,
    digits_text,
)

MOST_CHIPS = 6
MOST_TRACES = 24  # combos that have no button, but can be dragged over
TRIES = 4000  # parts of combos that are looked at; sheets rarely have more than a few hundred
Digits = dict[Cell, int]


def chips(view: Any, seat: int, frame: Frame) -> Sequence[Chip]:
    """The best combos, each with other numbers than those before it; more can be traced only."""
    if seat == NOBODY or not rules.to_act(view) >> seat & 1:
        return ()
    if view["doing"][seat] != rules.CIRCLE:
        return ()
    best: dict[tuple[int, ...], tuple[Cell, ...]] = {}
    combos_here = offered(view, seat)
    for cells in combos_here:
        digits = tuple(sorted(grid.mark_at(view, seat, *cell) - 1 for cell in cells))
        best.setdefault(digits, cells)
    ranked = sorted(best.values(), key=lambda cells: -_worth(view, seat, cells))[:MOST_CHIPS]
    traced = [cells for cells in combos_here if cells not in ranked][:MOST_TRACES]
    return [
        *(_chip(view, seat, cells, frame, _label(view, seat, cells)) for cells in ranked),
        *(_chip(view, seat, cells, frame, "") for cells in traced),
    ]


def offered(view: Any, seat: int) -> list[tuple[Cell, ...]]:
    """The cells of all combos that can be circled now, in an order in which they can be chosen.

    Those with low cells come first: what lies deep has the fewest neighbours to come. Chosen cells
    are part of each, at its beginning, and left out.
    """
    digits = {cell: grid.mark_at(view, seat, *cell) - 1 for cell in cells_of(grid.free(view, seat))}
    chosen = tuple(
        sorted(cells_of(board(view, "chosen", seat)), key=lambda cell: digits.get(cell, 0))
    )
    sizes = combos.open_sizes(view, seat)
    tries = iter(range(TRIES))
    found = [
        *_sets(digits, chosen, sizes[combos.IDENTICAL], tries),
        *_paths(digits, chosen, sizes[combos.CONSECUTIVE], tries),
    ]
    found.sort(key=lambda cells: (sum(row for row, _column in cells), cells))
    return found


def _sets(digits: Digits, chosen: tuple[Cell, ...], sizes: int,
          tries: Iterator[int]) -> Iterator[tuple[Cell, ...]]:  # fmt: skip
    """Connected equal numbers, every set once."""
    if len({digits[cell] for cell in chosen}) > 1:
        return
    seen: set[frozenset[Cell]] = set()
    layer = [chosen] if chosen else [(cell,) for cell in sorted(digits)]
    while layer:
        larger = []
        for cells in layer:
            if next(tries, None) is None:
                return
            if sizes >> len(cells) & 1 and len(cells) >= combos.SMALLEST:
                yield cells
            if len(cells) < combos.BONUS:
                for more in sorted({near for cell in cells for near in near_cells(cell)}):
                    grown = frozenset((*cells, more))
                    same = digits.get(more) == digits[cells[0]]
                    if same and more not in cells and grown not in seen:
                        seen.add(grown)
                        larger.append((*cells, more))
        layer = larger


def _paths(digits: Digits, chosen: tuple[Cell, ...], sizes: int,
           tries: Iterator[int]) -> Iterator[tuple[Cell, ...]]:  # fmt: skip
    """Ways upward, each step to a neighbour one higher."""
    if len(chosen) > 1 and digits[chosen[0]] == digits[chosen[1]]:
        return
    left = [chosen] if chosen else [(cell,) for cell in sorted(digits)]
    while left:
        cells = left.pop()
        if next(tries, None) is None:
            return
        if sizes >> len(cells) & 1 and len(cells) >= combos.SMALLEST:
            yield cells
        if len(cells) < combos.BONUS:
            left += [
                (*cells, near) for near in near_cells(cells[-1])
                if digits.get(near) == digits[cells[-1]] + 1
            ]  # fmt: skip


def near_cells(cell: Cell) -> list[Cell]:
    row, column = cell
    return [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]


def _kind(view: Any, seat: int, cells: Sequence[Cell]) -> int:
    marks = {grid.mark_at(view, seat, *cell) for cell in cells}
    return combos.IDENTICAL if len(marks) == 1 else combos.CONSECUTIVE


def _worth(view: Any, seat: int, cells: Sequence[Cell]) -> float:
    """The points of a combo, with a column that it completes, and a little for a letter."""
    return gained(view, seat, cells) + (1.5 if _letter(view, seat, cells) else 0)


def gained(view: Any, seat: int, cells: Sequence[Cell]) -> int:
    """What circling these cells adds to the score (ND15)."""
    return len(cells) + (COLUMN_BONUS if _completes(view, seat, cells) else 0)


def _completes(view: Any, seat: int, cells: Sequence[Cell]) -> bool:
    """Whether a combo is the last one of its column."""
    if len(cells) == combos.BONUS:
        return False
    circled = int(view["combos"][seat, _kind(view, seat, cells)])
    return circled | 1 << (len(cells) - combos.SMALLEST) == ALL_VALUES


def _letter(view: Any, seat: int, cells: Sequence[Cell]) -> str:
    """The letter that a combo circles, or nothing (ND12)."""
    if len(cells) == combos.BONUS:
        return ""
    value = len(cells) - combos.SMALLEST
    other = int(view["combos"][seat, 1 - _kind(view, seat, cells)])
    open_ = not int(view["crossed"]) >> value & 1
    return LETTERS[value] if other >> value & 1 and open_ else ""


def _label(view: Any, seat: int, cells: Sequence[Cell]) -> str:
    """`2-3-4 → 3 points`, and what else it completes."""
    digits = sorted(grid.mark_at(view, seat, *cell) - 1 for cell in cells)
    points = ngettext("{points} point", "{points} points", len(cells)).format(points=len(cells))
    parts = [f"{digits_text(digits)} → {points}"]
    letter = _letter(view, seat, cells)
    if letter:
        parts.append(_("letter {letter}").format(letter=letter))
    if _completes(view, seat, cells):
        parts.append(_("column +10"))
    return ", ".join(parts)


def _chip(view: Any, seat: int, cells: tuple[Cell, ...], frame: Frame, label: str) -> Chip:
    chosen = cells_of(board(view, "chosen", seat))
    moves = [f"cell {column + 1} {row + 1}" for row, column in cells if (row, column) not in chosen]
    ghost = None
    if large_seat(seat, frame) == seat:
        ghost = el("g", circled_ghost(view, seat, cells, layout_of(frame)), class_="ghost")
    trace = tuple(f"cell-{column + 1}-{row + 1}" for row, column in cells)
    return Chip(label, (*moves, "done"), trace, ghost)


def circled_ghost(view: Any, seat: int, cells: Sequence[Cell], layout: Layout) -> Svg:
    """A combo circled, on the sheet and in its table."""
    marks = [grid.mark_at(view, seat, *cell) for cell in cells]
    place = entry_place(_kind(view, seat, cells), len(cells), layout)
    ring = box(layout.table_row, layout.table_row, "arrow", r=layout.table_row / 2)
    digits = [
        at(*layout.at(cell), digit(mark, layout.cell, "nd-inside"))
        for cell, mark in zip(cells, marks, strict=True)
    ]
    return join(outline(cells, layout, kind="nd-choice"), *digits, at(*place, ring))
