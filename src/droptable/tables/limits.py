"""How much one person may ask for."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from droptable.core.language import _
from droptable.tables.events import Identity
from droptable.tables.rejected import Rejected

MOST_PEOPLE = 10_000  # whose pace is remembered


@dataclass(frozen=True)
class Limits:
    """What a host allows."""

    tables: int = 50  # that one person owns and that are not over
    commands: float = 20.0  # a second, in the long run
    burst: int = 60  # commands at once
    open_tables: int = 1000  # kept in memory; others are read again when they are needed
    bot_seconds: float = 15.0  # until a bot that does not answer is replaced


class Pace:
    """A bucket of tokens for each person: a command takes one, time brings them back."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._buckets: OrderedDict[Identity, tuple[float, float]] = OrderedDict()

    def count(self, identity: Identity, now: float) -> None:
        """Count a command; `Rejected` if they come too fast."""
        full = float(self._limits.burst)
        tokens, then = self._buckets.pop(identity, (full, now))
        tokens = min(full, tokens + max(0.0, now - then) * self._limits.commands)
        enough = tokens >= 1.0
        self._buckets[identity] = (tokens - 1.0 if enough else tokens, now)
        if len(self._buckets) > MOST_PEOPLE:
            self._buckets.popitem(last=False)
        if not enough:
            told = _(
                "too many commands: at most {burst} at once and {rate} per second; wait a moment"
            )
            rate = f"{self._limits.commands:.0f}"
            raise Rejected("limit", told.format(burst=self._limits.burst, rate=rate))
