"""Depot by instinct: a hand is worth how few plays can empty it.

How many plays a hand needs depends on what the Storage allows: sets and runs of so many cards. The
weights were found by letting variants of `greedy` play each other.
"""

from __future__ import annotations

import numpy as np

from droptable.core.bits import count_bits
from droptable.core.chance import below
from droptable.core.compile import kernel
from droptable.core.contract import Ids, Numbers, Random, State
from droptable.games.depot.rules import (
    BEATING,
    GIVE_CARD,
    KEEP,
    NUMBERS,
    PLAYS,
    RUNS_UP_TO,
    SETS_UP_TO,
    SIZE,
    TAKE,
    cards_in,
    largest_set,
    numbers_in,
    winners,
)
from droptable.games.depot.rules import LONGEST as LONGEST_RUN  # LONGEST is a setting of search

# A hand, by the plays that it needs.
NEEDED = -0.062  # for each play that is needed now
NEARLY_OUT = 0.687  # divided by the plays needed and one
NEEDED_LATER = -0.565  # for each play needed when the Storage has grown by one
NEEDED_EVER = -0.398  # for each play needed if the Storage allowed everything
HIGH_CARDS = 0.067  # for each point of the hand: high cards win rounds

# A play, and what it does to the round.
OUT = 1000.0  # the last card is played
CARD_PLAYED = 0.315
HIGH_PLAYED = -0.09  # for the mean number of the play
LEAD = 0.336  # for probably winning the round …
LEAD_LATE = 0.454  # … divided by the fewest cards that another seat has
LEAD_TO_OUT = 1.992  # … with one play left
BEATABLE = 0.158  # how much every play that would beat it makes that less likely

# A pass.
PASS_LATE = -0.523  # divided by the fewest cards that another seat has
ROUND_LOST = -0.172  # for being the last to pass
ROUND_LOST_LATE = -1.606  # divided by the fewest cards that another seat has

SCALE = 0.1  # of all that, as an appeal
NOISE = 0.02  # so that simulated seats vary between moves that look alike

# What others hide, and what a match of three games comes to; both as greedy seats leave them.
TRIALS = 24  # most changes of cards that `believe` tries for a hand
EAGERNESS = 2.0  # how surely it refuses a change for the worse
LOST_POINT = 0.37  # how much a lost point weighs before the last game …
LOST_POINT_EARLY = 0.22  # … and before the last but one

# Settings of search.
RIVALS = 1.0  # by instinct: hands are too secret for a tree to think for them
WIDENING = 0.5  # what looks worst is seldom worth a try
LONGEST = 300  # a simulated game takes about ten moves a seat

# A hand is packed as one integer, 4 bits a number. For the plays that it needs, COUNTED adds up
# the sets of every number (above bit 13) and a ternary code (below it) of which numbers are missing
# (0), there (1), or leave a single card over (2), for three limits of a set: what the Storage
# allows, one more, and any. SAVED[longest run, code] is how many plays runs of single cards save.
CODES = 3**NUMBERS
CODE_BITS = 13
FIELD = 20
ONE_FIELD = (1 << FIELD) - 1
MOST_IN_SET = 13
NO_RUN_SAVES = 1  # cards in a run


