"""What a learner sees of Number Drop: the sheets as grids, the dice, and what each seat does."""

from __future__ import annotations

from typing import Any

import numpy as np

from droptable.core.bits import count_bits, lowest_bit
from droptable.core.compile import kernel
from droptable.core.contract import State
from droptable.core.tensor import (
    OWN_FIRST,
    Encoder,
    Plane,
    Tensor,
    clear,
    clockwise,
    members_of,
    one_hot,
    squashed,
    turned,
)
from droptable.games.number_drop.rules.combos import LARGEST, SMALLEST
from droptable.games.number_drop.rules.grid import MOST_MARK, ROW, ROWS, X
from droptable.games.number_drop.rules.record import (
    CIRCLE,
    LETTERS,
    NO_LETTER,
    NO_SHAPE,
    NOTCHES,
    OVER,
    STAR,
    STATE,
    TOGETHER,
    WILD,
)
from droptable.games.number_drop.rules.shapes import COLUMNS, SHAPES

CELLS = ROWS * COLUMNS
HALF = CELLS // 2
FACES = 8  # 1-7 and the star
DICE = 4
VALUES = LARGEST - SMALLEST + 1
TILES = len(SHAPES)
USUAL = 20  # rounds: a half, once squashed
FEW = 10  # changed cells of a half up to which they are written one by one
BLANK = np.zeros(1, STATE)  # the grids that a tensor of zeros shows


def planes(players: int, options: dict[str, Any]) -> list[Plane]:
    """The planes in the order of `encode`."""
    grids = (players, ROWS, COLUMNS)
    together = options["order"] == "together"
    acting = 1 if together else players
    seen = "the viewer's own" if together else OWN_FIRST
    live = (acting, ROWS, COLUMNS)
    return [
        Plane("numbers", (10, ROWS, COLUMNS), "own numbers, one-hot: plane d is 1 where d stands"),
        Plane("sheets", grids, "the number d in each cell as (d + 1) / 10, 0 without one; "
              f"{OWN_FIRST}"),
        Plane("Xs", grids, f"1 where an X stands; {OWN_FIRST}"),
        Plane("circled", grids, f"1 for the cells of circled combos; {OWN_FIRST}"),
        Plane("fallen", live, f"1 for the cells of what dropped this round; {seen}"),
        Plane("chosen", live, f"1 for the cells of this round's combo; {seen}"),
        Plane("used", (acting, DICE), f"1 for each number die used this round; {seen}"),
        Plane("combos", (players, 2, VALUES), "1 for each circled combo: identical 3-7, "
              f"consecutive 3-7; {OWN_FIRST}"),
        Plane("bonus", (players,), f"1 once the combo of 8 is circled; {OWN_FIRST}"),
        Plane("doing", (players, CIRCLE + 1), "nothing, write, slide, block, name, drop, number or "
              f"circle, one-hot; {OWN_FIRST}"),
        Plane("shape", (players, TILES), f"what each seat drops now, one-hot; {OWN_FIRST}"),
        Plane("pending", (players,), "1 for each seat that, as far as the viewer knows, has not "
              f"done what all are to do; {OWN_FIRST}"),
        Plane("active", (players,), f"the active seat, one-hot; {OWN_FIRST}"),
        Plane("dice", (DICE, FACES), "the face of each number die, 1-7 and *, one-hot"),
        Plane("shape die", (WILD + 1,), "I O T L S or *, one-hot"),
        Plane("tiles", (LETTERS, TILES), "the tile of each letter A-E, one-hot"),
        Plane("crossed", (LETTERS,), "1 for each letter that is crossed off"),
        Plane("block", (LETTERS,), "the letter that phase 2 resolves, one-hot"),
        Plane("notches", (LETTERS,), "solo: how far each tile is above GO!, of 4"),
        Plane("stage", (OVER + 1,), "tiles, writing, rolling, playing or over, one-hot"),
        Plane("slides", (1,), "solo: tiles slid this round, of 2"),
        Plane("rounds", (1,), "n finished rounds as n / (n + 20)"),
    ]  # fmt: skip


@kernel
def encode(view: State, seat: int, out: Tensor) -> int:
    clear(out)
    _revise(view, seat, BLANK[0], seat, True, out)
    return len(out)


@kernel
def revise(view: State, seat: int, shown: State, shown_seat: int, out: Tensor) -> None:
    _revise(view, seat, shown, shown_seat, False, out)


