"""How a best response is learned against copies of a bot: Monte Carlo control, compiled.

In each match of the training one seat learns and the others are the bot. The learner follows what
it has learned so far but for one decision, at which it tries any move ("exploring starts", Sutton
and Barto 2018); that decision and all later ones learn from the result. What a move is worth is
estimated twice: by a linear function of the view's tensor, which tells something about views that
were never seen, and by the mean of what came of this very move in this very view.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from droptable.bots.instincts import Avoided, Habits, Ratings, choose
from droptable.core.bits import count_bits, lowest_bit
from droptable.core.chance import below
from droptable.core.compile import kernel
from droptable.core.contract import (
    Ids,
    Numbers,
    Random,
    apply,
    determinize,
    legal,
    observe,
    winners,
)
from droptable.core.loops import States, deal
from droptable.core.tensor import Bytes, Places, Tensor, encode_at

START, MATCH, VIEW, WORLD, ROLLOUT, ROLLOUT_VIEW = range(6)  # rows of the states
# Numba compiles a callee anew for each literal, and not for numbers from an array.
ROWS = np.array([MATCH, ROLLOUT, -1])  # the last one: no decision
HALVINGS = 4  # rounds of `look_ahead`
NEVER = 10.0  # a margin that no move has
MOST_MOVES = 100_000  # of a match; one that goes on for longer is everybody's
PROBES = 8  # places of the table that a key may have
TRUST = 8.0  # matches that the linear estimate is worth, beside those of this very move
STEPS_USED, NOTES_USED = range(2)  # of the counters

_0, _7, _13, _17, _20 = (np.uint64(number) for number in (0, 7, 13, 17, 20))
_SALT = np.uint64(0x9E3779B97F4A7C15)

# What is estimated: weights of a view's notes (float64, the last one belongs to all views), their
# weights for each move (float64), and a table by keys (uint64) of visits and summed results.
Estimates = tuple[Any, Any, Any, Any, Any]
# A match of the learner: counters (int64 [2]); of each decision its notes' end (int64), its key
# (uint64) and its action (int32); and the notes: places in the tensor (int32), numbers (float64).
Notes = tuple[Any, Any, Any, Any, Any, Any]
Scratch = tuple[Ids, Numbers, Ratings]
Eyes = tuple[Bytes, Places, Tensor]  # the states' bytes, and what a tensor takes
Candidates = tuple[Any, Any, Any]  # moves (int32), sums of their results, and how many (float64)


# -- estimates ------------------------------------------------------------------------------------


@kernel
def mixed(key: Any) -> Any:
    """The next number of xorshift64."""
    key ^= key << _13
    key ^= key >> _7
    key ^= key << _17
    return key


@kernel
def key_of(view: Any, seat: int) -> Any:
    """A key for all that a seat sees: the bytes of its view."""
    key = mixed(_SALT ^ np.uint64(seat + 1))
    for k in range(len(view)):
        key = mixed(key ^ np.uint64(view[k]))
    return key


@kernel
def place_of(keys: Any, key: Any, action: int, new: bool) -> int:
    """Where the table has a move in a view; -1 if it has not, or if there is no room for a new."""
    wanted = mixed(mixed(key ^ np.uint64(action + 1)))
    last = np.uint64(len(keys) - 1)
    start = int(np.int64((wanted >> _20) & last))
    for k in range(PROBES):
        at = (start + k) & (len(keys) - 1)
        if keys[at] == wanted:
            return at
        if keys[at] == _0:
            if new:
                keys[at] = wanted
                return at
            return -1
    return -1


@kernel
def linear(estimates: Estimates, action: int, notes: Notes, first: int, stop: int) -> float:
    """What a move is worth, by the notes of its view."""
    common, moves = estimates[0], estimates[1]
    places, numbers = notes[4], notes[5]
    start = action * len(common)
    total = 0.0
    for k in range(first, stop):
        at = places[k]
        total += numbers[k] * (common[at] + moves[(start + at) % len(moves)])
    return total


@kernel
def worth(
    estimates: Estimates, key: Any, action: int, notes: Notes, first: int, stop: int
) -> float:
    """What a move is worth, by both estimates."""
    guess = min(1.0, max(0.0, linear(estimates, action, notes, first, stop)))
    at = place_of(estimates[2], key, action, False)
    if at < 0:
        return guess
    mean: float = (estimates[4][at] + TRUST * guess) / (estimates[3][at] + TRUST)
    return mean


@kernel
def learn_from(estimates: Estimates, notes: Notes, first: int, result: float, rate: float) -> None:
    """Move the estimates of the decisions from this one on towards the result of the match."""
    common, moves = estimates[0], estimates[1]
    counters, stops, keys, actions, places, numbers = notes
    for step in range(first, int(counters[STEPS_USED])):
        begin = int(stops[step - 1]) if step else 0
        end = int(stops[step])
        action = int(np.int64(actions[step]))
        at = place_of(estimates[2], keys[step], action, True)
        if at >= 0:
            estimates[3][at] += 1.0
            estimates[4][at] += result
        size = 0.0
        for k in range(begin, end):
            size += numbers[k] * numbers[k]
        move = rate * (result - linear(estimates, action, notes, begin, end)) / size
        start = action * len(common)
        for k in range(begin, end):
            spot = places[k]
            common[spot] += move * numbers[k]
            moves[(start + spot) % len(moves)] += move * numbers[k]


# -- decisions ------------------------------------------------------------------------------------


@kernel
def note_view(states: States, view: int, eyes: Eyes, seat: int, notes: Notes) -> int:
    """Note a view as the next decision's, without its action; return its number, -1 if full."""
    raw, seen, tensor = eyes
    counters, stops, keys, _actions, places, numbers = notes
    step, at = int(counters[STEPS_USED]), int(counters[NOTES_USED])
    if step == len(stops) or at + len(tensor) + 1 > len(places):
        return -1
    encode_at(states, view, raw, seen, seat, tensor)
    for k in range(len(tensor)):
        if tensor[k] != 0.0:
            places[at], numbers[at] = k, tensor[k]
            at += 1
    places[at], numbers[at] = len(tensor), 1.0
    counters[NOTES_USED] = at + 1
    counters[STEPS_USED] = step + 1
    stops[step] = at + 1
    keys[step] = key_of(raw[view], seat)
    return step


