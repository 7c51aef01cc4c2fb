"""How many cores there are to work on."""

import os


def usable_cores() -> int:
    """The cores that this process may use, which can be fewer than the machine has."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1
