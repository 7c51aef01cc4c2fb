"""A value net for Depot: a seat's chance to win right after its turn, learned from self-play.

Its inputs are what the seat can know. So it serves as the prior of the seat's moves, by which the
seat goes on in rollouts, and a few turns later as the value of the leaf. `benchmarks/tune_depot.py`
trains the weights.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from droptable.core.bits import count_bits
from droptable.core.compile import kernel
from droptable.core.contract import Ids, Numbers, State
from droptable.core.heuristics import NetScratch
from droptable.core.net import Weights, chance, load_net, note
from droptable.games.depot.bot.worth import (
    SUM_OF,
    all_plays_needed,
    count_beaters,
    largest_and_numbers,
    limits,
    plays_of,
)
from droptable.games.depot.rules import (
    GIVE,
    HALF,
    NO_PLAY,
    OVER,
    SIZE,
    TAKE,
    apply,
    legal,
)
from droptable.games.depot.rules.memory import other_hands
from droptable.games.depot.rules.piles import NUMBERS, cards_in, packed

# The inputs, one-hot by groups. Plays "needed" are the fewest that empty a hand: now, when the
# Storage has grown by one (later), and if it allowed everything (ever).
HAND = 0  # [number, cards]
STORAGE = HAND + NUMBERS * 6  # [number, cards]
SET_SIZE = STORAGE + NUMBERS * 5
SHORT = SET_SIZE + 12  # cards that the dealer has to fill in
TABLE = SHORT + 6  # [mine, cards]: the play to beat
TABLE_SUM = TABLE + 2 * 7
BEATERS = TABLE_SUM + 32  # [mine, plays that would beat it]
ROUND = BEATERS + 2 * 16  # [who made the last play, passes]
NEXT_CARDS = ROUND + 4 * 5  # of the next seat …
LAST_CARDS = NEXT_CARDS + 16  # … of the seat before …
FEWEST = LAST_CARDS + 16  # … and of all others
MOST = FEWEST + 16
KNOWN = MOST + 16  # [next seat or any other, number, cards]
NEEDED = KNOWN + 2 * NUMBERS * 4  # [mine, plays]
LATER = NEEDED + 2 * 10
EVER = LATER + 10
CARDS = EVER + 10
LIMITS = CARDS + 20  # [largest set, longest run]
GONE = LIMITS + 6 * 9  # [number, cards]
RACE = GONE + NUMBERS * 14  # [plays needed, fewest cards of another, mine]
PLAYERS = RACE + 7 * 10 * 2
STRONGEST = PLAYERS + 3  # [plays that would beat the hand's strongest one, plays needed]
CONTROL = STRONGEST + 16 * 6  # [plays needed, plays that would beat the table (few), mine]
HIGHEST = CONTROL + 5 * 6 * 2
GROWING = HIGHEST + NUMBERS + 1  # [plays needed, later]
INPUTS = GROWING + 7 * 7

NET = load_net(Path(__file__).with_suffix(".npy"), INPUTS)
FEW = np.array([0, 1, 2, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5])  # plays, roughly
SOON = 60  # turns before a game's limit, of which the net knows nothing


@kernel
def prior(states: Any, seat: int, action: int, ids: Ids, scratch: NetScratch) -> float:
    """The seat's chance to win after its move in states[1]; a pass is worth its best gift."""
    states[3] = states[1]
    state = states[3]
    apply(state, seat, action)
    if state["game"] != states[1]["game"]:  # the next one has been started: was this one won?
        out = action < TAKE and SIZE[action] == states[1]["hand_size"][seat]
        return 1.0 if out else 0.0
    if state["phase"] != GIVE:
        return win_chance(state, seat, scratch, NET)
    best = 0.0
    for k in range(legal(state, seat, ids)):
        states[4] = states[3]
        apply(states[4], seat, int(np.int64(ids[k])))
        best = max(best, win_chance(states[4], seat, scratch, NET))
    return best


@kernel
def leaf_value(state: State, seat: int, scratch: NetScratch, values: Numbers) -> bool:
    """Write every seat's share of the victory right after a turn of this seat.

    The others share the rest according to the plays that they need. False where more is at stake
    than this game.
    """
    if state["games"] > 1 or state["turn"] + SOON > state["turn_limit"]:
        return False
    own = win_chance(state, seat, scratch, NET)
    players = int(state["players"])
    largest, longest = limits(packed(state["storage"]))
    rest = 0.0
    for other in range(players):
        values[other] = 0.0
        if other != seat:
            now, _, _ = needed(packed(state["hands"][other]), largest, longest)
            values[other] = 1.0 / (1.0 + now)
            rest += values[other]
    for other in range(players):
        values[other] *= (1.0 - own) / rest
    values[seat] = own
    return True


