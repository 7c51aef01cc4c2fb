"""Requests enter by turns, so that moves at tables come between them."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable

AT_ONCE = 1  # that enter in one pass of the event loop: a move needs several passes
MOST_HELD = 3  # passes in a row in which those who wait let a move pass
HOLD_SECONDS = 0.001  # until the next pass, while a move is made


class Turnstile:
    """Lets a few in per pass of the event loop, by turns over addresses.

    While a move is being made those who wait let it pass, for a moment.
    """

    def __init__(self, at_once: int = AT_ONCE, moving: Callable[[], bool] = lambda: False) -> None:
        """`moving` says whether a move is being made now."""
        self._at_once = at_once
        self._moving = moving
        self._held = 0
        self._entered = 0  # in this pass
        self._turning = False
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @property
    def crowded(self) -> bool:
        """Whether somebody waits."""
        return bool(self._waiting)

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
        if self._waiting and self._held < MOST_HELD and self._moving():
            self._held += 1
            asyncio.get_running_loop().call_later(HOLD_SECONDS, self._turn)
            return
        self._entered = self._held = 0
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
