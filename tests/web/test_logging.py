"""Logs and metrics: what fails is seen, once, without anybody's secrets."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import secrets
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
import structlog
from starlette.routing import Route
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from benchmarks.serving import Server
from droptable.core.errors import OptionError
from droptable.tables.database import DatabaseError
from droptable.web.config import Config
from droptable.web.crowd import Crowd
from droptable.web.logging_setup import blanked, set_up
from droptable.web.metrics import Metrics
from droptable.web.middleware import Guard
from tests.web.people import Person


class Logs:
    """What is logged from now on."""

    def __init__(self) -> None:
        self._stream = io.StringIO()
        self.start("info")

    def start(self, level: str) -> None:
        set_up(as_json=True, level=level)
        (handler,) = logging.getLogger().handlers
        assert isinstance(handler, logging.StreamHandler)
        handler.setStream(self._stream)

    def __call__(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self._stream.getvalue().splitlines()]


@pytest.fixture
def logs() -> Iterator[Logs]:
    """Sets logging up; a call returns the lines so far."""
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    yield Logs()
    root.handlers = before
    root.setLevel(level)
    structlog.reset_defaults()


class NoStore:
    """A store without tables."""

    damaged: Mapping[str, str] = MappingProxyType({})


class NoHost:
    """A host without tables."""

    open_tables = 0
    store = NoStore()
    counts: Mapping[str, int] = MappingProxyType({})


def ask(error: Exception, type_: str = "http") -> tuple[list[Any], str]:
    """What a guarded app that raises an error sends, and the metrics after it."""
    sent: list[Any] = []
    metrics = Metrics()

    async def broken(scope: Any, _receive: Any, _send: Any) -> None:
        scope["route"] = Route("/api/tables/{table}", lambda: None)
        raise error

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request"}

    scope = {"type": type_, "path": "/api/tables/x", "headers": [], "client": ("127.0.0.1", 1),
             "scheme": "http", "query_string": b""}  # fmt: skip
    if type_ == "http":
        scope["method"] = "GET"
    config = Config()
    asyncio.run(Guard(broken, config, metrics, Crowd(config))(scope, receive, send))

    return sent, metrics.text(NoHost()).decode()  # type: ignore[arg-type]


def test_what_fails_is_counted_and_logged(logs: Logs) -> None:
    """A failure is one line with its place, and a 500 of its route in the metrics; an id in its
    message is blanked."""
    secret = secrets.token_urlsafe(12)
    _sent, metrics = ask(KeyError(secret))
    counted = 'droptable_requests_total{method="GET",route="/api/tables/{table}",status="500"} 1.0'
    assert counted in metrics
    failure, request = logs()
    assert failure["level"] == "error" and failure["route"] == "/api/tables/{table}"
    assert failure["error"] == "KeyError: '…'"
    assert any("broken" in frame for frame in failure["traceback"])
    assert request["event"] == "request" and request["status"] == 500


def test_a_socket_in_an_outage_is_one_line(logs: Logs) -> None:
    """A socket that fails as the database does is closed, and logged without a traceback."""
    sent, metrics = ask(DatabaseError("connection refused"), "websocket")
    assert sent == [{"type": "websocket.close", "code": 1013}]
    failure, _request = logs()
    assert failure["error"] == "connection refused" and "traceback" not in failure
    assert 'method="SOCKET"' in metrics and 'status="500"' in metrics


def test_lines_of_libraries_are_json_too(logs: Logs) -> None:
    """What the standard library's loggers say is in the same form, exceptions included."""
    logging.getLogger("websockets.server").warning("odd: %s", "words")
    try:
        raise ValueError("a wrong value")
    except ValueError:
        logging.getLogger("asyncio").exception("never\nretrieved")
    odd, failed = logs()
    assert odd["event"] == "odd: words" and odd["level"] == "warning"
    assert failed["error"] == "ValueError: a wrong value" and failed["traceback"]


def test_only_what_goes_wrong(logs: Logs) -> None:
    """At `warning`, requests are not logged, and failures still are."""
    logs.start("warning")
    ask(KeyError("x"))
    assert [line["event"] for line in logs()] == ["a request failed"]
    with pytest.raises(OptionError, match="DROPTABLE_LOG is 'loud'; expected info or warning"):
        Config().change("log", "loud")


def test_words_stay_and_secrets_go() -> None:
    """Plain words stay in messages; whatever may be an id does not."""
    said = "duplicate_key_violation in unquestionably: (a1B2c3D4e5F6g7H8, 3)"
    assert blanked(said) == "duplicate_key_violation in unquestionably: (…, 3)"
    assert all(secrets.token_urlsafe(n) not in blanked(secrets.token_urlsafe(n)) for n in (12, 24))


def test_sockets_of_a_broken_database(tmp_path: Path) -> None:
    """A real server whose database breaks: sockets are closed, requests are answered `outage`, and
    each line of its log is JSON that names no table and no link of a group."""
    with ExitStack() as stack:
        log = stack.enter_context((tmp_path / "log").open("w+"))
        file = str(tmp_path / "tables.db")
        server = Server(file, log=log, bot_processes=1)
        stack.callback(server.process.stdout.close)
        stack.callback(server.process.kill)
        server.wait()
        ann = stack.enter_context(Person(server.address, "Ann"))
        table = ann.create()
        group = ann.http.post("/api/groups", json={"name": "Friday"}).json()["group"]
        link = ann.http.get(f"/api/groups/{group}/link").json()["link"].rpartition("/")[2]
        assert all(ann.http.get(f"{path}/{link}").is_success for path in ("/g", "/api/groups"))
        broken = sqlite3.connect(file)
        broken.execute("ALTER TABLE events RENAME TO away")
        broken.close()
        other = table[::-1]
        refused = ann.http.get(f"/api/tables/{other}")
        assert refused.status_code == 503 and refused.json()["kind"] == "outage"
        address = server.address.replace("http", "ws")
        with (
            connect(f"{address}/api/tables/{other}/socket") as socket,
            pytest.raises(ConnectionClosed),
        ):
            socket.recv(timeout=20)
        text = ann.http.get("/metrics").text
        assert 'route="/api/tables/{table}/socket",status="500"' in text
        server.process.terminate()
        server.process.wait()
        log.seek(0)
        lines = [json.loads(line) for line in log.read().splitlines()]
        failures = [line for line in lines if line["level"] == "error"]
        assert len(failures) == 2
        assert any(line.get("route") == "/g/{group}" for line in lines) and link not in text
        assert not [line for line in lines for one in (table, other, link) if one in str(line)]
