"""Number Drop: drop shapes made of the dice's numbers into a grid and circle combos.

Five dice are rolled for all (ND3). Every seat drops the rolled shape into its own grid, with four
numbers in it (ND7, ND8), and may circle one combo of identical or consecutive numbers (ND10). Both
combos of a value make a letter active: a later `*` drops its block on the others (ND4-ND6). A mark
above the Game Over line ends the match (ND13). Solo has blocks that slide down (ND16-ND18).
Grids are bit boards (`grid`), so that falling, rows and combos are a few operations on integers.
"""

from __future__ import annotations

import numpy as np

from droptable.core.bits import count_bits
from droptable.core.compile import kernel
from droptable.core.contract import DEALER_ACTS, Ids, Numbers, Random, State
from droptable.games.number_drop.combos import (
    BONUS,
    LARGEST,
    SMALLEST,
    first_cells,
    kind_of_chosen,
    next_cells,
    open_sizes,
)
from droptable.games.number_drop.grid import (
    ABOVE_LINE,
    REACH,
    ROWS,
    X,
    full_rows,
    landing,
    mark_cells,
    marked,
    rows_above_line,
    size_of,
    solid,
)
from droptable.games.number_drop.shapes import (
    COLUMNS,
    DIE_SHAPES,
    PLACE_COUNT,
    PLACES,
    SHAPES,
    TOP_BITS,
)

LETTERS = 5  # A-E, of the values 3-7
NOTCHES = 4  # from a solo tile's start to GO!
TOGETHER, CLOCKWISE, RULEBOOK = 0, 1, 2  # the option `order`
STAR = 10  # a number die's wild face, beside the digits
WILD = 5  # the shape die's, beside the shapes
NO_SHAPE = -1
NO_LETTER = -1

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

# Boards are explained in `grid`: two integers a seat, its low and its high half. Single numbers are
# int64 like loop variables, so that Numba compiles what they are passed to only once.
STATE = np.dtype(
    [
        ("marks", np.int64, (6, 2, 4)),  # [seat, half, k]; an empty cell is 0 in all four
        ("circled", np.int64, (6, 2)),  # [seat, half]: cells of circled combos
        ("fallen", np.int64, (6, 2)),  # cells of what dropped this round, marked yet or not
        ("chosen", np.int64, (6, 2)),  # cells of this round's combo, circled yet or not
        ("players", np.int64),
        ("order", np.int64),  # TOGETHER, CLOCKWISE or RULEBOOK
        ("stage", np.int64),  # DEALING_TILES … OVER
        ("round", np.int64),  # rounds that are finished; gives the active seat
        ("pending", np.int64),  # bits of the seats that have not yet done what all are to do
        ("crossed", np.int64),  # bits of the letters crossed off, A is 1
        ("block", np.int64),  # the letter that phase 2 resolves this round, 0-4, or NO_LETTER
        ("slides", np.int64),  # solo: tiles slid this round
        ("shape_die", np.int64),  # 0-4, WILD, or NO_SHAPE before it is rolled
        ("dice", np.int8, 4),  # 1-7, STAR, or 0 before it is rolled
        ("doing", np.int8, 6),  # by seat: NOTHING … CIRCLE
        ("shape", np.int8, 6),  # by seat: what it drops now, 0-9, or NO_SHAPE
        ("used", np.int8, 6),  # by seat: bits of the number dice used this round
        ("combos", np.int8, (6, 2)),  # [seat, kind]: bits of the values circled, 3 is 1
        ("bonus", np.int8, 6),  # by seat: 1 once the combo of 8 is circled
        ("tiles", np.int8, 5),  # by letter: its tile, 0-9, or NO_SHAPE before it is drawn
        ("notches", np.int8, 5),  # solo, by letter: how far its tile is above GO!
    ]
)


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
        return _first_clockwise(state, pending) if in_turn(state) else pending  # ND14
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
    if doing in (DROP, BLOCK):
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
        _deal(state, action - TILE_ID)
    else:
        # `max` and `- WRITE_ID` make plain integers of whatever callers pass: compiled once only.
        _move(state, max(actor, 0), action - WRITE_ID)


@kernel
def scores(state: State, points: Numbers) -> None:
    for seat in range(state["players"]):
        points[seat] = score(state, seat)


@kernel
def winners(state: State) -> int:
    if state["stage"] != OVER:
        return 0
    best = -100  # nobody can lose as much
    won = 0
    for seat in range(state["players"]):  # ND15, ND18
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
    """Take back the others' hidden moves, and with them whether they have moved at all (ND14)."""
    if is_secret(state):
        for other in range(state["players"]):
            if other != seat:
                _take_back(state, other)


@kernel
def determinize(state: State, seat: int, random: Random) -> None:
    pass  # that the others have not acted since the roll is as possible as anything else


