"""The store: what is committed stays, one writer wins, and schemas are brought up to date."""

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
import textwrap
import traceback
import uuid
from contextlib import closing

import psycopg
import pytest

import droptable
from droptable.core.errors import OptionError
from droptable.tables import commands as cmd
from droptable.tables import schema
from droptable.tables.database import Database, DatabaseError
from droptable.tables.events import Chatted, Line, encode
from droptable.tables.store import Append, Store
from droptable.tables.summary import Score, summary
from droptable.tables.table import fold
from tests.tables.sitting import ANN, BOB, Sitting

PLAIN = os.environ | {"DROPTABLE_COMPILE": "never"}  # other processes need no compiled rules


def first(table="T", **settings):
    """The first append of a table, with its sitting."""
    sitting = Sitting("drop", **settings)
    sitting.table.id = table
    return sitting, Append(table, 0, sitting.lines, summary(sitting.table))


def chat(table, after, text, command=""):
    line = Line(after + 1, 5.0, Chatted("A", "Ann", text), command)
    return Append(table.id, after, [line], summary(table, table))


def with_store(url, scenario):
    async def run():
        store = Store(url)
        try:
            return await scenario(store)
        finally:
            await store.close()

    return asyncio.run(run())


def query(url, statement):
    """What the database itself says."""
    if url.startswith("postgresql"):
        with psycopg.connect(url) as connection:
            return connection.execute(statement).fetchall()
    with closing(sqlite3.connect(url)) as connection:
        return connection.execute(statement).fetchall()


def change(url, statement):
    if url.startswith("postgresql"):
        with psycopg.connect(url) as connection:
            connection.execute(statement)
    else:
        with closing(sqlite3.connect(url)) as connection, connection:
            connection.execute(statement)


def test_events_come_back_as_they_were(database):
    """Numbers, times, commands and bodies; also after opening the database again."""
    sitting, append = first()
    with_store(database, lambda store: store.append(append))
    lines = with_store(database, lambda store: store.read("T"))
    assert lines == sitting.lines
    assert with_store(database, lambda store: store.read("T", 1)) == sitting.lines[1:]
    assert with_store(database, lambda store: store.read("U")) == []
    assert fold("T", lines).names == sitting.table.names


def test_one_writer_wins_each_number(database):
    """Two stores append after the same number many times: one succeeds, nothing is mixed."""
    sitting, append = first()

    async def scenario(one):
        two = Store(database)
        await one.append(append)
        start = sitting.table.seq
        wins = [0, 0]
        for after in range(start, start + 30):
            done = await asyncio.gather(
                one.append(chat(sitting.table, after, "one")),
                two.append(chat(sitting.table, after, "two")),
            )
            assert sorted(done) == [False, True]
            wins[done.index(True)] += 1
            lines = await one.read("T", after)
            assert [line.event.text for line in lines] == ["one" if done[0] else "two"]
        await two.close()
        return wins

    assert sum(with_store(database, scenario)) == 30


def test_appends_of_several_tables_are_all_or_nothing(database):
    """A rematch adds to two tables: if one is refused, so is the other."""
    sitting, append = first()
    _, other = first("U")

    async def scenario(store):
        await store.append(append)
        late = chat(sitting.table, sitting.table.seq - 1, "late")
        assert not await store.append(other, late)
        assert await store.read("U") == []
        assert await store.append(other, chat(sitting.table, sitting.table.seq, "in time"))
        assert len(await store.read("U")) == len(other.lines)

    with_store(database, scenario)


def test_what_waits_is_committed_together(database):
    """Many appends at once are few transactions; a bad one among them fails alone."""
    sittings = [first(f"T{i}") for i in range(60)]

    async def scenario(store):
        asked = [store.append(append) for _, append in sittings]
        bad = [chat(sittings[0][0].table, sittings[0][0].table.seq, "x", "same") for _ in range(1)]
        assert all(await asyncio.gather(*asked))
        table = sittings[0][0].table
        assert await store.append(*bad)
        again = chat(table, table.seq + 1, "y", "same")  # breaks the unique command
        good = [chat(s.table, s.table.seq, "z") for s, _ in sittings[1:]]
        done = await asyncio.gather(
            *[store.append(part) for part in (again, *good)], return_exceptions=True
        )
        assert isinstance(done[0], Exception)
        assert done[1:] == [True] * 59
        assert len(await store.read("T0")) == table.seq + 1

    with_store(database, scenario)
    assert query(database, "SELECT count(*) FROM tables") == [(60,)]


