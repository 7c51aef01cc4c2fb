"""Languages over HTTP: what a browser prefers, and a language that was only dropped in place."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import droptable
from droptable.core.language import LANGUAGES
from droptable.web.language import negotiated, offered

ITALIAN = {
    "locale": 'msgid "Seats"\nmsgstr "Posti"\n\n'
    'msgid "{count} hour"\nmsgid_plural "{count} hours"\n'
    'msgstr[0] "{count} ora"\nmsgstr[1] "{count} ore"\n',
    "games/drop/words": 'msgid "Cells on each side of the board."\nmsgstr "caselle per lato"\n',
}
ASK = """
import json
from starlette.testclient import TestClient
from droptable.web.app import create_app
from droptable.web.config import Config
http = TestClient(create_app(Config(), None))
page = http.get("/", headers={"accept-language": "it-CH, de;q=0.9"})
texts = http.get("/api/texts", params={"language": "it"}).json()
games = http.get("/api/games", params={"language": "it"}).json()
print(json.dumps([page.text, texts, games]))
"""


def language_of(page: str) -> str:
    (found,) = re.findall(r'<html lang="([^"]*)"', page)
    return str(found)


def languages_of(page: str) -> dict[str, str]:
    (found,) = re.findall(r'data-languages="([^"]*)"', page)
    languages: dict[str, str] = json.loads(html.unescape(found))
    return languages


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("de", "de"),
        ("DE-at", "de"),
        ("fr-CA,en;q=0.8", "fr"),
        ("ca, es-419;q=0.9, en;q=0.5", "es"),
        ("en-GB,en;q=0.9,de;q=0.8", "en"),
        ("en;q=0.2, de; q=0.8", "de"),
        ("xx, de;q=0.1", "de"),
        ("de;q=0, en", "en"),
        ("de;q=much", "en"),
        ("*", "en"),
        (",;q=,-,--", "en"),
    ],
)
def test_the_best_match_is_spoken(header, language):
    """Weights count, regions fall back to their language, and nonsense is English."""
    assert negotiated(header) == language


def test_pages_follow_the_browser(person):
    """A page says its language and all others, and caches know what that depends on."""
    http = person().http
    assert offered().items() >= {"en": "English", "de": "Deutsch"}.items()
    for header, language in (("de-DE,en;q=0.5", "de"), ("en", "en")):
        got = http.get("/", headers={"Accept-Language": header})
        assert language_of(got.text) == language
        assert languages_of(got.text) == offered()
        assert "Accept-Language" in got.headers["Vary"]
    assert language_of(http.get("/?language=de").text) == "de"


def test_refusals_follow_the_browser(person):
    """What is refused is said in the language of who asked, by address or by browser."""
    http, german = person().http, "es gibt kein Spiel"
    assert german in http.get("/api/games/chess/rules?language=de").json()["message"]
    said = http.get("/static/none.js", headers={"Accept-Language": "de"}).json()["message"]
    assert "es gibt keine Seite" in said
    refused = http.get("/api/texts?language=xx")
    assert refused.status_code == 422
    assert all(repr(language) in refused.json()["message"] for language in LANGUAGES)


def test_the_browser_gets_plurals(person):
    """Texts with a count come in the categories that the browser asks for."""
    texts = person().http.get("/api/texts", params={"language": "de"}).json()
    assert texts["Seats"] == "Plätze"
    assert texts["{count} minute"] == {"one": "{count} Minute", "other": "{count} Minuten"}


def test_a_new_language_needs_no_code(tmp_path):
    """With `it.po` dropped in place, Italian is offered, preferred, and spoken by games too."""
    package = tmp_path / "droptable"
    source = Path(droptable.__file__).parent
    shutil.copytree(source, package, ignore=shutil.ignore_patterns("__pycache__"))
    for folder, entries in ITALIAN.items():
        (package / folder / "it.po").write_text(entries, "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", ASK],
        capture_output=True, text=True, check=True, cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    page, texts, games = json.loads(done.stdout.splitlines()[-1])  # after the server's log
    assert language_of(page) == "it"
    assert languages_of(page) == offered() | {"it": "Italiano"}
    assert texts["Seats"] == "Posti"
    assert texts["{count} hour"]["one"] == "{count} ora"
    (drop,) = [game for game in games if game["name"] == "drop"]
    assert drop["options"]["size"]["help"] == "caselle per lato"
    untranslated = "How many stones each player places in a match."
    assert drop["options"]["pieces"]["help"] == untranslated
