"""Which notices follow from what happens, and when they are told."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from droptable.notices.what import Standing, Wishes, calls, is_current, tell_at
from droptable.tables import commands as cmd
from droptable.tables.calls import Call
from droptable.tables.decide import rematch
from droptable.tables.settings import Clock
from tests.tables.sitting import ANN, BOB, Sitting

EVERYBODY = {ANN.identity, BOB.identity}
BERLIN = ZoneInfo("Europe/Berlin")


class Heard(Sitting):
    """A table, and the calls that each commit leads to."""

    def __init__(self, *words, people=EVERYBODY, **settings):
        super().__init__(*words, **settings)
        self.people, self.heard = people, []

    def do(self, who, command, seq=None):
        before = self.table
        done = super().do(who, command, seq)
        self.heard = calls(before, self.table, self.people)
        return done

    @property
    def kinds(self):
        return [(call.kind, call.identity) for call in self.heard]


def test_a_turn_is_called_once():
    """Each turn has its own id; an undo and another try make no new one."""
    sitting = Heard("drop")
    sitting.do(BOB, cmd.Join())
    assert sitting.kinds == [("turn", ANN.identity)]
    sitting.move(ANN)
    (first,) = sitting.heard
    assert (first.kind, first.identity) == ("turn", BOB.identity)
    sitting.do(ANN, cmd.Undo())
    if sitting.table.undo:
        sitting.do(BOB, cmd.AnswerUndo(True))
    sitting.move(ANN)
    assert [call.id for call in sitting.heard] == [first.id]
    while not sitting.heard or sitting.heard[0].identity == BOB.identity:
        sitting.move(BOB)  # a turn may have several moves: nobody is called meanwhile
    assert [call.identity for call in sitting.heard] == [ANN.identity]
    assert sitting.heard[0].id != first.id


def test_people_without_a_target_cost_nothing():
    """Nobody is called who cannot be reached."""
    sitting = Heard("drop", people={"somebody else"})
    sitting.do(BOB, cmd.Join())
    sitting.move(ANN)
    assert sitting.heard == []


def test_a_long_clock_reminds_before_it_ends():
    """A reminder is due a quarter of the time before the end; short clocks have none."""
    sitting = Heard("drop", clock=Clock("turn", 7200))
    sitting.do(BOB, cmd.Join())
    turn, reminder = sitting.heard
    assert (turn.kind, reminder.kind) == ("turn", "reminder")
    assert reminder.due == sitting.now + 5400 and turn.id != reminder.id
    short = Heard("drop", clock=Clock("turn", 300))
    short.do(BOB, cmd.Join())
    assert [call.kind for call in short.heard] == ["turn"]


def test_the_end_and_a_rematch():
    """Everybody hears of the end; those with a reserved seat of the rematch, except its owner."""
    sitting = Heard("drop")
    sitting.do(BOB, cmd.Join())
    sitting.do(BOB, cmd.Resign())
    assert sorted(sitting.kinds) == [("over", ANN.identity), ("over", BOB.identity)]
    new = rematch(sitting.table, ANN, sitting.around()).table
    (invited,) = calls(None, new, EVERYBODY)
    assert (invited.kind, invited.identity, invited.table) == ("invitation", BOB.identity, new.id)


def standing(**changes):
    values = {"status": "playing", "turns": 0b10, "game": "drop", "title": "", "names": ("A", "B"),
              "winners": (), "seat": 1, "newest_turn": 100.0}  # fmt: skip
    return Standing(**values | changes)


def call(kind="turn", at=100.0):
    return Call("id", "b", kind, "table", at, at)


@pytest.mark.parametrize(
    ("kind", "changes", "current"),
    [
        ("turn", {}, True),
        ("turn", {"turns": 0b01}, False),  # moved meanwhile
        ("turn", {"newest_turn": 200.0}, False),  # moved, and it is their turn once more
        ("turn", {"seat": None}, False),  # has left: a private table is not theirs any more
        ("reminder", {"status": "over"}, False),
        ("over", {"status": "over"}, True),
        ("over", {"seat": None}, False),
        ("invitation", {"status": "waiting", "seat": None}, True),
        ("invitation", {"status": "waiting"}, False),  # sits there already
        ("invitation", {"status": "playing", "seat": None}, False),
    ],
)
def test_what_is_no_news_is_dropped(kind, changes, current):
    """A notice is told only while it is true, and only to people of the table."""
    assert is_current(call(kind), standing(**changes)) is current
    assert not is_current(call(kind), None)


def at(text):
    return datetime.fromisoformat(text).replace(tzinfo=BERLIN).timestamp()


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        ("2026-03-10T21:59", "2026-03-10T21:59"),
        ("2026-03-10T22:00", "2026-03-11T07:30"),
        ("2026-03-11T07:29", "2026-03-11T07:30"),
        ("2026-03-11T07:30", "2026-03-11T07:30"),
        ("2026-03-28T23:00", "2026-03-29T07:30"),  # the night in which clocks are changed
    ],
)
def test_quiet_hours(now, expected):
    """Nothing is told at night, by the person's own clock."""
    wishes = Wishes(quiet_from="22:00", quiet_to="07:30", zone="Europe/Berlin")
    assert tell_at(call(at=at(now)), wishes, at(now)) == at(expected)


def test_a_digest_waits_for_its_hour():
    """Hourly and daily digests come when they are due, reminders at once, what is off never."""
    now = at("2026-03-10T12:10")
    hourly, daily = Wishes(digest="hour"), Wishes(digest="day", zone="Europe/Berlin")
    assert tell_at(call(at=now), hourly, now) == at("2026-03-10T13:00")
    assert tell_at(call(at=now), daily, now) == at("2026-03-10T18:00")
    assert tell_at(call(at=now), daily, at("2026-03-10T18:00")) == at("2026-03-10T18:00")
    assert tell_at(call("reminder", at=now), daily, now) == now
    assert tell_at(call(at=now), Wishes(turn=False), now) is None
    assert tell_at(call("test", at=now), Wishes(quiet_from="00:00", quiet_to="23:59"), now) == now
