"""Accuracy: how close a seat came to the best turns, from 0 to 100, as lichess measures it.

A turn's accuracy falls exponentially with the chance to win that it gave away, by the formula of
https://lichess.org/page/accuracy; that of a match is the mean of the arithmetic and the harmonic
mean of its turns. Two things differ, because of games with more than two seats and with points:

- A seat that is behind is judged as if its chances had been even: what halves the odds costs the
  same at 5 % as at 50 %. Otherwise nothing that a seat does could be wrong once it has lost.
- Turns in a match that is decided do not count, and what a search cannot tell from noise is free.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean, harmonic_mean

EVEN = 0.5
LEAST_CHANCE = 1e-6  # with less, a match is decided
# Of lichess: accuracy = SCALE * exp(-DECAY * percent lost) - SHIFT.
SCALE, DECAY, SHIFT = 103.1668, 0.04354, 3.1669
LEAST = 10.0  # of a turn in a harmonic mean, which one turn of 0 would otherwise decide alone


def level_loss(before: float, after: float, error: float, players: int) -> tuple[float, float]:
    """The chance that a turn lost, for a seat that is behind as if it had been even, and its error.

    `error` is the standard error of the difference. Alone, shares are scores: the loss is plain.
    """
    if players == 1 or before >= EVEN:
        return before - after, error
    before, after = (min(max(share, LEAST_CHANCE), 1 - LEAST_CHANCE) for share in (before, after))
    gap = _log_odds(before) - _log_odds(after)
    reached = 1 / (1 + math.exp(gap))  # from even
    slope = max(1 / (before * (1 - before)), 1 / (after * (1 - after)))
    return EVEN - reached, error * slope * reached * (1 - reached)


def turn_accuracy(lost: float) -> float:
    """The accuracy of a turn that lost so much of the chance to win."""
    return min(100.0, max(0.0, SCALE * math.exp(-DECAY * 100 * max(lost, 0.0)) - SHIFT))


def seat_accuracy(turns: Sequence[float | None]) -> float | None:
    """The accuracy of a match; None if there is no turn that counts."""
    counted = [turn for turn in turns if turn is not None]
    if not counted:
        return None
    return (fmean(counted) + harmonic_mean([max(turn, LEAST) for turn in counted])) / 2


def _log_odds(share: float) -> float:
    return math.log(share / (1 - share))