def test_lists_show_open_live_finished_and_mine(database):
    """Public tables by status; one's own with whether it is one's turn."""

    async def scenario(store):
        public, append = first("P", public=True, title="come in")
        await store.append(append)
        await store.append(first("H")[1])
        listed = await store.public("open")
        assert [(t.table, t.title, t.free, t.names) for t in listed] == [
            ("P", "come in", 1, ("Ann", "Seat 2"))
        ]
        before = public.table
        public.do(BOB, cmd.Join())
        lines = public.lines[before.seq :]
        assert await store.append(Append("P", before.seq, lines, summary(public.table, before)))
        assert [t.table for t in await store.public("live")] == ["P"]
        assert [(t.table, t.turn) for t in await store.mine("B")] == [("P", False)]
        assert {(t.table, t.turn) for t in await store.mine("A")} == {("P", True), ("H", False)}
        before = public.table
        public.move(ANN)
        lines = public.lines[before.seq :]
        await store.append(Append("P", before.seq, lines, summary(public.table, before)))
        assert [t.turn for t in await store.mine("B")] == [True]
        before = public.table
        public.do(ANN, cmd.Resign())
        lines = public.lines[before.seq :]
        await store.append(Append("P", before.seq, lines, summary(public.table, before)))
        assert [(t.table, t.winners) for t in await store.public("finished")] == [("P", (1,))]
        assert await store.count_owned("A") == 1

    with_store(database, scenario)


def test_a_due_table_is_claimed_once(database):
    """Of many servers one gets a table that is due, until its lease is over."""

    async def scenario(store):
        sitting, append = first()
        await store.append(Append("T", 0, append.lines, append.summary, due_at=10.0))
        other = Store(database)
        assert await store.next_due() == 10.0
        assert await store.claim_due(9.0, 29.0) == []
        claimed = await asyncio.gather(*[s.claim_due(10.0, 30.0) for s in (store, other)])
        assert sorted(claimed) == [[], ["T"]]
        assert await other.claim_due(29.0, 50.0) == []
        assert await other.claim_due(30.0, 50.0) == ["T"]
        await store.set_due("T", sitting.table.seq - 1, 1.0)  # meant for another moment
        assert await store.next_due() == 50.0
        await store.set_due("T", sitting.table.seq, None)
        assert await store.next_due() is None
        await other.close()

    with_store(database, scenario)


def test_people_links_and_secrets(database):
    """Names change, links work once and not for ever, servers share secrets."""

    async def scenario(store):
        assert await store.name_of("a") is None
        await store.save_identity("a", "Ann", 1.0)
        await store.save_identity("a", "Anna", 2.0)
        assert await store.name_of("a") == "Anna"
        await store.add_link("h", "a", 100.0)
        await store.add_link("i", "a", 100.0)
        assert await store.take_link("h", 50.0) == "a"
        assert await store.take_link("h", 50.0) is None
        assert await store.take_link("i", 101.0) is None
        other = Store(database)
        secret = await store.secret("cookie")
        assert len(secret) >= 32 and await other.secret("cookie") == secret
        assert await store.secret("other") != secret
        await other.close()

    with_store(database, scenario)


def test_solo_scores_are_kept_best_first(database):
    """Equal scores stand in the order in which they were reached."""

    async def scenario(store):
        for number, score in enumerate((20, 50, 20)):
            _, append = first(f"T{number}")
            entry = Score(f"T{number}", "number-drop", "Ann", score, float(number))
            await store.append(Append(append.table, 0, append.lines, append.summary, None, entry))
        best = await store.scores("number-drop", identity="A")
        assert [(s.table, s.score) for s in best] == [("T1", 50), ("T0", 20), ("T2", 20)]
        for stranger in ("", "b"):  # the tables are private
            best = await store.scores("number-drop", identity=stranger)
            assert [(s.table, s.score) for s in best] == [("", 50), ("", 20), ("", 20)]
        assert await store.scores("drop") == []

    with_store(database, scenario)


