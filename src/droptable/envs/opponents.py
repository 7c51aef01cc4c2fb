"""Opponents that play by instinct, in machine code, so that one learner can be stepped by itself.

Kernels like those of `droptable.core.rows`, for rows in which only one seat is the caller's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from droptable.bots.instincts import Avoided, Habits, Ratings, choose, habit_of
from droptable.core.bits import lowest_bit
from droptable.core.compile import kernel
from droptable.core.contract import Ids, Numbers, Random, apply, legal, observe
from droptable.core.errors import OptionError
from droptable.core.game import Game
from droptable.core.loops import States, deal, mark
from droptable.core.rows import Arrays, clear_result, note_result

ALL_SEATS = -1  # instead of the caller's seat: all are


class Others(NamedTuple):
    """Who sits beside the learner in N matches; the first index is the match where not said."""

    mine: Any  # int8: the caller's seat, or `ALL_SEATS`
    turn: Any  # int64 [1]: how many seats further the caller sits in the next match of a row
    held: Any  # bool: the match is over, and the next one has not begun
    habits: Habits  # [k] of the opponent k + 1 seats after the caller
    avoided: Avoided
    choosing: Random  # the generators of the opponents' choices
    views: States  # [thread] scratch: what an opponent sees
    ratings: Ratings  # [thread, k] scratch


def habits_of(game: Game, opponents: Sequence[str] | str, players: int) -> np.ndarray:
    """The habits of the other seats' bots; one name stands for all of them."""
    if not isinstance(opponents, str | Sequence):
        raise OptionError(f"opponents is {opponents!r}; expected names of bots")
    named = [opponents] if isinstance(opponents, str) else list(opponents)
    if len(named) == 1:
        named *= players - 1
    if len(named) != players - 1:
        raise OptionError(f"opponents is {opponents!r}; expected {players - 1}, or one for all")
    found = [habit_of(name, game) if isinstance(name, str) else None for name in named]
    for name, habit in zip(named, found, strict=True):
        if habit is None or habit.never:
            raise OptionError(
                f"opponent {name!r} cannot be stepped in machine code; expected random, "
                "beginner, easy, normal or greedy"
            )
    return np.array([habit.random for habit in found if habit is not None], np.float64)


@kernel
def advance(
    states: States, i: int, others: Arrays, thread: int, ids: Ids, weights: Numbers, random: Random
) -> int:
    """Let the dealer and opponents act until the caller's seat decides; list its moves in `ids`.

    Returns `seat << 16 | count`, or 0 when the match is over.
    """
    state = states[i]
    own = int(np.int64(others[0][i]))
    actors = deal(states, i, random, ids, weights)
    while actors:
        seat = lowest_bit(actors)
        if own < 0 or seat == own:
            return seat << 16 | legal(state, seat, ids)
        apply(state, seat, chosen_by_other(states, i, seat, others, thread, ids))
        actors = deal(states, i, random, ids, weights)
    return 0


@kernel
def chosen_by_other(
    states: States, i: int, seat: int, others: Arrays, thread: int, ids: Ids
) -> int:
    """What the opponent at a seat does, from what that seat can see."""
    mine, _turn, _held, habits, avoided, choosing, views, ratings = others
    views[thread] = states[i]
    observe(views[thread], seat)
    bot = (seat - int(np.int64(mine[i])) - 1) % (len(habits) + 1)
    chosen = choose(
        views, thread, seat, ids, ratings[thread], bot, habits, avoided, choosing[i : i + 1]
    )
    return chosen & 0xFFFFFFFF


@kernel
def begin(arrays: Arrays, others: Arrays, i: int, thread: int) -> None:
    """Start a match, and play on to the caller's first decision."""
    (
        states, start, random, weights, seats, counts, moves, masks,
        _done, _points, _won, _winners, _rewards, _ended,
    ) = arrays  # fmt: skip
    mine, turn, held, habits, _avoided, _choosing, _views, _ratings = others
    held[i] = False
    decision = 0
    while decision == 0:  # again if it is over before the caller may do anything
        states[i] = start[0]
        if turn[0]:
            mine[i] = (mine[i] + turn[0]) % (len(habits) + 1)
        decision = advance(states, i, others, thread, moves[i], weights[thread], random[i : i + 1])
    seats[i] = decision >> 16
    counts[i] = decision & 0xFFFF
    if masks.shape[1]:
        mark(moves[i], decision & 0xFFFF, masks[i])


@kernel
def begin_rows(
    arrays: Arrays, others: Arrays, first: int, stop: int, thread: int, chosen: Any
) -> None:
    """Start the chosen matches of a range of rows."""
    done, rewards = arrays[8], arrays[12]
    for i in range(first, stop):
        if chosen[i]:
            clear_result(done, rewards, i)
            begin(arrays, others, i, thread)


@kernel
def step_against(
    arrays: Arrays, others: Arrays, first: int, stop: int, thread: int, actions: Any, again: bool
) -> None:
    """Make a checked move in every match of a range, and let the others answer.

    A match that ends starts anew at once; with `again` false it is held, and the next step starts
    the next one instead of making a move.
    """
    (
        states, _start, random, weights, seats, counts, moves, masks,
        done, points, won, winners, rewards, ended,
    ) = arrays  # fmt: skip
    held = others[2]
    for i in range(first, stop):
        clear_result(done, rewards, i)
        if held[i]:
            begin(arrays, others, i, thread)
            continue
        apply(states[i], int(np.int64(seats[i])), int(np.int64(actions[i])))
        decision = advance(states, i, others, thread, moves[i], weights[thread], random[i : i + 1])
        if decision == 0:
            done[i] = True
            won[i] = note_result(states[i], points[i], winners[i], rewards[i])
            ended[i] = states[i]
            if again:
                begin(arrays, others, i, thread)
            else:
                held[i] = True
        else:
            seats[i] = decision >> 16
            counts[i] = decision & 0xFFFF
            if masks.shape[1]:
                mark(moves[i], decision & 0xFFFF, masks[i])