def _sets_and_code(number: int, count: int, largest: int) -> int:
    kind = 0 if count == 0 else 1 + (largest == 1 or count % largest == 1)
    return (-(-count // largest) << CODE_BITS) + kind * int(3**number)


def _counted() -> np.ndarray:
    table = np.zeros((MOST_IN_SET + 1, NUMBERS, 16), np.int64)
    for most in range(MOST_IN_SET + 1):
        for number in range(NUMBERS):
            for count in range(16):
                limits = (max(most, 1), most + 1, MOST_IN_SET)
                for field, largest in enumerate(limits):
                    entry = _sets_and_code(number, count, largest)
                    table[most, number, count] |= entry << field * FIELD
    return table


def _saved() -> np.ndarray:
    codes = np.arange(CODES)
    digits = [codes // 3**number % 3 for number in range(NUMBERS)]
    table = np.zeros((NUMBERS + 2, CODES), np.int8)
    for longest in range(NO_RUN_SAVES + 1, NUMBERS + 1):
        best = [np.zeros(CODES, np.int8)]  # best[n]: saved among the numbers below n
        for end in range(NUMBERS):
            most = best[end].copy()
            held = np.ones(CODES, bool)
            single = np.zeros(CODES, np.int8)
            for number in range(end, max(end - longest, -1), -1):
                held &= digits[number] > 0
                single += digits[number] == 2
                most = np.where(held, np.maximum(most, best[number] + single - 1), most)
            best.append(most)
        table[longest] = best[NUMBERS]
    table[NUMBERS + 1] = table[NUMBERS]
    return table


COUNTED = _counted()
SAVED = _saved()
CARDS_OF = np.array([sum(1 << 4 * (n - 1) for n in cards) for cards in PLAYS], np.int64)
SUM_OF = np.array([sum(cards) for cards in PLAYS], np.int64)


@kernel
def appeal(state: State, seat: int, action: int) -> float:
    """How good a move looks to a seat that knows its own hand and what lies open."""
    return min(0.5 + SCALE * rate(state, seat, action), 2.0)


@kernel
def playout_move(state: State, seat: int, ids: Ids, count: int, random: Random) -> int:
    """The best move, or one that looks as good."""
    best = int(ids[0])
    best_rate = -1e9
    for k in range(count):
        move_rate = rate(state, seat, int(np.int64(ids[k]))) + NOISE * below(random, 1024) / 1024.0
        if move_rate > best_rate:
            best_rate = move_rate
            best = int(ids[k])
    return best


@kernel
def believe(state: State, seat: int, random: Random) -> None:
    """Others change cards for better ones turn by turn, so their hands are better than chance.

    Who takes them for random cards thinks that the match lasts longer than it will.
    """
    if state["deck_open"] or state["deck_size"] == 0:
        return
    deck = packed(state["deck"])
    for other in range(state["players"]):
        if other != seat:
            deck = improve(state, other, deck, random)
    for number in range(NUMBERS):
        state["deck"][number] = (deck >> 4 * number) & 15


@kernel
def improve(state: State, seat: int, deck: int, random: Random) -> int:
    """Change unseen cards of a hand with the deck, seldom for the worse; return the deck."""
    hidden = int(state["hand_size"][seat]) - cards_in(state["known"][seat])
    if hidden == 0:
        return deck
    largest = largest_set(state)
    longest = int(LONGEST_RUN[numbers_in(state["storage"])])
    known = packed(state["known"][seat])
    hand = packed(state["hands"][seat])
    now = hand_worth(hand, largest, longest)
    for _ in range(min(2 * int(state["turn"]), TRIALS)):
        old = nth_card(hand - known, below(random, hidden))
        new = nth_card(deck, below(random, int(state["deck_size"])))
        change = (1 << 4 * new) - (1 << 4 * old)
        then = hand_worth(hand + change, largest, longest)
        if below(random, 1024) < 1024.0 * np.exp(min(EAGERNESS * (then - now), 0.0)):
            hand += change
            deck -= change
            now = then
    for number in range(NUMBERS):
        state["hands"][seat, number] = (hand >> 4 * number) & 15
    return deck


@kernel
def nth_card(pile: int, place: int) -> int:
    """The number index of the card at a place of a sorted pile."""
    card = 0
    for number in range(NUMBERS - 1):
        place -= (pile >> 4 * number) & 15
        card += int(place >= 0)
    return card


@kernel
def pause(state: State, root: State) -> bool:
    """A game is the unit: the next one starts anew."""
    return bool(state["game"] != root["game"])


@kernel
def estimate(state: State, points: Numbers, values: Numbers) -> None:
    """Shares of a match that is over; between games, by the lost points."""
    players = int(state["players"])
    won = winners(state)
    weight = LOST_POINT if state["game"] + 1 == state["games"] else LOST_POINT_EARLY
    total = 0.0
    for seat in range(players):
        if won:
            values[seat] = float((won >> seat) & 1)
        else:
            values[seat] = np.exp(-weight * float(state["lost"][seat]))
        total += values[seat]
    for seat in range(players):
        values[seat] /= total


@kernel
def rate(state: State, seat: int, action: int) -> float:
    """What a move is worth, in the weights above."""
    if action < TAKE:
        return rate_play(state, seat, action)
    if action < GIVE_CARD:
        return rate_take(state, seat, action - TAKE)
    if action < KEEP:
        return rate_gift(state, seat, action - GIVE_CARD)
    return rate_gift(state, seat, NUMBERS)


@kernel
def rate_play(state: State, seat: int, play: int) -> float:
    size = int(SIZE[play])
    if size == int(state["hand_size"][seat]):
        return OUT
    hand = packed(state["hands"][seat]) - int(CARDS_OF[play])
    largest = largest_set(state)
    longest = int(LONGEST_RUN[numbers_in(state["storage"])])
    fewest, most = other_hands(state, seat)
    beating = 0
    for half in range(2):
        allowed = SETS_UP_TO[min(largest, most), half] | RUNS_UP_TO[min(longest, most), half]
        beating += count_bits(int(allowed & BEATING[play + 1, half]))
    lead = LEAD + LEAD_LATE / fewest
    if plays_needed(count_up(hand, largest) & ONE_FIELD, longest) == 1:
        lead += LEAD_TO_OUT
    played = CARD_PLAYED * size + HIGH_PLAYED * int(SUM_OF[play]) / size
    return hand_worth(hand, largest, longest) + lead / (1.0 + BEATABLE * beating) + played


@kernel
def rate_take(state: State, seat: int, number: int) -> float:
    """A pass is worth the hand after its best gift, less what it costs to let others lead."""
    storage = packed(state["storage"])
    taken = storage & (15 << 4 * number)
    fewest, _ = other_hands(state, seat)
    value = best_gift(packed(state["hands"][seat]) + taken, storage - taken, number)
    value += PASS_LATE / fewest
    if state["passes"] == state["players"] - 2:
        value += ROUND_LOST + ROUND_LOST_LATE / fewest
    return value


@kernel
def rate_gift(state: State, seat: int, number: int) -> float:
    """The hand after giving a number away; `NUMBERS` keeps all."""
    hand = packed(state["hands"][seat])
    there = numbers_in(state["storage"])
    largest = largest_set(state)
    if number < NUMBERS:
        hand -= 1 << 4 * number
        there |= 1 << number
        largest = max(largest, int(state["storage"][number]) + 1)
    return hand_worth(hand, largest, int(LONGEST_RUN[there]))


@kernel
def best_gift(hand: int, storage: int, taken: int) -> float:
    """The best that a hand can be worth after a gift, or after keeping all."""
    largest = 1
    there = 0
    for number in range(NUMBERS):
        cards = (storage >> 4 * number) & 15
        largest = max(largest, cards)
        there |= int(cards > 0) << number
    best = hand_worth(hand, largest, int(LONGEST_RUN[there]))
    for number in range(NUMBERS):
        if number != taken and (hand >> 4 * number) & 15:
            grown = max(largest, ((storage >> 4 * number) & 15) + 1)
            longest = int(LONGEST_RUN[there | 1 << number])
            best = max(best, hand_worth(hand - (1 << 4 * number), grown, longest))
    return best


@kernel
def hand_worth(hand: int, largest: int, longest: int) -> float:
    """What is left in a hand, where sets and runs of so many cards are allowed."""
    counted = count_up(hand, largest)
    now = plays_needed(counted & ONE_FIELD, longest)
    later = plays_needed((counted >> FIELD) & ONE_FIELD, longest + 1)
    ever = plays_needed(counted >> 2 * FIELD, NUMBERS)
    points = 0
    for number in range(NUMBERS):
        points += (number + 1) * ((hand >> 4 * number) & 15)
    needed = NEEDED * now + NEARLY_OUT / (1.0 + now) + NEEDED_LATER * later + NEEDED_EVER * ever
    return needed + HIGH_CARDS * points


@kernel
def count_up(hand: int, largest: int) -> int:
    """The sets and codes of a hand, see COUNTED."""
    counted = 0
    for number in range(NUMBERS):
        counted += int(COUNTED[largest, number, (hand >> 4 * number) & 15])
    return counted


@kernel
def plays_needed(field: int, longest: int) -> int:
    """The fewest plays for one field of what `count_up` returns."""
    return (field >> CODE_BITS) - int(SAVED[longest, field & ((1 << CODE_BITS) - 1)])


@kernel
def packed(pile: Numbers) -> int:
    """A pile as one integer, 4 bits a number."""
    cards = 0
    for number in range(NUMBERS):
        cards |= int(pile[number]) << 4 * number
    return cards


@kernel
def other_hands(state: State, seat: int) -> tuple[int, int]:
    """The fewest and the most cards that another seat holds."""
    fewest = 99
    most = 0
    for other in range(state["players"]):
        if other != seat:
            size = int(state["hand_size"][other])
            fewest = min(fewest, size)
            most = max(most, size)
    return max(fewest, 1), most