@kernel
def _revise(view: State, seat: int, shown: State, shown_seat: int, anew: bool, out: Tensor) -> None:
    """Write what differs from what is shown; `anew`: of the grids, as they are all that is 0."""
    players = int(view["players"])
    first, before = max(seat, 0), max(shown_seat, 0)
    acting = 1 if view["order"] == TOGETHER else players
    live = (10 + 3 * players) * CELLS
    course = live + 2 * acting * CELLS
    for k in range(players):
        mine, old = clockwise(first, k, players), clockwise(before, k, players)
        for half in range(2):
            at = (10 + k) * CELLS + half * HALF
            changed = _changed(view, mine, shown, old, half)
            if changed:
                if count_bits(changed) <= FEW:
                    _revise_marks(view, mine, half, changed, out[at:])
                else:
                    _encode_marks(view, mine, half, out[at:])
                if k == 0:
                    _revise_numbers(view, mine, shown, old, half, changed, out[half * HALF :])
            at += 2 * players * CELLS
            cells, seen = view["circled"][mine, half], shown["circled"][old, half]
            _revise_cells(int(cells), int(seen), out[at : at + HALF])
            if k < acting:
                at = live + k * CELLS + half * HALF
                cells, seen = view["fallen"][mine, half], shown["fallen"][old, half]
                _revise_cells(int(cells), int(seen), out[at : at + HALF])
                at += acting * CELLS
                cells, seen = view["chosen"][mine, half], shown["chosen"][old, half]
                _revise_cells(int(cells), int(seen), out[at : at + HALF])
    at = _revise_seats(view, first, shown, before, anew, acting, out, course)
    at = _revise_dice(view, shown, anew, out, at)
    _revise_letters(view, shown, anew, out, at)


# -- grids ----------------------------------------------------------------------------------------
# Only what changed is written: some cells, or a half. Bits of a half are 8 apart from row to row,
# cells 7.


@kernel
def _revise_cells(cells: int, shown: int, part: Tensor) -> None:
    changed = cells ^ shown
    if count_bits(changed) > FEW:
        members_of(part, _in_order(cells))
        return
    while changed:
        bit = lowest_bit(changed)
        changed &= changed - 1
        part[bit - (bit >> 3)] = cells >> bit & 1


@kernel
def _in_order(cells: int) -> int:
    """The cells of a half as 49 bits without gaps."""
    bits = cells & ROW
    for row in range(1, 7):
        bits |= cells >> row & ROW << 7 * row
    return bits


@kernel
def _changed(view: State, seat: int, shown: State, before: int, half: int) -> int:
    """The cells with another mark than that which is shown."""
    changed = 0
    for weight in range(4):
        mark, seen = view["marks"][seat, half, weight], shown["marks"][before, half, weight]
        changed |= int(mark) ^ int(seen)
    return changed


@kernel
def _revise_marks(view: State, seat: int, half: int, changed: int, out: Tensor) -> None:
    """Some cells of half a sheet, and of its Xs."""
    start = int(view["players"]) * CELLS
    while changed:
        bit = lowest_bit(changed)
        changed &= changed - 1
        cell = bit - (bit >> 3)
        mark = _mark_at(view, seat, half, bit)
        out[cell] = 0.0 if mark == X else mark / MOST_MARK
        out[start + cell] = 1.0 if mark == X else 0.0


@kernel
def _encode_marks(view: State, seat: int, half: int, out: Tensor) -> None:
    """Half of a sheet, from the start of `out` on, and of its Xs, whose planes come next."""
    ones, twos = int(view["marks"][seat, half, 0]), int(view["marks"][seat, half, 1])
    fours, eights = int(view["marks"][seat, half, 2]), int(view["marks"][seat, half, 3])
    xs = ones & twos & fours & eights
    ones, twos = _in_order(ones & ~xs), _in_order(twos & ~xs)
    fours, eights = _in_order(fours & ~xs), _in_order(eights & ~xs)
    part = out[:HALF]
    for cell in range(HALF):
        mark = (ones >> cell & 1) + 2 * (twos >> cell & 1)
        mark += 4 * (fours >> cell & 1) + 8 * (eights >> cell & 1)
        part[cell] = mark / MOST_MARK
    start = int(view["players"]) * CELLS
    members_of(out[start : start + HALF], _in_order(xs))


@kernel
def _revise_numbers(
    view: State, seat: int, shown: State, before: int, half: int, changed: int, out: Tensor
) -> None:
    """Where each digit stands in the viewer's own sheet: the cells that changed."""
    while changed:
        bit = lowest_bit(changed)
        changed &= changed - 1
        cell = bit - (bit >> 3) - CELLS
        mark, seen = _mark_at(view, seat, half, bit), _mark_at(shown, before, half, bit)
        if 0 < seen <= MOST_MARK:
            out[cell + seen * CELLS] = 0.0
        if 0 < mark <= MOST_MARK:
            out[cell + mark * CELLS] = 1.0


@kernel
def _mark_at(state: State, seat: int, half: int, bit: int) -> int:
    mark = 0
    for weight in range(4):
        mark |= (int(state["marks"][seat, half, weight]) >> bit & 1) << weight
    return mark


# -- the rest: planes of ones and zeros are sets, which are written if they differ ----------------


