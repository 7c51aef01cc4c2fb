"""Screenshots of every page and of all games at many sizes, and what looks wrong on them.

    python -m tests.browser.look OUT [GAME …] [pages]

Greedy bots play at small and at full tables, by the same protocol as everybody. At each moment the
page itself is asked (`look.js`) for text that is too small, things that are cut off, texts of the
board that overlap, and targets that are too small for fingers. OUT gets the pictures; the offences
are printed, and where they were seen.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import numpy as np
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from droptable.bots.match import play
from droptable.bots.registry import make_bot
from droptable.core.game import Game
from droptable.core.record import Record
from droptable.core.state import View
from droptable.games import OWN, game
from tests.browser.conftest import CHROMIUM, FLAGS
from tests.web.conftest import GENEROUS, run
from tests.web.people import Person

SIZES = {
    "360": (360, 740), "390": (390, 844), "768": (768, 1024), "1280": (1280, 800),
    "1920": (1920, 1080), "side": (844, 390),
}  # fmt: skip
FEW = ("390", "1280")
CHECK = Path(__file__).with_name("look.js").read_text("utf-8")
NAMES = ("Annemarie", "Bo", "Christopher", "Dana", "Ezekiel", "Frederike")
SETTLE_MS = 450  # for the picture of another shape to come


class Looker:
    """Takes the screenshots and collects the offences."""

    def __init__(self, out: Path, browser: Browser, address: str) -> None:
        self.out = out
        self.browser = browser
        self.address = address
        self.offences: dict[tuple[str, str], list[str]] = {}

    @contextmanager
    def page(self, cookies: httpx.Cookies | None = None, **settings: Any) -> Iterator[Page]:
        """A page of somebody's browser."""
        wanted = {"reduced_motion": "reduce", "has_touch": True} | settings
        context: BrowserContext = self.browser.new_context(**wanted)
        for name, value in (cookies or {}).items():
            context.add_cookies([{"name": name, "value": value, "url": self.address}])
        page = context.new_page()
        page.set_default_timeout(60_000)
        yield page
        context.close()

    def look(self, page: Page, name: str, sizes: Sequence[str] = tuple(SIZES)) -> None:
        """Take a picture at each size, and ask the page what is wrong."""
        for size in sizes:
            width, height = SIZES[size]
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_timeout(SETTLE_MS)
            page.screenshot(path=self.out / f"{name}-{size}.png")
            for kind, what in page.evaluate(CHECK):
                self.offences.setdefault((kind, what), []).append(f"{name}-{size}")

    def tell(self) -> None:
        """Print each offence once, with the places where it was seen."""
        for (kind, what), places in sorted(self.offences.items()):
            more = f" … ({len(places)} in all)" if len(places) > 4 else ""
            print(f"{kind:20} {what:60} {', '.join(places[:4])}{more}")
        print(f"{len(self.offences)} offences")


# -- tables ---------------------------------------------------------------------------------------


def counts(which: Game) -> list[int]:
    """Alone if that is possible, a small table and the fullest one."""
    small = next((count for count in which.players if count > 1), which.players[0])
    return sorted({which.players[0], small, which.players[-1]})


def view_of(which: Game, message: dict[str, Any]) -> View:
    """The view in a table's message, for a bot to think about."""
    record = np.zeros(1, which.rules.dtype)
    for name in which.rules.dtype.names or ():
        record[0][name] = np.array(message["view"][name], dtype=object).astype(np.int64)
    start = which.start(message["players"], **message["options"])
    return View(which, start.players, start.options, record, message["seat"])


def own_moves(which: Game, players: int) -> int:
    """About how many moves a seat makes in a match between greedy bots."""
    record = play(which, players, ["greedy"] * players, seed=1)
    return sum(actor == 0 for actor, _token in record.events)