@kernel
def _move(state: State, seat: int, action: int) -> None:
    if action < NAME_ID:
        _write(state, seat, action - WRITE_ID)
    elif action < DROP_ID:
        state["shape"][seat] = action - NAME_ID  # ND7
        state["doing"][seat] = DROP
    elif action < NUMBER_ID:
        _drop(state, seat, action - DROP_ID)
    elif action < CELL_ID:
        _write_number(state, seat, action - NUMBER_ID)
    elif action < DONE_ID:
        row = (action - CELL_ID) // COLUMNS
        column = (action - CELL_ID) % COLUMNS
        state["chosen"][seat, row // 7] |= 1 << (8 * (row % 7) + column)
    elif action < NONE_ID:
        if action == DONE_ID:
            _circle(state, seat)
        state["doing"][seat] = NOTHING
        _finish(state, seat)
    elif action == NONE_ID:  # ND9: as if it had dropped; see _end_round for the match's end
        if state["doing"][seat] == BLOCK:
            _after_block(state, seat)
        else:
            _after_shape(state, seat)
    else:
        _slide(state, seat, action - SLIDE_ID)


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
    """Whether what a seat does now is hidden from the others (ND14)."""
    return state["stage"] == PLAYING and state["players"] > 1 and not in_turn(state)


@kernel
def in_turn(state: State) -> bool:
    """Whether seats act one after the other, in the open, in the round being played (ND14)."""
    if state["order"] == RULEBOOK:
        # Phase 4 begins for all at once: until then nobody who is pending has to circle.
        pending = int(state["pending"])
        return state["doing"][count_bits((pending & -pending) - 1)] == CIRCLE
    return state["order"] == CLOCKWISE


@kernel
def _first_clockwise(state: State, seats: int) -> int:
    """The bit of the first of some seats, clockwise from the active one (ND14)."""
    from_active = seats >> active_seat(state) << active_seat(state)
    if from_active:
        return from_active & -from_active
    return seats & -seats


# -- the round ------------------------------------------------------------------------------------


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
def _write(state: State, seat: int, column: int) -> None:
    mark_cells(state, seat, 1 << column, 0, seat + 2)  # ND2: seat k writes k + 1
    state["doing"][seat] = NOTHING
    state["pending"] &= ~(1 << seat)
    if state["pending"] == 0:
        state["stage"] = ROLLING


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
    """Phase 4 follows when all have dropped, or at once if seats do not wait (ND14)."""
    state["doing"][seat] = CIRCLE
    if not circles_at_once(state):
        _finish(state, seat)


@kernel
def circles_at_once(state: State) -> bool:
    """Whether a seat's phase 4 follows its own phase 3: nobody is waited for (ND14)."""
    return state["order"] == TOGETHER or state["players"] == 1


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
        # Every shape fits above the line while there is no mark, so this ends the match of a seat
        # that had no legal drop, too.
        if marked(state, seat)[1] >> ABOVE_LINE:
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
    _forget_round(state, seat)
    _start_seat(state, seat)


# -- dropping -------------------------------------------------------------------------------------


@kernel
def has_drop(state: State, seat: int, shape: int) -> bool:
    """Whether some drop of a shape ends inside the grid (ND9)."""
    in_the_way = solid(state, seat)[1]
    room = not in_the_way >> REACH
    for i in range(PLACE_COUNT[shape]):
        room = room or not TOP_BITS[shape, i] & in_the_way
    return room


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
        mark_cells(state, seat, cells[0], cells[1], X)  # ND5
        _after_block(state, seat)
    else:
        state["doing"][seat] = NUMBER


@kernel
def _after_block(state: State, seat: int) -> None:
    if state["players"] == 1:
        _after_slide(state, seat)  # ND17
    else:
        state["doing"][seat] = NOTHING  # ND6
        _finish(state, seat)


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
    """The cell that gets the next number: a shape's cells are in the order of bits (ND7)."""
    low, high = marked(state, seat)
    low = int(state["fallen"][seat, 0]) & ~low
    high = int(state["fallen"][seat, 1]) & ~high
    if low:
        return low & -low, 0
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
    mark_cells(state, seat, cell[0], cell[1], digit + 1)
    state["used"][seat] |= 1 << die_for(state, seat, digit)
    if state["used"][seat] == 0b1111:
        _after_shape(state, seat)


# -- combos ---------------------------------------------------------------------------------------


@kernel
def _legal_cells(state: State, seat: int, ids: Ids) -> int:
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
        ids[count] = first + bit - (bit >> 3)  # 8 bits a row, 7 ids a row
        count += 1
        cells &= cells - 1
    return count


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


# -- solo -----------------------------------------------------------------------------------------


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
        _after_slide(state, seat)


@kernel
def _after_slide(state: State, seat: int) -> None:
    """ND16: the second slide if there is one to make, then phase 3."""
    if state["slides"] == 1 and any_star(state):
        for letter in range(LETTERS):
            if can_slide(state, letter):
                state["doing"][seat] = SLIDE
                return
    _start_shape(state, seat)


# -- bounds, for whoever has to know before a match how long it can get ---------------------------


MOST_ROUNDS = 40  # 98 cells take 24 shapes; 5 letters stop a seat once each (ND6, ND13)


def most_moves(players: int, options: dict[str, int]) -> int:
    return players * (1 + 20 * MOST_ROUNDS)  # name, drop, 4 numbers, up to 8 cells, blocks


def most_deals(players: int, options: dict[str, int]) -> int:
    return 5 + 5 * MOST_ROUNDS


def solo_scores() -> tuple[int, int]:
    return -100, 100  # ND15
