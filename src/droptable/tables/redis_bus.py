"""Notices by Redis or Valkey, for more commits than PostgreSQL can NOTIFY of.

Each table has a channel, so a server hears only of tables that it has open. Events are announced
after their commit: while the bus is away, or a server dies in between, the others find out by
polling the database, so nothing is lost, it is only seen later.
"""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress
from typing import Any

import msgspec

from droptable.core.errors import OptionError
from droptable.core.extras import extra
from droptable.tables.bus import CHANNEL, LISTEN_SECONDS, RETRY_SECONDS, Bus, Notice, Receive

log = logging.getLogger(__name__)

ANSWER_SECONDS = 3.0  # after which a silent bus is taken to be away
POLL_SECONDS = 5.0  # between looks at the database while the bus works


class RedisBus(Bus):
    """Pub/sub by a server of `redis://…`, for one event loop."""

    def __init__(self, url: str) -> None:
        with extra("redis"):
            from redis.asyncio import Redis
            from redis.asyncio.retry import Retry
            from redis.backoff import NoBackoff
            from redis.exceptions import RedisError
        try:
            self._client = Redis.from_url(
                url, socket_connect_timeout=ANSWER_SECONDS, socket_timeout=ANSWER_SECONDS,
                retry=Retry(NoBackoff(), 0),  # we notice each gap, and reconnect ourselves
            )  # fmt: skip
        except ValueError as error:  # the URL may hold a password
            raise OptionError(f"the bus is no address like redis://host:6379: {error}") from None
        self._failures = (RedisError, OSError, TimeoutError)
        self._receive: Receive = lambda _: None
        self._pubsub: Any = None  # while it is connected
        self._connected = asyncio.Event()
        self._followed: set[str] = set()
        self._subscribed: set[str] = set()  # as far as we have asked for it
        self._hears_since: dict[str, float] = {}  # when each subscription was confirmed
        self._outbox: dict[tuple[str, bool, str], Notice] = {}  # the last of each kind
        self._wanted = asyncio.Event()
        self._polled = time.monotonic()
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self, receive: Receive) -> None:
        self._receive = receive
        self._tasks.append(asyncio.create_task(self._keep_listening()))
        with suppress(TimeoutError):
            await asyncio.wait_for(self._connected.wait(), ANSWER_SECONDS)

    def follow(self, table: str) -> None:
        self._followed.add(table)
        self._wake()

    def unfollow(self, table: str) -> None:
        self._followed.discard(table)
        self._wake()

    def announce(self, notice: Notice) -> None:
        kind = notice.table, notice.seq > 0, notice.renamed
        self._outbox[kind] = notice
        self._wake()

    def hears_for(self, table: str) -> float:
        now = time.monotonic()
        return now - self._hears_since.get(table, now)

    def must_poll(self) -> bool:
        now = time.monotonic()
        if self._connected.is_set() and now - self._polled < POLL_SECONDS:
            return False
        self._polled = now
        return True

    async def close(self) -> None:
        with suppress(*self._failures):
            await asyncio.wait_for(self._send(), RETRY_SECONDS)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._client.aclose()

    # -- listening --------------------------------------------------------------------------------

    async def _keep_listening(self) -> None:
        while True:
            try:
                await self._listen()
            except self._failures as error:
                if self._connected.is_set() or not self._hears_since:
                    log.warning("the bus does not answer: %s", type(error).__name__)
            self._pubsub = None
            self._connected.clear()
            self._hears_since.clear()
            await asyncio.sleep(RETRY_SECONDS)

    async def _listen(self) -> None:
        async with self._client.pubsub() as pubsub:
            at_once = self._subscribed = set(self._followed)
            # The common channel comes last: when it is confirmed, all are.
            await pubsub.subscribe(*map(_channel, at_once), CHANNEL)
            self._pubsub = pubsub
            heard = time.monotonic()
            while time.monotonic() - heard < ANSWER_SECONDS:
                message = await pubsub.get_message(timeout=LISTEN_SECONDS)
                if message is None:
                    await pubsub.ping()
                else:
                    heard = time.monotonic()
                    self._take(message, at_once)
            raise TimeoutError

    def _take(self, message: dict[str, Any], at_once: set[str]) -> None:
        channel = message["channel"] or b""
        table = channel.decode().removeprefix(CHANNEL).removeprefix(":")
        if message["type"] == "message":
            with suppress(msgspec.MsgspecError):  # it is from somebody else
                self._receive(msgspec.json.decode(message["data"], type=Notice))
        elif message["type"] == "unsubscribe":
            self._hears_since.pop(table, None)
        elif message["type"] == "subscribe" and not table:
            self._connected.set()
            self._receive(Notice())  # whatever was sent while nobody listened
            self._wake()
        elif message["type"] == "subscribe":
            self._hears_since[table] = time.monotonic()
            if table not in at_once:
                self._receive(Notice(table))

    # -- sending ----------------------------------------------------------------------------------

    def _wake(self) -> None:
        self._wanted.set()
        if len(self._tasks) < 2:
            self._tasks.append(asyncio.create_task(self._keep_sending()))

    async def _keep_sending(self) -> None:
        while True:
            await self._wanted.wait()
            self._wanted.clear()
            try:
                await self._subscribe()
                await self._send()
            except self._failures:
                await asyncio.sleep(RETRY_SECONDS)
                self._wanted.set()

    async def _subscribe(self) -> None:
        if self._pubsub is None:
            return  # whatever is followed then is subscribed to
        new = self._followed - self._subscribed
        old = self._subscribed - self._followed
        self._subscribed = set(self._followed)
        if new:
            await self._pubsub.subscribe(*map(_channel, new))
        if old:
            await self._pubsub.unsubscribe(*map(_channel, old))

    async def _send(self) -> None:
        while self._outbox:
            notices, self._outbox = self._outbox, {}
            try:
                async with self._client.pipeline(transaction=False) as pipeline:
                    for notice in notices.values():
                        pipeline.publish(_channel(notice.table), notice.pack())
                    await pipeline.execute()
            except BaseException:
                self._outbox = notices | self._outbox
                raise


def _channel(table: str) -> str:
    return f"{CHANNEL}:{table}" if table else CHANNEL
