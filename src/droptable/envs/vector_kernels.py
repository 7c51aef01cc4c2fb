"""Kernels of the vector environment: they step, list and look at the matches of a range of rows.

Ranges do not overlap and every match has its own random generator, so that threads can share the
rows in any way with the same result.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from droptable.core.bits import count_bits, lowest_bit
from droptable.core.chance import below
from droptable.core.compile import kernel
from droptable.core.contract import (
    Ids,
    Numbers,
    Random,
    State,
    apply,
    legal,
    observe,
    scores,
    winners,
)
from droptable.core.loops import States, deal
from droptable.core.tensor import Bytes, Places, encode_at

Masks = Any  # [match, action]: whether it is legal


@kernel
def first_refused(actions: Any, masks: Masks) -> int:
    """The first row whose action is not legal, or -1."""
    most = masks.shape[1]
    for i in range(len(actions)):
        action = actions[i]
        if action < 0 or action >= most or not masks[i, action]:
            return i
    return -1


@kernel
def start_range(
    states: States,
    fresh: States,
    start: int,
    stop: int,
    seats: Any,
    masks: Masks,
    counts: Any,
    random: Random,
    ids: Ids,
    weights: Numbers,
) -> None:
    """Start matches from `fresh[0]` and list their first moves."""
    for i in range(start, stop):
        states[i] = fresh[0]
        actors = deal(states, i, random[i : i + 1], ids, weights)
        list_moves(states[i], actors, i, seats, masks, counts, ids)


@kernel
def step_range(
    states: States,
    fresh: States,
    ended: States,
    start: int,
    stop: int,
    actions: Any,
    seats: Any,
    masks: Masks,
    counts: Any,
    done: Any,
    rewards: Any,
    points: Any,
    won: Any,
    random: Random,
    ids: Ids,
    weights: Numbers,
) -> None:
    """Make checked moves. A match that ends is kept in `ended` with its result, and starts anew."""
    for i in range(start, stop):
        state = states[i]
        if done[i]:  # what the last step wrote
            done[i] = False
            for seat in range(rewards.shape[1]):
                rewards[i, seat] = 0.0
        apply(state, int(np.int64(seats[i])), int(np.int64(actions[i])))
        actors = deal(states, i, random[i : i + 1], ids, weights)
        if not actors:
            done[i] = True
            scores(state, points[i])
            note_result(winners(state), points[i], won[i], rewards[i])
            ended[i] = states[i]
            states[i] = fresh[0]
            actors = deal(states, i, random[i : i + 1], ids, weights)
        list_moves(states[i], actors, i, seats, masks, counts, ids)


@kernel
def note_result(winners: int, points: Any, won: Any, rewards: Any) -> None:
    """A sum of zero, 1 for the only winner; alone at the table, the score.

    A shared victory shares the 1; what the winners get, the others pay in equal parts.
    """
    players = len(rewards)
    share = players / count_bits(winners)
    for seat in range(players):
        won[seat] = winners >> seat & 1
        if players == 1:
            rewards[seat] = points[seat]
        else:
            rewards[seat] = ((share if won[seat] else 0.0) - 1.0) / (players - 1)


@kernel
def list_moves(
    state: State, actors: int, i: int, seats: Any, masks: Masks, counts: Any, ids: Ids
) -> None:
    """Write who decides next (the lowest seat to act) in match i, and the mask."""
    seat = lowest_bit(actors)
    count = legal(state, seat, ids)
    seats[i] = seat
    counts[i] = count
    mask = masks[i]
    for action in range(len(mask)):
        mask[action] = False
    for k in range(count):
        mask[ids[k]] = True


@kernel
def look_range(
    states: States,
    start: int,
    stop: int,
    seats: Any,
    views: States,
    raw: Bytes,
    own: int,
    places: Places,
    out: Any,
) -> None:
    """Write what seats see, each of its match; `views[own]` is scratch, `raw` its bytes."""
    for i in range(start, stop):
        seat = int(np.int64(seats[i]))
        views[own] = states[i]
        observe(views[own], seat)
        encode_at(views, own, raw, places, seat, out[i])


@kernel
def choose_range(
    start: int, stop: int, masks: Masks, counts: Any, random: Random, actions: Any
) -> None:
    """Choose legal moves at random, all equally likely."""
    for i in range(start, stop):
        left = below(random[i : i + 1], int(np.int64(counts[i])))
        action = 0
        while left > 0 or not masks[i, action]:
            left -= masks[i, action]
            action += 1
        actions[i] = action
