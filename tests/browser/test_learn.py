"""The learn pages: rules with pictures, and exercises by mouse, touch and keyboard."""

from __future__ import annotations

import pytest

from droptable.core.lessons import answer_path
from droptable.games import OWN

expect = pytest.importorskip("playwright.sync_api").expect


def names_of(exercise, answer, game):
    """What is touched for an answer, one name after the other."""
    view = exercise.position.state(game).view(exercise.position.seat)
    for step in answer_path(view, answer):
        yield from ([step] if isinstance(step, str) else step)


def touch(player, exercise, game, name):
    """Touch a thing of the picture that is not picked yet, or press a button."""
    page = player.page
    if name.startswith("do-"):
        view = exercise.position.state(game).view(exercise.position.seat)
        page.locator(".moves").get_by_text(exercise.labels(view)[(name,)], exact=True).click()
        return
    thing = page.locator(f'.board [data-touch="{name}"]:not(.picked)').last
    if not thing.count():
        return  # a piece that is in the hand from the start
    if not thing.is_visible():  # a piece that lies in another way: turn the one in the hand
        picked = page.locator(f'.board [data-touch="{name}"].picked')
        while not picked.count():
            page.locator('.board [data-touch="turn"]').click()
        return
    thing.scroll_into_view_if_needed()
    box = thing.bounding_box()
    aimed = 0.9 if thing.get_attribute("data-aim") else 0.5  # two columns wide: their middle
    x, y = box["x"] + box["width"] * aimed, box["y"] + box["height"] / 2
    if player.way == "keyboard":
        thing.focus()
        page.keyboard.press("Enter")
    elif player.way == "touch":
        page.touchscreen.tap(x, y)
    else:
        page.mouse.click(x, y)


@pytest.mark.parametrize("way", ["mouse", "touch", "keyboard"])
@pytest.mark.parametrize("game", OWN, ids=lambda game: game.name)
def test_all_exercises_can_be_solved(person, game, way):
    """A wrong answer gets its rule, a right one leads to the next; solved ones are remembered."""
    player = person(None, way=way)
    page = player.page
    player.go(f"learn/{game.name}")
    for number, exercise in enumerate(game.lessons.exercises, 1):
        expect(page.locator(".question")).to_have_text(exercise.question)
        for kind, answers in (("wrong", exercise.wrong[:1]), ("right", exercise.right[:1])):
            for answer in answers:
                for name in names_of(exercise, answer, game):
                    touch(player, exercise, game, name)
                said = page.locator(f".reply .{kind}")
                expect(said).to_have_text(f"{answer.says} Rule {answer.rule}")
        if number < len(game.lessons.exercises):
            page.click("text=Next exercise")
    player.go("learn")
    solved = f"Exercises solved: {len(game.lessons.exercises)}"
    expect(page.get_by_text(solved)).to_be_visible()


def test_a_rule_is_found_by_its_number(person):
    """An address with a rule's number shows that rule, lit."""
    player = person(None)
    player.go(f"learn/{OWN[0].name}#DS9")
    expect(player.page.locator("#DS9")).to_be_in_viewport()
    expect(player.page.locator("#DS9")).to_be_focused()


def test_lessons_speak_german(person):
    """A German browser reads German rules, captions, questions and answers."""
    player = person(None, locale="de-DE")
    page, game = player.page, OWN[0]
    player.go(f"learn/{game.name}")
    expect(page.locator(".rules > h2")).to_have_text("Die Regeln")
    expect(page.locator("#DS5 h3")).to_contain_text("Eine Null schließt die Stelle")
    expect(page.locator(".question")).to_have_text("Lege die 6 auf eine Stelle. Wohin muss sie?")
    for name in ("hand-6", "site-1"):
        touch(player, game.lessons.exercises[0], game, name)
    expect(page.locator(".reply .wrong")).to_contain_text("die niedrigste davon")


def test_an_unknown_game_is_said_to_be_unknown(person):
    """A wrong address leads to all games, not to an empty page."""
    player = person(None)
    player.go("learn/chess")
    expect(player.page.get_by_text("There is no such game.")).to_be_visible()
    player.errors.clear()  # the browser itself logs the 404
    player.page.click("text=To all games")
    expect(player.page.locator(".game")).to_have_count(len(OWN))


@pytest.mark.parametrize("way", ["mouse", "touch", "keyboard"])
def test_playing_after_reading(person, way):
    """From the rules one press leads to a table with bots, also for who has no name yet."""
    anna = person(name=None, way=way)
    anna.go("learn/drop")
    button = anna.page.get_by_role("button", name="Play now")
    button.wait_for()
    anna.use(button)
    anna.page.wait_for_url("**/t/*")
    anna.page.wait_for_selector(".board svg")


def test_rule_numbers_stand_behind_the_names(person):
    """A rule is called by its name; its number follows, as a link to it."""
    anna = person()
    anna.go("learn/drop")
    heading = anna.page.locator("#DR1 h3")
    heading.wait_for()
    assert not heading.inner_text().startswith("DR1")
    heading.get_by_role("link", name="DR1").click()
    assert anna.page.url.endswith("learn/drop#DR1")
