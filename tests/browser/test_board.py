"""The board: events are seen one after the other; touching, dragging, keys; no press is lost."""

from __future__ import annotations

import pytest

from tests.browser.player import Player

expect = pytest.importorskip("playwright.sync_api").expect

# Keeps the last state of the table, and can deliver it again with another picture of the same view.
FRAMES = """
const Plain = WebSocket;
window.WebSocket = class extends Plain {
  constructor(...given) {
    super(...given);
    window.tableSocket = this;
    this.addEventListener("message", ({ data }) => {
      if (data.includes('"type":"state"')) window.lastState = data;
    });
  }
};
let frames = 0;
window.deliverAgain = () => {
  const state = JSON.parse(window.lastState);
  state.beats = [];
  state.lines = [];
  state.picture.svg = state.picture.svg.replace("</svg>", `<g data-frame="${++frames}"/></svg>`);
  window.tableSocket.onmessage({ data: JSON.stringify(state) });
};
"""
PRESSES, PRESS_MS, FRAME_MS = 200, 130, 100


def restless(anna: Player) -> None:
    """Let a new picture of the same position arrive all the time."""
    anna.page.evaluate(f"setInterval(window.deliverAgain, {FRAME_MS})")


def wait_until(anna: Player, condition: str) -> None:
    """Wait for something that only the page knows."""
    for _ in range(300):
        if anna.page.evaluate(condition):
            return
        anna.page.wait_for_timeout(50)
    raise AssertionError(f"never so: {condition}")


def centre_of(anna: Player, selector: str) -> tuple[float, float]:
    box = anna.page.locator(selector).first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_presses_are_never_lost(person):
    """Two hundred slow presses on a card while pictures come and go: each one counts."""
    anna = person()
    anna.context.add_init_script(FRAMES)
    anna.open_table("drop-site", ["me", "easy"])
    card = '.board [data-touch^="hand-"]'
    anna.page.wait_for_selector(card + ".can")
    restless(anna)
    x, y = centre_of(anna, card)
    anna.page.mouse.move(x, y)
    lost = 0
    for press in range(PRESSES):
        anna.page.mouse.down()
        anna.page.wait_for_timeout(PRESS_MS)
        anna.page.mouse.up()
        picked = anna.page.locator(card).first.evaluate("c => c.classList.contains('picked')")
        lost += picked == bool(press % 2)
    assert lost == 0
    assert anna.page.locator("[data-frame]").count() == 1, "no frame has come"


def test_buttons_survive_frames(person):
    """A button below the board is the same element before and after a frame."""
    anna = person()
    anna.context.add_init_script(FRAMES)
    anna.open_table("drop-site", ["me", "easy"])
    anna.page.locator('.board [data-touch^="hand-"].can').first.click()
    button = anna.page.get_by_role("button", name="Start over")
    button.evaluate("b => { b.dataset.same = 'yes'; }")
    anna.page.evaluate("window.deliverAgain()")
    anna.page.wait_for_selector("[data-frame]", state="attached")
    expect(button).to_have_attribute("data-same", "yes")


def test_what_others_do_does_not_disarm(person):
    """A tapped move stays armed, with its Confirm button, while frames come, and can be made."""
    anna = person(way="touch")
    anna.context.add_init_script(FRAMES)
    anna.open_table("drop", ["me", "easy"])
    anna.page.wait_for_selector(".board .can")
    anna.page.touchscreen.tap(*centre_of(anna, '[data-touch="cell-1,1"]'))
    expect(anna.page.locator(".moves .confirm")).to_be_visible()
    assert "Tap again" in anna.prompt
    for _ in range(3):
        anna.page.evaluate("window.deliverAgain()")
        anna.page.wait_for_timeout(30)
    assert anna.page.locator(".board .armed").count() == 1
    anna.page.locator(".moves .confirm").tap()
    expect(anna.page.locator(".lines")).to_contain_text("Anna places")


def test_another_card_replaces_the_one_that_was_picked(person):
    """Clicking a second card of the hand switches the choice; nothing is refused."""
    anna = person()
    anna.open_table("drop-site", ["me", "easy"])
    cards = anna.page.locator('.board [data-touch^="hand-"]')
    cards.first.wait_for()
    names = cards.evaluate_all("cards => cards.map(card => card.dataset.touch)")
    other = next(name for name in names if name != names[0])
    cards.first.click()
    expect(anna.page.locator(".board .picked")).to_have_count(1)
    anna.page.locator(f'.board [data-touch="{other}"]').first.click()
    expect(anna.page.locator(".board .picked")).to_have_attribute("data-touch", other)
    assert anna.page.locator(".notice:not([hidden])").count() == 0


