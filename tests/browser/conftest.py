"""A real browser for tests: Debian's chromium, driven by Playwright, and a real server."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.browser.player import Player
from tests.web.conftest import server  # noqa: F401

CHROMIUM = (
    os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
)
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 800}


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """The browser; without one these tests are skipped and say how to get it."""
    if CHROMIUM is None:
        pytest.skip("no chromium here: install it (apt install chromium) or set $CHROMIUM")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def person(chromium: Any, server: Any) -> Iterator[Callable[..., Player]]:  # noqa: F811
    """Somebody with a browser: `person("Anna", way="touch")`. No page may log an error.

    Nothing is shown between two states, unless a `speed` is chosen.
    """
    players: list[Player] = []

    def make(
        name: str | None = "Anna", way: str = "mouse", speed: str = "off", **settings: Any
    ) -> Player:
        size = PHONE if way == "touch" else DESKTOP
        wanted = {
            "viewport": size,
            "has_touch": way == "touch",
            "reduced_motion": "reduce",
            "service_workers": "block",  # they hide requests from tests: see test_install.py
        } | settings
        context = chromium.new_context(**wanted)
        context.add_init_script(
            f"if (location.protocol !== 'about:') localStorage.speed ??= {speed!r}"
        )
        player = Player(context, server.address, way, name)
        players.append(player)
        return player

    yield make
    for player in players:
        player.context.close()
    for player in players:
        assert not player.errors, player.errors
