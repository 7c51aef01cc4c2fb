"""Combos (ND10, ND11): which cells may be chosen next, found on bit boards; and circling them."""

from __future__ import annotations

from droptable.core.bits import count_bits
from droptable.core.compile import kernel
from droptable.core.contract import Ids, State
from droptable.games.number_drop.rules.grid import (
    MOST_MARK,
    around,
    group,
    highest,
    showing,
    size_of,
)
from droptable.games.number_drop.rules.links import Links, backward, find_links
from droptable.games.number_drop.rules.record import CELL_ID, DONE_ID, SKIP_ID
from droptable.games.number_drop.rules.shapes import COLUMNS

SMALLEST, LARGEST = 3, 7  # the values of a kind; the bonus is one larger
BONUS = 8
IDENTICAL, CONSECUTIVE = 0, 1  # kinds of combos
NO_SIZE = 99  # larger than any combo can be


@kernel
def open_sizes(state: State, seat: int) -> tuple[int, int]:
    """For both kinds, the sizes that can still be circled, as bits 3-8 (ND11)."""
    bonus = 0 if state["bonus"][seat] else 1 << BONUS
    identical = ~int(state["combos"][seat, IDENTICAL]) & 0b11111
    consecutive = ~int(state["combos"][seat, CONSECUTIVE]) & 0b11111
    return (identical << SMALLEST) | bonus, (consecutive << SMALLEST) | bonus


@kernel
def next_open(sizes: int, size: int) -> int:
    """The smallest open size that is larger than this one, or NO_SIZE."""
    larger = (sizes >> (size + 1)) << (size + 1)
    return count_bits((larger & -larger) - 1) if larger else NO_SIZE


@kernel
def kind_of_chosen(state: State, seat: int) -> int:
    """The kind of two or more chosen cells (ND10): identical if all show the highest number."""
    low = int(state["chosen"][seat, 0])
    high = int(state["chosen"][seat, 1])
    top = highest(state, seat, low, high)
    return IDENTICAL if top[1] == low and top[2] == high else CONSECUTIVE


@kernel
def next_cells(state: State, seat: int) -> tuple[int, int]:
    """The cells that may join the chosen ones (ND10).

    A connected set can grow one by one up to its whole group, and a path upward can stop at every
    length. So the next larger open size is in reach, or none is.
    """
    low = int(state["chosen"][seat, 0])
    high = int(state["chosen"][seat, 1])
    size = size_of(low, high)
    mark, top_low, top_high = highest(state, seat, low, high)
    uniform = top_low == low and top_high == high  # also a single cell, which may be either kind
    sizes = open_sizes(state, seat)
    near = around(top_low, top_high)  # an upward path goes on from its highest number
    cells_low = 0
    cells_high = 0
    if uniform:
        wanted = next_open(sizes[IDENTICAL], size)
        same = showing(state, seat, mark)
        whole = group(low, high, same[0], same[1])
        if size_of(whole[0], whole[1]) >= wanted:
            cells_low = near[0] & same[0] & ~low
            cells_high = near[1] & same[1] & ~high
    if size == 1 or not uniform:
        wanted = next_open(sizes[CONSECUTIVE], size)
        heads = path_heads(state, seat, mark + 1, wanted - size)
        cells_low |= near[0] & heads[0]
        cells_high |= near[1] & heads[1]
    return cells_low, cells_high


@kernel
def path_heads(state: State, seat: int, mark: int, length: int) -> tuple[int, int]:
    """The cells with a mark from which a path of so many cells leads upward (ND10)."""
    top = mark + length - 1
    if top > MOST_MARK:
        return 0, 0
    low, high = showing(state, seat, top)
    while top > mark and low | high:
        top -= 1
        near = around(low, high)
        step = showing(state, seat, top)
        low = near[0] & step[0]
        high = near[1] & step[1]
    return low, high