def test_escape_starts_over_from_anywhere(person):
    """Escape takes a picked card back although nothing on the board has the focus."""
    anna = person()
    anna.open_table("drop-site", ["me", "easy"])
    anna.page.locator('.board [data-touch^="hand-"].can').first.click()
    expect(anna.page.locator(".board .picked")).to_have_count(1)
    anna.page.evaluate("document.activeElement.blur()")
    anna.page.keyboard.press("Escape")
    expect(anna.page.locator(".board .picked")).to_have_count(0)


def test_the_keyboard_stays_on_the_board(person):
    """After every own move the focus is on something that can be touched, not on the body."""
    anna = person(way="keyboard")
    anna.open_table("drop", ["me", "easy"])
    anna.page.wait_for_selector(".board .can")
    anna.page.keyboard.press("ArrowRight")
    for _ in range(4):
        anna.page.wait_for_selector(".board .can:focus")
        anna.page.keyboard.press("ArrowUp")
        anna.page.evaluate("document.activeElement.dataset.used = 'yes'")
        anna.page.keyboard.press("Enter")
        wait_until(anna, "!document.querySelector('.board .can:focus[data-used]')")


def test_a_card_is_dragged_by_a_finger(person):
    """A finger takes a card from the hand to the reserve: the browser does not pan instead."""
    anna = person(way="touch")
    anna.open_table("drop-site", ["me", "easy"])
    card = '.board [data-touch^="hand-"].can'
    anna.page.wait_for_selector(card)
    start = centre_of(anna, card)
    finger = anna.context.new_cdp_session(anna.page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        finger.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]},
        )

    end = centre_of(anna, '.board [data-touch="reserve"]')
    touch("touchStart", start)
    for share in (0.1, 0.3, 0.5, 0.7, 0.9, 1):
        x, y = (a + (b - a) * share for a, b in zip(start, end, strict=True))
        touch("touchMove", (x, y))
    touch("touchEnd")
    expect(anna.page.locator(".lines")).to_contain_text("Anna hides")


def test_events_are_seen_one_after_the_other(person):
    """At normal speed each stone has a picture of its own: Anna's, and the bot's two."""
    anna = person(speed="normal", reduced_motion="no-preference")
    anna.open_table("drop", ["me", "easy"])
    anna.page.wait_for_selector(".board .can")
    anna.page.evaluate("""() => {
        window.pictures = 0;
        new MutationObserver(() => { window.pictures++; })
            .observe(document.querySelector(".board"), {childList: true});
    }""")
    anna.page.locator(".board .can").first.click()
    expect(anna.page.locator(".saying.yours")).to_be_visible()
    anna.page.wait_for_selector(".board .can")
    assert anna.page.evaluate("window.pictures") >= 3  # Anna's stone, and the bot's two


def test_a_click_skips_to_the_end(person):
    """Whoever does not want to watch clicks: the last picture is there at once, and can be used."""
    anna = person(speed="slow", reduced_motion="no-preference")
    anna.context.add_init_script(FRAMES)
    anna.open_table("drop", ["me", "easy"])
    anna.page.wait_for_selector(".board .can")
    anna.page.locator(".board .can").first.click()
    wait_until(anna, "(({seq, to_act}) => seq > 5 && to_act[0] === 0)(JSON.parse(lastState))")
    assert anna.page.locator(".board .can").count() == 0
    anna.page.locator(".board").click(position={"x": 5, "y": 5})
    anna.page.wait_for_selector(".board .can", timeout=1000)


@pytest.mark.parametrize(("device", "theme"), [("light", "dark"), ("dark", "light")])
def test_chosen_colours_reach_the_board(person, device, theme):
    """Settings → Colours decides for the board, too, whatever the device prefers."""
    anna = person(color_scheme=device)
    anna.context.add_init_script(f"localStorage.theme = {theme!r}")
    anna.open_table("number-drop", ["me", "easy"])
    anna.page.wait_for_selector(".board svg")
    ink = anna.page.evaluate("getComputedStyle(document.querySelector('.board svg')).color")
    assert (sum(map(int, ink[4:-1].split(","))) > 380) == (theme == "dark"), ink


def test_a_quick_click_counts_although_the_last_answer_is_late(person):
    """The state that a move led to may come before its answer: the next move waits, and is made."""
    anna = person()
    anna.context.add_init_script("""
        const Plain = WebSocket;
        window.WebSocket = class extends Plain {
          set onmessage(act) {
            this.addEventListener("message", (event) =>
              setTimeout(() => act(event), event.data.includes('"type":"answer"') ? 500 : 0));
          }
        };
    """)
    anna.open_table("drop", ["easy", "me"])
    for _ in range(2):
        anna.page.wait_for_selector(".board .can")
        anna.touch_something()
        anna.page.wait_for_timeout(100)
    expect(anna.page.locator(".lines")).to_contain_text("Anna places", timeout=5000)
    expect(anna.page.locator(".board [id^=stone]")).not_to_have_count(2)
    anna.page.wait_for_selector(".board .can")
    assert anna.ask("GET", f"tables/{anna.page.url.rsplit('/', 1)[-1]}")["view"]["left"][1] == 30