def look_at_table(looker: Looker, which: Game, players: int) -> None:
    """A match from its first moves to its end, from one seat's view."""
    name = f"{which.name}-{players}"
    with Person(looker.address, NAMES[0]) as anna:
        table = anna.create(which.name, seats=["me", *["greedy"] * (players - 1)])
        moments = {1: "early", own_moves(which, players) // 2: "middle"}
        bot, made = make_bot("greedy", 1), 0
        with looker.page(anna.http.cookies) as page:
            page.goto(f"{looker.address}/t/{table}")
            while (now := anna.look(table))["status"] != "over":
                if not now["legal"]:
                    continue
                if made in moments:
                    page.wait_for_selector(".board .can, .moves button")
                    looker.look(page, f"{name}-{moments.pop(made)}")
                token = bot.choose(view_of(which, now))
                made += anna.do(table, "move", token=token, seq=now["seq"])["ok"]
            page.wait_for_selector(".ending")
            looker.look(page, f"{name}-end")


# -- other pages ----------------------------------------------------------------------------------


def look_at_home(looker: Looker, cookies: httpx.Cookies) -> None:
    """The start page with its tables and scores, and the dialog for a new table."""
    for scheme, language in (("light", "en-GB"), ("dark", "de-DE")):
        sizes = tuple(SIZES) if scheme == "light" else FEW
        with looker.page(cookies, color_scheme=scheme, locale=language) as page:
            page.goto(looker.address)
            page.wait_for_selector(".lists .card-box")
            page.wait_for_load_state("networkidle")
            looker.look(page, f"home-{scheme}", sizes)
            page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
            looker.look(page, f"home-below-{scheme}", sizes)
            for number, one in enumerate(OWN):
                page.locator(".game").nth(number).locator(".row button").last.click()
                page.wait_for_selector("dialog[open]")
                looker.look(page, f"setup-{one.name}-{scheme}", sizes)
                page.keyboard.press("Escape")


def look_at_waiting(looker: Looker, anna: Person) -> None:
    """A table that waits for people, with its link and code."""
    table = anna.create("number-drop", seats=["me", "open", "open", "hard", "open", "open"])
    with looker.page(anna.http.cookies) as page:
        page.goto(f"{looker.address}/t/{table}")
        page.wait_for_selector(".waiting img")
        looker.look(page, "waiting")


def look_at_learning(looker: Looker) -> None:
    """The list of games, the rules of each, and its first exercise."""
    for scheme, language in (("light", "en-GB"), ("dark", "de-DE")):
        sizes = tuple(SIZES) if scheme == "light" else FEW
        with looker.page(color_scheme=scheme, locale=language) as page:
            page.goto(f"{looker.address}/learn")
            page.wait_for_selector("main a")
            looker.look(page, f"learn-{scheme}", sizes)
            for one in OWN:
                page.goto(f"{looker.address}/learn/{one.name}")
                page.wait_for_selector(".board svg")
                looker.look(page, f"learn-{one.name}-{scheme}", sizes)
                page.locator(".board").first.scroll_into_view_if_needed()
                looker.look(page, f"exercise-{one.name}-{scheme}", sizes)


def replayed(looker: Looker, which: Game, players: int, bots: str) -> tuple[Record, str]:
    """A match with names, and the address of its replay."""
    played = play(which, players, [bots] * players, seed=3)
    info = {f"seat {seat}": NAMES[seat] for seat in range(players)}
    record = Record(played.game, played.players, played.options, played.events, info)
    sent = httpx.post(f"{looker.address}/api/replays", content=record.to_json(), timeout=60)
    return record, f"{looker.address}/replay/{sent.json()['key']}"


def look_at_replay(looker: Looker, which: Game, players: int) -> None:
    """A replay with everything open: early, in the middle and at the end."""
    record, address = replayed(looker, which, players, "greedy")
    with looker.page() as page:
        for part, name in ((0.12, "early"), (0.7, "middle"), (1, "end")):
            page.goto(f"{address}#{round(part * len(record.events))}")
            page.reload()
            page.wait_for_selector(".board svg")
            looker.look(page, f"replay-{which.name}-{players}-{name}")


def look_at_coach(looker: Looker, which: Game, players: int) -> None:
    """A match of random moves, which the coach finds much to say about."""
    _record, address = replayed(looker, which, players, "random")
    with looker.page() as page:
        page.goto(address)
        page.get_by_role("button", name="Ask the coach").click()
        page.wait_for_selector(".mistakes button", timeout=600_000)
        page.get_by_role("button", name="Next mistake").click()
        looker.look(page, f"coach-{which.name}-{players}")
        page.locator(".mistakes").scroll_into_view_if_needed()
        looker.look(page, f"coach-below-{which.name}-{players}")


def views(looker: Looker, anna: Person, games: Sequence[Game], *, pages: bool) -> Iterator[None]:
    """Look at everything that is wanted, one thing after another."""
    for which in games:
        for players in counts(which):
            yield look_at_table(looker, which, players)
            yield look_at_replay(looker, which, players)
    if pages:
        yield look_at_waiting(looker, anna)
        yield look_at_home(looker, anna.http.cookies)
        yield look_at_learning(looker)
        yield look_at_coach(looker, game("drop-or-pop"), 3)


def main(out: Path, wanted: Sequence[str]) -> None:
    """Look at the games that are named and at `pages`; at everything if none is named."""
    out.mkdir(parents=True, exist_ok=True)
    games = [game(name) for name in wanted if name != "pages"] if wanted else OWN
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for server in run(replace(GENEROUS, database=f"{folder}/tables.db")):
            looker = Looker(out, browser, server.address)
            with Person(server.address, NAMES[0]) as anna:
                try:
                    for _ in views(looker, anna, games, pages=not wanted or "pages" in wanted):
                        pass
                finally:
                    looker.tell()
        browser.close()


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), sys.argv[2:])