def test_analyses_are_kept(database, monkeypatch):
    """The coach's last word on a match is kept, and of all matches the last ones."""
    monkeypatch.setattr("droptable.tables.store.MOST_ANALYSES", 2)

    async def scenario(store):
        assert await store.analysis("table:T:5") is None
        for at, match in enumerate(("a", "b", "a", "c")):
            await store.save_analysis(match, f"{match} {at}", float(at))
        assert [await store.analysis(match) for match in "abc"] == ["a 2", None, "c 3"]

    with_store(database, scenario)


def test_an_older_schema_is_brought_up_to_date(database, monkeypatch):
    """A database of the first version gets the later steps, once, and keeps what it has."""
    sitting, _ = first()
    sitting.do(BOB, cmd.Join())
    with closing(Database(database).connect()) as older, older.transaction(writes=True):
        schema.migrate(older, schema.MIGRATIONS[:1])
        add_as_the_first_version_did(older, sitting)
    assert query(database, "SELECT version FROM schema") == [(1,)]
    later = (*schema.MIGRATIONS, ("ALTER TABLE identities ADD COLUMN colour TEXT",))
    monkeypatch.setattr(schema.migrate, "__defaults__", (later,))
    for _ in range(2):
        assert with_store(database, lambda store: store.read("T")) == sitting.lines
    assert query(database, "SELECT version FROM schema") == [(len(later),)]
    assert query(database, "SELECT colour FROM identities") == []
    mine = with_store(database, lambda store: store.mine("A"))
    assert [(listed.table, listed.turn) for listed in mine] == [("T", True)]
    assert [t.turn for t in with_store(database, lambda store: store.mine("B"))] == [False]
    seq = sitting.table.seq
    assert with_store(database, lambda store: store.append(chat(sitting.table, seq, "hi")))
    lines = with_store(database, lambda store: store.read("T"))
    assert lines[:-1] == sitting.lines and lines[-1].event.text == "hi"


def add_as_the_first_version_did(connection, sitting):
    """Rows of a table without checksums, each seat with its turn."""
    columns = summary(sitting.table).columns | {"id": "T", "seq": sitting.table.seq}
    del columns["turns"]
    columns |= {name: json.dumps(columns[name]) for name in ("names", "winners")}
    names = ", ".join(columns)
    values = ", ".join(f":{name}" for name in columns)
    connection.execute(f"INSERT INTO tables ({names}) VALUES ({values})", columns)
    for line in sitting.lines:
        connection.execute(
            "INSERT INTO events (table_id, seq, at, body) VALUES ('T', :seq, :at, :body)",
            {"seq": line.seq, "at": line.at, "body": encode(line.event)},
        )
    for seat, identity in enumerate("AB"):
        connection.execute(
            "INSERT INTO seats (table_id, seat, identity, turn) VALUES ('T', :seat, :who, :turn)",
            {"seat": seat, "who": identity, "turn": int(seat == 0)},
        )


def test_a_newer_schema_is_refused(database):
    """Another program's database is left alone, with a message that says why."""
    with_store(database, lambda store: store.ping())
    change(database, "UPDATE schema SET version = 99")
    with pytest.raises(droptable.DroptableError, match=r"version 99 of the schema; .* up to \d"):
        Store(database)


def test_servers_that_start_together_migrate_once(database):
    """Two processes open an empty database at the same time."""
    script = "import sys; from droptable.tables.store import Store; Store(sys.argv[1])"
    command = [sys.executable, "-c", script, database]
    started = [subprocess.Popen(command, env=PLAIN) for _ in range(2)]
    assert [process.wait(60) for process in started] == [0, 0]
    assert query(database, "SELECT version FROM schema") == [(len(schema.MIGRATIONS),)]


WRITER = """
    import asyncio, sys
    from droptable.tables.events import Chatted, Line
    from droptable.tables.store import Append, Store
    from droptable.tables.summary import summary
    from droptable.tables.table import fold

    async def write(store, id_):
        lines = await store.read(id_)
        table = fold(id_, lines)
        seq = table.seq
        while True:
            line = Line(seq + 1, 0.0, Chatted("A", "Ann", str(seq + 1)), f"c{seq + 1}")
            assert await store.append(Append(id_, seq, [line], summary(table, table)))
            seq += 1
            print(id_, seq, flush=True)  # acknowledged only after it is committed

    async def main(url):
        store = Store(url)
        await asyncio.gather(*[write(store, f"T{i}") for i in range(4)])

    asyncio.run(main(sys.argv[1]))
"""


