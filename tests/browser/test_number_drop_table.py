"""Number Drop as fast as paper: few clicks and keys, any square, any die, chips and traces."""

from __future__ import annotations

import pytest

from tests.browser.player import Player

expect = pytest.importorskip("playwright.sync_api").expect

COLUMN = '.board [data-touch^="column-"].can'
AIMED = ".board [data-aim].can"
DIE = '.board [data-touch^="die-"].can'
SQUARE = '.board [data-touch^="square-"]'
SHAPE = '.board [data-touch^="shape-"].can'
MARK = '.board [id^="mark-0-"]'
CHIP = ".moves button.chip"
MOST_CLICKS, MOST_KEYS = 5, 7
TURNS = 4


def seated(anna: Player) -> None:
    """A table with a quick bot, after the first number."""
    anna.open_table("number-drop", ["me", "easy"])
    anna.page.locator(COLUMN).first.click()
    to_drop(anna)


def to_drop(anna: Player) -> None:
    """Wait for the next drop; whatever can be circled before is circled."""
    for _ in range(400):
        if anna.page.locator(f"{AIMED}, {SHAPE}").count():
            return
        if anna.page.locator(CHIP).count():
            anna.page.locator(CHIP).first.click()
        anna.page.wait_for_timeout(50)
    raise AssertionError(f"never to drop: {anna.prompt}")


def faces(anna: Player) -> list[str]:
    """What the dice show that can be used."""
    return [str(die.get_attribute("data-face")) for die in anna.page.locator(DIE).all()]


def type_all(anna: Player) -> None:
    """Write what the dice show, and 8 for a star."""
    for face in sorted(faces(anna), reverse=True):
        anna.page.keyboard.press(face.replace("*", "8"))


def column(anna: Player, number: int) -> tuple[float, float]:
    """The middle of a column on the screen."""
    box = anna.page.locator(f'.board [data-touch="column-{number}"]').bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def is_written(anna: Player, before: int) -> None:
    """All four numbers stand on the own sheet."""
    expect(anna.page.locator(MARK)).to_have_count(before + 4)


def test_a_turn_takes_five_clicks(person):
    """A drop, and three dice: the last one places itself. A star costs one more click."""
    anna = person()
    seated(anna)
    for turn in range(TURNS):
        to_drop(anna)
        clicks = stars = 0
        if anna.page.locator(SHAPE).count():
            anna.page.locator(SHAPE).first.click()
            clicks, stars = 1, 1
        anna.page.wait_for_selector(AIMED)
        before = anna.page.locator(MARK).count()
        anna.page.mouse.click(*column(anna, 2 * turn % 7 + 1))
        clicks += 1
        if "Drop block" in anna.prompt or not anna.page.locator(DIE).count():
            anna.page.wait_for_timeout(300)
        while anna.page.locator(DIE).count() and anna.page.locator(SQUARE).count():
            if anna.page.locator(".moves button.value").count():
                anna.page.locator(".moves button.value").nth(3).click()
                stars += 1
            else:
                anna.page.locator(DIE).first.click()
            clicks += 1
            anna.page.wait_for_timeout(60)
        if anna.page.locator(".moves button.value").count():  # a star was left for the end
            anna.page.locator(".moves button.value").nth(3).click()
            clicks, stars = clicks + 1, stars + 1
        assert anna.page.locator(MARK).count() >= before
        assert clicks - stars <= MOST_CLICKS


def test_a_turn_takes_seven_keys(person):
    """A column by its number, then digits; a star is any digit that is typed."""
    anna = person()
    seated(anna)
    for _ in range(TURNS):
        to_drop(anna)
        keys = 0
        if anna.page.locator(SHAPE).count():
            anna.page.keyboard.press("o")
            keys += 1
        anna.page.wait_for_selector(AIMED)
        before = anna.page.locator(MARK).count()
        anna.page.keyboard.press("r")
        anna.page.keyboard.press("1")
        keys += 2
        anna.page.wait_for_timeout(200)
        shown = faces(anna)
        if not shown:  # a block: there are no numbers to write
            continue
        type_all(anna)  # the last one places itself: its key is idle
        keys += len(shown)
        is_written(anna, before)
        assert keys <= MOST_KEYS
        assert not anna.page.locator(".notice:not([hidden])").count(), (
            "a digit too many is no mistake"
        )


