"""What a sheet is worth: its points, and the points that are still expected to come.

The future is judged by a small net: every thing that is so on the sheet adds its weights to UNITS
sums (`impressions`), which are then weighed themselves. There is one net for tables and one for
each phase of a solo match (`net_for`). The weights come from `benchmarks/tune_number_drop.py` and
stand in `weights`.
"""

from __future__ import annotations

from typing import Any

from droptable.core.compile import kernel
from droptable.core.contract import State
from droptable.games.number_drop.bot.features import open_cells, runs, sets, skyline, steps_between
from droptable.games.number_drop.bot.solo_length import solo_rounds
from droptable.games.number_drop.rules.combos import BONUS, IDENTICAL, open_sizes
from droptable.games.number_drop.rules.grid import SAFE_ROWS
from droptable.games.number_drop.rules.record import LETTERS, NOTCHES, PLAYING
from droptable.games.number_drop.rules.rounds import in_turn, letters
from droptable.games.number_drop.rules.scoring import FULL_ROW, MARKED_ROW, combo_points

Weights = Any  # a float64 array of COUNT
Sums = tuple[
    float, float, float, float, float, float, float, float,
    float, float, float, float, float, float, float, float,
]  # fmt: skip

UNITS = 16
CELLS_A_ROUND = 4.7  # at a table, with blocks and gaps
MOST_ROUNDS = 16

AT_TABLE, NETS = 0, 5  # the nets: for tables, then for solo matches, the early ones first
LATER = (10.0, 6.5, 3.5)  # fewer rounds are left in the later ones

# What is seen on a sheet, each with UNITS weights in every net. Most of it is one of several cases.
TABLE = 0  # alone, at a table
LASTING = TABLE + 2  # rounds to come, between two of MOST_ROUNDS
OPEN_ROWS = LASTING + MOST_ROUNDS + 2  # rows that can still be full
SPOILT = OPEN_ROWS + SAFE_ROWS + 1  # rows
NEARLY = SPOILT + SAFE_ROWS + 1  # full rows
GAPS = NEARLY + 5
HIGHEST = GAPS + 12
STEPS = HIGHEST + SAFE_ROWS + 1  # [from the edge, from -3 to 3]: between columns beside each other
SPACE = STEPS + 3 * 7
BONUS_OPEN = SPACE + 1
LETTER = BONUS_OPEN + 1  # [letter, notches, how many of its combos are circled]
CIRCLED = LETTER + LETTERS * 5 * 3  # [kind, bits of the circled values]
FOUND = CIRCLED + 2 * 32  # [kind, which of three, size, room]
HOW_MANY = FOUND + 2 * 3 * 9 * 4  # [kind, sets or runs]
REACH = HOW_MANY + 2 * 8  # [kind, size in reach]
NEAREST = REACH + 2 * 9  # [kind, size from 3 to 8, numbers that it lacks]: open combos
MISSING = 4  # 3 or more are alike
SEEN = NEAREST + 2 * 6 * MISSING
OUT = NETS * SEEN * UNITS  # the weights of the sums, by net
COUNT = OUT + NETS * UNITS


@kernel
def rounds_left(state: State) -> float:
    """How long the match will last: solo by its tiles, else by the fullest of all sheets.

    None once a seat is seen to have a mark above the line: the match ends with this round (ND13).
    """
    if state["players"] == 1:
        return solo_rounds(state)
    shown = state["stage"] == PLAYING and in_turn(state)
    least = 77
    for seat in range(state["players"]):
        sky = skyline(state, seat)
        if shown and sky[6]:
            return 0.0
        least = min(least, sky[5])
    return min(least / CELLS_A_ROUND + 1.0, float(MOST_ROUNDS))


@kernel
def net_for(state: State, left: float) -> int:
    """The net that judges a sheet: what a seat can drop now is judged by the same one."""
    if state["players"] > 1:
        return AT_TABLE
    net = 1
    for rounds in LATER:
        if left < rounds:
            net += 1
    return net


@kernel
def worth(state: State, seat: int, left: float, weights: Weights) -> float:
    """The final score that a seat may expect if it does nothing more in this round.

    `left` is `rounds_left`, which is the same for all that a seat can drop now.
    """
    sky = skyline(state, seat)
    points = float(combo_points(state, seat) + FULL_ROW * sky[0])
    if sky[6]:
        return points + MARKED_ROW * sky[6]
    if left == 0.0:
        return points
    sums = impressions(state, seat, left, weights)
    return points + weighed(sums, weights, OUT + UNITS * net_for(state, left))


