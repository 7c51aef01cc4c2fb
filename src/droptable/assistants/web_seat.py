"""A seat at a table of a server, reached by its link: what the server sends, as text."""

from __future__ import annotations

import http.client
import itertools
import json
import re
import secrets
import time
import urllib.error
import urllib.request
from http.cookiejar import CookieJar
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from droptable.assistants.seat import Refused, explained, moves_of, read, why_not
from droptable.core.engine import Engine
from droptable.core.errors import OptionError, UnknownGame
from droptable.core.game import Game
from droptable.core.state import View
from droptable.games import game as game_of

SECONDS = 15.0  # for an answer
PAUSE = 0.2  # between two looks while it is not our turn
LONGEST = 4_000_000  # bytes of an answer
TABLE = re.compile(r"t/([A-Za-z0-9_-]{1,64})/?")
Answer = dict[str, Any]


class Site:
    """A server, at which an assistant is one person: it keeps the cookie, and follows no other
    address than the one that it was given."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query:
            raise OptionError(f"the server is {address!r:.100}; expected https://HOST/")
        self.address = address.rstrip("/") + "/"
        self.known = False  # whether we have told our name
        self._opener = urllib.request.build_opener(
            _Stay(),
            urllib.request.ProxyHandler({}),
            urllib.request.HTTPCookieProcessor(CookieJar()),
        )

    def table_of(self, link: str) -> str | None:
        """The id of the table that a link of this server leads to."""
        if not link.startswith(self.address):
            return None
        found = TABLE.fullmatch(link.removeprefix(self.address).partition("#")[0])
        return found and found[1]

    def ask(self, method: str, path: str, body: Answer | None = None) -> Any:
        """An answer of the API; `Refused` with the server's message."""
        request = urllib.request.Request(
            f"{self.address}api/{path}", method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json", "Accept": "application/json"},
        )  # fmt: skip
        try:
            with self._opener.open(request, timeout=SECONDS) as response:
                return json.loads(response.read(LONGEST))
        except urllib.error.HTTPError as error:
            raise _refusal(error) from None
        except (OSError, ValueError, http.client.HTTPException) as error:
            raise Refused(f"{self.address} does not answer: {error}") from None

    def introduce(self, name: str) -> None:
        """Choose a name, the first time."""
        if not self.known:
            self.ask("PUT", "me", {"name": name})
            self.known = True


class _Stay(urllib.request.HTTPRedirectHandler):
    """Redirects could lead to a server that nobody has allowed."""

    def redirect_request(self, *_arguments: Any) -> None:
        return None


def _refusal(error: urllib.error.HTTPError) -> Refused:
    try:
        told = json.loads(error.read(LONGEST))
        message, rule = str(told["message"]), told.get("rule")
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return Refused(f"the server refused: {error.code} {error.reason}")
    refused = Refused(message)
    refused.rule = rule if isinstance(rule, str) else None  # type: ignore[attr-defined]
    return refused


class WebSeat:
    """A seat at a web table. What people say in the chat is not told: it is for people."""

    def __init__(self, site: Site, table: str, name: str) -> None:
        self._site = site
        self._path = f"tables/{table}"
        self._seq = 0  # what has been told
        self._ids = (f"{secrets.token_hex(6)}-{number}" for number in itertools.count(1))
        self._game = _game(self._ask_table()["game"])
        site.introduce(name)
        if self._ask_table()["seat"] is None:
            self._command({"type": "join"})

    @property
    def game(self) -> Game:
        return self._game

    def look(self, wait: float = 0.0) -> str:
        return self._told(self._await_turn(wait))

    def move(self, said: str) -> str:
        state = self._ask_table()
        token = read(self._view(state), said)
        self._command({"type": "move", "token": token}, state["seq"])
        return f"You have made the move {token}.\n\n{self._told(self._ask_table())}"

    def why(self, said: str) -> str:
        return why_not(self._view(self._ask_table()), said)

    def hint(self) -> str:
        hint = self._site.ask("GET", f"{self._path}/hint")
        return f"A good bot would choose {hint['token']}: {hint['label']}"

    def leave(self) -> str:
        waiting = self._ask_table()["status"] == "waiting"
        self._command({"type": "leave" if waiting else "resign"})
        return "You have left the table." if waiting else "You have resigned."

    # -- the table --------------------------------------------------------------------------------

    def _ask_table(self) -> Answer:
        state: Answer = self._site.ask("GET", f"{self._path}?seq={self._seq}")
        return state

    def _await_turn(self, wait: float) -> Answer:
        deadline = time.monotonic() + wait
        while True:
            state = self._ask_table()
            left = deadline - time.monotonic()
            if state["status"] == "over" or state["seat"] in state["to_act"] or left <= 0:
                return state
            time.sleep(min(PAUSE, left))

    def _command(self, command: Answer, seq: int | None = None) -> None:
        body = {"id": next(self._ids), "command": command, "seq": seq}
        try:
            self._site.ask("POST", f"{self._path}/commands", body)
        except Refused as refused:
            rule = getattr(refused, "rule", None)
            raise Refused(explained(self._game, str(refused), rule)) from None

    def _view(self, state: Answer) -> View:
        if state["view"] is None or state["seat"] is None:
            raise Refused("the match has not started yet")
        return view_of(self._game, state)

    def _told(self, state: Answer) -> str:
        """What has happened since the last time, and what the seat sees now."""
        self._seq = state["seq"]
        names = ", ".join(f"{s} {seat['name']}" for s, seat in enumerate(state["seats"]))
        parts = [f"{self._game.title}, as seat {state['seat']}; seats: {names}."]
        news = [line["text"] for line in state["lines"] if line["kind"] != "chat" and line["text"]]
        if news:
            parts.append("What has happened\n" + "\n".join(news))
        if state["view"] is None:
            return "\n\n".join([*parts, "The match has not started yet: people are awaited."])
        view = self._view(state)
        parts.append(f"The table, as you see it\n{view}")
        if state["status"] == "over":
            parts.append(f"The match is over. {(state['result'] or {}).get('verdict', '')}".strip())
        elif view.seat in state["to_act"]:
            parts.append(f"Your legal moves\n{moves_of(view)}")
        else:
            parts.append("It is not your turn: look again, and wait for some seconds.")
        return "\n\n".join(parts)


def _game(name: str) -> Game:
    try:
        return game_of(name)
    except UnknownGame:
        raise Refused(f"the server plays {name!r:.40}, which is not installed here") from None


class SentView(View):
    """A view that another machine has sent: machine code would trust it, plain Python does not."""

    @property
    def _engine(self) -> Engine:
        return self.game.plain


def view_of(game: Game, state: Answer) -> View:
    """The view that a server has sent as fields; its 64-bit numbers are texts."""
    start = game.start(state["players"], **_options(state["options"]))
    seat: int = state["seat"]
    array = start.view(seat).array.copy()
    try:
        for field in array.dtype.names:
            kind = array.dtype[field]
            sent = np.array(state["view"][field], dtype=object)
            array[field][0] = np.vectorize(int, otypes=[kind.base])(sent).reshape(kind.shape)
    except (KeyError, ValueError, TypeError, OverflowError) as error:
        raise Refused(f"the server sends another kind of view ({error}): is it newer?") from None
    return SentView(game, start.players, start.options, array, seat)


def _options(options: Answer) -> Answer:
    return {name: tuple(v) if isinstance(v, list) else v for name, v in options.items()}
