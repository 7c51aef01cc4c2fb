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
from droptable.tables.summary import turns_of
from droptable.tables.table import Table
from droptable.tables.viewer import fingerprint
from droptable.web.gallery import gallery
from droptable.web.messages import close_reason, state_message
from droptable.web.pictures import Look

SEND_SECONDS = 20.0  # for a client to accept a message
GONE_AWAY = (WebSocketDisconnect, RuntimeError)  # raised by sending to a client that has left
REFUSED, GONE = 4403, 4404  # close codes
PAUSE_SECONDS = 1.0  # until a client that sends too much is read again

log = structlog.get_logger()


class NewLook(Struct, frozen=True, forbid_unknown_fields=True):
    """How a client wants to be shown the table from now on."""

    scene: str = "none"
    focus: int | None = None
    language: str = "en"
    beats: bool = False
    seat: int | None = None


class Visibility(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether the client shows the table to somebody now: a hidden page is as good as none."""

    visible: bool


@dataclass(frozen=True)
class Seen:
    """How much of the log a client has: a `seq` of a seat, or (None) of spectators."""

    seq: int
    seat: int | None


class TableSocket:
    """Serves one client until it leaves."""

    def __init__(
        self, host: Host, socket: WebSocket, table: str, who: Who | None, look: Look, seen: Seen,
        network: str = "",
    ) -> None:  # fmt: skip
        """`network` is where the client is; people there who have no name count as one."""
        self._network = network
        self._host = host
        self._socket = socket
        self._id = table
        self._who = who
        self._look = look
        self._seen = seen
        self._counted = who.identity if who else f"address {network}"
        self._news = asyncio.Event()
        self._sent: object = None  # the fingerprint of what the client was sent last
        self._looks = False
        self._rewritten: int | None = None  # when the log that the client has was written anew
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
            self._see(True)
        tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._send_states())]
        try:
            await self._until_gone(tasks)
        finally:
            stop()
            if self._who:
                self._see(False)
                self._host.leave(self._id, self._who.identity)
            for task in tasks:
                task.cancel()
            for ended in await asyncio.gather(*tasks, return_exceptions=True):
                if isinstance(ended, Exception) and not isinstance(ended, GONE_AWAY):
                    log.error("a socket failed", error=f"{type(ended).__name__}: {ended}")
            if self._socket.application_state is WebSocketState.CONNECTED:
                with suppress(RuntimeError, WebSocketDisconnect):
                    await self._socket.close()

    def _see(self, visible: bool) -> None:
        """Note whether the client's person sees the table."""
        if self._who is None or visible == self._looks:
            return
        self._looks = visible
        lookers = self._host.lookers
        (lookers.look if visible else lookers.look_away)(self._id, self._who.identity)

    async def _until_gone(self, tasks: list[asyncio.Task[None]]) -> None:
        """Wait until the client has left, or has not accepted a message for too long."""
        gone: set[asyncio.Task[None]] = set()
        while not gone and all(time.monotonic() - since < SEND_SECONDS for since in self._sending):
            gone, _rest = await asyncio.wait(
                tasks, timeout=SEND_SECONDS, return_when=asyncio.FIRST_COMPLETED
            )

    def _seat_at(self, table: Table) -> int | None:
        return table.shown_seat(self._who.identity, self._look.seat) if self._who else None

    async def _send_states(self) -> None:
        """Send the table whenever it has changed."""
        while True:
            await self._news.wait()
            if self._who is None:
                await gallery(self._host).turn(self._network)
            self._news.clear()
            if self._who:
                try:
                    self._host.house.admit(self._who.identity)
                except Rejected as refused:  # the host has just blocked them
                    await self._refuse(refused)
                    await self._socket.close(REFUSED, close_reason(str(refused)))
                    return
            # No variable holds a table or a message while nothing happens: they are large.
            if news := self._state(await self._host.table(self._id)):
                await self._send(news)
            del news

    def _state(self, table: Table) -> str:
        """The message that tells the client what it lacks; empty if there is nothing."""
        seat = self._seat_at(table)
        anew = self._rewritten not in (None, table.rewritten)
        self._rewritten = table.rewritten
        if seat != self._seen.seat or anew:  # another seat has another log: send it all
            self._seen = Seen(0, seat)
        if not self._is_news(table, seat):
            return ""
        message, seq = self._message(table)
        self._seen = Seen(seq, seat)
        return message

    def _message(self, table: Table) -> tuple[str, int]:
        """What the client is sent, and its `seq`: the same for all spectators without a name."""
        if self._who is not None:
            return self._made(table)
        key = table, self._look, self._seen.seq
        return gallery(self._host).message(key, lambda: self._made(table))

    def _made(self, table: Table) -> tuple[str, int]:
        message = state_message(self._host, table, self._who, self._look, self._seen.seq)
        return _encode(message), message["seq"]

    def _is_news(self, table: Table, seat: int | None) -> bool:
        """Whether the client would be told something new, time on the clocks apart.

        Otherwise the number of messages would tell that somebody has acted in secret.
        """
        held = turns_of(table, self._who.identity) if self._who else ()
        now = *fingerprint(table, seat, self._host.present(self._id)), *held
        before, self._sent = self._sent, now
        return now != before

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
                self._host.count_request(self._counted)
                wanted = msgspec.convert(message["look"], NewLook)
                self._look = Look.checked(
                    wanted.scene, wanted.focus, wanted.language, beats=wanted.beats,
                    seat=wanted.seat,
                )  # fmt: skip
                self._sent = None
                self._news.set()
                return
            if isinstance(message, dict) and message.keys() == {"visible"}:
                self._see(msgspec.convert(message, Visibility).visible)
                return
            envelope = parse(message if isinstance(message, dict) else data)
            if self._who is None:
                self._host.count_request(self._counted)
        except Rejected as refused:
            await self._refuse(refused, _id_of(data))
            await self._slow_down(refused)
            return
        except msgspec.ValidationError as error:
            reason = _("this is not a look: {error}").format(error=error)
            await self._refuse(Rejected("syntax", reason))
            await self._slow_down(Rejected("syntax", reason))
            return
        answer = await self._command(envelope)
        await self._send(_encode({"type": "answer"} | msgspec.to_builtins(answer)))
        if answer.kind == "limit":
            await self._pause()

    async def _command(self, envelope: Envelope) -> Answer:
        if self._who is None:
            seq = (await self._host.table(self._id)).ledgers[None].seq
            refused = _("you are only watching: choose a name first, then join the table")
            return Answer(False, seq, envelope.id, "forbidden", refused)
        seat, who = self._look.seat, self._who.identity
        return await self._host.command(self._id, who, envelope, self._network, seat)

    async def _slow_down(self, refused: Rejected) -> None:
        """Read no more for a moment from a client that sends too much, also of nonsense."""
        try:
            if refused.kind == "limit":
                raise refused
            self._host.count_request(self._counted)
        except Rejected:
            await self._pause()

    async def _pause(self) -> None:
        await asyncio.sleep(PAUSE_SECONDS)

    async def _refuse(self, refused: Rejected, id_: str = "") -> None:
        answer = {
            "type": "answer", "ok": False, "id": id_, "kind": refused.kind,
            "message": str(refused), "rule": refused.rule,
        }  # fmt: skip
        await self._send(_encode(answer))

    async def _send(self, text: str) -> None:
        started = time.monotonic()
        self._sending.append(started)
        await self._socket.send_text(text)
        self._sending.remove(started)


def _encode(message: dict[str, Any]) -> str:
    return msgspec.json.encode(message).decode()


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
