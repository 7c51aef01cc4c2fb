"""Before a match: the start page, setting up a table, the waiting room."""

from __future__ import annotations

import re

import pytest

expect = pytest.importorskip("playwright.sync_api").expect

SCREENS = [(1280, 800), (360, 640), (390, 844), (768, 1024), (1920, 1080)]
WAYS = ["mouse", "touch", "keyboard"]
CROWD = ["me", "open", "normal", "hard", "open", "open"]


def use(person, thing):
    """Press a button in a person's own way."""
    thing.wait_for()
    thing.scroll_into_view_if_needed()
    person.use(thing)


def card(person, game):
    return person.page.locator(f"[data-game={game}]")


def seated(person):
    """The table whose page is open, as its people see it."""
    person.page.wait_for_url("**/t/*")
    return person.ask("GET", f"tables/{person.page.url.rsplit('/', 1)[1]}")


def is_inside(thing, width, height):
    """Whether a thing is on the screen as a whole."""
    box = thing.bounding_box()
    return (
        box["x"] >= 0 and box["y"] >= 0
        and box["x"] + box["width"] <= width and box["y"] + box["height"] <= height
    )  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_play_now_in_one_click(person, way):
    """A newcomer is at a table with bots after one press: nobody asks for a name first."""
    anna = person(name=None, way=way)
    anna.go()
    use(anna, card(anna, "drop-or-pop").get_by_role("button", name="Play now"))
    state = seated(anna)
    anna.page.wait_for_selector(".board svg")
    assert anna.page.locator("dialog").count() == 0
    assert re.fullmatch(r"Guest \d{4}", state["you"]["name"])
    assert [seat["bot"] for seat in state["seats"]] == ["", "normal", "normal"]


def test_solo_in_one_click(person):
    """A game for one is begun alone at once; games that need others do not offer it."""
    anna = person(name=None)
    anna.go()
    use(anna, card(anna, "number-drop").get_by_role("button", name="Solo"))
    assert seated(anna)["players"] == 1
    anna.go()
    expect(card(anna, "depot").get_by_role("button", name="Play now")).to_be_visible()
    assert card(anna, "depot").get_by_role("button", name="Solo").count() == 0


def test_the_level_of_play_now_is_remembered(person):
    """Play now seats bots of the level that was chosen, also another day."""
    anna = person()
    anna.go()
    anna.page.get_by_label("Bots").select_option("hard")
    anna.page.reload()
    use(anna, card(anna, "drop").get_by_role("button", name="Play now"))
    assert seated(anna)["seats"][1]["bot"] == "hard"


@pytest.mark.parametrize("way", WAYS)
def test_changing_the_name(person, way):
    """An empty name is refused in plain words; cancelling changes nothing; a new name is kept."""
    anna = person(way=way)
    anna.go()
    button = anna.page.locator(".name-button")
    expect(button).to_contain_text("Anna")
    use(anna, button)
    anna.page.fill("#name", "  ")
    use(anna, anna.page.get_by_role("button", name="Save"))
    expect(anna.page.locator("dialog .bad")).to_have_text("Please enter a name.")
    use(anna, anna.page.get_by_role("button", name="Cancel"))
    assert anna.ask("GET", "me")["name"] == "Anna"
    use(anna, button)
    anna.page.fill("#name", "Anja")
    anna.page.press("#name", "Enter")
    expect(button).to_contain_text("Anja")
    assert anna.ask("GET", "me")["name"] == "Anja"


def test_a_new_name_reaches_my_tables(person):
    """Who changes their name on the start page has it at the tables where they sit, too."""
    anna = person()
    table = anna.open_table("drop", ["me", "open"])
    anna.go()
    expect(anna.page.locator(".going")).to_have_count(1)
    anna.page.locator(".name-button").click()
    anna.page.fill("#name", "Anja")
    with anna.page.expect_response("**/commands*"):
        anna.page.press("#name", "Enter")
    anna.go(f"t/{table}")
    expect(anna.page.locator(".place").first).to_contain_text("Anja")


