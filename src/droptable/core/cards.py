"""Cards for games with hidden hands: a set of cards is the bits of one integer.

Dealing, drawing at random, and dealing again what a seat cannot see: `deal_hidden` fills the hands
of the others uniformly at random with cards that they may hold, as `determinize` has to.
"""

from __future__ import annotations

from typing import Any

from droptable.core.bits import count_bits, lowest_bit
from droptable.core.chance import below
from droptable.core.compile import kernel
from droptable.core.contract import Ids, Numbers, Random

Hands = Any  # an integer array of the record, the bits of one set of cards per seat
Sizes = Any  # an integer array of the record, the number of cards per seat

TRIES = 2000  # deals that are tried at random before they are mended
SWAPS = 400  # swaps by which a mended deal is shuffled


@kernel
def list_cards(cards: int, ids: Ids, weights: Numbers) -> int:
    """Write a set of cards as the dealer's outcomes, each as likely as the others; for `chance`."""
    count = 0
    while cards:
        ids[count] = lowest_bit(cards)
        weights[count] = 1
        cards &= cards - 1
        count += 1
    return count


@kernel
def random_card(cards: int, random: Random) -> int:
    """One card of a set that is not empty, each as likely as the others."""
    for _ in range(below(random, count_bits(cards))):
        cards &= cards - 1
    return lowest_bit(cards)


@kernel
def deal_hidden(
    hands: Hands, sizes: Sizes, barred: Hands, cards: int, seat: int, players: int, random: Random
) -> None:
    """Deal these cards to all seats but one, as many as each holds, none that it cannot hold.

    `barred[s]` are cards that seat s has shown not to hold. Every possible deal is equally likely:
    deals are tried until one fits. Where nearly none does, one is mended by swaps and then
    shuffled by more of them, which is close to uniform. Cards may be left over.
    """
    for _ in range(TRIES):
        if _deal(hands, sizes, barred, cards, seat, players, True, random):
            return
    _deal(hands, sizes, barred, cards, seat, players, False, random)
    wrong = _misplaced(hands, barred, seat, players)
    step = 0
    while step < SWAPS or (wrong and step < 50 * SWAPS):
        _swap(hands, barred, cards, seat, players, random)
        wrong = _misplaced(hands, barred, seat, players)
        step += 1


@kernel
def _deal(
    hands: Hands, sizes: Sizes, barred: Hands, cards: int, seat: int, players: int, strict: bool,
    random: Random,
) -> bool:  # fmt: skip
    """Deal at random; where it is `strict`, give up at the first card that does not fit."""
    for other in range(players):
        if other != seat:
            hand = 0
            for _ in range(int(sizes[other])):
                card = 1 << random_card(cards, random)
                if strict and card & int(barred[other]):
                    return False
                hand |= card
                cards &= ~card
            hands[other] = hand
    return True


@kernel
def _misplaced(hands: Hands, barred: Hands, seat: int, players: int) -> int:
    """How many cards are in hands that cannot hold them."""
    wrong = 0
    for other in range(players):
        if other != seat:
            wrong += count_bits(int(hands[other]) & int(barred[other]))
    return wrong


@kernel
def _swap(hands: Hands, barred: Hands, cards: int, seat: int, players: int, random: Random) -> None:
    """Exchange two of the cards at random, unless that would misplace more of them."""
    first = 1 << random_card(cards, random)
    second = 1 << random_card(cards, random)
    giver, taker = _holder(hands, first, seat, players), _holder(hands, second, seat, players)
    if giver == taker:
        return
    before = after = 0
    if giver >= 0:
        before += int((int(barred[giver]) & first) != 0)
        after += int((int(barred[giver]) & second) != 0)
    if taker >= 0:
        before += int((int(barred[taker]) & second) != 0)
        after += int((int(barred[taker]) & first) != 0)
    if after > before:
        return
    if giver >= 0:
        hands[giver] = (int(hands[giver]) & ~first) | second
    if taker >= 0:
        hands[taker] = (int(hands[taker]) & ~second) | first


@kernel
def _holder(hands: Hands, card: int, seat: int, players: int) -> int:
    """The seat that was dealt a card, or -1 if it was left over."""
    for other in range(players):
        if other != seat and int(hands[other]) & card:
            return other
    return -1
