"""Which stone is which: ids that follow a stone when it is pushed.

A view does not tell where a stone came from; the steps that led to it do (`Frame.steps`). Without
them stones are named by their cells.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from droptable.core.scene import Frame, Step, story
from droptable.games.drop import rules

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
    rows = [int(row) for row in view["rows"]]
    cells = {}
    for q, r in rules.cells(size):
        bits = (rows[r + size] >> (q + size)) & rules.ONE_CELL
        if bits:
            cells[q, r] = bits.bit_length() // rules.PLANE
    return cells


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
    start = led[0].before if led else view
    named = tuple(
        (cell, "dud" if kind == rules.DUD else f"ring-{cell[0]},{cell[1]}")
        for cell, kind in pieces(start).items()
    )
    for step in led:
        named = _followed(named, step)[1]
    return dict(named)


def names_after(before: Names, step: Step) -> tuple[Names, Names]:
    """The ids after a placement and its pushes, and those of the stones that are then left."""
    there, left = _followed(tuple(before.items()), step)
    return dict(there), dict(left)


Named = tuple[tuple[Cell, str], ...]


def _followed(named: Named, step: Step) -> tuple[Named, Named]:
    return _worked_out(named, step.before.tobytes(), step.after.tobytes(), step.action)


@lru_cache(REMEMBERED)
def _worked_out(named: Named, before: bytes, after: bytes, action: int) -> tuple[Named, Named]:
    view = np.frombuffer(before, rules.STATE)[0]
    moves = dict(pushed(view, action))
    there = {moves.get(cell, cell): name for cell, name in named}
    there[rules.cells(int(view["size"]))[action]] = stone_name(view)
    stands = pieces(np.frombuffer(after, rules.STATE)[0])
    left = {cell: name for cell, name in there.items() if cell in stands}  # DR4
    return tuple(there.items()), tuple(left.items())
