"""Depot at a glance: the best move by `worth.py`, and how a match stands between its games."""

from __future__ import annotations

import numpy as np

from droptable.core.chance import below
from droptable.core.compile import kernel
from droptable.core.contract import Ids, Numbers, Random, State
from droptable.games.depot.bot.worth import limits, rate_gift, rate_play, rate_take
from droptable.games.depot.rules import GIVE_CARD, KEEP, TAKE, winners
from droptable.games.depot.rules.memory import other_hands
from droptable.games.depot.rules.piles import NUMBERS, packed

SCALE = 0.1  # of a move's worth, in the heuristic
NOISE = 0.02  # so that rollouts vary between moves that look alike

# Fitted to matches of three games between greedy seats.
LOST_POINT = 0.37  # weight of a lost point before the last game …
LOST_POINT_EARLY = 0.22  # … and before the last but one


@kernel
def heuristic(state: State, seat: int, action: int) -> float:
    """How good a move looks to a seat that knows its own hand and the open cards."""
    return min(0.5 + SCALE * rate(state, seat, action), 2.0)


@kernel
def rollout_move(state: State, seat: int, ids: Ids, count: int, random: Random) -> int:
    """The best move, or one that is about as good."""
    best = int(ids[0])
    best_rate = -1e9
    for k in range(count):
        move_rate = rate(state, seat, int(np.int64(ids[k]))) + NOISE * below(random, 1024) / 1024.0
        if move_rate > best_rate:
            best_rate = move_rate
            best = int(ids[k])
    return best


@kernel
def cutoff(state: State, root: State) -> bool:
    """The end of the game: the next one starts afresh."""
    return bool(state["game"] != root["game"])


@kernel
def evaluate(state: State, points: Numbers, values: Numbers) -> None:
    """The shares at the end of a match; between games, by the lost points."""
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
