"""Why a turn of Depot was worse than another, in a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from droptable.core.language import _, ngettext
from droptable.games.depot.rules.piles import NUMBERS
from droptable.games.depot.words.cards import cards_of_play

Hand = list[int]  # how many cards of each number


def explain(before: Any, made: Any, best: Any, seat: int, names: Sequence[str]) -> str:
    name = names[seat]
    left, better = (int(after["hand_size"][seat]) for after in (made, best))
    if better == 0 and left:
        return _("{name} could have played the last cards and won the game.").format(name=name)
    hand, kept, wanted = (_hand(state, seat) for state in (before, made, best))
    for cards in sorted(_groups(hand), key=len, reverse=True):
        if _holds(wanted, cards) and not _holds(kept, cards):
            text = _("It breaks up the {cards}.")
            return text.format(cards=cards_of_play([number + 1 for number in cards]))
    if left > better:
        text = ngettext(
            "It leaves {name} with {count} card more than the better turn.",
            "It leaves {name} with {count} cards more than the better turn.",
            left - better,
        )
        return text.format(name=name, count=left - better)
    loose, fewer = _loose(kept), _loose(wanted)
    if loose > fewer:
        text = ngettext(
            "It leaves {name} with {count} card that goes with no other.",
            "It leaves {name} with {count} cards that go with no other.",
            loose,
        )
        return text.format(name=name, count=loose)
    for cards in sorted(_groups(wanted), key=len, reverse=True):
        if not _holds(kept, cards):
            text = _("The better turn leads to {cards} in hand.")
            return text.format(cards=cards_of_play([number + 1 for number in cards]))
    return ""


def _hand(state: Any, seat: int) -> Hand:
    return [int(count) for count in state["hands"][seat]]


def _groups(hand: Hand) -> Iterator[list[int]]:
    """Sets of two or more equal cards, and runs of three or more, as long as they are."""
    for number, count in enumerate(hand):
        if count > 1:
            yield [number] * count
    first = 0
    for number in range(NUMBERS + 1):
        if number == NUMBERS or not hand[number]:
            if number - first > 2:
                yield list(range(first, number))
            first = number + 1


def _holds(hand: Hand, cards: list[int]) -> bool:
    return all(hand[number] >= cards.count(number) for number in cards)


def _loose(hand: Hand) -> int:
    """Single cards without a neighbour."""
    around = [0, *hand, 0]
    return sum(
        count == 1 and not around[number] and not around[number + 2]
        for number, count in enumerate(hand)
    )
