"""Hosts: commands are answered, committed before anybody is told, and survive their server."""

import asyncio

import pytest

import droptable
from droptable.tables import commands as cmd
from droptable.tables.bot_pool import Thinkers
from droptable.tables.database import DatabaseError
from droptable.tables.decide import ABSENT
from droptable.tables.host import LEASE
from droptable.tables.leaderboard import board
from droptable.tables.limits import Limits
from droptable.tables.rejected import Rejected
from droptable.tables.settings import Clock, Settings
from droptable.tables.viewer import since
from tests.tables.club import PLENTY, QuickThinkers, meet, until
from tests.tables.test_store import query


def test_a_match_with_bots_is_played_to_its_end(database):
    """Bots move by themselves; everybody is told only what is in the database already."""

    async def scenario(club):
        host = await club.host()
        seats = ("me", "random", "random")
        table = await host.create("a", Settings("drop-or-pop", seats=seats))
        told = []

        def listen(table):
            ((stored,),) = query(
                club.url, f"SELECT max(seq) FROM events WHERE table_id = '{table.id}'"
            )
            told.append((table.seq, stored))

        stop = host.subscribe(table.id, listen)
        while (await host.table(table.id)).status == "playing":
            await until(lambda: host._open[table.id].table.bots_to_act == [])
            if (await host.table(table.id)).status == "playing":
                assert (await club.move(host, table.id, "a")).ok
        stop()
        final = await host.table(table.id)
        assert final.winners == final.state.winners
        assert told and all(seq <= stored for seq, stored in told)
        assert sorted(told) == told
        assert len(await host.store.read(table.id)) == final.seq

    meet(database, scenario)


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
                await one._open[table].refresh()
                await two._open[table].refresh()
                while seat in (await host.table(table)).state.to_act:
                    assert (await club.move(host, table, identity)).ok
        await one._open[table].refresh()
        await two._open[table].refresh()
        first, second = await one.table(table), await two.table(table)
        assert bytes(first.state) == bytes(second.state) and first.seq == second.seq
        assert heard and heard == sorted(heard)

    meet(database, scenario)


def test_writers_at_two_servers_never_lose_or_double_anything(database):
    """Many commands at once, at two servers: each that was acknowledged is there exactly once."""

    async def scenario(club):
        one, two = await club.host(), await club.host()
        table = await club.two(one)
        said = [
            club.send(host, table, identity, cmd.Chat(f"{identity}{n}"))
            for n in range(20)
            for host, identity in ((one, "a"), (two, "b"))
        ]
        answers = await asyncio.gather(*said)
        assert all(answer.ok for answer in answers)
        told = since(await one.refreshed(table), 0)
        texts = [x["text"] for x in told if x["kind"] == "chat"]
        assert sorted(texts) == sorted(f"{i}{n}" for n in range(20) for i in "ab")

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
        await until(lambda: heard and heard[-1] == one._open[table].table.seq)
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
            return (await club.move(one, table, "a")).ok or len(one._open[table].table.state.events)

        await until(moves)
        await until(lambda: two._open[table].table.seq == one._open[table].table.seq)

    meet(database, scenario)


def test_another_server_goes_on_for_one_that_died(database):
    """A bot whose server is gone is asked by another one when the lease is over, not before."""

    async def scenario(club):
        dying = await club.host(QuickThinkers(silent=True), start=False)
        seats = ("random", "me")
        table = (await dying.create("a", Settings("drop", seats=seats))).id
        other = await club.host(start=False)
        assert await other.sweep() == 0
        club.now += LEASE
        assert await other.sweep() == 1
        await until(lambda: len(other._open[table].table.state.events) >= 1)
        assert not other._open[table].table.bots_to_act

    meet(database, scenario)


def test_a_table_goes_on_after_a_restart(database):
    """Seats, match, chat and a bot that was thinking are there again."""

    async def scenario(club):
        host = await club.host(QuickThinkers(silent=True))
        table = (await host.create("a", Settings("drop", seats=("me", "random")))).id
        assert (await club.move(host, table, "a")).ok
        assert (await club.send(host, table, "a", cmd.Chat("brb"))).ok
        log = since(await host.table(table), 0)
        await club.close(host)
        club.now += LEASE + 1
        host = await club.host()
        assert since(await host.table(table), 0)[: len(log)] == log
        await until(lambda: 0 in host._open[table].table.state.to_act)

    meet(database, scenario)


def test_clocks_run_without_anybody_there(database):
    """The sweep finds a clock at zero; a bot plays on for the seat."""

    async def scenario(club):
        host = await club.host(start=False)
        table = await club.two(host, clock=Clock("turn", 60))
        club.now += 59
        assert await host.sweep() == 0
        club.now += 2
        assert await host.sweep() == 1
        found = await host.table(table)
        assert found.seats[0].stand_in == "normal" and found.seats[0].timed_out
        await until(lambda: host._open[table].table.state.to_act == (1,))
        assert await host.store.next_due() == club.now + 60

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


def test_a_failed_bot_is_told_of(database):
    """Its replacement's move is made and marked; failures are counted."""

    async def scenario(club):
        host = await club.host(QuickThinkers(failure="oh no"))
        table = (await host.create("a", Settings("drop", seats=("random", "me")))).id
        await until(lambda: host._open[table].table.state.to_act == (1,))
        assert "this move was made instead" in since(await host.table(table), 1)[-1]["text"]
        assert host.counts["bot failures"] == 1

    meet(database, scenario)


