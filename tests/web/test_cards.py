"""What other programs show of a link: cards of pages, and their pictures."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import httpx
import pytest

import droptable
from droptable.web import cards
from droptable.web.card_pictures import HEIGHT, WIDTH
from tests.web.conftest import GENEROUS, Running, run
from tests.web.people import Person
from tests.web.test_secrets import EVERY_GAME, match, permuted

People = Callable[..., Person]
EVIL = '"><script>alert(1)</script>{content}'


class Head(HTMLParser):
    """The tags of a page's head, by property or name."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: dict[str, str] = {}
        self.scripts = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.scripts += tag == "script"
        if tag == "meta" and "content" in given:
            self.tags[given.get("property") or given.get("name") or ""] = given["content"] or ""


def card(server: Running, path: str, language: str = "en") -> dict[str, str]:
    """A page's card as a stranger without cookies gets it."""
    answer = httpx.get(f"{server.address}/{path}", headers={"Accept-Language": language})
    assert answer.status_code == 200 and "set-cookie" not in answer.headers
    head = Head(answer.text)
    assert head.scripts == 1
    return head.tags


def is_picture(address: str) -> bool:
    """Whether there is a PNG of the size that was told, which nobody needs to load again."""
    answer = httpx.get(address, timeout=60)
    assert answer.status_code == 200 and "set-cookie" not in answer.headers
    size = answer.content[16:24]
    assert "max-age" in answer.headers["cache-control"]
    return (
        answer.content[:8] == b"\x89PNG\r\n\x1a\n"
        and int.from_bytes(size[:4]) == WIDTH and int.from_bytes(size[4:]) == HEIGHT
    )  # fmt: skip


def test_cards_of_a_table(server: Running, person: People) -> None:
    """A table's card says how things stand before, during and after the match, with a picture of
    what spectators see; nobody gets an identity or is present by that."""
    anna, ben = person("Anna"), person(EVIL[:30])
    table = anna.create("drop-site", seats=["me", "open"], options={"target": 10}, title=EVIL)
    before = server.fingerprint()
    shown = card(server, f"t/{table}")
    assert shown["og:title"] == f"{EVIL} (Drop Site)"
    assert shown["og:description"] == "Drop Site, 1 of 2 seats taken"
    assert shown["og:url"] == f"{server.address}/t/{table}"
    assert shown["twitter:card"] == "summary_large_image" and shown["robots"] == "noindex"
    assert is_picture(shown["og:image"])
    german = card(server, f"tv/{table}", "de-AT, en;q=0.5")["og:description"]
    assert german == "Drop Site, 1 von 2 Plätzen besetzt"
    assert server.fingerprint() == before
    ben.do(table, "join")
    playing = card(server, f"t/{table}")
    assert playing["og:description"] == f"Drop Site, being played by Anna, {EVIL[:30]}"
    assert playing["og:image"] != shown["og:image"] and is_picture(playing["og:image"])
    assert anna.look(table)["seats"][1]["present"] == [False]
    ben.do(table, "resign")
    over = card(server, f"t/{table}")
    assert over["og:description"] == f"Anna wins: {EVIL[:30]} resigned."
    replay = card(server, f"replay/{table}")
    assert replay["og:title"] == "Replay: Drop Site"
    assert replay["og:description"] == over["og:description"] and is_picture(replay["og:image"])


def test_cards_of_other_pages(server: Running, person: People) -> None:
    """Home, daily, rules and the replay of a record have cards with pictures; what does not exist
    has a card that says nothing of it."""
    record = droptable.play(droptable.game("drop"), players=2, seed=1, size=5)
    key = person("Anna").http.post("/api/replays", content=record.to_json()).json()["key"]
    titles = {
        "": "Droptable", "daily": "Droptable daily, ", "puzzles": "Puzzles",
        "learn/depot": "Depot: the rules", f"replay/{key}": "Replay: Drop.",
    }  # fmt: skip
    for path, title in titles.items():
        shown = card(server, path)
        assert shown["og:title"].startswith(title) and shown["og:description"]
        assert is_picture(shown["og:image"])
    for path in ("t/nowhere", "tv/nowhere", "replay/record:nothing", "t/%00%0a", "learn/chess"):
        shown = card(server, path)
        assert "nowhere" not in shown["og:title"] + shown["og:description"]
    for path in ("tables/nowhere", "replays/record:nothing", "games/chess"):
        assert httpx.get(f"{server.address}/cards/{path}.png").status_code == 404


def test_without_pixels_there_is_no_picture(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server without the extra `plot` names no picture that it could not make."""
    monkeypatch.setattr(cards, "can_draw", lambda: False)
    shown = card(server, "")
    assert shown["twitter:card"] == "summary"
    assert not [key for key in shown if "image" in key]


@pytest.fixture
def named(tmp_path: Path) -> Iterator[Running]:
    """A server that knows its address for people."""
    site = "https://games.example/drop/"
    yield from run(replace(GENEROUS, database=str(tmp_path / "tables.db"), site=site))


def test_addresses_are_those_of_the_site(named: Running) -> None:
    """Links and pictures of cards begin with the address that the host has configured."""
    shown = card(named, "daily")
    assert shown["og:url"] == "https://games.example/drop/daily"
    assert shown["og:image"].startswith("https://games.example/drop/cards/games/")


@pytest.mark.parametrize(("game", "players"), EVERY_GAME)
def test_pictures_follow_from_what_spectators_see(game: str, players: int) -> None:
    """What a table's picture is drawn from, and what its card says, are the same if all hidden
    things are others."""
    chance = random.Random(players)
    moments = list(match(game, players, chance))
    for table in chance.sample(moments, min(5, len(moments))):
        twin = permuted(table, None, chance)
        assert cards.shown(twin) == cards.shown(table)
        if table.status != "over":
            assert cards.standing(twin) == cards.standing(table)