def test_any_square_then_any_die(person):
    """The last square first: what lies there goes where it was put; Escape takes all back."""
    anna = person()
    seated(anna)
    while True:
        to_drop(anna)
        if anna.page.locator(SHAPE).count():
            anna.page.locator(SHAPE).first.click()
        anna.page.wait_for_selector(AIMED)
        anna.page.keyboard.press("3")
        anna.page.wait_for_selector(SQUARE)
        if "*" not in faces(anna):
            break
        type_all(anna)
        anna.page.wait_for_selector(SQUARE, state="detached")
    shown = faces(anna)
    anna.page.locator(SQUARE).last.click()
    anna.page.locator(DIE).first.click()
    expect(anna.page.locator(".board .values text")).to_have_text([shown[0]])
    anna.page.keyboard.press("Escape")
    expect(anna.page.locator(".board .values text")).to_have_count(0)
    die = anna.page.locator(DIE).last.bounding_box()
    square = anna.page.locator(SQUARE).nth(1).bounding_box()
    anna.page.mouse.move(die["x"] + die["width"] / 2, die["y"] + die["height"] / 2)
    anna.page.mouse.down()
    anna.page.mouse.move(square["x"] + 20, square["y"] + 60, steps=4)
    anna.page.mouse.move(
        square["x"] + square["width"] / 2, square["y"] + square["height"] / 2, steps=4
    )
    anna.page.mouse.up()
    expect(anna.page.locator(".board .values text")).to_have_text([shown[-1]])


@pytest.mark.parametrize("number", [1, 4, 7])
def test_the_shape_follows_the_pointer(person, number):
    """Its ghost is centred on the pointer as far as the grid allows; R turns it in place."""
    anna = person()
    seated(anna)
    while anna.page.locator(SHAPE).count():
        anna.page.locator(SHAPE).first.click()
        anna.page.wait_for_selector(AIMED)
    left = column(anna, 1)[0]
    wide = column(anna, 2)[0] - left
    for key in ("", "r"):
        if key:
            anna.page.keyboard.press(key)
        x, y = column(anna, number)
        anna.page.mouse.move(x + 3, y)
        anna.page.mouse.move(x, y)
        ghost = anna.page.locator(".board > svg > .ghost").bounding_box()
        assert ghost is not None and ghost["width"] > 0
        middle = ghost["x"] + ghost["width"] / 2
        low = left - wide / 2 + ghost["width"] / 2
        high = left + 6.5 * wide - ghost["width"] / 2
        assert abs(middle - min(max(x, low), high)) <= wide * 0.55


def test_a_finger_drags_and_lifts(person):
    """A shape is dragged sideways and dropped where the finger lifts, without a second tap."""
    anna = person(way="touch")
    anna.open_table("number-drop", ["me", "easy"])
    anna.page.locator(COLUMN).nth(3).tap()
    if anna.page.locator(".moves button.confirm").count():
        anna.page.locator(".moves button.confirm").tap()
    to_drop(anna)
    while anna.page.locator(SHAPE).count():
        anna.page.locator(SHAPE).first.tap()
        anna.page.wait_for_timeout(200)
    anna.page.wait_for_selector(AIMED)
    points = [column(anna, number) for number in (2, 3, 4, 5)]
    client = anna.context.new_cdp_session(anna.page)
    for kind, (x, y) in zip(
        ("touchStart", "touchMove", "touchMove", "touchMove"), points, strict=True
    ):
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
        anna.page.wait_for_timeout(30)
    client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    anna.page.wait_for_selector(f'{SQUARE}, .board [id^="mark-0-"] .nd-x')


