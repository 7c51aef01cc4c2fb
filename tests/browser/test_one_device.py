"""Several people at one device: the curtain between their turns, and what is behind it."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import expect

from droptable.games import games

GAMES = [game.name for game in games()]
LIFT = ".curtain:not([hidden]) .main:enabled"
TOUCHED = "things => things.map((thing) => thing.dataset.touch)"
STOP = f"body[data-status=over], {LIFT}, .board .can, .moves button"


class Frames:
    """What the server sends over a page's socket, and as whom the page last asked to look."""

    def __init__(self, page: Any) -> None:
        self.seat: int | None = None
        self.states: list[tuple[int | None, dict[str, Any]]] = []  # asked as, and what came
        page.on("websocket", self._listen)

    def _listen(self, socket: Any) -> None:
        socket.on("framesent", self._sent)
        socket.on("framereceived", self._received)

    def _sent(self, data: Any) -> None:
        message = json.loads(data)
        if "look" in message:
            self.seat = message["look"]["seat"]

    def _received(self, data: Any) -> None:
        message = json.loads(data)
        if message.get("type") == "state":
            self.states.append((self.seat, message))


@pytest.fixture
def anna(person: Any) -> Any:
    return person("Anna", speed="off")


def hand_of(message: dict[str, Any], seat: int) -> Any:
    """Somebody's hand of Depot as a message tells it."""
    return message["view"]["hands"][seat]


def test_no_hand_is_there_before_the_curtain_is_lifted(anna: Any) -> None:
    """At Depot with three people at one device, neither the page nor its socket has any hand while
    the curtain is down, and afterwards only the one of whoever lifted it."""
    frames = Frames(anna.page)
    anna.open_table("depot", ["me", "here", "here"], here=["Ben", "Cleo"])
    for _turn in range(4):
        anna.page.wait_for_selector(LIFT)
        seat, message = frames.states[-1]
        assert message["seat"] is None and message["legal"] == []
        assert not any(any(hand_of(message, other)) for other in range(3))
        public = message["picture"]["svg"]
        names = anna.page.locator(".board [data-touch]").evaluate_all(TOUCHED)
        assert all(f'data-touch="{name}"' in public for name in names)
        name = anna.page.inner_text(".curtain h2")
        asked = len(frames.states)
        anna.page.click(LIFT)
        anna.page.wait_for_selector(".board .can")
        expect(anna.page.locator(".curtain")).to_be_hidden()
        seat, message = frames.states[-1]
        assert len(frames.states) > asked and message["seat"] == seat is not None
        assert message["seats"][seat]["name"] in name
        assert [bool(any(hand_of(message, other))) for other in range(3)].count(True) == 1
        while not anna.page.locator(LIFT).count():
            anna.touch_something()
            anna.page.wait_for_timeout(50)
        assert anna.page.locator(".board .can, .tools button, .lines .hinted").count() == 0
    for seat, message in frames.states:
        assert message["seat"] == seat or not any(
            any(hand_of(message, other)) for other in range(3)
        )


@pytest.mark.parametrize("game", GAMES)
def test_turns_at_one_device(anna: Any, game: str) -> None:
    """Two people at one device, or three where a game needs them, take turns: with a curtain where
    something is hidden, else without one. After the end both see who won."""
    few = {"drop-site": {"target": 10}, "drop": {"size": 5}, "depot": {"games": 1}}
    others = ["Ben", "Cem"] if game in ("depot", "drop-or-pop") else ["Ben"]
    lifted, moved = 0, set()
    seats = [*["here"] * len(others), "me"]
    anna.open_table(game, seats, here=others, options=few.get(game, {}))
    if game == "drop-or-pop":  # it waits, as more people may join as teams
        anna.page.click(".start-button")
    for _touch in range(400 if game in ("drop", "drop-site") else 60):
        anna.page.wait_for_selector(STOP, state="attached")
        if anna.status == "over" or lifted > 5:
            break
        if anna.page.locator(LIFT).count():
            moved.add(anna.page.inner_text(".curtain h2").split()[-1])
            anna.page.click(LIFT)
            lifted += 1
        else:
            anna.touch_something()
    hides = game in ("depot", "drop-site", "number-drop")
    assert moved == ({"Anna", *others} if hides else set())
    if game == "drop":
        assert anna.status == "over"
        expect(anna.page.locator(".ending h2")).to_have_text(re.compile("(Anna|Ben) wins|A draw"))
