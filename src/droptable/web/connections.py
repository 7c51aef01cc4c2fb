"""Connections that are slow, idle or too many cost nobody else the server.

Whoever has not sent a request in time, or does not read what it asked for, is cut off. An address
has a share of all connections; when the server is full, the address with the most idle ones makes
room.
"""

from __future__ import annotations

import asyncio
import resource
from collections import Counter, OrderedDict
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from droptable.core.language import _, speaking
from droptable.web.address import Proxies, client_network
from droptable.web.language import preferred
from droptable.web.messages import Problem
from droptable.web.siblings import Siblings
from droptable.web.wire import WireProtocol

HEAD_SECONDS = 10.0  # for the head of a request
BODY_SECONDS = 20.0  # for its body; the application answers, and the connection ends a little later
READ_SECONDS = 20.0  # for a client to accept more of an answer
LEAST_READ = 20_000  # bytes that it has to accept in that time
LINGER_SECONDS = 5.0  # for a client to read the last words of a socket
MOST_HEAD = 32_768  # bytes of a head
MOST_PIPELINED = 16  # requests that wait behind each other; browsers send none
MOST_UNREAD = 1 << 20  # bytes that a socket's client may leave unread
MOST_FRAGMENTS = 64  # of a message; browsers send one
SPARE_FILES = 100  # for the database, processes and files
SPARE_ANSWERS = 32  # connections above a limit that are told so; more are cut off
RETRY_SECONDS = 10


