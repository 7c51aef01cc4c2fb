"""How many matches make a chunk: about a second of work, by what earlier ones have taken."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

SECONDS = 1.0  # of work in a chunk
GROWTH = 8  # a chunk is at most so many times larger than the ones before
LAST = 4  # towards the end each worker gets at least so many chunks, so that none waits for another

Range = tuple[int, int]  # the first match, and the one after the last


class Pace:
    """Sizes of chunks. Results never depend on them."""

    def __init__(self) -> None:
        self.size = 1

    def note(self, matches: int, seconds: float) -> None:
        """A chunk of so many matches has taken so long."""
        wanted = matches * SECONDS / max(seconds, 1e-9)
        self.size = max(1, min(int(wanted), GROWTH * self.size))

    def chunks(self, ranges: Iterable[Range], workers: int) -> Iterator[tuple[int, int]]:
        """Cut ranges into chunks (first match, count); each is as large as is right by then."""
        missing = list(ranges)
        left = sum(stop - first for first, stop in missing)
        for start, stop in missing:
            first = start
            while first < stop:
                fair = math.ceil(left / (LAST * workers))
                count = min(self.size, stop - first, max(1, fair))
                yield first, count
                first += count
                left -= count
