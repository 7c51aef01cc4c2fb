"""Dailies over HTTP: today's deals, results with percentiles, a text to share, and proofs."""

import random
import time

import pytest

from droptable.games import game, games
from droptable.tables import daily
from droptable.tables.daily import Try
from droptable.tables.profiles import person as person_of
from droptable.tables.profiles import public_id_of
from droptable.web.daily_api import share_text
from droptable.web.people_api import profile
from tests.tables.club import meet

MONDAY = 1_794_787_200.0  # 2026-11-16, 00:00 UTC
HOUR = 3600.0


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


class Habit:
    """Ann, who plays the daily, and her streak."""

    def __init__(self, club, host):
        self.club, self.host = club, host

    async def streak(self, hours):
        """What her profile says so many hours after the beginning of Monday."""
        self.club.now = MONDAY + hours * HOUR
        ann = await person_of(self.host.store, await public_id_of(self.host.store, "a"))
        return (await profile(self.host, ann, mine=True))["streaks"]["daily"]

    async def play(self, begins, ends):
        """Play the day's Number Drop between these hours; nobody looks at the page of the daily."""
        self.club.now = MONDAY + begins * HOUR
        table = (await self.host.create_daily("a", game("number-drop"), self.club.now)).id
        self.club.now = MONDAY + ends * HOUR
        while (await self.host.table(table)).status == "playing":
            assert (await self.club.move(self.host, table, "a")).ok


@pytest.mark.parametrize("zone", ["Pacific/Auckland", "America/Los_Angeles"])
def test_a_streak_over_days_and_hours(tmp_path, monkeypatch, zone):
    """A streak grows by a day as soon as a try has ended, waits through the day that is not yet
    played, ends when a day was missed, and takes a try that was begun before midnight and ended
    within the hour; wherever the server is, days are those of UTC."""
    monkeypatch.setenv("TZ", zone)
    time.tzset()

    async def scenario(club):
        ann = Habit(club, await club.host())
        assert await ann.streak(0.1) == 0
        await ann.play(12, 12.5)
        assert [await ann.streak(hours) for hours in (12.5, 24.01, 47.99, 48.01)] == [1, 1, 1, 0]
        await ann.play(47.5, 47.99)
        assert [await ann.streak(hours) for hours in (47.99, 71.99, 72.01)] == [2, 2, 0]
        await ann.play(96, 96.5)  # Wednesday and Thursday were missed
        assert await ann.streak(97) == 1
        await ann.play(143.5, 144.5)
        assert [await ann.streak(hours) for hours in (144.6, 167.9, 168.1)] == [2, 2, 0]
        await ann.play(167.5, 169.5)  # too late
        assert await ann.streak(169.6) == 0

    try:
        meet(str(tmp_path / "tables.db"), scenario)
    finally:
        monkeypatch.undo()
        time.tzset()
