"""Hosts: commands are answered, committed before anybody is told, and survive their server."""

import asyncio

import pytest

from droptable.tables import commands as cmd
from droptable.tables.decide import ABSENT
from droptable.tables.limits import Limits
from droptable.tables.rejected import Rejected
from droptable.tables.settings import Settings
from droptable.tables.viewer import since
from tests.tables.club import meet, until
from tests.tables.test_store import query


def test_a_command_that_comes_twice_is_obeyed_once(database):
    """The same id from the same person, at once or one after the other, or after a restart."""

    async def scenario(club):
        host = await club.host()
        table = await club.two(host)
        before = (await host.table(table)).seq
        said = [club.send(host, table, "a", cmd.Chat("hi"), id_="x") for _ in range(5)]
        assert all(answer.ok and answer.id == "x" for answer in await asyncio.gather(*said))
        assert (await host.table(table)).seq == before + 1
        await club.close(host)
        host = await club.host()
        assert (await club.send(host, table, "a", cmd.Chat("hi"), id_="x")).ok
        assert (await club.send(host, table, "b", cmd.Chat("ho"), id_="x")).ok
        assert [x["text"] for x in since(await host.table(table), 0)][-2:] == ["hi", "ho"]

    meet(database, scenario)


def test_several_moves_that_come_twice_are_made_once(database):
    """The same command again is answered in the same way, and makes no further move."""

    async def scenario(club):
        host = await club.host()
        table = (await host.create("a", Settings("number-drop", seats=("me",)))).id
        assert (await club.send(host, table, "a", cmd.Move("write 1"))).ok
        state, tokens = (await host.table(table)).state.copy(), []
        while len(tokens) < 4:
            tokens.append(state.legal(0)[0])
            state.apply(0, tokens[-1])
        seq = (await host.table(table)).ledgers[0].seq
        sent = [cmd.Moves(tuple(tokens))] * 3
        answers = [await club.send(host, table, "a", m, id_="x", seq=seq) for m in sent]
        assert all(answer.ok and answer.seq == seq + 4 for answer in answers)
        assert bytes((await host.table(table)).state) == bytes(state)

    meet(database, scenario)


def test_refusals_are_answers(database):
    """Kind, message and rule of what is not possible; nothing is stored."""

    async def scenario(club):
        host = await club.host()
        table = await club.two(host)
        seq = (await host.table(table)).seq
        for identity, command, kind in (
            ("a", cmd.Move("fly"), "syntax"),
            ("b", cmd.Move("0,0"), "illegal"),
            ("b", cmd.Mute(True), "forbidden"),
            ("z", cmd.Join(), "forbidden"),
        ):
            answer = await club.send(host, table, identity, command)
            assert (answer.ok, answer.kind) == (False, kind) and answer.message
        answer = await club.send(host, "nowhere", "a", cmd.Join())
        assert (answer.kind, answer.message) == ("gone", "there is no table 'nowhere'")
        answer = await club.send(host, table, "a", cmd.Move("0,0"), seq=0)
        assert answer.kind == "stale" and answer.seq == (await host.table(table)).ledgers[0].seq
        assert len(await host.store.read(table)) == seq

    meet(database, scenario)


def test_reordered_moves_are_stale_and_change_nothing(database):
    """Messages that arrive in another order than they were sent do no harm."""

    async def scenario(club):
        host = await club.host()
        table = await club.two(host)
        seen = (await host.table(table)).ledgers[0].seq
        assert (await club.move(host, table, "a")).ok
        late = await club.send(host, table, "a", cmd.Move("0,1"), seq=seen)
        assert late.kind == "stale"
        assert len((await host.table(table)).state.events) == 1

    meet(database, scenario)