@kernel
def respond(
    estimates: Estimates, notes: Notes, step: int, own: int, ids: Ids, count: int, margin: float
) -> int:
    """The move that seems to be worth most; `own`, the bot's, unless that is worse by a margin."""
    if margin >= NEVER:
        return own
    first = int(notes[1][step - 1]) if step else 0
    stop = int(notes[1][step])
    key = notes[2][step]
    best = own
    most = worth(estimates, key, own, notes, first, stop) + margin
    for k in range(count):
        action = int(np.int64(ids[k]))
        if action != own:
            value = worth(estimates, key, action, notes, first, stop)
            if value > most:
                best, most = action, value
    return best


@kernel
def forget(notes: Notes) -> None:
    """Begin a new match."""
    notes[0][STEPS_USED] = 0
    notes[0][NOTES_USED] = 0


# -- matches --------------------------------------------------------------------------------------


@kernel
def play_on(
    states: States, match: int, hidden: bool, random: Random, bots: tuple[Habits, Avoided],
    scratch: Scratch, eyes: Eyes, policy: Estimates, margin: float, learner: int, tried: int,
    notes: Notes,
) -> int:  # fmt: skip
    """Play `states[match]` to its end, with the row behind it for views; return the winners.

    The learner follows the policy, but tries any move at decision number `tried`, if that is not
    negative: then its decisions are noted.
    """
    ids, weights, ratings = scratch
    habits, avoided = bots
    view = match + 1 if hidden else match
    moves = decided = 0
    actors = deal(states, match, random, ids, weights)
    while actors and moves < MOST_MOVES:
        seat = lowest_bit(actors)
        if hidden:
            states[view] = states[match]
            observe(states[view], seat)
        made = choose(states, view, seat, ids, ratings, 0, habits, avoided, random)
        count, action = made >> 32, made & 0xFFFFFFFF
        if seat == learner and count > 1 and (tried >= 0 or margin < NEVER):
            if tried < 0:
                forget(notes)
            step = note_view(states, view, eyes, seat, notes)
            if step >= 0:
                count = legal(states[view], seat, ids)
                if decided == tried:
                    action = int(np.int64(ids[below(random, count)]))
                else:
                    action = respond(policy, notes, step, action, ids, count, margin)
                notes[3][step] = action
            decided += 1
        apply(states[match], seat, action)
        moves += 1
        actors = deal(states, match, random, ids, weights)
    return 0 if actors else winners(states[match])