@kernel
def weighed(sums: Sums, weights: Weights, out: int) -> float:
    """The points to come: the first sum as it is, of the others what is above 0, weighed."""
    felt: float = (
        sums[0]
        + max(sums[1], 0.0) * weights[out + 1]
        + max(sums[2], 0.0) * weights[out + 2]
        + max(sums[3], 0.0) * weights[out + 3]
        + max(sums[4], 0.0) * weights[out + 4]
        + max(sums[5], 0.0) * weights[out + 5]
        + max(sums[6], 0.0) * weights[out + 6]
        + max(sums[7], 0.0) * weights[out + 7]
        + max(sums[8], 0.0) * weights[out + 8]
        + max(sums[9], 0.0) * weights[out + 9]
        + max(sums[10], 0.0) * weights[out + 10]
        + max(sums[11], 0.0) * weights[out + 11]
        + max(sums[12], 0.0) * weights[out + 12]
        + max(sums[13], 0.0) * weights[out + 13]
        + max(sums[14], 0.0) * weights[out + 14]
        + max(sums[15], 0.0) * weights[out + 15]
    )
    return felt


@kernel
def add(sums: Sums, weights: Weights, what: int, much: float) -> Sums:
    """Let something that is seen count in all sums."""
    at = UNITS * what
    return (
        sums[0] + much * weights[at],
        sums[1] + much * weights[at + 1],
        sums[2] + much * weights[at + 2],
        sums[3] + much * weights[at + 3],
        sums[4] + much * weights[at + 4],
        sums[5] + much * weights[at + 5],
        sums[6] + much * weights[at + 6],
        sums[7] + much * weights[at + 7],
        sums[8] + much * weights[at + 8],
        sums[9] + much * weights[at + 9],
        sums[10] + much * weights[at + 10],
        sums[11] + much * weights[at + 11],
        sums[12] + much * weights[at + 12],
        sums[13] + much * weights[at + 13],
        sums[14] + much * weights[at + 14],
        sums[15] + much * weights[at + 15],
    )


@kernel
def impressions(state: State, seat: int, left: float, weights: Weights) -> Sums:
    """The sums of what is seen on a sheet."""
    net = SEEN * net_for(state, left)
    sums = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    sums = add(sums, weights, net + TABLE + (0 if state["players"] == 1 else 1), 1.0)
    lasting = int(left)
    sums = add(sums, weights, net + LASTING + lasting, lasting + 1.0 - left)
    sums = add(sums, weights, net + LASTING + lasting + 1, left - lasting)
    full, spoilt, nearly, gaps, highest, space, _ = skyline(state, seat)
    sums = add(sums, weights, net + OPEN_ROWS + SAFE_ROWS - full - spoilt, 1.0)
    sums = add(sums, weights, net + SPOILT + spoilt, 1.0)
    sums = add(sums, weights, net + NEARLY + min(nearly, 4), 1.0)
    sums = add(sums, weights, net + GAPS + min(gaps, 11), 1.0)
    sums = add(sums, weights, net + HIGHEST + highest, 1.0)
    sums = add(sums, weights, net + SPACE, space / 64.0)
    steps = steps_between(state, seat)
    for i in range(3):
        sums = add(sums, weights, net + STEPS + 7 * i + ((steps >> (3 * i)) & 7), 1.0)
        sums = add(sums, weights, net + STEPS + 7 * i + ((steps >> (15 - 3 * i)) & 7), 1.0)
    if not state["bonus"][seat]:
        sums = add(sums, weights, net + BONUS_OPEN, 1.0)
    for letter in range(LETTERS):
        sums = _add_letter(sums, state, seat, letter, net, weights)
    open_low, open_high = open_cells(state, seat)
    sizes = open_sizes(state, seat)
    for kind in range(2):
        if kind == IDENTICAL:
            found = sets(state, seat, open_low, open_high)
        else:
            found = runs(state, seat, open_low, open_high)
        sums = add(sums, weights, net + CIRCLED + 32 * kind + int(state["combos"][seat, kind]), 1.0)
        for i in range(3):
            sums = add(sums, weights, net + FOUND + 36 * (3 * kind + i) + min(found[i], 35), 1.0)
        sums = add(sums, weights, net + HOW_MANY + 8 * kind + min(found[3], 7), 1.0)
        sums = add(sums, weights, net + REACH + 9 * kind + min(found[4], BONUS), 1.0)
        largest = found[0] >> 2
        for i in range(6):
            if (sizes[kind] >> (i + 3)) & 1:
                missing = min(max(i + 3 - largest, 0), MISSING - 1)
                sums = add(sums, weights, net + NEAREST + (kind * 6 + i) * MISSING + missing, 1.0)
    return sums


@kernel
def _add_letter(
    sums: Sums, state: State, seat: int, letter: int, net: int, weights: Weights
) -> Sums:
    """A letter: how many of its combos are circled, and how soon its block may drop.

    At a table an active letter of others is as near as a last notch, one of nobody far away.
    """
    circled = 0
    for kind in range(2):
        if (int(state["combos"][seat, kind]) >> letter) & 1:
            circled += 1
    notches = NOTCHES - 1
    if state["players"] == 1:
        notches = int(state["notches"][letter])
    elif (int(state["crossed"]) >> letter) & 1:
        notches = 0
    else:
        for other in range(state["players"]):
            if other != seat and (letters(state, other) >> letter) & 1:
                notches = 1
    return add(sums, weights, net + LETTER + (5 * letter + notches) * 3 + circled, 1.0)
