"""What a device needs to install the app, as the server gives it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from tests.web.conftest import GENEROUS, run
from tests.web.people import Person

Make = Callable[..., Person]


@pytest.mark.parametrize("prefix", ["", "/games"])
def test_everything_that_the_manifest_names_is_there(tmp_path: Path, prefix: str) -> None:
    """Icons, start and share target lie where the manifest says, below a proxy's path too."""
    config = replace(GENEROUS, database=str(tmp_path / "tables.db"), prefix=prefix)
    for server in run(config):
        with httpx.Client(base_url=f"{server.address}{prefix}/") as http:
            manifest = http.get("manifest.webmanifest").json()
            assert {"192x192", "512x512", "any"} <= {icon["sizes"] for icon in manifest["icons"]}
            for icon in manifest["icons"]:
                answer = http.get(icon["src"])
                assert answer.headers["content-type"] == icon["type"]
            assert http.get(manifest["start_url"]).status_code == 200
            assert http.post(manifest["share_target"]["action"]).status_code == 303
            page = http.get("").text
            assert f'<base href="{prefix}/">' in page
            assert 'rel="manifest" href="manifest.webmanifest"' in page


def test_the_worker_keeps_what_is_there(person: Make) -> None:
    """Every file that the worker keeps exists, and a worker is never served from a cache."""
    http = person().http
    answer = http.get("/sw.js")
    assert answer.headers["cache-control"] == "no-cache"
    found = re.search(r'const KEPT = "(.*)"\.split', answer.text)
    assert found is not None
    kept = found[1].split()
    assert "offline" in kept
    assert all(http.get(f"/{name}").status_code == 200 for name in kept)
    assert "{version}" not in answer.text


def test_the_offline_page_speaks_the_reader_s_language(person: Make) -> None:
    """It has its words in it: without a connection nothing else can be asked for."""
    http = person().http
    assert "<h1>No connection</h1>" in http.get("/offline").text
    german = http.get("/offline", headers={"Accept-Language": "de"}).text
    assert "<h1>Keine Verbindung</h1>" in german


def test_an_icon_of_another_size(person: Make) -> None:
    """It is refused with the sizes that there are."""
    answer = person().http.get("/icons/7.png")
    assert answer.status_code == 404
    assert "no icon of 7 pixels; expected 180, 192, 512" in answer.json()["message"]
