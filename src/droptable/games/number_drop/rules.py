"""Number Drop: drop shapes made of the dice's numbers into a grid and circle combos.

Five dice are rolled for all (ND3). Every seat drops the rolled shape into its own grid, four numbers
in it (ND7, ND8), and may circle one combo of identical or consecutive numbers (ND10). Both combos of
a value make a letter active: a later `*` drops that letter's block on the others (ND4-ND6). A mark
above the Game Over line ends the match (ND13). Solo has blocks that slide down instead (ND16-ND18).
Grids are bit boards, so that falling, rows and combos are a few operations on integers.
"""

from __future__ import annotations

import numpy as np

from droptable.core.bits import count_bits
from droptable.core.compile import kernel
from droptable.core.contract import DEALER_ACTS, Ids, Numbers, Random, State
from droptable.games.number_drop.shapes import (
    BITS,
    COLUMNS,
    DIE_SHAPES,
    PLACE_COUNT,
    PLACES,
    SHAPES,
    TOP_BITS,
)

ROWS = 14
SAFE_ROWS = 11  # rows under the Game Over line
LETTERS = 5  # A-E, of the values 3-7
NOTCHES = 4  # from a solo tile's start to GO!
SMALLEST, LARGEST = 3, 7  # the values of a kind; the bonus is one larger
BONUS = 8
TOGETHER, CLOCKWISE = 0, 1  # the option `order`
IDENTICAL, CONSECUTIVE = 0, 1  # kinds of combos
STAR = 10  # a number die's wild face, beside the digits
WILD = 5  # the shape die's, beside the shapes
NO_SHAPE = -1
NO_LETTER = -1
X = 15  # a mark that is no number, beside the marks digit + 1
MOST_MARK = 10  # the mark of the digit 9
NO_SIZE = 99  # larger than any combo can be

# What the match is at.
DEALING_TILES, WRITING, ROLLING, PLAYING, OVER = 0, 1, 2, 3, 4
# What a seat has to do.
NOTHING, WRITE, SLIDE, BLOCK, NAME, DROP, NUMBER, CIRCLE = 0, 1, 2, 3, 4, 5, 6, 7

# Actions: the first of each kind. `at O C` is 7 * O + C, `cell C R` 7 * R + C, all from 0.
WRITE_ID = 0
NAME_ID = WRITE_ID + COLUMNS
DROP_ID = NAME_ID + DIE_SHAPES
NUMBER_ID = DROP_ID + 8 * COLUMNS
CELL_ID = NUMBER_ID + 10
DONE_ID = CELL_ID + ROWS * COLUMNS
SKIP_ID = DONE_ID + 1
NONE_ID = SKIP_ID + 1
SLIDE_ID = NONE_ID + 1
# The dealer's outcomes.
TILE_ID = 0
DIE_ID = TILE_ID + len(SHAPES)  # 1-7, then the star
SHAPE_ID = DIE_ID + 8  # the shapes, then the wild one

DICE = np.array(
    [
        [1, 3, 4, 5, 7, STAR],
        [1, 2, 4, 5, 6, STAR],
        [2, 3, 4, 6, 7, STAR],
        [1, 2, 3, 5, 6, 7],
    ]
)

# A board is two integers, its low half (rows 1-7) and its high half (rows 8-14), each with bit
# 8 * row + column; bit 7 beside a row is not used:     48 .. 54    row 7 / row 14
#                                                       ..
#                                                        0 ..  6    row 1 / row 8
# A grid's marks are digit + 1, or X, in binary: board k of `marks` holds the bits of weight 1 << k.
STATE = np.dtype(
    [
        ("marks", np.int64, (6, 2, 4)),  # [seat, half, k]; an empty cell is 0 in all four
        ("circled", np.int64, (6, 2)),  # [seat, half]: cells of circled combos
        ("fallen", np.int64, (6, 2)),  # cells of what dropped this round, marked yet or not
        ("chosen", np.int64, (6, 2)),  # cells of this round's combo, circled yet or not
        ("players", np.int32),
        ("order", np.int32),  # TOGETHER or CLOCKWISE
        ("stage", np.int32),  # DEALING_TILES … OVER
        ("round", np.int32),  # rounds that are finished; gives the active seat
        ("pending", np.int32),  # bits of the seats that have not yet done what all are to do
        ("crossed", np.int32),  # bits of the letters crossed off, A is 1
        ("block", np.int32),  # the letter that phase 2 resolves this round, 0-4, or NO_LETTER
        ("slides", np.int32),  # solo: tiles slid this round
        ("shape_die", np.int32),  # 0-4, WILD, or NO_SHAPE before it is rolled
        ("dice", np.int8, 4),  # 1-7, STAR, or 0 before it is rolled
        ("doing", np.int8, 6),  # by seat: NOTHING … CIRCLE
        ("shape", np.int8, 6),  # by seat: what it drops now, 0-9, or NO_SHAPE
        ("used", np.int8, 6),  # by seat: bits of the number dice used this round
        ("stuck", np.int8, 6),  # by seat: 1 if it had no legal drop this round
        ("combos", np.int8, (6, 2)),  # [seat, kind]: bits of the values circled, 3 is 1
        ("bonus", np.int8, 6),  # by seat: 1 once the combo of 8 is circled
        ("tiles", np.int8, 5),  # by letter: its tile, 0-9, or NO_SHAPE before it is drawn
        ("notches", np.int8, 5),  # solo, by letter: how far its tile is above GO!
    ]
)

