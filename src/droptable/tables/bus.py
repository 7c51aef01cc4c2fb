"""Notices between servers on one database: which tables have changed, and who is where."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Protocol

import msgspec
from msgspec import Struct

CHANNEL = "droptable"
LISTEN_SECONDS = 0.5  # between checks whether to stop
RETRY_SECONDS = 0.5


class Notice(Struct, frozen=True, omit_defaults=True):
    """A table is at `seq` now; or who of it is at a server; or (no table) notices were missed."""

    table: str = ""
    seq: int = 0
    server: str = ""
    present: tuple[str, ...] | None = None

    def pack(self) -> str:
        """The notice as the payload of a notification."""
        return msgspec.json.encode(self).decode()


class Bus(Protocol):
    """Something that listens until it is closed."""

    def close(self) -> None:
        """Stop listening."""


class NullBus:
    """For a single server, which has nobody to listen to."""

    def close(self) -> None:
        pass


class PostgresBus:
    """LISTEN in a thread with its own connection, which is opened again when it breaks."""

    def __init__(self, url: str, receive: Callable[[Notice], None]) -> None:
        self._url = url
        self._receive = receive
        self._stop = threading.Event()
        self._listening = threading.Event()
        self._thread = threading.Thread(target=self._run, name="droptable-listener", daemon=True)
        self._thread.start()
        self._listening.wait(10)

    def close(self) -> None:
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
