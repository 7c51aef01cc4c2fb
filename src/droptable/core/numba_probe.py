"""Which private options this Numba knows."""

from functools import cache
from typing import Any


@cache
def supported_options() -> dict[str, Any]:
    """The options beyond Numba's public ones that make kernels faster, where they are known."""
    return {"_nrt": False}
