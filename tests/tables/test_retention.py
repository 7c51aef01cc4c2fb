"""What is deleted: after a while, or because somebody wants it."""

import asyncio
import sqlite3

import psycopg
import pytest
from typer.testing import CliRunner

from droptable.tables import commands as cmd
from droptable.tables import events as ev
from droptable.tables import retention
from droptable.tables.rejected import Rejected
from droptable.tables.retention import DAY, Keep
from droptable.tables.settings import Settings
from droptable.tables.store import Store
from droptable.tables.table import fold
from droptable.terminal.tables import app
from tests.tables.club import Club

ANN, BOB = "identity-of-ann-0123456", "identity-of-bob-0123456"


def everything(database):
    """All values of all rows of the database, as one text."""
    connect = psycopg.connect if database.startswith("postgresql") else sqlite3.connect
    connection = connect(database)
    try:
        names = "identities", "tables", "events", "seats", "scores", "links", "forgotten"
        return "\n".join(
            str(row)
            for name in names
            for row in connection.execute(f"SELECT * FROM {name}").fetchall()
        )
    finally:
        connection.close()


async def people(club):
    host = await club.host(start=False)
    await host.register(ANN, "Annabel")
    await host.register(BOB, "Bobby")
    return host


def test_what_is_kept_for_how_long(database):
    """Old links, waiting tables, unfinished matches and guests go after their time, not before;
    finished matches stay, and so do people who have one."""

    async def scenario():
        club = Club(database)
        club.now = 1000 * DAY
        host = await people(club)
        waiting = (await host.create(ANN, Settings("drop"))).id
        playing = (await host.create(ANN, Settings("drop", seats=("me", "random")))).id
        over = (await host.create(BOB, Settings("drop", seats=("me", "random")))).id
        assert (await club.send(host, over, BOB, cmd.Resign())).ok
        await host.store.add_link("hash", ANN, club.now + 900)
        for who in ("a", "b", ANN, BOB):
            await host.visited(who)
        keep = Keep(guests=20, waiting=10, unfinished=30)

        async def left(days):
            club.now = (1000 + days) * DAY
            while (await retention.step(host.store, keep, club.now))[0]:
                pass
            return set(await host.store.ids())

        assert await left(9) == {waiting, playing, over}
        assert await left(11) == {playing, over}
        assert "hash" not in everything(database)
        assert await host.store.name_of("a") == "Ann"
        assert await left(25) == {playing, over}
        assert await host.store.name_of("a") is None
        assert await host.store.name_of(ANN) == "Annabel"
        assert await left(31) == {over}
        assert await left(400) == {over}
        assert [await host.store.name_of(who) for who in (ANN, BOB)] == [None, "Bobby"]
        await club.close(host)

    asyncio.run(scenario())


def test_one_server_at_a_time_tidies_up(database):
    """Of several servers one gets the turn, and another one later."""

    async def scenario():
        club = Club(database)
        first, second = await people(club), await people(club)
        turns = [await retention.claim(host.store, club.now) for host in (first, second, first)]
        assert turns == [True, False, False]
        assert await retention.claim(second.store, club.now + retention.TURN)
        for host in (first, second):
            await club.close(host)

    asyncio.run(scenario())


