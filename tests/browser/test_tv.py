"""A table on a television: for everybody in the room, with hands on the phones."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import expect

TELEVISION = {"width": 1920, "height": 1080}


def test_a_television_and_two_phones(person: Any) -> None:
    """A screen shows the invite link, then the table as spectators see it and whose turn it is, the
    result, and the rematch; it is sent no hand, also with the browser of somebody who plays."""
    anna = person("Anna", way="touch")
    ben = person("Ben", way="touch")
    options = {"target": 10}
    table = anna.open_table("drop-site", ["me", "open"], options=options)
    screen = anna.context.new_page()  # the very browser that holds Anna's identity
    received: list[dict[str, Any]] = []
    screen.on("websocket", lambda socket: socket.on(
        "framereceived", lambda data: received.append(json.loads(data))))  # fmt: skip
    screen.set_viewport_size(TELEVISION)
    screen.goto(f"{anna.server}/tv/{table}")
    expect(screen.locator(".tv-invite img")).to_be_visible()
    expect(screen.locator(".tv-link")).to_have_text(f"{anna.server[7:]}/t/{table}")
    expect(screen.locator(".tv-person .name")).to_have_text(["Anna", "Free seat"])
    ben.go(f"t/{table}")
    ben.page.click("text=Sit here")
    expect(screen.locator(".tv-person .name")).to_have_text(["Anna", "Ben"])
    expect(screen.locator(".tv-person.acting")).to_have_count(1)
    for player in (anna, ben, anna, ben):
        if player.page.locator(".board .can").count():
            player.touch_something()
    resign = {"id": "resign", "command": {"type": "resign"}}
    ben.ask("POST", f"tables/{table}/commands", resign)
    expect(screen.locator("body")).to_have_attribute("data-status", "over")
    expect(screen.locator(".tv-person.won")).not_to_have_count(0)
    states = [message for message in received if message["type"] == "state"]
    assert len(states) > 2
    for state in states:
        assert state["seat"] is None and state["you"] is None and state["legal"] == []
        assert state["view"] is None or not any(map(int, state["view"]["hands"]))
    answer = anna.page.locator(".ending .main")
    answer.click()
    expect(screen).not_to_have_url(f"{anna.server}/tv/{table}", timeout=15_000)
    expect(screen.locator(".tv-person .name")).to_contain_text(["Anna"])
