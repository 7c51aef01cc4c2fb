"""Beats: what a viewer is shown between two states; nothing is sent where nothing is new."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from droptable.core.errors import GameError
from droptable.core.scene import LONGEST_BEAT, Beat, Frame, story
from droptable.games import games
from droptable.tables.table import Table
from droptable.web.beats import MOST_EVENTS, MOST_SECONDS, Steps, beats
from tests.web.people import Person
from tests.web.test_secrets import match

People = Callable[..., Person]
EVERY_GAME = [(one.name, count) for one in games() for count in one.players]


def frame(table: Table, viewer: int | None = 0, *, tall: bool = False) -> Frame:
    return Frame(table.names, tall, steps=Steps(table, viewer, table.ledgers[viewer].entries))


@pytest.mark.parametrize(("game", "players"), EVERY_GAME)
def test_every_event_of_a_match_can_be_shown(game: str, players: int) -> None:
    """Beats of every event, for every viewer, are drawn, named and not too long."""
    before: Table | None = None
    shown = 0
    for table in match(game, players, random.Random(players)):
        if before is not None and before.ledgers[None].seq:
            for viewer in (None, *range(players)):
                seen = before.ledgers[viewer].seq
                for beat in beats(table, viewer, frame(table, viewer, tall=bool(viewer)), seen):
                    assert beat["svg"] is None or beat["svg"].startswith("<svg")
                    assert 0 <= beat["seconds"] <= LONGEST_BEAT
                    shown += 1
        before = table
    assert shown > players


def test_the_last_beat_shows_the_state_itself() -> None:
    """The picture of the state is not sent twice."""
    moments = list(match("drop", 2, random.Random(2)))
    table, before = moments[9], moments[8]
    last = beats(table, 0, frame(table), before.ledgers[0].seq)[-1]
    assert last["svg"] is None


def test_the_steps_that_led_to_a_view_are_found_without_making_them_all() -> None:
    """What `Steps` knows of itself is what `story` finds in plain steps."""
    moments = list(match("drop-or-pop", 3, random.Random(5)))
    table, earlier = moments[-1], moments[len(moments) // 2]
    for view in (table.ledgers[0].view, earlier.ledgers[0].view):
        assert view is not None
        steps = Steps(table, 0, table.ledgers[0].entries)
        found, plain = story(view.fields, steps), story(view.fields, list(steps))
        assert [id(step) for step in found] == [id(step) for step in plain]
        assert found


def test_who_was_away_is_not_kept_waiting() -> None:
    """Nothing is shown of a match that was just opened, or of too many events; else the end."""
    ends = (list(match("depot", 3, random.Random(seed)))[-1] for seed in range(20))
    table = next(end for end in ends if end.ledgers[0].seq > MOST_EVENTS + 1)
    seq = table.ledgers[0].seq
    assert beats(table, 0, frame(table), 0) == []
    assert beats(table, 0, frame(table), seq - MOST_EVENTS - 1) == []
    shown = beats(table, 0, frame(table), seq - MOST_EVENTS + 1)
    assert shown
    assert sum(beat["seconds"] for beat in shown) <= MOST_SECONDS


def test_the_first_deal_is_seen() -> None:
    """A match that was just dealt begins with an empty table; one that is played does not."""
    first, second, *_ = match("depot", 3, random.Random(1))
    shown = beats(first, 0, frame(first), 0)
    assert len(shown) > 1
    assert shown[0]["svg"] != shown[-1]["svg"]
    assert beats(second, 0, frame(second), 0) == []


def test_programs_get_no_beats(person: People) -> None:
    """A client that does not ask for beats is sent none."""
    anna = person("Anna")
    table = anna.create("drop", seats=["me", "easy"])
    assert "beats" not in anna.look(table)
    assert "beats" not in anna.sit(table, scene="wide").receive()
    assert anna.sit(table, scene="wide", beats=True).receive()["beats"] == []


def test_nothing_is_sent_of_what_others_do_in_secret(person: People) -> None:
    """While Ben drops unseen, Anna's socket stays silent: her own chat is the next message."""
    anna, ben = person("Anna"), person("Ben")
    table = anna.create("number-drop", seats=["me", "open"])
    assert ben.do(table, "join")["ok"]
    sockets = [somebody.sit(table, scene="wide", beats=True) for somebody in (anna, ben)]
    for somebody in (anna, ben):  # ND2, in turn and in the open
        first = somebody.look(table)["legal"][0]["token"]
        assert somebody.do(table, "move", token=first)["ok"]
    for socket in sockets:
        socket.drain()
    assert set(ben.look(table)["to_act"]) == {0, 1}
    for _ in range(3):
        assert ben.do(table, "move", token=ben.look(table)["legal"][0]["token"])["ok"]
    assert anna.do(table, "chat", text="hello")["ok"]
    message = sockets[0].receive()
    assert [line["text"] for line in message["lines"]] == ["hello"]
    assert message["beats"] == []


def test_wrong_beats_are_refused() -> None:
    """A sound that no client knows, or a beat that does not end, is refused when it is made."""
    with pytest.raises(GameError, match="sound is 'boing'; expected one of turn, "):
        Beat(sound="boing")
    with pytest.raises(GameError, match="seconds is 99; expected 0 to 12"):
        Beat(99)
