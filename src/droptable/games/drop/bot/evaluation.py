"""How a position of Drop. stands, learned from self-play: what search asks instead of rollouts.

The value is linear in patterns, as in n-tuple networks: each cell with its six neighbours, and the
sizes of groups. Patterns that a turn, a reflection or a change of colours makes of each other share
one weight. Off the board and the dud are both `WALL`. How much of the match is over (the phase)
matters much, so each weight is given at some knots and interpolated between them.
`benchmarks/tune_drop.py` learns the weights.
"""

from __future__ import annotations

from itertools import product
from math import exp
from pathlib import Path
from typing import Any

import numpy as np

from droptable.core.compile import kernel
from droptable.core.contract import Ids, Numbers, State
from droptable.core.heuristics import NetScratch, Values, final_shares
from droptable.core.loops import States
from droptable.core.net import read_weights
from droptable.games.drop.rules import (
    BLACK,
    BOARD,
    COLUMN_STEPS,
    DUD,
    LARGEST,
    ONE_PLANE,
    PLANE,
    ROW_STEPS,
    ROWS,
    SEATS,
    SMALLEST,
    WHITE,
    apply,
    cells,
    count_six,
    placed,
    seat_to_place,
    to_act,
    with_neighbours,
)

KNOTS = 6  # phases with weights of their own
DEPTHS = 4  # kinds of cells: by the distance from the outer ring, 3 or more being alike
EMPTY, WALL = 0, 3  # a cell in a pattern; 1 black, 2 white
CODES = 1 << 14  # a pattern: seven cells, a bit of each for black, then one for white
# A pattern's cells in the order of its bits: the row's three from the left, two above, two below.
PLACES = ((0, -1), (0, 0), (0, 1), (-1, 0), (-1, 1), (1, -1), (1, 0))

# Besides patterns: what black has more than white.
GROUP, SQUARES, AHEAD, TWO_TO_PLACE, ONE_TO_PLACE = range(5)
EXTRAS = 5
LARGE, LARGE_SQUARES = 8.0, 64.0  # divide sizes of groups, and sums of their squares


def _turned(pattern: tuple[int, ...], quarter: int, mirrored: bool) -> tuple[int, ...]:
    """A pattern after so many sixths of a turn, mirrored first if wanted."""
    ring = [(int(r), int(c)) for r, c in zip(ROW_STEPS, COLUMN_STEPS, strict=True)]
    by_place = dict(zip(PLACES, pattern, strict=True))
    round_it = [by_place[place] for place in ring]
    if mirrored:
        round_it.reverse()
    round_it = round_it[quarter:] + round_it[:quarter]
    turned = dict(zip(ring, round_it, strict=True)) | {(0, 0): by_place[0, 0]}
    return tuple(turned[place] for place in PLACES)


def _code(pattern: tuple[int, ...]) -> int:
    """The bits of a pattern: black or wall, then white or wall."""
    black = sum((cell & 1) << i for i, cell in enumerate(pattern))
    return black | sum((cell >> 1) << i for i, cell in enumerate(pattern)) << len(PLACES)


def _shared_weights() -> tuple[np.ndarray, np.ndarray, int]:
    """For each pattern the number of its weight, and 1, -1 or 0 to multiply it by."""
    numbers, signs = np.zeros(CODES, np.int16), np.zeros(CODES, np.int8)
    swapped = (EMPTY, 2, 1, WALL)
    known: dict[int, tuple[int, int]] = {}
    weights = 1  # number 0 is always multiplied by 0
    for pattern in product(range(4), repeat=len(PLACES)):
        code = _code(pattern)
        if pattern[1] == WALL or code in known:
            continue
        same = {_code(_turned(pattern, k, m)) for k in range(6) for m in (False, True)}
        other = tuple(swapped[cell] for cell in pattern)
        opposite = {_code(_turned(other, k, m)) for k in range(6) for m in (False, True)}
        if same & opposite:
            known |= dict.fromkeys(same, (0, 0))
            continue
        known |= dict.fromkeys(same, (weights, 1)) | dict.fromkeys(opposite, (weights, -1))
        weights += 1
    for code, (number, sign) in known.items():
        numbers[code], signs[code] = number, sign
    return numbers, signs, weights


NUMBER_OF, SIGN_OF, PATTERNS = _shared_weights()
COUNT = KNOTS * (DEPTHS * PATTERNS + EXTRAS)  # weights: [knot][depth, pattern], then [knot][extra]
DEPTH_OF = np.zeros((LARGEST + 1, ROWS, ROWS), np.int8)  # by size, row and column
for _size in range(SMALLEST, LARGEST + 1):
    for _q, _r in cells(_size):
        _ring = max(abs(_q), abs(_r), abs(_q + _r))
        DEPTH_OF[_size, _r + _size, _q + _size] = min(_size - 1 - _ring, DEPTHS - 1)

PATH = Path(__file__).with_suffix(".npy")
WEIGHTS = read_weights(PATH, COUNT)


@kernel
def prior(states: States, seat: int, action: int, ids: Ids, scratch: NetScratch) -> float:
    """The seat's chance after a placement."""
    states[3] = states[1]
    apply(states[3], seat, action)
    lead = log_odds(states[3], WEIGHTS)
    return 1.0 / (1.0 + exp(-lead if seat == BLACK else lead))


