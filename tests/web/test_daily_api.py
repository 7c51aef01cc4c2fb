"""Dailies over HTTP: today's deals, results with percentiles, a text to share, and proofs."""

import random

from droptable.games import games
from droptable.tables import daily
from droptable.tables.daily import Try
from droptable.web.daily_api import share_text


def play_solo(someone, table):
    """Play a solo match to its end by any legal moves; the answer to the last one."""
    chance = random.Random(1)
    while (state := someone.look(table))["status"] == "playing":
        token = chance.choice(state["legal"])["token"]
        assert someone.do(table, "move", token=token, seq=state["seq"])["ok"]


def test_a_try_from_its_beginning_to_its_proof(person):
    """One table per person and day; its result is ranked among others' and among each level's, and
    nobody is told another's table or today's secret."""
    anna, ben = person("Anna"), person("Ben")
    before = anna.http.get("/api/daily").json()
    assert [game["table"] for game in before["games"]] == [None] * len(games())
    assert anna.http.post("/api/daily/nothing").status_code == 404
    for someone in (anna, ben):
        first = someone.http.post("/api/daily/number-drop")
        assert first.status_code == 201
        assert someone.http.post("/api/daily/number-drop").json() == first.json()
    play_solo(anna, anna.http.post("/api/daily/number-drop").json()["table"])
    after = anna.http.get("/api/daily").json()
    (mine,) = [game for game in after["games"] if game["name"] == "number-drop"]
    assert after["streak"] == after["calendar"][-1]["finished"] == 1
    assert mine["played"] >= 1 and mine["result"]["rated"]
    assert 0 <= (mine["result"]["people"] or 0) <= 1
    points = mine["result"]["points"]
    assert f"Number Drop daily {after['number']}: {points} point" in mine["result"]["text"]
    theirs = ben.http.get("/api/daily").text
    assert mine["table"] not in theirs
    day = after["day"]
    proof = anna.http.get(f"/api/daily/{day}/proof").json()["games"]["number-drop"]
    assert proof == {"commitment": mine["commitments"][day], "secret": None}
    record = anna.http.get(f"/api/tables/{mine['table']}/record").json()
    assert "fairness" not in record or record["fairness"] is None
    gone = anna.http.get("/api/daily/2020-01-01/proof")
    assert gone.status_code == 404
    yesterday = daily.shifted(day, -2)
    opened = anna.http.get(f"/api/daily/{yesterday}/proof").json()["games"]["depot"]
    assert daily.fair.commitment(bytes.fromhex(opened["secret"])) == opened["commitment"]


def test_the_text_to_share_tells_nothing_of_the_deal():
    """It has the game, the number of the day, the result and its rank."""
    drop_site = next(game for game in games() if game.name == "drop-site")
    tried = Try("2026-12-11", "drop-site", "T", 38, 10_005, True, True)
    text = share_text(drop_site, tried.day, tried, 0.914)
    assert text == "Drop Site daily 41: won, 38 points, better than 91 %"
    late = Try("2026-12-11", "drop-site", "T", 1, -9, False, False)
    assert share_text(drop_site, late.day, late, 0.2) == "Drop Site daily 41: lost, 1 point"