@kernel
def first_cells(state: State, seat: int) -> tuple[int, int]:
    """The cells that some open combo can start from (ND10), for all numbers at once."""
    sizes = open_sizes(state, seat)
    first_low = 0
    first_high = 0
    wanted = next_open(sizes[IDENTICAL], 0)
    if wanted != NO_SIZE:
        first_low, first_high = _of_three(find_links(state, seat, 0))
        if wanted > SMALLEST and first_low | first_high:
            first_low, first_high = _of_size(state, seat, first_low, first_high, wanted)
    wanted = next_open(sizes[CONSECUTIVE], 0)
    if wanted != NO_SIZE:
        links = find_links(state, seat, 1)
        low = links[0] | links[2] | links[4] | links[6]  # the cells from which 2 lead upward
        high = links[1] | links[3] | links[5] | links[7]
        for _ in range(wanted - 2):  # 3, 4 …
            low, high = backward(links, low, high)
        first_low |= low
        first_high |= high
    return first_low, first_high


@kernel
def _of_three(links: Links) -> tuple[int, int]:
    """The cells of sets of three or more: two equal neighbours, or next to such a cell."""
    up_low, up_high, down_low, down_high, right_low, right_high, left_low, left_high = links
    low = (
        (up_low & down_low)
        | (right_low & left_low)
        | ((up_low | down_low) & (right_low | left_low))
    )
    high = (
        (up_high & down_high)
        | (right_high & left_high)
        | ((up_high | down_high) & (right_high | left_high))
    )
    near = backward(links, low, high)
    return low | near[0], high | near[1]


@kernel
def _of_size(state: State, seat: int, low: int, high: int, size: int) -> tuple[int, int]:
    """Those of the cells whose whole group of equal numbers has at least a size."""
    cells_low = 0
    cells_high = 0
    while low | high:
        seed_low = low & -low
        seed_high = 0 if low else high & -high
        mark, _, _ = highest(state, seat, seed_low, seed_high)
        same = showing(state, seat, mark)
        whole = group(seed_low, seed_high, same[0], same[1])
        if size_of(whole[0], whole[1]) >= size:
            cells_low |= whole[0]
            cells_high |= whole[1]
        low &= ~whole[0]
        high &= ~whole[1]
    return cells_low, cells_high


# -- phase 4 --------------------------------------------------------------------------------------


@kernel
def legal_cells(state: State, seat: int, ids: Ids) -> int:
    size = size_of(int(state["chosen"][seat, 0]), int(state["chosen"][seat, 1]))
    cells = first_cells(state, seat) if size == 0 else next_cells(state, seat)
    count = _list_cells(cells[0], CELL_ID, ids, 0)
    count = _list_cells(cells[1], CELL_ID + 7 * COLUMNS, ids, count)
    if size == 0:
        ids[count] = SKIP_ID
        count += 1
    elif (open_sizes(state, seat)[kind_of_chosen(state, seat)] >> size) & 1:
        ids[count] = DONE_ID
        count += 1
    return count


@kernel
def _list_cells(cells: int, first: int, ids: Ids, count: int) -> int:
    while cells:
        bit = count_bits((cells & -cells) - 1)
        ids[count] = first + bit - (bit >> 3)  # 8 bits per row, 7 ids per row
        count += 1
        cells &= cells - 1
    return count


@kernel
def circle(state: State, seat: int) -> None:
    size = size_of(int(state["chosen"][seat, 0]), int(state["chosen"][seat, 1]))
    if size == BONUS:
        state["bonus"][seat] = 1  # ND11
    else:
        state["combos"][seat, kind_of_chosen(state, seat)] |= 1 << (size - SMALLEST)
    for half in range(2):
        state["circled"][seat, half] |= state["chosen"][seat, half]


@kernel
def uncircle(state: State, seat: int) -> None:
    """Undo `circle`, if the combo chosen this round is circled."""
    low = int(state["chosen"][seat, 0])
    high = int(state["chosen"][seat, 1])
    if (low & int(state["circled"][seat, 0])) | (high & int(state["circled"][seat, 1])) == 0:
        return
    size = size_of(low, high)
    if size == BONUS:
        state["bonus"][seat] = 0
    else:
        state["combos"][seat, kind_of_chosen(state, seat)] &= ~(1 << (size - SMALLEST))
    for half in range(2):
        state["circled"][seat, half] &= ~state["chosen"][seat, half]
