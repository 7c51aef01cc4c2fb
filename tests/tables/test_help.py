"""Hints, bots and undo past what others did: told, marked, and not in the high scores."""

import asyncio

import pytest

import droptable
from droptable.tables import commands as cmd
from droptable.tables.leaderboard import leaderboard
from droptable.tables.rejected import Rejected
from droptable.tables.settings import Clock, Settings
from droptable.tables.summary import solo_score
from droptable.tables.table import fold
from droptable.tables.viewer import since, snapshot
from tests.tables.club import QuickBots, meet, until
from tests.tables.sitting import ANN, BOB, Sitting, all_at_once
from tests.tables.test_match import everything_alike

SOLO = "number-drop"


def texts(sitting, viewer):
    return [line["text"] for line in since(sitting.table, viewer)]


@pytest.mark.parametrize(
    ("seats", "chosen", "allowed"),
    [
        (("me", "open"), None, False), (("me", "easy"), None, True),
        (("me", "open"), True, True), (("me", "easy"), False, False),
    ],
)  # fmt: skip
def test_hints_are_an_option_of_the_table(seats, chosen, allowed):
    """By default they are for those who play alone or with bots; the log says if others may."""
    sitting = Sitting("drop", seats, hints=chosen)
    assert snapshot(sitting.table, 0, 0)["hints"] == allowed, "an open seat is for somebody else"
    if "open" in seats:
        sitting.do(BOB, cmd.Join())
    assert snapshot(sitting.table, 0, 0)["hints"] == allowed
    said = any("Hints are allowed." in text for text in texts(sitting, None))
    assert said == (chosen is True and "open" in seats)


def test_a_hint_is_told_to_the_others():
    """Once for each decision; it does not make anybody's move stale."""
    sitting = Sitting("drop", hints=True)
    sitting.do(BOB, cmd.Join())
    seq = sitting.table.ledgers[0].seq
    assert sitting.do(ANN, cmd.GiveHint(0)) == ["Hinted"]
    assert sitting.do(ANN, cmd.GiveHint(0)) == []
    assert texts(sitting, 1)[-1] == "Ann asked for a hint."
    assert snapshot(sitting.table, 0, 0)["assisted"] == ["hint"]
    assert snapshot(sitting.table, 1, 0)["assisted"] == []
    sitting.do(ANN, cmd.Move(sitting.table.state.legal(0)[0]), seq=seq)
    sitting.do(ANN, cmd.Resign())
    assert snapshot(sitting.table, 1, 0)["result"]["assisted"] == [["hint"], []]
    assert sitting.do(ANN, cmd.GiveHint(0)) == []
    assert everything_alike(sitting)


def test_a_hint_does_not_tell_who_is_done():
    """While all act at once nobody learns of it: it would say that the seat had not finished."""
    sitting = all_at_once(hints=True)
    before = [(snapshot(sitting.table, v, 0), since(sitting.table, v)) for v in (1, None)]
    assert sitting.do(ANN, cmd.GiveHint(0)) == ["Hinted"]
    after = [(snapshot(sitting.table, v, 0), since(sitting.table, v)) for v in (1, None)]
    assert after == before
    assert "Ann asked for a hint." in texts(sitting, 0)
    while sitting.table.state.to_act[0] >= 0 and len(sitting.table.ledgers[1].view.to_act) == 2:
        sitting.move((ANN, BOB)[sitting.table.state.to_act[0]])
    for viewer in (1, None):
        assert "Ann asked for a hint." in texts(sitting, viewer)
    assert everything_alike(sitting)


def helped_by_nothing(_sitting):
    """Undo of what nobody has answered is no help."""
    _sitting.move(ANN)
    if snapshot(_sitting.table, 0, 0)["can"]["undo"]:
        _sitting.do(ANN, cmd.Undo())


def helped_by_a_hint(sitting):
    sitting.do(ANN, cmd.GiveHint(0))


def helped_by_undo(sitting):
    roll = sum(actor < 0 for actor, _ in sitting.table.state.events)
    while sum(actor < 0 for actor, _ in sitting.table.state.events) == roll:
        sitting.move(ANN)
    assert sitting.do(ANN, cmd.AskUndo())[:2] == ["UndoAsked", "TakenBack"]


def helped_by_a_bot(sitting):
    sitting.do(ANN, cmd.TakeOver(0))
    assert snapshot(sitting.table, 0, 0)["assisted"] == [], "it has not moved yet"
    seq = sitting.table.ledgers[0].seq
    sitting.do(ANN, cmd.BotMove(0, sitting.table.state.legal(0)[0], seq))
    sitting.do(ANN, cmd.Return())


@pytest.mark.parametrize(
    ("help_", "marks"),
    [
        (helped_by_nothing, []), (helped_by_a_hint, ["hint"]), (helped_by_undo, ["undo"]),
        (helped_by_a_bot, ["bot"]),
    ],
)  # fmt: skip
def test_who_was_helped_is_not_in_the_high_scores(help_, marks):
    """A solo match is marked by what helped; the result says so, and it has no score to keep."""
    sitting = Sitting(SOLO, ("me",))
    sitting.do(ANN, cmd.Move("write 1"))
    help_(sitting)
    assert snapshot(sitting.table, 0, 0)["assisted"] == marks
    sitting.play_on(ANN)
    assert (solo_score(sitting.table) is None) == bool(marks)
    result = snapshot(sitting.table, None, 0)["result"]
    assert result["assisted"] == [marks]
    assert ("Reached with help" in result["verdict"]) == bool(marks)
    assert everything_alike(sitting)
    if help_ is helped_by_a_hint:
        assert not any("hint" in text for text in texts(sitting, None)), "there is nobody to tell"


