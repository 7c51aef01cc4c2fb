"""What version 0.1 has stored is read by today's, and goes on.

`version_0_1.sql` is the dump of a database that 0.1 (commit 3302f4c) made and used: Ann, Bob and
Cid at running matches of Number Drop, Depot and Drop., a finished solo match, a table that waits,
and a link.
"""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from itsdangerous import TimestampSigner

from droptable.core.record import Record
from droptable.tables.schema import MIGRATIONS
from droptable.web.identity import COOKIE
from tests.web.conftest import GENEROUS, Running, run
from tests.web.people import Person, play_on

DUMP = Path(__file__).with_name("version_0_1.sql")
EVENTS = "SELECT seq, at, command, body FROM events WHERE table_id = ? ORDER BY seq"


def ask(file: Path | str, query: str, *values: str) -> list[Any]:
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute(query, values).fetchall()


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database as version 0.1 left it."""
    file = tmp_path_factory.mktemp("old") / "old.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(DUMP.read_text("utf-8"))
    return file


@pytest.fixture(scope="module")
def upgraded(old: Path) -> Iterator[Running]:
    """Today's server on a copy of it."""
    file = old.with_name("tables.db")
    file.write_bytes(old.read_bytes())
    yield from run(replace(GENEROUS, database=str(file)))


@pytest.fixture
def returns(old: Path, upgraded: Running) -> Iterator[Callable[[str], Person]]:
    """People of then, each with a cookie of 0.1's form, signed with the key of then."""
    ((key,),) = ask(old, "SELECT value FROM secrets")
    signer = TimestampSigner(key, salt="droptable-identity")
    with ExitStack() as stack:

        def person(name: str) -> Person:
            ((identity,),) = ask(old, "SELECT id FROM identities WHERE name = ?", name)
            back = stack.enter_context(Person(upgraded.address))
            back.http.cookies.set(COOKIE, signer.sign(identity).decode())
            return back

        yield person


def table_of(old: Path, title: str) -> str:
    ((table,),) = ask(old, "SELECT id FROM tables WHERE title = ?", title)
    return str(table)


def test_the_schema_is_migrated(old: Path, upgraded: Running) -> None:
    """The dump has version 1 of the schema, the database that was opened today's."""
    assert ask(old, "SELECT version FROM schema") == [(1,)]
    assert ask(upgraded.database, "SELECT version FROM schema") == [(len(MIGRATIONS),)]


def test_people_find_their_tables(old: Path, returns: Callable[[str], Person]) -> None:
    """Names and seats are kept, and the table that waited is still listed."""
    ann = returns("Ann")
    assert ann.http.get("/api/me").json()["name"] == "Ann"
    running = {table_of(old, t) for t in ("running numbers", "running depot", "against a bot")}
    assert running <= set(ann.listed("mine"))
    assert table_of(old, "waiting") in ann.listed("open")


@pytest.mark.parametrize(
    ("title", "names"),
    [
        ("running numbers", ("Ann", "Bob")),
        ("running depot", ("Ann", "Bob", "Cid")),
        ("against a bot", ("Ann",)),
    ],
)
def test_running_matches_are_played_to_their_end(
    old: Path,
    upgraded: Running,
    returns: Callable[[str], Person],
    title: str,
    names: tuple[str, ...],
) -> None:
    """Every event of then stays as it was; the match goes on by its own rules and is won."""
    table = table_of(old, title)
    before = ask(old, EVENTS, table)
    sockets = [returns(name).sit(table) for name in names]
    for socket in sockets:
        assert socket.receive()["status"] == "playing"
    assert play_on(sockets, random.Random(1)) > 0
    after = ask(upgraded.database, EVENTS, table)
    assert after[: len(before)] == before and len(after) > len(before)
    assert all(socket.state["status"] == "over" for socket in sockets)


def test_a_finished_match_keeps_its_score_and_record(
    old: Path, upgraded: Running, returns: Callable[[str], Person]
) -> None:
    """The solo score is stored as it was, and the record of its match replays to that score."""
    table, scores = table_of(old, "solo"), "SELECT table_id, name, score FROM scores"
    ((_table, name, score),) = before = ask(old, scores)
    assert before[0][0] == table and name == "Ann"
    assert set(before) <= set(ask(upgraded.database, scores))
    record = Record.from_json(returns("Ann").http.get(f"/api/tables/{table}/record").text)
    assert record.final.scores == (score,)
