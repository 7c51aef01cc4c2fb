"""The scheduler: bots move and clocks run out, also after their server has died."""

import asyncio

from droptable.tables import commands as cmd
from droptable.tables.bot_pool import BotPool
from droptable.tables.committer import LEASE
from droptable.tables.database import DatabaseError
from droptable.tables.scheduler import DEAD_SECONDS
from droptable.tables.settings import Clock, Settings
from droptable.tables.viewer import since
from tests.tables.club import QuickBots, meet, until
from tests.tables.test_store import query


def test_a_match_with_bots_is_played_to_its_end(database):
    """Bots move by themselves; everybody is told only what is in the database already."""

    async def scenario(club):
        host = await club.host()
        seats = ("me", "random", "random")
        table = await host.create("a", Settings("drop-or-pop", seats=seats))
        published = []

        def listen(table):
            ((stored,),) = query(
                club.url, f"SELECT max(seq) FROM events WHERE table_id = '{table.id}'"
            )
            published.append((table.seq, stored))

        stop = host.subscribe(table.id, listen)
        while (await host.table(table.id)).status == "playing":
            await until(lambda: host._open_tables[table.id].table.bots_to_act == [])
            if (await host.table(table.id)).status == "playing":
                assert (await club.move(host, table.id, "a")).ok
        stop()
        final = await host.table(table.id)
        assert final.winners == final.state.winners
        assert published and all(seq <= stored for seq, stored in published)
        assert sorted(published) == published
        assert len(await host.store.read(table.id)) == final.seq

    meet(database, scenario)


def test_another_server_goes_on_for_one_that_died(database):
    """A bot whose server is gone is asked by another one when the lease is over, not before."""

    async def scenario(club):
        dying = await club.host(QuickBots(silent=True), start=False)
        seats = ("random", "me")
        table = (await dying.create("a", Settings("drop", seats=seats))).id
        other = await club.host(start=False)
        assert await other.sweep() == 0
        club.now += LEASE
        assert await other.sweep() == 1
        await until(lambda: len(other._open_tables[table].table.state.events) >= 1)
        assert not other._open_tables[table].table.bots_to_act

    meet(database, scenario)


def test_a_table_goes_on_after_a_restart(database):
    """Seats, match, chat and a bot that was thinking are there again."""

    async def scenario(club):
        host = await club.host(QuickBots(silent=True))
        table = (await host.create("a", Settings("drop", seats=("me", "random")))).id
        assert (await club.move(host, table, "a")).ok
        assert (await club.send(host, table, "a", cmd.Chat("brb"))).ok
        log = since(await host.table(table), 0)
        await club.close(host)
        club.now += LEASE + 1
        host = await club.host()
        assert since(await host.table(table), 0)[: len(log)] == log
        await until(lambda: 0 in host._open_tables[table].table.state.to_act)

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
        current = await host.table(table)
        assert current.seats[0].stand_in == "normal" and current.seats[0].timed_out
        await until(lambda: host._open_tables[table].table.state.to_act == (1,))
        assert await host.store.next_due() == club.now + 60

    meet(database, scenario)


def test_a_failed_bot_is_told_of(database):
    """Its replacement's move is made and marked; failures are counted."""

    async def scenario(club):
        host = await club.host(QuickBots(failure="oh no"))
        table = (await host.create("a", Settings("drop", seats=("random", "me")))).id
        await until(lambda: host._open_tables[table].table.state.to_act == (1,))
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
        await until(lambda: len(host._open_tables[table].table.ledgers[0].view.to_act) == 3)
        seen = host._open_tables[table].table.ledgers[0].seq
        await until(lambda: host._open_tables[table].table.state.to_act == (0,))
        after = host._open_tables[table].table.ledgers[0]
        assert (after.seq, after.view.to_act) == (seen, (0, 1, 2))

    meet(database, scenario)


