"""The time by which a server plays: it never jumps, though the machine's clock may.

Within a process it goes with the monotonic clock and approaches its reference slowly. The reference
is the database's clock, which all servers on one PostgreSQL share, or with SQLite the machine's.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

SLEW = 0.005  # seconds per second by which it goes faster or slower until it is right
JUMP = 2.0  # seconds by which the reference has to change at once to be mentioned in the log
log = logging.getLogger(__name__)


class SteadyClock:
    """Seconds since 1970, never going back and never jumping forward."""

    def __init__(
        self,
        reference: float | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._monotonic = monotonic
        self._last = monotonic()
        self._now = time.time() if reference is None else reference
        self._error = 0.0  # what is still to be made up for

    def __call__(self) -> float:
        reading = self._monotonic()
        elapsed = reading - self._last
        correction = max(-SLEW * elapsed, min(SLEW * elapsed, self._error))
        self._last = reading
        self._error -= correction
        self._now += elapsed + correction
        return self._now

    def set(self, reference: float) -> None:
        """Take over the reference at once: before anybody is served."""
        self._now, self._error, self._last = reference, 0.0, self._monotonic()

    def correct(self, reference: float) -> None:
        """Approach the reference from now on, slowly."""
        error = reference - self()
        if abs(error - self._error) > JUMP:
            log.warning("the clock has jumped by %.1f seconds", error - self._error)
        self._error = error
