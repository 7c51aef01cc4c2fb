"""Strangers who come too often, send too much, or are too slow: each limit answers clearly."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import replace
from functools import partial
from typing import Any

import httpx
import pytest
import uvicorn
from starlette.types import Receive, Scope, Send
from websockets.exceptions import ConnectionClosedError
from websockets.sync.client import connect

from droptable.core import language
from droptable.tables.rejected import Rejected
from droptable.web import app, connections, middleware
from droptable.web.address import Proxies, client_network
from droptable.web.config import Config
from droptable.web.connections import Doors, GuardedProtocol, GuardedSocket, guarded
from droptable.web.crowd import Crowd
from droptable.web.messages import MOST_REASON, TOO_MANY, close_reason
from droptable.web.socket import TableSocket
from droptable.web.turnstile import Turnstile
from tests.web.conftest import GENEROUS, Running, run
from tests.web.people import Person

HEAD = b"POST /api/tables HTTP/1.1\r\nHost: x\r\n"


# -- rates ----------------------------------------------------------------------------------------


def test_requests_per_address() -> None:
    """Of ten thousand requests from one address a minute's worth enters; others do not notice."""
    now, entered = 0.0, 0
    crowd = Crowd(Config(requests_a_minute=600), lambda: now)
    for _ in range(10_000):
        try:
            crowd.count_request("here")
            entered += 1
        except Rejected as refused:
            assert (refused.kind, refused.wait) == ("limit", 1)
    assert entered == 600
    crowd.count_request("there")
    now = 1.0
    for _ in range(10):
        crowd.count_request("here")
    with pytest.raises(Rejected, match="at most 600 per minute"):
        crowd.count_request("here")


def test_bytes_per_address() -> None:
    """Who was sent too much has to wait until the debt is repaid by time."""
    now = 0.0
    crowd = Crowd(Config(megabytes_a_minute=6), lambda: now)
    crowd.count_request("here")
    crowd.count_bytes("here", 7_000_000)
    with pytest.raises(Rejected, match="at most 6 MB per minute") as refused:
        crowd.count_request("here")
    assert refused.value.wait == 10
    crowd.count_request("there")
    now = 11.0
    crowd.count_request("here")


def test_whose_requests_they_are() -> None:
    """All addresses of a /64 count as one, and so do all that an untrusted peer claims to be."""
    crowd = Crowd(Config(requests_a_minute=2))
    proxies = Proxies("10.0.0.1")

    def come(peer: str, claimed: str) -> None:
        header = (b"x-forwarded-for", claimed.encode())
        scope = {"type": "http", "scheme": "http", "client": (peer, 1), "headers": [header]}
        proxies.unwrap(scope)
        crowd.count_request(client_network(scope))

    for house, street in (("2001:db8::{}", "2001:db8:0:1::{}"), ("192.0.2.7", "192.0.2.8")):
        for number in (1, 2):
            come(house.format(number), f"198.51.100.{number}")
        with pytest.raises(Rejected):
            come(house.format(3), "198.51.100.3")
        come(street.format(3), "198.51.100.3")
    come("10.0.0.1", "198.51.100.1")
    come("10.0.0.1", "198.51.100.2")
    come("10.0.0.1", "198.51.100.2")


def test_turns_over_addresses() -> None:
    """A newcomer waits for one of a thousand requests that were there before, not for all."""

    async def scenario() -> list[str]:
        turnstile, entered = Turnstile(1), []

        async def come(address: str) -> None:
            await turnstile.enter(address)
            entered.append(address)

        flood = [asyncio.create_task(come("flood")) for _ in range(1000)]
        await asyncio.sleep(0)
        flood[500].cancel()  # its client leaves
        await asyncio.gather(come("newcomer"), *flood, return_exceptions=True)
        await come("later")  # the turnstile rests and wakes up
        return entered

    entered = asyncio.run(scenario())
    assert entered.index("newcomer") < 5
    assert (len(entered), entered[-1]) == (1001, "later")


def test_a_move_is_let_pass() -> None:
    """While a move is made nobody of a crowd enters for some passes; then somebody does again."""

    async def scenario() -> tuple[int, int]:
        moving, entered = True, 0
        turnstile = Turnstile(1, lambda: moving)

        async def come() -> None:
            nonlocal entered
            await turnstile.enter("crowd")
            entered += 1

        crowd = [asyncio.create_task(come()) for _ in range(50)]
        for _ in range(20):  # many passes, but no time
            await asyncio.sleep(0)
        during = entered
        moving = False
        await asyncio.gather(*crowd)
        return during, entered

    assert asyncio.run(scenario()) == (1, 50)