@kernel
def win_chance(state: State, seat: int, scratch: NetScratch, net: Weights) -> float:
    """A seat's chance to win right after its turn, by a net."""
    if state["phase"] == OVER:
        won = int(state["won"])
        return float(won >> seat & 1) / count_bits(won)
    scratch["count"] = 0
    write_inputs(state, seat, scratch)
    return chance(scratch, net)


@kernel
def write_inputs(state: State, seat: int, scratch: NetScratch) -> None:
    """List the inputs that are on: what a seat knows right after its turn."""
    players = int(state["players"])
    next_seat = (seat + 1) % players
    seat_before = (seat - 1) % players
    hand = packed(state["hands"][seat])
    storage = packed(state["storage"])
    largest, longest = limits(storage)
    fewest, most = other_hands(state, seat)
    now, later, ever = needed(hand, largest, longest)
    last = (int(state["last"]) - seat) % players
    mine = int(last == 0)
    for n in range(NUMBERS):
        note(scratch, HAND + 6 * n + min(hand >> 4 * n & 15, 5))
        note(scratch, STORAGE + 5 * n + min(storage >> 4 * n & 15, 4))
        gone = int(state["discards"][n]) + int(state["out"][n])
        note(scratch, GONE + 14 * n + min(gone, 13))
        known = int(state["known"][next_seat, n])
        if known:
            note(scratch, KNOWN + 4 * n + min(known, 3))
        known = 0
        for other in range(players):
            if other not in (seat, next_seat):
                known = max(known, int(state["known"][other, n]))
        if known:
            note(scratch, KNOWN + 4 * (NUMBERS + n) + min(known, 3))
    set_size = int(state["set_size"])
    note(scratch, SET_SIZE + min(set_size, 11))
    note(scratch, SHORT + min(max(set_size - cards_in(state["storage"]), 0), 5))
    table = int(state["table"])
    if table == NO_PLAY:
        note(scratch, TABLE + 7 * mine)
    else:
        beaters = min(count_beaters(table, largest, longest, most), 15)
        note(scratch, TABLE + 7 * mine + min(int(SIZE[table]), 6))
        note(scratch, TABLE_SUM + min(int(SUM_OF[table]), 31))
        note(scratch, BEATERS + 16 * mine + beaters)
        note(scratch, CONTROL + 12 * min(now, 4) + 2 * int(FEW[beaters]) + mine)
    who = last if last < 2 else 2 if last == players - 1 else 3
    note(scratch, ROUND + 5 * who + min(int(state["passes"]), 4))
    note(scratch, NEXT_CARDS + min(int(state["hand_size"][next_seat]), 15))
    note(scratch, LAST_CARDS + min(int(state["hand_size"][seat_before]), 15))
    note(scratch, FEWEST + min(fewest, 15))
    note(scratch, MOST + min(most, 15))
    note(scratch, NEEDED + 10 * mine + now)
    note(scratch, LATER + later)
    note(scratch, EVER + ever)
    note(scratch, CARDS + min(int(state["hand_size"][seat]), 19))
    note(scratch, LIMITS + 9 * (min(largest, 6) - 1) + min(longest, 8))
    note(scratch, RACE + 20 * min(now, 6) + 2 * min(fewest, 9) + mine)
    note(scratch, PLAYERS + players - 3)
    note(scratch, GROWING + 7 * min(now, 6) + min(later, 6))
    _, numbers = largest_and_numbers(hand)
    highest = 0
    while numbers >> highest:
        highest += 1
    note(scratch, HIGHEST + highest)
    strongest = strongest_play(hand, largest, longest)
    if strongest != NO_PLAY:
        beaters = min(count_beaters(strongest, largest, longest, most), 15)
        note(scratch, STRONGEST + 6 * beaters + min(now, 5))


@kernel
def needed(hand: int, largest: int, longest: int) -> tuple[int, int, int]:
    """The fewest plays that empty a hand: now, later and ever; 9 or more are alike."""
    now, later, ever = all_plays_needed(hand, largest, longest)
    return min(now, 9), min(later, 9), min(ever, 9)


@kernel
def strongest_play(hand: int, largest: int, longest: int) -> int:
    """The last one by strength of the plays that a hand has."""
    for half in range(1, -1, -1):
        plays = plays_of(hand, largest, longest, half)
        play = NO_PLAY
        while plays:
            plays >>= 1
            play += 1
        if play != NO_PLAY:
            return play + half * HALF
    return NO_PLAY
