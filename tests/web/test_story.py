"""The story of a match in three figures."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import droptable
from droptable.bots.match import play
from droptable.web import story
from droptable.web.story import course_of
from tests.web.people import Person

People = Callable[..., Person]


def test_a_match_that_is_over_has_three_figures(
    person: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Length, biggest gain and lead changes, in the reader's language; nothing before the end."""
    anna = person("Anna")
    table = anna.create("drop", seats=["me", "random"], options={"pieces": 8})
    assert anna.http.get(f"/api/tables/{table}/story").json() == []
    while (now := anna.look(table))["status"] == "playing":
        if now["legal"]:
            anna.do(table, "move", token=now["legal"][0]["token"], seq=now["seq"])
    told = anna.http.get(f"/api/tables/{table}/story").json()
    assert [figure["label"] for figure in told] == ["Turns", "Best turn", "Lead changes"]
    monkeypatch.setattr(story, "course_of", None)  # it is replayed once
    told = anna.http.get(f"/api/tables/{table}/story?language=de").json()
    assert told[0]["detail"]


def test_a_resigned_match_tells_its_length_only(person: People) -> None:
    """Who resigns leaves scores behind that decide nothing."""
    anna = person("Anna")
    table = anna.create("drop", seats=["me", "random"])
    assert anna.do(table, "resign")["ok"]
    told = anna.http.get(f"/api/tables/{table}/story").json()
    assert [figure["label"] for figure in told] == ["Turns"]


@pytest.mark.parametrize(
    ("game", "players", "rounds", "sign"),
    [("drop", 2, False, 1), ("number-drop", 1, True, 1), ("number-drop", 3, True, 1),
     ("depot", 3, False, -1), ("drop-site", 2, False, 1), ("drop-or-pop", 3, False, 1)],
)  # fmt: skip
def test_turns_and_rounds(game: str, players: int, rounds: bool, sign: int) -> None:
    """Where all act at once, and alone, rounds are counted; in Depot the fewest cards win."""
    record = play(droptable.game(game), players, seed=3)
    course = course_of(record)
    assert (course.rounds, course.sign) == (rounds, sign)
    assert course.scores[-1] == record.final.scores
    if game == "number-drop":  # a round is a roll, four dice and a shape
        assert len(course.scores) - 1 < len(record.events) / 5
