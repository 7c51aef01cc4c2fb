"""Whole matches in a real browser: every game and player count, by mouse, keyboard and touch."""

from __future__ import annotations

import itertools

import pytest

import droptable

SHORT = {
    "drop-site": {"target": 10},
    "drop": {"pieces": 8},
    "depot": {"turn_limit": 100},
    "drop-or-pop": {"turn_limit": 50},
}
TABLES = [(game.name, players) for game in droptable.games() for players in game.players]
WAYS = ("mouse", "keyboard", "touch")


@pytest.mark.parametrize(
    ("game", "players", "way"),
    [(*table, way) for table, way in zip(TABLES, itertools.cycle(WAYS), strict=False)],
)
def test_a_whole_match_against_bots(person, game, players, way):
    """A person who only touches what glows gets to the end and sees the result."""
    anna = person(way=way)
    anna.open_table(game, ["me", *["random"] * (players - 1)], options=SHORT.get(game, {}))
    anna.play_on()
    assert anna.page.inner_text(".ending h2")
    anna.page.wait_for_selector(".sheet table")


def test_two_people_in_two_browsers(person):
    """Anna opens a table, Ben joins by the link, and they play a match to its end."""
    anna, ben = person("Anna"), person("Ben", way="touch")
    table = anna.open_table("drop", ["me", "open"], options={"pieces": 8})
    anna.page.wait_for_selector(".waiting .invite img")
    ben.go(f"t/{table}")
    ben.page.click("text=Sit here")
    for _ in range(200):
        if anna.status == "over":
            break
        anna.touch_something()
        ben.touch_something()
    verdicts = [one.page.text_content(".ending .verdict") for one in (anna, ben)]
    assert verdicts[0] and verdicts[0] == verdicts[1]
