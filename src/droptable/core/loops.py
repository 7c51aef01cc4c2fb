"""Generic kernels over any game: what `State` calls, steps by integer ids, whole random matches.

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
    ended_by_limit,
    legal,
    observe,
    scores,
    setup,
    to_act,
    winners,
    witnesses,
)

States = Any  # an array of a game's records
REFUSED = -1  # instead of a decision: the action is not legal, and nothing has changed


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
def limit_at(states: States, i: int) -> bool:
    """Whether a limit ended the match."""
    return ended_by_limit(states[i])


@kernel
def share_victory(won: int, points: Any, rewards: Any) -> None:
    """Write the reward of each seat at the end of a match, as every environment gives it.

    Rewards add up to zero: of n seats, k winners get (n / k - 1) / (n - 1) each, the others
    -1 / (n - 1). That is 1 for a single winner and 0 for all if all win. Solo, it is the score.
    """
    players = len(rewards)
    if players == 1:
        rewards[0] = points[0]
        return
    share = players / count_bits(won)
    for seat in range(players):
        rewards[seat] = ((share if won >> seat & 1 else 0.0) - 1.0) / (players - 1)


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
def next_decision(states: States, i: int, random: Random, ids: Ids, weights: Numbers) -> int:
    """Let the dealer act until a seat has to, and list that seat's legal actions in `ids`.

    Returns `seat << 16 | count`, or 0 when the match is over. Of several seats that are to act at
    the same time the lowest decides first.
    """
    actors = deal(states, i, random, ids, weights)
    if not actors:
        return 0
    seat = lowest_bit(actors)
    return seat << 16 | legal(states[i], seat, ids)


@kernel
def step(states: States, i: int, action: int, random: Random, ids: Ids, weights: Numbers) -> int:
    """Make a checked move of the seat that decides; return the `next_decision`."""
    state = states[i]
    apply(state, lowest_bit(to_act(state)), action)
    return next_decision(states, i, random, ids, weights)


@kernel
def is_legal_at(states: States, i: int, seat: int, action: int, ids: Ids) -> bool:
    """Whether a seat is to act and this is one of its legal actions."""
    state = states[i]
    if to_act(state) >> seat & 1:
        for k in range(legal(state, seat, ids)):
            if ids[k] == action:
                return True
    return False


@kernel
def try_apply_at(states: States, i: int, seat: int, action: int, ids: Ids) -> bool:
    """Make a move if it is legal; return whether it was. The dealer does not act yet."""
    if not is_legal_at(states, i, seat, action, ids):
        return False
    apply(states[i], seat, action)
    return True


@kernel
def try_step(
    states: States, i: int, action: int, random: Random, ids: Ids, weights: Numbers, mask: Any
) -> int:
    """`step` if the action is legal, and mark the next decision; else return `REFUSED`."""
    seat = lowest_bit(to_act(states[i]))
    if not is_legal_at(states, i, seat, action, ids):
        return REFUSED
    decision = step(states, i, action, random, ids, weights)
    mark(ids, decision & 0xFFFF, mask)
    return decision


@kernel
def list_at(states: States, i: int, seat: int, ids: Ids, mask: Any) -> int:
    """List the legal actions of a seat, mark them if the mask has places, return how many."""
    count = legal(states[i], seat, ids)
    mark(ids, count, mask)
    return count


@kernel
def mark(ids: Ids, count: int, mask: Any) -> None:
    """Write listed actions as a mask, if it has places."""
    if len(mask):
        for action in range(len(mask)):
            mask[action] = False
        for k in range(count):
            mask[ids[k]] = True


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


# By seat: victories, one that k seats share counting 1/k each; sums of scores; scratch for scores.
Tally = tuple[Any, Any, Numbers]


@kernel
def simulate(
    states: States, matches: int, random: Random, ids: Ids, weights: Numbers, tally: Tally
) -> int:
    """Play random matches from states[0] in states[1] and tally them; return the moves made."""
    wins, totals, points = tally
    moves = 0
    for _ in range(matches):
        states[1] = states[0]
        moves += playout(states, 1, random, ids, weights)
        won = result_at(states, 1, points)
        share = 1.0 / count_bits(won)
        for seat in range(len(wins)):
            totals[seat] += points[seat]
            if won >> seat & 1:
                wins[seat] += share
    return moves


# What a match at a table needs: the functions that `State` and `View` call.
MATCH = (
    start_at, to_act_at, legal_at, chance_at, apply_at, result_at, witnesses_at, observe_at,
    determinize_at,
)  # fmt: skip
