"""How fair is it? The page of each game's figures, on a desktop and on a phone."""

from __future__ import annotations

import pytest

from droptable.core.balance import balance_of
from droptable.core.language import counted
from droptable.games import OWN, game

expect = pytest.importorskip("playwright.sync_api").expect

# What is wider than the window, or hangs out of its card.
WIDE = """() => [...document.querySelectorAll('main, main *')].filter(thing => {
  const { left, right } = thing.getBoundingClientRect();
  return left < -1 || right > innerWidth + 1;
}).map(thing => thing.className || thing.tagName)"""
# Where the dot, the bar and the line of each seat are, as shares of their strip.
DRAWN = """() => [...document.querySelectorAll('.strip')].map(strip => {
  const whole = strip.getBoundingClientRect();
  const part = (name) => {
    const box = strip.querySelector(name).getBoundingClientRect();
    return [(box.left - whole.left) / whole.width, (box.right - whole.left) / whole.width];
  };
  return { dot: part('.dot'), range: part('.range'), fair: part('.fair') };
})"""


@pytest.mark.parametrize("way", ["mouse", "touch"])
def test_the_figures_of_a_game_are_shown(person, way):
    """From the rules to the page: every number of players, every bot, and a bar for each seat."""
    player = person(None, way=way)
    page = player.page
    player.go("learn/drop-or-pop")
    page.get_by_role("link", name="How fair is it?").click()
    expect(page).to_have_title("Drop or Pop!: how fair is it? – Droptable")
    expect(page.locator("h1")).to_have_text("Drop or Pop!")
    found = balance_of(game("drop-or-pop"))
    headings = [counted("{count} player", "{count} players", t.players) for t in found.tables]
    assert page.locator("h2").all_text_contents() == headings
    levels = [level for table in found.tables for level in table.levels]
    cards = page.locator(".card-box")
    assert cards.count() == len(levels)
    for level, text in zip(levels, cards.all_text_contents(), strict=True):
        assert f"{level.matches} matches" in text.replace(",", "")
        name = {"random": "Any move", "greedy": "Good at a glance"}.get(level.bot, "Thinking ahead")
        assert text.startswith(name)
    shares = [share for level in levels for share in level.seats]
    told = page.locator(".seat .number").all_text_contents()
    for share, text in zip(shares, told, strict=True):
        assert float(text.split()[0]) == pytest.approx(100 * share.value, abs=0.51)
    assert page.evaluate(WIDE) == []
    title = page.locator("h1")
    assert title.evaluate("title => title.scrollWidth <= title.clientWidth"), "it is cut off"


@pytest.mark.parametrize("way", ["mouse", "touch"])
def test_bars_lie_where_the_figures_say(person, way):
    """Of every seat the dot lies in its interval, and right of the line if it is favoured."""
    player = person(None, way=way)
    player.go("learn/depot/balance")
    expect(player.page.locator("h1")).to_have_text("Depot")
    seats = [
        (share, 1 / table.players)
        for table in balance_of(game("depot")).tables
        for level in table.levels
        for share in level.seats
    ]
    drawn = player.page.evaluate(DRAWN)
    assert len(drawn) == len(seats)
    for bar, (share, fair) in zip(drawn, seats, strict=True):
        dot, line = sum(bar["dot"]) / 2, sum(bar["fair"]) / 2
        assert dot / line == pytest.approx(share.value / fair, abs=0.1)
        assert bar["range"][0] - 0.02 <= dot <= bar["range"][1] + 0.02
        assert 0 <= bar["range"][0] < bar["range"][1] <= 1.001


def test_every_game_has_figures_for_every_number_of_players(person):
    """All games come with a study of their rules as they are, and the page shows it."""
    player = person(None, way="touch")
    for own in OWN:
        player.go(f"learn/{own.name}/balance")
        expect(player.page.locator("h2")).to_have_count(len(own.players))
        assert player.page.evaluate(WIDE) == [], own.name


def test_a_game_without_figures_says_so(person):
    """An unknown game gets an answer and a way back."""
    player = person(None)
    player.go("learn/chess/balance")
    expect(player.page.get_by_role("link", name="To all games")).to_be_visible()
    player.errors.clear()  # the browser counts the answer as one
