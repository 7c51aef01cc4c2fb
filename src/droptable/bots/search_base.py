"""One core's share of a search, in chunks: by iterations or by the clock."""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

FIRST_CHUNK = 4  # iterations before the first look at the clock
CHUNK_SECONDS = 0.01

Turn = tuple[int, ...]  # the actions of one seat, the first of which is to be made now


class Work(ABC):
    """A search of one view on one core that can be continued."""

    kernels: ClassVar[tuple[Callable[..., Any], ...]]  # what it runs compiled
    iterations = 0

    @abstractmethod
    def run(self, iterations: int) -> None:
        """Run further iterations, without the GIL."""

    @abstractmethod
    def tally(self) -> Mapping[Turn, tuple[float, np.ndarray]]:
        """The visits of each turn, and the sums of every seat's shares of the victory."""

    def run_until(self, deadline: float) -> None:
        """Go on until a deadline by `time.monotonic`, but for at least one chunk.

        Iterations differ: some matches are over at once. So the slowest pace so far decides how
        long a chunk is, and a chunk is at most twice as long as the one before.
        """
        chunk = FIRST_CHUNK
        pace = math.inf
        while True:
            start = time.monotonic()
            self.run(chunk)
            now = time.monotonic()
            if now >= deadline:
                return
            pace = min(pace, chunk / max(now - start, 1e-6))
            chunk = max(1, min(2 * chunk, int(pace * min(CHUNK_SECONDS, deadline - now))))
