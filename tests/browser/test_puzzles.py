"""Puzzles in the browser: one is solved on the board, the next one comes."""

from droptable.bots.puzzles import find_puzzle, puzzles
from droptable.games import game, games
from tests.browser.conftest import PHONE

EASY = puzzles(game("drop-or-pop"))[0]


def touched(path):
    """The names along a path, one after the other; those of a group in any order."""
    for names in path:
        yield from [names] if isinstance(names, str) else names


def move(person, puzzle, token):
    """Touch what makes a move, in this person's way."""
    legal = person.ask("GET", f"puzzles/{puzzle.id}")["legal"]
    (path,) = [one["path"] for one in legal if one["token"] == token]
    (label,) = [one["label"] for one in legal if one["token"] == token]
    for name in touched(path):
        on_board = person.page.locator(f'.board [data-touch="{name}"].can')
        button = person.page.locator(".moves button", has_text=label)
        (button if name.startswith("do-") else on_board).first.wait_for()
        person.use(button if name.startswith("do-") else on_board)


def test_solve_one_and_go_on_by_keyboard(person):
    """The solution is touched on the board: it is right and the rating rises; a wrong answer to the
    next puzzle of the same game, by the keyboard, is told the better move; both count once."""
    anna = person("Anna")
    page = anna.page
    anna.go("puzzles")
    page.wait_for_selector(".puzzle-game")
    assert page.locator("[data-game]").count() == len(games())
    anna.go(f"puzzles/{EASY.id}?game=drop-or-pop")
    move(anna, EASY, EASY.best[0])
    page.wait_for_selector(".ending.right")
    assert "(+" in page.inner_text(".change")
    anna.way = "keyboard"
    page.keyboard.press("Enter")  # the way to the next puzzle has the focus
    page.wait_for_url(lambda url: EASY.id not in url)
    page.wait_for_selector(".ending", state="detached")
    other = find_puzzle(page.url.split("/")[-1].split("?")[0])
    assert other.game == "drop-or-pop"
    move(anna, other, next(t for t in other.view().legal if t not in other.best))
    page.wait_for_selector(".ending.wrong")
    assert page.get_by_text("Better:").count() == 1
    rating = anna.ask("GET", "puzzles")["rating"]
    assert (rating["tries"], rating["solved"]) == (2, 1)


def test_the_daily_puzzle_on_a_phone(person):
    """The board fits a phone and is played by touch; whoever has no name gets one by answering."""
    stranger = person(None, way="touch")
    page = stranger.page
    page.set_viewport_size(PHONE)
    stranger.go("puzzles/daily")
    page.wait_for_selector(".board svg")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    today = find_puzzle(stranger.ask("GET", "puzzles/daily")["id"])
    move(stranger, today, today.best[0])
    page.wait_for_selector(".ending")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert stranger.ask("GET", "puzzles")["daily"]["tried"] is True
    stranger.go("mistakes")
    page.get_by_text("Nothing here yet").wait_for()