@kernel
def _revise_set(part: Tensor, bits: int, shown: int, anew: bool) -> None:
    if anew or bits != shown:
        members_of(part, bits)


@kernel
def _revise_seats(
    view: State, first: int, shown: State, before: int, anew: bool, acting: int, out: Tensor,
    at: int,
) -> int:  # fmt: skip
    players = int(view["players"])
    combos_at = at + acting * DICE
    doing_at = combos_at + players * (2 * VALUES + 1)
    shape_at = doing_at + players * (CIRCLE + 1)
    for k in range(players):
        seat, old = clockwise(first, k, players), clockwise(before, k, players)
        if anew or view["doing"][seat] != shown["doing"][old]:
            start = doing_at + k * (CIRCLE + 1)
            one_hot(out[start : start + CIRCLE + 1], int(view["doing"][seat]))
        if anew or view["shape"][seat] != shown["shape"][old]:
            start = shape_at + k * TILES
            one_hot(out[start : start + TILES], int(view["shape"][seat]))
    now, was = _used(view, first, acting, players), _used(shown, before, acting, players)
    _revise_set(out[at:combos_at], now, was, anew)
    now, was = _combos(view, first, players), _combos(shown, before, players)
    _revise_set(out[combos_at : combos_at + 2 * VALUES * players], now, was, anew)
    now, was = _bonus(view, first, players), _bonus(shown, before, players)
    _revise_set(out[doing_at - players : doing_at], now, was, anew)
    at = shape_at + players * TILES
    now, was = _turn(view, first, players), _turn(shown, before, players)
    _revise_set(out[at : at + 2 * players], now, was, anew)
    return at + 2 * players


@kernel
def _used(state: State, first: int, acting: int, players: int) -> int:
    used = 0
    for k in range(acting):
        used |= int(state["used"][clockwise(first, k, players)]) << DICE * k
    return used


@kernel
def _combos(state: State, first: int, players: int) -> int:
    combos = 0
    for k in range(players):
        seat = clockwise(first, k, players)
        combos |= int(state["combos"][seat, 0]) << 2 * VALUES * k
        combos |= int(state["combos"][seat, 1]) << (2 * VALUES * k + VALUES)
    return combos


@kernel
def _bonus(state: State, first: int, players: int) -> int:
    bonus = 0
    for k in range(players):
        bonus |= int(state["bonus"][clockwise(first, k, players)]) << k
    return bonus


@kernel
def _turn(state: State, first: int, players: int) -> int:
    """Who is pending, then who is active."""
    active = 1 << int(state["round"]) % players  # ND2, ND13
    turn = turned(int(state["pending"]), first, players)
    return turn | turned(active, first, players) << players


@kernel
def _revise_dice(view: State, shown: State, anew: bool, out: Tensor, at: int) -> int:
    end = at + DICE * FACES + WILD + 1
    _revise_set(out[at:end], _faces(view), _faces(shown), anew)
    return end


@kernel
def _faces(state: State) -> int:
    faces = 0
    for die in range(DICE):
        face = int(state["dice"][die])
        if face:
            faces |= 1 << (FACES * die + (FACES - 1 if face == STAR else face - 1))
    shape = int(state["shape_die"])
    if shape != NO_SHAPE:
        faces |= 1 << (DICE * FACES + shape)
    return faces


@kernel
def _revise_letters(view: State, shown: State, anew: bool, out: Tensor, at: int) -> None:
    _revise_set(out[at : at + LETTERS * TILES], _tiles(view), _tiles(shown), anew)
    at += LETTERS * TILES
    _revise_set(out[at : at + 2 * LETTERS], _letters(view), _letters(shown), anew)
    at += 2 * LETTERS
    for letter in range(LETTERS):
        if anew or view["notches"][letter] != shown["notches"][letter]:
            out[at + letter] = int(view["notches"][letter]) / NOTCHES
    at += LETTERS
    if anew or view["stage"] != shown["stage"]:
        one_hot(out[at : at + OVER + 1], int(view["stage"]))
    at += OVER + 1
    if anew or view["slides"] != shown["slides"] or view["round"] != shown["round"]:
        out[at] = int(view["slides"]) / 2
        out[at + 1] = squashed(int(view["round"]), USUAL)


@kernel
def _tiles(state: State) -> int:
    tiles = 0
    for letter in range(LETTERS):
        tile = int(state["tiles"][letter])
        if tile != NO_SHAPE:
            tiles |= 1 << (TILES * letter + tile)
    return tiles


@kernel
def _letters(state: State) -> int:
    """Those crossed off, then the one that phase 2 resolves."""
    letters = int(state["crossed"])
    if state["block"] != NO_LETTER:
        letters |= 1 << (LETTERS + int(state["block"]))
    return letters


ENCODER = Encoder(planes=planes, encode=encode, revise=revise)
