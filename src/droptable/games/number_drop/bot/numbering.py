"""Numbering a shape's cells quickly: which numbers would join which sets and runs where.

`take_notes` notes all free numbers with their sets and runs, `look_round` what each number would
join in the cells of a shape; then `try_numbers` finds the best ways to write the dice into them.
Notes are scratch that the caller owns.
"""

from __future__ import annotations

from typing import Any

from droptable.core.bits import lowest_bit
from droptable.core.compile import kernel
from droptable.core.contract import State
from droptable.games.number_drop.rules.combos import BONUS, SMALLEST, open_sizes
from droptable.games.number_drop.rules.grid import MOST_MARK, ROWS, group, showing, size_of
from droptable.games.number_drop.rules.record import STAR
from droptable.games.number_drop.rules.shapes import DIE_SHAPES

Notes = Any  # int64 [NOTES]: scratch

MOST_PLACES = 64  # of a shape
ALONE = 4  # the digit of a star with nothing to join

# Where in the notes things stand. Cells are 9 * (row + 1) + column + 1: with a border of nothing.
GRID = 9 * (ROWS + 2)
MARK, SET, RUN_DOWN, RUN_UP = 0, GRID, 2 * GRID, 3 * GRID  # of each cell; sizes with the cell
QUICK = 4 * GRID  # [kind, size]: what a set or run is worth, in hundredths
SAME = QUICK + 2 * 16  # [cell of the shape, mark]: size of the equal neighbours,
LOWER = SAME + 4 * 12  # … of the runs that end beside it one lower,
HIGHER = LOWER + 4 * 12  # … that begin beside it one higher
WHERE = HIGHER + 4 * 12  # of the shape's cells
NOW = WHERE + 4  # [cell of the shape, …]: mark, or 0; set, run down, run up
FACE = NOW + 4 * 4  # the dice that are left, equal ones together, stars last
TRY = FACE + 4  # [die, …]: 10 * cell + digit that it is tried for, score before it
BEST = TRY + 2 * 4  # [i, …]: score and numbers of the best ways to fill one place
EACH = 20  # most ways to fill a place that are kept
PLACE = BEST + 2 * (EACH + 1)  # [shape, i]: how good a place looks, in hundredths
BEFORE = (
    PLACE + DIE_SHAPES * MOST_PLACES
)  # what a turn does before its drop: how many actions, they
ROUTES, ROUTE_SIZE = 5, 7  # routes that are noted, see `routes`
ROUTE = BEFORE + 1 + 4
NOTES = ROUTE + ROUTES * ROUTE_SIZE

GROWTH = 0.5  # what a combo's value keeps for each number that it lacks


@kernel
def _note_dice(state: State, seat: int, notes: Notes) -> None:
    """Note the dice that are left, equal ones together and stars last."""
    count = 0
    for face in range(STAR + 1):
        for die in range(4):
            if state["dice"][die] == face and not (int(state["used"][seat]) >> die) & 1:
                notes[FACE + count] = face
                count += 1


@kernel
def take_notes(state: State, seat: int, notes: Notes) -> None:
    """Note every free number with the size of its set and the lengths of its runs up and down."""
    _note_dice(state, seat, notes)
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
def look_round(low: int, high: int, notes: Notes) -> int:
    """Note some cells, and what each number would join there; return how many."""
    cells = 0
    while low | high:
        where = _note_place(low, high)
        if low:
            low &= low - 1
        else:
            high &= high - 1
        notes[WHERE + cells] = where
        notes[NOW + 4 * cells] = 0
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
    return cells


@kernel
def promise(cells: int, notes: Notes) -> int:
    """How well the dice could suit the noted cells, each for itself; in hundredths."""
    total = 0
    for die in range(cells):
        face = int(notes[FACE + die])
        best = 0
        for cell in range(cells):
            for digit in range(10):
                if face in (digit, STAR):
                    best = max(best, _gain(cell, digit + 1, notes))
        total += best
    return total


@kernel
def _gain(cell: int, mark: int, notes: Notes) -> int:
    """What a number in a noted cell is worth by what stands around the shape."""
    at = 12 * cell + mark
    size = min(1 + int(notes[SAME + at]), BONUS)
    length = min(1 + int(notes[LOWER + at] + notes[HIGHER + at]), BONUS)
    return int(notes[QUICK + size] + notes[QUICK + 16 + length])


