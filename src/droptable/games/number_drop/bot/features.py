"""Features of a sheet, as a player sees them: the largest sets and runs, the skyline, the gaps.

Everything is found on the bit boards of `rules.grid` and `rules.links`, for all numbers at once.
"""

from __future__ import annotations

from droptable.core.bits import count_bits
from droptable.core.compile import kernel
from droptable.core.contract import State
from droptable.games.number_drop.rules.grid import (
    ABOVE_LINE,
    HALF,
    MOST_MARK,
    ROW,
    SAFE_ROWS,
    around,
    free,
    group,
    highest,
    marked,
    showing,
    size_of,
    solid,
)
from droptable.games.number_drop.rules.links import backward, find_links, forward, up
from droptable.games.number_drop.rules.shapes import COLUMNS

COLUMN = 0x01010101010101  # the leftmost cells of a half
SAFE_HIGH = HALF & ((1 << ABOVE_LINE) - 1)  # the high half's rows under the Game Over line
MOST_ROOM = 3

# Three times 4 * size + room, the largest first; how many; the size in reach with one more number.
Promising = tuple[int, int, int, int, int]


@kernel
def open_cells(state: State, seat: int) -> tuple[int, int]:
    """The cells that the next shapes can fill: two above each column, under the Game Over line."""
    low, high = solid(state, seat)
    first = up(low, high)
    second = up(first[0] | ROW, first[1])
    near_low = first[0] | ROW | second[0]
    near_high = first[1] | second[1]
    return near_low & ~low, near_high & ~high & SAFE_HIGH


@kernel
def sets(state: State, seat: int, open_low: int, open_high: int) -> Promising:
    """The three most promising sets of equal numbers, how many there are, and what is in reach.

    A set's room is the open cells beside it. In reach are a set, one more number and all that this
    number might join.
    """
    links = find_links(state, seat, 0)
    low = links[0] | links[2] | links[4] | links[6]
    high = links[1] | links[3] | links[5] | links[7]
    first = 0
    second = 0
    third = 0
    count = 0
    reach = 0
    while low | high:
        set_low = low & -low
        set_high = 0 if low else high & -high
        mark, _, _ = highest(state, seat, set_low, set_high)
        same = showing(state, seat, mark)
        set_low, set_high = group(set_low, set_high, same[0], same[1])
        low &= ~set_low
        high &= ~set_high
        beside = around(set_low, set_high)
        room_low = beside[0] & open_low
        room_high = beside[1] & open_high
        room = size_of(room_low, room_high)
        size = size_of(set_low, set_high)
        rank = 4 * size + min(room, MOST_ROOM)
        count += 1
        if rank > first:
            third = second
            second = first
            first = rank
        elif rank > second:
            third = second
            second = rank
        elif rank > third:
            third = rank
        if room:
            across = around(room_low, room_high)
            other = group(across[0] & same[0], across[1] & same[1], same[0], same[1])
            reach = max(reach, 1 + size_of(other[0] | set_low, other[1] | set_high))
    return first, second, third, count, reach


