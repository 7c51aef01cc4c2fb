"""Whole turns of Number Drop: what a seat can do until others have to act, best first.

A turn is a list of actions, ended by NO_MORE. Every way to drop a shape with its numbers is looked
at quickly (`_look_at_drops`); the best ones are judged by `worth`, each with the combos that could
be circled after it. Turns can be planned from any point: what is done already stays.
The record is changed in place while planning and put back; `notes` is scratch.
"""

from __future__ import annotations

from typing import Any

from droptable.core.bits import lowest_bit
from droptable.core.compile import kernel
from droptable.core.contract import State
from droptable.games.number_drop.circling import (
    NO_KIND,
    first_combo,
    next_combo,
    worth_circled,
)
from droptable.games.number_drop.combos import BONUS, CONSECUTIVE, SMALLEST, open_sizes
from droptable.games.number_drop.grid import (
    MOST_MARK,
    REACH,
    ROWS,
    X,
    around,
    group,
    landing,
    marked,
    showing,
    size_of,
    solid,
)
from droptable.games.number_drop.rules import (
    BLOCK,
    CELL_ID,
    CIRCLE,
    CLOCKWISE,
    DONE_ID,
    DROP,
    DROP_ID,
    LETTERS,
    NAME,
    NAME_ID,
    NONE_ID,
    NUMBER,
    NUMBER_ID,
    SKIP_ID,
    SLIDE,
    SLIDE_ID,
    STAR,
    WRITE_ID,
    apply,
    can_slide,
    has_drop,
    letters,
    to_act,
)
from droptable.games.number_drop.shapes import (
    COLUMNS,
    DIE_SHAPES,
    PLACE_COUNT,
    PLACES,
    TOP_BITS,
)
from droptable.games.number_drop.worth import Weights, slides_left, worth

Plans = Any  # int32 [row, PLAN]: turns, actions ended by NO_MORE
Worths = Any  # float64 [row]
Notes = Any  # int64 [NOTES]: scratch

PLAN = 24  # longest turn, with its end
NO_MORE = -1

# Where in the notes things stand. Cells are 9 * (row + 1) + column + 1: with a border of nothing.
GRID = 9 * (ROWS + 2)
MARK, SET, RUN_DOWN, RUN_UP = 0, GRID, 2 * GRID, 3 * GRID  # of each cell; sizes with the cell
QUICK = 4 * GRID  # [kind, size]: what a set or run is worth, in hundredths
SAME = QUICK + 2 * 16  # [cell of the shape, mark]: size of the equal neighbours,
LOWER = SAME + 4 * 12  # … of the runs that end beside it one lower,
HIGHER = LOWER + 4 * 12  # … that begin beside it one higher
WHERE = HIGHER + 4 * 12  # of the shape's cells
NOW = WHERE + 4  # [cell of the shape, …]: mark, set, run down, run up, score, digits tried, used
BEST = NOW + 4 * 8  # [i, …]: score and numbers of the best ways to fill one place
EACH = 3  # ways to fill a place that are kept
NOTES = BEST + 2 * (EACH + 1)

GROWTH = 0.5  # what a combo's value keeps for each number that it lacks
NUMBERS = 0.2  # what the numbers count, against the place, when drops are looked at quickly


@kernel
def best_turns(
    state: State,
    seat: int,
    limit: int,
    plans: Plans,
    worths: Worths,
    notes: Notes,
    weights: Weights,
) -> int:
    """Write up to `limit` turns, best first, and what the sheet is worth after each.

    Returns how many. The rows of `plans` beyond `limit` hold the drops to be judged: the more, the
    better the plans.
    """
    doing = int(state["doing"][seat])
    left = slides_left(state)
    if doing == CIRCLE:
        plans[limit, 0] = NO_MORE
        return _judge(state, seat, left, limit, plans, worths, 0, limit, True, weights)
    if doing in (NAME, DROP, NUMBER):
        return _plan_drop(state, seat, left, limit, plans, worths, notes, weights)
    if doing == BLOCK:
        return _plan_block(state, seat, left, limit, plans, worths, 0, NO_MORE, weights)
    if doing == SLIDE:
        return _plan_slide(state, seat, left, limit, plans, worths, weights)
    count = 0
    for column in range(COLUMNS):
        mark_cells(state, seat, 1 << column, 0, seat + 2)
        row = _insert(plans, worths, count, limit, worth(state, seat, left, weights))
        unmark(state, seat, 1 << column, 0)
        if row >= 0:
            plans[row, 0] = WRITE_ID + column
            plans[row, 1] = NO_MORE
            count = min(count + 1, limit)
    return count


