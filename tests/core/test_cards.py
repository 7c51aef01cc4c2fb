"""Cards are dealt as they have to be: by chance, uniformly, and never where they cannot be."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from droptable.core.cards import deal_hidden, list_cards, random_card
from droptable.core.chance import generators
from droptable.core.compile import COMPILED, PLAIN, Kernels
from droptable.core.precompile import policy

WORLDS = [PLAIN] if policy() == "never" else [PLAIN, COMPILED]
worlds = pytest.mark.parametrize("world", WORLDS)


def twin(function, world):
    return Kernels("cards", {}, world).twin(function)


def test_a_deck_is_listed_with_equal_weights():
    """108 different cards are as many outcomes, ascending."""
    ids, weights = np.zeros(60, np.int32), np.zeros(60, np.int32)
    assert list_cards((1 << 60) - 1 & ~0b110, ids, weights) == 58
    assert ids[:3].tolist() == [0, 3, 4] and set(weights[:58].tolist()) == {1}


@worlds
def test_a_random_card_is_any_of_them(world):
    """Each card of a set comes up, about equally often."""
    random, draw = generators(1, 5), twin(random_card, world)
    drawn = Counter(draw(0b1011000, random) for _ in range(3000))
    assert set(drawn) == {3, 4, 6}
    assert min(drawn.values()) > 900


@worlds
def test_hidden_hands_are_uniform_over_all_that_are_possible(world):
    """Seat 1 lacks the low half: every deal that fits comes up, about equally often."""
    deal, random = twin(deal_hidden, world), generators(1, 7)
    sizes, barred = np.array([2, 2, 2], np.int8), np.array([0, 0b000111, 0], np.int64)
    cards = 0b111111
    possible = {
        (sum(1 << c for c in first), sum(1 << c for c in second))
        for first in combinations((3, 4, 5), 2)
        for second in combinations(range(6), 2)
        if not set(first) & set(second)
    }
    seen = Counter()
    for _ in range(6000):
        hands = np.zeros(3, np.int64)
        deal(hands, sizes, barred, cards, 0, 3, random)
        seen[int(hands[1]), int(hands[2])] += 1
        assert hands[0] == 0
    assert set(seen) == possible
    expected = 6000 / len(possible)
    assert all(0.7 * expected < count < 1.3 * expected for count in seen.values())


@worlds
def test_a_deal_that_hardly_ever_fits_is_found_all_the_same(world):
    """Each seat has shown to lack three of four suits; trying would take for ever."""
    deal, random = twin(deal_hidden, world), generators(1, 9)
    suit = 0x1FFF
    everything = (1 << 52) - 1
    barred = np.array([everything & ~(suit << 13 * seat) for seat in range(4)], np.int64)
    hands, sizes = np.zeros(4, np.int64), np.full(4, 13, np.int8)
    hands[0] = suit
    deal(hands, sizes, barred, everything & ~suit, 0, 4, random)
    assert hands.tolist() == [suit << 13 * seat for seat in range(4)]
