"""The record of a match: its fields, what their numbers mean, and the ids of moves and outcomes."""

from __future__ import annotations

import numpy as np

from droptable.games.number_drop.rules.grid import ROWS
from droptable.games.number_drop.rules.shapes import COLUMNS, DIE_SHAPES, SHAPES

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

# Boards are explained in `grid`: two integers per seat, its low and high half. Single numbers are
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
