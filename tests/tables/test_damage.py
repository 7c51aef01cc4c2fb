"""Damaged SQLite files: what a server shows is as it was written, or it is refused and told."""

import asyncio
import sqlite3
from contextlib import closing

import pytest

from droptable.core.errors import DroptableError
from droptable.tables.database import DatabaseError
from droptable.tables.events import Forgotten, Line
from droptable.tables.forgetting import pseudonymised
from droptable.tables.inspection import Inspection
from droptable.tables.integrity import DamagedTable
from droptable.tables.retention import delete_tables
from droptable.tables.store import Append, Store
from droptable.tables.summary import summary
from droptable.tables.table import fold
from tests.tables.test_store import chat, first

TABLES = ("A", "B", "C")
PLACES = (0.02, 0.4, 0.97)  # of a page: its head, its cells, its end
GARBAGE = b"\x99\x00\xff\x41"


async def no_rest(_seconds):
    """Sleep for no time at all."""
    await asyncio.sleep(0)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """A database of three tables, one of them long, in one file; with its page size."""
    path = tmp_path_factory.mktemp("whole") / "tables.db"

    async def fill():
        store = Store(str(path))
        for table, length in zip(TABLES, (6, 60, 12), strict=True):
            sitting, append = first(table)
            assert await store.append(append)
            for number in range(sitting.table.seq, length):
                assert await store.append(
                    chat(sitting.table, number, f"{number} words", f"c{number}")
                )
        await store.close()

    asyncio.run(fill())
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
        ((size,),) = connection.execute("PRAGMA page_size").fetchall()
    return path.read_bytes(), size


async def look(path):
    """What a server makes of a file: each table's events or None, and whether it tells."""
    try:
        store = Store(str(path))
    except (DatabaseError, DroptableError):
        return dict.fromkeys(TABLES), True
    try:
        inspection = Inspection(store, no_rest, most=10)
        await asyncio.wait_for(inspection.run(), 20)
        assert inspection.done
        events = {}
        for table in TABLES:
            try:
                events[table] = await store.read(table)
            except (DamagedTable, DatabaseError):
                events[table] = None
        try:
            await store.probe()
        except DatabaseError:
            return events, True
        return events, bool(store.damaged)
    finally:
        await store.close()


@pytest.fixture(scope="module")
def whole(file, tmp_path_factory):
    """The events of the file that is not damaged."""
    path = tmp_path_factory.mktemp("copy") / "tables.db"
    path.write_bytes(file[0])
    events, told = asyncio.run(look(path))
    assert all(events.values()) and not told
    return events


def test_no_flipped_bytes_show_a_wrong_table(file, whole, tmp_path):
    """Garbage at three places of every page: each table is as it was or refused, and then told."""
    content, size = file
    path = tmp_path / "tables.db"
    refused = 0
    for page in range(0, len(content), size):
        for place in PLACES:
            at = page + int(size * place)
            path.write_bytes(content[:at] + GARBAGE + content[at + len(GARBAGE) :])
            events, told = asyncio.run(look(path))
            for table, lines in events.items():
                assert lines is None or lines == whole[table], f"byte {at}: table {table}"
            assert told or all(events.values()), f"byte {at}: nobody is told"
            refused += not all(events.values())
            for other in tmp_path.iterdir():
                other.unlink()
    assert refused >= 10, "a good part of the file is events"


@pytest.mark.parametrize("share", [0.0, 0.2, 0.5, 0.8, 0.99])
def test_a_truncated_file_is_told_of(file, whole, tmp_path, share):
    """What is left of the tables is as it was, or refused; none is shown with less."""
    content, _size = file
    path = tmp_path / "tables.db"
    path.write_bytes(content[: int(len(content) * share)])
    events, told = asyncio.run(look(path))
    if share:
        assert told
    for table, lines in events.items():
        assert not lines or lines == whole[table]


def test_an_inspection_goes_in_small_steps(file, tmp_path):
    """A step reads at most so many events; damage that nobody has come across is found, and told
    no longer once the table is deleted. A table that is whole is never named."""
    path = tmp_path / "tables.db"
    path.write_bytes(file[0])
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE events SET at = at + 1 WHERE table_id = 'B' AND seq = 55")

    async def scenario():
        store = Store(str(path))
        rests = []

        async def rest(seconds):
            rests.append(seconds)

        inspection = Inspection(store, rest, most=10)
        await inspection.run()
        assert inspection.steps >= sum((6, 54, 12)) / 10 and len(rests) == inspection.steps
        assert store.damaged == {"B": "event 55: its checksum is wrong"}
        with pytest.raises(DamagedTable) as damaged:
            await store.read("B")
        assert len(damaged.value.good) == 54
        await inspection.look_again()
        assert "B" in store.damaged
        await delete_tables(store, ["B"])
        await inspection.look_again()
        assert not store.damaged
        await store.close()

    asyncio.run(scenario())


def test_an_inspection_waits_for_a_database_that_is_out_of_order(file, tmp_path, monkeypatch):
    """It goes on where it was; a table that is written anew meanwhile is not taken for damaged."""
    path = tmp_path / "tables.db"
    path.write_bytes(file[0])

    async def scenario():
        store = Store(str(path))
        real, calls = store.aside, 0

        async def shaky(work):
            nonlocal calls
            calls += 1
            if calls == 4:
                raise DatabaseError("no answer within 4 seconds")
            if calls == 5:  # in the middle of the long table
                lines = pseudonymised(await store.read("B"), "A")
                written = [*lines, Line(len(lines) + 1, 5.0, Forgotten())]
                append = Append("B", 0, written, summary(fold("B", written)))
                assert await store.replace(append, len(lines))
            return await real(work)

        monkeypatch.setattr(store, "aside", shaky)
        inspection = Inspection(store, no_rest, most=10)
        await inspection.run()
        assert inspection.done and calls >= 7
        assert not store.damaged
        await store.close()

    asyncio.run(scenario())
