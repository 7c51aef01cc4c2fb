"""A race between values: which of them has the smallest fault, and how sure is that?

The fault of a value is the distance of some means (say, of each seat's share) from where they
should be. Whoever leads is compared with each other value: the chance that the other one is better
by more than a tolerance adds up over all of them, and is what remains unsure. No value can be
better by that much than one whose fault is within the tolerance, so to know the leader's own fault
may suffice. The next matches go where they say most about the others (optimal computing budget
allocation; Chen, Lin, Yücesan and Chick 2000), and half of them to a leader within the tolerance.
Nothing here plays: `tests/lab/test_race.py` counts how often what it says is true.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from droptable.lab.statistics import Interval

FIRST = 40  # units of each value before anything is compared
GROWTH = 0.25  # of all that is there, in each later round
LOOKS = 5.0  # what remains unsure is so many times more, as one looks again and again
CAUTION = 1.0  # standard errors that count against a value, so that no newcomer leads by luck
LENT = 4.0  # units whose variance a value borrows from all others, as few show too little


@dataclass(frozen=True)
class Standing:
    """What is known after a round."""

    best: int
    fault: np.ndarray  # of each value, without what chance adds to a distance
    error: np.ndarray  # its standard error
    left: float  # the chance that some other value is better, times `LOOKS`; may be above 1
    sure: float  # that no value is better than the best by more than the tolerance


class Race:
    """The counts of all values, and what follows from them."""

    def __init__(self, values: int, wanted: tuple[float, ...], alike: float) -> None:
        """`wanted`: where the means should be; `alike`: the tolerance, in the fault's unit."""
        self.wanted = np.array(wanted)
        self.alike = alike
        columns = len(wanted)
        self.count = np.zeros(values)
        self._sum = np.zeros((values, columns))
        self._products = np.zeros((values, columns, columns))

    def add(self, value: int, units: np.ndarray) -> None:
        """Count independent units: a row each, a column for each mean."""
        self.count[value] += len(units)
        gaps = units - self.wanted
        self._sum[value] += gaps.sum(axis=0)
        self._products[value] += gaps.T @ gaps

    def standing(self) -> Standing:
        """Who leads, and how sure that is."""
        fault, error = self._faults()
        best = int(np.argmin(fault + CAUTION * error))
        left = self._left(best, fault, error)
        return Standing(best, fault, error, left, max(1 / len(fault), 1.0 - left))

    def next_units(self, most: int) -> np.ndarray:
        """How many units each value should have next: about `GROWTH`, and not more than `most`."""
        count = self.count
        if not count.all():
            return np.full(len(count), max(1, min(FIRST, most // len(count))))
        units = max(1, min(most, round(GROWTH * count.sum())))
        fault, error = self._faults()
        best = self.standing().best
        spread = error * np.sqrt(count)
        lead = np.maximum(fault - fault[best] + self.alike, self.alike / 2)
        share = np.square(spread / lead)
        share[best] = 0
        share[best] = spread[best] * math.sqrt(float(np.square(share / spread).sum()))
        share = share / share.sum()
        if fault[best] < self.alike:
            share /= 2
            share[best] += 0.5
        missing = np.maximum(share * (count.sum() + units) - count, 0)
        if not missing.any():
            missing = share
        wanted: np.ndarray = np.floor(units * missing / missing.sum() + 0.5).astype(int)
        return wanted

    def grid_for(self, standing: Standing) -> int:
        """About how many units a grid takes to be as sure: as many of each value."""
        spread = standing.error * np.sqrt(self.count)
        low, high = 1.0, 1e9
        while high / low > 1.01:
            each = math.sqrt(low * high)
            left = self._left(standing.best, standing.fault, spread / math.sqrt(each))
            low, high = (low, each) if left <= standing.left else (each, high)
        return round(high * len(spread))

    def interval(self, value: int, standing: Standing) -> Interval:
        """The fault of one value, with 95 %."""
        fault, error = float(standing.fault[value]), float(standing.error[value])
        return Interval(
            fault, max(0.0, fault - 1.96 * error), fault + 1.96 * error, int(self.count[value])
        )

    def close_to(self, standing: Standing) -> np.ndarray:
        """Which values are not clearly worse than the best one, but for the tolerance."""
        worse = standing.fault - standing.fault[standing.best] - self.alike
        error = np.hypot(standing.error, standing.error[standing.best])
        close: np.ndarray = worse <= 1.96 * error
        return close

    def _faults(self) -> tuple[np.ndarray, np.ndarray]:
        """The root of the mean squared distance, by value, and its standard error."""
        count, columns = self.count[:, None], len(self.wanted)
        gaps = self._sum / count
        squares = np.square(gaps).mean(axis=1)
        covariance = self._products / count[:, :, None] - gaps[:, :, None] * gaps[:, None, :]
        pooled = np.average(covariance, axis=0, weights=self.count)
        weight = (self.count / (self.count + LENT))[:, None, None]
        covariance = weight * covariance + (1 - weight) * pooled
        noise = np.trace(covariance, axis1=1, axis2=2) / columns / self.count
        widest = np.linalg.eigvalsh(covariance)[:, -1] / columns / self.count
        return np.sqrt(np.maximum(squares - noise, 0)), np.sqrt(np.maximum(widest, 1e-12))

    def _left(self, best: int, fault: np.ndarray, error: np.ndarray) -> float:
        """The chance that some value is better than the best one by more than the tolerance.

        Both tails count: the fault of a value that is right looks too large, however it errs.
        """
        lead = fault - fault[best] + self.alike
        z = lead / np.hypot(error, error[best])
        better = np.array([min(1.0, math.erfc(x / math.sqrt(2))) for x in z.tolist()])
        better[best] = 0
        own = (self.alike - fault[best]) / error[best]
        return LOOKS * min(float(better.sum()), math.erfc(float(own) / math.sqrt(2)))
