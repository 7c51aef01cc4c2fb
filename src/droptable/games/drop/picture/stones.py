"""Which stone is which: ids that follow a stone when it is pushed.

A view does not tell where a stone came from; the steps that led to it do (`Frame.steps`). Without
them stones are named by their cells.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np

from droptable.core.scene import Frame, Step, story
from droptable.games.drop import rules

T = TypeVar("T")
Cell = tuple[int, int]  # q, r
Names = dict[Cell, str]
STEPS: tuple[Cell, ...] = tuple(
    (int(q), int(r)) for q, r in zip(rules.COLUMN_STEPS, rules.ROW_STEPS, strict=True)
)
KINDS = ("black", "white", "dud")
REMEMBERED = 2048  # steps whose names are not worked out again


def pieces(view: Any) -> dict[Cell, int]:
    """The kinds of the stones on the board."""
    size = int(view["size"])
    there = {}
    for r, row in enumerate(view["rows"], -size):
        bits = int(row)
        taken = (bits | bits >> rules.PLANE | bits >> 2 * rules.PLANE) & rules.ONE_PLANE
        while taken:
            column = (taken & -taken).bit_length() - 1
            stone = (bits >> column) & rules.ONE_CELL
            there[column - size, r] = stone.bit_length() // rules.PLANE
            taken &= taken - 1
    return there


def pushed(view: Any, action: int) -> list[tuple[Cell, Cell]]:
    """Where the stones that a placement pushes stand, and where they go (DR3): nearest first."""
    size = int(view["size"])
    q, r = rules.cells(size)[action]
    moves = []
    for dq, dr in STEPS:
        for i in range(1, 1 + rules.length_to_push(view, r + size, q + size, dr, dq)):
            moves.append(((q + i * dq, r + i * dr), (q + (i + 1) * dq, r + (i + 1) * dr)))
    return moves


def stone_name(view: Any, later: int = 0) -> str:
    """The id of the stone that is placed next, or as many stones later."""
    return f"stone-{int(rules.placed(view)) + later}"


def names(view: Any, frame: Frame) -> Names:
    """The ids of the stones on the board."""
    led = story(view, frame.steps)
    if len(led) < rules.placed(view):  # not all of the match is known
        return {cell: f"{KINDS[kind]}-{cell[0]},{cell[1]}" for cell, kind in pieces(view).items()}
    numbers = _at_start(led[0].before if led else view)
    for step in led:
        numbers = _followed(numbers, step.before.tobytes(), step.action)
    return {
        cell: _name(number, rules.cells(int(view["size"])))
        for cell, number in _unpacked(numbers, view).items()
    }


def names_after(before: Names, step: Step) -> tuple[Names, Names]:
    """The ids after a placement and its pushes, and those of the stones that are then left."""
    there = _moved(before, step.before, step.action, stone_name(step.before))
    stands = pieces(step.after)
    return there, {cell: name for cell, name in there.items() if cell in stands}  # DR4


def _moved(before: dict[Cell, T], view: Any, action: int, placed: T) -> dict[Cell, T]:
    """What stands where after a placement and its pushes."""
    moves = dict(pushed(view, action))
    there = {moves.get(cell, cell): stone for cell, stone in before.items()}
    there[rules.cells(int(view["size"]))[action]] = placed
    return there


# -- remembered -----------------------------------------------------------------------------------

# Which stone stands where is remembered for many matches at once, so it is packed: 16 bits per cell
# with 0, or 1 and on for stones in the order of their placement, or where a stone lay at the start.
RING, DUD = 10_000, 20_000


def _at_start(view: Any) -> bytes:
    stands = pieces(view)
    return array(
        "H",
        [
            (DUD if stands[cell] == rules.DUD else RING + number) if cell in stands else 0
            for number, cell in enumerate(rules.cells(int(view["size"])))
        ],
    ).tobytes()


def _unpacked(numbers: bytes, view: Any) -> dict[Cell, int]:
    cells = rules.cells(int(view["size"]))
    return {cell: number for cell, number in zip(cells, array("H", numbers), strict=True) if number}


@lru_cache(REMEMBERED)
def _followed(numbers: bytes, before: bytes, action: int) -> bytes:
    """Which stones are left where, after a placement, its pushes and squeezes."""
    view = np.frombuffer(before, rules.STATE)[0]
    there = _moved(_unpacked(numbers, view), view, action, 1 + int(rules.placed(view)))
    after = {name: view[name].tolist() for name in view.dtype.names}
    rules.place(after, rules.seat_to_place(view), action)
    rules.take_squeezed(after)
    stands = pieces(after)
    cells = rules.cells(int(view["size"]))
    return array("H", [there[cell] if cell in stands else 0 for cell in cells]).tobytes()


def _name(number: int, cells: Sequence[Cell]) -> str:
    if number == DUD:
        return "dud"
    if number >= RING:
        q, r = cells[number - RING]
        return f"ring-{q},{r}"
    return f"stone-{number - 1}"