KEEP_STATE = """
const Plain = WebSocket;
window.WebSocket = class extends Plain {
  constructor(...given) {
    super(...given);
    this.addEventListener("message", ({ data }) => {
      if (data.includes('"type":"state"')) window.lastState = JSON.parse(data);
    });
  }
};
"""


def to_a_combo(anna: Player) -> list[str]:
    """Play a solo match by keys until something can be circled: the cells of the best combo."""
    page = anna.page
    for _ in range(1200):
        if page.locator(CHIP).count():
            return list(page.evaluate("window.lastState.picture.chips[0].trace"))
        if anna.status == "over":  # a match without a combo
            anna.open_table("number-drop", ["me"])
        elif page.locator('.board [data-touch^="tile-"].can').count():
            page.locator('.board [data-touch^="tile-"].can').last.click()
        elif page.locator(SHAPE).count():
            page.keyboard.press("i")
        elif page.locator(AIMED).count():
            page.keyboard.press(str(anna.random.randrange(1, 8)))
        elif page.locator(COLUMN).count():
            page.locator(COLUMN).first.click()
        else:
            for face in sorted(faces(anna)):
                page.keyboard.press(face.replace("*", "4"))
        page.wait_for_timeout(40)
    raise AssertionError(f"nothing to circle: {anna.prompt}")


@pytest.mark.parametrize("way", ["click", "trace", "trace back"])
def test_combos_by_chip_or_by_dragging(person, way):
    """One click on a chip, or a drag over the numbers in either direction, circles a combo."""
    anna = person()
    anna.context.add_init_script(KEEP_STATE)
    anna.open_table("number-drop", ["me"])
    trace = to_a_combo(anna)
    rings = anna.page.locator('.board [id^="circle-0-"]')
    before = rings.count()
    skip = anna.page.locator(".moves button", has_text="Circle nothing")
    assert "main" not in (skip.get_attribute("class") or ""), "the main button is the bad choice"
    if way == "click":
        anna.page.locator(CHIP).first.click()
    else:
        boxes = [
            anna.page.locator(f'.board [data-touch="{name}"]').bounding_box()
            for name in (trace if way == "trace" else trace[::-1])
        ]
        places = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes]
        anna.page.mouse.move(*places[0])
        anna.page.mouse.down()
        for place in places[1:]:
            anna.page.mouse.move(*place, steps=6)
        anna.page.mouse.up()
    expect(rings).to_have_count(before + 1)


@pytest.mark.parametrize("way", ["mouse", "touch"])
def test_events_are_seen_one_after_the_other(person, way):
    """With motion, dice tumble for all, and what the bots did is shown before the next drop."""
    anna = person(way=way, speed="quick", reduced_motion="no-preference")
    anna.open_table("number-drop", ["me", "easy", "easy"])
    anna.page.wait_for_selector(COLUMN)
    anna.page.evaluate(
        """() => {
          window.seen = new Set();
          new MutationObserver(() => {
            const news = document.querySelector(".board .nd-news");
            if (news) window.seen.add("news");
            if (document.querySelector(".board .caption:not([hidden])")) window.seen.add("caption");
            for (const a of document.getAnimations())
              if (a.effect?.target?.id?.startsWith("die-")) window.seen.add("dice");
          }).observe(document.querySelector(".board"), { childList: true, subtree: true });
        }"""
    )
    anna.page.keyboard.press("4")
    if anna.page.locator(".moves button.confirm").count():
        anna.page.locator(".moves button.confirm").tap()
    for _ in range(200):
        if {"dice", "news"} <= set(anna.page.evaluate("[...window.seen]")):
            return
        if anna.page.locator(SHAPE).count():
            anna.page.keyboard.press("i")
        elif anna.page.locator(AIMED).count():
            anna.page.keyboard.press("1")
        else:
            for face in faces(anna):
                anna.page.keyboard.press(face.replace("*", "9"))
        anna.page.wait_for_timeout(100)
    raise AssertionError(f"not seen: {anna.page.evaluate('[...window.seen]')}, {anna.prompt}")
