"""What a sheet is worth: its points, and the points that are still expected to come.

The future is estimated by a sparse-input MLP with one hidden layer (`droptable.core.net`), whose
features are read from the sheet (`hidden_layer`). There is one network for tables and one for each
phase of a solo match (`net_for`). Their weights come from `benchmarks/tune_number_drop.py` and are
loaded by `weights`.
"""

from __future__ import annotations

from droptable.core.compile import kernel
from droptable.core.contract import State
from droptable.core.net import EMPTY, HIDDEN, Hidden, Weights, add_feature, output
from droptable.games.number_drop.bot.features import open_cells, runs, sets, skyline, steps_between
from droptable.games.number_drop.bot.solo_length import solo_rounds
from droptable.games.number_drop.rules.combos import BONUS, IDENTICAL, open_sizes
from droptable.games.number_drop.rules.grid import SAFE_ROWS
from droptable.games.number_drop.rules.record import LETTERS, NOTCHES, PLAYING
from droptable.games.number_drop.rules.rounds import in_turn, letters
from droptable.games.number_drop.rules.scoring import FULL_ROW, MARKED_ROW, combo_points

CELLS_PER_ROUND = 4.7  # at a table, with blocks and gaps
MOST_ROUNDS = 16

AT_TABLE, NETS = 0, 5  # the networks: for tables, then for solo matches, the early ones first
LATER = (10.0, 6.5, 3.5)  # fewer rounds are left in the later ones

# The features, each with HIDDEN weights in every network. Most groups are one-hot.
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
PROMISING = CIRCLED + 2 * 32  # [kind, which of three, size, room]
HOW_MANY = PROMISING + 2 * 3 * 9 * 4  # [kind, sets or runs]
REACH = HOW_MANY + 2 * 8  # [kind, size in reach]
NEAREST = REACH + 2 * 9  # [kind, size from 3 to 8, numbers that it lacks]: open combos
MISSING = 4  # 3 or more are alike
FEATURES = NEAREST + 2 * 6 * MISSING
OUT = NETS * FEATURES * HIDDEN  # the output weights, by network
COUNT = OUT + NETS * HIDDEN


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
    return min(least / CELLS_PER_ROUND + 1.0, float(MOST_ROUNDS))


@kernel
def net_for(state: State, left: float) -> int:
    """The network that judges a sheet: the same one for all that a seat can drop now."""
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
    hidden = hidden_layer(state, seat, left, weights)
    return points + output(hidden, weights, OUT + HIDDEN * net_for(state, left))


@kernel
def hidden_layer(state: State, seat: int, left: float, weights: Weights) -> Hidden:
    """The hidden layer for the features of a sheet."""
    net = FEATURES * net_for(state, left)
    hidden = EMPTY
    hidden = add_feature(hidden, weights, net + TABLE + (0 if state["players"] == 1 else 1), 1.0)
    lasting = int(left)
    hidden = add_feature(hidden, weights, net + LASTING + lasting, lasting + 1.0 - left)
    hidden = add_feature(hidden, weights, net + LASTING + lasting + 1, left - lasting)
    full, spoilt, nearly, gaps, highest, space, _ = skyline(state, seat)
    hidden = add_feature(hidden, weights, net + OPEN_ROWS + SAFE_ROWS - full - spoilt, 1.0)
    hidden = add_feature(hidden, weights, net + SPOILT + spoilt, 1.0)
    hidden = add_feature(hidden, weights, net + NEARLY + min(nearly, 4), 1.0)
    hidden = add_feature(hidden, weights, net + GAPS + min(gaps, 11), 1.0)
    hidden = add_feature(hidden, weights, net + HIGHEST + highest, 1.0)
    hidden = add_feature(hidden, weights, net + SPACE, space / 64.0)
    steps = steps_between(state, seat)
    for i in range(3):
        hidden = add_feature(hidden, weights, net + STEPS + 7 * i + ((steps >> (3 * i)) & 7), 1.0)
        hidden = add_feature(
            hidden, weights, net + STEPS + 7 * i + ((steps >> (15 - 3 * i)) & 7), 1.0
        )
    if not state["bonus"][seat]:
        hidden = add_feature(hidden, weights, net + BONUS_OPEN, 1.0)
    for letter in range(LETTERS):
        hidden = _add_letter(hidden, state, seat, letter, net, weights)
    open_low, open_high = open_cells(state, seat)
    sizes = open_sizes(state, seat)
    for kind in range(2):
        if kind == IDENTICAL:
            promising = sets(state, seat, open_low, open_high)
        else:
            promising = runs(state, seat, open_low, open_high)
        hidden = add_feature(
            hidden, weights, net + CIRCLED + 32 * kind + int(state["combos"][seat, kind]), 1.0
        )
        for i in range(3):
            hidden = add_feature(
                hidden, weights, net + PROMISING + 36 * (3 * kind + i) + min(promising[i], 35), 1.0
            )
        hidden = add_feature(hidden, weights, net + HOW_MANY + 8 * kind + min(promising[3], 7), 1.0)
        hidden = add_feature(
            hidden, weights, net + REACH + 9 * kind + min(promising[4], BONUS), 1.0
        )
        largest = promising[0] >> 2
        for i in range(6):
            if (sizes[kind] >> (i + 3)) & 1:
                missing = min(max(i + 3 - largest, 0), MISSING - 1)
                hidden = add_feature(
                    hidden, weights, net + NEAREST + (kind * 6 + i) * MISSING + missing, 1.0
                )
    return hidden


@kernel
def _add_letter(
    hidden: Hidden, state: State, seat: int, letter: int, net: int, weights: Weights
) -> Hidden:
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
    return add_feature(hidden, weights, net + LETTER + (5 * letter + notches) * 3 + circled, 1.0)
