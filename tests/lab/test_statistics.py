"""Intervals hold the truth as often as they say, also with paired deals and early stopping."""

import math

import numpy as np
import pytest

from droptable.lab.statistics import (
    Interval,
    anytime_share,
    bootstrap,
    mean_of,
    ratio_of,
    share_of,
    student_quantile,
    wilson,
)

STUDIES = 1000


def held(truth, study):
    """The share of simulated studies whose interval holds the truth."""
    random = np.random.default_rng(18)
    return sum(study(random).holds(truth) for _ in range(STUDIES)) / STUDIES


@pytest.mark.parametrize("share", [0.5, 0.2, 0.97])
def test_shares_of_wins(share):
    """A seat's win share of 400 matches."""
    assert held(share, lambda r: share_of(r.random(400) < share)) == pytest.approx(0.95, abs=0.02)


def test_means_of_skewed_numbers():
    """The mean length of 200 matches whose lengths have a long tail."""
    assert held(1.0, lambda r: mean_of(r.exponential(size=200))) == pytest.approx(0.95, abs=0.02)


def test_few_samples():
    """The mean of five numbers needs Student's quantile."""
    assert held(0.0, lambda r: mean_of(r.normal(size=5))) == pytest.approx(0.95, abs=0.02)


def test_paired_deals():
    """Four matches of each deal, more alike than those of two deals."""
    deals = np.repeat(np.arange(60), 4)

    def matches(random):
        return random.normal(size=60)[deals] + random.normal(size=240)

    assert held(0, lambda r: mean_of(matches(r), deals)) == pytest.approx(0.95, abs=0.02)
    assert held(0, lambda r: mean_of(matches(r))) < 0.85


def test_ratios():
    """Real decisions over all decisions, in matches of very different length."""

    def study(random):
        length = random.poisson(30, 300) + 1
        return ratio_of(random.binomial(length, 0.3), length)

    assert held(0.3, study) == pytest.approx(0.95, abs=0.02)


def test_bootstrap():
    """A correlation, whose spread no formula here knows; and one of groups of rows."""

    def correlation(means):
        x, y, xx, yy, xy = means
        return (xy - x * y) / np.sqrt((xx - x * x) * (yy - y * y))

    def study(random):
        x = random.normal(size=80)
        y = x + random.normal(size=80)
        return bootstrap(correlation, x, y, x * x, y * y, x * y, resamples=400)

    assert held(math.sqrt(0.5), study) == pytest.approx(0.95, abs=0.02)
    random = np.random.default_rng(5)
    values, groups = np.repeat(random.normal(size=50), 3), np.repeat(np.arange(50), 3)
    alone = bootstrap(lambda means: means[0], values)
    together = bootstrap(lambda means: means[0], values, groups=groups)
    assert together.count == 50
    assert together.margin == pytest.approx(math.sqrt(3) * alone.margin, rel=0.15)


def test_stopping_early_is_allowed():
    """Who looks after every hundred matches, and stops when it looks odd, is misled by 5 % only."""
    looks = range(200, 3001, 200)

    def worst(random, interval):
        """The first interval that misses the truth, or the last one."""
        wins = random.random(looks[-1]) < 0.5
        found = [interval(wins[:count]) for count in looks]
        return next((f for f in found if not f.holds(0.5)), found[-1])

    assert held(0.5, lambda r: worst(r, lambda w: anytime_share(w, usual=1000))) >= 0.95
    assert held(0.5, lambda r: worst(r, share_of)) < 0.85


def test_textbook_values():
    """Wilson's interval of 8 in 10, and Student's quantiles, are the textbooks'."""
    low, high = wilson(8, 10)
    assert (round(low, 3), round(high, 3)) == (0.490, 0.943)
    for count in range(1, 200):
        assert share_of([0] * count).holds(0) and share_of([1] * count).holds(1)
    for freedom, quantile in ((1, 12.706), (2, 4.303), (4, 2.776), (10, 2.228), (100, 1.984)):
        assert student_quantile(freedom, 0.95) == pytest.approx(quantile, rel=0.003)


def test_how_numbers_are_told():
    """As many decimals as the interval deserves."""
    assert Interval(0.6371, 0.633, 0.641, 10).percent() == "63.7 ± 0.4 %"
    assert Interval(1e-17, -1e-16, 1e-16, 10).percent() == "0.0 ± 0.0 %"
    assert str(Interval(123.4, 120.0, 123.0, 10)) == "123.4 ± 1.5"
    assert str(Interval(123.4, 120.0, 127.0, 10)) == "123 ± 4"
    assert str(Interval(0.5, 0.5, 0.5, 10)) == "0.5 ± 0.0"
