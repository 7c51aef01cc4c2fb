"""Candidates for circling: the combos that bots consider, one after the other.

Of a set that is larger than a combo only its lowest part is considered, which leaves the cells
where more can fall; of the paths from one cell only one. `first_combo` and `next_combo` go through
them, beginning with none at all; with cells chosen already, only those that they can become count.
"""

from __future__ import annotations

from droptable.core.compile import kernel
from droptable.core.contract import State
from droptable.core.net import Weights
from droptable.games.number_drop.bot.worth import worth
from droptable.games.number_drop.rules.combos import (
    BONUS,
    CONSECUTIVE,
    IDENTICAL,
    SMALLEST,
    first_cells,
    kind_of_chosen,
    next_cells,
    open_sizes,
    path_heads,
)
from droptable.games.number_drop.rules.grid import MOST_MARK, around, group, showing, size_of

NO_KIND = 2
# A kind, mark and size, the cells with which such combos can still begin, and the combo's cells.
Combo = tuple[int, int, int, int, int, int, int]


@kernel
def first_combo(state: State, seat: int) -> Combo:
    """No combo (of size 0); or with cells chosen, the smallest that they become first."""
    if state["chosen"][seat, 0] | state["chosen"][seat, 1]:
        low, high, kind = completed(state, seat)
        return kind, 0, size_of(low, high), 0, 0, low, high
    return IDENTICAL, 0, 0, 0, 0, 0, 0


@kernel
def next_combo(
    state: State, seat: int, kind: int, mark: int, size: int, rest_low: int, rest_high: int
) -> Combo:
    """The next combo after one, of kind NO_KIND if it was the last."""
    chosen = int(state["chosen"][seat, 0]) | int(state["chosen"][seat, 1])
    if mark == 0:  # after the first
        starts = first_cells(state, seat)
        if chosen == 0 and starts[0] | starts[1] == 0:
            return NO_KIND, 0, 0, 0, 0, 0, 0
        kind = IDENTICAL
        mark = 1
        size = SMALLEST - 1
    sizes = open_sizes(state, seat)
    while kind != NO_KIND:
        while rest_low | rest_high:
            seed_low = rest_low & -rest_low
            seed_high = 0 if rest_low else rest_high & -rest_high
            if kind == IDENTICAL:
                same = showing(state, seat, mark)
                low, high = group(seed_low, seed_high, same[0], same[1])
                rest_low &= ~low
                rest_high &= ~high
                if size_of(low, high) < size:
                    continue
                low, high = _lowest_part(seed_low, seed_high, low, high, size)
            else:
                rest_low &= ~seed_low
                rest_high &= ~seed_high
                low, high = _path(state, seat, mark, size, seed_low, seed_high)
            if chosen == 0 or _goes_on(state, seat, kind, low, high):
                return kind, mark, size, rest_low, rest_high, low, high
        size += 1
        if size > BONUS:
            size = SMALLEST
            mark += 1
            if mark > MOST_MARK:
                mark = 1
                kind += 1
        if kind == IDENTICAL and (sizes[IDENTICAL] >> size) & 1:
            rest_low, rest_high = showing(state, seat, mark)
            if size_of(rest_low, rest_high) < size:
                rest_low = 0
                rest_high = 0
                size = BONUS  # the larger ones are not there either
        elif kind == CONSECUTIVE and (sizes[CONSECUTIVE] >> size) & 1:
            rest_low, rest_high = path_heads(state, seat, mark, size)
            if rest_low | rest_high == 0:
                size = BONUS
    return NO_KIND, 0, 0, 0, 0, 0, 0


@kernel
def _lowest_part(
    low: int, high: int, whole_low: int, whole_high: int, size: int
) -> tuple[int, int]:
    """A connected part of a set that leaves its upper cells, where more can fall."""
    while size_of(low, high) < size:
        near = around(low, high)
        more_low = near[0] & whole_low & ~low
        if more_low:
            low |= more_low & -more_low
        else:
            more_high = near[1] & whole_high & ~high
            high |= more_high & -more_high
    return low, high


@kernel
def _path(state: State, seat: int, mark: int, size: int, low: int, high: int) -> tuple[int, int]:
    """A path upward of some size from a cell that has one."""
    path_low = low
    path_high = high
    for rest in range(size - 1, 0, -1):
        mark += 1
        near = around(low, high)
        heads = path_heads(state, seat, mark, rest)
        low = near[0] & heads[0]
        low &= -low
        high = 0
        if low == 0:
            high = near[1] & heads[1]
            high &= -high
        path_low |= low
        path_high |= high
    return path_low, path_high


@kernel
def _goes_on(state: State, seat: int, kind: int, low: int, high: int) -> bool:
    """Whether the chosen cells are a beginning of a combo: part of a set, or a path's lowest."""
    chosen_low = int(state["chosen"][seat, 0])
    chosen_high = int(state["chosen"][seat, 1])
    if chosen_low & ~low | chosen_high & ~high:
        return False
    if size_of(chosen_low, chosen_high) > 1 and kind_of_chosen(state, seat) != kind:
        return False
    if kind == CONSECUTIVE:
        ended = False
        for mark in range(1, MOST_MARK + 1):
            same = showing(state, seat, mark)
            if same[0] & chosen_low | same[1] & chosen_high:
                if ended:
                    return False
            elif same[0] & low | same[1] & high:
                ended = True
    return True


@kernel
def completed(state: State, seat: int) -> tuple[int, int, int]:
    """Some combo that the chosen cells can become, the smallest, and its kind."""
    before_low = int(state["chosen"][seat, 0])
    before_high = int(state["chosen"][seat, 1])
    low = before_low
    high = before_high
    kind = kind_of_chosen(state, seat)
    while not (open_sizes(state, seat)[kind] >> size_of(low, high)) & 1:
        more = next_cells(state, seat)
        more_low = more[0] & -more[0]
        more_high = 0 if more_low else more[1] & -more[1]
        low |= more_low
        high |= more_high
        state["chosen"][seat, 0] = low
        state["chosen"][seat, 1] = high
        kind = kind_of_chosen(state, seat)
    state["chosen"][seat, 0] = before_low
    state["chosen"][seat, 1] = before_high
    return low, high, kind


@kernel
def worth_circled(
    state: State,
    seat: int,
    left: float,
    kind: int,
    size: int,
    low: int,
    high: int,
    weights: Weights,
) -> float:
    """What the sheet is worth with a combo circled; with none if its size is 0."""
    value = 1 << (size - SMALLEST) if SMALLEST <= size < BONUS else 0
    bonus = 1 if size == BONUS else 0
    state["circled"][seat, 0] |= low
    state["circled"][seat, 1] |= high
    state["bonus"][seat] += bonus
    state["combos"][seat, kind] |= value
    value_circled = worth(state, seat, left, weights)
    state["bonus"][seat] -= bonus
    state["combos"][seat, kind] &= ~value
    state["circled"][seat, 0] &= ~low
    state["circled"][seat, 1] &= ~high
    return value_circled


@kernel
def best_circled(state: State, seat: int, left: float, weights: Weights) -> float:
    """What the sheet is worth with the best combo circled, or none."""
    best = -1000.0
    kind, mark, size, rest_low, rest_high, low, high = first_combo(state, seat)
    while kind != NO_KIND:
        best = max(best, worth_circled(state, seat, left, kind, size, low, high, weights))
        kind, mark, size, rest_low, rest_high, low, high = next_combo(
            state, seat, kind, mark, size, rest_low, rest_high
        )
    return best
