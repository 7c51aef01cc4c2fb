"""Phases 2 and 3: which drops and numbers are legal, and what they do (ND5, ND7-ND9)."""

from __future__ import annotations

from droptable.core.compile import kernel
from droptable.core.contract import Ids, State
from droptable.games.number_drop.rules.grid import REACH, X, landing, mark_cells, marked, solid
from droptable.games.number_drop.rules.record import (
    BLOCK,
    DROP_ID,
    NAME_ID,
    NONE_ID,
    NOTHING,
    NUMBER,
    NUMBER_ID,
    STAR,
)
from droptable.games.number_drop.rules.rounds import after_shape, finish
from droptable.games.number_drop.rules.shapes import DIE_SHAPES, PLACE_COUNT, PLACES, TOP_BITS
from droptable.games.number_drop.rules.solo import after_slide


@kernel
def fits(state: State, seat: int, shape: int, i: int) -> bool:
    """Whether a shape that drops at the i-th of its PLACES ends inside the grid (ND9).

    It does if and only if it fits there under the grid's upper edge.
    """
    in_the_way = solid(state, seat)[1]
    return in_the_way >> REACH == 0 or TOP_BITS[shape, i] & in_the_way == 0


@kernel
def has_drop(state: State, seat: int, shape: int) -> bool:
    """Whether some drop of a shape ends inside the grid (ND9)."""
    in_the_way = solid(state, seat)[1]
    room = not in_the_way >> REACH
    for i in range(PLACE_COUNT[shape]):
        room = room or not TOP_BITS[shape, i] & in_the_way
    return room


@kernel
def legal_drops(state: State, seat: int, ids: Ids) -> int:
    """The places that are inside the grid, as `fits` says, all looked at once."""
    shape = int(state["shape"][seat])
    in_the_way = solid(state, seat)[1]
    count = 0
    if in_the_way >> REACH:
        for i in range(PLACE_COUNT[shape]):
            if not TOP_BITS[shape, i] & in_the_way:
                ids[count] = DROP_ID + PLACES[shape, i]
                count += 1
    else:
        for i in range(PLACE_COUNT[shape]):
            ids[i] = DROP_ID + PLACES[shape, i]
        count = int(PLACE_COUNT[shape])
    return count if count else _only_none(ids)


@kernel
def legal_names(state: State, seat: int, ids: Ids) -> int:
    count = 0
    for shape in range(DIE_SHAPES):
        if has_drop(state, seat, shape):
            ids[count] = NAME_ID + shape
            count += 1
    return count if count else _only_none(ids)


@kernel
def _only_none(ids: Ids) -> int:
    ids[0] = NONE_ID  # ND9
    return 1


@kernel
def drop(state: State, seat: int, place: int) -> None:
    cells = landing(state, seat, int(state["shape"][seat]), place)
    state["fallen"][seat, 0] |= cells[0]
    state["fallen"][seat, 1] |= cells[1]
    if state["doing"][seat] == BLOCK:
        mark_cells(state, seat, cells[0], cells[1], X)  # ND5
        after_block(state, seat)
    else:
        state["doing"][seat] = NUMBER


@kernel
def after_block(state: State, seat: int) -> None:
    if state["players"] == 1:
        after_slide(state, seat)  # ND17
    else:
        state["doing"][seat] = NOTHING  # ND6
        finish(state, seat)


# -- numbers --------------------------------------------------------------------------------------


@kernel
def legal_numbers(state: State, seat: int, ids: Ids) -> int:
    """ND7: what the dice that are left show; anything while a `*` is left."""
    digits = 0
    used = int(state["used"][seat])
    for die in range(4):
        if not (used >> die) & 1:
            face = int(state["dice"][die])
            digits |= 0x3FF if face == STAR else 1 << face
    count = 0
    for digit in range(10):
        if (digits >> digit) & 1:
            ids[count] = NUMBER_ID + digit
            count += 1
    return count


@kernel
def next_to_number(state: State, seat: int) -> tuple[int, int]:
    """The cell that gets the next number: a shape's cells are in the order of bits (ND7)."""
    low, high = marked(state, seat)
    low = int(state["fallen"][seat, 0]) & ~low
    high = int(state["fallen"][seat, 1]) & ~high
    if low:
        return low & -low, 0
    return 0, high & -high


@kernel
def die_for(state: State, seat: int, digit: int) -> int:
    """The die that a seat's next number uses up; -1 if there is none."""
    return die_among(state, int(state["used"][seat]), digit)


@kernel
def die_among(state: State, used: int, digit: int) -> int:
    """Of the dice not used yet, one that shows a number, else a `*` (ND7); -1 if there is none."""
    star = -1
    for die in range(4):
        if not (used >> die) & 1:
            if state["dice"][die] == digit:
                return die
            if state["dice"][die] == STAR:
                star = die
    return star


@kernel
def write_number(state: State, seat: int, digit: int) -> None:
    cell = next_to_number(state, seat)
    mark_cells(state, seat, cell[0], cell[1], digit + 1)
    state["used"][seat] |= 1 << die_for(state, seat, digit)
    if state["used"][seat] == 0b1111:
        after_shape(state, seat)