@pytest.mark.parametrize("way", WAYS)
def test_going_on_with_a_match(person, way):
    """My turn stands on top, with the board and the others; a press leads there."""
    anna = person(way=way)
    anna.open_table("depot", ["me", "open", "easy"])
    anna.open_table("drop", ["me", "easy"])
    others = anna.ask("GET", f"tables/{anna.page.url.rsplit('/', 1)[1]}")["seats"][1]["name"]
    anna.go()
    going = anna.page.locator(".going")
    expect(going).to_have_count(2)
    first = going.first
    expect(anna.page.locator(".continue h2")).to_have_text("Continue: your turn")
    expect(first.locator(".state")).to_have_text("Your turn")
    expect(first).to_contain_text(f"with {others}")
    expect(first).to_contain_text("just now")
    expect(first.locator(".thumb svg")).to_be_visible()
    expect(going.nth(1).locator(".state")).to_have_text("1 free seat")
    use(anna, first.locator("a"))
    anna.page.wait_for_url("**/t/*")


def test_leaving_and_resigning_from_the_start_page(person):
    """Tables go from the list once they are left or resigned, after a question."""
    anna = person()
    anna.open_table("drop", ["me", "open"])
    anna.open_table("drop", ["me", "easy"])
    anna.go()
    expect(anna.page.locator(".going")).to_have_count(2)
    anna.page.get_by_role("button", name="Leave: Drop.").click()
    anna.page.locator("dialog").get_by_role("button", name="Leave").click()
    expect(anna.page.locator(".going")).to_have_count(1)
    anna.page.get_by_role("button", name="Resign: Drop.").click()
    anna.page.locator("dialog").get_by_role("button", name="Resign").click()
    expect(anna.page.locator(".going")).to_have_count(0)
    expect(anna.page.locator(".lists")).to_contain_text("Recent matches")


def test_joining_a_public_table(person):
    """A public table is listed for others, who take a seat there as guests."""
    anna, bo = person(), person(name=None)
    anna.open_table("drop", ["me", "open"], public=True, title="Come in")
    bo.go()
    entry = bo.page.locator(".lobby a", has_text="Come in").first
    expect(entry).to_contain_text("Join: 1 free seat")
    entry.click()
    bo.page.get_by_role("button", name="Sit here").click()
    bo.page.wait_for_selector(".board svg")
    anna.page.wait_for_selector(".board svg")


def test_pictures_play_while_pointed_at(person):
    """A game's picture goes through moments of a match, but not for those who want no motion."""
    for motion, moves in (("no-preference", True), ("reduce", False)):
        anna = person(reduced_motion=motion)
        anna.go()
        picture = card(anna, "drop").locator(".picture")
        picture.hover()
        if moves:
            expect(picture.locator("img[src*='moment='].in").first).to_be_attached()
        else:
            anna.page.wait_for_timeout(1500)
            assert picture.locator("img[src*='moment=']").count() == 0


def test_pictures_follow_the_theme(person):
    """Choosing dark colours changes the pictures of the games, too."""
    anna = person()
    anna.go()
    expect(card(anna, "drop").locator("img[src*='theme=light']")).to_be_attached()
    anna.page.emulate_media(color_scheme="dark")
    expect(card(anna, "drop").locator("img[src*='theme=dark']")).to_be_attached()