@kernel
def share_of(won: int, seat: int, players: int) -> float:
    """A seat's share of the victory; a fair one if there is none."""
    if won == 0:
        return 1.0 / players
    return 1.0 / count_bits(won) if won >> seat & 1 else 0.0


@kernel
def learn(
    states: States, hidden: bool, random: Random, bots: tuple[Habits, Avoided], scratch: Scratch,
    eyes: Eyes, policy: Estimates, margin: float, estimates: Estimates, notes: Notes,
    matches: int, rates: tuple[float, float], length: Any,
) -> None:  # fmt: skip
    """Learn from matches in which all seats learn in turn; `length`: decisions of a match."""
    players = int(states[START]["players"])
    for k in range(matches):
        learner = k % players
        tried = below(random, int(length[0]) + 1)
        forget(notes)
        states[MATCH] = states[START]
        won = play_on(
            states, ROWS[0], hidden, random, bots, scratch, eyes, policy, margin, learner,
            tried, notes,
        )  # fmt: skip
        steps = int(notes[0][STEPS_USED])
        length[0] += 0.01 * (steps - length[0])
        rate = rates[0] + (rates[1] - rates[0]) * k / matches
        first = tried if tried < steps else 0
        learn_from(estimates, notes, first, share_of(won, learner, players), rate)


@kernel
def try_out(
    states: States, hidden: bool, random: Random, bots: tuple[Habits, Avoided], scratch: Scratch,
    eyes: Eyes, policy: Estimates, margin: float, notes: Notes, matches: int,
) -> float:  # fmt: skip
    """The mean share of a learner that tries nothing, over all seats."""
    players = int(states[START]["players"])
    total = 0.0
    for k in range(matches):
        learner = k % players
        states[MATCH] = states[START]
        won = play_on(
            states,
            ROWS[0],
            hidden,
            random,
            bots,
            scratch,
            eyes,
            policy,
            margin,
            learner,
            ROWS[2],
            notes,
        )
        total += share_of(won, learner, players)
    return total / matches


@kernel
def look_ahead(
    states: States, hidden: bool, random: Random, bots: tuple[Habits, Avoided], scratch: Scratch,
    eyes: Eyes, policy: Estimates, margin: float, notes: Notes, seat: int, own: int,
    rollouts: int, candidates: Candidates,
) -> int:  # fmt: skip
    """The best move in `states[VIEW]` by rollouts; `own` if none is better.

    In four rounds, the better half of the moves goes on. All moves of a round meet the same worlds
    and the same luck; there the seat follows the policy, and the others are the bot.
    """
    moves, sums, counts = candidates
    players = int(states[START]["players"])
    count = legal(states[VIEW], seat, scratch[0])
    moves[0] = own
    left = 1
    for k in range(count):
        if scratch[0][k] != own:
            moves[left] = scratch[0][k]
            left += 1
    for k in range(left):
        sums[k] = counts[k] = 0.0
    for _ in range(HALVINGS):
        for _ in range(max(1, rollouts // (HALVINGS * left))):
            states[WORLD] = states[VIEW]
            if hidden:
                determinize(states[WORLD], seat, random)
            luck = random[0]
            for k in range(left):
                random[0] = luck
                states[ROLLOUT] = states[WORLD]
                apply(states[ROLLOUT], seat, int(np.int64(moves[k])))
                won = play_on(
                    states, ROWS[1], hidden, random, bots, scratch, eyes, policy, margin,
                    seat, ROWS[2], notes,
                )  # fmt: skip
                sums[k] += share_of(won, seat, players)
                counts[k] += 1.0
        left = better_half(candidates, left)
    best = 0
    for k in range(1, left):
        if sums[k] / counts[k] > sums[best] / counts[best]:
            best = k
    return int(np.int64(moves[best]))


@kernel
def better_half(candidates: Candidates, left: int) -> int:
    """Sort all but the first of the moves by their means; return how many go on, with the first."""
    moves, sums, counts = candidates
    for k in range(2, left):
        at = k
        while at > 1 and sums[at] / counts[at] > sums[at - 1] / counts[at - 1]:
            moves[at], moves[at - 1] = moves[at - 1], moves[at]
            sums[at], sums[at - 1] = sums[at - 1], sums[at]
            counts[at], counts[at - 1] = counts[at - 1], counts[at]
            at -= 1
    return 1 + left // 2