def test_two_servers_serve_one_table(database):
    """Ann at one, Bob at the other: every move is made once, and both end with the same match."""

    async def scenario(club):
        one, two = await club.host(), await club.host()
        table = await club.two(one)
        await two.table(table)
        heard = []
        two.subscribe(table, lambda t: heard.append(t.seq))
        for _ in range(6):
            for host, identity, seat in ((one, "a", 0), (two, "b", 1)):
                await one._open_tables[table].refresh()
                await two._open_tables[table].refresh()
                while seat in (await host.table(table)).state.to_act:
                    assert (await club.move(host, table, identity)).ok
        await one._open_tables[table].refresh()
        await two._open_tables[table].refresh()
        first, second = await one.table(table), await two.table(table)
        assert bytes(first.state) == bytes(second.state) and first.seq == second.seq
        assert heard and heard == sorted(heard)

    meet(database, scenario)


def test_news_reach_the_other_server(database):
    """With PostgreSQL, what one server commits the other one's listeners are told; presence too."""
    if not database.startswith("postgresql"):
        pytest.skip("an SQLite file is served by one process")

    async def scenario(club):
        one, two = await club.host(), await club.host()
        table = await club.two(one)
        await two.table(table)
        heard = []
        two.subscribe(table, lambda t: heard.append(t.seq))
        assert (await club.move(one, table, "a")).ok
        await until(lambda: heard and heard[-1] == one._open_tables[table].table.seq)
        one.enter(table, "a")
        await until(lambda: two.present(table) == {"a"})
        one.leave(table, "a")
        await until(lambda: two.present(table) == frozenset())

    meet(database, scenario)


def test_a_server_that_lags_behind_looks_again(database):
    """Who comes from another server is not shown an older table: the store is read again."""

    async def scenario(club):
        one, two = await club.host(), await club.host(start=False)  # which hears no news
        table = await club.two(one)
        before = (await two.table(table)).seq
        assert (await club.move(one, table, "a")).ok
        assert (await two.table(table)).seq == before
        assert (await two.refreshed(table)).seq == (await one.table(table)).seq > before

    meet(database, scenario)


def test_a_broken_connection_is_made_again(database):
    """After PostgreSQL has cut all connections, news arrive again and commands work."""
    if not database.startswith("postgresql"):
        pytest.skip("SQLite has no connections to cut")

    async def scenario(club):
        one, two = await club.host(), await club.host()
        table = await club.two(one)
        await two.table(table)
        query(
            database,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()",
        )

        async def moves():
            return (await club.move(one, table, "a")).ok or len(
                one._open_tables[table].table.state.events
            )

        await until(moves)
        await until(lambda: two._open_tables[table].table.seq == one._open_tables[table].table.seq)

    meet(database, scenario)


def test_a_bot_takes_over_for_who_has_left(database):
    """Nobody may while the person is connected; after a while, anybody at the table may."""

    async def scenario(club):
        host = await club.host()
        table = await club.two(host)
        host.enter(table, "b")
        host.enter(table, "b")
        club.now += 2 * ABSENT
        assert (await club.send(host, table, "a", cmd.TakeOver(1))).kind == "forbidden"
        host.leave(table, "b")
        assert host.present(table) == {"b"}
        host.leave(table, "b")
        club.now += ABSENT - 1
        answer = await club.send(host, table, "a", cmd.TakeOver(1))
        assert "away for 59 seconds" in answer.message
        club.now += 1
        assert (await club.send(host, table, "a", cmd.TakeOver(1))).ok
        assert (await club.send(host, table, "b", cmd.Return())).ok

    meet(database, scenario)


def test_a_rematch_is_one_table_for_both(database):
    """Whoever asks first makes it, and who asks as well sits down there: it starts."""

    async def scenario(club):
        host = await club.host()
        table = await club.two(host)
        assert (await club.send(host, table, "a", cmd.Resign())).ok
        first = await club.send(host, table, "a", cmd.Rematch())
        new = await host.table(first.table)
        assert new.previous == table and new.names == ["Seat 1", "Ann"]
        second = await club.send(host, table, "b", cmd.Rematch(), id_="again")
        assert second.ok and second.table == first.table
        new = await host.table(first.table)
        assert (new.status, new.names) == ("playing", ["Bob", "Ann"])
        seq = new.seq
        for identity in "ab":
            assert (await club.send(host, table, identity, cmd.Rematch(), id_="again")).ok
        assert (await host.table(first.table)).seq == seq

    meet(database, scenario)


