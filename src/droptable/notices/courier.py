"""The courier: decides what of the queue is told now, and carries it to where people are."""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias

from droptable.core.language import speaking
from droptable.notices.queue import Delivery, Queue, Target, Verdicts
from droptable.notices.reach import Failed, Gone
from droptable.notices.what import Standing, Wishes, is_current, tell_at
from droptable.notices.words import Message, message_of, part_of
from droptable.tables.calls import Call
from droptable.tables.database import DatabaseError
from droptable.tables.lookers import Lookers
from droptable.tables.rejected import Rejected
from droptable.tables.store import Store

POLL = 0.4  # seconds between two rounds
SLACK = 0.5  # seconds: what is to be told that soon is told now
LOOK_AGAIN = 1.0  # seconds until another server's word is asked for again
AT_ONCE = 24  # messages on their way at a time, of each way: slow ones do not hold up the others
LONGEST_WAIT = 900.0  # seconds between two tries
GIVE_UP = 3 * 86_400.0  # seconds after which a message is not tried any more
CLOSE_SECONDS = 3.0
log = logging.getLogger(__name__)

Sender: TypeAlias = Callable[[Target, Message], Awaitable[None]]


class Courier:
    """Works on one server; any number of them share a queue."""

    def __init__(
        self,
        queue: Queue,
        senders: Mapping[str, Sender],
        site: str,
        *,
        clock: Callable[[], float],
        lookers: Lookers,
        server: str,
        shared: bool,
        counts: Counter[str],
    ) -> None:
        """`shared` says whether other servers may know who looks at a table."""
        self._queue = queue
        self._senders = senders
        self._site = site
        self._clock = clock
        self._lookers = lookers
        self._server = server
        self._shared = shared
        self._counts = counts
        self._flying: dict[str, set[asyncio.Task[None]]] = {way: set() for way in senders}

    async def run(self) -> None:
        """Work until cancelled; what fails once is tried again in the next round."""
        while True:
            try:
                await self.round()
            except DatabaseError:
                self._counts["failures"] += 1
            except Exception:
                self._counts["failures"] += 1
                log.exception("the courier failed")
            await asyncio.sleep(POLL)

    async def round(self) -> None:
        """Tell what is due, and send what has to go."""
        for shard in self._queue.shards:
            try:
                first = await self._queue.next_call(shard)
                if first is not None and first <= self._clock():
                    await self.tell(shard)
            except DatabaseError:  # a database that is sick harms no other
                self._counts["failures"] += 1
        for way in sorted(await self._queue.due_ways(self._clock()) & self._senders.keys()):
            flying = self._flying[way]
            free = AT_ONCE - len(flying)
            claimed = (
                await self._queue.claim_deliveries(way, self._clock(), free) if free > 0 else []
            )
            for delivery, target in claimed:
                task = asyncio.create_task(self._carry(delivery, target))
                flying.add(task)
                task.add_done_callback(flying.discard)

    async def close(self) -> None:
        """Let messages that are on their way arrive, and give up on slow ones: their lease ends."""
        flying = [task for tasks in self._flying.values() for task in tasks]
        if flying:
            _done, late = await asyncio.wait(flying, timeout=CLOSE_SECONDS)
            for task in late:
                task.cancel()

    # -- telling ----------------------------------------------------------------------------------

    async def tell(self, shard: Store) -> None:
        """Decide on the calls that are due: drop them, wait, or put messages on their way."""
        now = self._clock()
        calls = await self._queue.claim_calls(shard, now)
        standings, people = await self._queue.circumstances(shard, calls)
        unwanted = await self._queue.unwanted(calls)
        verdicts = Verdicts(dropped=sorted(unwanted))
        calls = [call for call in calls if call.id not in unwanted]
        for identity, own in itertools.groupby(calls, key=lambda call: call.identity):
            wishes, targets = people[identity]
            now_told = []
            for call in own:
                standing = standings.get(call.id)
                when = await self._when(call, standing, wishes, now) if targets else None
                if when is None:
                    verdicts.dropped.append(call.id)
                elif when > now + SLACK:
                    verdicts.later[call.id] = when
                else:
                    now_told.append((call, standing))
            if now_told:
                message = self._message(now_told, wishes.language)
                verdicts.told.append((message, [call.id for call, _s in now_told], targets))
        await self._queue.settle(shard, verdicts, now)

    async def _when(
        self, call: Call, standing: Standing | None, wishes: Wishes, now: float
    ) -> float | None:
        """When a call is to be told; None: never."""
        if not is_current(call, standing):
            return None
        when = tell_at(call, wishes, now)
        if when is None or not call.table:
            return when
        if self._lookers.looks(call.table, call.identity):
            return None
        if self._shared:
            looked = await self._queue.looked_at(call, self._server, now)
            if looked is not None:  # before the call: perhaps of a server that has died since
                return None if looked > call.at else max(when, now + LOOK_AGAIN)
        return when

    def _message(self, told: list[tuple[Call, Standing | None]], language: str) -> Message:
        with speaking(language):
            parts = [(call, part_of(call, standing, self._site)) for call, standing in told]
        return message_of(parts, self._site, language)

    # -- carrying ---------------------------------------------------------------------------------

    async def _carry(self, delivery: Delivery, target: Target) -> None:
        """Send a message; whatever happens, it is noted, or its lease ends."""
        try:
            try:
                await self._senders[target.way](target, delivery.message)
            except Gone as gone:
                await self._gone(target, str(gone))
            except (Failed, Rejected) as failed:
                await self._failed(delivery, str(failed), getattr(failed, "wait", 0.0) or 0.0)
            except Exception as error:
                log.exception("a notice cannot be sent")
                await self._failed(delivery, type(error).__name__, 0.0)
            else:
                await self._queue.delivered(delivery)
                self._counts["notices"] += 1
        except DatabaseError:
            self._counts["failures"] += 1

    async def _gone(self, target: Target, reason: str) -> None:
        self._counts["dead targets"] += 1
        if target.way == "push":  # a browser subscribes again by itself
            await self._queue.remove_target(target.id)
        else:
            await self._queue.set_state(target.id, "off", reason)

    async def _failed(self, delivery: Delivery, reason: str, wait: float) -> None:
        now = self._clock()
        pause = max(wait, min(LONGEST_WAIT, 2.0 ** min(delivery.tries - 1, 10)))
        over = now + pause > delivery.since + GIVE_UP
        await self._queue.failed(delivery, reason, None if over else now + pause)
