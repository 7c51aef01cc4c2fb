"""The worth of Depot's hands and moves at a glance: how few plays can empty a hand.

How many plays a hand needs depends on the largest set and the longest run that the Storage allows.
The weights were tuned by matches between variants of `greedy`. Hands and the Storage are packed
(`piles.py`); nothing here reads a state, so that past moves can be rated too.
"""

from __future__ import annotations

import numpy as np

from droptable.core.bits import count_bits
from droptable.core.compile import kernel
from droptable.games.depot.rules import (
    BEATING,
    LONGEST,
    PLAYS,
    RUNS,
    RUNS_UP_TO,
    SETS,
    SETS_UP_TO,
    SIZE,
)
from droptable.games.depot.rules.piles import NUMBERS

# A hand, by the plays that it needs.
NEEDED = -0.062  # per play that is needed now
NEARLY_OUT = 0.687  # divided by the plays needed and one
NEEDED_LATER = -0.565  # per play needed when the Storage has grown by one
NEEDED_EVER = -0.398  # per play needed if the Storage allowed everything
HIGH_CARDS = 0.067  # per point of the hand: high cards win rounds

# A play, and what it does to the round.
OUT = 1000.0  # the last card is played
CARD_PLAYED = 0.315
HIGH_PLAYED = -0.09  # for the mean number of the play
LEAD = 0.336  # for probably winning the round …
LEAD_LATE = 0.454  # … divided by the fewest cards that another seat has
LEAD_TO_OUT = 1.992  # … with one play left
BEATABLE = 0.158  # how much less likely every play that would beat it makes that

# A pass.
PASS_LATE = -0.523  # divided by the fewest cards that another seat has
ROUND_LOST = -0.172  # for being the last to pass
ROUND_LOST_LATE = -1.606  # divided by the fewest cards that another seat has

# For the plays that a hand needs, COUNTED adds up the sets of every number (above bit 13) and a
# ternary code (below it) of which numbers are missing (0), there (1), or leave a single card over
# (2), for three limits of a set: what the Storage allows, one more, and any. SAVED[longest run,
# code] is how many plays runs of single cards save.
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
def limits(storage: int) -> tuple[int, int]:
    """DP3: the largest set and the longest run that a Storage allows."""
    largest, there = largest_and_numbers(storage)
    return largest, int(LONGEST[there])


@kernel
def largest_and_numbers(pile: int) -> tuple[int, int]:
    """The most cards of one number, at least one, and which numbers there are, as bits."""
    largest = 1
    there = 0
    for number in range(NUMBERS):
        cards = (pile >> 4 * number) & 15
        largest = max(largest, cards)
        there |= int(cards > 0) << number
    return largest, there


@kernel
def plays_of(hand: int, largest: int, longest: int, half: int) -> int:
    """DP3: the plays of a hand that such limits allow, as bits of one half (see rules)."""
    sets = 0
    there = 0
    for number in range(NUMBERS):
        cards = (hand >> 4 * number) & 15
        sets |= int(SETS[number, cards, half])
        there |= int(cards > 0) << number
    sets &= int(SETS_UP_TO[largest, half])
    return sets | int(RUNS[there, half] & RUNS_UP_TO[longest, half])


@kernel
def rate_play(hand: int, play: int, largest: int, longest: int, fewest: int, most: int) -> float:
    """Rate a play from a hand, where others have `fewest` to `most` cards."""
    size = int(SIZE[play])
    rest = hand - int(CARDS_OF[play])
    if rest == 0:
        return OUT
    lead = LEAD + LEAD_LATE / fewest
    if plays_needed(count_up(rest, largest) & ONE_FIELD, longest) == 1:
        lead += LEAD_TO_OUT
    beaters = count_beaters(play, largest, longest, most)
    played = CARD_PLAYED * size + HIGH_PLAYED * int(SUM_OF[play]) / size
    return hand_worth(rest, largest, longest) + lead / (1.0 + BEATABLE * beaters) + played


@kernel
def count_beaters(play: int, largest: int, longest: int, cards: int) -> int:
    """How many plays would beat this one, of those that the limits and a hand's size allow."""
    count = 0
    for half in range(2):
        allowed = SETS_UP_TO[min(largest, cards), half] | RUNS_UP_TO[min(longest, cards), half]
        count += count_bits(int(allowed & BEATING[play + 1, half]))
    return count


@kernel
def rate_take(hand: int, storage: int, number: int, fewest: int, last: bool) -> float:
    """Rate a pass: the hand after its best gift, less the cost of letting others lead.

    The last seat to pass ends the round.
    """
    taken = storage & (15 << 4 * number)
    value = best_gift(hand + taken, storage - taken, number) + PASS_LATE / fewest
    if last:
        value += ROUND_LOST + ROUND_LOST_LATE / fewest
    return value


@kernel
def rate_gift(hand: int, storage: int, number: int) -> float:
    """Rate the hand after giving away a card of a number; `NUMBERS` keeps all cards."""
    if number < NUMBERS:
        hand -= 1 << 4 * number
        storage += 1 << 4 * number
    largest, longest = limits(storage)
    return hand_worth(hand, largest, longest)


@kernel
def best_gift(hand: int, storage: int, taken: int) -> float:
    """The best worth of a hand after a gift, or after keeping all cards."""
    largest, there = largest_and_numbers(storage)
    best = hand_worth(hand, largest, int(LONGEST[there]))
    for number in range(NUMBERS):
        if number != taken and (hand >> 4 * number) & 15:
            grown = max(largest, ((storage >> 4 * number) & 15) + 1)
            longest = int(LONGEST[there | 1 << number])
            best = max(best, hand_worth(hand - (1 << 4 * number), grown, longest))
    return best


@kernel
def hand_worth(hand: int, largest: int, longest: int) -> float:
    """The worth of a hand under the Storage's limits."""
    now, later, ever = all_plays_needed(hand, largest, longest)
    points = 0
    for number in range(NUMBERS):
        points += (number + 1) * ((hand >> 4 * number) & 15)
    needed = NEEDED * now + NEARLY_OUT / (1.0 + now) + NEEDED_LATER * later + NEEDED_EVER * ever
    return needed + HIGH_CARDS * points


@kernel
def all_plays_needed(hand: int, largest: int, longest: int) -> tuple[int, int, int]:
    """The fewest plays that empty a hand: now, with limits one higher, and without limits."""
    counted = count_up(hand, largest)
    now = plays_needed(counted & ONE_FIELD, longest)
    later = plays_needed((counted >> FIELD) & ONE_FIELD, longest + 1)
    return now, later, plays_needed(counted >> 2 * FIELD, NUMBERS)


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