def test_both_ask_for_a_rematch_at_once(database):
    """On one server or on two, nobody is left standing."""

    async def scenario(club):
        one, two = await club.host(), await club.host()
        for other in (one, two):
            table = await club.two(one)
            await other.table(table)
            assert (await club.send(one, table, "a", cmd.Resign())).ok
            await other.refreshed(table)
            asked = [club.send(h, table, i, cmd.Rematch()) for h, i in ((one, "a"), (other, "b"))]
            first, second = await asyncio.gather(*asked)
            assert first.ok and second.ok and first.table == second.table
            new = await one.refreshed(first.table)
            assert (new.status, new.names) == ("playing", ["Bob", "Ann"])

    meet(database, scenario)


def test_teams_sit_down_together_again(database):
    """Everybody of a team is seated at its seat; the owner starts."""

    async def scenario(club):
        host = await club.host()
        for identity, name in (("c", "Cid"), ("d", "Dan")):
            await host.register(identity, name)
        seats = ("me", "open", "open")
        table = (await host.create("a", Settings("drop-or-pop", seats=seats))).id
        for identity, seat in (("b", 1), ("c", 2), ("d", 2)):
            assert (await club.send(host, table, identity, cmd.Join(seat))).ok
        assert (await club.send(host, table, "a", cmd.Start())).ok
        for identity in "ab":
            assert (await club.send(host, table, identity, cmd.Resign())).ok
        asked = [club.send(host, table, identity, cmd.Rematch()) for identity in "dbca"]
        (new,) = {answer.table for answer in await asyncio.gather(*asked)}
        people = [set(seat.people.values()) for seat in (await host.table(new)).seats]
        assert people == [{"Cid", "Dan"}, {"Ann"}, {"Bob"}]
        assert (await club.send(host, new, "d", cmd.Start())).ok

    meet(database, scenario)


def test_limits_are_kept_and_named(database):
    """Too fast, too many tables, nameless, too long a name."""

    async def scenario(club):
        host = await club.host(limits=Limits(tables=2, commands=1.0, burst=5))
        table = await club.two(host)
        answers = [await club.send(host, table, "a", cmd.Chat("x")) for _ in range(6)]
        assert [answer.ok for answer in answers] == [True] * 4 + [False] * 2
        assert (
            answers[-1].kind == "limit"
            and "at most 5 at once and 1 per second" in answers[-1].message
        )
        club.now += 2
        assert (await club.send(host, table, "a", cmd.Chat("x"))).ok
        await host.create("a", Settings("drop"))
        club.now += 2
        with pytest.raises(Rejected, match="you have 2 unfinished tables"):
            await host.create("a", Settings("drop"))
        with pytest.raises(Rejected, match="choose a name first"):
            await host.create("z", Settings("drop"))
        for name in ("", " \n"):
            with pytest.raises(Rejected, match="Please enter a name"):
                await host.register("a", name)
        with pytest.raises(Rejected, match="at most 30 characters, not 31"):
            await host.register("a", "x" * 31)

    meet(database, scenario)


def test_few_tables_are_kept_in_memory(database):
    """Those that nobody watches are dropped, and read again when they are needed."""

    async def scenario(club):
        host = await club.host(limits=Limits(tables=99, open_tables=3, burst=999))
        watched = await club.two(host)
        stop = host.subscribe(watched, lambda _: None)
        tables = [await club.two(host) for _ in range(8)]
        assert host.open_tables == 3 and watched in host._open_tables
        for table in tables:
            assert (await club.move(host, table, "a")).ok
        assert host.open_tables <= 3
        stop()

    meet(database, scenario)


def test_a_new_name_is_known_at_all_servers(database):
    """What somebody was called is not remembered elsewhere for long: the others are told."""
    if "://" not in database:
        pytest.skip("an SQLite file is for one server")

    async def scenario(club):
        one, other = await club.host(), await club.host()
        assert (await other.who("b")).name == "Bob"
        await one.register("b", "Robert")

        async def renamed():
            return (await other.who("b")).name == "Robert"

        await until(renamed)  # the clock stands still: no memory has expired

    meet(database, scenario)
