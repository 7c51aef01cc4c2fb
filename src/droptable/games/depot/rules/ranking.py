"""Who is ahead in Depot: ranks at the end of a game (DP10, DP11), lost points (DP12, DP13)."""

from __future__ import annotations

import numpy as np

from droptable.core.compile import kernel
from droptable.core.contract import State
from droptable.games.depot.rules.piles import NOTHING, NUMBERS
from droptable.games.depot.rules.plays import CARDS


@kernel
def players_of(state: State) -> int:
    """The player count as a full integer, so that seats are of one width (see apply)."""
    return int(np.int64(state["players"]))


@kernel
def best_seats(state: State) -> int:
    """The winners, as bits: the best hands of one game (DP10), or the fewest lost points (DP13)."""
    won = 0
    best = 1000 * CARDS
    for seat in range(players_of(state)):
        result = hand_rank(state, seat) if state["games"] == 1 else int(state["lost"][seat])
        if result < best:
            best = result
            won = 0
        if result == best:
            won |= 1 << seat
    return won


@kernel
def hand_rank(state: State, seat: int) -> int:
    """DP11's first two criteria in one number: fewer cards, then the higher sum; low is better."""
    total = 0
    for number in range(NUMBERS):
        total += (number + 1) * int(state["hands"][seat, number])
    return 1000 * int(state["hand_size"][seat]) - total


@kernel
def rank_of(state: State, seat: int) -> int:
    """DP11: no two seats have the same; the one soonest after the last play comes first."""
    after = (seat - state["last"] - 1) % state["players"]
    return NUMBERS * hand_rank(state, seat) + after


@kernel
def hand_out_lost_points(state: State) -> None:
    """DP12: from the last rank up to the second, each takes a lower card while there is one."""
    players = players_of(state)
    for seat in range(players):
        state["took"][seat] = 0
    waiting = (1 << players) - 1
    number = int(NUMBERS)
    for _ in range(players - 1):
        number = _next_lost(state, number)
        if number == NOTHING:
            return
        seat = _last_rank(state, waiting)
        waiting &= ~(1 << seat)
        state["storage"][number] -= 1
        state["out"][number] += 1
        state["took"][seat] = number + 1
        state["lost"][seat] += number + 1


@kernel
def _next_lost(state: State, number: int) -> int:
    """The next lower number in the Storage; else the same again, if it can be; else NOTHING."""
    for lower in range(number - 1, -1, -1):
        if state["storage"][lower]:
            return lower
    if number < NUMBERS and state["storage"][number]:
        return number
    return NOTHING


@kernel
def _last_rank(state: State, seats: int) -> int:
    """The worst of some seats (bits)."""
    last = 0
    worst = -1
    for seat in range(players_of(state)):
        rank = rank_of(state, seat)
        if seats >> seat & 1 and rank > worst:
            worst = rank
            last = seat
    return last
