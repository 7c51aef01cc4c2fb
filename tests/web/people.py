"""People for tests: each has a browser's cookie, opens tables and sits at sockets."""

from __future__ import annotations

import itertools
import json
import random
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

from droptable.web.identity import COOKIE

PATIENCE = 60.0  # seconds until a test gives up
SHORT: dict[str, dict[str, Any]] = {"drop-site": {"target": 10}, "drop": {"size": 5}}  # options
Message = dict[str, Any]


class Person:
    """Somebody with a cookie; use as a context."""

    def __init__(self, address: str, name: str | None = None) -> None:
        self.address = address
        self.http = httpx.Client(base_url=address, timeout=PATIENCE)
        self._sockets: list[Socket] = []
        if name is not None:
            assert self.http.put("/api/me", json={"name": name}).status_code == 200

    def __enter__(self) -> Person:
        return self

    def __exit__(self, *_: object) -> None:
        for socket in self._sockets:
            socket.close()
        self.http.close()

    @property
    def cookie(self) -> str:
        return str(self.http.cookies.get(COOKIE, ""))

    def create(self, game: str = "drop", **settings: Any) -> str:
        """A new table's id."""
        made = self.http.post("/api/tables", json={"game": game} | settings)
        assert made.status_code == 201, made.text
        return str(made.json()["table"])

    def do(self, table: str, type_: str, *, id_: str | None = None, **fields: Any) -> Message:
        """Send a command by HTTP and return its answer."""
        seq = fields.pop("seq", None)
        envelope = {"id": id_ or new_id(), "seq": seq, "command": {"type": type_} | fields}
        answer = self.http.post(f"/api/tables/{table}/commands", json=envelope)
        assert answer.status_code < 500
        result: Message = answer.json()
        return result

    def look(self, table: str, **query: Any) -> Message:
        """The table as this person may know it."""
        response = self.http.get(f"/api/tables/{table}", params=query)
        assert response.status_code == 200, response.text
        message: Message = response.json()
        return message

    def listed(self, which: str) -> dict[str, Message]:
        """A list of tables, by id."""
        response = self.http.get("/api/tables", params={"which": which, "limit": 100})
        assert response.status_code == 200
        return {entry["table"]: entry for entry in response.json()}

    def sit(self, table: str, at: str | None = None, **query: Any) -> Socket:
        """Open a socket, at another server if an address is given."""
        socket = Socket(at or self.address, table, self.cookie, **query)
        self._sockets.append(socket)
        return socket


class Socket:
    """One socket, and all that it received, in order."""

    def __init__(
        self, address: str, table: str, cookie: str = "", origin: str | None = None, **query: Any
    ) -> None:
        where = address.replace("http", "ws", 1) + f"/api/tables/{table}/socket"
        words = "&".join(f"{name}={value}" for name, value in query.items())
        self._stack = ExitStack()
        self.connection: ClientConnection = self._stack.enter_context(
            connect(
                f"{where}?{words}",
                additional_headers={"Cookie": f"{COOKIE}={cookie}"} if cookie else {},
                origin=origin,  # type: ignore[arg-type]
                compression=None,
                open_timeout=PATIENCE,
                close_timeout=1,
                ping_interval=None,
            )
        )
        self.received: list[str] = []
        self.state: Message = {}

    def close(self) -> None:
        self._stack.close()

    def send(self, type_: str, *, id_: str | None = None, **fields: Any) -> str:
        """Send a command; with the last `seq` unless another one is given. Returns its id."""
        id_ = id_ or new_id()
        seq = fields.pop("seq", self.state.get("seq"))
        self.connection.send(
            json.dumps({"id": id_, "seq": seq, "command": {"type": type_} | fields})
        )
        return id_

    def receive(self, seconds: float = PATIENCE) -> Message:
        """The next message; `TimeoutError` if there is none in time."""
        text = self.connection.recv(seconds)
        assert isinstance(text, str)
        self.received.append(text)
        message: Message = json.loads(text)
        if message["type"] == "state":
            self.state = message
        return message

    def drain(self) -> None:
        """Receive what has arrived, or is about to."""
        with suppress(TimeoutError):
            while True:
                self.receive(0.01)

    def until(self, fits: Callable[[Message], bool]) -> Message:
        """Receive until a message fits, and return it."""
        while True:
            message = self.receive()
            if fits(message):
                return message

    def answer(self, id_: str) -> Message:
        """The answer to the command of that id."""
        return self.until(lambda message: message["type"] == "answer" and message["id"] == id_)

    def do(self, type_: str, **fields: Any) -> Message:
        """Send a command and wait for its answer."""
        return self.answer(self.send(type_, **fields))

    def sees(self, fits: Callable[[Message], bool]) -> Message:
        """The state, once it fits."""
        while not (self.state and fits(self.state)):
            self.receive()
        return self.state

    @property
    def lines(self) -> list[Message]:
        """All log lines received: a line replaces the one with the same number."""
        messages = map(json.loads, self.received)
        states = (message for message in messages if message["type"] == "state")
        return merged(*(state["lines"] for state in states))


def merged(*parts: list[Message]) -> list[Message]:
    """Lines of the log as a client keeps them: one of the same number replaces the former."""
    return list({line["seq"]: line for part in parts for line in part}.values())


_numbers = itertools.count()


def new_id() -> str:
    """A fresh command id."""
    return f"c{next(_numbers)}"


def play_on(sockets: list[Socket], chance: random.Random, most: int = 10_000) -> int:
    """Play random moves at all seats of a table until it is over; returns how many.

    People act by what they are sent: whoever may move does, and all wait until it has arrived.
    """
    made, end = 0, time.monotonic() + PATIENCE
    while made < most and not all(s.state.get("status") == "over" for s in sockets):
        movers = [s for s in sockets if s.state and s.state["legal"]]
        if not movers:
            for socket in sockets:
                socket.drain()
            assert time.monotonic() < end, "nobody may move, and nothing arrives"
            continue
        end = time.monotonic() + PATIENCE
        mover = chance.choice(movers)
        answer = mover.do("move", token=chance.choice(mover.state["legal"])["token"])
        assert answer["ok"] or answer["kind"] in ("stale", "gone"), answer
        made += answer["ok"]
        mover.sees(lambda state, seq=answer["seq"]: state["seq"] >= seq)  # type: ignore[misc]
    return made
