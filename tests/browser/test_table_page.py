"""The page around the board: room, buttons, notices, drawer, settings, sounds and the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from droptable.bots.registry import make_bot
from droptable.core.scene import SOUNDS
from droptable.games import game
from droptable.tables.viewer import PAGE

expect = pytest.importorskip("playwright.sync_api").expect
view_of = pytest.importorskip("tests.browser.look").view_of

CHECK = Path(__file__).with_name("look.js").read_text("utf-8")
SIZES = [(1280, 800), (1920, 1080), (768, 1024), (390, 844), (360, 640)]
ROOM = {(1280, 800): (1260, 650), (1920, 1080): (1890, 930), (390, 844): (386, 590),
        (360, 640): (356, 420), (768, 1024): (760, 800)}  # fmt: skip
OFFENCES = {"cut off", "scrolls sideways"}
PRESSES = 100  # on each of two buttons
SHORT = {"turn_limit": 50}

BOX = """name => {
  const { x, y, right, bottom } = document.querySelector(name).getBoundingClientRect();
  return { x, y, right, bottom, width: right - x, height: bottom - y };
}"""

# Sends the last state again every 100 ms, and answers some commands itself.
FRAMES = """
window.counted = { undo: 0, move: 0 };
window.WebSocket = class extends WebSocket {
  set onmessage(listener) {
    let last = null;
    super.onmessage = (event) => {
      const message = JSON.parse(event.data);
      if (message.type === "state") last = message;
      listener(event);
    };
    this.answer = (message) => listener({ data: JSON.stringify(message) });
    this.last = () => last;
    setInterval(() => window.framing && last && this.answer(
      { ...last, from: last.seq, lines: [], beats: [], can: { undo: 1, ask_undo: false } }), 100);
  }
  send(text) {
    const { id, command } = JSON.parse(text);
    if (!window.framing || !(command?.type in window.counted)) return super.send(text);
    window.counted[command.type] += 1;
    const { seq } = this.last();
    setTimeout(() => this.answer({ type: "answer", id, ok: true, seq }), 1);
  }
};
"""


def box(page, name):
    """Where an element is on the screen."""
    return page.evaluate(BOX, name)


def overlap(page, one, other):
    """Whether two elements lie over each other."""
    a, b = box(page, one), box(page, other)
    return (
        min(a["right"], b["right"]) - max(a["x"], b["x"]) > 1
        and min(a["bottom"], b["bottom"]) - max(a["y"], b["y"]) > 1
    )


def resize(page, width, height):
    """Another screen, and the picture for it."""
    page.set_viewport_size({"width": width, "height": height})
    shape = "360" if height > width else "1000"
    page.wait_for_selector(f".board svg[viewBox^='0 0 {shape}']")


def drop_or_pop(anna, **settings):
    """A table with a button beside the board."""
    table = anna.open_table("drop-or-pop", ["me", "random", "random"], **settings)
    anna.page.wait_for_selector(".moves button")
    return table


# -- room -----------------------------------------------------------------------------------------


def test_the_board_gets_the_page(person):
    """With the drawer closed nearly everything but two lines is the board, on every screen."""
    anna = person()
    anna.open_table("drop", ["me", "random"])
    anna.page.wait_for_selector(".board .can")
    for width, height in SIZES:
        resize(anna.page, width, height)
        room = box(anna.page, ".board")
        least = ROOM[width, height]
        assert room["width"] >= least[0] and room["height"] >= least[1], (width, height, room)
        picture = box(anna.page, ".board > svg")
        assert picture["right"] <= width and picture["bottom"] <= height


@pytest.mark.parametrize("name", ["drop-or-pop", "number-drop"])
def test_nothing_is_cut_off(person, name):
    """While playing and with each tab of the drawer open, at every size."""
    anna = person()
    anna.open_table(name, ["me", "random", "random"], clock={"per": "turn", "seconds": 600})
    anna.page.wait_for_selector(".board .can")
    for width, height in SIZES:
        resize(anna.page, width, height)
        for tab in ("", "log", "chat", "rules", "settings"):
            if tab:
                anna.page.click(f".opener[data-tab={tab}]")
                anna.page.wait_for_selector(f"#tab-{tab}:visible")
            found = [what for what in anna.page.evaluate(CHECK) if what[0] in OFFENCES]
            assert not found, (width, height, tab, found)
            if tab:
                anna.page.keyboard.press("Escape")
                expect(anna.page.locator(".drawer")).to_be_hidden()


def test_no_row_of_seats_unless_there_is_something_to_say(person):
    """Names and scores stand in the picture only; clocks have a thin strip."""
    anna = person()
    anna.open_table("drop", ["me", "random"])
    anna.page.wait_for_selector(".board .can")
    assert anna.page.locator(".seat").count() == 0
    anna.open_table("drop", ["me", "random"], clock={"per": "turn", "seconds": 600})
    anna.page.wait_for_selector(".seat .clock:has-text(':')")
    assert box(anna.page, ".seats")["height"] <= 36


# -- buttons and notices --------------------------------------------------------------------------


def test_a_press_across_frames_is_never_lost(person):
    """200 presses of 130 ms while a frame comes every 100 ms: every one counts."""
    anna = person()
    anna.page.add_init_script(FRAMES)
    drop_or_pop(anna)
    anna.page.evaluate("window.framing = true")
    expect(anna.page.locator(".tool:has-text('Undo')")).to_be_enabled()
    for button in (".tool:has-text('Undo')", ".moves button >> nth=0"):
        spot = anna.page.locator(button).bounding_box()
        for _ in range(PRESSES):
            anna.page.mouse.move(spot["x"] + 20, spot["y"] + 20)
            anna.page.mouse.down()
            anna.page.wait_for_timeout(130)
            anna.page.mouse.up()
            anna.page.wait_for_timeout(15)
    assert anna.page.evaluate("window.counted") == {"undo": PRESSES, "move": PRESSES}


def test_elements_are_kept_not_replaced(person):
    """An update keeps equal elements, also pressed ones; a button never becomes another one."""
    anna = person()
    anna.go()
    kept = anna.page.evaluate("""async () => {
        const { h, update } = await import("./static/dom.js");
        const heard = [];
        const row = (...names) => names.map((name) =>
          h("button", { onclick: () => heard.push(name + names.length) }, name));
        const box = h("div", {}, row("a", "b"));
        const [a, b] = box.children;
        update(box, row("new", "b", "a", "c"));
        b.click();
        const sameB = box.children[1] === b;
        update(box, row("b"));
        b.click();
        return [sameB, box.children.length, box.children[0] === b, a.isConnected, heard];
    }""")
    assert kept == [True, 1, True, False, ["b4", "b1"]]


@pytest.mark.parametrize("way", ["mouse", "touch"])
def test_a_notice_covers_nothing(person, way):
    """The reason for a refusal lies neither on the board nor on a button, and takes no click."""
    anna = person(way=way)
    drop_or_pop(anna)
    anna.page.evaluate("""async () => (await import(document.baseURI + "static/dom.js"))
        .notify("You cannot drop a counter there: ".repeat(4), 60)""")
    anna.page.wait_for_selector(".notice:not([hidden])")
    for other in (".board", ".moves", ".tools"):
        assert not overlap(anna.page, ".notice", other), other
    style = "getComputedStyle(document.querySelector('.notice')).pointerEvents"
    assert anna.page.evaluate(style) == "none"


def test_a_notice_goes_with_the_next_move(person):
    """A refusal is forgotten as soon as a correct move is made."""
    anna = person()
    anna.open_table("drop", ["me", "random"])
    anna.page.wait_for_selector(".board .can")
    anna.page.locator('[data-touch="cell-0,5"]').click(force=True)
    anna.page.wait_for_selector(".notice:not([hidden])")
    anna.touch_something()
    expect(anna.page.locator(".notice")).to_be_hidden()


# -- the drawer -----------------------------------------------------------------------------------


def together(person, way="mouse"):
    """Anna and Bo at a table of Drop.; Bo plays in this way."""
    anna, bo = person("Anna"), person("Bo", way=way)
    table = anna.open_table("drop", ["me", "open"])
    bo.go(f"t/{table}")
    bo.page.click("text=Sit here")
    for one in (anna, bo):
        one.page.wait_for_selector("body[data-status=playing] .board svg")
    return anna, bo


@pytest.mark.parametrize("way", ["mouse", "touch"])
def test_unread_chat_is_marked(person, way):
    """What others say shows for a moment, and counts at the button until it is read."""
    anna, bo = together(person, way)
    for words in ("hello", "are you there?"):
        anna.page.click(".opener[data-tab=chat]") if words == "hello" else None
        anna.page.fill(".say input", words)
        anna.page.press(".say input", "Enter")
    expect(bo.page.locator("[data-tab=chat] .unread")).to_have_text("2")
    expect(bo.page.locator(".toast")).to_have_text("Anna: are you there?")
    for other in (".saying", ".board", ".opener[data-tab=log]"):
        assert not overlap(bo.page, ".toast", other), other
    assert anna.page.locator("[data-tab=chat] .unread").is_hidden()
    bo.page.click(".opener[data-tab=chat]")
    expect(bo.page.locator(".talk")).to_contain_text("are you there?")
    expect(bo.page.locator("[data-tab=chat] .unread")).to_be_hidden()


def test_why_can_i_not(person):
    """The rules open beside the board, with the last refusal and its rule first."""
    anna = person()
    table = anna.open_table("drop", ["me", "random"])
    anna.page.wait_for_selector(".board .can")
    anna.page.locator('[data-touch="cell-0,5"]').click(force=True)
    anna.page.click(".notice .rule-link")
    why = anna.page.locator(".why")
    expect(why.locator("blockquote b")).not_to_be_empty()
    expect(why.locator(".rule-link")).to_have_text("DR2")
    why.locator(".rule-link").click()
    expect(anna.page.locator("[data-rule=DR2]")).to_be_in_viewport()
    assert anna.page.url.endswith(table)


def test_the_drawer_remembers_its_tab(person):
    """Who plays with an open log has it open at the next table; on a phone it is closed."""
    anna = person()
    anna.open_table("drop", ["me", "random"])
    anna.page.click(".opener[data-tab=log]")
    anna.page.reload()
    anna.page.wait_for_selector("#tab-log:visible")
    anna.page.set_viewport_size({"width": 390, "height": 844})
    anna.page.reload()
    anna.page.wait_for_selector(".board svg")
    expect(anna.page.locator(".drawer")).to_be_hidden()


@pytest.mark.parametrize("way", ["mouse", "touch"])
def test_a_line_of_the_log_is_shown_on_the_board(person, way):
    """Pointing at a line shows that moment until the pointer leaves; a click or tap keeps it."""
    anna = person(way=way)
    anna.open_table("drop-or-pop", ["me", "random", "random"])
    for _ in range(3):
        anna.page.wait_for_selector(".board .can")
        anna.touch_something()
    anna.page.wait_for_selector(".board .can")
    counters = anna.page.locator(".board > svg").inner_html()
    anna.page.click(".opener[data-tab=log]")
    line = anna.page.locator(".lines .line").first
    saying = anna.page.locator(".saying")
    if way == "mouse":
        line.hover()
        expect(saying).to_have_class("saying looking")
        assert anna.page.locator(".board .can").count() == 0
        anna.page.mouse.move(300, 500)
        expect(saying).to_have_class("saying yours")
    line.click()
    expect(anna.page.locator(".prompt")).to_contain_text("Looking back")
    assert anna.page.locator(".board > svg").inner_html() != counters
    if way == "touch":
        expect(anna.page.locator(".drawer")).to_be_hidden()
    anna.page.click("text=Back to the match")
    expect(saying).to_have_class("saying yours")
    anna.page.wait_for_selector(".board .can")


def test_a_line_that_grows_stays_one_line(person):
    """A turn has one line in the log, which is told again when the turn goes on."""
    anna = person()
    anna.open_table("drop", ["random", "me"])
    for _ in range(2):
        anna.page.wait_for_selector(".board .can")
        anna.touch_something()
    expect(anna.page.locator(".lines li:has-text('Anna')").nth(2)).to_contain_text("and")
    table = anna.page.url.rsplit("/", 1)[1]
    for _ in range(50):  # the bot may move between the two looks
        shown = anna.page.locator(".lines li").count()
        if shown == len(anna.ask("GET", f"tables/{table}")["lines"]):
            break
        anna.page.wait_for_timeout(100)
    else:
        raise AssertionError("the log on the page has other lines than the table's")


# -- the end --------------------------------------------------------------------------------------


def test_the_result_stands_beside_the_board(person):
    """The board is whole and uncovered after the end; three figures, and what to do next."""
    anna = person()
    drop_or_pop(anna, options=SHORT)
    anna.play_on()
    anna.page.wait_for_selector(".ending .figure >> nth=2")
    assert anna.page.inner_text(".ending h2")
    for width, height in SIZES:
        resize(anna.page, width, height)
        assert not overlap(anna.page, ".board", ".ending")
        assert not overlap(anna.page, ".board > svg", ".panel")
        picture = box(anna.page, ".board > svg")
        assert picture["right"] <= width and picture["bottom"] <= height
        expect(anna.page.locator(".ending .row .main")).to_be_in_viewport(ratio=1)
    table = anna.page.url
    anna.page.click(".ending button:has-text('Next match')")
    anna.page.wait_for_selector("body[data-status=playing]")
    assert anna.page.url != table
    state = anna.ask("GET", f"tables/{anna.page.url.rsplit('/', 1)[1]}")
    assert [seat["bot"] for seat in state["seats"]] == ["", "random", "random"]
    assert state["options"]["turn_limit"] == 50


def test_a_solo_score_has_its_place(person):
    """The place among the high scores is told, and news at the table do not remove it."""
    anna = person()
    table = anna.open_table("number-drop", ["me"])
    bot = make_bot("greedy", 1)
    while (now := anna.ask("GET", f"tables/{table}"))["status"] != "over":
        if not now["legal"]:
            continue
        move = {"type": "move", "token": bot.choose(view_of(game("number-drop"), now))}
        sent = {"id": str(now["seq"]), "seq": now["seq"], "command": move}
        assert anna.ask("POST", f"tables/{table}/commands", sent)["ok"]
    anna.page.wait_for_selector(".ending .total")
    expect(anna.page.locator(".ending .rank")).to_contain_text("Place ")
    anna.page.click(".opener[data-tab=chat]")
    anna.page.fill(".say input", "done")
    anna.page.press(".say input", "Enter")
    anna.page.wait_for_selector(".talk li")
    expect(anna.page.locator(".ending .rank")).to_contain_text("Place ")


def test_the_winner_is_told_so(person):
    """'You win!' to who won, the winner's name to the others."""
    anna, bo = together(person)
    bo.page.click(".tool:has-text('Resign')")
    bo.page.click("dialog button:has-text('Resign')")
    expect(anna.page.locator(".ending h2")).to_have_text("You win!")
    expect(bo.page.locator(".ending h2")).to_have_text("You resigned")