@kernel
def _insert(plans: Plans, worths: Worths, count: int, limit: int, value: float) -> int:
    """Make room for a turn among those found, best first; return its row, -1 if it is too bad."""
    if count == limit and value <= worths[limit - 1]:
        return -1
    row = min(count, limit - 1)
    while row > 0 and worths[row - 1] < value:
        worths[row] = worths[row - 1]
        for i in range(PLAN):
            plans[row, i] = plans[row - 1, i]
        row -= 1
    worths[row] = value
    return row


@kernel
def mark_cells(state: State, seat: int, low: int, high: int, mark: int) -> None:
    for k in range(4):
        if (mark >> k) & 1:
            state["marks"][seat, 0, k] |= low
            state["marks"][seat, 1, k] |= high


@kernel
def unmark(state: State, seat: int, low: int, high: int) -> None:
    for k in range(4):
        state["marks"][seat, 0, k] &= ~low
        state["marks"][seat, 1, k] &= ~high


@kernel
def fits(state: State, seat: int, shape: int, i: int) -> bool:
    in_the_way = solid(state, seat)[1]
    return in_the_way >> REACH == 0 or TOP_BITS[shape, i] & in_the_way == 0


# -- blocks and tiles -----------------------------------------------------------------------------


@kernel
def _plan_block(
    state: State,
    seat: int,
    left: int,
    limit: int,
    plans: Plans,
    worths: Worths,
    count: int,
    slide: int,
    weights: Weights,
) -> int:
    """Turns that drop the seat's block, after a slide if there is one."""
    shape = int(state["shape"][seat])
    first = 0 if slide == NO_MORE else 1
    if not has_drop(state, seat, shape):
        row = _insert(plans, worths, count, limit, worth(state, seat, left, weights))
        if row < 0:
            return count
        plans[row, 0] = slide
        plans[row, first] = NONE_ID
        plans[row, first + 1] = NO_MORE
        return min(count + 1, limit)
    for i in range(PLACE_COUNT[shape]):
        if fits(state, seat, shape, i):
            place = int(PLACES[shape, i])
            low, high = landing(state, seat, shape, place)
            mark_cells(state, seat, low, high, X)
            row = _insert(plans, worths, count, limit, worth(state, seat, left, weights))
            unmark(state, seat, low, high)
            if row >= 0:
                plans[row, 0] = slide
                plans[row, first] = DROP_ID + place
                plans[row, first + 1] = NO_MORE
                count = min(count + 1, limit)
    return count


@kernel
def _plan_slide(
    state: State, seat: int, left: int, limit: int, plans: Plans, worths: Worths, weights: Weights
) -> int:
    """Turns that slide a tile, and drop it if it says GO!"""
    count = 0
    shape = int(state["shape"][seat])
    for letter in range(LETTERS):
        if can_slide(state, letter):
            state["notches"][letter] -= 1
            if state["notches"][letter] == 0 and not (letters(state, seat) >> letter) & 1:
                state["shape"][seat] = state["tiles"][letter]
                slide = SLIDE_ID + letter
                count = _plan_block(
                    state, seat, left - 1, limit, plans, worths, count, slide, weights
                )
                state["shape"][seat] = shape
            else:
                row = _insert(plans, worths, count, limit, worth(state, seat, left - 1, weights))
                if row >= 0:
                    plans[row, 0] = SLIDE_ID + letter
                    plans[row, 1] = NO_MORE
                    count = min(count + 1, limit)
            state["notches"][letter] += 1
    return count


# -- shapes and their numbers ---------------------------------------------------------------------


