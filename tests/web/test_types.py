"""The types that pages are checked with are the shapes that the server really sends."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest

import droptable
from droptable.bots.coach import Decision
from droptable.tables.commands import Command
from droptable.web.messages import STATUS
from droptable.web.pictures import Look
from droptable.web.replay import Replay
from tests.web.people import Person

STATIC = Path(droptable.__file__).parent / "web" / "static"
TYPES = (STATIC / "types.d.ts").read_text("utf-8")
INTERFACE = re.compile(r"interface (\w+)(?: extends (\w+))? \{\n(.*?)\n\}", re.DOTALL)
FIELD = re.compile(r"^  (\w+)(\?)?: ", re.MULTILINE)
People = Callable[..., Person]
CLOCK = {"per": "turn", "seconds": 300, "at_zero": "bot"}


def fields(name: str) -> tuple[set[str], set[str]]:
    """The fields that an interface requires, and those that it allows besides."""
    declared = {kind: (base, text) for kind, base, text in INTERFACE.findall(TYPES)}
    base, text = declared[name]
    required, optional = fields(base) if base else (set(), set())
    for field, mark in FIELD.findall(text):
        (optional if mark else required).add(field)
    return required, optional


def check(name: str, message: dict[str, Any]) -> None:
    """A message has all required fields of its type and none that the type does not know."""
    required, optional = fields(name)
    assert message.keys() - optional == required, name


def test_a_wrong_type_is_noticed() -> None:
    """The comparison can fail: by a field that is missing, and by one that is unknown."""
    good = {"kind": "gone", "message": "no"}
    check("Problem", good | {"rule": None})
    for wrong in ({"kind": "gone"}, good | {"reason": ""}):
        with pytest.raises(AssertionError):
            check("Problem", wrong)


def test_games_and_lessons(person: People) -> None:
    """Games, every kind of option, lessons, and the reply to an exercise."""
    http = person().http
    kinds = set()
    for one in http.get("/api/games").json():
        check("Game", one)
        for option in one["options"].values():
            kinds.add(option["kind"])
            check(f"{option['kind'].title()}Option", option)
    assert kinds == {"number", "numbers", "choice", "flag"}
    lessons = http.get("/api/games/drop/lessons").json()
    check("Lessons", lessons)
    check("RulePicture", lessons["pictures"][0])
    check("Exercise", lessons["exercises"][0])
    check("ExerciseReply", http.post("/api/games/drop/exercises/1", json={"touched": []}).json())
    check("HighScore", http.get("/api/games/number-drop/scores").json()[0])
    check("Problem", http.get("/api/games/chess/scores").json())


def test_tables_and_replays(person: People) -> None:
    """A table while it is played and after the end, its replay, and the lists of tables."""
    anna = person("Anna")
    table = anna.create("drop", seats=["me", "random"], clock=CLOCK)
    assert anna.do(table, "chat", text="hello")["ok"]
    state = anna.look(table, scene="wide")
    check("TableState", state)
    check("Seat", state["seats"][0])
    check("Clocks", state["clocks"])
    check("Picture", state["picture"])
    check("Move", state["legal"][0])
    assert {line["kind"] for line in state["lines"]} >= {"chat", "note"}
    assert anna.do(table, "resign")["ok"]
    state = anna.look(table)
    check("MatchResult", state["result"])
    for line in state["lines"]:
        check("LogLine", line)
    check("ListedTable", anna.http.get("/api/tables?which=mine").json()[0])
    check("ScoreLine", anna.http.get(f"/api/tables/{table}/sheet").json()[0])
    check("Figure", anna.http.get(f"/api/tables/{table}/story").json()[0])
    match = anna.http.get(f"/api/replays/table:{table}").json()
    check("Match", match)
    check("Moment", anna.http.get(f"/api/replays/table:{table}/scene?at=0").json())
    check("CoachReport", anna.http.get(f"/api/replays/table:{table}/coach").json())


def test_replayed_moves_and_decisions() -> None:
    """The events of a match and the coach's decisions."""
    replay = Replay(droptable.play(droptable.game("drop"), 2, seed=1))
    story = replay.story(None)
    check("MatchEvent", story["events"][0])
    check("MatchTurn", story["turns"][0])
    number, (seat, token) = next((n, e) for n, e in enumerate(replay.record.events) if e[0] >= 0)
    share = (0.5, 0.5)
    turn = (token,)
    decision = Decision(
        number, seat, token, token, share, share, 0.0, "mistake", (number,), turn, turn, 0.0, 100.0
    )
    judged = replay.judged(decision)
    check("Decision", judged)
    check("Move", judged["made"])
    check("LineMoment", replay.line(number, None, Look("wide"), [token])[0])


def test_commands_and_refusals() -> None:
    """Pages know every command by its name, and every kind of refusal."""
    names = {kind.__struct_config__.tag for kind in get_args(Command)}
    declared = TYPES.partition("export type Command =")[2].partition(";\n\n")[0]
    assert set(re.findall(r'"(\w+)"', declared)) == names
    kinds = re.search(r"interface Problem \{\n  kind: (.*);", TYPES)
    assert kinds is not None and set(re.findall(r'"(\w+)"', kinds[1])) == set(STATUS)


@pytest.mark.parametrize("script", sorted(STATIC.glob("*.js")), ids=lambda file: file.name)
def test_every_script_is_type_checked(script: Path) -> None:
    """Each module says that it is checked, and imports modules that exist, also without Node.js."""
    text = script.read_text("utf-8")
    assert text.startswith("// @ts-check\n")
    for name in re.findall(r'from "\./([^"]+)"', text):
        assert (STATIC / name).is_file(), name
