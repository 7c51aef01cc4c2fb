"""Health: what a load balancer is told is true."""

from __future__ import annotations

import asyncio
import os
import resource
import sqlite3
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
import pytest

from benchmarks.serving import Server
from droptable.core.errors import OptionError
from droptable.tables.integrity import digest
from droptable.web.config import Config
from droptable.web.server import open_store
from tests.web.conftest import GENEROUS, Running, run
from tests.web.people import PATIENCE, Person

NOBODY = 65534


@contextmanager
def running(file: Path) -> Iterator[Running]:
    yield from run(replace(GENEROUS, database=str(file)))


def test_a_server_that_works_says_so(server: Running) -> None:
    """Both answers are 200."""
    for path in ("/healthz", "/readyz"):
        assert httpx.get(server.address + path, timeout=30).json() == {"ok": True}


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    """Another process holds the lock: reading works, writing does not, and that is told."""
    with running(tmp_path / "tables.db") as server:
        with closing(sqlite3.connect(server.database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            answer = httpx.get(server.address + "/readyz", timeout=30)
            assert answer.status_code == 503
            assert answer.json()["kind"] == "outage" and answer.json()["message"]
            assert httpx.get(server.address + "/healthz", timeout=30).status_code == 503
            other.execute("ROLLBACK")
        assert httpx.get(server.address + "/readyz", timeout=30).status_code == 200


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_a_damaged_file_is_told_of(tmp_path: Path, path: str) -> None:
    """Garbage in a page of the file: the answer says that it is damaged."""
    file = tmp_path / "tables.db"
    with running(file) as server:
        httpx.put(server.address + "/api/me", json={"name": "Ann"}, timeout=30)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        query = "SELECT rootpage FROM sqlite_master WHERE name = 'events'"
        ((page,),) = connection.execute(query).fetchall()
        ((size,),) = connection.execute("PRAGMA page_size").fetchall()
    with file.open("r+b") as content:
        content.seek((page - 1) * size)
        content.write(b"\x99" * 64)
    with running(file) as server:
        answer = httpx.get(server.address + path, timeout=30)
        assert answer.status_code == 503 and "damaged" in answer.json()["message"]


def until_status(url: str, status: int) -> httpx.Response:
    """Wait for an answer with this status."""
    end = time.monotonic() + PATIENCE
    while (answer := httpx.get(url, timeout=PATIENCE)).status_code != status:
        assert time.monotonic() < end, answer.text
        time.sleep(0.05)
    return answer


def test_one_damaged_table(tmp_path: Path) -> None:
    """A byte of one table changes while no server is up: the next one finds out by itself, says so
    by a digest, refuses that table in words, and takes visitors to all others."""
    file = tmp_path / "tables.db"
    with running(file) as server, Person(server.address, "Ann") as ann:
        bad, good = ann.create("drop"), ann.create("drop")
        cookies = ann.http.cookies
    with closing(sqlite3.connect(file)) as connection, connection:
        change = "UPDATE events SET body = replace(body, 'Ann', 'Amy') WHERE table_id = ?"
        assert connection.execute(change, (bad,)).rowcount
    with running(file) as server, Person(server.address) as ann:
        told = until_status(f"{server.address}/healthz", 503).json()["message"]
        assert f"#{digest(bad)}" in told and bad not in told and digest(good) not in told
        assert httpx.get(f"{server.address}/readyz", timeout=30).status_code == 200
        ann.http.cookies = cookies
        refused = ann.http.get(f"/api/tables/{bad}")
        assert refused.status_code == 404 and "this table is damaged" in refused.json()["message"]
        assert "damaged" in ann.do(bad, "chat", text="hello")["message"]
        assert ann.do(good, "chat", text="hello")["ok"]
        metrics = httpx.get(f"{server.address}/metrics", timeout=30).text
        assert "droptable_damaged_tables 1.0" in metrics


def test_a_full_disk(tmp_path: Path) -> None:
    """No byte more can be written: health says so, and that it is over once there is room."""
    with ExitStack() as stack:
        server = Server(str(tmp_path / "tables.db"), bot_processes=1)
        stack.callback(server.kill)
        server.wait()
        ann = stack.enter_context(Person(server.address, "Ann"))
        table = ann.create("drop")
        _soft, hard = limits = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (0, hard))
        assert until_status(f"{server.address}/readyz", 503).json()["kind"] == "outage"
        envelope = {"id": "1", "command": {"type": "chat", "text": "hello"}}
        answer = ann.http.post(f"/api/tables/{table}/commands", json=envelope)
        assert answer.json()["kind"] == "outage"
        assert ann.look(table)["lines"], "what is stored can still be read"
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, limits)
        until_status(f"{server.address}/readyz", 200)
        assert ann.http.post(f"/api/tables/{table}/commands", json=envelope).json()["ok"]


def test_a_file_that_may_only_be_read() -> None:
    """A server does not even start: it could keep nothing."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "tables.db"
        asyncio.run(open_store(Config(database=str(file))).close())
        file.chmod(0o444)
        Path(folder).chmod(0o555)
        user = os.geteuid()
        try:
            if user == 0:  # who may write everything
                os.seteuid(NOBODY)
            with pytest.raises(OptionError, match="cannot open the database"):
                open_store(Config(database=str(file)))
        finally:
            os.seteuid(user)
            Path(folder).chmod(0o755)
