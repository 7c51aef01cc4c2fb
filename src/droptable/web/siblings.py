"""Servers behind one port: all sockets of a table go to one of them.

Whichever server accepts a connection, it may pass the connection on when it knows for which table
the socket is: otherwise every server would have to read, fold and tell every table's moves. A
sibling that does not beat, because it hangs or starts, is passed nothing.
"""

from __future__ import annotations

import asyncio
import mmap
import os
import re
import socket
import struct
import tempfile
import time
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import uvicorn

BEAT_SECONDS = 0.25  # between two signs of life
SILENT_SECONDS = 1.0  # without one: it hangs
LONGEST = 65_536  # bytes of a head that is passed on
BEAT = struct.Struct("d")  # a moment of the monotonic clock, which all processes share
PATH = re.compile(rb"/api/tables/([^/?]+)/socket(?:\?|$)")

Protocols = Callable[[], Any]  # makes the protocol of a connection


@dataclass(frozen=True)
class Kinship:
    """What the servers behind one port inherit: an inbox for each of them, and a page of beats."""

    inboxes: Sequence[socket.socket]
    outboxes: Sequence[socket.socket]
    page: int  # a file

    @classmethod
    def of(cls, count: int) -> Kinship:
        """For so many new servers."""
        pairs = [socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM) for _ in range(count)]
        with tempfile.TemporaryFile() as file:
            file.truncate(count * BEAT.size)
            page = os.dup(file.fileno())
        return cls([inbox for inbox, _ in pairs], [outbox for _, outbox in pairs], page)

    @classmethod
    def from_files(cls, files: Sequence[int]) -> Kinship:
        """As another process has inherited it."""
        page, *numbers = files
        sockets = [socket.socket(fileno=number) for number in numbers]
        return cls(sockets[0::2], sockets[1::2], page)

    @property
    def files(self) -> list[int]:
        """What a process has to inherit."""
        pairs = zip(self.inboxes, self.outboxes, strict=True)
        return [self.page, *(one.fileno() for pair in pairs for one in pair)]


class Siblings:
    """The servers behind one port, as one of them sees the others."""

    def __init__(self, own: int, kinship: Kinship) -> None:
        self._own = own
        self._inbox = kinship.inboxes[own]
        self._outboxes = kinship.outboxes
        self._beats = mmap.mmap(kinship.page, len(self._outboxes) * BEAT.size)
        for one in (self._inbox, *self._outboxes):
            one.setblocking(False)

    def begin(self, protocols: Protocols) -> None:
        """Take connections from now on."""
        asyncio.get_running_loop().add_reader(self._inbox, self._take, protocols)
        self._beat()

    def pass_on(self, connection: int, head: bytes, url: bytes) -> bool:
        """Give a socket's connection, a file, to the table's server; False if that is this one."""
        found = PATH.search(url)
        home = zlib.crc32(found[1]) % len(self._outboxes) if found else self._own
        if home == self._own or len(head) > LONGEST or not self._is_alive(home):
            return False
        with suppress(OSError):  # its inbox is full
            socket.send_fds(self._outboxes[home], [head], [connection])
            return True
        return False

    def _is_alive(self, sibling: int) -> bool:
        (last,) = BEAT.unpack_from(self._beats, sibling * BEAT.size)
        return bool(time.monotonic() - last < SILENT_SECONDS)

    def _beat(self) -> None:
        BEAT.pack_into(self._beats, self._own * BEAT.size, time.monotonic())
        asyncio.get_running_loop().call_later(BEAT_SECONDS, self._beat)

    def _take(self, protocols: Protocols) -> None:
        """Serve what others have passed on."""
        loop = asyncio.get_running_loop()
        with suppress(BlockingIOError):
            while True:
                head, files, _flags, _address = socket.recv_fds(self._inbox, LONGEST, 1)
                for file in files:
                    task = loop.create_task(_serve(socket.socket(fileno=file), head, protocols))
                    _serving.add(task)
                    task.add_done_callback(_serving.discard)


class SiblingServer(uvicorn.Server):
    """A server that also serves what its siblings pass on."""

    def __init__(self, config: uvicorn.Config, siblings: Siblings) -> None:
        super().__init__(config)
        self._siblings = siblings

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        make: Any = self.config.http_protocol_class
        state = self.lifespan.state
        self._siblings.begin(
            partial(make, config=self.config, server_state=self.server_state, app_state=state)
        )


async def _serve(connection: socket.socket, head: bytes, protocols: Protocols) -> None:
    """Speak with a client that has sent the head of a request to a sibling."""
    with suppress(OSError):  # it has gone
        connection.setblocking(False)
        loop = asyncio.get_running_loop()
        _transport, protocol = await loop.connect_accepted_socket(protocols, connection)
        protocol.passed_on = True
        protocol.data_received(head)


_serving: set[asyncio.Task[None]] = set()