def test_confetti_only_where_motion_is_welcome(person):
    """It rains for the winner, unless the device asks for calm or animations are off."""
    anna = person(speed="normal", reduced_motion="no-preference")
    bo = person("Bo")
    table = anna.open_table("drop", ["me", "open"])
    bo.go(f"t/{table}")
    bo.page.click("text=Sit here")
    anna.page.wait_for_selector(".board .can")
    bo.page.click(".tool:has-text('Resign')")
    bo.page.click("dialog button:has-text('Resign')")
    anna.page.wait_for_selector(".confetti")
    assert bo.page.locator(".confetti").count() == 0


def test_after_resigning_nobody_is_told_to_move(person):
    """The page says that a bot plays on, and nothing on the board can be touched."""
    anna = person()
    anna.open_table("number-drop", ["me", "open", "open"])
    others = [person("Bo"), person("Cy")]
    for other in others:
        other.go(anna.page.url.removeprefix(anna.server + "/"))
        other.page.click("text=Sit here")
        other.page.wait_for_timeout(200)
    anna.page.wait_for_selector(".board .can")
    anna.page.click(".tool:has-text('Resign')")
    anna.page.click("dialog button:has-text('Resign')")
    expect(anna.page.locator(".prompt")).to_contain_text("You resigned")
    assert anna.page.locator(".board .can, .moves button").count() == 0
    expect(others[0].page.locator(".seat.resigned")).to_contain_text("Anna")


