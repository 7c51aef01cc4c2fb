"""The drill: people play, a copy is made meanwhile, the database is lost, and comes back."""

from __future__ import annotations

import asyncio
import random
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest

from benchmarks.serving import Server, find_postgresql, new_database
from droptable.core.errors import DroptableError
from droptable.tables.backup import back_up, restore
from droptable.tables.store import Store
from droptable.web.identity import COOKIE
from tests.web.conftest import postgres  # noqa: F401
from tests.web.people import Person, Socket, play_on

GENEROUS = {"bot_processes": 1, "commands_a_second": 1e5}


@dataclass
class Sqlite:
    """A database that is a file, and the copy beside it."""

    address: str

    @property
    def copy(self) -> str:
        return f"{self.address}.copy"

    def back_up(self) -> None:
        droptable("tables", "backup", self.copy, "--database", self.address)

    def lose(self) -> None:
        for file in Path(self.address).parent.glob("tables.db*"):
            if not file.samefile(self.copy) and not file.name.endswith("-wal"):
                file.unlink()  # a stale -wal is the worst that can be left

    def restore(self) -> None:
        droptable("tables", "restore", self.copy, "--database", self.address)


@dataclass
class Postgres:
    """A database of a PostgreSQL server, and its dump."""

    address: str
    copy: str

    def back_up(self) -> None:
        self._run("pg_dump", "--format=custom", f"--file={self.copy}", self.address)

    def lose(self) -> None:
        self._statement("DROP DATABASE drill WITH (FORCE)")

    def restore(self) -> None:
        self._statement("CREATE DATABASE drill")
        self._run("pg_restore", "--exit-on-error", f"--dbname={self.address}", self.copy)

    def _run(self, program: str, *words: str) -> None:
        folder = find_postgresql()
        assert folder is not None
        subprocess.run([folder / program, *words], check=True)

    def _statement(self, text: str) -> None:
        other = self.address.rpartition("/")[0] + "/postgres"
        with psycopg.connect(other, autocommit=True) as connection:
            connection.execute(text)


def droptable(*words: str) -> None:
    subprocess.run([sys.executable, "-m", "droptable", *words], check=True)


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Sqlite | Postgres:
    if request.param == "sqlite":
        return Sqlite(str(tmp_path / "tables.db"))
    address = new_database(request.getfixturevalue("postgres"), "drill")
    return Postgres(address, str(tmp_path / "dump"))


@contextmanager
def serving(database: str) -> Iterator[Server]:
    server = Server(database, **GENEROUS).wait()
    try:
        yield server
    finally:
        server.kill()


def returned(person: Person, address: str) -> Person:
    """The same browser at another server."""
    back = Person(address)
    back.http.cookies.set(COOKIE, person.cookie)
    return back


def history(person: Person, table: str) -> list[Any]:
    return [(line["seq"], line["text"]) for line in person.look(table)["lines"]]


def test_the_drill(database: Sqlite | Postgres) -> None:
    """All that was answered before the copy is there again, for the same people, and goes on."""
    with (
        serving(database.address) as server,
        Person(server.address, "Ann") as ann,
        Person(server.address, "Bob") as bob,
    ):
        table, sockets = seated(ann, bob)
        play_on(sockets, random.Random(1), most=12)
        answered = history(ann, table)
        playing, stop = busy_table(server.address)
        database.back_up()
        stop.set()
        playing.join()
        play_on(sockets, random.Random(2), most=4)
        lost = history(ann, table)
    assert len(lost) > len(answered) > 5
    database.lose()
    database.restore()
    with (
        serving(database.address) as server,
        returned(ann, server.address) as ann,
        returned(bob, server.address) as bob,
    ):
        assert [p.http.get("/api/me").json()["name"] for p in (ann, bob)] == ["Ann", "Bob"]
        assert history(ann, table) == answered
        sockets = [person.sit(table) for person in (ann, bob)]
        assert [socket.receive()["you"]["name"] for socket in sockets] == ["Ann", "Bob"]
        play_on(sockets, random.Random(3))
        assert all(socket.state["status"] == "over" for socket in sockets)


def busy_table(address: str) -> tuple[threading.Thread, threading.Event]:
    """Two who play on, in a thread, until told to stop; they have begun when this returns."""
    stop, begun = threading.Event(), threading.Event()

    def play() -> None:
        with Person(address, "Eve") as eve, Person(address, "Fay") as fay:
            while not stop.is_set():
                sockets = seated(eve, fay)[1]
                while not stop.is_set() and play_on(sockets, random.Random(4), most=1):
                    begun.set()

    thread = threading.Thread(target=play)
    thread.start()
    assert begun.wait(60)
    return thread, stop


def seated(*people: Person) -> tuple[str, list[Socket]]:
    """A new table of Drop., and its people's sockets."""
    table = people[0].create("drop", seats=["me", "open"])
    assert people[1].do(table, "join")["ok"]
    sockets = [person.sit(table) for person in people]
    for socket in sockets:
        socket.receive()
    return table, sockets


def test_a_database_is_never_overwritten(tmp_path: Path) -> None:
    """Where one exists nothing is restored; what is no database is not taken for a copy."""
    there, other = tmp_path / "there.db", tmp_path / "other.db"
    there.write_bytes(b"precious")
    other.write_bytes(b"no database at all, though long enough to have a header of its own" * 20)
    with pytest.raises(DroptableError, match="move it away first"):
        restore(other, there)
    assert there.read_bytes() == b"precious"
    with pytest.raises(DroptableError, match="cannot copy"):
        restore(other, tmp_path / "new.db")
    with pytest.raises(DroptableError, match="there is no database"):
        back_up(tmp_path / "none.db", tmp_path / "copy.db")
    assert {file.name for file in tmp_path.iterdir()} == {"there.db", "other.db"}


def test_a_copy_is_its_owners_alone(tmp_path: Path) -> None:
    """It holds identities: nobody else may read it, even if an older copy could be read."""
    copy = tmp_path / "copy.db"
    copy.touch(mode=0o644)
    asyncio.run(Store(str(tmp_path / "tables.db")).close())
    back_up(tmp_path / "tables.db", copy)
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.glob("copy*")] == ["copy.db"]


def test_postgresql_has_its_own_programs() -> None:
    """The refusal names the program to use."""
    command = [sys.executable, "-m", "droptable", "tables", "backup", "x", "--database"]
    done = subprocess.run(
        [*command, "postgresql://nowhere/none"], capture_output=True, text=True, check=False
    )
    assert done.stderr == "droptable: this is for SQLite; for PostgreSQL use pg_dump\n"
