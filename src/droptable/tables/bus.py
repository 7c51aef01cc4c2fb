"""Notices between servers: which tables have changed, and who is where.

A notice is only a hint to look: events are read from the database.
"""

from __future__ import annotations

import asyncio
import math
import threading
from collections.abc import Callable, Sequence

import msgspec
from msgspec import Struct

CHANNEL = "droptable"
LISTEN_SECONDS = 0.5  # between checks whether to stop
RETRY_SECONDS = 0.5


class Notice(Struct, frozen=True, omit_defaults=True):
    """A table is at `seq` now (0: notices about it may have been missed until now); or who of it is
    at a server; or (no table) any notices may have been missed."""

    table: str = ""
    seq: int = 0
    server: str = ""
    present: tuple[str, ...] | None = None
    asks: bool = False  # the server wants to be told who is at the table
    renamed: str = ""  # an identity that has another name now

    def pack(self) -> str:
        """The notice as the payload of a notification."""
        return msgspec.json.encode(self).decode()


Receive = Callable[[Notice], None]  # may be called in another thread


class Bus:
    """What carries notices. This one is for a single server, which has nobody to listen to."""

    async def start(self, receive: Receive) -> None:
        """Listen until it is closed."""

    def follow(self, table: str) -> None:
        """Listen to notices about a table."""

    def unfollow(self, table: str) -> None:
        """Do not listen to notices about a table any more."""

    def announce(self, notice: Notice) -> None:
        """Pass a notice on, unless the database itself does."""

    def hears_for(self, _table: str) -> float:
        """For how many seconds notices about a table have been heard without a gap."""
        return math.inf

    def must_poll(self) -> bool:
        """Whether to look now for what notices have not told of."""
        return False

    async def close(self) -> None:
        """Stop listening."""


class PostgresBus(Bus):
    """LISTEN at each database. They tell of appends within the transactions themselves."""

    def __init__(self, urls: Sequence[str]) -> None:
        self._urls = urls
        self._listeners: list[Listener] = []

    async def start(self, receive: Receive) -> None:
        opening = (asyncio.to_thread(Listener, url, receive) for url in self._urls)
        self._listeners = await asyncio.gather(*opening)

    async def close(self) -> None:
        await asyncio.gather(*(asyncio.to_thread(one.close) for one in self._listeners))


class Listener:
    """LISTEN in a thread with its own connection, which is opened again when it breaks."""

    def __init__(self, url: str, receive: Receive) -> None:
        self._url = url
        self._receive = receive
        self._stop = threading.Event()
        self._listening = threading.Event()
        self._thread = threading.Thread(target=self._run, name="droptable-listener", daemon=True)
        self._thread.start()
        self._listening.wait(10)

    def close(self) -> None:
        """Stop listening."""
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        import psycopg  # an extra, which the database has asked for already

        while not self._stop.is_set():
            try:
                self._listen()
            except psycopg.Error:
                self._stop.wait(RETRY_SECONDS)

    def _listen(self) -> None:
        import psycopg

        with psycopg.connect(self._url, autocommit=True) as connection:
            connection.execute(f"LISTEN {CHANNEL}")
            self._listening.set()
            self._receive(Notice())  # whatever was sent while nobody listened
            while not self._stop.is_set():
                for notification in connection.notifies(timeout=LISTEN_SECONDS):
                    self._receive(msgspec.json.decode(notification.payload, type=Notice))
