"""The table page: undo, hints, reasons, connection, rematch, chat, looks and languages."""

from __future__ import annotations

import pytest

expect = pytest.importorskip("playwright.sync_api").expect


def test_an_illegal_touch_explains_the_rule(person):
    """A click on the outer ring of Drop. says which rule forbids it."""
    anna = person()
    anna.open_table("drop", ["me", "random"])
    anna.page.wait_for_selector(".board .can")
    anna.page.locator('[data-touch="cell-0,5"]').click(force=True)
    anna.page.wait_for_selector(".notice:not([hidden]) .rule-link:text-is('DR2')")


def test_undo_goes_back_to_the_start_of_the_turn(person):
    """White's first of two pieces is undone; nothing else changes."""
    anna = person()
    anna.open_table("drop", ["random", "me"])
    anna.page.wait_for_selector(".board .can")
    before = anna.page.locator(".board .can").count()
    anna.touch_something()
    expect(anna.page.locator(".board .can")).not_to_have_count(before)
    anna.page.click(".tool:has-text('Undo')")
    expect(anna.page.locator(".board .can")).to_have_count(before)


def test_undo_waits_for_a_move_that_is_on_its_way(person):
    """A move and its undo in one breath: the move is known to the server before it is undone."""
    anna = person()
    anna.open_table("drop", ["random", "me"])
    anna.page.wait_for_selector(".board .can")
    anna.page.evaluate("""() => {
        const thing = document.querySelector(".board .can");
        thing.dispatchEvent(new MouseEvent("click", {bubbles: true}));
        [...document.querySelectorAll(".tool")].find(b => b.textContent === "Undo").click();
    }""")
    expect(anna.page.locator(".lines")).to_contain_text("undoes a move")
    assert anna.page.locator("dialog").count() == 0


def test_the_line_below_the_prompt_tells_of_an_undo(person):
    """An undone move is not shown as the last thing that happened."""
    anna = person()
    anna.open_table("drop", ["random", "me"])
    anna.page.wait_for_selector(".board .can")
    anna.touch_something()
    expect(anna.page.locator(".latest")).to_contain_text("Anna places")
    anna.page.click(".tool:has-text('Undo')")
    expect(anna.page.locator(".latest")).to_contain_text("undoes a move")


def test_the_prompt_says_who_won_by_resigning(person):
    """Nobody is told to move after the end."""
    anna = person()
    anna.open_table("drop", ["me", "random"])
    anna.page.wait_for_selector(".board .can")
    anna.page.click(".tool:has-text('Resign')")
    anna.page.click("dialog button:has-text('Resign')")
    expect(anna.page.locator(".prompt")).to_contain_text("resigned")


def test_a_second_click_makes_no_second_move(person):
    """Two clicks in one breath on a button that makes a move: one move, no refusal."""
    anna = person()
    anna.open_table("drop-or-pop", ["me", "random", "random"])
    anna.page.wait_for_selector(".moves button")
    anna.page.evaluate(
        "() => { const b = document.querySelector('.moves button'); b.click(); b.click(); }"
    )
    expect(anna.page.locator(".lines")).to_contain_text("Anna drops")
    anna.page.wait_for_selector(".board .can, .moves button")
    assert anna.page.locator(".notice:not([hidden])").count() == 0


def test_a_bot_for_somebody_who_left(person, monkeypatch):
    """Whoever stays can let a bot play for somebody who is away; a button brings them back."""
    monkeypatch.setattr("droptable.tables.decide.ABSENT", 0.0)
    anna, bo = person(), person(name="Bo")
    table = anna.open_table("drop", ["me", "open"])
    bo.go(f"t/{table}")
    bo.page.click("text=Sit here")
    bo.page.wait_for_selector(".board svg")
    bo.page.goto("about:blank")
    anna.page.click(".tool:has-text('Bot for Bo')")
    expect(anna.page.locator(".seat.away")).to_contain_text("a bot")
    bo.go(f"t/{table}")
    expect(bo.page.locator(".prompt")).to_contain_text("A bot plays for you")
    bo.page.click(".backs button:has-text('I am back')")
    expect(bo.page.locator(".prompt")).not_to_contain_text("A bot plays for you")


