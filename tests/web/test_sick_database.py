"""A sick part makes no other sick: a lock that stays, a PostgreSQL that stands still."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from benchmarks.serving import INSTALL, Server, find_postgresql, new_database, postgresql
from tests.web.people import PATIENCE, Person, new_id


@pytest.fixture(scope="module")
def postgres_alone() -> Iterator[str]:
    """A PostgreSQL of its own, which these tests may stop."""
    if find_postgresql() is None:
        pytest.skip(INSTALL)
    with postgresql() as address:
        yield address


@pytest.fixture(scope="module")
def server(postgres_alone: str) -> Iterator[Server]:
    """A server on it."""
    running = Server(new_database(postgres_alone, "sick"), bot_processes=1).wait()
    yield running
    running.kill()


@pytest.fixture
def database(postgres_alone: str) -> str:
    return postgres_alone.rpartition("/")[0] + "/sick"


def say(person: Person, table: str) -> dict[str, Any]:
    """The answer to a chat, whatever it is."""
    envelope = {"id": new_id(), "command": {"type": "chat", "text": "hello"}}
    answer: dict[str, Any] = person.http.post(f"/api/tables/{table}/commands", json=envelope).json()
    return answer


def until(condition: Any) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.1)


@contextmanager
def stopped(address: str) -> Iterator[None]:
    """PostgreSQL and all its processes stand still."""
    with psycopg.connect(address) as connection:
        row = connection.execute("SELECT pg_backend_pid()").fetchone()
        assert row is not None
        status = Path(f"/proc/{row[0]}/stat").read_text()
    parent = int(status.rpartition(")")[2].split()[1])
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    processes = [parent, *map(int, children)]

    def send(number: signal.Signals) -> None:
        for pid in processes:
            with suppress(ProcessLookupError):  # one that was about to end
                os.kill(pid, number)

    send(signal.SIGSTOP)
    try:
        yield
    finally:
        send(signal.SIGCONT)


def test_a_lock_that_nobody_releases(server: Server, database: str) -> None:
    """Another server hangs with the row of a table locked: that table answers `outage`, others
    are not disturbed, and the table goes on when the lock is gone."""
    with Person(server.address, "Ann") as ann:
        locked, free = ann.create("drop"), ann.create("drop")
        with psycopg.connect(database) as hung:
            hung.execute("SELECT 1 FROM tables WHERE id = %s FOR UPDATE", (locked,))
            assert say(ann, locked)["kind"] == "outage"
            assert say(ann, free)["ok"]
            assert httpx.get(f"{server.address}/healthz").status_code == 200
        until(lambda: say(ann, locked)["ok"])


def test_postgresql_stands_still(server: Server, postgres_alone: str) -> None:
    """Whoever asks is told of an outage instead of waiting, health tells the truth, and everything
    works again afterwards, without a command done twice."""
    with Person(server.address, "Ann") as ann:
        table = ann.create("drop")
        assert say(ann, table)["ok"]
        with stopped(postgres_alone):
            assert say(ann, table)["kind"] == "outage"
            assert ann.http.post("/api/tables", json={"game": "drop"}).status_code == 503
            until(lambda: httpx.get(f"{server.address}/healthz").status_code == 503)
            ready = httpx.get(f"{server.address}/readyz", timeout=PATIENCE)
            assert ready.status_code == 503 and ready.json()["message"]
        until(lambda: httpx.get(f"{server.address}/readyz", timeout=PATIENCE).status_code == 200)
        before = len(ann.look(table)["lines"])
        assert say(ann, table)["ok"]
        assert len(ann.look(table)["lines"]) == before + 1


FULL = """
    CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE 'No space left on device' USING ERRCODE = 'disk_full'; END $$;
    CREATE TRIGGER full_disk BEFORE INSERT ON events EXECUTE FUNCTION full_disk()
"""


def test_a_full_disk_with_room_in_old_pages(server: Server, database: str) -> None:
    """Events find no room, while small writes still do: health says so until an event is stored."""

    def health() -> list[int]:
        return [
            httpx.get(f"{server.address}/{path}", timeout=PATIENCE).status_code
            for path in ("healthz", "readyz")
        ]

    with Person(server.address, "Ann") as ann:
        table = ann.create("drop")
        with psycopg.connect(database) as connection:
            connection.execute(FULL)
        assert say(ann, table)["kind"] == "outage"
        assert health() == [503, 503]
        with psycopg.connect(database) as connection:
            connection.execute("DROP FUNCTION full_disk CASCADE")
        assert say(ann, table)["ok"]
        assert health() == [200, 200]