@kernel
def _plan_drop(
    state: State,
    seat: int,
    left: int,
    limit: int,
    plans: Plans,
    worths: Worths,
    notes: Notes,
    weights: Weights,
) -> int:
    """Turns that name, place and number a shape, as far as that is not done, and circle a combo."""
    found = _look_at_drops(state, seat, left, limit, plans, worths, notes, weights)
    circles = state["order"] != CLOCKWISE
    if found == 0:  # ND9
        plans[limit, 0] = NONE_ID
        plans[limit, 1] = NO_MORE
        return _judge(state, seat, left, limit, plans, worths, 0, limit, circles, weights)
    count = 0
    fallen_low = int(state["fallen"][seat, 0])
    fallen_high = int(state["fallen"][seat, 1])
    before = marked(state, seat)
    shape_before = int(state["shape"][seat])
    for drop in range(limit, limit + found):
        # Do what the row says, then judge, then undo it.
        shape = shape_before
        low = fallen_low & ~before[0]
        high = fallen_high & ~before[1]
        step = 0
        if plans[drop, step] < DROP_ID:
            shape = int(plans[drop, step]) - NAME_ID
            step += 1
        if plans[drop, step] < NUMBER_ID:
            low, high = landing(state, seat, shape, int(plans[drop, step]) - DROP_ID)
            step += 1
        cells_low = low
        cells_high = high
        while plans[drop, step] != NO_MORE:
            cell_low = low & -low
            cell_high = 0 if low else high & -high
            mark_cells(state, seat, cell_low, cell_high, int(plans[drop, step]) - NUMBER_ID + 1)
            low &= ~cell_low
            high &= ~cell_high
            step += 1
        count = _judge(state, seat, left, limit, plans, worths, count, drop, circles, weights)
        unmark(state, seat, cells_low, cells_high)
    return count


@kernel
def _look_at_drops(
    state: State,
    seat: int,
    left: int,
    limit: int,
    plans: Plans,
    worths: Worths,
    notes: Notes,
    weights: Weights,
) -> int:
    """Write the drops that look best into the rows from `limit` on; return how many."""
    _take_notes(state, seat, notes)
    doing = int(state["doing"][seat])
    if doing == NUMBER:
        low, high = marked(state, seat)
        low = int(state["fallen"][seat, 0]) & ~low
        high = int(state["fallen"][seat, 1]) & ~high
        plans[limit, 0] = NO_MORE
        return _fill(state, seat, low, high, 0.0, NO_MORE, NO_MORE, limit, plans, worths, 0, notes)
    found = 0
    for shape in range(DIE_SHAPES):
        if doing == DROP and shape != state["shape"][seat]:
            continue
        name = NAME_ID + shape if doing == NAME else NO_MORE
        for i in range(PLACE_COUNT[shape]):
            if fits(state, seat, shape, i):
                place = int(PLACES[shape, i])
                low, high = landing(state, seat, shape, place)
                mark_cells(state, seat, low, high, X)
                value = worth(state, seat, left, weights)
                unmark(state, seat, low, high)
                found = _fill(
                    state, seat, low, high, value, name, DROP_ID + place,
                    limit, plans, worths, found, notes,
                )  # fmt: skip
    return found


@kernel
def _take_notes(state: State, seat: int, notes: Notes) -> None:
    """Note every free number with the size of its set and the lengths of its runs up and down."""
    for i in range(4 * GRID):
        notes[i] = 0
    for mark in range(1, MOST_MARK + 1):
        low, high = showing(state, seat, mark)
        rest_low = low
        rest_high = high
        while rest_low | rest_high:
            seed_low = rest_low & -rest_low
            seed_high = 0 if rest_low else rest_high & -rest_high
            whole = group(seed_low, seed_high, low, high)
            rest_low &= ~whole[0]
            rest_high &= ~whole[1]
            size = size_of(whole[0], whole[1])
            part_low = whole[0]
            part_high = whole[1]
            while part_low | part_high:
                cell = _note_place(part_low, part_high)
                if part_low:
                    part_low &= part_low - 1
                else:
                    part_high &= part_high - 1
                notes[MARK + cell] = mark
                notes[SET + cell] = size
                length = 0
                for beside in (cell - 9, cell - 1, cell + 1, cell + 9):
                    if mark > 1 and notes[MARK + beside] == mark - 1:
                        length = max(length, notes[RUN_DOWN + beside])
                notes[RUN_DOWN + cell] = length + 1
    for mark in range(MOST_MARK, 0, -1):
        low, high = showing(state, seat, mark)
        while low | high:
            cell = _note_place(low, high)
            if low:
                low &= low - 1
            else:
                high &= high - 1
            length = 0
            for beside in (cell - 9, cell - 1, cell + 1, cell + 9):
                if notes[MARK + beside] == mark + 1:
                    length = max(length, notes[RUN_UP + beside])
            notes[RUN_UP + cell] = length + 1
    sizes = open_sizes(state, seat)
    for kind in range(2):
        for size in range(1, 16):
            best = 0.0
            for value in range(SMALLEST, BONUS + 1):
                if (sizes[kind] >> value) & 1:
                    hope = float(value) + 2.0
                    for _ in range(value - size):
                        hope *= GROWTH
                    best = max(best, hope)
            notes[QUICK + 16 * kind + size] = int(100.0 * best)


