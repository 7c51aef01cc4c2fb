"""Which private options of its compiler this version of Numba understands."""

from __future__ import annotations

from functools import cache
from typing import Any

# Kernels never allocate: without reference counts (`_nrt`) their calls need no atomic operations.
# The option is Numba's own; a version without it makes slower kernels, but the same ones.
PRIVATE: dict[str, Any] = {"_nrt": False}


@cache
def supported_options() -> dict[str, Any]:
    """Options beyond the public ones that make kernels faster, where Numba still takes them."""
    return PRIVATE if understands(**PRIVATE) else {}


def understands(**options: Any) -> bool:
    """Whether a function can be compiled with these options. It takes some milliseconds to know."""
    import numba

    try:
        numba.njit(_nothing, **options)()  # Numba reads its options when it compiles
    except Exception:  # whatever a future version raises: today it is a KeyError
        return False
    return True


def _nothing() -> int:
    return 0