@kernel
def try_numbers(cells: int, each: int, notes: Notes) -> None:
    """Note the `each` best ways to write the dice that are left into the noted cells.

    Die by die is tried in every cell; equal dice only in ascending cells.
    """
    die = 0
    score = 0
    notes[TRY] = -1
    while die >= 0:
        if die == cells:
            _keep_numbers(cells, score, each, notes)
        else:
            choice = _next_choice(die, cells, notes)
            notes[TRY + 2 * die] = choice
            if choice >= 0:
                notes[TRY + 2 * die + 1] = score
                score += _count_in(choice // 10, choice % 10 + 1, cells, notes)
                die += 1
                if die < cells:
                    notes[TRY + 2 * die] = -1
                continue
        die -= 1
        if die >= 0:
            score = int(notes[TRY + 2 * die + 1])
            notes[NOW + 4 * (notes[TRY + 2 * die] // 10)] = 0


@kernel
def _next_choice(die: int, cells: int, notes: Notes) -> int:
    """The next 10 * cell + digit for a die, -1 if there is none."""
    face = int(notes[FACE + die])
    choice = int(notes[TRY + 2 * die]) + 1
    if choice == 0 and die > 0 and notes[FACE + die - 1] == face:
        choice = 10 * (int(notes[TRY + 2 * die - 2]) // 10 + 1)
    while choice < 10 * cells:
        cell = choice // 10
        digit = choice % 10
        if notes[NOW + 4 * cell]:
            choice = 10 * cell + 10
        elif face == STAR:
            if digit == ALONE or _joins(cell, digit + 1, cells, notes):
                return choice
            choice += 1
        elif digit <= face:
            return 10 * cell + face
        else:
            choice = 10 * cell + 10
    return -1


@kernel
def _joins(cell: int, mark: int, cells: int, notes: Notes) -> bool:
    """Whether a number would stand beside an equal one, or the next one."""
    at = 12 * cell + mark
    if notes[SAME + at] | notes[LOWER + at] | notes[HIGHER + at]:
        return True
    for other in range(cells):
        if notes[NOW + 4 * other] and abs(notes[NOW + 4 * other] - mark) <= 1:
            step = abs(notes[WHERE + cell] - notes[WHERE + other])
            if step == 1 or step == 9:
                return True
    return False


@kernel
def _count_in(cell: int, mark: int, cells: int, notes: Notes) -> int:
    """Note a number in a cell; return what it adds to sets and runs, given what is noted."""
    table = 12 * cell + mark
    size = 1 + int(notes[SAME + table])
    below = int(notes[LOWER + table])
    above = int(notes[HIGHER + table])
    for other in range(cells):
        at = NOW + 4 * other
        step = abs(int(notes[WHERE + cell] - notes[WHERE + other]))
        if step == 1 or step == 9:
            beside = int(notes[at])
            if beside == mark:
                size += int(notes[at + 1])
            elif beside == 0:
                continue
            elif beside == mark - 1:
                below = max(below, int(notes[at + 2]))
            elif beside == mark + 1:
                above = max(above, int(notes[at + 3]))
    at = NOW + 4 * cell
    notes[at] = mark
    notes[at + 1] = size
    notes[at + 2] = below + 1
    notes[at + 3] = above + 1
    return int(notes[QUICK + min(size, BONUS)] + notes[QUICK + 16 + min(below + above + 1, BONUS)])


@kernel
def _keep_numbers(cells: int, score: int, each: int, notes: Notes) -> None:
    i = each
    while i > 0 and notes[BEST + 2 * (i - 1)] < score:
        notes[BEST + 2 * i] = notes[BEST + 2 * (i - 1)]
        notes[BEST + 2 * i + 1] = notes[BEST + 2 * (i - 1) + 1]
        i -= 1
    if i < each:
        numbers = 0
        for cell in range(cells):
            numbers |= (int(notes[NOW + 4 * cell]) - 1) << (4 * cell)
        notes[BEST + 2 * i] = score
        notes[BEST + 2 * i + 1] = numbers
