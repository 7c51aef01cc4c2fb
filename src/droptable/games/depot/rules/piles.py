"""Piles and hands: how many cards of each number they hold.

In a state they are arrays of counts, index 0-7 for the numbers 1-8; *packed* they are one integer
of four bits a number, which adds and subtracts as a whole.
"""

from __future__ import annotations

from droptable.core.compile import kernel
from droptable.core.contract import Numbers

NUMBERS = 8
NOTHING = -1  # no number was taken


@kernel
def cards_in(pile: Numbers) -> int:
    """How many cards a pile or hand has."""
    cards = 0
    for number in range(NUMBERS):
        cards += int(pile[number])
    return cards


@kernel
def numbers_in(pile: Numbers) -> int:
    """The numbers that a pile or hand has, as bits: number index 0-7."""
    bits = 0
    for number in range(NUMBERS):
        bits |= int(pile[number] > 0) << number
    return bits


@kernel
def packed(pile: Numbers) -> int:
    """A pile as one integer."""
    cards = 0
    for number in range(NUMBERS):
        cards |= int(pile[number]) << 4 * number
    return cards


@kernel
def nth_card(cards: int, place: int) -> int:
    """The number index of the card at a place of a packed pile, sorted by number."""
    number = 0
    for n in range(NUMBERS - 1):  # counted without a branch
        place -= (cards >> 4 * n) & 15
        number += int(place >= 0)
    return number