# -- setting up ------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
def test_setting_up_a_table(person, way):
    """Players, seats, options and the clock of the dialog arrive at the table."""
    anna = person(way=way)
    anna.go()
    use(anna, card(anna, "drop-site").get_by_role("button", name="Set up"))
    dialog = anna.page.locator("dialog")
    dialog.get_by_role("radio", name="3").check(force=True)
    dialog.locator(".seat-choice").nth(2).select_option("hard")
    clock = dialog.locator("label", has_text="Clock").locator("select")
    clock.select_option(label="1 minute per turn")
    dialog.get_by_label("Points to play to").fill("50")
    dialog.get_by_label("Hints allowed").check()
    use(anna, dialog.get_by_role("button", name="Open the table"))
    anna.page.wait_for_selector(".waiting")
    state = seated(anna)
    assert state["players"] == 3 and state["options"]["target"] == 50
    assert [seat["bot"] for seat in state["seats"]] == ["", "", "hard"]
    assert state["clocks"]["seconds"] == 60 and state["hints"]
    expect(anna.page.locator(".terms")).to_contain_text("Points to play to: 50")
    expect(anna.page.locator(".terms")).to_contain_text("1 minute per turn")


def test_all_others_at_once_and_one_seat_for_me(person):
    """One press seats bots everywhere else; taking another seat leaves the first one open."""
    anna = person()
    anna.go()
    card(anna, "depot").get_by_role("button", name="Set up").click()
    choices = anna.page.locator(".seat-choice")
    anna.page.get_by_role("button", name="All bots").click()
    assert [choices.nth(n).input_value() for n in range(3)] == ["me", "normal", "normal"]
    choices.nth(1).select_option("me")
    assert [choices.nth(n).input_value() for n in range(3)] == ["open", "me", "normal"]


def test_wrong_values_can_be_corrected(person):
    """The message stands at the field, and everything else that was chosen is still there."""
    anna = person()
    anna.go()
    card(anna, "drop-site").get_by_role("button", name="Set up").click()
    dialog = anna.page.locator("dialog")
    dialog.get_by_role("radio", name="3").check(force=True)
    field = dialog.get_by_label("Points to play to")
    field.fill("5")
    dialog.get_by_role("button", name="Open the table").click()
    problem = dialog.locator("#problem-target")
    expect(problem).to_have_text("Please enter a whole number from 10 to 500.")
    expect(field).to_be_focused()
    expect(dialog.get_by_role("radio", name="3")).to_be_checked()
    field.fill("50")
    dialog.get_by_role("button", name="Open the table").click()
    anna.page.wait_for_selector(".waiting")
    assert seated(anna)["players"] == 3


@pytest.mark.parametrize("game", ["number-drop", "drop"])
def test_the_dialog_fits(person, game):
    """The buttons of the dialog are on the screen, whatever its size; the rest can be scrolled."""
    anna = person()
    anna.go()
    card(anna, game).get_by_role("button", name="Set up").click()
    for width, height in SCREENS:
        anna.page.set_viewport_size({"width": width, "height": height})
        for name in ("Cancel", "Open the table"):
            button = anna.page.locator("dialog").get_by_role("button", name=name)
            assert is_inside(button, width, height), (width, height, name)
        wide = anna.page.locator("dialog .setup").evaluate("it => it.scrollWidth - it.clientWidth")
        assert wide <= 0, (width, height)


# -- the waiting room ------------------------------------------------------------------------------


def test_the_waiting_room_is_on_one_screen(person):
    """Game, options, clock, every seat, link, QR code, Leave and Start: nothing needs scrolling."""
    anna = person()
    anna.open_table(
        "number-drop", CROWD, clock={"per": "turn", "seconds": 60, "at_zero": "bot"},
        options={"order": "clockwise"}, shuffled=True,
    )  # fmt: skip
    anna.page.wait_for_selector(".waiting .invite img")
    for width, height in SCREENS:
        anna.page.set_viewport_size({"width": width, "height": height})
        anna.page.wait_for_timeout(100)
        parts = [
            *anna.page.locator(".place").all(),
            *anna.page.locator(".terms li").all(),
            anna.page.locator(".waiting input"),
            anna.page.locator(".waiting .invite img"),
            *anna.page.locator(".waiting button").all(),
        ]
        for part in parts:
            assert is_inside(part, width, height), (width, height, part.inner_text())
    terms = anna.page.locator(".terms").inner_text()
    assert "1 minute per turn, then a bot plays on" in terms
    assert "Who plays when: One after the other, in the open" in terms
    assert "Seats are drawn at random" in terms


