"""The replay page: files, moments, keys, viewers, the coach, and exports."""

from __future__ import annotations

import json
import re
from pathlib import Path

import PIL.Image
import pytest

import droptable
from droptable.core.record import Record
from droptable.web import coach_jobs

expect = pytest.importorskip("playwright.sync_api").expect


def save(folder: Path, name: str = "drop-or-pop", players: int = 3, **options) -> Record:
    """A match of random moves, as a file."""
    played = droptable.play(droptable.game(name), players, seed=3, **options)
    info = {"seat 0": "Ann", "seat 1": "Bob"}
    record = Record(played.game, played.players, played.options, played.events, info)
    record.save(folder / "match.json")
    return record


def open_file(somebody, folder: Path):
    """Choose the file on the page; returns the page with its board."""
    somebody.go("replay")
    somebody.page.set_input_files("#file", folder / "match.json")
    somebody.page.wait_for_selector(".board svg")
    return somebody.page


def moment(page) -> int:
    return int(page.input_value(".player input[type=range]"))


def wait_for_moment(page, at: int) -> None:
    """Wait until the page shows a moment, and its address says so."""
    expect(page.locator(".player input[type=range]")).to_have_value(str(at))
    expect(page).to_have_url(re.compile(rf"#{at}(@\d)?$"))


def test_steps_keys_and_the_slider(person, tmp_path):
    """Buttons, keys and the slider go through the match, from its first moment to the verdict."""
    record = save(tmp_path)
    page = open_file(person(), tmp_path)
    assert "Ann" in page.inner_text(".said")
    page.get_by_role("button", name="Step forward").click()
    wait_for_moment(page, 1)
    page.keyboard.press("ArrowRight")
    wait_for_moment(page, 2)
    page.keyboard.press("ArrowLeft")
    wait_for_moment(page, 1)
    page.keyboard.press("End")
    wait_for_moment(page, len(record.events))
    names = ["Ann", "Bob", "Seat 3"]
    verdict = record.game.words.verdict(record.final.view(None).fields, names)
    expect(page.locator(".said")).to_have_text(verdict)
    page.locator(".player input[type=range]").fill("7")
    wait_for_moment(page, 7)
    page.keyboard.press("Home")
    wait_for_moment(page, 0)


def test_playing(person, tmp_path):
    """Space plays the match; it runs until it is stopped."""
    save(tmp_path)
    page = open_file(person(), tmp_path)
    page.select_option(".speed", "4")
    page.locator(".board").click()
    page.keyboard.press(" ")
    expect(page).to_have_url(re.compile(r"#([3-9]|\d\d+)$"))
    page.keyboard.press(" ")
    page.get_by_role("button", name="Play", exact=True).wait_for()


def test_a_link_leads_to_its_moment(person, tmp_path):
    """The address names the moment and the viewer, for everybody who has it."""
    save(tmp_path, "drop-site", round_limit=1)
    page = open_file(person(), tmp_path)
    page.locator(".player input[type=range]").fill("20")
    wait_for_moment(page, 20)
    page.get_by_label("Whose view").select_option("1")
    expect(page).to_have_url(re.compile("#20@1$"))
    other = person("Bea").page
    other.goto(page.url)
    other.wait_for_selector(".board svg")
    assert moment(other) == 20
    assert other.get_by_label("Whose view").input_value() == "1"


def test_a_changed_address_is_followed(person, tmp_path):
    """Whoever changes the moment or the viewer in the address gets there, without a reload."""
    save(tmp_path, "drop-site", round_limit=1)
    page = open_file(person(), tmp_path)
    page.evaluate("location.hash = '#20'")
    wait_for_moment(page, 20)
    page.evaluate("location.hash = '#24@1'")
    wait_for_moment(page, 24)
    expect(page.get_by_label("Whose view")).to_have_value("1")
    page.evaluate("location.hash = '#9999'")
    expect(page).to_have_url(re.compile(r"#\d+$"))


@pytest.mark.parametrize("name", ["depot", "drop-site", "number-drop"])
def test_a_deal_is_one_step(person, tmp_path, name):
    """One press of "next" goes past a whole deal or roll; the log has a line for it."""
    options = {"round_limit": 1} if name == "drop-site" else {}
    record = save(tmp_path, name, **options)
    page = open_file(person(), tmp_path)
    first = next(i for i, (seat, _) in enumerate(record.events) if seat >= 0)
    page.keyboard.press("ArrowRight")
    wait_for_moment(page, first)
    page.get_by_text("Log", exact=True).click()
    line = page.locator(".turns [aria-current]")
    expect(line).to_have_text(page.inner_text(".said"))
    page.locator(".turns button").nth(2).click()
    expect(page.locator(".turns button").nth(2)).to_have_attribute("aria-current", "step")


def test_viewers(person, tmp_path):
    """From a seat's view, cards dealt to others stay hidden in words and pictures."""
    save(tmp_path, "drop-site", round_limit=1)
    page = open_file(person(), tmp_path)
    page.locator(".player input[type=range]").fill("1")
    expect(page.locator(".said")).to_have_text(re.compile(r"Ann is dealt an? \d+\."))
    page.get_by_label("Whose view").select_option("1")
    expect(page.locator(".said")).to_have_text("Ann is dealt a card.")


