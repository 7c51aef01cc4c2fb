"""Those who watch without a name: however many they are, no move waits for them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from weakref import WeakKeyDictionary

from droptable.tables.host import Host
from droptable.web.turnstile import Turnstile

AT_ONCE = 10  # that are told the news in one pass of the event loop
Message = tuple[str, int]  # its text and its `seq`


class Gallery:
    """They are told the news by turns; those who are told the same share one message."""

    def __init__(self) -> None:
        self._turnstile = Turnstile(AT_ONCE)
        self._made: dict[Hashable, Message] = {}

    async def turn(self, address: str) -> None:
        """Wait until somebody at this address may be told the news."""
        await self._turnstile.enter(address)

    def message(self, key: Hashable, make: Callable[[], Message]) -> Message:
        """A message, made by the first who needs it; it is kept while anybody waits."""
        if not self._made:
            asyncio.get_running_loop().call_soon(self._forget)
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]

    def _forget(self) -> None:
        if self._turnstile.crowded:
            asyncio.get_running_loop().call_soon(self._forget)
        else:
            self._made.clear()


def gallery(host: Host) -> Gallery:
    """The gallery of a server."""
    return _galleries.setdefault(host, Gallery())


_galleries: WeakKeyDictionary[Host, Gallery] = WeakKeyDictionary()