@pytest.mark.parametrize("way", WAYS)
def test_bots_in_the_waiting_room(person, way):
    """The host adds bots, who have names, faces and levels, removes them, and starts the match."""
    anna = person(way=way)
    anna.open_table("drop", ["me", "open"], start_when_full=False)
    anna.page.get_by_label("Add a bot").select_option("hard")
    place = anna.page.locator(".place").nth(1)
    expect(place).to_contain_text("hard bot")
    face = place.locator(".face img")
    expect(face).to_be_visible()
    assert face.evaluate("async it => { await it.decode(); return it.naturalWidth }") > 0
    use(anna, place.get_by_role("button", name="Remove"))
    expect(place).to_contain_text("Free seat")
    expect(anna.page.get_by_role("button", name="Start the match")).to_be_disabled()
    anna.page.get_by_label("Add a bot").select_option("easy")
    start = anna.page.get_by_role("button", name="Start the match")
    expect(start).to_be_enabled()
    use(anna, start)
    anna.page.wait_for_selector(".board svg")


def test_changing_the_name_in_the_waiting_room(person):
    """A new name is seen by everybody at the table, and in its log."""
    anna, bo = person(), person(name="Bo")
    table = anna.open_table("drop", ["me", "open"])
    bo.go(f"t/{table}")
    anna.page.get_by_role("button", name="Change your name").click()
    anna.page.fill("#name", "Anja")
    anna.page.press("#name", "Enter")
    for someone in (anna, bo):
        expect(someone.page.locator(".place").first).to_contain_text("Anja")
    lines = bo.ask("GET", f"tables/{table}")["lines"]
    assert lines[-1]["text"] == "Anna is called Anja now."


def test_copying_and_sharing_the_link(person):
    """The link can be copied, and shared where the device offers it."""
    anna = person(permissions=["clipboard-read", "clipboard-write"])
    anna.page.add_init_script("navigator.share = async it => { window.shared = it.url }")
    anna.open_table("drop", ["me", "open"])
    anna.page.get_by_role("button", name="Copy the link").click()
    expect(anna.page.locator(".notice")).to_be_visible()
    assert anna.page.evaluate("navigator.clipboard.readText()") == anna.page.url
    anna.page.get_by_role("button", name="Share").click()
    assert anna.page.evaluate("window.shared") == anna.page.url


def test_guests_sit_down_without_being_asked(person):
    """Who follows a link takes a seat with one press, as a guest."""
    anna, bo = person(), person(name=None)
    table = anna.open_table("depot", ["me", "open", "open"])
    bo.go(f"t/{table}")
    bo.page.get_by_role("button", name="Sit here").first.click()
    expect(bo.page.locator(".place").nth(1)).to_contain_text("Guest")
    expect(anna.page.locator(".place").nth(1)).to_contain_text("Guest")


def test_before_a_match_everybody_can_read_and_reach_everything(person):
    """Axe finds no serious issue on the start page, in the dialogs or in the waiting room."""
    axe = pytest.importorskip("tests.browser.test_access", exc_type=ImportError)
    anna = person()
    anna.open_table("depot", ["me", "open", "hard"], public=True)
    anna.page.wait_for_selector(".waiting .invite img")
    views = ["waiting", "home", "set-up", "name"]
    for view in views:
        if view == "home":
            anna.go()
            anna.page.wait_for_selector(".going")
        if view == "set-up":
            card(anna, "number-drop").get_by_role("button", name="Set up").click()
        if view == "name":
            anna.page.keyboard.press("Escape")
            anna.page.locator(".name-button").click()
        for scheme in ("light", "dark"):
            anna.page.emulate_media(color_scheme=scheme)
            assert axe.serious(anna.page) == [], (view, scheme)
