"""Hints: what a good bot would do in somebody's place, thought of once for each decision."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from concurrent.futures import Future

from droptable.bots.levels import ADVISER
from droptable.core.language import _
from droptable.core.state import View
from droptable.tables.bot_pool import BotPool, Choice
from droptable.tables.events import Identity
from droptable.tables.rejected import Rejected

Decision = tuple[str, int, bytes]  # table, seat, and what it sees
MOST_KEPT = 2000


class Hints:
    """Asks the adviser: one question at a time for each person."""

    def __init__(self, bots: BotPool) -> None:
        self._bots = bots
        self._given: OrderedDict[Decision, Future[Choice]] = OrderedDict()
        self._asking: dict[Identity, Decision] = {}

    async def token(self, identity: Identity, decision: Decision, view: View) -> str:
        """A good move. The same decision gets the same hint without thinking again."""
        thinking = self._given.get(decision)
        if thinking is None:
            thinking = self._think(identity, decision, view)
        return (await asyncio.shield(asyncio.wrap_future(thinking))).token

    def _think(self, identity: Identity, decision: Decision, view: View) -> Future[Choice]:
        if identity in self._asking:
            busy = _("the hint that you asked for before is not there yet: one at a time")
            raise Rejected("limit", busy, wait=1)
        table, seat, _view = decision
        self._asking[identity] = decision
        thinking = self._bots.choose((f"hint {table}", seat), ADVISER, view, identity)
        self._given[decision] = thinking
        if len(self._given) > MOST_KEPT:
            self._given.popitem(last=False)
        thinking.add_done_callback(lambda done: self._done(identity, decision, done))
        return thinking

    def _done(self, identity: Identity, decision: Decision, done: Future[Choice]) -> None:
        """From another thread: the answer is there. That of a bot that failed is not kept."""
        self._asking.pop(identity, None)
        if done.cancelled() or done.result().failure:
            self._given.pop(decision, None)
