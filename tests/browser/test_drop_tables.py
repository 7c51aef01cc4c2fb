"""Drop. and Drop or Pop! at a table: what is marked, and what is seen to happen."""

from __future__ import annotations

import pytest

expect = pytest.importorskip("playwright.sync_api").expect

MOVING = {"reduced_motion": "no-preference", "speed": "normal"}
SMALL = {"size": 5, "pieces": 8}


def centre(player, selector):
    """The middle of a thing on the screen."""
    box = player.page.locator(selector).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.parametrize("way", ["mouse", "touch"])
def test_a_hint_marks_a_cell(person, way):
    """The cell that is meant has an edge that is seen, and the hint calls it by its name."""
    anna = person(way=way)
    anna.open_table("drop", ["me", "random"], options=SMALL)
    anna.page.wait_for_selector(".board .can")
    anna.page.click(".tool:has-text('Hint')")
    hinted = anna.page.locator(".board .hinted")
    expect(hinted).to_have_count(1, timeout=60_000)
    stroke = hinted.locator("> .rim").evaluate("rim => getComputedStyle(rim).stroke")
    assert stroke != "none"
    name = hinted.get_attribute("aria-label").split(",")[0]
    expect(anna.page.locator("body")).to_contain_text(f"Place a stone on {name}")


def test_both_placements_stay_marked_after_a_reload(person):
    """The two stones of the last turn have a ring, also for who has just come."""
    anna = person()
    anna.open_table("drop", ["me", "random"], options=SMALL)
    anna.page.wait_for_selector(".board .can")
    anna.touch_something()
    expect(anna.page.locator("#seat-0 .mine")).to_be_visible()
    anna.page.wait_for_selector(".board .can")
    expect(anna.page.locator(".board .last")).to_have_count(2)
    anna.page.reload()
    anna.page.wait_for_selector(".board .can")
    expect(anna.page.locator(".board .last")).to_have_count(2)


def test_a_stone_hops_from_the_plate_and_pushes_the_dud(person):
    """The thing with the same id is first on the plate, then moves, then lies on the board."""
    anna, ben = person(**MOVING), person("Ben")
    table = anna.open_table("drop", ["me", "open"], options=SMALL)
    ben.ask("POST", f"tables/{table}/commands", {"id": "1", "command": {"type": "join"}})
    anna.page.wait_for_selector(".board .can")
    start, dud = centre(anna, "#stone-0"), centre(anna, "#dud")
    where = centre(anna, '[data-touch="cell--1,0"]')
    anna.page.evaluate("""() => {
        window.seen = [];
        const look = () => {
            const stone = document.querySelector("#stone-0")?.getBoundingClientRect();
            if (stone) window.seen.push(Math.round(stone.x));
            requestAnimationFrame(look);
        };
        look();
    }""")
    anna.page.mouse.click(*where)
    expect(anna.page.locator("#stone-0 .last")).to_have_count(1)
    anna.page.wait_for_timeout(1500)
    assert len(set(anna.page.evaluate("window.seen"))) > 5  # it was seen on its way
    assert centre(anna, "#stone-0")[0] == pytest.approx(where[0], abs=6)
    assert centre(anna, "#dud")[0] > dud[0] + 10
    assert start[0] != where[0]


def test_the_end_of_drop_is_counted(person):
    """Before the result both largest groups are counted stone by stone; then the winner's glows."""
    anna = person(**MOVING)
    anna.open_table("drop", ["me", "random"], options=SMALL)
    anna.page.evaluate("""() => {
        window.counted = new Set();
        new MutationObserver(() => {
            for (const seat of [0, 1])
                if (document.querySelector(`#tally-${seat}-1`)) window.counted.add(seat);
        }).observe(document.body, {childList: true, subtree: true});
    }""")
    anna.play_on()
    assert anna.page.evaluate("window.counted.size") == 2
    anna.page.wait_for_selector(".board .won")
    assert anna.page.locator("[id^=tally-]").count() == 0


@pytest.mark.parametrize("key", ["d", "click"])
def test_a_counter_falls_into_its_tube(person, key):
    """Dropped by key or on the board, the counter that hovered is the one that lands."""
    anna = person(**MOVING)
    anna.open_table("drop-or-pop", ["me", "random", "random"])
    anna.page.wait_for_selector(".board .can[data-touch=drop]")
    anna.page.wait_for_timeout(1200)  # the colour has come
    x, y = centre(anna, "#counter-0-5")
    if key == "d":
        anna.page.keyboard.press("d")
    else:
        anna.page.mouse.click(*centre(anna, "[data-touch=drop]"))
    expect(anna.page.locator(".lines, .latest").first).to_be_attached()
    anna.page.wait_for_timeout(900)
    lower = centre(anna, "#counter-0-5")
    assert lower[0] == pytest.approx(x, abs=3)
    assert lower[1] > y + 100


def test_another_tube_says_which_one_it_is(person):
    """Who touches the wrong tube is told whose turn it is about."""
    anna = person()
    anna.open_table("drop-or-pop", ["me", "random", "random"])
    anna.page.wait_for_selector(".board .can[data-touch=drop]")
    anna.page.locator('[data-touch^="other-"]').first.click(force=True)
    expect(anna.page.locator("body")).to_contain_text("This turn is about the")


def test_all_that_can_be_done_fits_on_a_phone(person):
    """Drop, pop and ignore are buttons that can be seen whole at 390 pixels."""
    anna = person(way="touch")
    anna.open_table("drop-or-pop", ["me", "random", "random"])
    anna.page.wait_for_selector(".moves button")
    for button in anna.page.locator(".moves button").all():
        box = button.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