@kernel
def _note_place(low: int, high: int) -> int:
    """The place in the notes of the first of some cells."""
    bit = lowest_bit(low) if low else 56 + lowest_bit(high)
    return 9 * ((bit >> 3) + 1) + (bit & 7) + 1


@kernel
def _fill(
    state: State,
    seat: int,
    low: int,
    high: int,
    value: float,
    name: int,
    place: int,
    limit: int,
    plans: Plans,
    worths: Worths,
    found: int,
    notes: Notes,
) -> int:
    """Keep the best ways to number the cells of a place among the drops; return how many."""
    cells = 0
    while low | high:
        where = _note_place(low, high)
        if low:
            low &= low - 1
        else:
            high &= high - 1
        notes[WHERE + cells] = where
        for mark in range(12):
            notes[SAME + 12 * cells + mark] = 0
            notes[LOWER + 12 * cells + mark] = 0
            notes[HIGHER + 12 * cells + mark] = 0
        for beside in (where - 9, where - 1, where + 1, where + 9):
            mark = int(notes[MARK + beside])
            if mark:
                at = 12 * cells + mark
                notes[SAME + at] += notes[SET + beside]
                notes[LOWER + at + 1] = max(notes[LOWER + at + 1], notes[RUN_DOWN + beside])
                notes[HIGHER + at - 1] = max(notes[HIGHER + at - 1], notes[RUN_UP + beside])
        cells += 1
    for i in range(EACH):
        notes[BEST + 2 * i] = -1
    _try_numbers(state, seat, cells, notes)
    for i in range(EACH):
        if notes[BEST + 2 * i] < 0:
            break
        quick = value + NUMBERS * 0.01 * notes[BEST + 2 * i]
        row = limit + found
        if row == len(plans):
            row = limit  # the worst one makes room
            for other in range(limit + 1, len(plans)):
                if worths[other] < worths[row]:
                    row = other
            if quick <= worths[row]:
                break
        else:
            found += 1
        worths[row] = quick
        step = 0
        if name != NO_MORE:
            plans[row, step] = name
            step += 1
        if place != NO_MORE:
            plans[row, step] = place
            step += 1
        numbers = int(notes[BEST + 2 * i + 1])
        for cell in range(cells):
            plans[row, step + cell] = NUMBER_ID + ((numbers >> (4 * cell)) & 15)
        plans[row, step + cells] = NO_MORE
    return found


@kernel
def _try_numbers(state: State, seat: int, cells: int, notes: Notes) -> None:
    """Note the best ways to write the dice that are left into the noted cells, in order."""
    used = int(state["used"][seat])
    depth = 0
    digit = 0
    score = 0
    while depth >= 0:
        at = NOW + 8 * depth
        if depth == cells:
            _keep_numbers(cells, score, notes)
            digit = 10
        else:
            # The next number that a die left shows, or any if there is a star.
            die = -1
            while digit < 10:
                die = die_left(state, used, digit)
                if die >= 0:
                    break
                digit += 1
        if digit == 10:
            depth -= 1
            if depth >= 0:
                at = NOW + 8 * depth
                digit = int(notes[at + 5]) + 1
                used = int(notes[at + 6])
                score = int(notes[at + 4])
            continue
        notes[at + 4] = score
        notes[at + 5] = digit
        notes[at + 6] = used
        score += _count_in(depth, digit + 1, notes)
        used |= 1 << die
        depth += 1
        digit = 0


@kernel
def die_left(state: State, used: int, digit: int) -> int:
    """The die that a number would use up, as `rules.die_for` says; -1 if there is none."""
    star = -1
    for die in range(4):
        if not (used >> die) & 1:
            face = int(state["dice"][die])
            if face == digit:
                return die
            if face == STAR:
                star = die
    return star


