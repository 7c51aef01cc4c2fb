"""How the parts of Number Drop are named: cells, dice, tiles, combos, moves, for all its words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from droptable.core.bits import members
from droptable.core.language import _
from droptable.games.number_drop import rules
from droptable.games.number_drop.rules import grid
from droptable.games.number_drop.rules.shapes import COLUMNS, SHAPES

Board = tuple[int, int]  # the low and the high half of a grid as bits, see `grid`
Cell = tuple[int, int]  # (row, column), from 0

LETTERS = "ABCDE"
COLUMN_LETTERS = "abcdefg"
STAR = "★"  # to people; tokens write `*`
KINDS = ("identical", "consecutive")


def board(state: Any, field: str, seat: int) -> Board:
    """A seat's `circled`, `fallen` or `chosen` cells."""
    low, high = state[field][seat]
    return int(low), int(high)


def cells_of(cells: Board) -> list[Cell]:
    """The cells of a board, bottom row first; bits outside the grid do not count."""
    return [
        (row + 7 * half, column)
        for half in range(2)
        for row in range(7)
        for column in range(COLUMNS)
        if cells[half] >> (8 * row + column) & 1
    ]


def place_of(cell: Cell) -> str:
    """A cell as the edges of the sheet name it: `c4`."""
    row, column = cell
    return f"{COLUMN_LETTERS[column]}{row + 1}"


def columns_of(cells: list[Cell]) -> str:
    """The columns of some cells: `column b`, `columns b-d`."""
    columns = [column for _row, column in cells]
    first, last = COLUMN_LETTERS[min(columns)], COLUMN_LETTERS[max(columns)]
    text = _("column {first}") if first == last else _("columns {first}-{last}")
    return text.format(first=first, last=last)


def face(number: int) -> str:
    """A number die's face: `5`, `*`, or `-` before it is rolled."""
    return "*" if number == rules.STAR else str(number or "-")


def shown_die(number: int) -> str:
    """A number die's face as people are told of it: `5`, `★`."""
    return STAR if number == rules.STAR else str(number)


def shape_face(state: Any) -> str:
    """The shape die's face."""
    shape = int(state["shape_die"])
    return "-" if shape == rules.NO_SHAPE else "*" if shape == rules.WILD else SHAPES[shape]


def digits_left(state: Any, seat: int) -> list[int]:
    """The faces of the number dice that a seat has not used yet."""
    return [int(state["dice"][die]) for die in range(4) if not state["used"][seat] >> die & 1]


def tile_of(state: Any, letter: int) -> str:
    """A letter with its tile: `A (T5)`."""
    tile = int(state["tiles"][letter])
    return f"{LETTERS[letter]} ({'-' if tile == rules.NO_SHAPE else SHAPES[tile]})"


def score_list(state: Any) -> list[int]:
    """All seats' points so far."""
    return [rules.score(state, seat) for seat in range(state["players"])]


# -- moves ----------------------------------------------------------------------------------------

_STARTS = (
    (rules.SLIDE_ID, "slide"),
    (rules.NONE_ID, "none"),
    (rules.SKIP_ID, "skip"),
    (rules.DONE_ID, "done"),
    (rules.CELL_ID, "cell"),
    (rules.NUMBER_ID, "num"),
    (rules.DROP_ID, "at"),
    (rules.NAME_ID, "as"),
    (rules.WRITE_ID, "write"),
)


def split_action(action: int) -> tuple[str, int]:
    """An action's kind and its number within the kind."""
    return next((kind, action - start) for start, kind in _STARTS if action >= start)


def dropped_shape(state: Any, seat: int) -> str:
    return SHAPES[int(state["shape"][seat])]


def landing_place(state: Any, seat: int, place: int) -> str:
    return columns_of(cells_of(grid.landing(state, seat, int(state["shape"][seat]), place)))


def combo_digits(state: Any, seat: int, cells: Board) -> list[int]:
    """The numbers of a combo, ascending."""
    return sorted(grid.mark_at(state, seat, row, column) - 1 for row, column in cells_of(cells))


def combo_text(state: Any, seat: int, cells: Board) -> str:
    """`2-3-4`, or `5·5·5`, for the cells of one combo."""
    return digits_text(combo_digits(state, seat, cells))


def digits_text(digits: list[int]) -> str:
    return ("·" if digits[0] == digits[-1] else "-").join(map(str, digits))


def listed(seats: int, names: Sequence[str]) -> str:
    listed = [names[seat] for seat in members(seats)]
    return _(" and ").join(filter(None, [", ".join(listed[:-1]), listed[-1]]))
