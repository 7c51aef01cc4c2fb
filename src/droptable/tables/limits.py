"""How much one person may ask for, and how fast."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, replace

from droptable.core.language import _
from droptable.tables.events import Identity
from droptable.tables.rejected import Rejected

MOST_PEOPLE = 10_000  # whose rate is remembered
TALKERS = 4  # a table takes as much chat as that many people


@dataclass(frozen=True)
class Limits:
    """What a host allows."""

    tables: int = 50  # unfinished ones that one person may own
    commands: float = 20.0  # per second, in the long run
    burst: int = 60  # commands at once
    chats: float = 0.5  # per second and person, in the long run; a table takes four times that
    chat_burst: int = 10  # messages at once; at a table four times that
    open_tables: int = 1000  # kept in memory; others are read again when needed
    bot_seconds: float = 15.0  # until a bot that does not answer is replaced


class RateLimiter:
    """A token bucket for each key: a command takes a token, time refills the bucket."""

    def __init__(self, limits: Limits) -> None:
        """For commands of people."""
        self._rate, self._burst = limits.commands, limits.burst
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def count(self, identity: Identity, now: float) -> None:
        """Count a command; `Rejected` if they come too fast."""
        if not self.takes(identity, now):
            message = _(
                "too many commands: at most {burst} at once and {rate} per second; wait a moment"
            )
            raise Rejected("limit", message.format(burst=self._burst, rate=f"{self._rate:.0f}"))

    def takes(self, key: str, now: float) -> bool:
        """Take a token of a key's bucket; False if there is none."""
        tokens = self._tokens(key, now)
        enough = tokens >= 1.0
        self._buckets[key] = (tokens - 1.0 if enough else tokens, now)
        self._buckets.move_to_end(key)
        if len(self._buckets) > MOST_PEOPLE:
            self._buckets.popitem(last=False)
        return enough

    def has(self, key: str, now: float) -> bool:
        """Whether a key's bucket has a token; it takes none."""
        return self._tokens(key, now) >= 1.0

    def _tokens(self, key: str, now: float) -> float:
        full = float(self._burst)
        tokens, then = self._buckets.get(key, (full, now))
        return min(full, tokens + max(0.0, now - then) * self._rate)


class ChatLimiter:
    """How fast people chat: each person, and all at one table together."""

    def __init__(self, limits: Limits) -> None:
        slow = replace(limits, commands=limits.chats, burst=limits.chat_burst)
        wide = replace(
            limits, commands=TALKERS * limits.chats, burst=round(TALKERS * limits.chat_burst)
        )
        self._people, self._tables = RateLimiter(slow), RateLimiter(wide)

    def count(self, table: str, identity: Identity, now: float) -> None:
        """Count a message; `Rejected` if they come too fast."""
        if not self._people.takes(identity, now):
            raise Rejected("limit", _("you are chatting too fast: wait a moment"))
        if not self._tables.takes(table, now):
            raise Rejected("limit", _("too much chat at this table at once: wait a moment"))