@kernel
def _count_in(depth: int, mark: int, notes: Notes) -> int:
    """What one more number adds to sets and runs, given the shape's cells before it."""
    table = 12 * depth + mark
    size = 1 + int(notes[SAME + table])
    below = int(notes[LOWER + table])
    above = int(notes[HIGHER + table])
    where = int(notes[WHERE + depth])
    for earlier in range(depth):
        step = where - int(notes[WHERE + earlier])
        if step == 1 or step == 9:
            at = NOW + 8 * earlier
            other = int(notes[at])
            if other == mark:
                size += int(notes[at + 1])
            elif other == mark - 1:
                below = max(below, int(notes[at + 2]))
            elif other == mark + 1:
                above = max(above, int(notes[at + 3]))
    at = NOW + 8 * depth
    notes[at] = mark
    notes[at + 1] = size
    notes[at + 2] = below + 1
    notes[at + 3] = above + 1
    return int(notes[QUICK + min(size, BONUS)] + notes[QUICK + 16 + min(below + above + 1, BONUS)])


@kernel
def _keep_numbers(cells: int, score: int, notes: Notes) -> None:
    i = EACH
    while i > 0 and notes[BEST + 2 * (i - 1)] < score:
        notes[BEST + 2 * i] = notes[BEST + 2 * (i - 1)]
        notes[BEST + 2 * i + 1] = notes[BEST + 2 * (i - 1) + 1]
        i -= 1
    if i < EACH:
        numbers = 0
        for cell in range(cells):
            numbers |= (int(notes[NOW + 8 * cell]) - 1) << (4 * cell)
        notes[BEST + 2 * i] = score
        notes[BEST + 2 * i + 1] = numbers


# -- combos ---------------------------------------------------------------------------------------


@kernel
def _judge(
    state: State,
    seat: int,
    left: int,
    limit: int,
    plans: Plans,
    worths: Worths,
    count: int,
    drop: int,
    circles: bool,
    weights: Weights,
) -> int:
    """Add the turns that begin with a drop (a row of the plans) and circle a combo, or none.

    If circling comes later (`circles` is false), the drop is one turn, as good as its best combo.
    """
    best = -1000.0
    kind, mark, size, rest_low, rest_high, low, high = first_combo(state, seat)
    while kind != NO_KIND:
        value = worth_circled(state, seat, left, kind, size, low, high, weights)
        best = max(best, value)
        if circles:
            row = _insert(plans, worths, count, limit, value)
            if row >= 0:
                _write_turn(state, seat, plans, drop, row, low, high, kind)
                count = min(count + 1, limit)
        kind, mark, size, rest_low, rest_high, low, high = next_combo(
            state, seat, kind, mark, size, rest_low, rest_high
        )
    if not circles:
        row = _insert(plans, worths, count, limit, best)
        if row >= 0:
            for i in range(PLAN):
                plans[row, i] = plans[drop, i]
            count = min(count + 1, limit)
    return count


@kernel
def _write_turn(
    state: State, seat: int, plans: Plans, drop: int, row: int, low: int, high: int, kind: int
) -> None:
    """Write a drop and the cells of a combo, in an order that the rules allow."""
    step = 0
    while plans[drop, step] != NO_MORE:
        plans[row, step] = plans[drop, step]
        step += 1
    if low | high == 0:
        plans[row, step] = SKIP_ID
        plans[row, step + 1] = NO_MORE
        return
    done_low = int(state["chosen"][seat, 0])
    done_high = int(state["chosen"][seat, 1])
    mark = 1
    while (done_low ^ low) | (done_high ^ high):
        if kind == CONSECUTIVE:
            same = showing(state, seat, mark)
            next_low = same[0] & low & ~done_low
            next_high = same[1] & high & ~done_high
            mark += 1
        elif done_low | done_high == 0:
            next_low = low
            next_high = high
        else:
            near = around(done_low, done_high)
            next_low = near[0] & low & ~done_low
            next_high = near[1] & high & ~done_high
        if next_low | next_high == 0:
            continue
        next_low &= -next_low
        next_high = 0 if next_low else next_high & -next_high
        bit = lowest_bit(next_low) if next_low else 56 + lowest_bit(next_high)
        plans[row, step] = CELL_ID + bit - (bit >> 3)
        step += 1
        done_low |= next_low
        done_high |= next_high
    plans[row, step] = DONE_ID
    plans[row, step + 1] = NO_MORE


@kernel
def make_best_turn(
    state: State, seat: int, plans: Plans, worths: Worths, notes: Notes, weights: Weights
) -> None:
    """Make the best turn of a seat that is to act, until others or the dealer are to act."""
    actors = to_act(state)
    stage = int(state["stage"])
    while stage == state["stage"] and actors == to_act(state):
        best_turns(state, seat, 1, plans, worths, notes, weights)
        step = 0
        while plans[0, step] != NO_MORE:
            apply(state, seat, int(plans[0, step]))
            step += 1