# -- settings and sounds --------------------------------------------------------------------------


def test_settings_count_at_once(person):
    """The drawer and the dialog of other pages have the same settings; a choice is kept."""
    anna = person()
    anna.open_table("drop", ["me", "random"])
    anna.page.click(".opener[data-tab=settings]")
    for name, label in (("speed", "Slow"), ("confirm", "Always"), ("theme", "Dark")):
        anna.page.click(f".drawer [data-setting={name}] .segment:has-text('{label}')")
    chosen = "['speed', 'confirm', 'theme'].map((name) => localStorage.getItem(name))"
    assert anna.page.evaluate(chosen) == ["slow", "always", "dark"]
    assert anna.page.evaluate("document.documentElement.dataset.theme") == "dark"
    anna.go()
    anna.page.click(".top [aria-label=Settings]")
    checked = anna.page.locator("dialog [data-setting=speed] .segment:has(:checked)")
    expect(checked).to_have_text("Slow")


def test_what_modules_read_from_the_settings(person):
    """The factor of the speed and whether a pointer's moves are confirmed, by the stored choice."""
    anna = person(speed="normal")
    anna.go()
    read = """async ([speed, confirm]) => {
        const { choose, confirmMoves, speedFactor } = await import("./static/settings.js");
        choose("speed", speed);
        choose("confirm", confirm);
        return [speedFactor(), confirmMoves("touch"), confirmMoves("mouse")];
    }"""
    assert anna.page.evaluate(read, ["off", "never"]) == [0, False, False]
    assert anna.page.evaluate(read, ["normal", "touch"]) == [1, True, False]
    assert anna.page.evaluate(read, ["slow", "always"])[1:] == [True, True]