def test_a_crowd_enters_though_moves_go_on() -> None:
    """Moves without end hold nobody off for ever."""

    async def scenario() -> None:
        turnstile = Turnstile(1, lambda: True)
        await asyncio.gather(*(turnstile.enter("crowd") for _ in range(20)))

    asyncio.run(asyncio.wait_for(scenario(), 60))


# -- a whole server -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server with few requests per address, for which time stands still."""
    file = tmp_path_factory.mktemp("narrow") / "tables.db"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app, "Crowd", partial(Crowd, clock=lambda: 0.0))
        narrow = {"requests_a_minute": 40, "watchers_each": 1, "commands_a_second": 0.001}
        yield from run(replace(GENEROUS, database=str(file), **narrow))


def forwarded(address: str) -> dict[str, str]:
    """Headers of the trusted proxy that the test is: it comes from loopback."""
    return {"X-Forwarded-For": address}


def test_too_many_requests_are_told_so(narrow: Running) -> None:
    """They get 429, the reason in their language and the time to wait; sockets code and reason."""
    with httpx.Client(base_url=narrow.address, headers=forwarded("192.0.2.1")) as stranger:
        answers = [stranger.get("/api/me") for _ in range(41)]
        assert [answer.status_code for answer in answers] == [200] * 40 + [429]
        assert answers[-1].json()["kind"] == "limit"
        assert "40 per minute" in answers[-1].json()["message"]
        assert answers[-1].headers["retry-after"] == "2"
        german = stranger.get("/api/me", headers={"Accept-Language": "de"})
        with language.speaking("de"):
            text = language._("too many requests from your address: at most {most} per minute")
        assert german.json()["message"] == text.format(most=40) != answers[-1].json()["message"]
    place = narrow.address.replace("http", "ws") + "/api/tables/any/socket"
    with (
        connect(place, additional_headers=forwarded("192.0.2.1")) as refused_socket,
        pytest.raises(ConnectionClosedError) as closed,
    ):
        refused_socket.recv()
    assert closed.value.rcvd is not None and closed.value.rcvd.code == TOO_MANY
    assert "40 per minute" in closed.value.rcvd.reason
    assert httpx.get(f"{narrow.address}/api/me", headers=forwarded("192.0.2.2")).is_success


def test_spectators_without_a_name(narrow: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """They have few sockets per address and few messages; a flood is answered, then read slowly."""
    pauses = []

    async def pause(socket: TableSocket) -> None:
        pauses.append(socket)

    with Person(narrow.address, "Anna") as anna:
        table = anna.create("drop", seats=["me", "open"])
        place = narrow.address.replace("http", "ws") + f"/api/tables/{table}/socket"
        header = forwarded("192.0.2.3")
        with connect(place, additional_headers=header) as watching:
            assert json.loads(watching.recv())["type"] == "state"
            with (
                connect(place, additional_headers=header) as another,
                pytest.raises(ConnectionClosedError) as closed,
            ):
                another.recv()
            assert closed.value.rcvd is not None and closed.value.rcvd.code == TOO_MANY
            monkeypatch.setattr(TableSocket, "_pause", pause)
            for text in 30 * ["nonsense", '{"look": {"scene": "none"}}']:
                watching.send(text)
            watching.send('{"look": {"scene": "none"}}')
            kinds = []
            while "limit" not in kinds:
                kinds.append(json.loads(watching.recv()).get("kind"))
            watching.send("nonsense")
            watching.recv()
    assert kinds.count("syntax") == 30
    assert pauses, "before the last message was read"


def test_reasons_fit_into_a_close() -> None:
    """A reason is cut where the protocol has no more room, but never within a character."""
    assert close_reason("kurz") == "kurz"
    assert len(close_reason("ü" * 100).encode()) <= MOST_REASON
    assert set(close_reason("a" + "ü" * 100)) == {"a", "ü"}


def test_a_body_that_never_comes(narrow: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """A body that is announced and not sent is answered by 408, and the connection ends."""
    monkeypatch.setattr(middleware, "BODY_SECONDS", 0.2)
    monkeypatch.setattr(connections, "BODY_SECONDS", 0.3)
    monkeypatch.setattr(connections, "LINGER_SECONDS", 0.3)
    with Person(narrow.address, "Ben") as ben, closing(raw(narrow.address)) as stranger:
        cookie = f"Cookie: droptable={ben.cookie}\r\n".encode()
        stranger.sendall(HEAD + cookie + b"Content-Length: 1000\r\n\r\n{")
        answer = everything(stranger)
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert b'"limit"' in answer


def raw(address: str) -> socket.socket:
    """A plain connection to a server."""
    stranger = socket.create_connection(("127.0.0.1", int(address.rpartition(":")[2])), 60)
    stranger.settimeout(60)
    return stranger


def everything(stranger: socket.socket) -> bytes:
    """All that a server sends until it closes, however it does that."""
    received = b""
    try:
        while more := stranger.recv(65536):
            received += more
    except ConnectionResetError:
        pass
    return received


# -- connections ----------------------------------------------------------------------------------


async def one_megabyte(scope: Scope, receive: Receive, send: Send) -> None:
    """An app with large answers, and sockets that are sent large messages without end."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        while True:
            await send({"type": "websocket.send", "bytes": bytes(300_000)})
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": bytes(20_000_000)})


async def small(scope: Scope, receive: Receive, send: Send) -> None:
    """An app with small answers, and sockets that only listen."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        while (await receive())["type"] != "websocket.disconnect":
            pass
        return
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"here"})


