"""Many matches as rows of arrays: kernels that start, step and sample them by integer ids.

Every row has its own generator, so threads can share the rows in any way with the same result.
Kernels trust their caller: `droptable.core.batch` checks actions first.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from droptable.core.chance import below
from droptable.core.compile import kernel
from droptable.core.contract import Ids, Numbers, Random, apply
from droptable.core.loops import States, mark, next_decision, result_at, share_victory


class Rows(NamedTuple):
    """The arrays of N matches; the first index is the match where nothing else is said."""

    states: States
    start: States  # [1] the record that every match starts from
    random: Random  # the generators that deal
    weights: Numbers  # [thread, outcome] scratch for the dealer
    seats: Any  # int8: who decides next
    counts: Any  # int16: how many legal actions that seat has
    moves: Ids  # [match, k] their ids, ascending; also scratch for the dealer
    masks: Any  # [match, action] bool: the same as a mask; no columns where nobody wants it
    done: Any  # bool: the match of this row ended in the last step
    points: Any  # [match, seat] int32: the scores of the last match that ended
    won: Any  # int32: its winners as bits
    winners: Any  # [match, seat] bool: the same as a mask
    rewards: Any  # [match, seat] float32: what the last step gave to each seat
    ended: States  # the last record of the last match that ended


@kernel
def start_rows(rows: Rows, first: int, stop: int, thread: int) -> None:
    """Start the matches of a range of rows and list their first decisions."""
    weights = rows.weights[thread]
    for i in range(first, stop):
        rows.states[i] = rows.start[0]
        clear_result(rows.done, rows.rewards, i)
        random, moves = rows.random[i : i + 1], rows.moves[i]
        decision = next_decision(rows.states, i, random, moves, weights)
        rows.seats[i] = decision >> 16
        rows.counts[i] = decision & 0xFFFF
        if rows.masks.shape[1]:
            mark(moves, decision & 0xFFFF, rows.masks[i])


@kernel
def step_rows(rows: Rows, first: int, stop: int, thread: int, actions: Any) -> None:
    """Make a checked move in every match of a range; a match that ends starts anew."""
    weights = rows.weights[thread]
    for i in range(first, stop):
        clear_result(rows.done, rows.rewards, i)
        random, moves = rows.random[i : i + 1], rows.moves[i]
        apply(rows.states[i], int(np.int64(rows.seats[i])), int(np.int64(actions[i])))
        decision = next_decision(rows.states, i, random, moves, weights)
        if decision == 0:
            rows.done[i] = True
            rows.won[i] = won = result_at(rows.states, i, rows.points[i])
            for seat in range(rows.winners.shape[1]):
                rows.winners[i, seat] = won >> seat & 1
            share_victory(won, rows.points[i], rows.rewards[i])
            rows.ended[i] = rows.states[i]
            rows.states[i] = rows.start[0]
            decision = next_decision(rows.states, i, random, moves, weights)
        rows.seats[i] = decision >> 16
        rows.counts[i] = decision & 0xFFFF
        if rows.masks.shape[1]:
            mark(moves, decision & 0xFFFF, rows.masks[i])


@kernel
def clear_result(done: Any, rewards: Any, i: int) -> None:
    """Take back what the last step wrote if the match ended in it."""
    if done[i]:
        done[i] = False
        for seat in range(rewards.shape[1]):
            rewards[i, seat] = 0.0


@kernel
def first_illegal(moves: Ids, counts: Any, actions: Any) -> int:
    """The first row whose action is not listed, or -1."""
    for i in range(len(actions)):
        if actions[i] < 0 or actions[i] >= moves.shape[1]:
            return i
        action = np.int32(actions[i])  # the type of the list: compared many at a time
        listed = False
        for k in range(counts[i]):
            if moves[i, k] == action:
                listed = True
        if not listed:
            return i
    return -1


@kernel
def sample_rows(rows: Rows, first: int, stop: int, random: Random, actions: Any) -> None:
    """Choose a legal action in every match of a range, all equally likely."""
    for i in range(first, stop):
        count = int(np.int64(rows.counts[i]))
        actions[i] = rows.moves[i, below(random[i : i + 1], count)]
