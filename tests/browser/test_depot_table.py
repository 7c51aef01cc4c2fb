"""Depot in a real browser: choosing cards, suggested plays, and the end of a game."""

from __future__ import annotations

import re

import pytest

expect = pytest.importorskip("playwright.sync_api").expect

HAND = '.board [data-touch^="hand-"]'
MOST_MOVES = 200


def chosen(anna):
    """The names of the cards that are lifted."""
    return [e.get_attribute("data-touch") for e in anna.page.locator(f"{HAND}.picked").all()]


@pytest.mark.parametrize("way", ["mouse", "touch"])
def test_another_card_switches_or_extends_the_choice(person, way):
    """Touching a second card never leads to an error; then the bay plays what is chosen."""
    anna = person(way=way)
    anna.open_table("depot", ["me", "random", "random"])
    anna.page.wait_for_selector(f"{HAND}.can")
    names = dict.fromkeys(e.get_attribute("data-touch") for e in anna.page.locator(HAND).all())
    first, *_others, last = names
    anna.use(anna.page.locator(f'.board [data-touch="{first}"]').last)
    expect(anna.page.locator(f"{HAND}.picked")).to_have_count(1)
    anna.use(anna.page.locator(f'.board [data-touch="{last}"]').last)
    expect(anna.page.locator(f'{HAND}.picked[data-touch="{last}"]')).to_have_count(1)
    assert chosen(anna) in ([last], [first, last])
    expect(anna.page.locator(".notice:not([hidden])")).to_have_count(0)
    anna.use(anna.page.locator('.board [data-touch="table"]'))
    expect(anna.page.locator(".lines")).to_contain_text("Anna plays")


def test_a_suggested_play_is_made_by_one_click(person):
    """A chip plays at once, and the whole deal was one line of the log."""
    anna = person()
    anna.open_table("depot", ["me", "random", "random"])
    chip = anna.page.locator(".moves .chip").first
    chip.wait_for()
    label = chip.inner_text()
    assert label.startswith("Play ")
    chip.click()
    lines = anna.page.locator(".lines")
    expect(lines).to_contain_text(f"Anna plays {label[5:]}.")
    told = lines.inner_text()
    assert len(re.findall("Everybody is dealt 9 cards. The Storage gets", told)) == 1
    assert "is dealt a card" not in told


@pytest.mark.parametrize("way", ["mouse", "touch"])
def test_the_end_of_a_game_is_seen_before_the_next_deal(person, way):
    """The ranks are shown, cards are taken one by one, and only then is game 2 dealt."""
    anna = person(way=way, speed="quick", reduced_motion="no-preference")
    anna.open_table("depot", ["me", "random", "random"], options={"games": 3})
    ranks = anna.page.locator(".board #rank-0")
    for _ in range(MOST_MOVES):
        anna.page.wait_for_selector(".moves button, .board #rank-0", state="attached")
        if ranks.count():
            break
        plays = anna.page.locator(".moves .chip:has-text('Play')")
        anna.use((plays if plays.count() else anna.page.locator(".moves button")).first)
        anna.page.wait_for_timeout(50)
    assert "Storage" in anna.page.inner_text(".board")
    anna.page.wait_for_function("""() => [0, 1, 2].filter((seat) => Number(
        document.querySelector(`.board #lost-${seat} text`)?.textContent) > 0).length === 2""")
    expect(ranks).to_have_count(1)
    anna.page.wait_for_selector(HAND)
    expect(anna.page.locator(".board")).to_contain_text("game 2 of 3")
