"""The pages are for everyone: axe finds no serious issue, and nothing scrolls or is too small."""

from __future__ import annotations

import pytest

Axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe

SIZES = [(360, 740), (390, 844), (740, 360), (768, 1024), (1280, 800), (1920, 1080)]
GAMES = {"drop-site": 2, "number-drop": 3, "drop": 2, "depot": 3, "drop-or-pop": 3}
FULL = {"drop-site": 4, "number-drop": 6, "drop": 2, "depot": 5, "drop-or-pop": 4}
SMALLEST = 11.9  # pixels of text
PATIENCE = 40  # quarters of a second


def serious(page):
    """The serious issues that axe finds, briefly."""
    violations = Axe().run(page).response["violations"]
    return [
        (issue["id"], [node["html"][:120] for node in issue["nodes"][:3]])
        for issue in violations
        if issue["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("path", ["", "learn", "learn/drop-site", "move", "replay"])
def test_pages_are_accessible(person, path):
    """No serious issue on any page, light or dark."""
    anna = person()
    anna.go(path)
    anna.page.wait_for_selector("main h2, main button, main .button")
    for scheme in ("light", "dark"):
        anna.page.emulate_media(color_scheme=scheme)
        assert serious(anna.page) == []


@pytest.mark.parametrize("game", GAMES)
def test_tables_are_accessible(person, game):
    """No serious issue at a table of any game while it is one's turn, light or dark."""
    anna = person()
    anna.open_table(game, ["me", *["random"] * (GAMES[game] - 1)])
    anna.page.wait_for_selector(".board .can, .moves button")
    for scheme in ("light", "dark"):
        anna.page.emulate_media(color_scheme=scheme)
        assert serious(anna.page) == []


@pytest.mark.parametrize("game", FULL)
def test_boards_fit_every_screen(person, game):
    """A full table: nothing scrolls, no text is smaller than 12 pixels, and all seats are seen."""
    anna = person()
    anna.open_table(game, ["me", *["random"] * (FULL[game] - 1)])
    for width, height in SIZES:
        anna.page.set_viewport_size({"width": width, "height": height})
        anna.page.wait_for_selector(".board .can, .moves button")
        for _ in range(PATIENCE):  # until the picture for this size has come
            anna.page.wait_for_timeout(250)
            problems = what_does_not_fit(anna.page, width, height)
            if not problems:
                break
        assert not problems, (width, height, problems)


def what_does_not_fit(page, width, height):
    """The size of the page if it scrolls, texts of the board that are too small, hidden seats."""
    wide, tall = page.evaluate(
        "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    )
    sizes = page.evaluate(
        "[...document.querySelectorAll('.board text')].map(text => [text.textContent,"
        " parseFloat(getComputedStyle(text).fontSize)"
        " * Math.hypot(text.getScreenCTM().a, text.getScreenCTM().b)])"
    )
    small = [(text, size) for text, size in sizes if text and size < SMALLEST]
    ends = page.evaluate(
        "[...document.querySelectorAll('.seat')].map(seat => seat.getBoundingClientRect().right)"
    )
    hidden = [("seat", end) for end in ends if end > width]
    return ([] if wide <= width and tall <= height else [(wide, tall)]) + small[:5] + hidden
