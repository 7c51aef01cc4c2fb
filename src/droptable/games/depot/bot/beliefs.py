"""Infer the others' hands in Depot from their recent moves.

A seat's moves depend on its hand, so hands that would hardly have led to its last moves are
unlikely. Likely hands are sampled by Metropolis-Hastings: a swap of a hidden card with another
unseen card is accepted if it makes the moves more likely, otherwise with a probability equal to the
ratio of the likelihoods. The longer the chain, the less its start matters.
"""

from __future__ import annotations

import numpy as np

from droptable.core.bits import count_bits
from droptable.core.chance import below
from droptable.core.compile import kernel
from droptable.core.contract import Random, State
from droptable.games.depot.bot.worth import (
    CARDS_OF,
    limits,
    plays_of,
    rate_gift,
    rate_play,
    rate_take,
)
from droptable.games.depot.rules import (
    BEATING,
    GIVE_CARD,
    HALF,
    KEEP,
    NO_PLAY,
    TAKE,
)
from droptable.games.depot.rules.memory import REMEMBERED
from droptable.games.depot.rules.piles import NUMBERS, cards_in, nth_card, packed

SWAPS = 4  # proposed for every hand in one call
SHARPNESS = 5.0  # inverse temperature of the softmax by which a seat is taken to choose its moves
CARELESS = 0.1  # share of moves that are taken to be uniformly random
FINE = 1 << 20  # a probability of 1, in random draws
DECK = -1


@kernel
def resample_belief(state: State, seat: int, random: Random) -> None:
    """Continue the chain by some swaps for every hand; what the seat sees stays the same."""
    unseen = 0 if state["deck_open"] else int(state["deck_size"])
    for other in range(state["players"]):
        if other != seat:
            unseen += hidden_cards(state, other)
    for other in range(int(np.int64(state["players"]))):
        hidden = hidden_cards(state, other)
        if other != seat and 0 < hidden < unseen:
            propose_swaps(state, seat, other, hidden, unseen - hidden, random)


@kernel
def hidden_cards(state: State, seat: int) -> int:
    """How many cards of a hand nobody else has seen."""
    return int(state["hand_size"][seat]) - cards_in(state["known"][seat])


@kernel
def propose_swaps(
    state: State, seat: int, other: int, hidden: int, elsewhere: int, random: Random
) -> None:
    """Try to swap some of a hand's hidden cards with unseen cards elsewhere."""
    now = log_likelihood(state, other, packed(state["hands"][other]))
    for _ in range(SWAPS):
        hand = packed(state["hands"][other])
        old = nth_card(hand - packed(state["known"][other]), below(random, hidden))
        holder, place = find_holder(state, seat, other, below(random, elsewhere))
        if holder == DECK:
            new = nth_card(packed(state["deck"]), place)
        else:
            theirs = packed(state["hands"][holder])
            new = nth_card(theirs - packed(state["known"][holder]), place)
        if old == new:
            continue
        change = (1 << 4 * new) - (1 << 4 * old)
        then = log_likelihood(state, other, hand + change)
        gain = then - now
        if holder != DECK:
            gain += log_likelihood(state, holder, theirs - change) - log_likelihood(
                state, holder, theirs
            )
        if gain >= 0.0 or below(random, FINE) < FINE * np.exp(gain):
            now = then
            state["hands"][other, old] -= 1
            state["hands"][other, new] += 1
            if holder == DECK:
                state["deck"][old] += 1
                state["deck"][new] -= 1
            else:
                state["hands"][holder, old] += 1
                state["hands"][holder, new] -= 1


@kernel
def find_holder(state: State, seat: int, other: int, place: int) -> tuple[int, int]:
    """Who holds the unseen card at an index, the deck or a third seat, and its index there."""
    if not state["deck_open"]:
        if place < state["deck_size"]:
            return DECK, place
        place -= int(state["deck_size"])
    for holder in range(int(np.int64(state["players"]))):
        if holder not in (seat, other):
            hidden = hidden_cards(state, holder)
            if place < hidden:
                return holder, place
            place -= hidden
    return DECK, 0


@kernel
def log_likelihood(state: State, seat: int, hand: int) -> float:
    """The log-likelihood of a seat's remembered moves, if this is its hand now."""
    total = 0.0
    last = int(state["players"]) - 2
    moves = int(np.int64(state["moves"][seat]))
    for back in range(1, min(moves, REMEMBERED) + 1):
        k = (moves - back) % REMEMBERED
        move = int(np.int64(state["then_move"][seat, k]))
        storage = int(np.int64(state["then_storage"][seat, k]))
        others = int(np.int64(state["then_others"][seat, k]))
        hand = hand_before(hand, move, storage)
        taken = NUMBERS
        if move >= GIVE_CARD:
            if back == REMEMBERED:
                break  # which number was taken before it is forgotten
            taken = int(np.int64(state["then_move"][seat, (moves - back - 1) % REMEMBERED])) - TAKE
        total += np.log(
            move_probability(
                hand,
                storage,
                move,
                int(np.int64(state["then_table"][seat, k])),
                taken,
                bool(state["then_passes"][seat, k] == last),
                others & 15,
                others >> 4,
            )
        )
    return total


@kernel
def hand_before(hand: int, move: int, storage: int) -> int:
    """The hand before a move, by the hand after it and the Storage before it (packed)."""
    if move < TAKE:
        return hand + int(CARDS_OF[move])
    if move < GIVE_CARD:
        return hand - (storage & (15 << 4 * (move - TAKE)))
    if move < KEEP:
        return hand + (1 << 4 * (move - GIVE_CARD))
    return hand


@kernel
def move_probability(
    hand: int, storage: int, move: int, table: int, taken: int, last: bool, fewest: int, most: int
) -> float:
    """The probability that a seat makes this one of its legal moves."""
    best = -1e9
    total = 0.0  # of all weights, in units of the best move's
    made = 0.0
    count = 0
    if move >= GIVE_CARD:
        for number in range(NUMBERS + 1):
            if number == NUMBERS or (number != taken and (hand >> 4 * number) & 15):
                rated = rate_gift(hand, storage, number)
                best, total = weigh(rated, best, total)
                count += 1
                if GIVE_CARD + number == move:
                    made = rated
    else:
        largest, longest = limits(storage)
        for half in range(2):
            plays = plays_of(hand, largest, longest, half) & int(BEATING[table + 1, half])
            while plays:
                play = half * HALF + count_bits((plays & -plays) - 1)
                plays &= plays - 1
                rated = rate_play(hand, play, largest, longest, fewest, most)
                best, total = weigh(rated, best, total)
                count += 1
                if play == move:
                    made = rated
        if table != NO_PLAY:
            for number in range(NUMBERS):
                if (storage >> 4 * number) & 15:
                    rated = rate_take(hand, storage, number, fewest, last)
                    best, total = weigh(rated, best, total)
                    count += 1
                    if TAKE + number == move:
                        made = rated
    chosen = float(np.exp(SHARPNESS * (made - best))) / total
    return (1.0 - CARELESS) * chosen + CARELESS / count


@kernel
def weigh(rated: float, best: float, total: float) -> tuple[float, float]:
    """Add a move to the sum of the softmax, in units of the best move's weight."""
    if rated > best:
        return rated, 1.0 + total * float(np.exp(SHARPNESS * (best - rated)))
    return best, total + float(np.exp(SHARPNESS * (rated - best)))
