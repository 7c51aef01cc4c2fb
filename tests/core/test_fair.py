"""The generator behind cards and dice: exact, unbiased, and the same if written again."""

import random
import re
from collections import Counter
from fractions import Fraction
from itertools import permutations
from math import factorial
from pathlib import Path

import pytest

import droptable
from droptable.core import fair
from tests.core.naive_dealer import NaiveDealer

SEED = fair.seed(bytes(32), [])
DOCS = Path(__file__).parents[2] / "docs" / "fairness.md"


def chi_square(counts, expected):
    return sum((counts[key] - many) ** 2 / many for key, many in expected.items())


def limit(freedom):
    """What chi-square exceeds once in some 30,000 samples (4 standard deviations)."""
    return freedom + 4 * (2 * freedom) ** 0.5 + 4


def test_numbers_are_uniform():
    """By chi-square, for bounds that are no powers of two; numbers in a row are independent."""
    drawn = [fair.below(SEED, fair.DEAL, k, 6) for k in range(6000)]
    assert chi_square(Counter(drawn), dict.fromkeys(range(6), 1000)) < limit(5)
    pairs = Counter(zip(drawn[::2], drawn[1::2], strict=True))
    expected = {(a, b): 3000 / 36 for a in range(6) for b in range(6)}
    assert chi_square(pairs, expected) < limit(35)


def test_a_draw_that_would_be_biased_is_repeated():
    """With a bound over half of all numbers about half of the draws are, and none is too large."""
    bound = 2**255 + 1
    dealer = NaiveDealer("00" * 32)
    assert dealer.seed == SEED
    upper = 0
    for k in range(400):
        drawn = fair.below(SEED, fair.DEAL, k, bound)
        assert drawn == dealer.number(b"deal", k, bound) < bound
        upper += drawn >= bound // 2
    assert abs(upper - 200) < 4 * 10, "by the remainder alone it would be a quarter of them"


def test_outcomes_come_by_their_weights():
    """By chi-square with unequal weights; neither their order nor a common factor matters."""
    weights = [("c", 1), ("a", 4), ("b", 7)]
    drawn = [fair.draw(SEED, k, weights) for k in range(6000)]
    assert chi_square(Counter(drawn), {"c": 500, "a": 2000, "b": 3500}) < limit(2)
    scaled = [(token, 30 * weight) for token, weight in reversed(weights)]
    assert drawn[:200] == [fair.draw(SEED, k, scaled) for k in range(200)]


def test_every_order_of_seats_is_as_likely():
    """By chi-square over all orders of four seats."""
    seeds = (fair.seed(k.to_bytes(32, "big"), []) for k in range(4800))
    orders = Counter(fair.seat_order(seed, 4) for seed in seeds)
    expected = dict.fromkeys(permutations(range(4)), 4800 / factorial(4))
    assert chi_square(orders, expected) < limit(23)


def test_the_seed_depends_on_everything_but_the_order_of_contributions():
    """Two contributions are not one that looks like both, and each byte counts."""
    secret, one, two = bytes(32), bytes(range(8)), bytes(range(8, 16))
    assert fair.seed(secret, [one, two]) == fair.seed(secret, [two, one])
    others = [[], [one], [two], [one + two], [one, one], [one, two], [one, two, two]]
    seeds = {fair.seed(secret, given) for given in others}
    assert len(seeds | {fair.seed(bytes(31) + b"\1", [])}) == len(others) + 1


@pytest.mark.parametrize("game", droptable.games(), ids=lambda game: game.name)
def test_a_dealer_written_from_the_docs_deals_the_same(game):
    """In every game, by the public API alone: exact probabilities, any moves of the seats."""
    secret, given = "5a" * 32, ["0123456789abcdef", "ff" * 32]
    dealer = NaiveDealer(secret, given)
    seed = fair.seed(bytes.fromhex(secret), map(bytes.fromhex, given))
    chance, state, k = random.Random(3), game.start(), 0
    for _event in range(150):
        if state.over:
            break
        if state.to_act == (-1,):
            token = fair.draw(seed, k, state.chance_weights())
            assert token == dealer.deal(k, state.chance())
            state.apply(-1, token)
            k += 1
        else:
            seat = state.to_act[0]
            state.apply(seat, chance.choice(state.legal(seat)))
    assert [fair.seat_order(seed, n) for n in range(1, 7)] == [dealer.order(n) for n in range(1, 7)]


def test_the_docs_have_the_numbers():
    """The example of docs/fairness.md, computed by both implementations."""
    example = dict(re.findall(r"^\| `(.+?)` \| `(.+?)` \|", DOCS.read_text(), re.MULTILINE))
    secret, given = example["secret"], example["contributions"].split()
    dealer = NaiveDealer(secret, given)
    assert example["commitment"] == dealer.commitment == fair.commitment(bytes.fromhex(secret))
    seed = fair.seed(bytes.fromhex(secret), map(bytes.fromhex, given))
    assert example["seed"] == seed.hex() == dealer.seed.hex()
    rolls = [(str(face), 1) for face in range(1, 7)]
    chances = [(str(face), Fraction(1, 6)) for face in range(1, 7)]
    assert example["six rolls of a die"].split() == [fair.draw(seed, k, rolls) for k in range(6)]
    assert example["six rolls of a die"].split() == [dealer.deal(k, chances) for k in range(6)]
    assert tuple(map(int, example["four seats"].split())) == dealer.order(4)