@kernel
def runs(state: State, seat: int, open_low: int, open_high: int) -> Promising:
    """The longest run of ascending numbers, the longest without its cells, and so on.

    A run's room is 1 more than how many of its two ends can grow by a number that is on the dice, 1
    if only a star can make it grow, 0 if nothing can. They count if they are longer than one. In
    reach are the longest run, one more number at an end of it and what goes on behind that.
    """
    links = find_links(state, seat, 1)
    low, high = free(state, seat)
    marks = state["marks"]
    # Below a 0 there is nothing, below a 1 (mark 2) what only a star can be; above a 9 (mark 10)
    # nothing, above 7 and 8 what only a star can be. All others can grow by a die's number.
    past_low = int(marks[seat, 0, 1]) | int(marks[seat, 0, 2]) | int(marks[seat, 0, 3])
    past_high = int(marks[seat, 1, 1]) | int(marks[seat, 1, 2]) | int(marks[seat, 1, 3])
    nines_low = int(marks[seat, 0, 1]) & int(marks[seat, 0, 3])
    nines_high = int(marks[seat, 1, 1]) & int(marks[seat, 1, 3])
    ones_low = (
        past_low & ~int(marks[seat, 0, 0]) & ~int(marks[seat, 0, 2]) & ~int(marks[seat, 0, 3])
    )
    ones_high = (
        past_high & ~int(marks[seat, 1, 0]) & ~int(marks[seat, 1, 2]) & ~int(marks[seat, 1, 3])
    )
    sevens_low = int(marks[seat, 0, 3])
    sevens_high = int(marks[seat, 1, 3])
    near = around(open_low, open_high)
    first = 0
    second = 0
    third = 0
    count = 0
    reach = 0
    for turn in range(3):
        length = 0
        head_low = 0
        head_high = 0
        next_low = low
        next_high = high
        while next_low | next_high:
            length += 1
            head_low = next_low
            head_high = next_high
            back = backward(links, next_low, next_high)
            next_low = back[0] & low
            next_high = back[1] & high
        if length == 0:
            break
        bottom_low = head_low
        bottom_high = head_high
        room = 0
        star = 0
        end_low = head_low & near[0] & past_low
        end_high = head_high & near[1] & past_high
        if end_low & ~ones_low or end_high & ~ones_high:
            room += 1
        elif end_low | end_high:
            star = 1
        for _ in range(length - 1):
            low &= ~head_low
            high &= ~head_high
            reached = forward(links, head_low, head_high)
            head_low = reached[0] & low
            head_high = reached[1] & high
        end_low = head_low & near[0] & ~nines_low
        end_high = head_high & near[1] & ~nines_high
        if end_low & ~sevens_low or end_high & ~sevens_high:
            room += 1
        elif end_low | end_high:
            star = 1
        room = room + 1 if room else star
        low &= ~head_low
        high &= ~head_high
        rank = 4 * length + room
        if length > 1:
            count += 1
        if turn == 0:
            first = rank
            reach = length + min(room, 1)
            mark, bottom_low, bottom_high = highest(state, seat, bottom_low, bottom_high)
            if mark > 2:
                beyond = _across(
                    state, seat, bottom_low, bottom_high, open_low, open_high, mark - 2
                )
                more = 0
                while beyond[0] | beyond[1]:
                    more += 1
                    beyond = backward(links, beyond[0], beyond[1])
                if more:
                    reach = length + 1 + more
            mark += length + 1
            if mark <= MOST_MARK:
                beyond = _across(state, seat, head_low, head_high, open_low, open_high, mark)
                more = 0
                while beyond[0] | beyond[1]:
                    more += 1
                    beyond = forward(links, beyond[0], beyond[1])
                if more:
                    reach = max(reach, length + 1 + more)
        elif turn == 1:
            second = rank
        else:
            third = rank
    return first, second, third, count, reach


@kernel
def _across(
    state: State, seat: int, low: int, high: int, open_low: int, open_high: int, mark: int
) -> tuple[int, int]:
    """The free cells with a number that one open cell parts from some cells."""
    beside = around(low, high)
    across = around(beside[0] & open_low, beside[1] & open_high)
    same = showing(state, seat, mark)
    return across[0] & same[0], across[1] & same[1]


@kernel
def skyline(state: State, seat: int) -> tuple[int, int, int, int, int, int, int]:
    """Full rows, spoilt and nearly full ones, gaps, the highest column, space, rows above.

    A row with a gap, an empty cell under a mark, is spoilt: it can never be full. Nearly full ones
    lack one or two marks. Space is the cells under the Game Over line that can still be filled;
    rows above are those over it with a mark.
    """
    low, high = solid(state, seat)
    cells = marked(state, seat)
    gap_low = low & ~cells[0]
    gap_high = high & ~cells[1]
    full = 0
    spoilt = 0
    nearly = 0
    for row in range(SAFE_ROWS):
        half = row // 7
        shift = 8 * (row % 7)
        marks = ((cells[1] if half else cells[0]) >> shift) & ROW
        gaps = ((gap_high if half else gap_low) >> shift) & ROW
        if marks == ROW:
            full += 1
        elif gaps:
            spoilt += 1
        elif count_bits(marks) >= COLUMNS - 2:
            nearly += 1
    peak = 0
    space = 0
    for column in range(COLUMNS):
        height = count_bits(low & (COLUMN << column)) + count_bits(high & (COLUMN << column))
        peak = max(peak, height)
        space += max(SAFE_ROWS - height, 0)
    above = 0
    over = cells[1] >> ABOVE_LINE
    while over:
        if over & ROW:
            above += 1
        over >>= 8
    return full, spoilt, nearly, size_of(gap_low, gap_high), peak, space, above


@kernel
def steps_between(state: State, seat: int) -> int:
    """The steps between columns, three bits each: 3 more than the step up, from 0 to 6.

    From the left half's edge inward, then from the middle to the right edge; those of the right
    half are seen from the right, so that a mirrored sheet has the same steps in reverse order.
    """
    low, high = solid(state, seat)
    steps = 0
    before = count_bits(low & COLUMN) + count_bits(high & COLUMN)
    for i in range(COLUMNS - 1):
        height = count_bits(low & (COLUMN << (i + 1))) + count_bits(high & (COLUMN << (i + 1)))
        step = height - before if i < 3 else before - height
        steps |= (min(max(step, -3), 3) + 3) << (3 * i)
        before = height
    return steps
