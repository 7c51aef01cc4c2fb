"""The end of a match is seen: it takes its time at normal speed, and things move."""

from __future__ import annotations

import time

import pytest

from tests.browser.test_board import FRAMES

pytest.importorskip("playwright.sync_api")

MOST_TOUCHES = 2500
# Skips what is shown, unless it is the end: asked and done at once, so that no state slips between.
SKIP = """() => {
    if (JSON.parse(lastState).status === "over") return true;
    document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "Escape", bubbles: true}));
    return false;
}"""
RESULT = "document.querySelector('.panel .ending') !== null"


@pytest.mark.parametrize(("game", "seats"), [("drop-or-pop", ["me", "easy", "easy"]),
                                             ("number-drop", ["me"])])  # fmt: skip
def test_the_end_takes_its_time(person, game, seats):
    """From the last event to the result at least a second passes, in which something moves."""
    anna = person(speed="normal", reduced_motion="no-preference")
    anna.context.add_init_script(FRAMES)
    anna.open_table(game, seats)
    anna.page.wait_for_selector(".board svg")
    for _ in range(MOST_TOUCHES):
        if anna.page.locator(".board .can, .moves button").count():
            anna.touch_something()
        elif anna.page.evaluate(SKIP):
            break
    start, moving = time.monotonic(), 0
    while not anna.page.evaluate(RESULT):
        moving += anna.page.evaluate("document.getAnimations().length") > 0
        anna.page.wait_for_timeout(40)
    assert time.monotonic() - start >= 1
    assert moving > 3