@asynccontextmanager
async def serving(app: Any, doors: Doors) -> AsyncIterator[int]:
    """The port of a server with these doors."""
    config = uvicorn.Config(
        app, port=0, http=guarded(doors), ws=GuardedSocket, lifespan="off", log_level="critical",
        timeout_graceful_shutdown=1,
    )  # fmt: skip
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    await task


async def answered(port: int, request: bytes, source: str = "127.0.0.1") -> bytes:
    """All that a server sends on a connection of its own."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
    writer.write(request)
    try:
        return await reader.read()
    except ConnectionResetError:
        return b""
    finally:
        writer.close()


CLOSING = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
UPGRADE = (
    b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


def test_connections_per_address() -> None:
    """An address has at most its share, sockets included; then it is told so, or cut off."""

    async def scenario() -> None:
        doors = Doors(500, each=3)
        async with serving(small, doors) as port:
            opened = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3)]
            opened[0][1].write(UPGRADE)
            assert b" 101 " in await opened[0][0].readline()
            for request in (CLOSING, UPGRADE):
                refused = await answered(port, request)
                assert refused.startswith(b"HTTP/1.1 503 ")
                assert b"retry-after: 10" in refused and b"too many connections" in refused
            waiting = [
                await asyncio.open_connection("127.0.0.1", port)
                for _ in range(connections.SPARE_ANSWERS)
            ]
            assert await answered(port, b"") == b"", "one more is not even answered"
            assert b"here" in await answered(port, CLOSING, "127.0.3.1")
            for _reader, writer in opened + waiting:
                writer.close()
                await writer.wait_closed()
            while doors.open:
                await asyncio.sleep(0.01)
            assert b"here" in await answered(port, CLOSING)

    asyncio.run(asyncio.wait_for(scenario(), 60))


def test_one_address_does_not_use_up_all() -> None:
    """When the server is full, whoever has the most idle connections makes room."""

    async def scenario() -> None:
        async with serving(small, Doors(8, proxies=Proxies("127.0.4.1"))) as port:
            few = await asyncio.open_connection("127.0.0.1", port, local_addr=("127.0.5.1", 0))
            many = [
                await asyncio.open_connection("127.0.0.1", port, local_addr=("127.0.4.1", 0))
                for _ in range(7)
            ]
            assert b"here" in await answered(port, CLOSING, "127.0.6.1")
            assert await many[0][0].read() == b"", "cut off"
            few[1].write(CLOSING)
            assert b"here" in await few[0].read(), "though it was idle longer"
            for _reader, writer in [few, *many]:
                writer.close()

    asyncio.run(asyncio.wait_for(scenario(), 60))


@pytest.mark.parametrize(
    ("flood", "status"),
    [(b"GET / HTTP/1.1\r\n" + b"X-Flood: 1\r\n" * 100_000, b"431"),
     (b"GET /" + b"a" * 500_000, b"431"),
     (b"\r\n" * 300_000, b"431"),
     (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" * 200, b"400")],
    ids=["headers", "path", "empty lines", "pipelined"],
)  # fmt: skip
def test_heads_are_bounded(flood: bytes, status: bytes) -> None:
    """Whoever sends a head without end, or requests without waiting, is answered and cut off."""

    async def scenario() -> bytes:
        async with serving(small, Doors(10)) as port:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(flood)
            received = b""
            try:
                while more := await reader.read(65536):
                    received += more
            except ConnectionError:  # reset, with so much unread
                received = received or b"HTTP/1.1 " + status
            writer.close()
            return received

    received = asyncio.run(asyncio.wait_for(scenario(), 60))
    assert b"HTTP/1.1 " + status in received
    assert received.count(b"HTTP/1.1 200") <= connections.MOST_PIPELINED + 1


def test_many_requests_on_one_connection() -> None:
    """Heads are bounded one by one: a connection that is kept may bring any number of them."""

    async def scenario() -> None:
        async with serving(small, Doors(10)) as port:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            request = b"GET / HTTP/1.1\r\nHost: x\r\nX-Long: " + bytes(3000).hex().encode()
            for _ in range(20):
                writer.write(request + b"\r\n\r\n")
                await reader.readuntil(b"here\r\n0\r\n\r\n")
            writer.close()

    asyncio.run(asyncio.wait_for(scenario(), 60))


@pytest.mark.parametrize("request_", [CLOSING, UPGRADE], ids=["answer", "socket"])
def test_who_never_reads_is_cut_off(request_: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """What waits for a client that reads nothing is bounded, and so is its time."""
    monkeypatch.setattr(connections, "READ_SECONDS", 0.2)

    async def scenario() -> None:
        doors = Doors(10)
        async with serving(one_megabyte, doors) as port:
            with closing(socket.create_connection(("127.0.0.1", port))) as stranger:
                stranger.sendall(request_)
                while not doors.open:
                    await asyncio.sleep(0.01)
                while doors.open:
                    await asyncio.sleep(0.01)

    asyncio.run(asyncio.wait_for(scenario(), 60))


def test_slow_readers_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever reads slowly, but goes on, is not cut off before it stops reading."""
    monkeypatch.setattr(connections, "READ_SECONDS", 0.0)
    left = iter([100_000, 80_000, 80_000, 50_000, 50_000, 49_000])  # asked before and after

    class Buffer:
        def get_write_buffer_size(self) -> int:
            return next(left)

    async def scenario() -> None:
        stopped = asyncio.Event()
        connections.Alarms(stopped.set).expect_reading(Buffer())
        await stopped.wait()

    asyncio.run(asyncio.wait_for(scenario(), 60))
    assert list(left) == [], "it had read enough twice"


