"""Time: clocks that jump, differ or stop cost nobody a match."""

import asyncio
import json
import random

import pytest

from droptable.tables import commands as cmd
from droptable.tables import events as ev
from droptable.tables.committer import HOST
from droptable.tables.decide import LATE, SPARE, Circumstances, Who, create, decide
from droptable.tables.host import Host
from droptable.tables.settings import Clock, Settings
from droptable.tables.steady_clock import SLEW, SteadyClock
from droptable.tables.store import Store
from droptable.tables.viewer import since, snapshot
from tests.tables.club import Club
from tests.tables.sitting import ANN, BOB, CID, Sitting


class Times:
    """A monotonic clock that is set by hand."""

    def __init__(self):
        self.now = 50.0

    def __call__(self):
        return self.now


@pytest.mark.parametrize("jump", [3600.0, -3600.0, 0.5])
def test_a_jump_is_approached_slowly(jump):
    """Whatever the reference does, seconds last about a second, and time never goes back."""
    monotonic = Times()
    clock = SteadyClock(1000.0, monotonic)
    clock.correct(1000.0 + jump)
    monotonic.now += 10
    least, most = sorted((10.0, 10.0 + (SLEW * 10 if jump > 0 else -SLEW * 10)))
    assert 1000 + least <= clock() <= 1000 + most
    before = clock()
    monotonic.now += abs(jump) / SLEW
    clock()
    monotonic.now += 1
    assert clock() > before
    assert clock() == pytest.approx(1000.0 + jump + 11 + abs(jump) / SLEW)


def test_a_jump_is_mentioned_once(caplog):
    """A reference that jumps is in the log, one that drifts is not."""
    monotonic = Times()
    clock = SteadyClock(1000.0, monotonic)
    for reference in (1000.1, 4600.1, 4600.2):
        clock.correct(reference)
    assert caplog.messages == ["the clock has jumped by 3600.0 seconds"]
    clock.set(7.0)
    assert clock() == 7.0


def playing(clock, now=1000.0):
    """Ann's own table with a clock, her turn since `now`."""
    settings = Settings("number-drop", seats=("me",), clock=clock)
    return create(settings, ANN, Circumstances(now, random.Random(1), new_table="t")).table


def tick(table, now):
    return decide(table, cmd.Tick(), Who("", ""), Circumstances(now, random.Random(1)))


@pytest.mark.parametrize("at_zero", ["bot", "resign"])
def test_time_that_nobody_counted_is_not_charged(at_zero):
    """A clock that is found long after its zero is held, and runs out later if nobody moves."""
    table = playing(Clock("match", 300, at_zero))
    held = tick(table, 1300 + LATE + 3600)
    assert held.events == (ev.ClocksHeld(SPARE),)
    assert held.table.next_timeout == 1300 + LATE + 3600 + SPARE
    assert not tick(held.table, held.table.next_timeout - 1).lines
    late = tick(held.table, held.table.next_timeout + 1)
    assert ev.TimedOut(0) in late.events


def test_a_move_after_an_outage_is_not_charged_for_it():
    """Whoever moves before the clocks were looked at keeps time for the rest of the match."""
    table = playing(Clock("match", 300, "resign"))
    token = table.state.legal(0)[0]
    moved = decide(table, cmd.Move(token), ANN, Circumstances(9999.0, random.Random(1)))
    assert isinstance(moved.events[0], ev.ClocksHeld)
    assert moved.table.ledgers[0].clocks.left_at(0, 9999.0) == SPARE


def phase(*, bob_acts):
    """A secret phase in which Ann has acted, and Bob perhaps; his clock has less than Cid's."""
    sitting = Sitting("number-drop", ("me", "open", "open"), clock=Clock("match", 300, "resign"))
    for who in (BOB, CID):
        sitting.do(who, cmd.Join())
    for who in (ANN, BOB, CID):
        sitting.now += 100 if who is BOB else 0
        sitting.do(who, cmd.Move("write 1"))
    assert sitting.table.state.to_act == (0, 1, 2)
    for who in (ANN, BOB) if bob_acts else (ANN,):
        while sitting.table.seat_of(who.identity) in sitting.table.state.to_act:
            sitting.move(who)
    return sitting


def test_held_clocks_do_not_tell_who_has_acted():
    """After an outage in a secret phase all are told at once; no byte depends on who is finished,
    and nobody who is not has less than the others."""
    worlds = [phase(bob_acts=False), phase(bob_acts=True)]
    for sitting in worlds:
        sitting.now += 3600
        assert sitting.do(HOST, cmd.Tick()) == ["ClocksHeld"]
    for viewer in (None, 0, 2):
        ours, theirs = (
            json.dumps([snapshot(s.table, viewer, s.now), since(s.table, viewer, 0)])
            for s in worlds
        )
        assert ours == theirs
        assert "The server was away" in ours
    assert worlds[0].table.timeout_at(1) == worlds[0].table.timeout_at(2) == worlds[0].now + SPARE


def test_a_clock_at_zero_is_noticed_in_time():
    """As long as a server watches, time is up when it is up."""
    table = playing(Clock("turn", 30, "resign"))
    assert not tick(table, 1029.9).lines
    assert tick(table, 1030.0).events[0] == ev.TimedOut(0)
    assert tick(table, 1030.0 + LATE).events[0] == ev.TimedOut(0)


def test_a_server_that_is_behind_turns_no_time_back():
    """Events of a table are in the order of their times, and no clock gains by it."""
    table = playing(Clock("match", 300, "resign"), now=1000.0)
    token = table.state.legal(0)[0]
    moved = decide(table, cmd.Move(token), ANN, Circumstances(900.0, random.Random(1)))
    assert all(line.at == 1000.0 for line in moved.lines)


@pytest.mark.parametrize(("back", "goes_on"), [(7200.0, True), (2 * 86400.0, False)])
def test_a_clock_put_back_between_two_starts(tmp_path, monkeypatch, caplog, back, goes_on):
    """A lone server goes on from when it stopped, unless its clock had been far too fast."""
    machine = Times()
    machine.now = 1_000_000.0
    monkeypatch.setattr("droptable.tables.store.time.time", machine)

    async def serve():
        host = Host(Store(str(tmp_path / "tables.db")))
        await host.start()
        await host._correct_clock()
        now = host.now
        await host.close()
        return now

    stopped = asyncio.run(serve())
    machine.now -= back
    started = asyncio.run(serve())
    assert (started > stopped - 60) is goes_on
    assert goes_on or started < machine.now + 60
    assert any("put back by 7200" in message for message in caplog.messages) is goes_on


def test_servers_share_a_clock(database):
    """Servers on one PostgreSQL go by its clock, whatever their own say; time goes on over a
    restart with a clock an hour off, and nobody loses by it."""

    async def scenario():
        store = Store(database)
        host = Host(store)
        try:
            host._clock.set(12.0)  # a machine whose clock is wrong
            await host.start()
            assert abs(host.now - await store.time()) < 60
        finally:
            await host.close()
        club = Club(database)
        first = await club.host()
        table = (
            await first.create(
                "a", Settings("number-drop", seats=("me",), clock=Clock("turn", 60, "resign"))
            )
        ).id
        await club.close(first)
        club.now += 3600  # a jump, while no server is up
        second = await club.host(start=False)
        await second.sweep()
        kept = await second.table(table)
        assert kept.status == "playing" and not kept.seats[0].resigned
        assert kept.next_timeout == club.now + SPARE
        await club.close(second)

    asyncio.run(scenario())
