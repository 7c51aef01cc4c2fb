"""Many matches as rows of arrays: kernels that start, step and sample them by integer ids.

Every row has its own generator, so threads can share the rows in any way with the same result.
Kernels trust their caller: `droptable.core.batch` checks actions first.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from droptable.core.bits import lowest_bit
from droptable.core.chance import below
from droptable.core.compile import kernel
from droptable.core.contract import Ids, Numbers, Random, State, apply, legal, scores, winners
from droptable.core.loops import States, deal, mark, share_victory


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


# `Rows` as a plain tuple: to pass a named one from Python takes two microseconds longer.
Arrays = tuple[Any, ...]


@kernel
def start_rows(arrays: Arrays, first: int, stop: int, thread: int) -> None:
    """Start the matches of a range of rows and list their first decisions."""
    (
        states, start, random, weights, seats, counts, moves, masks,
        done, _points, _won, _winners, rewards, _ended,
    ) = arrays  # fmt: skip
    for i in range(first, stop):
        clear_result(done, rewards, i)
        states[i] = start[0]
        seat = lowest_bit(deal(states, i, random[i : i + 1], moves[i], weights[thread]))
        seats[i] = seat
        counts[i] = count = legal(states[i], seat, moves[i])
        if masks.shape[1]:
            mark(moves[i], count, masks[i])


@kernel
def step_rows(arrays: Arrays, first: int, stop: int, thread: int, actions: Any) -> None:
    """Make a checked move in every match of a range; a match that ends starts anew."""
    # Functions called here take few arrays: all of them would fill the stack at every call.
    (
        states, start, random, weights, seats, counts, moves, masks,
        done, points, won, winners, rewards, ended,
    ) = arrays  # fmt: skip
    for i in range(first, stop):
        clear_result(done, rewards, i)
        apply(states[i], int(np.int64(seats[i])), int(np.int64(actions[i])))
        actors = deal(states, i, random[i : i + 1], moves[i], weights[thread])
        if actors == 0:
            done[i] = True
            won[i] = note_result(states[i], points[i], winners[i], rewards[i])
            ended[i] = states[i]
            states[i] = start[0]
            actors = deal(states, i, random[i : i + 1], moves[i], weights[thread])
        seat = lowest_bit(actors)
        seats[i] = seat
        counts[i] = count = legal(states[i], seat, moves[i])
        if masks.shape[1]:
            mark(moves[i], count, masks[i])


@kernel
def note_result(state: State, points: Any, mask: Any, rewards: Any) -> int:
    """Write scores, winners and rewards of a match that is over; return the winners as bits."""
    scores(state, points)
    won = winners(state)
    for seat in range(len(mask)):
        mask[seat] = won >> seat & 1
    share_victory(won, points, rewards)
    return won


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
def sample_rows(
    moves: Ids, counts: Any, first: int, stop: int, random: Random, actions: Any
) -> None:
    """Choose a legal action in every match of a range, all equally likely."""
    for i in range(first, stop):
        actions[i] = moves[i, below(random[i : i + 1], int(np.int64(counts[i])))]
