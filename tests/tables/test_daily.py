"""The deal of the day: the same match for everybody, one rated try, and a secret that opens."""

from droptable.core import fair, verify
from droptable.games import game
from droptable.tables import commands as cmd
from droptable.tables import daily
from droptable.tables.archive import record
from droptable.tables.bot_pool import BotPool
from tests.tables.club import meet, until

NOON = 1_794_960_000.0 + 43_200  # 2026-11-18, 12:00


async def play_first_moves(club, host, identity, name, moves):
    """Begin today's deal and make the first legal move each time, with the bots' between them."""
    table = (await host.create_daily(identity, game(name), club.now)).id
    for _ in range(moves):
        current = await host.table(table)
        if current.status != "playing":
            break
        assert (await club.move(host, table, identity)).ok
        await until(lambda: not host._open_tables[table].table.bots_to_act)
    return await host.table(table)


def test_the_same_moves_give_the_same_match(database):
    """Two people who move alike see the same cards, and the same bots answer alike; there is one
    try, without help, and its secret stays one until the day is over."""

    async def scenario(club):
        club.now = NOON
        host = await club.host(BotPool())
        ann = await play_first_moves(club, host, "a", "depot", 4)
        bob = await play_first_moves(club, host, "b", "depot", 4)
        assert ann.id != bob.id and len(ann.state.events) > 30
        assert ann.state.events == bob.state.events
        assert ann.faces[1:] == bob.faces[1:]
        again = await host.create_daily("a", game("depot"), club.now)
        assert again.id == ann.id
        for command in (cmd.AskUndo(), cmd.TakeOver(0)):
            answer = await club.send(host, ann.id, "a", command)
            assert (answer.ok, answer.kind) == (False, "forbidden")
        assert not ann.hints
        key = await host.store.secret("daily")
        day = daily.day_of(NOON)
        commitment = daily.commitments(key, daily.shifted(day, -1), "depot")[day]
        assert ann.sealed.commitment == commitment
        club.now = NOON + 86_400
        tomorrow = await host.create_daily("a", game("depot"), club.now)
        assert tomorrow.id != ann.id and tomorrow.sealed.commitment != commitment

    meet(database, scenario)


def test_a_finished_try_is_rated_and_opens_after_the_day(database, monkeypatch):
    """The result is kept, the record is without the secret as long as others play this deal, and
    with it proves how it was dealt."""

    async def scenario(club):
        club.now = NOON
        host = await club.host()
        table = await play_first_moves(club, host, "a", "number-drop", 1000)
        result = daily.result_of(table)
        assert result.rated and result.points == table.state.scores[0] == result.value
        await host.store.write(lambda c: daily.note_result(c, table.id, result))
        assert await host.store.write(
            lambda c: daily.values(c, daily.day_of(NOON), "number-drop")
        ) == {result.value: 1}
        (tried,) = await host.store.write(lambda c: daily.tries(c, "a"))
        assert (tried.points, tried.rated, tried.table) == (result.points, True, table.id)
        return table

    table = meet(database, scenario)
    monkeypatch.setattr("time.time", lambda: daily.closes_at(table.daily) - 1)
    assert record(table).fairness is None
    monkeypatch.setattr("time.time", lambda: daily.closes_at(table.daily) + 1)
    opened = record(table).fairness
    assert fair.commitment(bytes.fromhex(opened.secret)) == table.sealed.commitment
    assert "fair" in str(verify.verify(record(table))).lower()


def test_a_try_that_ends_after_the_secret_is_public_does_not_count(database):
    """A try that was begun before midnight counts for an hour more, and then no longer."""

    async def scenario(club, late):
        club.now = daily.closes_at("2026-11-18") - daily.GRACE - 1
        host = await club.host()
        table = (await host.create_daily("a", game("number-drop"), club.now)).id
        assert (await host.table(table)).daily == "2026-11-18"
        club.now = daily.closes_at("2026-11-18") + late
        while (await host.table(table)).status == "playing":
            assert (await club.move(host, table, "a")).ok
        rated = daily.result_of(await host.table(table)).rated
        await host.forget("a")
        assert await host.store.write(lambda c: daily.tries(c, "a")) == []
        return rated

    assert meet(database, lambda club: scenario(club, 10.0)) is False


def test_ranks_and_streaks():
    """Worse results count whole and equal ones half; a streak lasts until a day was missed."""
    assert daily.better_than(5, {1: 2, 5: 2, 9: 4}) == 3 / 8
    assert daily.better_than(5, {}) is None
    assert daily.value_of((3, 5), (1,), 1) == daily.WIN + 2
    assert daily.value_of((2, 2, 0), (2,), 2) == daily.WIN + 2  # fewest points win
    assert daily.value_of((2, 2, 0), (2,), 0) == -2
    days = {"2026-11-14", "2026-11-16", "2026-11-17"}
    assert daily.streak(days, "2026-11-18") == 2
    assert daily.streak(days | {"2026-11-18"}, "2026-11-18") == 3
    assert daily.streak(days, "2026-11-20") == 0
    assert daily.number_of("2026-11-01") == 1
    assert daily.day_of(NOON) == "2026-11-18"
