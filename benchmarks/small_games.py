"""Variants of all five games that are small enough to list every match.

They keep the rules; decks, boards and counters are small, and matches begin near their end. TINY
ones are for OpenSpiel's own tools, whose best response is written in Python; SMALL ones have up to
some hundred thousand nodes.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

import droptable
from droptable.core.compile import kernel
from droptable.core.game import Game
from droptable.games.depot.rules import _start_game
from droptable.games.drop.rules import DUD, PLANE, ROWS, SEATS
from droptable.games.drop_or_pop.rules import NO_COLUMN
from droptable.games.number_drop.rules import (
    DIE_ID,
    DROP_ID,
    LETTERS,
    NO_LETTER,
    NO_SHAPE,
    SHAPE_ID,
    next_die,
)
from droptable.games.number_drop.rules.grid import X, mark_cells
from droptable.games.number_drop.rules.record import ROLLING
from droptable.games.number_drop.rules.shapes import PLACES

TINY, SMALL = 0, 1
Made = tuple[dict[str, Any], dict[str, Callable[..., Any]], str]


def small_game(name: str, size: int) -> tuple[Game, int, dict[str, Any], str]:
    """A variant, for how many players, with which options, and in a sentence what is small."""
    make, players, options = VARIANTS[name]
    constants, rules, about = make(size)
    tag = ("tiny", "small")[size]
    with np.errstate(invalid="ignore", divide="ignore"):  # Depot: numbers without cards
        made = droptable.game(name).variant(f"{name}-{tag}", constants=constants, rules=rules)
    made.players = (players,)
    return made, players, options, about


def drop_site(size: int) -> Made:
    """Six or eight cards, two in each hand, one round."""
    deck = (0x222, 0x1222)[size]
    about = ("two of each number 0-2", "two of each number 0-2 and a 3")[size]
    return {"FULL_DECK": deck, "HAND": 2}, {}, f"one round, hands of 2, cards: {about}"


def depot(size: int) -> Made:
    """Three numbers, two cards in each hand, some turns."""
    copies = ([3, 3, 2], [4, 3, 2])[size]
    turns = (2, 3)[size]

    @kernel
    def setup(state):
        _start_game(state)
        state["turn"] = state["turn_limit"] - turns

    constants = {"COPIES": np.array(copies + [0] * 5, np.int8), "HAND_SIZE": 2}
    told = " and ".join([", ".join(map(str, copies[:-1])), str(copies[-1])])
    return constants, {"setup": setup}, f"{told} cards of 1, 2 and 3, hands of 2, {turns} turns"


def drop(size: int) -> Made:
    """The cells around the dud and some more, a few stones each."""
    pieces = (2, 3)[size]
    near = np.zeros(ROWS, np.int64)
    cells = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (2, -2), (-2, 2), (0, 2), (0, -2)]
    for column, row in cells:
        near[row + 5] |= 1 << (column + 5)

    @kernel
    def setup(state):
        state["rows"][5] = 1 << (5 + DUD * PLANE)
        state["pieces"] = pieces
        for seat in range(SEATS):
            state["left"][seat] = pieces

    @kernel
    def free_cells(state, row):
        stones = int(state["rows"][row])
        taken = stones | stones >> PLANE | stones >> 2 * PLANE
        return ~taken & int(near[row])

    about = f"{pieces} stones each, placed on {len(cells)} cells around the dud"
    return {}, {"setup": setup, "free_cells": free_cells}, about


def drop_or_pop(size: int) -> Made:
    """Few columns and counters, three in a group win, some turns."""
    turns, columns = ((4, 2), (7, 3))[size]

    @kernel
    def setup(state):
        state["column"] = NO_COLUMN
        state["turn"] = state["turn_limit"] - turns

    constants = {"COLUMNS": columns, "COUNTERS": 3, "TO_WIN": 2 + size}
    about = f"{columns} columns, 3 counters each, {2 + size} win, {turns} turns"
    return constants, {"setup": setup}, about


def number_drop(size: int) -> Made:
    """The last round of a match for two: an O drops on rows of numbers, at one of two places."""
    faces = np.array(([3, 3, 4, 5], [3, 3, 3, 5])[size])
    tops = np.array([[X, 4, X], [2, X, X]])  # marks: a number is one less

    @kernel
    def setup(state):
        state["block"] = NO_LETTER
        state["shape_die"] = NO_SHAPE
        for seat in range(6):
            state["shape"][seat] = NO_SHAPE
        for letter in range(LETTERS):
            state["tiles"][letter] = letter
        for seat in range(2):
            mark_cells(state, seat, 0x7F7F7F7F7F7F, 0, X)
            mark_cells(state, seat, 0x7F << 48 & ~(0b111 << 48), 0, X)
            for column in range(3):
                mark_cells(state, seat, 1 << (48 + column), 0, int(tops[seat, column]))
        state["stage"] = ROLLING

    @kernel
    def chance(state, ids, weights):
        die = next_die(state)
        weights[0] = weights[1] = 1
        if die == 4:
            ids[0] = SHAPE_ID + 1
            return 1
        ids[0] = DIE_ID + faces[die] - 1
        ids[1] = ids[0] + 1
        return 1 if die < 3 else 2

    @kernel
    def legal_drops(state, seat, ids):
        shape = int(state["shape"][seat])
        for i in range(2):
            ids[i] = DROP_ID + PLACES[shape, i]
        return 2

    rules = {"setup": setup, "chance": chance, "legal_drops": legal_drops}
    shown = f"{', '.join(map(str, faces[:3]))} and {faces[3]} or {faces[3] + 1}"
    return {"ABOVE_LINE": 0}, rules, f"the last round, an O at one of 2 places, dice {shown}"


VARIANTS: dict[str, tuple[Callable[[int], Made], int, dict[str, Any]]] = {
    "drop-site": (drop_site, 2, {"round_limit": 1}),
    "number-drop": (number_drop, 2, {"order": "together"}),
    "drop": (drop, 2, {"size": 5}),
    "depot": (depot, 3, {}),
    "drop-or-pop": (drop_or_pop, 3, {}),
}