def test_every_sound_can_be_heard(person):
    """Each sound that pictures may name is made, is not silent, and differs from the others."""
    anna = person()
    anna.go()
    heard = anna.page.evaluate("""async () => {
        const { make, soundNames } = await import("./static/sounds.js");
        const heard = {};
        for (const name of [...soundNames, "unknown"]) {
          const audio = new OfflineAudioContext(1, 22050, 22050);
          make(name, audio);
          const samples = (await audio.startRendering()).getChannelData(0);
          let energy = 0;
          let crossings = 0;
          for (let at = 1; at < samples.length; at++) {
            energy += samples[at] ** 2;
            if (samples[at] * samples[at - 1] < 0) crossings++;
          }
          heard[name] = [energy, crossings];
        }
        return heard;
    }""")
    silence = heard.pop("unknown")
    assert silence == [0, 0]
    assert set(heard) == set(SOUNDS)
    assert [name for name, (energy, _) in heard.items() if energy < 0.5] == []
    assert len({(round(energy), crossings) for energy, crossings in heard.values()}) == len(SOUNDS)


# -- connection, title, keys ----------------------------------------------------------------------


def test_the_title_tells_whose_turn_it_is(person):
    """The browser's tab says so when it is one's turn."""
    anna = person()
    anna.open_table("drop", ["me", "random"])
    anna.page.wait_for_selector(".board .can")
    assert "Your turn" in anna.page.title()


