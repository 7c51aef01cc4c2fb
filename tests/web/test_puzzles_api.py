"""Puzzles and my mistakes over HTTP: solved once, rated, told why, and never more than a view."""

import random
import sqlite3
import time
from dataclasses import replace

import pytest

from droptable.bots.coach import analyse
from droptable.bots.puzzles import find_puzzle, puzzles
from droptable.core.record import Record
from droptable.games import game, games
from droptable.tables.daily import day_of, shifted
from droptable.web.coach_jobs import pack
from tests.web.people import play_on
from tests.web.test_types import check

FIRST = puzzles(game("drop-or-pop"))[0]


def answer(someone, path, *tokens):
    """The reply to an answer."""
    reply = someone.http.post(f"/api/{path}/answer", json={"tokens": tokens})
    assert reply.status_code == 200, reply.text
    return reply.json()


def test_a_puzzle_is_solved_once(person):
    """The overview, a puzzle without its answer, a wrong answer with the line, and a right one
    afterwards that does not count; another person's rating is their own."""
    anna, ben = person("Anna"), person("Ben")
    before = anna.http.get("/api/puzzles").json()
    assert [about["name"] for about in before["games"]] == [one.name for one in games()]
    assert before["rating"]["tries"] == 0 and before["daily"]["tried"] is None
    shown = anna.http.get(f"/api/puzzles/{FIRST.id}")
    assert shown.json()["tried"] is None and FIRST.events not in shown.text
    assert {"best", "line", "share"}.isdisjoint(shown.json())
    assert {move["token"] for move in shown.json()["legal"]} == set(FIRST.view().legal)
    wrong = answer(anna, f"puzzles/{FIRST.id}", FIRST.rival)
    assert not wrong["right"] and wrong["counted"] and wrong["line"]
    assert wrong["rating"]["rating"] < wrong["before"]["rating"]
    right = answer(anna, f"puzzles/{FIRST.id}", FIRST.best[0])
    assert right["right"] and not right["counted"]
    assert right["rating"] == wrong["rating"]
    assert anna.http.get(f"/api/puzzles/{FIRST.id}").json()["tried"] is False
    assert ben.http.get(f"/api/puzzles/{FIRST.id}").json()["tried"] is None
    assert answer(ben, f"puzzles/{FIRST.id}", FIRST.best[0])["rating"]["solved"] == 1
    about = anna.http.get("/api/puzzles").json()
    (pop,) = [one for one in about["games"] if one["name"] == "drop-or-pop"]
    assert (pop["tried"], pop["solved"]) == (1, 0)
    kept = anna.http.get("/api/me/data").json()["puzzles"]
    assert kept["tries"] == {FIRST.id: False} and kept["rating"]["tries"] == 1
    profile = anna.http.get("/api/people/me").json()
    assert profile["puzzles"] == about["rating"] == wrong["rating"]
    seen = ben.http.get(f"/api/people/{profile['id']}").json()
    assert seen["puzzles"] == profile["puzzles"]
    check("Profile", profile)
    check("Strength", profile["puzzles"])
    assert person("Cy").http.get("/api/people/me").json()["puzzles"] is None


def test_nobody_may_solve_too(person):
    """Without a name one gets puzzles and replies, and no rating; the next puzzle is another one,
    and the daily one is the same for all."""
    stranger, anna = person(), person("Anna")
    one = stranger.http.get("/api/puzzles/next", params={"game": "depot"}).json()
    other = stranger.http.get("/api/puzzles/next", params={"game": "depot", "after": one["id"]})
    assert one["game"] == "depot" and other.json()["id"] != one["id"]
    reply = answer(stranger, f"puzzles/{one['id']}", find_puzzle(one["id"]).best[0])
    assert reply["right"] and not reply["counted"] and "rating" not in reply
    today = [someone.http.get("/api/puzzles/daily").json()["id"] for someone in (stranger, anna)]
    assert today[0] == today[1]
    assert stranger.http.get("/api/mistakes").status_code == 403


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"tokens": []}, 422),
        ({"tokens": "drop"}, 422),
        ({"tokens": [1]}, 422),
        ({"token": "drop"}, 422),
        ({"tokens": ["nonsense"]}, 409),
        ({"tokens": ["drop", "drop", "drop"]}, 409),
    ],
)
def test_what_is_no_answer(person, body, status):
    """It is refused with the reason, and does not count as a try."""
    anna = person("Anna")
    refused = anna.http.post(f"/api/puzzles/{FIRST.id}/answer", json=body)
    assert refused.status_code == status and refused.json()["message"]
    assert anna.http.get("/api/puzzles").json()["rating"]["tries"] == 0


