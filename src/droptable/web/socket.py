"""One WebSocket for one viewer of one table: states go out, commands come in.

Only the latest state is sent, with all log lines since the one before: a slow client skips states
but loses no line. Each command gets an answer of its own.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import msgspec
import structlog
from msgspec import Struct
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from droptable.core.language import _, speaking
from droptable.tables.commands import Envelope, parse
from droptable.tables.decide import Who
from droptable.tables.host import Answer, Host
from droptable.tables.rejected import Rejected
from droptable.tables.table import Table
from droptable.web.messages import state_message
from droptable.web.pictures import Look

SEND_SECONDS = 20.0  # for a client to accept a message
GONE_AWAY = (WebSocketDisconnect, RuntimeError)  # raised by sending to a client that has left
REFUSED, GONE = 4403, 4404  # close codes

log = structlog.get_logger()


class NewLook(Struct, frozen=True, forbid_unknown_fields=True):
    """How a client wants to be shown the table from now on."""

    scene: str = "none"
    focus: int | None = None
    language: str = "en"
    beats: bool = False


@dataclass(frozen=True)
class Seen:
    """How much of the log a client has: a `seq` of a seat, or (None) of spectators."""

    seq: int
    seat: int | None


class TableSocket:
    """Serves one client until it leaves."""

    def __init__(
        self, host: Host, socket: WebSocket, table: str, who: Who | None, look: Look, seen: Seen
    ) -> None:
        self._host = host
        self._socket = socket
        self._id = table
        self._who = who
        self._look = look
        self._seen = seen
        self._news = asyncio.Event()
        self._sent = b""  # what the client was sent last, but for time on the clocks
        self._sending: list[float] = []  # when each message in flight was started

    async def run(self) -> None:
        """Accept, send what the client lacks, and go on until it leaves."""
        await self._socket.accept()
        try:
            table = await self._host.table(self._id)
        except Rejected as refused:
            await self._refuse(refused)
            await self._socket.close(GONE, "no such table")
            return
        if self._seen.seq > table.ledgers[self._seat_at(table)].seq:
            table = await self._host.refreshed(self._id)  # news from another server is on its way
        if self._seen.seq > table.ledgers[self._seat_at(table)].seq:
            self._seen = Seen(0, self._seat_at(table))
        stop = self._host.subscribe(self._id, lambda _: self._news.set())
        self._news.set()
        if self._who:
            self._host.enter(self._id, self._who.identity)
        tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._send_states())]
        try:
            await self._until_gone(tasks)
        finally:
            stop()
            if self._who:
                self._host.leave(self._id, self._who.identity)
            for task in tasks:
                task.cancel()
            for ended in await asyncio.gather(*tasks, return_exceptions=True):
                if isinstance(ended, Exception) and not isinstance(ended, GONE_AWAY):
                    log.error("a socket failed", error=f"{type(ended).__name__}: {ended}")
            if self._socket.application_state is WebSocketState.CONNECTED:
                with suppress(RuntimeError, WebSocketDisconnect):
                    await self._socket.close()

    async def _until_gone(self, tasks: list[asyncio.Task[None]]) -> None:
        """Wait until the client has left, or has not accepted a message for too long."""
        gone: set[asyncio.Task[None]] = set()
        while not gone and all(time.monotonic() - since < SEND_SECONDS for since in self._sending):
            gone, _rest = await asyncio.wait(
                tasks, timeout=SEND_SECONDS, return_when=asyncio.FIRST_COMPLETED
            )

    def _seat_at(self, table: Table) -> int | None:
        return table.seat_of(self._who.identity) if self._who else None

    async def _send_states(self) -> None:
        """Send the table whenever it has changed."""
        while True:
            await self._news.wait()
            self._news.clear()
            table = await self._host.table(self._id)
            seat = self._seat_at(table)
            if seat != self._seen.seat:  # another seat has another log: send it all
                self._seen = Seen(0, seat)
            message = state_message(self._host, table, self._who, self._look, self._seen.seq)
            self._seen = Seen(message["seq"], seat)
            if self._is_news(message):
                await self._send(message)

    def _is_news(self, message: dict[str, Any]) -> bool:
        """Whether a state differs from the one that was sent last, but for time on the clocks.

        Otherwise the number of messages would tell that somebody has acted in secret.
        """
        clocks = message["clocks"] and message["clocks"] | {"left": None}
        lasting = message | {"clocks": clocks, "from": 0, "lines": [], "beats": []}
        before, self._sent = self._sent, msgspec.json.encode(lasting)
        return bool(message["lines"]) or self._sent != before

    async def _listen(self) -> None:
        """Obey what the client sends, message by message."""
        with suppress(WebSocketDisconnect):
            while True:
                received = await self._socket.receive()
                if received["type"] == "websocket.disconnect":
                    return
                data = received.get("text")
                with speaking(self._look.language):
                    await self._obey(received.get("bytes") or b"" if data is None else data)

    async def _obey(self, data: str | bytes) -> None:
        try:
            message = _decode(data)
            if isinstance(message, dict) and message.keys() == {"look"}:
                wanted = msgspec.convert(message["look"], NewLook)
                self._look = Look.checked(
                    wanted.scene, wanted.focus, wanted.language, beats=wanted.beats
                )
                self._sent = b""
                self._news.set()
                return
            envelope = parse(message if isinstance(message, dict) else data)
        except Rejected as refused:
            await self._refuse(refused, _id_of(data))
            return
        except msgspec.ValidationError as error:
            reason = _("this is not a look: {error}").format(error=error)
            await self._refuse(Rejected("syntax", reason))
            return
        await self._send({"type": "answer"} | msgspec.to_builtins(await self._command(envelope)))

    async def _command(self, envelope: Envelope) -> Answer:
        if self._who is None:
            seq = (await self._host.table(self._id)).ledgers[None].seq
            refused = _("you are only watching: choose a name first, then join the table")
            return Answer(False, seq, envelope.id, "forbidden", refused)
        return await self._host.command(self._id, self._who.identity, envelope)

    async def _refuse(self, refused: Rejected, id_: str = "") -> None:
        await self._send(
            {"type": "answer", "ok": False, "id": id_, "kind": refused.kind,
             "message": str(refused), "rule": refused.rule}
        )  # fmt: skip

    async def _send(self, message: dict[str, Any]) -> None:
        text = msgspec.json.encode(message).decode()
        started = time.monotonic()
        self._sending.append(started)
        await self._socket.send_text(text)
        self._sending.remove(started)


def _decode(data: str | bytes) -> Any:
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Rejected("syntax", _("this is not JSON: {error}").format(error=error)) from None


def _id_of(data: str | bytes) -> str:
    """The id of an invalid message, so that its sender knows which one it was."""
    with suppress(Rejected):
        message = _decode(data)
        if isinstance(message, dict) and isinstance(message.get("id"), str):
            return str(message["id"])[:64]
    return ""