ROW = 0x7F  # the lowest row of a half
HALF = 0x7F7F7F7F7F7F7F  # all cells of a half
EVERY_ROW = 0x01010101010101
TOP_ROW = 48  # the shift to a half's highest row
REACH = 24  # the shift, in the high half, to the rows that a shape under the upper edge can fill
ABOVE_LINE = 32  # the shift, in the high half, to row 12


@kernel
def setup(state: State) -> None:
    state["block"] = NO_LETTER
    state["shape_die"] = NO_SHAPE
    for seat in range(6):
        state["shape"][seat] = NO_SHAPE
    for letter in range(LETTERS):
        state["tiles"][letter] = NO_SHAPE
        if state["players"] == 1:
            state["notches"][letter] = NOTCHES  # ND1


@kernel
def to_act(state: State) -> int:
    stage = int(state["stage"])
    pending = int(state["pending"])
    if stage == PLAYING:
        if state["order"] == TOGETHER:
            return pending  # ND14
        return _first_clockwise(state, pending)
    if stage == WRITING:
        return pending & -pending  # ND2
    return 0 if stage == OVER else DEALER_ACTS


@kernel
def legal(state: State, seat: int, ids: Ids) -> int:
    doing = int(state["doing"][seat])
    if doing == NUMBER:
        return _legal_numbers(state, seat, ids)
    if doing == CIRCLE:
        return _legal_cells(state, seat, ids)
    if doing == DROP or doing == BLOCK:
        return _legal_drops(state, seat, ids)
    if doing == NAME:
        return _legal_names(state, seat, ids)
    if doing == SLIDE:
        count = 0
        for letter in range(LETTERS):
            if can_slide(state, letter):
                ids[count] = SLIDE_ID + letter
                count += 1
        return count
    for column in range(COLUMNS):
        ids[column] = WRITE_ID + column  # ND2
    return COLUMNS


@kernel
def chance(state: State, ids: Ids, weights: Numbers) -> int:
    if state["stage"] == DEALING_TILES:
        return _tiles_left(state, ids, weights)
    die = next_die(state)
    for face in range(6):
        weights[face] = 1
        if die == 4:
            ids[face] = SHAPE_ID + face
        elif DICE[die, face] == STAR:
            ids[face] = SHAPE_ID - 1
        else:
            ids[face] = DIE_ID + DICE[die, face] - 1
    return 6