@kernel
def evaluate(state: State, points: Numbers, values: Values) -> None:
    """Each seat's chance; its share, once the match is over."""
    if to_act(state) == 0:
        final_shares(state, points, values)
        return
    values[BLACK] = 1.0 / (1.0 + exp(-log_odds(state, WEIGHTS)))
    values[WHITE] = 1.0 - values[BLACK]


@kernel
def phase_of(state: State) -> float:
    """How far the match is, in knots."""
    return (KNOTS - 1) * placed(state) / (SEATS * float(state["pieces"]))


@kernel
def patterns_value(state: State, weights: Any) -> float:
    """The sum of the weights of all patterns on the board, for black."""
    phase = phase_of(state)
    knot = min(int(phase), KNOTS - 2)
    later = phase - knot
    size = int(state["size"])
    total = 0.0
    black_above = white_above = ONE_PLANE
    black, white = walled(state, size, 1, BLACK), walled(state, size, 1, WHITE)
    for row in range(1, 2 * size):
        black_below = walled(state, size, row + 1, BLACK)
        white_below = walled(state, size, row + 1, WHITE)
        for column in range(max(1, size - row + 1), min(2 * size, 3 * size - row)):
            bits = seven_bits(column, black_above, black, black_below)
            code = bits | seven_bits(column, white_above, white, white_below) << len(PLACES)
            sign = float(SIGN_OF[code])
            if sign != 0.0:
                at = weight_of(size, row, column, code) + knot
                early = float(weights[at])
                total += sign * (early + later * (float(weights[at + 1]) - early))
        black_above, black, white_above, white = black, black_below, white, white_below
    return total


@kernel
def walled(state: State, size: int, row: int, colour: int) -> int:
    """The cells of a row with a piece of a colour, or a wall."""
    pieces = int(state["rows"][row])
    wall = ~int(BOARD[size, row]) | pieces >> DUD * PLANE
    return (wall | pieces >> colour * PLANE) & ONE_PLANE


@kernel
def seven_bits(column: int, above: int, here: int, below: int) -> int:
    """A cell and its neighbours, in the order of `PLACES`."""
    left = column - 1
    return here >> left & 7 | (above >> column & 3) << 3 | (below >> left & 3) << 5


@kernel
def weight_of(size: int, row: int, column: int, code: int) -> int:
    """The index of a pattern's first weight."""
    depth = int(DEPTH_OF[size, row, column])
    return KNOTS * (depth * PATTERNS + int(NUMBER_OF[code]))


@kernel
def log_odds(state: State, weights: Any) -> float:
    """The log odds of black's victory."""
    phase = phase_of(state)
    knot = min(int(phase), KNOTS - 2)
    later = phase - knot
    black, black_squares = largest_and_squares(state, BLACK)
    white, white_squares = largest_and_squares(state, WHITE)
    total = patterns_value(state, weights)
    for extra in range(EXTRAS):
        at = KNOTS * (DEPTHS * PATTERNS + extra) + knot
        early = float(weights[at])
        weight = early + later * (float(weights[at + 1]) - early)
        total += weight * amount_of(state, extra, black - white, black_squares - white_squares)
    return total


@kernel
def amount_of(state: State, extra: int, group: int, squares: int) -> float:
    """How much there is of an extra, given black's lead in the largest group and in squares."""
    if extra == GROUP:
        return group / LARGE
    if extra == SQUARES:
        return squares / LARGE_SQUARES
    if extra == AHEAD:
        return float(min(1, max(-1, group)))
    if (placed(state) & 1) != (extra == TWO_TO_PLACE):
        return 0.0
    return 1.0 if seat_to_place(state) == BLACK else -1.0


@kernel
def largest_and_squares(state: State, colour: int) -> tuple[int, int]:
    """The size of a colour's largest group, and the sum of the squares of all."""
    rows = state["rows"]
    a = b = c = d = e = f = int(rows[0])
    shift = colour * PLANE
    for part in range(3):
        row = 6 * part
        to = part * PLANE
        a |= ((int(rows[row]) >> shift) & ONE_PLANE) << to
        b |= ((int(rows[row + 1]) >> shift) & ONE_PLANE) << to
        c |= ((int(rows[row + 2]) >> shift) & ONE_PLANE) << to
        d |= ((int(rows[row + 3]) >> shift) & ONE_PLANE) << to
        e |= ((int(rows[row + 4]) >> shift) & ONE_PLANE) << to
        f |= ((int(rows[row + 5]) >> shift) & ONE_PLANE) << to
    none = a ^ a
    left = count_six(a, b, c, d, e, f)
    best = 0
    squares = 0
    while left > 0:
        while not a:
            a, b, c, d, e, f = b, c, d, e, f, none
        u, v, w, x, y, z = a & -a, none, none, none, none, none
        size = 0
        grown = 1
        while grown > size:
            size = grown
            u = a & with_neighbours(z << PLANE, u, v)
            v = b & with_neighbours(u, v, w)
            w = c & with_neighbours(v, w, x)
            x = d & with_neighbours(w, x, y)
            y = e & with_neighbours(x, y, z)
            z = f & with_neighbours(y, z, u >> PLANE)
            grown = count_six(u, v, w, x, y, z)
        a, b, c, d, e, f = a ^ u, b ^ v, c ^ w, d ^ x, e ^ y, f ^ z
        left -= size
        squares += size * size
        best = max(best, size)
    return best, squares
