"""Sets of seats, cells or flags as the bits of one integer."""

from __future__ import annotations

from functools import lru_cache

from droptable.core.compile import kernel


@kernel
def count_bits(bits: int) -> int:
    """How many members a set has (one machine instruction once compiled)."""
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


@kernel
def lowest_bit(bits: int) -> int:
    """The smallest member of a set that is not empty (a few machine instructions)."""
    return count_bits((bits & -bits) - 1)


@lru_cache(4096)
def members(bits: int) -> tuple[int, ...]:
    """The set as a tuple, ascending."""
    return tuple(i for i in range(int(bits).bit_length()) if bits >> i & 1)
