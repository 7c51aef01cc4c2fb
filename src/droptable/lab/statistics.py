"""What can be said from samples: intervals, also for paired deals and for those who stop early.

All intervals are of 95 % unless `level` says otherwise. `tests/lab/test_statistics.py` counts how
often they hold the truth.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

LEVEL = 0.95
RESAMPLES = 1000  # of a bootstrap
MOST_DRAWN = 1000  # units that one resample draws
MOST_DECIMALS = 6  # that are told; a smaller margin is rounding
EXACT = 12  # decimals of what a bootstrap finds; the rest is rounding
Values = Any  # what NumPy takes for a vector of numbers


@dataclass(frozen=True)
class Interval:
    """A number and where its truth is likely to be; `count` independent samples tell it."""

    value: float
    low: float
    high: float
    count: int

    @property
    def margin(self) -> float:
        """Half of the width."""
        return (self.high - self.low) / 2

    def holds(self, value: float) -> bool:
        """Whether the truth may be this value."""
        return self.low <= value <= self.high

    def map(self, function: Callable[[float], float]) -> Interval:
        """The interval of a monotonic function of the number."""
        ends = sorted((function(self.low), function(self.high)))
        return Interval(function(self.value), ends[0], ends[1], self.count)

    def __str__(self) -> str:
        digits = decimals(self.margin)
        return f"{self.value:.{digits}f} ± {self.margin:.{digits}f}"

    def percent(self) -> str:
        """The same for a share: `63.7 ± 0.4 %`."""
        digits = decimals(100 * self.margin)
        return f"{100 * self.value:.{digits}f} ± {100 * self.margin:.{digits}f} %"


def decimals(margin: float) -> int:
    """How many decimals of a number are worth telling: one digit of the margin, two of a 1."""
    if not margin >= 10**-MOST_DECIMALS or not math.isfinite(margin):
        return 1
    size = math.floor(math.log10(margin))
    return min(MOST_DECIMALS, max(0, int(margin / 10**size < 2) - size))


# -- from a fixed number of samples ---------------------------------------------------------------


def wilson(wins: float, matches: float, level: float = LEVEL) -> tuple[float, float]:
    """Wilson's score interval for a share of wins, of independent matches."""
    z = normal_quantile(level)
    share = wins / matches
    centre = share + z * z / (2 * matches)
    spread = z * math.sqrt(share * (1 - share) / matches + z * z / (4 * matches * matches))
    scale = 1 + z * z / matches
    low, high = (centre - spread) / scale, (centre + spread) / scale
    return min(share, max(0.0, low)), max(share, min(1.0, high))  # rounding moves neither end past


def share_of(wins: Values, level: float = LEVEL) -> Interval:
    """The mean of shares from 0 to 1, one per independent match."""
    won = np.asarray(wins, float)
    low, high = wilson(float(won.sum()), len(won), level)
    return Interval(float(won.mean()), low, high, len(won))


def mean_of(values: Values, groups: Values | None = None, level: float = LEVEL) -> Interval:
    """A mean; samples of one group (say, of one deal played from all seats) may be alike."""
    numbers = np.asarray(values, float)
    return ratio_of(numbers, np.ones(len(numbers)), groups, level)


def ratio_of(
    top: Values, bottom: Values, groups: Values | None = None, level: float = LEVEL
) -> Interval:
    """A sum over a sum, say of real decisions over all decisions, by linearization."""
    above, below = np.asarray(top, float), np.asarray(bottom, float)
    if groups is not None:
        _, place = np.unique(np.asarray(groups), return_inverse=True)
        above, below = np.bincount(place, above), np.bincount(place, below)
    count = len(above)
    if not count or not below.sum():
        return Interval(math.nan, -math.inf, math.inf, count)
    ratio = float(above.sum() / below.sum())
    if count == 1:
        return Interval(ratio, -math.inf, math.inf, count)
    squares = float(np.square(above - ratio * below).sum()) * count / (count - 1)
    spread = student_quantile(count - 1, level) * math.sqrt(squares) / abs(float(below.sum()))
    return Interval(ratio, ratio - spread, ratio + spread, count)