def test_a_lost_connection_is_told_and_found_again(person):
    """A bar says that the page tries again, and goes when it has found the server."""
    anna = person()
    anna.page.add_init_script("""window.WebSocket = class extends WebSocket {
        constructor(address) {
          super(address);
          if (window.broken) this.close();
          window.lose = () => { window.broken = true; this.close(); };
        }
    };""")
    anna.open_table("drop", ["me", "random"])
    anna.page.wait_for_selector(".board .can")
    anna.page.evaluate("window.lose()")
    expect(anna.page.locator(".offline")).to_be_visible()
    anna.page.evaluate("window.broken = false")
    expect(anna.page.locator(".offline")).to_be_hidden(timeout=20_000)
    expect(anna.page.locator(".notice")).to_contain_text("Connected again")
    anna.errors.clear()  # the browser's own notes of the attempts


def test_undo_takes_back_a_touch_first(person):
    """A card that was picked is put back by Undo; nothing is sent."""
    anna = person()
    anna.open_table("drop-site", ["me", "random"])
    anna.page.wait_for_selector(".board .can")
    anna.page.locator(".board .can").first.click()
    anna.page.wait_for_selector(".board .picked")
    anna.page.click(".tool:has-text('Undo')")
    expect(anna.page.locator(".board .picked")).to_have_count(0)
    assert anna.page.locator("dialog, .notice:visible").count() == 0


