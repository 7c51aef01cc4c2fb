"""Depot by instinct: what looks best at a glance (`worth.py`), and which hands others may have.

A search looks further: by what a net has learned (`foresight.py`).
"""

from __future__ import annotations

import numpy as np

from droptable.core.chance import below
from droptable.core.compile import kernel
from droptable.core.contract import Ids, Numbers, Random, State
from droptable.games.depot.bot.beliefs import believe
from droptable.games.depot.bot.foresight import foresee, outlook
from droptable.games.depot.bot.worth import limits, rate_gift, rate_play, rate_take
from droptable.games.depot.rules import GIVE_CARD, KEEP, TAKE, winners
from droptable.games.depot.rules.memory import other_hands
from droptable.games.depot.rules.piles import NUMBERS, packed

__all__ = ["appeal", "believe", "estimate", "foresee", "outlook", "pause", "playout_move"]

SCALE = 0.1  # of what a move is worth, as an appeal
NOISE = 0.02  # so that simulated seats vary between moves that look alike

# What a match of three games comes to, as greedy seats leave it.
LOST_POINT = 0.37  # how much a lost point weighs before the last game …
LOST_POINT_EARLY = 0.22  # … and before the last but one

# Settings of search.
RIVALS = 1.0  # by instinct: hands are too secret for a tree to think for them
WIDENING = 0.5  # what looks worst is seldom worth a try
LONGEST = 300  # a simulated game takes about ten moves a seat
AHEAD = 2  # own turns: what comes then is foreseen better than simulated
LINKED = 40  # hands that are likely are found step by step


@kernel
def appeal(state: State, seat: int, action: int) -> float:
    """How good a move looks to a seat that knows its own hand and what lies open."""
    return min(0.5 + SCALE * rate(state, seat, action), 2.0)


@kernel
def playout_move(state: State, seat: int, ids: Ids, count: int, random: Random) -> int:
    """The best move, or one that looks as good."""
    best = int(ids[0])
    best_rate = -1e9
    for k in range(count):
        move_rate = rate(state, seat, int(np.int64(ids[k]))) + NOISE * below(random, 1024) / 1024.0
        if move_rate > best_rate:
            best_rate = move_rate
            best = int(ids[k])
    return best


@kernel
def pause(state: State, root: State) -> bool:
    """A game is the unit: the next one starts anew."""
    return bool(state["game"] != root["game"])


@kernel
def estimate(state: State, points: Numbers, values: Numbers) -> None:
    """Shares of a match that is over; between games, by the lost points."""
    players = int(state["players"])
    won = winners(state)
    weight = LOST_POINT if state["game"] + 1 == state["games"] else LOST_POINT_EARLY
    total = 0.0
    for seat in range(players):
        if won:
            values[seat] = float((won >> seat) & 1)
        else:
            values[seat] = np.exp(-weight * float(state["lost"][seat]))
        total += values[seat]
    for seat in range(players):
        values[seat] /= total


@kernel
def rate(state: State, seat: int, action: int) -> float:
    """What a move is worth to a seat."""
    hand = packed(state["hands"][seat])
    storage = packed(state["storage"])
    fewest, most = other_hands(state, seat)
    if action < TAKE:
        largest, longest = limits(storage)
        return rate_play(hand, action, largest, longest, fewest, most)
    if action < GIVE_CARD:
        last = bool(state["passes"] == state["players"] - 2)
        return rate_take(hand, storage, action - TAKE, fewest, last)
    return rate_gift(hand, storage, action - GIVE_CARD if action < KEEP else NUMBERS)
