"""What goes over the wire of a socket, and in how many pieces."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import uvicorn
from uvicorn.server import ServerState
from websockets.frames import Opcode

from droptable.web.wire import LAST_FRAME, WireProtocol


class Line(asyncio.Transport):
    """A transport that remembers what was written."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[bytes] = []

    def write(self, data: Any) -> None:
        self.pieces.append(bytes(data))

    def is_closing(self) -> bool:
        return False

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass

    def close(self) -> None:
        self.pieces.append(b"closed")


HEAD = (
    b"GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


async def silent(_scope: Any, receive: Any, _send: Any) -> None:
    """An application that only listens."""
    while True:
        await receive()


def at_open_socket(work: Callable[[WireProtocol, Line], Coroutine[Any, Any, None]]) -> list[bytes]:
    """The pieces that are written while something is done with an open socket."""

    async def run() -> list[bytes]:
        line = Line()
        config = uvicorn.Config(silent, log_config=None)
        protocol = WireProtocol(config, ServerState(), {}, asyncio.get_running_loop())
        protocol.connection_made(line)
        protocol.data_received(HEAD)
        await protocol.send({"type": "websocket.accept"})
        line.pieces.clear()
        await work(protocol, line)
        return line.pieces.copy()

    return asyncio.run(run())


def text(letter: str) -> dict[str, Any]:
    """A message of one letter."""
    return {"type": "websocket.send", "text": letter}


def frame(letter: str) -> bytes:
    """That message on the wire."""
    return bytes((LAST_FRAME | Opcode.TEXT, 1)) + letter.encode()


def test_an_answer_and_its_state_are_one_piece() -> None:
    """Messages that follow each other within a pass of the loop are written together, in order."""

    async def send(protocol: WireProtocol, line: Line) -> None:
        await protocol.send(text("a"))
        await asyncio.sleep(0)
        await protocol.send(text("b"))
        assert line.pieces == []
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        await protocol.send(text("c"))
        await asyncio.sleep(0.01)

    assert at_open_socket(send) == [frame("a") + frame("b"), frame("c")]


def test_no_close_overtakes_a_message() -> None:
    """Whoever is shown out reads why first; so does everybody when the server stops."""

    async def refuse(protocol: WireProtocol, _line: Line) -> None:
        await protocol.send(text("a"))
        await protocol.send({"type": "websocket.close", "code": 4403})

    async def stop(protocol: WireProtocol, _line: Line) -> None:
        await protocol.send(text("a"))
        protocol.shutdown()
        await asyncio.sleep(0.01)

    refused, stopped = at_open_socket(refuse), at_open_socket(stop)
    assert refused[0] == stopped[0] == frame("a")
    assert refused[1][0] == stopped[1][0] == LAST_FRAME | Opcode.CLOSE
    assert stopped[2:] == [b"closed"]


def test_who_speaks_is_not_asked_whether_they_are_there() -> None:
    """A ping goes to clients that have been silent since the last one was due; a pong is no
    speech."""
    spoken, nothing = b"\x81\x81" + bytes(4) + b"x", []

    async def ask(protocol: WireProtocol, line: Line) -> None:
        protocol.stop_keepalive()
        protocol.data_received(spoken)
        protocol.send_keepalive_ping()
        assert line.pieces == nothing
        assert protocol.ping_timer is not None
        protocol.send_keepalive_ping()
        assert [piece[0] for piece in line.pieces] == [LAST_FRAME | Opcode.PING]
        protocol.data_received(b"\x8a\x84" + bytes(4) + line.pieces[0][2:])
        assert protocol.pong_timer is None
        protocol.send_keepalive_ping()

    assert [piece[0] for piece in at_open_socket(ask)] == [LAST_FRAME | Opcode.PING] * 2