def bootstrap(
    function: Callable[[np.ndarray], np.ndarray],
    *columns: Values,
    groups: Values | None = None,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Interval:
    """A function of the columns' means, by drawing rows (or groups of rows) again and again.

    The function gets the means of each column along the first axis. The percentiles are corrected
    for bias (Efron 1987); of many rows, some are drawn together.
    """
    table = np.stack([np.ones(len(columns[0])), *(np.asarray(c, float) for c in columns)])
    if groups is not None:
        _, place = np.unique(np.asarray(groups), return_inverse=True)
        table = np.stack([np.bincount(place, column) for column in table])
    units = table.shape[1]
    if units > MOST_DRAWN:
        starts = np.linspace(0, units, MOST_DRAWN, endpoint=False).astype(int)
        table = np.add.reduceat(table, starts, axis=1)
    drawn = table.shape[1]
    chosen = np.random.default_rng(seed).integers(0, drawn, (resamples, drawn))
    chosen += np.arange(0, resamples * drawn, drawn)[:, np.newaxis]
    weights = np.bincount(chosen.ravel(), minlength=resamples * drawn).reshape(resamples, drawn)
    sums, whole = table @ weights.T, table.sum(axis=1)
    found = np.round(function(sums[1:] / sums[0]), EXACT)  # so that no machine's rounding counts
    value = float(np.round(function(whole[1:] / whole[0]), EXACT))
    below = float(np.mean(found < value) + np.mean(found == value) / 2)
    normal = NormalDist()
    bias = normal.inv_cdf(min(max(below, 1 / resamples), 1 - 1 / resamples))
    z = normal_quantile(level)
    ends = np.quantile(found, [normal.cdf(2 * bias - z), normal.cdf(2 * bias + z)])
    return Interval(value, float(ends[0]), float(ends[1]), units)


# -- for those who look while the samples come in -------------------------------------------------


def anytime(
    mean: float, deviation: float, count: int, usual: float, level: float = LEVEL
) -> Interval:
    """An interval that holds the truth at *all* counts at once, so one may stop at any of them.

    The asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (Annals of
    Statistics 2024, theorem 2.2), narrowest at the `usual` count.
    """
    if count < 2:
        return Interval(mean, -math.inf, math.inf, count)
    alpha = 1 - level
    tuned = (-2 * math.log(alpha) + math.log(1 - 2 * math.log(alpha))) / usual
    grown = count * tuned + 1
    spread = deviation * math.sqrt(
        2 * grown / (count * count * tuned) * math.log(math.sqrt(grown) / alpha)
    )
    return Interval(mean, mean - spread, mean + spread, count)


def anytime_share(wins: Values, usual: float, level: float = LEVEL) -> Interval:
    """`anytime` for shares from 0 to 1; one even match is added, so few samples are not sure."""
    won = np.asarray(wins, float)
    count = len(won)
    if not count:
        return Interval(0.5, 0.0, 1.0, 0)
    mean = float(won.mean())
    varied = float(np.square(won - mean).sum()) + 0.5
    found = anytime(mean, math.sqrt(varied / (count + 1)), count, usual, level)
    return Interval(mean, max(0.0, found.low), min(1.0, found.high), count)


# -- quantiles ------------------------------------------------------------------------------------


def normal_quantile(level: float) -> float:
    """How many standard deviations to both sides hold this much: 1.96 for 95 %."""
    return NormalDist().inv_cdf((1 + level) / 2)


def student_quantile(freedom: int, level: float) -> float:
    """The same for Student's t, by Hill's approximation (CACM 1970), exact below three."""
    p = 1 - level
    if freedom == 1:
        return float(1 / math.tan(p * math.pi / 2))
    if freedom == 2:
        return math.sqrt(2 / (p * (2 - p)) - 2)
    z = normal_quantile(level)
    square = z * z
    terms = (
        (square + 1) / 4,
        ((5 * square + 16) * square + 3) / 96,
        (((3 * square + 19) * square + 17) * square - 15) / 384,
        ((((79 * square + 776) * square + 1482) * square - 1920) * square - 945) / 92160,
    )
    return z * (1.0 + sum(term / float(freedom) ** k for k, term in enumerate(terms, 1)))