def test_the_page_comes_back_after_a_lost_connection(person):
    """Offline, the page says so; online again, it goes on where it was, even after a reload."""
    anna = person()
    anna.open_table("drop", ["me", "random"])
    anna.page.wait_for_selector(".board .can")
    anna.context.set_offline(True)
    anna.page.evaluate("dispatchEvent(new Event('offline'))")
    anna.context.set_offline(False)
    anna.page.reload()
    anna.page.wait_for_selector(".board .can")
    assert anna.page.is_hidden(".offline")


def test_a_rematch_rotates_the_seats(person):
    """After the end a click opens a new table where Anna sits one seat further."""
    anna = person()
    anna.open_table("drop-or-pop", ["me", "random", "random"], options={"turn_limit": 50})
    anna.play_on()
    anna.page.click("text=Rematch")
    anna.page.wait_for_selector("body[data-status=playing]")
    assert anna.ask("GET", f"tables/{anna.page.url.rsplit('/', 1)[1]}")["seat"] == 1


def test_a_hint_points_at_things(person):
    """The hint names a move in words and marks what to touch."""
    anna = person()
    anna.open_table("drop-or-pop", ["me", "random", "random"])
    anna.page.wait_for_selector(".board .can, .moves button")
    anna.page.click(".tool:has-text('Hint')")
    anna.page.wait_for_selector(".prompt:has-text('Hint:')")


def test_chat_survives_a_reload(person):
    """What was said is there again, and was never interpreted as HTML."""
    anna = person()
    anna.open_table("drop", ["me", "open"])
    anna.page.click(".opener[data-tab=chat]")
    anna.page.fill(".say input", "<b>hello</b>")
    anna.page.press(".say input", "Enter")
    anna.page.wait_for_selector("li.chat")
    anna.page.reload()
    assert anna.page.wait_for_selector("li.chat").inner_text() == "Anna: <b>hello</b>"


def test_a_table_that_does_not_exist_says_so(person):
    """A wrong link ends at a clear page with a way home."""
    anna = person()
    anna.go("t/nothing")
    anna.page.click("text=To the start page")
    anna.page.wait_for_selector(".games .game")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_follow_the_device(person, scheme):
    """Dark paper on a dark device, light paper on a light one."""
    anna = person(color_scheme=scheme)
    anna.go()
    anna.page.wait_for_selector(".games .game")
    colour = anna.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, colour[4:-1].split(","))) > 384) == (scheme == "light")


def test_german(person):
    """A German browser gets German pages, labels and sentences."""
    anna = person(locale="de-DE")
    anna.open_table("drop-or-pop", ["me", "random", "random"])
    anna.page.wait_for_selector(".board .can, .moves button")
    assert anna.page.evaluate("document.documentElement.lang") == "de"
    assert anna.page.is_visible(".tool[title=Tipp]")


SLOW_SOCKET = """
window.WebSocket = class extends WebSocket {
  #slow = true;
  get readyState() { return this.#slow ? WebSocket.CONNECTING : super.readyState; }
  set onopen(opened) { setTimeout(() => { this.#slow = false; opened(); }, 1500); }
};
"""


def test_turning_the_screen_while_connecting(person):
    """A screen that is turned before the socket is open gets the picture for its new shape."""
    anna = person()
    anna.page.add_init_script(SLOW_SOCKET)
    anna.open_table("drop-or-pop", ["me", "random", "random"])
    anna.page.wait_for_selector(".board svg[viewBox^='0 0 1000']")
    anna.page.set_viewport_size({"width": 360, "height": 740})
    anna.page.wait_for_selector(".board svg[viewBox^='0 0 360']")