def test_bots_act_while_a_person_thinks(database):
    """Where all act at once the bots finish their turns, and the person cannot tell."""

    async def scenario(club):
        host = await club.host()
        seats = ("me", "random", "random")
        table = (await host.create("a", Settings("number-drop", seats=seats))).id
        assert (await club.move(host, table, "a")).ok
        await until(lambda: len(host._open[table].table.ledgers[0].view.to_act) == 3)
        seen = host._open[table].table.ledgers[0].seq
        await until(lambda: host._open[table].table.state.to_act == (0,))
        after = host._open[table].table.ledgers[0]
        assert (after.seq, after.view.to_act) == (seen, (0, 1, 2))

    meet(database, scenario)


def test_bots_of_another_process_play_a_match(database, monkeypatch):
    """A whole match with bots that think elsewhere."""
    monkeypatch.setenv("DROPTABLE_COMPILE", "never")

    async def scenario(club):
        host = await club.host(Thinkers())
        seats = ("random", "random", "greedy")
        table = (await host.create("a", Settings("drop-or-pop", seats=seats))).id
        await until(lambda: host._open[table].table.status == "over", 120)
        assert not host.counts["bot failures"]

    meet(database, scenario)


def test_a_rematch_is_one_table_for_both(database):
    """Whoever asks first makes it; both are led to the same one, and its seats are rotated."""

    async def scenario(club):
        host = await club.host()
        table = await club.two(host)
        assert (await club.send(host, table, "a", cmd.Resign())).ok
        asked = [club.send(host, table, identity, cmd.Rematch()) for identity in "ab"]
        first, second = await asyncio.gather(*asked)
        assert first.ok and second.ok and first.table == second.table
        new = await host.table(first.table)
        assert new.previous == table and new.names == ["Seat 1", "Ann"]
        assert (await club.send(host, new.id, "b", cmd.Join())).ok
        assert (await host.table(new.id)).names == ["Bob", "Ann"]

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
        with pytest.raises(Rejected, match="you have 2 tables that are not over"):
            await host.create("a", Settings("drop"))
        with pytest.raises(Rejected, match="choose a name first"):
            await host.create("z", Settings("drop"))
        for name in ("", " \n", "x" * 31):
            with pytest.raises(Rejected, match="expected 1 to 30 letters"):
                await host.register("a", name)

    meet(database, scenario)


def test_few_tables_are_kept_in_memory(database):
    """Those that nobody watches are dropped, and read again when they are needed."""

    async def scenario(club):
        host = await club.host(limits=Limits(tables=99, open_tables=3, burst=999))
        watched = await club.two(host)
        stop = host.subscribe(watched, lambda _: None)
        tables = [await club.two(host) for _ in range(8)]
        assert host.open_tables == 3 and watched in host._open
        for table in tables:
            assert (await club.move(host, table, "a")).ok
        assert host.open_tables <= 3
        stop()

    meet(database, scenario)


def test_a_doubtful_append_is_looked_up(database):
    """If the database fails just after a commit, the same command sent again is obeyed once."""

    async def scenario(club):
        host = await club.host()
        table = await club.two(host)
        append = host.store.append

        async def fail(*parts):
            await append(*parts)
            raise DatabaseError("gone")

        host.store.append = fail
        answer = await club.send(host, table, "a", cmd.Chat("hi"), id_="x")
        assert answer.kind == "outage" and "send the same command again" in answer.message
        host.store.append = append
        assert (await club.send(host, table, "a", cmd.Chat("hi"), id_="x")).ok
        texts = [x["text"] for x in since(await host.table(table), 0) if x["kind"] == "chat"]
        assert texts == ["hi"]

    meet(database, scenario)


def test_a_client_that_goes_away_stops_nothing(database):
    """What it asked for is committed and told to the others."""

    async def scenario(club):
        host = await club.host()
        table = await club.two(host)
        heard = []
        host.subscribe(table, lambda t: heard.append(t.seq))
        host.subscribe(table, lambda _: 1 / 0)  # a listener that fails harms nobody
        sending = asyncio.ensure_future(club.send(host, table, "a", cmd.Chat("hi")))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        sending.cancel()
        await until(lambda: heard)
        assert since(await host.table(table), 0)[-1]["text"] == "hi"

    meet(database, scenario)


def test_a_solo_match_is_put_on_the_board(database):
    """Its score is kept with its table; an equal score does not beat a printed one."""

    async def scenario(club):
        host = await club.host(limits=PLENTY)
        table = (await host.create("a", Settings("number-drop", seats=("me",)))).id
        while (await host.table(table)).status == "playing":
            assert (await club.move(host, table, "a")).ok
        (score,) = await host.store.scores("number-drop")
        final = await host.table(table)
        assert (score.table, score.name, score.score) == (table, "Ann", final.state.scores[0])

    meet(database, scenario)


def test_the_board_ranks_printed_scores_first():
    """27 is below the printed 27; 13 or less is not listed; earlier ones stand above later ones."""
    from droptable.tables.summary import Score

    game = droptable.game("number-drop")
    reached = [("T1", 27, 1.0), ("T2", 100, 2.0), ("T3", 13, 3.0), ("T4", 27, 0.5)]
    places = board(game, [Score(t, game.name, t, score, at) for t, score, at in reached])
    assert [p.rank for p in places] == list(range(1, 13))
    assert places[0].table == "T2" and places[1].name == "CHE"
    assert [p.name for p in places[-4:]] == ["GUI", "T4", "T1", "BEN"]
    assert "T3" not in [p.name for p in places]