def test_unknown_puzzles(person):
    """Neither a puzzle nor a game nor an exercise that does not exist is found."""
    anna = person("Anna")
    for path in ("puzzles/nothing", "puzzles/next?game=nothing", "mistakes/nothing"):
        assert anna.http.get(f"/api/{path}").status_code == 404
    why = anna.http.get(f"/api/puzzles/{FIRST.id}/why", params={"touched": "["})
    assert why.status_code == 422
    why = anna.http.get(f"/api/puzzles/{FIRST.id}/why", params={"touched": '["nothing"]'})
    assert why.json() == {"reason": None}


def sql(server, statement, *values):
    connection = sqlite3.connect(server.database)
    with connection:
        connection.execute(statement, values)
    connection.close()


def test_my_mistakes_come_back(person, server):
    """What the coach marked in a match of mine, and only of mine, is an exercise from the next day
    on: a better move is right, the same one again is wrong."""
    anna, ben = person("Anna"), person("Ben")
    seats = ["me", "easy", "easy"]
    table = anna.create("drop-or-pop", players=3, seats=seats)
    play_on([anna.sit(table)], random.Random(2))
    record = Record.from_json(anna.http.get(f"/api/replays/table:{table}/record").text)
    judged = analyse(record, iterations=8, seats=[0]).decisions
    other = next(t for t in record.state_at(judged[0].event).legal(0) if t != judged[0].token)
    found = {"turn": (judged[0].token,), "line": (other,), "best": other, "mark": "mistake"}
    marked = [replace(judged[0], **found)]
    decisions = [*marked, *(replace(one, mark="") for one in judged[1:])]
    key = f"table:{table}:{len(record.events)}"
    now = time.time()
    sql(server, "INSERT INTO analyses VALUES (?, ?, ?)", key, now, pack(decisions))
    mine = anna.http.get("/api/mistakes").json()
    assert [one["event"] for one in mine["mistakes"]] == [d.event for d in marked] != []
    assert mine["due"] == 0 and mine["mistakes"][0]["due"] == shifted(day_of(now), 1)
    assert anna.http.get("/api/mistakes").json() == mine
    first = mine["mistakes"][0]["id"]
    assert ben.http.get("/api/mistakes").json()["mistakes"] == []
    assert ben.http.get(f"/api/mistakes/{first}").status_code == 404
    shown = anna.http.get(f"/api/mistakes/{first}").json()
    view = record.state_at(marked[0].event).view(0)
    assert [move["token"] for move in shown["legal"]] == view.legal
    assert {"best", "made", "line", "share"}.isdisjoint(shown)
    early = answer(anna, f"mistakes/{first}", marked[0].best)
    assert early["right"] and not early["counted"] and early["step"] == 0
    sql(server, "UPDATE exercises SET due = ? WHERE id = ?", day_of(now), first)
    right = answer(anna, f"mistakes/{first}", marked[0].best)
    assert right["right"] and right["counted"] and (right["step"], right["days"]) == (1, 3)
    sql(server, "UPDATE exercises SET due = ? WHERE id = ?", day_of(now), first)
    wrong = answer(anna, f"mistakes/{first}", marked[0].token)
    assert not wrong["right"] and (wrong["step"], wrong["days"]) == (0, 1)
