"""A connection that loses, doubles, delays and reorders messages, and a client that copes."""

from __future__ import annotations

import json
import random
import threading
from contextlib import suppress
from typing import Any

from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import connect
from websockets.sync.server import Server, ServerConnection, serve

from tests.web.people import Message, Socket, merged, new_id

TROUBLE = 0.12  # how often each kind of it happens to a message
SOON = 0.25  # seconds after which a client sends again


class ShakyLine:
    """A proxy in front of a server, for sockets only; use as a context."""

    def __init__(self, address: str, chance: random.Random) -> None:
        self._target = address.replace("http://", "ws://")
        self._chance = chance
        self.troubles = 0
        self._server: Server = serve(self._carry, "127.0.0.1", 0, compression=None)
        self.address = f"http://127.0.0.1:{self._server.socket.getsockname()[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever)

    def __enter__(self) -> ShakyLine:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()

    def _carry(self, client: ServerConnection) -> None:
        request = client.request
        assert request is not None
        cookie = {"Cookie": request.headers["Cookie"]}
        with connect(
            self._target + request.path, additional_headers=cookie, compression=None
        ) as server:
            back = threading.Thread(target=self._pass_on, args=(server, client))
            back.start()
            self._pass_on(client, server)
            back.join()

    def _pass_on(self, source: Any, target: Any) -> None:
        held: list[Any] = []
        with suppress(ConnectionClosed):
            for message in source:
                out, held = self._disturb(message, held)
                for one in out:
                    target.send(one)
                if self._happens(TROUBLE / 4):
                    break
        source.close()
        target.close()

    def _disturb(self, message: Any, held: list[Any]) -> tuple[list[Any], list[Any]]:
        """What is passed on now, and what is held back."""
        if self._happens(TROUBLE):
            return held, []  # lost
        if self._happens(TROUBLE):
            return held, [message]  # late, perhaps after others
        if self._happens(TROUBLE):
            return [message, *held, message], []  # doubled, and before what was held back
        return [message, *held], []

    def _happens(self, probability: float) -> bool:
        trouble = self._chance.random() < probability
        self.troubles += trouble
        return trouble


class Stubborn:
    """Repeats each command until it is answered, and reconnects whenever the connection breaks."""

    def __init__(self, address: str, table: str, cookie: str, chance: random.Random) -> None:
        self._address = address
        self._table = table
        self._cookie = cookie
        self._chance = chance
        self._socket: Socket | None = None
        self.state: Message = {}
        self.lines: list[Message] = []
        self.acknowledged: list[str] = []

    @property
    def _seq(self) -> int:
        return int(self.state.get("seq", 0))

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def reconnect(self) -> None:
        """A new socket that continues after what was seen."""
        self.close()
        with suppress(WebSocketException, OSError, EOFError):
            self._socket = self._open(self._address)
            self._receive()

    def reconnect_directly(self, address: str) -> None:
        """Reconnect over a working connection, and see everything."""
        self.close()
        socket = self._open(address)
        self._take(socket.sees(bool))
        socket.close()

    def _open(self, address: str) -> Socket:
        seen = {"seq": self._seq, "seat": self.state["seat"]} if self.state else {}
        return Socket(address, self._table, self._cookie, **seen)

    def may_move(self) -> bool:
        """Whether it is this client's turn, as far as it knows."""
        if not self.state:
            self.reconnect()
        return bool(self.state.get("legal"))

    def move(self) -> None:
        """Make a random move, and wait until it is confirmed."""
        token = self._chance.choice(self.state["legal"])["token"]
        command = {"id": new_id(), "seq": self._seq, "command": {"type": "move", "token": token}}
        answer = self._ask(command)
        if answer["ok"]:
            self.acknowledged.append(str(command["id"]))
        else:
            assert answer["kind"] == "stale", answer
        while self._seq < answer["seq"]:
            self.reconnect()

    def _ask(self, command: Message) -> Message:
        for _ in range(200):
            if self._socket is None:
                self.reconnect()
                continue
            try:
                self._socket.connection.send(json.dumps(command))
                while True:
                    message = self._receive()
                    if message["type"] == "answer" and message.get("id") == command["id"]:
                        return message
            except TimeoutError:
                pass
            except (WebSocketException, OSError, EOFError):
                self.close()
        raise AssertionError("the line is too bad")

    def _receive(self) -> Message:
        assert self._socket is not None
        message = self._socket.receive(SOON)
        if message["type"] == "state":
            self._take(message)
        return message

    def _take(self, message: Message) -> None:
        """Keep a state, unless it is old or follows one that was lost."""
        if message["from"] <= self._seq <= message["seq"]:
            self.lines = merged(self.lines, message["lines"])
            self.state = message
