"""What a sheet is worth: its points, and the points that are still expected to come.

The future is a sum of learned weights, one for each thing that is so on the sheet, as listed by
`future`: for every open combo how near the best set or run is to it, the skyline, the letters. The
weights come from `benchmarks/tune_number_drop.py` and stand in `weights`. Those that depend on how
long the match will last have one line for each of five phases.
"""

from __future__ import annotations

from typing import Any

from droptable.core.compile import kernel
from droptable.core.contract import State
from droptable.games.number_drop.combos import BONUS, IDENTICAL, open_sizes
from droptable.games.number_drop.reading import open_cells, runs, sets, skyline
from droptable.games.number_drop.rules import LETTERS, NOTCHES, letters

Weights = Any  # a float64 array of COUNT, in points

# The length of a match is measured in slides (ND16), also where nothing slides.
MOST_SLIDES = LETTERS * NOTCHES
SLIDES_A_ROUND = 1.4
CELLS_A_ROUND = 4.7  # with blocks and gaps
PHASES = 5
PHASE_STARTS = (15, 10, 6, 3, 0)  # slides left, of the phases from the last to the first

# The first weight of each group, within a phase: [kind, size, missing, room] and so on.
SIZES = 6  # of combos: 3-8
MISSING, ROOM = 5, 4  # numbers that a combo lacks, 4 or more are alike; see `reading` for room
NEAREST = 0
SECOND = NEAREST + 2 * SIZES * MISSING * ROOM  # [kind, size from 0 to 5, room]
STILL_OPEN = SECOND + 2 * 6 * ROOM  # [kind, open combos of the values 3-7]
TO_LARGEST = STILL_OPEN + 2 * 6  # [kind, open combos, numbers that the largest of them lacks]
HEIGHT = TO_LARGEST + 2 * 6 * MISSING
BUMPS = HEIGHT + 15  # in twos, up to 7
SPACE = BUMPS + 8  # in fours
SPOILT = SPACE + 20  # rows, up to 7
GAPS = SPOILT + 8  # up to 9
NEARLY = GAPS + 10  # rows, up to 3
A_PHASE = NEARLY + 4
# And those of the whole match.
LEFT = PHASES * A_PHASE  # slides left
LETTER = LEFT + MOST_SLIDES + 1  # [letter, combos circled, notches]
COUNT = LETTER + LETTERS * 3 * 5


@kernel
def slides_left(state: State) -> int:
    """How long the match will last: solo by its tiles, else by the fullest of all sheets."""
    if state["players"] == 1:
        left = 0
        for letter in range(LETTERS):
            left += int(state["notches"][letter])
        return left
    least = 77
    for seat in range(state["players"]):
        least = min(least, skyline(state, seat)[6])
    return min(int(least * (SLIDES_A_ROUND / CELLS_A_ROUND)) + 1, MOST_SLIDES)


@kernel
def phase_of(left: int) -> int:
    """The phase of the match, from the last, 0, to the first."""
    phase = 0
    while left < PHASE_STARTS[phase]:
        phase += 1
    return PHASES - 1 - phase


@kernel
def combo_points(state: State, seat: int) -> int:
    """The points of all circled combos (ND15)."""
    points = BONUS * int(state["bonus"][seat])
    for kind in range(2):
        values = int(state["combos"][seat, kind])
        for i in range(LETTERS):
            if (values >> i) & 1:
                points += i + 3
        if values == 0b11111:
            points += 10
    return points


@kernel
def worth(state: State, seat: int, left: int, weights: Weights) -> float:
    """The final score that a seat may expect if it does nothing more in this round.

    `left` is `slides_left`, which is the same for all that a seat can do now.
    """
    full, spoilt, nearly, gaps, highest, bumps, space, above = skyline(state, seat)
    points = float(combo_points(state, seat) + 2 * full)
    if above:
        return points - 5.0 * above
    if left == 0:
        return points
    phase = phase_of(left) * A_PHASE
    open_low, open_high = open_cells(state, seat)
    sizes = open_sizes(state, seat)
    for kind in range(2):
        if kind == IDENTICAL:
            found = sets(state, seat, open_low, open_high)
        else:
            found = runs(state, seat, open_low, open_high)
        count = 0
        largest = 0
        for i in range(SIZES):
            if (sizes[kind] >> (i + 3)) & 1:
                missing = min(max(i + 3 - found[0], 0), MISSING - 1)
                place = ((kind * SIZES + i) * MISSING + missing) * ROOM + found[1]
                points += weights[phase + NEAREST + place]
                if i < LETTERS:
                    count += 1
                    largest = missing
        points += weights[phase + SECOND + (kind * 6 + min(found[2], 5)) * ROOM + found[3]]
        points += weights[phase + STILL_OPEN + kind * 6 + count]
        points += weights[phase + TO_LARGEST + (kind * 6 + count) * MISSING + largest]
    points += weights[phase + HEIGHT + highest]
    points += weights[phase + BUMPS + min(bumps // 2, 7)]
    points += weights[phase + SPACE + space // 4]
    points += weights[phase + SPOILT + min(spoilt, 7)]
    points += weights[phase + GAPS + min(gaps, 9)]
    points += weights[phase + NEARLY + min(nearly, 3)]
    points += weights[LEFT + left]
    for letter in range(LETTERS):
        points += weights[LETTER + letter_place(state, seat, letter)]
    return float(points)


@kernel
def letter_place(state: State, seat: int, letter: int) -> int:
    """The index of a letter's weight: how far it is circled, and how soon its block may drop.

    At a table an active letter of others is as near as a last notch, one of nobody far away.
    """
    circled = ((int(state["combos"][seat, 0]) >> letter) & 1) + (
        (int(state["combos"][seat, 1]) >> letter) & 1
    )
    notches = NOTCHES - 1
    if state["players"] == 1:
        notches = int(state["notches"][letter])
    elif (int(state["crossed"]) >> letter) & 1:
        notches = 0
    else:
        for other in range(state["players"]):
            if other != seat and (letters(state, other) >> letter) & 1:
                notches = 1
    return (letter * 3 + circled) * 5 + notches