def test_nothing_that_was_told_is_lost_when_a_writer_is_killed(database):
    """Kill -9 in the middle of appends, again and again: all told events are there, none twice."""
    sittings = [first(f"T{i}") for i in range(4)]

    async def create(store):
        for _, append in sittings:
            assert await store.append(append)

    with_store(database, create)
    acknowledged = {}
    for kill in range(5):
        command = [sys.executable, "-c", textwrap.dedent(WRITER), database]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=PLAIN) as writer:
            for count, line in enumerate(writer.stdout):
                if not line.endswith("\n"):
                    break  # it was killed while it spoke
                table, seq = line.split()
                assert int(seq) > acknowledged.get(table, 0)
                acknowledged[table] = int(seq)
                if count == 20 + 13 * kill:
                    writer.kill()
            assert writer.wait() == -9
    for table, seq in acknowledged.items():
        lines = with_store(database, lambda store, table=table: store.read(table))
        assert [line.seq for line in lines] == list(range(1, len(lines) + 1))
        assert len(lines) >= seq
        assert query(database, f"SELECT seq FROM tables WHERE id = '{table}'") == [(len(lines),)]
        assert fold(table, lines).seq == len(lines)
    assert len(acknowledged) == 4


def test_nobody_else_reads_an_sqlite_file(tmp_path):
    """The file holds secrets, so only its owner may read it."""
    url = str(tmp_path / "deep" / "tables.db")
    with_store(url, lambda store: store.ping())
    for file in (tmp_path / "deep").iterdir():
        assert file.stat().st_mode & 0o077 == 0, file


@pytest.mark.parametrize(("durability", "waits"), [("disk", 2), ("system", 1)])
def test_a_commit_waits_for_what_was_chosen(tmp_path, durability, waits):
    """SQLite is told to sync with each commit, or not."""
    with closing(Database(str(tmp_path / "tables.db"), durability).connect()) as connection:
        assert connection.value("PRAGMA synchronous") == waits


def test_postgresql_waits_for_nobody_without_end(database):
    """Each connection has a time for locks, statements and idle transactions, unless nobody waits
    for it; what the address says about the network comes first."""
    if "://" not in database:
        pytest.skip("SQLite has a time for locks only")
    times = ("lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout")
    chosen = database + ("&" if "?" in database else "?") + "keepalives_idle=77"
    with closing(Database(chosen, "disk").connect()) as connection:
        shown = [connection.value(f"SHOW {name}") for name in times]
        network = connection._driver.info.get_parameters()
    assert shown == ["1s", "3s", "2s"]
    assert (network["keepalives_idle"], network["connect_timeout"]) == ("77", "3")
    assert network["tcp_user_timeout"] == "5000"


def test_a_durability_that_does_not_exist_is_refused(tmp_path):
    """The message names the value and what was expected."""
    with pytest.raises(OptionError, match="'none'; expected disk or system"):
        Store(str(tmp_path / "tables.db"), "none")


def test_a_refusal_of_the_database_quotes_no_values(database):
    """Identities and commands are secrets; logs and answers show what the error says."""
    sitting, append = first()
    command = uuid.uuid4().hex

    async def scenario(store):
        await store.append(append)
        seq = sitting.table.seq
        await store.append(chat(sitting.table, seq, "hi", command))
        with pytest.raises(DatabaseError, match=r"(?i)unique") as refused:
            await store.append(chat(sitting.table, seq + 1, "hi", command))
        assert command not in "".join(traceback.format_exception(refused.value))

    with_store(database, scenario)


def test_a_file_that_cannot_be_made_is_a_refusal_too(tmp_path):
    """A folder where there is a file: the error names it."""
    (tmp_path / "file").touch()
    with pytest.raises(DatabaseError, match="file"):
        Store(str(tmp_path / "file" / "tables.db"))
