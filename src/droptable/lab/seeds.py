"""Seeds of matches: what is dealt and chosen in match number n follows from the seed and n alone.

Neither chunks nor cores nor machines come into it, so any match can be played again by its number.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from droptable.core.chance import check_seed
from droptable.core.contract import MOST_SEATS

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
DEALS, CHOICES = 1, 2  # two streams of one seed


def generators_of(seed: int, deals: Any, matches: Any, seats: int) -> np.ndarray:
    """For each match its dealer's generator, one per seat, and one for rollouts: `[match, 2 + n]`.

    The dealer's follows from the number of the deal, the others from the number of the match.
    """
    check_seed(seed)
    deals, matches = (np.asarray(numbers, np.uint64) for numbers in (deals, matches))
    streams = np.empty((len(matches), 2 + seats), np.uint64)
    streams[:, 0] = _mixed(_key(seed, DEALS) + deals * GOLDEN)
    start = _key(seed, CHOICES)
    for seat in range(seats + 1):
        place = np.uint64(MOST_SEATS if seat == seats else seat)
        streams[:, 1 + seat] = _mixed(start + (matches * np.uint64(16) + place) * GOLDEN)
    return np.where(streams == 0, np.uint64(1), streams)


def _key(seed: int, stream: int) -> np.ndarray:
    """Where a stream of numbers starts (in an array, whose overflow is no error)."""
    start: np.ndarray = np.random.SeedSequence((seed, stream)).generate_state(1, np.uint64)
    return start


def _mixed(x: np.ndarray) -> np.ndarray:
    """The output function of SplitMix64 (Steele, Lea, Flood 2014)."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: np.ndarray = x ^ (x >> np.uint64(31))
    return mixed