def raise_file_limit() -> int:
    """Allow this process as many open files as the system lets it; returns how many."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        return hard
    return soft


def room(wanted: int) -> int:
    """How many of the wanted connections the system has files for."""
    return min(wanted, max(SPARE_FILES, raise_file_limit() - SPARE_FILES))


class Doors:
    """Counts connections by address, and knows those that wait for (the rest of) a request."""

    def __init__(self, most: int, each: int | None = None, proxies: Proxies | None = None) -> None:
        """At most half of all are for one address, unless that is a trusted proxy's."""
        self.most = most
        self.each = min(each or most, max(1, most // 2))
        self.open = 0
        self._proxies = proxies or Proxies("")
        self._from: Counter[str] = Counter()
        self._idle: dict[str, OrderedDict[GuardedProtocol, None]] = {}

    def enter(self, connection: GuardedProtocol) -> bool:
        """A new connection; False if there is no room for it."""
        self.open += 1
        self._from[connection.network] += 1
        if self.open > self.most and self._idle:  # one of those who have the most makes room
            most = max(self._idle, key=lambda network: len(self._idle[network]))
            next(iter(self._idle[most])).cut_off()
        self.wait(connection)
        return self._excess(connection) <= 0

    def overrun(self, connection: GuardedProtocol) -> bool:
        """Whether there are so many above a limit that they are not even answered."""
        return self._excess(connection) > SPARE_ANSWERS

    def wait(self, connection: GuardedProtocol) -> None:
        """A connection has nothing to do."""
        idle = self._idle.setdefault(connection.network, OrderedDict())
        idle[connection] = None
        idle.move_to_end(connection)

    def busy(self, connection: GuardedProtocol) -> None:
        """A connection has sent the head of a request, or has ended."""
        idle = self._idle.get(connection.network, OrderedDict())
        idle.pop(connection, None)
        if not idle:
            self._idle.pop(connection.network, None)

    def leave(self, network: str) -> None:
        """A connection from there has ended."""
        self.open -= 1
        self._from[network] -= 1
        if not self._from[network]:
            del self._from[network]

    def _excess(self, connection: GuardedProtocol) -> int:
        """How many there are above a limit."""
        total = self.open - self.most
        if self._proxies.trusts((connection.client or ("",))[0]):
            return total
        return max(total, self._from[connection.network] - self.each)


def guarded(doors: Doors, siblings: Siblings | None = None) -> type[GuardedProtocol]:
    """The protocol of the connections of one server."""
    return type("Guarded", (GuardedProtocol,), {"doors": doors, "siblings": siblings})


class Alarms:
    """Things that must happen in time; if one does not, the connection is cut off."""

    def __init__(self, cut_off: Callable[[], None]) -> None:
        self._cut_off = cut_off
        self._set: dict[str, asyncio.TimerHandle] = {}

    def expect(self, what: str, seconds: float) -> None:
        """It must happen within so many seconds."""
        self.happened(what)
        self._set[what] = asyncio.get_running_loop().call_later(seconds, self._cut_off)

    def expect_reading(self, transport: Any) -> None:
        """The client must accept some of what waits for it, again and again."""
        left = transport.get_write_buffer_size()

        def check() -> None:
            if transport.get_write_buffer_size() > max(0, left - LEAST_READ):
                self._cut_off()
            else:
                self.expect_reading(transport)

        self.happened("reading")
        self._set["reading"] = asyncio.get_running_loop().call_later(READ_SECONDS, check)

    def happened(self, what: str) -> None:
        """It has happened, or need not any more."""
        if alarm := self._set.pop(what, None):
            alarm.cancel()

    def stop(self) -> None:
        """Nothing is expected any more."""
        for what in list(self._set):
            self.happened(what)


class GuardedProtocol(HttpToolsProtocol):
    """HTTP as uvicorn speaks it, with limits on time, size and connections."""

    doors: Doors
    siblings: Siblings | None
    passed_on = False  # by a sibling, to this server
    network = ""
    _inside = False
    _crowded = False  # no room: the next request is answered by 503
    _head_bytes = 0  # since the last request was whole, as far as it can be told
    _in_body = False

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._alarms = Alarms(self.cut_off)
        self.network = client_network({"client": self.client})
        self._inside = True
        self._alarms.expect("head", HEAD_SECONDS)
        self._crowded = not self.doors.enter(self)
        if self._crowded and self.doors.overrun(self):
            self.cut_off()

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._head_bytes += len(data)
        super().data_received(data)
        if self._in_body:
            self._head_bytes = 0
        if self._head_bytes > MOST_HEAD and not self.transport.is_closing():
            message = _("the head of your request is too long")
            self._answer(b"431 Request Header Fields Too Large", message)

    def handle_websocket_upgrade(self) -> None:
        if self._crowded:
            return
        if self._pass_on():
            return
        self._alarms.stop()
        self.doors.busy(self)
        super().handle_websocket_upgrade()
        protocol = self.transport.get_protocol()
        if isinstance(protocol, GuardedSocket):  # it leaves in this one's place
            doors, network, self._inside = self.doors, self.network, False
            protocol.on_leaving = lambda: doors.leave(network)

    def _pass_on(self) -> bool:
        """Let the sibling that serves a table have its socket."""
        if self.siblings is None or self.passed_on:
            return False
        lines = [b"%s: %s\r\n" % header for header in self.scope["headers"]]
        head = b"".join([b"GET ", self.url, b" HTTP/1.1\r\n", *lines, b"\r\n"])
        file = self.transport.get_extra_info("socket").fileno()
        if not self.siblings.pass_on(file, head, self.url):
            return False
        self.cut_off()  # here; the sibling holds the connection
        return True

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._alarms.expect("head", HEAD_SECONDS)

    def on_headers_complete(self) -> None:
        self._in_body = True
        if self._crowded:
            self._refuse()
            return
        if len(self.pipeline) >= MOST_PIPELINED:
            raise ValueError("too many requests wait behind each other")  # answered by 400
        self._alarms.happened("head")
        self._alarms.expect("body", BODY_SECONDS + LINGER_SECONDS)
        self.doors.busy(self)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        if not self._crowded:
            super().on_body(body)

    def on_message_complete(self) -> None:
        self._in_body, self._head_bytes = False, 0
        self._alarms.happened("body")
        if not self._crowded:
            super().on_message_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._inside and not self.pipeline:
            self.doors.wait(self)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._alarms.expect_reading(self.transport)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._alarms.happened("reading")

    def cut_off(self) -> None:
        """End the connection, whatever is still to be sent."""
        self._leave()
        self.transport.abort()

    def _refuse(self) -> None:
        with speaking(preferred({"headers": self.headers, "query_string": b""})):
            message = _("too many connections, from your address or in all: try again in a moment")
            self._answer(b"503 Service Unavailable", message)

    def _answer(self, status: bytes, message: str) -> None:
        """The last words of a connection; it is cut off if they are not read in time."""
        body = msgspec.json.encode(Problem("limit", message))
        lines = (
            b"HTTP/1.1 " + status, b"content-type: application/json", b"connection: close",
            b"retry-after: %d" % RETRY_SECONDS, b"content-length: %d" % len(body), b"", body,
        )  # fmt: skip
        self.transport.write(b"\r\n".join(lines))
        self.transport.close()

    def _leave(self) -> None:
        self._alarms.stop()
        self.doors.busy(self)
        if self._inside:
            self._inside = False
            self.doors.leave(self.network)


class GuardedSocket(WireProtocol):
    """A WebSocket whose client has to read: what waits for it is bounded in bytes and time."""

    on_leaving: Callable[[], None] = staticmethod(lambda: None)

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._alarms = Alarms(transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        self._alarms.stop()
        self.on_leaving()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._alarms.expect_reading(self.transport)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._alarms.happened("reading")

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        unread = self.transport.get_write_buffer_size()  # pongs are sent whether read or not
        if unread > MOST_UNREAD or len(self.frames) > MOST_FRAGMENTS:
            self.transport.abort()
        elif self.close_sent or self.transport.is_closing():
            self._alarms.expect("closing", LINGER_SECONDS)

    def shutdown(self) -> None:
        super().shutdown()
        self._alarms.expect("closing", LINGER_SECONDS)

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()  # who answers no ping reads no farewell either

    async def send(self, message: Any) -> None:
        await super().send(message)
        if message["type"] == "websocket.close":
            self._alarms.expect("closing", LINGER_SECONDS + self.close_timeout)