@kernel
def apply(state: State, actor: int, action: int) -> None:
    if actor < 0:
        _deal(state, action)
    elif action < NAME_ID:
        _mark(state, actor, 0, 1 << (action - WRITE_ID), actor + 2)  # ND2: seat k writes k + 1
        state["doing"][actor] = NOTHING
        state["pending"] &= ~(1 << actor)
        if state["pending"] == 0:
            state["stage"] = ROLLING
    elif action < DROP_ID:
        state["shape"][actor] = action - NAME_ID  # ND7
        state["doing"][actor] = DROP
    elif action < NUMBER_ID:
        _drop(state, actor, action - DROP_ID)
    elif action < CELL_ID:
        _write_number(state, actor, action - NUMBER_ID)
    elif action < DONE_ID:
        row = (action - CELL_ID) // COLUMNS
        column = (action - CELL_ID) % COLUMNS
        state["chosen"][actor, row // 7] |= 1 << (8 * (row % 7) + column)
    elif action < NONE_ID:
        if action == DONE_ID:
            _circle(state, actor)
        state["doing"][actor] = NOTHING
        _finish(state, actor)
    elif action == NONE_ID:
        state["stuck"][actor] = 1  # ND9
        if state["doing"][actor] == BLOCK:
            _after_block(state, actor)
        else:
            _after_shape(state, actor)
    else:
        _slide(state, actor, action - SLIDE_ID)


@kernel
def scores(state: State, points: Numbers) -> None:
    for seat in range(state["players"]):
        points[seat] = score(state, seat)


@kernel
def winners(state: State) -> int:
    if state["stage"] != OVER:
        return 0
    best = score(state, 0)
    won = 1
    for seat in range(1, state["players"]):  # ND15, ND18
        points = score(state, seat)
        if points > best:
            best = points
            won = 0
        if points == best:
            won |= 1 << seat
    return won


@kernel
def witnesses(state: State, actor: int, action: int) -> int:
    if actor >= 0 and is_secret(state):
        return 1 << actor  # ND14
    return everybody(state)


@kernel
def observe(state: State, seat: int) -> None:
    """Take back what others did since the roll, and with it whether they did anything (ND14)."""
    if is_secret(state):
        for other in range(state["players"]):
            if other != seat:
                _take_back(state, other)


@kernel
def determinize(state: State, seat: int, random: Random) -> None:
    pass  # that the others have not acted since the roll is as possible as anything else


@kernel
def everybody(state: State) -> int:
    """The bits of all seats."""
    return (1 << int(state["players"])) - 1


@kernel
def active_seat(state: State) -> int:
    """The seat that rolls this round (ND2, ND13)."""
    return int(state["round"]) % int(state["players"])


@kernel
def is_secret(state: State) -> bool:
    """Whether what seats do now is hidden until all are done (ND14)."""
    return (
        state["stage"] == PLAYING and state["order"] == TOGETHER and state["players"] > 1
    )


@kernel
def _first_clockwise(state: State, seats: int) -> int:
    """The bit of the first of some seats, clockwise from the active one (ND14)."""
    from_active = seats >> active_seat(state) << active_seat(state)
    if from_active:
        return from_active & -from_active
    return seats & -seats


# -- boards --------------------------------------------------------------------------------------


@kernel
def marked(state: State, seat: int, half: int) -> int:
    """The cells that are not empty."""
    marks = state["marks"]
    return (
        int(marks[seat, half, 0])
        | int(marks[seat, half, 1])
        | int(marks[seat, half, 2])
        | int(marks[seat, half, 3])
    )


@kernel
def free(state: State, seat: int, half: int) -> int:
    """The numbers that are not circled: the ones that combos can use (ND5, ND10)."""
    marks = state["marks"]
    crosses = int(marks[seat, half, 2]) & int(marks[seat, half, 3])  # no number has both bits
    return marked(state, seat, half) & ~crosses & ~int(state["circled"][seat, half])


@kernel
def mark_at(state: State, seat: int, row: int, column: int) -> int:
    """What stands in a cell: 0, digit + 1, or X; rows and columns from 0."""
    shift = 8 * (row % 7) + column
    mark = 0
    for k in range(4):
        mark |= ((int(state["marks"][seat, row // 7, k]) >> shift) & 1) << k
    return mark


@kernel
def solid(state: State, seat: int) -> tuple[int, int]:
    """The marked cells and all that lies under them: where nothing can fall through (ND8)."""
    high = marked(state, seat, 1)
    high |= high >> 8
    high |= high >> 16
    high |= high >> 32
    low = marked(state, seat, 0) | (high & ROW) * EVERY_ROW
    low |= low >> 8
    low |= low >> 16
    low |= low >> 32
    return low & HALF, high & HALF


@kernel
def landing(state: State, seat: int, shape: int, place: int) -> tuple[int, int]:
    """The cells where a shape comes to rest: the lowest where nothing is above or in its way."""
    below = solid(state, seat)
    low = int(BITS[shape, place // COLUMNS]) << (place % COLUMNS)
    high = 0
    while (low & below[0]) | (high & below[1]):  # ND8
        high = (high << 8) | (low >> TOP_ROW)
        low = (low << 8) & HALF
    return low, high


@kernel
def around(low: int, high: int) -> tuple[int, int]:
    """The cells beside, above and below some cells; also bits outside the grid, to be masked."""
    return (
        (low << 1) | (low >> 1) | (low << 8) | (low >> 8) | ((high & ROW) << TOP_ROW),
        (high << 1) | (high >> 1) | (high << 8) | (high >> 8) | (low >> TOP_ROW),
    )


@kernel
def showing(state: State, seat: int, mark: int) -> tuple[int, int]:
    """The free cells with a certain number, given as digit + 1."""
    low = free(state, seat, 0)
    high = free(state, seat, 1)
    for k in range(4):
        low_bits = int(state["marks"][seat, 0, k])
        high_bits = int(state["marks"][seat, 1, k])
        if (mark >> k) & 1:
            low &= low_bits
            high &= high_bits
        else:
            low &= ~low_bits
            high &= ~high_bits
    return low, high


@kernel
def highest(state: State, seat: int, low: int, high: int) -> tuple[int, int, int]:
    """The mark of the highest number among some cells, and the cells that show it."""
    mark = 0
    for k in range(3, -1, -1):
        low_bits = low & int(state["marks"][seat, 0, k])
        high_bits = high & int(state["marks"][seat, 1, k])
        if low_bits | high_bits:
            low = low_bits
            high = high_bits
            mark |= 1 << k
    return mark, low, high


@kernel
def group(low: int, high: int, in_low: int, in_high: int) -> tuple[int, int]:
    """All cells of a board that are connected with some of its cells."""
    grown_low = 0
    grown_high = 0
    while low != grown_low or high != grown_high:
        grown_low = low
        grown_high = high
        near = around(low, high)
        low |= near[0] & in_low
        high |= near[1] & in_high
    return low, high


@kernel
def size_of(low: int, high: int) -> int:
    return count_bits(low) + count_bits(high)


@kernel
def full_rows(state: State, seat: int) -> int:
    """Bits of the rows 1-11 whose +2 is earned: full before this round's drop (ND13)."""
    rows = 0
    for row in range(SAFE_ROWS):
        half = row // 7
        earlier = marked(state, seat, half) & ~int(state["fallen"][seat, half])
        if (earlier >> (8 * (row % 7))) & ROW == ROW:
            rows |= 1 << row
    return rows


@kernel
def rows_above_line(state: State, seat: int) -> int:
    """How many of the rows 12-14 have a mark."""
    above = marked(state, seat, 1) >> ABOVE_LINE
    count = 0
    while above:
        if above & ROW:
            count += 1
        above >>= 8
    return count


# -- the round -----------------------------------------------------------------------------------


@kernel
def next_die(state: State) -> int:
    """The die to be rolled next: 0-3, or 4 for the shape die (ND3)."""
    die = 0
    while die < 4 and state["dice"][die]:
        die += 1
    return die


@kernel
def _tiles_left(state: State, ids: Ids, weights: Numbers) -> int:
    """ND1: tiles that are not drawn yet; in solo only the five shapes of the die."""
    drawn = 0
    for letter in range(LETTERS):
        if state["tiles"][letter] >= 0:
            drawn |= 1 << int(state["tiles"][letter])
    count = 0
    for tile in range(DIE_SHAPES if state["players"] == 1 else len(SHAPES)):
        if not (drawn >> tile) & 1:
            ids[count] = TILE_ID + tile
            weights[count] = 1
            count += 1
    return count


@kernel
def _deal(state: State, outcome: int) -> None:
    if outcome < DIE_ID:
        letter = 0
        while state["tiles"][letter] >= 0:
            letter += 1
        state["tiles"][letter] = outcome - TILE_ID  # ND1
        if letter == LETTERS - 1:
            state["stage"] = WRITING
            state["pending"] = everybody(state)
            for seat in range(state["players"]):
                state["doing"][seat] = WRITE
    elif outcome < SHAPE_ID:
        face = outcome - DIE_ID + 1
        state["dice"][next_die(state)] = STAR if face == 8 else face
    else:
        state["shape_die"] = outcome - SHAPE_ID
        _start_round(state)


@kernel
def any_star(state: State) -> bool:
    """Whether one of the five dice shows a `*` (ND4, ND16)."""
    dice = state["dice"]
    return (
        state["shape_die"] == WILD
        or dice[0] == STAR
        or dice[1] == STAR
        or dice[2] == STAR
        or dice[3] == STAR
    )


@kernel
def letters(state: State, seat: int) -> int:
    """Bits of a seat's active letters: both combos of the value, not crossed off (ND12)."""
    combos = state["combos"]
    return int(combos[seat, 0]) & int(combos[seat, 1]) & ~int(state["crossed"])


@kernel
def _start_round(state: State) -> None:
    state["stage"] = PLAYING
    if state["players"] == 1:
        state["pending"] = 1
        state["doing"][0] = SLIDE  # ND16
        return
    if any_star(state):
        active = 0
        for seat in range(state["players"]):
            active |= letters(state, seat)
        if active:
            state["block"] = count_bits((active & -active) - 1)  # ND4: the first in order
    for seat in range(state["players"]):
        _start_seat(state, seat)
    if state["pending"] == 0:
        _end_round(state)  # ND6: nobody has to drop


@kernel
def _start_seat(state: State, seat: int) -> None:
    """Give a seat its task of the round: phase 2 if there is one, else phase 3."""
    if state["block"] == NO_LETTER:
        _start_shape(state, seat)
    elif (letters(state, seat) >> int(state["block"])) & 1:
        state["doing"][seat] = NOTHING  # ND5: it has circled the letter itself
        return
    else:
        state["shape"][seat] = state["tiles"][state["block"]]
        state["doing"][seat] = BLOCK
    state["pending"] |= 1 << seat


@kernel
def _start_shape(state: State, seat: int) -> None:
    if state["shape_die"] == WILD:
        state["shape"][seat] = NO_SHAPE
        state["doing"][seat] = NAME
    else:
        state["shape"][seat] = state["shape_die"]
        state["doing"][seat] = DROP


@kernel
def _after_shape(state: State, seat: int) -> None:
    """Phase 4 follows at once, or, clockwise, when all have dropped (ND14)."""
    state["doing"][seat] = CIRCLE
    if state["order"] == CLOCKWISE:
        _finish(state, seat)


@kernel
def _finish(state: State, seat: int) -> None:
    """A seat has done its part; the last one lets the round go on."""
    state["pending"] &= ~(1 << seat)
    if state["pending"]:
        return
    if state["doing"][seat] == CIRCLE:
        state["pending"] = everybody(state)  # ND14: phase 4 goes round
    else:
        _end_round(state)


@kernel
def _end_round(state: State) -> None:
    """Phase 5 (ND13); +2s need no note, see `full_rows`."""
    over = state["players"] == 1
    for letter in range(LETTERS):
        if state["notches"][letter]:
            over = False  # ND18
    for seat in range(state["players"]):
        if state["stuck"][seat] or marked(state, seat, 1) >> ABOVE_LINE:
            over = True  # ND9, ND13
        _forget_round(state, seat)
    if state["block"] != NO_LETTER:
        state["crossed"] |= 1 << int(state["block"])  # ND6
        state["block"] = NO_LETTER
    state["slides"] = 0
    if over:
        state["stage"] = OVER
        return
    state["stage"] = ROLLING
    state["round"] += 1
    state["shape_die"] = NO_SHAPE
    for die in range(4):
        state["dice"][die] = 0


@kernel
def _forget_round(state: State, seat: int) -> None:
    state["doing"][seat] = NOTHING
    state["shape"][seat] = NO_SHAPE
    state["used"][seat] = 0
    for half in range(2):
        state["fallen"][seat, half] = 0
        state["chosen"][seat, half] = 0


@kernel
def _take_back(state: State, seat: int) -> None:
    """Put a seat back to where it was right after the roll."""
    low = int(state["chosen"][seat, 0])
    high = int(state["chosen"][seat, 1])
    if (low & int(state["circled"][seat, 0])) | (high & int(state["circled"][seat, 1])):
        size = size_of(low, high)
        if size == BONUS:
            state["bonus"][seat] = 0
        else:
            kind = kind_of_chosen(state, seat)
            state["combos"][seat, kind] &= ~(1 << (size - SMALLEST))
    for half in range(2):
        state["circled"][seat, half] &= ~state["chosen"][seat, half]
        for k in range(4):
            state["marks"][seat, half, k] &= ~state["fallen"][seat, half]
    state["stuck"][seat] = 0
    _forget_round(state, seat)
    _start_seat(state, seat)


# -- dropping ------------------------------------------------------------------------------------


@kernel
def has_drop(state: State, seat: int, shape: int) -> bool:
    """Whether some drop of a shape ends inside the grid (ND9)."""
    in_the_way = solid(state, seat)[1]
    for i in range(PLACE_COUNT[shape]):
        if not TOP_BITS[shape, i] & in_the_way:
            return True
    return False


@kernel
def _legal_drops(state: State, seat: int, ids: Ids) -> int:
    """A drop ends inside the grid if and only if the shape fits under its upper edge (ND9)."""
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
def _legal_names(state: State, seat: int, ids: Ids) -> int:
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
def _drop(state: State, seat: int, place: int) -> None:
    cells = landing(state, seat, int(state["shape"][seat]), place)
    state["fallen"][seat, 0] |= cells[0]
    state["fallen"][seat, 1] |= cells[1]
    if state["doing"][seat] == BLOCK:
        _mark(state, seat, 0, cells[0], X)  # ND5
        _mark(state, seat, 1, cells[1], X)
        _after_block(state, seat)
    else:
        state["doing"][seat] = NUMBER


@kernel
def _after_block(state: State, seat: int) -> None:
    if state["players"] == 1:
        _after_slide(state)  # ND17
    else:
        state["doing"][seat] = NOTHING  # ND6
        _finish(state, seat)


@kernel
def _mark(state: State, seat: int, half: int, cells: int, mark: int) -> None:
    for k in range(4):
        if (mark >> k) & 1:
            state["marks"][seat, half, k] |= cells


@kernel
def _legal_numbers(state: State, seat: int, ids: Ids) -> int:
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
    """The cell of the dropped shape that gets the next number: the order of bits is theirs (ND7)."""
    low = int(state["fallen"][seat, 0]) & ~marked(state, seat, 0)
    if low:
        return low & -low, 0
    high = int(state["fallen"][seat, 1]) & ~marked(state, seat, 1)
    return 0, high & -high


@kernel
def die_for(state: State, seat: int, digit: int) -> int:
    """The die that a number uses up: one that shows it, else a `*` (ND7); -1 if there is none."""
    used = int(state["used"][seat])
    star = -1
    for die in range(4):
        if not (used >> die) & 1:
            if state["dice"][die] == digit:
                return die
            if state["dice"][die] == STAR:
                star = die
    return star


@kernel
def _write_number(state: State, seat: int, digit: int) -> None:
    cell = next_to_number(state, seat)
    _mark(state, seat, 0, cell[0], digit + 1)
    _mark(state, seat, 1, cell[1], digit + 1)
    state["used"][seat] |= 1 << die_for(state, seat, digit)
    if state["used"][seat] == 0b1111:
        _after_shape(state, seat)


# -- combos --------------------------------------------------------------------------------------


@kernel
def is_open(state: State, seat: int, kind: int, size: int) -> bool:
    """Whether a combo of this kind and size can still be circled (ND11)."""
    if size == BONUS:
        return state["bonus"][seat] == 0
    if size < SMALLEST or size > LARGEST:
        return False
    return (int(state["combos"][seat, kind]) >> (size - SMALLEST)) & 1 == 0


@kernel
def next_open(state: State, seat: int, kind: int, size: int) -> int:
    """The smallest open size that is larger than this one, or NO_SIZE."""
    for larger in range(max(size + 1, SMALLEST), BONUS + 1):
        if is_open(state, seat, kind, larger):
            return larger
    return NO_SIZE


@kernel
def kind_of_chosen(state: State, seat: int) -> int:
    """The kind of two or more chosen cells (ND10): identical if all show the highest number."""
    low = int(state["chosen"][seat, 0])
    high = int(state["chosen"][seat, 1])
    top = highest(state, seat, low, high)
    return IDENTICAL if top[1] == low and top[2] == high else CONSECUTIVE


@kernel
def _legal_cells(state: State, seat: int, ids: Ids) -> int:
    size = size_of(int(state["chosen"][seat, 0]), int(state["chosen"][seat, 1]))
    cells = first_cells(state, seat) if size == 0 else next_cells(state, seat)
    count = _list_cells(cells[0], CELL_ID, ids, 0)
    count = _list_cells(cells[1], CELL_ID + 7 * COLUMNS, ids, count)
    if size == 0:
        ids[count] = SKIP_ID
        count += 1
    elif size >= SMALLEST and is_open(state, seat, kind_of_chosen(state, seat), size):
        ids[count] = DONE_ID
        count += 1
    return count


@kernel
def _list_cells(cells: int, first: int, ids: Ids, count: int) -> int:
    while cells:
        bit = count_bits((cells & -cells) - 1)
        ids[count] = first + bit - (bit >> 3)  # 8 bits a row, 7 ids a row
        count += 1
        cells &= cells - 1
    return count


@kernel
def next_cells(state: State, seat: int) -> tuple[int, int]:
    """The cells that may join the chosen ones (ND10).

    A connected set can grow one by one up to its whole group, and a path to the top has ends of every
    length, so a larger open size is in reach if and only if the group or the longest path reaches the
    next open one.
    """
    low = int(state["chosen"][seat, 0])
    high = int(state["chosen"][seat, 1])
    size = size_of(low, high)
    mark, top_low, top_high = highest(state, seat, low, high)
    uniform = top_low == low and top_high == high  # also a single cell, which may be either kind
    near = around(top_low, top_high)  # an upward path goes on from its highest number
    found_low = 0
    found_high = 0
    if uniform:
        wanted = next_open(state, seat, IDENTICAL, size)
        same = showing(state, seat, mark)
        whole = group(low, high, same[0], same[1])
        if size_of(whole[0], whole[1]) >= wanted:
            found_low = near[0] & same[0] & ~low
            found_high = near[1] & same[1] & ~high
    if size == 1 or not uniform:
        wanted = next_open(state, seat, CONSECUTIVE, size)
        heads = path_heads(state, seat, mark + 1, wanted - size)
        found_low |= near[0] & heads[0]
        found_high |= near[1] & heads[1]
    return found_low, found_high


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
    """The cells that some open combo can start from (ND10), for all numbers at once.

    Boards a0-a3 are the low half of the free marks in binary, b0-b3 the high half: comparing each
    with itself moved by a step finds all pairs of neighbours of which one is equal or one higher.
    """
    a = free(state, seat, 0)
    b = free(state, seat, 1)
    marks = state["marks"]
    a0 = a & int(marks[seat, 0, 0])
    a1 = a & int(marks[seat, 0, 1])
    a2 = a & int(marks[seat, 0, 2])
    a3 = a & int(marks[seat, 0, 3])
    b0 = b & int(marks[seat, 1, 0])
    b1 = b & int(marks[seat, 1, 1])
    b2 = b & int(marks[seat, 1, 2])
    b3 = b & int(marks[seat, 1, 3])
    # What stands above each cell of the low half, and below each cell of the high half.
    u0 = _above(a0, b0)
    u1 = _above(a1, b1)
    u2 = _above(a2, b2)
    u3 = _above(a3, b3)
    d0 = _below(a0, b0)
    d1 = _below(a1, b1)
    d2 = _below(a2, b2)
    d3 = _below(a3, b3)

    found_low = 0
    found_high = 0
    wanted = next_open(state, seat, IDENTICAL, 0)
    if wanted != NO_SIZE:
        # Cells whose neighbour above or to the right is equal.
        up_a = a & _same(a0, a1, a2, a3, u0, u1, u2, u3)
        up_b = b & _same(b0, b1, b2, b3, b0 >> 8, b1 >> 8, b2 >> 8, b3 >> 8)
        right_a = a & _same(a0, a1, a2, a3, a0 >> 1, a1 >> 1, a2 >> 1, a3 >> 1)
        right_b = b & _same(b0, b1, b2, b3, b0 >> 1, b1 >> 1, b2 >> 1, b3 >> 1)
        found_low, found_high = _of_three(up_a, up_b, right_a, right_b)
        if wanted > SMALLEST and found_low | found_high:
            found_low, found_high = _of_size(state, seat, found_low, found_high, wanted)

    wanted = next_open(state, seat, CONSECUTIVE, 0)
    if wanted != NO_SIZE:
        # One more, in binary; then the cells whose neighbour on each side is one higher.
        p0 = ~a0
        p1 = a1 ^ a0
        p2 = a2 ^ (a0 & a1)
        p3 = a3 ^ (a0 & a1 & a2)
        q0 = ~b0
        q1 = b1 ^ b0
        q2 = b2 ^ (b0 & b1)
        q3 = b3 ^ (b0 & b1 & b2)
        up_a = a & _same(p0, p1, p2, p3, u0, u1, u2, u3)
        up_b = b & _same(q0, q1, q2, q3, b0 >> 8, b1 >> 8, b2 >> 8, b3 >> 8)
        down_a = a & _same(p0, p1, p2, p3, a0 << 8, a1 << 8, a2 << 8, a3 << 8)
        down_b = b & _same(q0, q1, q2, q3, d0, d1, d2, d3)
        right_a = a & _same(p0, p1, p2, p3, a0 >> 1, a1 >> 1, a2 >> 1, a3 >> 1)
        right_b = b & _same(q0, q1, q2, q3, b0 >> 1, b1 >> 1, b2 >> 1, b3 >> 1)
        left_a = a & _same(p0, p1, p2, p3, a0 << 1, a1 << 1, a2 << 1, a3 << 1)
        left_b = b & _same(q0, q1, q2, q3, b0 << 1, b1 << 1, b2 << 1, b3 << 1)
        low = a
        high = b
        for _ in range(wanted - 1):  # the cells from which 2, 3 … lead upward
            next_low = (
                up_a & _above(low, high)
                | down_a & (low << 8)
                | right_a & (low >> 1)
                | left_a & (low << 1)
            )
            high = (
                up_b & (high >> 8)
                | down_b & _below(low, high)
                | right_b & (high >> 1)
                | left_b & (high << 1)
            )
            low = next_low
        found_low |= low
        found_high |= high
    return found_low, found_high


@kernel
def _above(low: int, high: int) -> int:
    """For each cell of the low half, the cell above it."""
    return (low >> 8) | ((high & ROW) << TOP_ROW)


@kernel
def _below(low: int, high: int) -> int:
    """For each cell of the high half, the cell below it."""
    return (high << 8) | (low >> TOP_ROW)


@kernel
def _same(a0: int, a1: int, a2: int, a3: int, b0: int, b1: int, b2: int, b3: int) -> int:
    """The bits at which four boards agree with four others."""
    return ~((a0 ^ b0) | (a1 ^ b1) | (a2 ^ b2) | (a3 ^ b3))


@kernel
def _of_three(up_a: int, up_b: int, right_a: int, right_b: int) -> tuple[int, int]:
    """The cells of groups of three or more: two equal neighbours, or next to such a cell."""
    down_a = up_a << 8
    down_b = _below(up_a, up_b)
    left_a = right_a << 1
    left_b = right_b << 1
    two_a = (up_a & down_a) | (right_a & left_a) | ((up_a | down_a) & (right_a | left_a))
    two_b = (up_b & down_b) | (right_b & left_b) | ((up_b | down_b) & (right_b | left_b))
    low = (
        two_a
        | up_a & _above(two_a, two_b)
        | down_a & (two_a << 8)
        | right_a & (two_a >> 1)
        | left_a & (two_a << 1)
    )
    high = (
        two_b
        | up_b & (two_b >> 8)
        | down_b & _below(two_a, two_b)
        | right_b & (two_b >> 1)
        | left_b & (two_b << 1)
    )
    return low & HALF, high & HALF


@kernel
def _of_size(state: State, seat: int, low: int, high: int, size: int) -> tuple[int, int]:
    """Those of the cells whose whole group of equal numbers has at least a size."""
    found_low = 0
    found_high = 0
    while low | high:
        seed_low = low & -low
        seed_high = 0 if low else high & -high
        mark, _, _ = highest(state, seat, seed_low, seed_high)
        same = showing(state, seat, mark)
        whole = group(seed_low, seed_high, same[0], same[1])
        if size_of(whole[0], whole[1]) >= size:
            found_low |= whole[0]
            found_high |= whole[1]
        low &= ~whole[0]
        high &= ~whole[1]
    return found_low, found_high


@kernel
def _circle(state: State, seat: int) -> None:
    size = size_of(int(state["chosen"][seat, 0]), int(state["chosen"][seat, 1]))
    if size == BONUS:
        state["bonus"][seat] = 1  # ND11
    else:
        state["combos"][seat, kind_of_chosen(state, seat)] |= 1 << (size - SMALLEST)
    for half in range(2):
        state["circled"][seat, half] |= state["chosen"][seat, half]


@kernel
def score(state: State, seat: int) -> int:
    """ND15 with what is on the sheet now; the -5s count once the match is over (ND13)."""
    points = 2 * count_bits(full_rows(state, seat)) + BONUS * int(state["bonus"][seat])
    if state["stage"] == OVER:
        points -= 5 * rows_above_line(state, seat)
    for kind in range(2):
        values = int(state["combos"][seat, kind])
        for value in range(SMALLEST, LARGEST + 1):
            if (values >> (value - SMALLEST)) & 1:
                points += value
        if values == 0b11111:
            points += 10
    return points


# -- solo ----------------------------------------------------------------------------------------


@kernel
def can_slide(state: State, letter: int) -> bool:
    """ND16: any tile that is not at the bottom; the second time the rolled one if there is one."""
    if state["notches"][letter] == 0:
        return False
    if state["slides"] == 0 or state["shape_die"] == WILD:
        return True
    return state["shape_die"] == state["tiles"][letter]


@kernel
def _slide(state: State, seat: int, letter: int) -> None:
    state["notches"][letter] -= 1
    state["slides"] += 1
    if state["notches"][letter] == 0 and not (letters(state, seat) >> letter) & 1:
        state["shape"][seat] = state["tiles"][letter]  # ND17: GO!
        state["doing"][seat] = BLOCK
    else:
        _after_slide(state)


@kernel
def _after_slide(state: State) -> None:
    """ND16: the second slide if there is one to make, then phase 3."""
    if state["slides"] == 1 and any_star(state):
        for letter in range(LETTERS):
            if can_slide(state, letter):
                state["doing"][0] = SLIDE
                return
    _start_shape(state, 0)