class Pauses:
    """Instead of waiting: counts how often the scheduler would."""

    def __init__(self, host, pace=1.2):
        self.seconds = []
        host._scheduler._pace = pace
        host._scheduler._sleep = self.sleep

    async def sleep(self, seconds):
        self.seconds.append(seconds)


def test_bots_do_not_keep_people_waiting(database):
    """Where a person plays no bot pauses, be the person there or not."""

    async def scenario(club):
        host = await club.host()
        pauses = Pauses(host)
        seats = ("me", "random", "random")
        table = (await host.create("a", Settings("number-drop", seats=seats))).id
        for _ in range(20):
            await until(lambda: 0 in host._open_tables[table].table.state.to_act)
            assert (await club.move(host, table, "a")).ok
        assert pauses.seconds == []
        assert (await club.send(host, table, "a", cmd.TakeOver(0))).ok
        await until(lambda: host._open_tables[table].table.status == "over", 120)
        assert pauses.seconds and set(pauses.seconds) == {1.2}

    meet(database, scenario)


def test_a_match_of_bots_can_be_followed(database):
    """A pause for every move that a spectator notices, none for hidden ones."""

    async def scenario(club):
        host = await club.host()
        pauses = Pauses(host)
        noticed = []
        seen = host._scheduler._is_noticed
        host._scheduler._is_noticed = lambda *move: noticed.append(seen(*move)) or noticed[-1]
        table = (await host.create("a", Settings("number-drop", seats=("easy", "easy")))).id
        await until(lambda: host._open_tables[table].table.status == "over", 120)
        final = host._open_tables[table].table
        told = [e for e in final.ledgers[None].entries if getattr(e.event, "by", "") == "bot"]
        moves = [e for e in await host.store.read(table) if getattr(e.event, "by", "") == "bot"]
        assert len(noticed) == len(moves) > len(told)
        assert 0 < noticed.count(True) <= len(told), "the last of two at once shows both"
        assert set(pauses.seconds) == {1.2}

    meet(database, scenario)


def test_bots_of_another_process_play_a_match(database, monkeypatch):
    """A whole match with bots that think elsewhere."""
    monkeypatch.setenv("DROPTABLE_COMPILE", "never")

    async def scenario(club):
        host = await club.host(BotPool())
        seats = ("random", "random", "greedy")
        table = (await host.create("a", Settings("drop-or-pop", seats=seats))).id
        await until(lambda: host._open_tables[table].table.status == "over", 120)
        assert not host.counts["bot failures"]

    meet(database, scenario)


def test_bots_where_nobody_is_wait(database):
    """A bot is asked at once where a person is or has just acted, else after all others."""

    async def scenario(club):
        bots = QuickBots()
        host = await club.host(bots)
        table = (await host.create("a", Settings("drop", players=2, seats=("me", "easy")))).id
        host.enter(table, "a")
        assert (await club.move(host, table, "a")).ok
        await until(lambda: bots.asked > 0)
        assert bots.unattended == 0
        host.leave(table, "a")
        alone = (await host.create("a", Settings("drop", players=2, seats=("easy", "easy")))).id
        await until(lambda: bots.unattended > 0)
        assert (await host.table(alone)).owner == "a"

    meet(database, scenario)


def test_another_server_takes_over_within_a_second_of_silence(database):
    """Servers beat; the bots of one that is silent for a second are asked by another."""

    async def scenario(club):
        dying = await club.host(QuickBots(silent=True), start=False)
        table = (await dying.create("a", Settings("drop", seats=("random", "me")))).id
        await dying._scheduler.beat()
        other = await club.host(start=False)
        club.now += DEAD_SECONDS
        assert await other.sweep() == 0
        club.now += 0.01
        assert await other.sweep() == 1
        await until(lambda: not other._open_tables[table].table.bots_to_act)
        assert query(database, "SELECT id FROM servers") in ([], [(dying.id,)])
        assert await other.sweep() == 0

    meet(database, scenario)


