"""Generic kernels over any game: what `State` calls, whole random matches, steps of a batch.

A state reaches compiled code as `(states, i)`: an array of records and an index. That is several
times cheaper to pass than a record, and keeps the array alive while its records are in use. Numbers
go on as int64 everywhere: Numba would compile the rules again for every other type.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from droptable.core.bits import count_bits, lowest_bit
from droptable.core.chance import below, sample_outcome
from droptable.core.compile import kernel
from droptable.core.contract import (
    DEALER,
    DEALER_ACTS,
    Ids,
    Numbers,
    Random,
    apply,
    chance,
    determinize,
    legal,
    observe,
    scores,
    setup,
    to_act,
    winners,
    witnesses,
)

States = Any  # an array of a game's records


@kernel
def dealer() -> int:
    """The dealer as a number like any other: Numba compiles a callee anew for a literal."""
    return DEALER


@kernel
def start_at(states: States, i: int) -> None:
    """Set up a record whose players and options are filled in."""
    setup(states[i])


@kernel
def to_act_at(states: States, i: int) -> int:
    """Who is to act, as bits."""
    return to_act(states[i])


@kernel
def legal_at(states: States, i: int, seat: int, ids: Ids) -> int:
    """The legal actions of a seat that is to act."""
    return legal(states[i], seat, ids)


@kernel
def chance_at(states: States, i: int, ids: Ids, weights: Numbers) -> int:
    """The dealer's possible outcomes and their weights."""
    return chance(states[i], ids, weights)


@kernel
def apply_at(states: States, i: int, actor: int, action: int) -> int:
    """Make a move that was checked; return who is to act next, as bits."""
    state = states[i]
    apply(state, actor, action)
    return to_act(state)


@kernel
def result_at(states: States, i: int, points: Numbers) -> int:
    """Write the scores; return the winners as bits."""
    state = states[i]
    scores(state, points)
    return winners(state)


@kernel
def witnesses_at(states: States, i: int, actor: int, action: int) -> int:
    """The seats that may know this event, as bits."""
    return witnesses(states[i], actor, action)


@kernel
def observe_at(states: States, i: int, seat: int) -> None:
    """Blank what a seat may not know."""
    observe(states[i], seat)


@kernel
def determinize_at(states: States, i: int, seat: int, random: Random) -> None:
    """Fill what a seat may not know."""
    determinize(states[i], seat, random)


@kernel
def deal(states: States, i: int, random: Random, ids: Ids, weights: Numbers) -> int:
    """Let the dealer act until a seat has to, or the match is over; return who is to act."""
    state = states[i]
    actors = to_act(state)
    while actors == DEALER_ACTS:
        apply(state, dealer(), sample_outcome(state, ids, weights, random))
        actors = to_act(state)
    return actors


@kernel
def playout(states: States, i: int, random: Random, ids: Ids, weights: Numbers) -> int:
    """Play a match to its end with uniformly random moves; return how many moves seats made."""
    moves = 0
    state = states[i]
    actors = deal(states, i, random, ids, weights)
    while actors:
        seat = lowest_bit(actors)
        count = legal(state, seat, ids)
        apply(state, seat, int(np.int64(ids[below(random, count)])))
        moves += 1
        actors = deal(states, i, random, ids, weights)
    return moves


@kernel
def simulate(
    states: States,
    matches: int,
    random: Random,
    ids: Ids,
    weights: Numbers,
    points: Numbers,
    wins: Any,
    totals: Any,
) -> int:
    """Play matches from states[0] in states[1]; add shares of wins and scores; return the moves.

    A victory shared by k seats counts 1/k for each.
    """
    moves = 0
    players = len(wins)
    for _ in range(matches):
        states[1] = states[0]
        moves += playout(states, 1, random, ids, weights)
        bits = result_at(states, 1, points)
        share = 1.0 / count_bits(bits)
        for seat in range(players):
            totals[seat] += points[seat]
            if bits >> seat & 1:
                wins[seat] += share
    return moves


@kernel
def step(states: States, i: int, action: int, random: Random, ids: Ids, weights: Numbers) -> int:
    """Make a checked move of the lowest seat to act, let the dealer go on, list the next moves.

    Returns `seat << 16 | count` with the next seat's actions in ids, or 0 when the match is over.
    """
    state = states[i]
    apply(state, lowest_bit(to_act(state)), action)
    actors = deal(states, i, random, ids, weights)
    if not actors:
        return 0
    seat = lowest_bit(actors)
    return seat << 16 | legal(state, seat, ids)


@kernel
def open_rows(
    states: States, seats: Any, moves: Ids, counts: Any, random: Random, weights: Numbers
) -> None:
    """Deal every match of a batch up to its first decision and list it."""
    for i in range(len(states)):
        _list_row(states, i, seats, moves, counts, random, weights)


@kernel
def step_rows(
    states: States,
    fresh: States,
    actions: Any,
    seats: Any,
    moves: Ids,
    counts: Any,
    done: Any,
    points: Any,
    won: Any,
    random: Random,
    weights: Numbers,
) -> int:
    """Step every match of a batch; return -1, or the first row whose action is not legal.

    Nothing is changed when a row is refused. A match that ends leaves its scores in `points` and
    its winners in `won`, sets `done`, and starts anew from `fresh[0]`.
    """
    for i in range(len(states)):
        ok = False
        for k in range(counts[i]):
            if moves[i, k] == actions[i]:
                ok = True
        if not ok:
            return i
    for i in range(len(states)):
        state = states[i]
        apply(state, int(np.int64(seats[i])), int(np.int64(actions[i])))
        actors = deal(states, i, random[i : i + 1], moves[i], weights)
        done[i] = actors == 0
        if actors == 0:
            scores(state, points[i])
            won[i] = winners(state)
            states[i] = fresh[0]
        _list_row(states, i, seats, moves, counts, random, weights)
    return -1


@kernel
def _list_row(
    states: States,
    i: int,
    seats: Any,
    moves: Ids,
    counts: Any,
    random: Random,
    weights: Numbers,
) -> None:
    row = moves[i]
    actors = deal(states, i, random[i : i + 1], row, weights)
    seat = lowest_bit(actors)
    seats[i] = seat
    counts[i] = legal(states[i], seat, row)


# What a match at a table needs: the functions that `State` and `View` call.
MATCH = (
    start_at, to_act_at, legal_at, chance_at, apply_at, result_at, witnesses_at, observe_at,
    determinize_at,
)  # fmt: skip
