"""Limits per address, besides those per person: identities cost nothing, addresses do."""

from __future__ import annotations

import math
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from droptable.core.language import _
from droptable.tables.limits import Limits, RateLimiter
from droptable.tables.rejected import Rejected
from droptable.web.config import Config

HOUR = 3600.0
MINUTE = 60.0
MEGABYTE = 1e6
MOST_ADDRESSES = 10_000  # that are remembered


class Allowance:
    """What each address may take per minute: at once, or as time brings it back.

    What is only known afterwards may be taken too: then there is a debt.
    """

    def __init__(self, a_minute: float) -> None:
        self._rate, self._full = a_minute / MINUTE, a_minute
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, address: str, amount: float, now: float) -> None:
        """Take so much."""
        self._left[address] = (self._now(address, now) - amount, now)
        self._left.move_to_end(address)
        if len(self._left) > MOST_ADDRESSES:
            self._left.popitem(last=False)

    def wait(self, address: str, now: float, amount: float = 0.0) -> float:
        """Seconds until there is so much, or no debt any more."""
        return max(0.0, (amount - self._now(address, now)) / self._rate)

    def _now(self, address: str, now: float) -> float:
        left, then = self._left.get(address, (self._full, now))
        return min(self._full, left + max(0.0, now - then) * self._rate)


class Crowd:
    """Counts what each address asks for."""

    def __init__(self, config: Config, clock: Callable[[], float] = time.monotonic) -> None:
        self._config = config
        self._clock = clock
        hourly = config.identities_an_hour
        self._identities = RateLimiter(Limits(commands=hourly / HOUR, burst=round(hourly)))
        hourly = config.groups_an_hour
        self._groups = RateLimiter(Limits(commands=hourly / HOUR, burst=round(hourly)))
        self._requests = Allowance(config.requests_a_minute)
        self._bytes = Allowance(config.megabytes_a_minute * MEGABYTE)
        self._sockets: Counter[str] = Counter()
        self._watching: Counter[str] = Counter()

    def count_identity(self, address: str) -> None:
        """Somebody new comes; `Rejected` if too many came from there."""
        if not self._identities.takes(address, self._clock()):
            message = _("too many new people at your address: at most {most} per hour")
            most = f"{self._config.identities_an_hour:g}"
            wait = round(HOUR / self._config.identities_an_hour) + 1
            raise Rejected("limit", message.format(most=most), wait=wait)

    def count_group(self, address: str) -> None:
        """Somebody makes or joins a group; `Rejected` if that is too often at their address."""
        if not self._groups.takes(address, self._clock()):
            message = _("too many groups made or joined at your address: at most {most} per hour")
            most = f"{self._config.groups_an_hour:g}"
            wait = round(HOUR / self._config.groups_an_hour) + 1
            raise Rejected("limit", message.format(most=most), wait=wait)

    def count_request(self, address: str) -> None:
        """A request or a socket comes; `Rejected` if there were too many, or too much was sent."""
        now = self._clock()
        if wait := self._requests.wait(address, now, 1.0):
            message = _("too many requests from your address: at most {most} per minute")
            most = f"{self._config.requests_a_minute:g}"
            raise Rejected("limit", message.format(most=most), wait=math.ceil(wait))
        self._requests.take(address, 1.0, now)
        if wait := self._bytes.wait(address, now):
            message = _("too much sent to and from your address: at most {most} MB per minute")
            most = f"{self._config.megabytes_a_minute:g}"
            raise Rejected("limit", message.format(most=most), wait=math.ceil(wait))

    def count_bytes(self, address: str, size: int) -> None:
        """So many bytes of requests and answers were received or sent."""
        self._bytes.take(address, size, self._clock())

    @contextmanager
    def socket(self, address: str, *, watching: bool) -> Iterator[None]:
        """While a socket is open, of somebody without a name if `watching`."""
        counted = [(self._sockets, self._config.sockets_each)]
        if watching:
            counted.append((self._watching, self._config.watchers_each))
        for count, most in counted:
            if count[address] >= most:
                message = _("too many sockets from your address: at most {most}")
                raise Rejected("limit", message.format(most=most))
        for count, _most in counted:
            count[address] += 1
        try:
            yield
        finally:
            for count, _most in counted:
                count[address] -= 1
                if not count[address]:
                    del count[address]