def test_pings_without_reading_pongs() -> None:
    """A client that pings without end and reads no pong is cut off."""

    async def scenario() -> None:
        async with serving(small, Doors(10)) as port:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(UPGRADE)
            await reader.readuntil(b"\r\n\r\n")
            writer.transport.pause_reading()
            ping = bytes([0x89, 0xFD]) + bytes(4) + bytes(125)
            with suppress(ConnectionError):
                while True:
                    writer.write(ping * 1000)
                    await writer.drain()
            writer.close()

    asyncio.run(asyncio.wait_for(scenario(), 60))


def test_fragments_without_end() -> None:
    """A message in more pieces than any browser sends ends its socket."""

    async def scenario() -> None:
        async with serving(small, Doors(10)) as port:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(UPGRADE)
            await reader.readuntil(b"\r\n\r\n")
            piece = bytes([0x00, 0x80]) + bytes(4)
            writer.write(bytes([0x01, 0x80]) + bytes(4) + piece * connections.MOST_FRAGMENTS)
            with suppress(ConnectionResetError):
                await reader.read()
            writer.close()

    asyncio.run(asyncio.wait_for(scenario(), 15))  # sooner than a ping would time out


def test_a_socket_that_does_not_say_goodbye(monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that never answers the close is cut off, when it leaves and when the server does."""
    monkeypatch.setattr(connections, "LINGER_SECONDS", 0.1)
    lost = []
    leave = Doors.leave
    monkeypatch.setattr(
        Doors, "leave", lambda self, network: (lost.append(network), leave(self, network))
    )

    async def scenario() -> None:
        async with serving(one_megabyte, Doors(10)) as port:
            strangers = [socket.create_connection(("127.0.0.1", port)) for _ in range(2)]
            for stranger in strangers:
                stranger.sendall(UPGRADE)
            await asyncio.sleep(0.3)
            strangers[0].sendall(bytes([0x88, 0x80]) + bytes(4))  # close
            while not lost:
                await asyncio.sleep(0.01)
        assert len(lost) == 2
        for stranger in strangers:
            stranger.close()

    asyncio.run(asyncio.wait_for(scenario(), 60))


def test_the_file_limit_is_shared() -> None:
    """A server has as many connections as are wanted, if the system has the files."""
    assert connections.room(5) == 5
    assert connections.room(10**9) < 10**9
    assert issubclass(guarded(Doors(1)), GuardedProtocol)
