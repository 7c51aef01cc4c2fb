"""What pages request: little, only from this server, and below whatever path a proxy uses."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.browser.player import Player
from tests.web.conftest import GENEROUS, run

FIRST_LOAD = 150_000  # bytes on the wire
PATHS = ["", "learn/number-drop", "replay"]


def watch(page, requests):
    """Note the address and the size of everything that a page requests."""
    page.on(
        "requestfinished",
        lambda request: requests.append((request.url, request.sizes()["responseBodySize"])),
    )


@pytest.mark.parametrize("path", [*PATHS, "table"])
def test_first_load(person, path):
    """A first visit takes less than 150 kB, all of it from this server."""
    anna, requests = person(), []
    watch(anna.page, requests)
    if path == "table":
        anna.open_table("number-drop", ["me", "random"])
        anna.page.wait_for_selector(".board .can")
    else:
        anna.go(path)
        anna.page.wait_for_selector("main h2, main button")
        anna.page.wait_for_load_state("networkidle")
    assert all(url.startswith(anna.server) for url, _ in requests)
    assert 1000 < sum(size for _, size in requests) < FIRST_LOAD, requests


@pytest.mark.parametrize("path", ["t", "index.html", "no/such/page"])
def test_a_page_that_is_not_there(person, path):
    """A wrong address leads to a page that says so, and back to the start page."""
    anna = person()
    answer = anna.page.goto(f"{anna.server}/{path}")
    assert answer.status == 404
    assert f"There is no page /{path}" in anna.page.text_content("main h2")
    anna.page.click("main a")
    anna.page.wait_for_url(f"{anna.server}/")
    (error,) = anna.errors
    assert "404" in error
    anna.errors.clear()


def test_behind_a_prefix(chromium, tmp_path):
    """Below a proxy's path every page works and requests nothing outside that path."""
    config = replace(GENEROUS, database=str(tmp_path / "tables.db"), prefix="/games")
    for server in run(config):
        home = f"{server.address}/games"
        anna, requests = Player(chromium.new_context(), home, "mouse", "Anna"), []
        watch(anna.page, requests)
        for path in PATHS:
            anna.go(path)
            anna.page.wait_for_selector("main h2, main button")
        anna.open_table("drop-or-pop", ["me", "random", "random"], options={"turn_limit": 50})
        anna.play_on()
        anna.page.click("text=Replay")
        anna.page.wait_for_selector("input[type=range]")
        assert requests and all(url.startswith(home + "/") for url, _ in requests)
        assert not anna.errors
        anna.context.close()
