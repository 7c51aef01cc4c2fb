"""Every page on a phone, in languages whose words are longer than English ones: nothing is wider
than the screen, and no word is cut off without a sign."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from droptable.core.language import browser_texts
from droptable.games import games
from droptable.notices.what import Wishes
from tests.browser.conftest import PHONE
from tests.browser.player import Player
from tests.browser.test_profile import rate
from tests.web.conftest import Running

LANGUAGES = ("de", "es", "fr")
LONG, OTHER = "Annamaria Wolkenstein-Xanthopou", "Bartholomaeusgottlieblangenfeld"
SCROLLS = "['auto', 'scroll', 'hidden', 'clip']"
BAD = f"""() => {{
  const scrolls = (style) => {SCROLLS}.includes(style.overflowX);
  const within = (thing) => {{
    for (let box = thing.parentElement; box; box = box.parentElement)
      if (scrolls(getComputedStyle(box))) return true;
    return false;
  }};
  const bad = document.documentElement.scrollWidth > innerWidth ? ["the page is too wide"] : [];
  for (const thing of document.querySelectorAll("body *:not(svg *, .for-readers)")) {{
    const box = thing.getBoundingClientRect(), style = getComputedStyle(thing);
    if (!box.width || !box.height || style.visibility === "hidden") continue;
    const what = `${{thing.tagName}}.${{thing.className}}: ${{thing.textContent.slice(0, 60)}}`;
    if ((box.right > innerWidth + 1 || box.left < -1) && !within(thing)) bad.push(`out: ${{what}}`);
    const says = [...thing.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    const cut = thing.scrollWidth > thing.clientWidth + 1 && thing.clientWidth > 1;
    const marked = style.textOverflow === "ellipsis" || style.overflowX === "auto";
    if (says && cut && style.display !== "inline" && !marked) bad.push(`cut: ${{what}}`);
  }}
  return bad;
}}"""
SET_UP = """async (name) => {
  const { setUp } = await import(`${document.baseURI}static/setup.js`);
  const games = await fetch(`api/games?language=${document.documentElement.lang}`);
  setUp((await games.json()).find((game) => game.name === name), "normal", async () => {});
  for (const more of document.querySelectorAll("dialog details")) more.open = true;
}"""
OFFER = {"ways": ["push", "mail", "webhook"], "push_key": "x"}  # so that there is much to choose
CHOICE = {"wishes": msgspec.to_builtins(Wishes()), "targets": []}
CLOSE = "document.querySelector('dialog').remove()"


def act(someone: Player, table: str, kind: str) -> None:
    """Send a command."""
    envelope = {"id": kind, "command": {"type": kind}}
    assert someone.ask("POST", f"tables/{table}/commands", envelope)["ok"]


def settled(one: Player, other: Player) -> dict[str, str]:
    """What there is to see once two have played in a group, and more is begun: what is waited for
    on each page, by its path."""
    group = one.ask("POST", "groups", {"name": "Donnerstagabendkartenrunde der Freunde"})["group"]
    secret = one.ask("GET", f"groups/{group}/link")["link"].rpartition("/")[2]
    other.ask("POST", f"groups/{secret}/members")
    over, waiting = (
        one.ask("POST", f"groups/{group}/tables", {"game": game, "players": 3 - (game == "drop")})
        for game in ("drop", "depot")
    )
    act(other, over["table"], "join")
    act(other, over["table"], "resign")
    return {
        "friends": ".met li", f"g/{group}": ".group-results td", "notices": "main select",
        "daily": ".calendar li", "puzzles": ".puzzle-games li", "mistakes": "main .card-box",
        "puzzles/daily": ".board svg", "p/me": ".recent li", "leaders?game=drop": ".leaders td",
        "learn": "main h2", "learn/number-drop": ".board svg", "learn/depot/balance": "main li",
        "replay": "main h2", f"replay/{over['table']}": ".board svg", "move": "main button",
        f"t/{over['table']}": ".people-here a", f"t/{waiting['table']}": ".places li",
        "nothing-here": "main p", "": ".continue li",
    }  # fmt: skip


def longest() -> dict[str, Any]:
    """What pages say, each text in the language that needs most room for it."""
    all_texts = [browser_texts(language) for language in LANGUAGES]
    return {text: max((known[text] for known in all_texts), key=room) for text in all_texts[0]}


def room(said: Any) -> int:
    """How much room a text takes, or the longest form of it."""
    return max(map(len, said.values() if isinstance(said, dict) else (said,)))


def look_at(someone: Player, pages: dict[str, str]) -> dict[str, Any]:
    """What is bad on each of these pages, and in the set-up of each game."""
    found: dict[str, Any] = {}
    for path, shown in pages.items():
        someone.go(path)
        someone.page.wait_for_selector(shown, state="attached")
        found[path] = someone.page.evaluate(BAD)
    for game in games():
        someone.page.evaluate(SET_UP, game.name)
        found[f"set-up of {game.name}"] = someone.page.evaluate(BAD)
        someone.page.evaluate(CLOSE)
    someone.errors.clear()  # the browser's own line about the page that is not there
    return {path: bad for path, bad in found.items() if bad}


def test_every_page_fits_a_phone(person: Callable[..., Player], server: Running) -> None:
    """Pages full of long names, where each text is in the language that is longest there."""
    one = person(LONG[:30], way="touch", locale="fr-FR")
    texts = longest()
    one.context.route("**/api/texts*", lambda route: route.fulfill(json=texts))
    one.context.route("**/api/notices?*", lambda route: route.fulfill(json=OFFER))
    one.context.route("**/api/me/notices?*", lambda route: route.fulfill(json=CHOICE))
    pages = settled(one, person(OTHER[:30]))
    rate(server, LONG[:30], "drop", 0.9)
    assert look_at(one, pages) == {}
    assert one.page.viewport_size == PHONE


@pytest.mark.parametrize("language", ["fr", "es"])
def test_every_table_fits_a_phone(person: Callable[..., Player], language: str) -> None:
    """Every game's table with the most players, and the set-up of each game."""
    one = person(LONG[:30], way="touch", locale=language)
    tables = [
        one.ask("POST", "tables", {"game": game.name, "seats": ["me"] + ["random"] * others})
        for game in games()
        for others in [max(game.players) - 1]
    ]
    assert look_at(one, {f"t/{made['table']}": ".board svg" for made in tables}) == {}