def test_a_dropped_file(person, tmp_path):
    """A record dropped on the page is opened; anything else is refused in words."""
    record = save(tmp_path)
    anna = person()
    anna.go("replay")
    drop = """text => {
        const files = new DataTransfer();
        files.items.add(new File([text], "match.json", { type: "application/json" }));
        window.dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true }));
    }"""
    anna.page.wait_for_selector(".opening")
    anna.page.evaluate(drop, "nonsense")
    expect(anna.page.locator(".notice")).to_have_text("This file is not a record.")
    anna.page.evaluate(drop, record.to_json())
    anna.page.wait_for_selector(".board svg")


def test_a_false_record_is_explained(person, tmp_path):
    """The page tells which event breaks which rule."""
    document = json.loads(save(tmp_path).to_json())
    document["events"][1] = [0, "pop"]
    (tmp_path / "match.json").write_text(json.dumps(document))
    anna = person()
    anna.go("replay")
    anna.page.set_input_files("#file", tmp_path / "match.json")
    expect(anna.page.locator(".notice")).to_have_text(re.compile("Event 1"))
    anna.errors.clear()  # the browser logs that the server refused it


def test_the_coach(person, tmp_path, monkeypatch):
    """The coach is asked, draws the chances, and shows the better turn, whoever looks."""
    monkeypatch.setattr(coach_jobs, "BUDGET", 2.0)
    record = save(tmp_path, "drop", 2)
    page = open_file(person(), tmp_path)
    page.get_by_role("button", name="Ask the coach").click()
    page.wait_for_selector(".mistakes button", timeout=120_000)
    page.wait_for_selector(".coach-head progress", state="detached", timeout=120_000)
    assert page.locator(".chart .chances").count() == record.players
    for cell in page.locator(".figures .accuracy").all_inner_texts():
        assert 0 <= int(cell.removesuffix(" %")) <= 100
    page.get_by_role("button", name="Next mistake").click()
    expect(page.locator(".advice")).to_contain_text("Better:")
    first = moment(page)
    seat, _ = record.events[first]
    assert seat >= 0
    for viewer in (seat, 1 - seat):
        page.get_by_label("Whose view").select_option(str(viewer))
        page.wait_for_selector(".board .ghost > *", state="attached")
        said = page.inner_text(".said")
        page.get_by_role("button", name="Show the better line").click()
        expect(page.locator(".said")).not_to_have_text(said, timeout=60_000)
        assert page.locator(".board .ghost > *").count() == 0
        expect(page.locator(".said")).to_have_text(said, timeout=60_000)  # and it comes back
    page.locator(".chart").focus()
    page.keyboard.press("ArrowRight")
    assert moment(page) > first
    page.locator(".mistakes button").first.click()
    wait_for_moment(page, first)
    page.reload()
    expect(page.locator(".mistakes button").first).to_be_visible()  # at once


@pytest.mark.parametrize("kind", ["Record", "SVG", "PNG", "GIF"])
def test_files_to_keep(person, tmp_path, kind):
    """Each button saves a file that is what it says."""
    record = save(tmp_path)
    page = open_file(person(), tmp_path)
    with page.expect_download(timeout=120_000) as download:
        page.get_by_role("button", name=kind, exact=True).click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    if kind == "Record":
        assert droptable.open_record(file) == record
    elif kind == "SVG":
        assert file.read_text("utf-8").startswith("<svg")
    else:
        with PIL.Image.open(file) as picture:
            assert picture.format == kind


@pytest.mark.parametrize(("width", "height"), [(360, 740), (768, 1024), (1280, 800), (740, 360)])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits(person, tmp_path, width, height, scheme):
    """The board and its controls are on the first screen, and nothing is wider than it."""
    save(tmp_path)
    size = {"width": width, "height": height}
    page = open_file(person(viewport=size, color_scheme=scheme), tmp_path)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for part in (".board svg", ".player .buttons"):
        box = page.locator(part).bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= height


def test_a_table_that_is_not_over(person):
    """The page says why there is no replay yet, and leads to the table."""
    anna = person()
    table = anna.open_table("drop", ["me", "random"])
    anna.go(f"replay/{table}")
    expect(anna.page.locator("[role=alert]")).to_contain_text("not over")
    assert anna.page.get_by_role("link", name="To the table").get_attribute("href") == f"t/{table}"
    anna.errors.clear()  # the browser logs that the server refused it


def test_a_finished_table(person):
    """After a match one click leads to its replay, from one's own view; others see all of it."""
    anna = person()
    table = anna.open_table("drop-or-pop", ["me", "random", "random"], options={"turn_limit": 50})
    anna.play_on()
    anna.page.get_by_role("link", name="Replay & coach").click()
    anna.page.wait_for_selector(".board svg")
    assert anna.page.get_by_label("Whose view").input_value() == "0"
    anna.page.keyboard.press("End")
    verdict = anna.ask("GET", f"tables/{table}")["result"]["verdict"]
    expect(anna.page.locator(".said")).to_have_text(verdict)
    other = person(None).page
    other.goto(anna.page.url.partition("#")[0])
    other.wait_for_selector(".board svg")
    assert other.get_by_label("Whose view").input_value() == ""
