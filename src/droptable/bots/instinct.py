"""What a game may know beyond its rules, for bots: slots that a game's `instinct.py` can fill.

Every slot has a body that works for any game, so a new game has bots at once. Values are shares of
the victory, 0 to 1, one a seat.
"""

# ruff: noqa: ARG001
from __future__ import annotations

import numpy as np

from droptable.core.bits import count_bits
from droptable.core.chance import below
from droptable.core.compile import kernel, slot
from droptable.core.contract import Ids, Numbers, Random, State, scores, to_act, winners
from droptable.core.loops import States
from droptable.core.net import Notes

Values = Numbers  # a float64 array, one share of the victory a seat


@slot
def appeal(state: State, seat: int, action: int) -> float:
    """How good a legal move looks at once; only the order matters to `greedy`.

    Search adds it, scaled, to what it has found out, so 0 to 1 is a good range for the rest of us.
    """
    return 0.0


@slot
def outlook(states: States, seat: int, action: int, ids: Ids, notes: Notes) -> float:
    """How good a legal move of a seat in states[1] is, by all that it can know; an appeal.

    states[3], states[4] and the rest are scratch.
    """
    return appeal(states[1], seat, action)


@slot
def foresee(state: State, seat: int, notes: Notes, values: Values) -> bool:
    """Write each seat's share of the victory when this one has moved, if that can be said now.

    In a simulated match in which it goes on by its outlook; others or the dealer are to act.
    `notes` is scratch.
    """
    return False


@slot
def playout_move(state: State, seat: int, ids: Ids, count: int, random: Random) -> int:
    """The move that a seat makes in a simulated match: quick, sensible, varied."""
    return int(np.int64(ids[below(random, count)]))


@slot
def believe(state: State, seat: int, random: Random) -> None:
    """Change a possible world into a likelier one: what the others hide is seldom random.

    What the seat sees has to stay as it is.
    """


@slot
def pause(state: State, root: State) -> bool:
    """Whether a simulated match that began at root has gone far enough to be estimated."""
    return False


@slot
def estimate(state: State, points: Numbers, values: Values) -> None:
    """Each seat's expected share of the victory here; `points` is scratch."""
    settle(state, points, values)


@kernel
def settle(state: State, points: Numbers, values: Values) -> None:
    """The shares of a match that is over; alone at the table, the score in hundreds."""
    players = int(state["players"])
    won = winners(state)
    for seat in range(players):
        values[seat] = 1.0 / players
    if to_act(state):
        return
    if players == 1:
        scores(state, points)
        values[0] = points[0] / 100.0
        return
    share = 1.0 / count_bits(won)
    for seat in range(players):
        values[seat] = share if won >> seat & 1 else 0.0