def test_a_deleted_person_is_nowhere(database):
    """Nothing in the database has the identity, the name or the words of somebody who was deleted;
    matches are as they were, and another server that has one open forgets them too."""

    async def scenario():
        club = Club(database)
        host, other = await people(club), await people(club)
        finished = (await host.create(ANN, Settings("drop", seats=("me", "open")))).id
        await club.send(host, finished, BOB, cmd.Join())
        await club.send(host, finished, ANN, cmd.Chat("my-secret-words"))
        await club.send(host, finished, BOB, cmd.Chat("words-of-bob"))
        seat = (await host.table(finished)).state.to_act[0]
        mover = ANN if (await host.table(finished)).seat_of(ANN) == seat else BOB
        token = (await host.table(finished)).state.legal(seat)[0]
        await club.send(host, finished, mover, cmd.Move(token))
        solo = (await host.create(ANN, Settings("number-drop", seats=("me",)))).id
        waiting = (await host.create(BOB, Settings("depot", seats=("me", "open", "open")))).id
        await club.send(host, waiting, ANN, cmd.Join())
        await host.store.add_link("hash", ANN, club.now + 900)
        await other.table(finished)
        before = (await host.table(finished)).state.events
        await host.forget(ANN)
        await host.tidy_up()
        text = everything(database)
        for gone in (ANN, "Annabel", "my-secret-words", "hash"):
            assert gone not in text, gone
        assert "words-of-bob" in text and "Bobby" in text
        for table in (finished, solo, waiting):
            lines = await host.store.read(table)
            assert fold(table, lines).seq == (await host.table(table)).seq
            assert isinstance(lines[-1].event, ev.Forgotten)
        kept = await other.refreshed(finished)
        assert kept.state.events == before and kept.status == "over"
        assert kept.names[1 - kept.seat_of(BOB)] == "Somebody"
        assert kept.winners == (kept.seat_of(BOB),)
        with pytest.raises(Rejected):
            await host.who(ANN)
        club.now += 60
        with pytest.raises(Rejected):
            await other.who(ANN)
        for one in (host, other):
            await club.close(one)

    asyncio.run(scenario())


def test_a_match_that_goes_on_is_written_anew_later(database):
    """Where others play on, a bot takes the seat, and the table forgets its person at the end."""

    async def scenario():
        club = Club(database)
        host = await people(club)
        table = (await host.create(ANN, Settings("drop-site", seats=("me", "open", "open")))).id
        for who in (BOB, "a"):
            await club.send(host, table, who, cmd.Join())
        await host.forget(ANN)
        await host.tidy_up()
        assert (await host.table(table)).status == "playing" and ANN in everything(database)
        for who in (BOB, "a"):
            await club.send(host, table, who, cmd.Resign())
        assert (await host.table(table)).status == "over"
        await host.tidy_up()
        assert ANN not in everything(database)
        await club.close(host)

    asyncio.run(scenario())


def test_who_may_delete_a_table(database):
    """Its owner, if nobody else sits there and no match is being played."""

    async def scenario():
        club = Club(database)
        host = await people(club)
        table = (await host.create(ANN, Settings("drop", seats=("me", "open")))).id
        with pytest.raises(Rejected, match="only the owner"):
            await host.delete_table(table, BOB)
        await club.send(host, table, BOB, cmd.Join())
        with pytest.raises(Rejected, match="is being played"):
            await host.delete_table(table, ANN)
        await club.send(host, table, BOB, cmd.Resign())
        with pytest.raises(Rejected, match="other people"):
            await host.delete_table(table, ANN)
        alone = (await host.create(ANN, Settings("drop"))).id
        await host.delete_table(alone, ANN)
        with pytest.raises(Rejected, match="there is no table"):
            await host.table(alone)
        assert alone not in everything(database)
        await club.close(host)

    asyncio.run(scenario())


def test_a_host_deletes_tables_by_command(tmp_path):
    """One by its id, and all that were not touched for so many days; an unknown id is named."""
    file = str(tmp_path / "tables.db")
    club = Club(file)

    async def tables():
        club.hosts.clear()
        host = await people(club)
        made = [(await host.create(ANN, Settings("drop"))).id for _ in range(3)]
        await club.close(host)
        return made

    async def left():
        store = Store(file)
        try:
            return await store.ids()
        finally:
            await store.close()

    first, *others = asyncio.run(tables())
    runner = CliRunner()
    done = runner.invoke(app, ["delete", "--database", file, "--", first])
    assert done.exit_code == 0 and "1 table deleted" in done.output
    again = runner.invoke(app, ["delete", "--database", file, "--", first])
    assert "1 of 1 tables did not exist" in str(again.exception)
    assert sorted(asyncio.run(left())) == sorted(others)
    done = runner.invoke(app, ["prune", "--older-than", "1", "--database", file])
    assert "2 tables deleted" in done.output and asyncio.run(left()) == []