def number_drop_turn(anna):
    """Solo Number Drop, four decisions into a turn."""
    table = anna.open_table("number-drop", ["me"])
    for _ in range(4):
        now = anna.ask("GET", f"tables/{table}")
        move = {"type": "move", "token": now["legal"][0]["token"]}
        sent = {"id": str(now["seq"]), "seq": now["seq"], "command": move}
        assert anna.ask("POST", f"tables/{table}/commands", sent)["ok"]
    anna.page.reload()
    anna.page.wait_for_selector(".board .can")
    return table


def wait_for_undo(anna, table, left):
    """Until so many decisions of the turn are left to undo."""
    for _ in range(100):
        if anna.ask("GET", f"tables/{table}")["can"]["undo"] == left:
            return
        anna.page.wait_for_timeout(50)
    raise AssertionError(anna.ask("GET", f"tables/{table}")["can"])


@pytest.mark.parametrize("how", ["hold", "shift", "keys"])
def test_undo_goes_one_step_or_the_turn(person, how):
    """A short press undoes a decision; a long one, or one with the shift key, the turn."""
    anna = person()
    table = number_drop_turn(anna)
    left = anna.ask("GET", f"tables/{table}")["can"]["undo"]
    assert left > 1
    anna.page.click(".tool:has-text('Undo')")
    wait_for_undo(anna, table, left - 1)
    anna.page.wait_for_timeout(100)
    if how == "hold":
        anna.page.click(".tool:has-text('Undo')", delay=900)
    elif how == "shift":
        anna.page.click(".tool:has-text('Undo')", modifiers=["Shift"])
    else:
        anna.page.keyboard.press("Control+Shift+Z")
    wait_for_undo(anna, table, 0)
    assert anna.page.locator("dialog, .notice:visible").count() == 0


def test_others_are_asked_only_where_it_would_work(person):
    """Against bots a turn is undone without a question; a person is asked, and may agree."""
    anna = person()
    anna.open_table("drop", ["me", "random"])
    anna.page.wait_for_selector(".board .can")
    expect(anna.page.locator(".tool:has-text('Undo')")).to_be_disabled()
    anna.touch_something()
    expect(anna.page.locator(".lines")).to_contain_text("Anna places")
    anna.page.wait_for_selector(".board .can")
    anna.page.click(".tool:has-text('Undo')")
    expect(anna.page.locator(".lines")).to_contain_text("undoes")
    anna, bo = together(person)
    anna.touch_something()
    bo.page.wait_for_selector(".board .can")
    bo.touch_something()
    anna.page.click(".tool:has-text('Ask to undo')")
    bo.page.click(".question button:has-text('Agree')")
    expect(anna.page.locator(".lines")).to_contain_text("agrees to the undo")


def test_earlier_lines_are_shown_on_request(person):
    """Of a long talk the last page is there at once, and what came before it by a button."""
    anna = person("Anna")
    table = anna.open_table("drop", ["me", "random"])
    for number in range(PAGE + 5):
        command = {"type": "chat", "text": f"line {number}"}
        anna.ask("POST", f"tables/{table}/commands", {"id": f"c{number}", "command": command})
    anna.go(f"t/{table}")
    anna.page.click("[data-tab=chat]")
    anna.page.wait_for_selector(f"text=line {PAGE + 4}")
    assert anna.page.locator(".chat >> text='line 0'").count() == 0
    anna.page.locator("button:visible", has_text="Show earlier").click()
    anna.page.wait_for_selector("text='line 0'")
    assert anna.page.locator("button", has_text="Show earlier").count() == 0