def test_hints_are_given_and_refused(database):
    """A refusal says that there are none; a hint that was given is stored before it is told."""

    async def scenario(club):
        host = await club.host()
        table = await club.two(host)
        with pytest.raises(Rejected, match="there are no hints at this table") as refused:
            await host.hint(table, "a")
        assert refused.value.kind == "forbidden"
        table = await club.two(host, hints=True)
        view, token = await host.hint(table, "a")
        assert token in view.legal
        lines = await host.store.read(table)
        assert type(lines[-1].event).__name__ == "Hinted"
        solo = (await host.create("a", Settings(SOLO, seats=("me",)))).id
        await host.hint(solo, "a")
        while (await host.table(solo)).status == "playing":
            assert (await club.move(host, solo, "a")).ok
        assert await host.store.scores(SOLO) == []

    meet(database, scenario)


def test_a_decision_is_thought_of_once(database):
    """The same decision gets the same hint; while it is thought of, nothing else is begun."""

    async def scenario(club):
        bots = QuickBots(silent=True)
        host = await club.host(bots)
        tables = [await club.two(host, hints=True) for _ in range(2)]
        asked = [asyncio.create_task(host.hint(tables[0], "a")) for _ in range(2)]
        await until(lambda: bots.asked == 1)
        with pytest.raises(Rejected, match="one at a time") as refused:
            await host.hint(tables[1], "a")
        assert refused.value.kind == "limit"
        bots.answer()
        first, second = await asyncio.gather(*asked)
        assert first[1] == second[1] == (await host.hint(tables[0], "a"))[1]
        assert bots.asked == 1
        bots.silent = False
        await host.hint(tables[1], "a")
        assert bots.asked == 2

    meet(database, scenario)


async def play_alone(club, host, table):
    """By oneself, and back to the start of a turn: that is no help."""
    assert (await club.move(host, table, "a")).ok
    await club.send(host, table, "a", cmd.Undo())


async def play_a_roll_again(club, host, table):
    """Alone, nobody has to agree to go back past a roll; but the same dice come again."""

    async def dealt():
        return [token for actor, token in (await host.table(table)).state.events if actor < 0]

    async def play_to_a_roll():
        before = await dealt()
        while await dealt() == before:
            assert (await club.move(host, table, "a")).ok

    before = await dealt()
    await play_to_a_roll()
    after = await dealt()
    assert (await club.send(host, table, "a", cmd.AskUndo())).ok
    assert await dealt() == before
    await play_to_a_roll()
    assert await dealt() == after


async def let_a_bot_play(club, host, table):
    moved = (await host.table(table)).events
    assert (await club.send(host, table, "a", cmd.TakeOver(0))).ok
    await bot_moves(host, table, moved)
    await club.send(host, table, "a", cmd.Return())


async def run_out_of_time(club, host, table):
    """The clock reaches zero, the stand-in plays, and its person comes back."""
    moved = (await host.table(table)).events
    club.now += 60
    await host.sweep()
    await bot_moves(host, table, moved)
    await club.send(host, table, "a", cmd.Return(), id_="from another device")


async def bot_moves(host, table, moved):
    for _look in range(1000):
        if (await host.table(table)).events > moved:
            return
        await asyncio.sleep(0.005)
    raise AssertionError("no bot moved")


async def take_a_hint(_club, host, table):
    await host.hint(table, "a")


@pytest.mark.parametrize(
    ("way", "counts"),
    [
        (play_alone, True), (play_a_roll_again, False), (let_a_bot_play, False),
        (run_out_of_time, False), (take_a_hint, False),
    ],
)  # fmt: skip
def test_only_what_somebody_played_alone_is_on_the_board(database, way, counts):
    """Neither in the database nor on the leaderboard, however somebody was helped; and an import
    of the table does not bring it back."""

    async def scenario(club):
        host = await club.host()
        clock = Clock("turn", 50) if way is run_out_of_time else None
        settings = Settings(SOLO, seats=("me",), public=True, clock=clock)
        table = (await host.create("a", settings)).id
        assert (await club.move(host, table, "a")).ok
        await way(club, host, table)
        while (await host.table(table)).status == "playing":
            if (await host.table(table)).seats[0].stand_in:  # the quick bots have not finished
                await asyncio.sleep(0.005)
            else:
                await club.move(host, table, "a")
        scores = await host.store.scores(SOLO)
        assert [score.table for score in scores] == [table] * counts
        listed = {place.table for place in leaderboard(droptable.game(SOLO), scores)}
        assert listed <= ({table, None} if counts else {None})
        assert (solo_score(fold(table, await host.store.read(table))) is not None) == counts

    meet(database, scenario)


def test_an_open_seat_is_for_a_person():
    """Before the match, a table with an open seat tells of hints only if they were chosen."""
    assert not snapshot(Sitting("drop").table, None, 0)["hints"]
    assert snapshot(Sitting("drop", hints=True).table, None, 0)["hints"]
    full = Sitting("drop", ("me", "easy"), start_when_full=False)
    assert snapshot(full.table, None, 0)["hints"]
