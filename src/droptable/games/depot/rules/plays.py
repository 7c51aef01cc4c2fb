"""Every play that Depot's deck can allow, numbered by strength (DP4), and what follows from that.

A set of plays is a bit set in two halves: what a hand holds, what the Storage allows and what beats
the table are looked up as such sets and intersected.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from droptable.games.depot.rules.piles import NUMBERS

COPIES = np.array([13, 12, 11, 10, 10, 9, 8, 7], np.int8)  # of the numbers 1-8
CARDS = 80

Cards = tuple[int, ...]  # numbers 1-8, ascending
_SETS = [(n,) * size for n in range(1, 9) for size in range(1, int(COPIES[n - 1]) + 1)]
_RUNS = [tuple(range(low, high + 1)) for low in range(1, 9) for high in range(low + 1, 9)]


def _strength(cards: Cards) -> tuple[int, int]:
    """DP4: more cards beat fewer, then the higher sum."""
    return len(cards), sum(cards)


PLAYS: list[Cards] = sorted(_SETS + _RUNS, key=_strength)  # all 108 that the deck could ever allow
NO_PLAY = -1
TAKE = len(PLAYS)  # + number index, as an action
GIVE_CARD = TAKE + NUMBERS
KEEP = GIVE_CARD + NUMBERS
PASS = KEEP + 1

_INDEX = {cards: play for play, cards in enumerate(PLAYS)}
HALF = sum(len(cards) <= 5 for cards in PLAYS)  # 62: the longer plays are in the second half


def _halves(plays: Iterable[Cards]) -> list[int]:
    """A set of plays as bits: those of up to five cards, and the longer ones."""
    bits = sum(1 << _INDEX[cards] for cards in plays)
    return [bits & ((1 << HALF) - 1), bits >> HALF]


# The sets that a hand with so many cards of a number (0-7) holds, and those up to a size.
SETS = np.array(
    [
        [_halves(p for p in _SETS if p[0] == n and len(p) <= cards) for cards in range(14)]
        for n in range(1, 9)
    ],
    np.int64,
)
SETS_UP_TO = np.array([_halves(p for p in _SETS if len(p) <= most) for most in range(14)], np.int64)
# The runs that a hand with these numbers (bits) holds, and those up to a length.
RUNS = np.array(
    [
        _halves(p for p in _RUNS if all(numbers >> (n - 1) & 1 for n in p))
        for numbers in range(1 << NUMBERS)
    ],
    np.int64,
)
RUNS_UP_TO = np.array([_halves(p for p in _RUNS if len(p) <= most) for most in range(9)], np.int64)
# What beats each play (DP4), at index play + 1; anything beats NO_PLAY (DP2).
BEATING = np.array(
    [
        _halves(p for p in PLAYS if _strength(p) > table)
        for table in ((0, 0), *map(_strength, PLAYS))
    ],
    np.int64,
)
# A play takes EACH cards of every number from LOW to HIGH (0-7) out of a hand, SIZE in all.
LOW = np.array([cards[0] - 1 for cards in PLAYS], np.int32)
HIGH = np.array([cards[-1] - 1 for cards in PLAYS], np.int32)
SIZE = np.array([len(cards) for cards in PLAYS], np.int32)
EACH = np.array([cards.count(cards[0]) for cards in PLAYS], np.int32)
# The longest run of consecutive numbers among these (bits).
LONGEST = np.array(
    [max(map(len, f"{numbers:b}".split("0"))) for numbers in range(1 << NUMBERS)], np.int32
)