def test_a_server_that_died_before_the_clock_was_put_back(database):
    """Its last beat is an hour ahead: its bots do not wait for an hour."""

    async def scenario(club):
        dying = await club.host(QuickBots(silent=True), start=False)
        table = (await dying.create("a", Settings("drop", seats=("random", "me")))).id
        await dying._scheduler.beat()
        club.now -= 3600
        other = await club.host(start=False)
        assert await other.sweep() == 1
        await until(lambda: not other._open_tables[table].table.bots_to_act)

    meet(database, scenario)


def test_a_server_that_hung_finds_out_before_it_writes(database, monkeypatch):
    """Another one has gone on meanwhile: the late answer of a bot moves nothing, and a server that
    shares its database does not even try to write it."""

    async def scenario(club):
        late = QuickBots(silent=True)
        hung = await club.host(late, start=False)
        table = (await hung.create("a", Settings("drop", seats=("random", "me")))).id
        await hung._scheduler.beat()
        await until(lambda: late.asked)
        other = await club.host(start=False)
        club.now += DEAD_SECONDS + 0.01
        assert await other.sweep() == 1
        await until(lambda: not other._open_tables[table].table.bots_to_act)
        written, append = [], hung.store.append
        monkeypatch.setattr(
            hung.store, "append", lambda *parts: written.append(1) or append(*parts)
        )
        late.answer()
        await until(lambda: not hung._open_tables[table].asked_bots)
        assert len(written) == (0 if hung.store.is_shared else 1)
        moves = "SELECT count(*) FROM events WHERE body LIKE '%\"Moved\"%'"
        assert query(database, moves) == [(1,)]
        assert hung._open_tables[table].table.seq == other._open_tables[table].table.seq

    meet(database, scenario)


def test_a_server_that_stops_hands_over_at_once(database):
    """Whoever starts next asks its bots, though no time has passed."""

    async def scenario(club):
        host = await club.host(QuickBots(silent=True))
        table = (await host.create("a", Settings("drop", seats=("random", "me")))).id
        await club.close(host)
        host = await club.host()
        await until(lambda: table in host._open_tables)
        await until(lambda: not host._open_tables[table].table.bots_to_act)

    meet(database, scenario)


def test_bots_go_on_as_soon_as_the_database_does(database, monkeypatch):
    """A move that could not be stored is stored when that works again, without thinking anew; a
    table that could not be attended to is attended to in the next sweep."""

    async def scenario(club):
        host = await club.host(start=False)
        host._scheduler._sleep = lambda _seconds: asyncio.sleep(0.01)
        bots, append, attempts = host._bots, host.store.append, []

        async def fails(*parts):
            attempts.append(parts)
            raise DatabaseError("database or disk is full")

        table = (await host.create("a", Settings("drop", seats=("me", "random")))).id
        bots.silent = True
        while 1 not in (await host.table(table)).state.to_act:
            assert (await club.move(host, table, "a")).ok
        await until(lambda: bots.asked)
        monkeypatch.setattr(host.store, "append", fails)
        bots.answer()
        await until(lambda: len(attempts) > 2)
        assert (await club.send(host, table, "a", cmd.Chat("?"))).kind == "outage"
        assert bots.asked == 1
        before = (await host.table(table)).seq
        monkeypatch.setattr(host.store, "append", append)
        await until(lambda: host._open_tables[table].table.seq > before)

        club.now += LEASE + 1
        other = await club.host(start=False)
        monkeypatch.setattr(other.store, "read", fails)
        assert (await club.send(host, table, "a", cmd.Chat("!"))).ok
        await host.store.set_due(table, host._open_tables[table].table.seq, club.now)
        assert [await other.sweep() for _ in range(2)] == [1, 1]
        monkeypatch.undo()
        assert [await other.sweep() for _ in range(2)] == [1, 0]

    meet(database, scenario)
