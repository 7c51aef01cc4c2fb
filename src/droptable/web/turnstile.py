"""Requests enter by turns, so that moves at tables come between them."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque

AT_ONCE = 3  # that enter in one pass of the event loop


class Turnstile:
    """Lets a few in per pass of the event loop, by turns over addresses."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._at_once = at_once
        self._entered = 0  # in this pass
        self._turning = False
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    async def enter(self, address: str) -> None:
        """Wait for a turn; there is no wait while few come."""
        loop = asyncio.get_running_loop()
        if not self._turning:
            self._turning = True
            loop.call_soon(self._turn)
        if not self._waiting and self._entered < self._at_once:
            self._entered += 1
            return
        turn = loop.create_future()
        self._waiting.setdefault(address, deque()).append(turn)
        await turn

    def _turn(self) -> None:
        """Once per pass, until nobody comes any more."""
        self._entered = 0
        while self._waiting and self._entered < self._at_once:
            address, turns = next(iter(self._waiting.items()))
            turn = turns.popleft()
            if turns:
                self._waiting.move_to_end(address)
            else:
                del self._waiting[address]
            if not turn.done():  # its client may have left
                turn.set_result(None)
                self._entered += 1
        self._turning = self._entered > 0
        if self._turning:
            asyncio.get_running_loop().call_soon(self._turn)
