"""Random numbers outside states: a planner that copies a state must not see the future.

A generator is one non-zero `uint64` in an array that the caller owns (xorshift64: shifts only, so
the same code runs compiled and as plain Python without overflow). Matches that people play are
dealt by Python's `random`, not by this.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from droptable.core.compile import kernel, slot
from droptable.core.contract import Ids, Numbers, Random, State, chance
from droptable.core.errors import OptionError
from droptable.core.language import _

_13, _7, _17, _32 = np.uint64(13), np.uint64(7), np.uint64(17), np.uint64(32)


def check_seed(seed: Any) -> int | None:
    """The seed as a Python integer, or None; anything else is an `OptionError`."""
    if seed is None:
        return None
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        message = _("seed is {seed}; expected a whole number from 0 up")
        raise OptionError(message.format(seed=repr(seed)))
    return int(seed)


def generators(count: int, seed: int | None = None) -> Random:
    """Independent generators: the same for the same seed, and the first ones for a lower count."""
    if seed is not None and count == 1:  # a table asks for the same few again and again
        return _one(check_seed(seed)).copy()
    return _new(count, check_seed(seed))


@lru_cache
def _one(seed: int) -> Random:
    return _new(1, seed)


def _new(count: int, seed: int | None) -> Random:
    words = np.random.SeedSequence(seed).generate_state(count, np.uint64)
    return np.where(words == 0, np.uint64(1), words)


@kernel
def below(random: Random, limit: int) -> int:
    """A random integer from 0 to limit - 1, for a limit under 2**31; uses generator 0."""
    x = random[0]
    x ^= x << _13
    x ^= x >> _7
    x ^= x << _17
    random[0] = x
    return int(np.int64(((x >> _32) * np.uint64(limit)) >> _32))  # signed also when compiled


@kernel
def pick(weights: Numbers, count: int, random: Random) -> int:
    """An index below count, with the given integer weights."""
    total = 0
    for i in range(count):
        total += weights[i]
    left = below(random, total)
    for i in range(count):
        left -= weights[i]
        if left < 0:
            return i
    return count - 1


@slot
def sample_outcome(state: State, ids: Ids, weights: Numbers, random: Random) -> int:
    """One outcome of the dealer with its exact probability; a game may have a faster way."""
    count = chance(state, ids, weights)
    return int(np.int64(ids[pick(weights, count, random)]))
