"""What whoever hosts can do at the databases, beside running servers."""

import asyncio
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from droptable.tables import commands as cmd
from droptable.tables import events as ev
from droptable.tables import moderation, retention
from droptable.tables.house import Blocked
from droptable.tables.profiles import public_id_of
from droptable.tables.rejected import Rejected
from droptable.tables.retention import DAY, Keep
from droptable.tables.settings import Clock
from droptable.tables.statistics import statistics
from droptable.tables.store import Store
from droptable.terminal.admin import app
from tests.tables.club import Club


def run(database, scenario):
    async def whole():
        club = Club(database)
        club.now = 1000 * DAY
        host = await club.host()
        try:
            return await scenario(club, host, Store(database))
        finally:
            for one in list(club.hosts):
                await club.close(one)

    return asyncio.run(whole())


def test_a_blocked_person_is_refused_at_all_servers(database):
    """Another program blocks Bob: each server refuses his commands and visits with the reason once
    it has looked, and lets him in again after that."""

    async def scenario(club, host, store):
        table = await club.two(host)
        bob = await public_id_of(store, "b")
        await moderation.block(store, bob, "spam", club.now)
        await host.heed_house()
        answer = await club.send(host, table, "b", cmd.Chat("hello"))
        assert (answer.ok, answer.kind) == (False, "forbidden")
        assert "spam" in answer.message
        with pytest.raises(Blocked):
            await host.register("b", "Robert")
        assert (await club.send(host, table, "a", cmd.Chat("hello"))).ok
        await moderation.unblock(store, bob, club.now)
        await host.heed_house()
        assert (await club.send(host, table, "b", cmd.Chat("hello"))).ok
        await store.close()

    run(database, scenario)


def test_names_and_chat_change_while_a_match_goes_on(database):
    """A rename reaches the tables where somebody sits, and removed chat is gone from the database;
    the match goes on with its clock, and the server that has the table in memory catches up."""

    async def scenario(club, host, store):
        table = await club.two(host, clock=Clock("turn", 60, "resign"))
        for text in ("first words", "second words"):
            assert (await club.send(host, table, "b", cmd.Chat(text))).ok
        bob = await public_id_of(store, "b")
        said = await moderation.chat(store, table)
        assert [(m.name, m.text, m.id) for m in said] == [
            ("Bob", "first words", bob), ("Bob", "second words", bob)
        ]  # fmt: skip
        await moderation.remove_message(store, table, said[0].seq, club.now)
        assert [m.text for m in await moderation.chat(store, table)] == ["…", "second words"]
        assert await moderation.remove_chat(store, bob, club.now) == 1
        assert await moderation.rename(store, bob, "Robert", club.now) == 1
        await host.heed_house()
        now = await host.refreshed(table)
        assert list(now.names) == ["Ann", "Robert"]
        bodies = str([line.event for line in await store.read(table)])
        assert "words" not in bodies
        assert "Bob" not in bodies
        club.now += 61
        assert await host.sweep() == 1  # the clock was not lost
        assert (await host.table(table)).status == "over"
        await store.close()

    run(database, scenario)


def test_wrong_acts_name_what_was_wrong(database):
    """Unknown people, tables, messages and times are refused with their value."""

    async def scenario(club, host, store):
        table = await club.two(host)
        bob = await public_id_of(store, "b")
        for act, word in (
            (moderation.block(store, "nobody", "", club.now), "nobody"),
            (moderation.block(store, bob, "x" * 999, club.now), "999"),
            (moderation.rename(store, bob, " ", club.now), "name"),
            (moderation.remove_message(store, table, 77, club.now), "77"),
            (moderation.chat(store, "no-such"), "no-such"),
            (moderation.tables(store, "", "sleeping"), "sleeping"),
            (moderation.announce(store, "", 0, club.now + 9, club.now), "is 0"),
            (moderation.announce(store, "x", 9, 8, club.now), "must end"),
        ):
            with pytest.raises(Rejected, match=word):
                await act
        await store.close()

    run(database, scenario)


def test_an_announcement_has_its_time(database):
    """It is shown between its two moments, replaces the one before, and can be withdrawn."""

    async def scenario(club, host, store):
        now = club.now
        await moderation.announce(store, "old", now, now + 50, now)
        await moderation.announce(store, "Closed at noon", now + 10, now + 20, now)
        await host.heed_house()
        told = [host.house.announcement(now + s) for s in (0, 10, 19, 20)]
        assert told == ["", "Closed at noon", "Closed at noon", ""]
        await moderation.withdraw(store, now)
        await host.heed_house()
        assert host.house.announcement(now + 15) == ""
        await store.close()

    run(database, scenario)


def test_old_chat_is_removed_once(database):
    """Chat goes with its time, at tables that nobody has touched since; the overview told so
    before, and a second round finds nothing."""

    async def scenario(club, host, store):
        table = await club.two(host)
        assert (await club.send(host, table, "b", cmd.Chat("long ago"))).ok
        keep, later = replace(Keep(), chat=10.0), club.now + 11 * DAY
        assert (await retention.overview(store, keep, club.now + 9 * DAY))["chat"] == 0
        assert (await retention.overview(store, keep, later))["chat"] == 1
        _count, gone, silent = await retention.step(store, keep, later)
        assert (gone, silent) == ([], [table])
        lines = await store.read(table)
        assert [line.event.text for line in lines if isinstance(line.event, ev.Chatted)] == ["…"]
        await retention.step(store, keep, later)
        assert await store.read(table) == lines
        await store.close()

    run(database, scenario)


def test_statistics_count_what_happened(database):
    """Matches by game and day, people who came and who are new, commands and load."""

    async def scenario(club, host, store):
        table = await club.two(host)
        await host.visited("a")
        assert (await club.send(host, table, "b", cmd.Resign())).ok
        found = await statistics(store, club.now + 1, days=3)
        assert found.matches == {"drop": [0, 0, 1]}
        assert (found.people, found.new) == ([0, 0, 1], [0, 0, 2])
        assert found.busy[-1] >= 0
        await store.close()

    run(database, scenario)


def test_the_command_line(tmp_path):
    """It lists, blocks and draws beside a server, and says what it did; nobody's identity and no
    table's id is in what it says of its acts."""
    file = tmp_path / "tables.db"

    async def prepare():
        club = Club(str(file))
        host = await club.host(start=False)
        table = await club.two(host)
        await club.send(host, table, "b", cmd.Chat("rude"))
        bob = await public_id_of(host.store, "b")
        await club.close(host)
        return table, bob

    table, bob = asyncio.run(prepare())

    def admin(*arguments, code=0):
        first, *others = arguments
        result = CliRunner().invoke(app, [first, "--database", str(file), *others])
        assert result.exit_code == code, (result.output, result.exception)
        return result.output

    assert bob in admin("people", "bo")
    assert "Ann" not in admin("people", "bo")
    assert table in admin("tables", "--status", "playing")
    said = admin("chat", "--", table)
    assert "rude" in said
    number = said.split()[0]
    admin("remove-chat", f"--table={table}", "--message", number)
    assert "rude" not in admin("chat", "--", table)
    admin("block", bob, "--reason", "rudeness")
    assert "blocked rudeness" in admin("people", "bo")
    admin("announce", "Back at noon", "--until", "2100-01-01T12:00")
    told = admin("log")
    assert "block " + bob in told
    assert table not in told
    assert "guests" in admin("retention")
    admin("statistics", str(tmp_path))
    assert (tmp_path / "matches.svg").read_text().startswith("<svg")
    assert CliRunner().invoke(app, ["remove-chat", "--database", str(file)]).exit_code
