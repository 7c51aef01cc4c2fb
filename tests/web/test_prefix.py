"""Behind a proxy that serves it below a path."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from droptable.web.config import Config
from tests.web.conftest import GENEROUS, Running, run
from tests.web.people import Person


@pytest.fixture(scope="module")
def below(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server below /games."""
    file: Path = tmp_path_factory.mktemp("prefix") / "tables.db"
    yield from run(replace(GENEROUS, database=str(file), prefix="/games"))


@pytest.mark.parametrize("path", ["/games", ""])
def test_prefix_may_be_taken_off(below: Running, path: str) -> None:
    """The server answers whether the proxy leaves the prefix in the path or not."""
    with Person(below.address + path, "Ann") as ann:
        cookies = list(ann.http.cookies.jar)
        assert [cookie.path for cookie in cookies] == ["/games/"]
        page = ann.http.get("/")
        assert '<base href="/games/">' in page.text
        assert ann.http.get("/static/home.js").status_code == 200
        assert ann.http.get("/api/me").headers["cache-control"] == "no-store"


@pytest.mark.parametrize("text", ["games", "/games", "/games/"])
def test_prefix_is_a_path(text: str) -> None:
    """The prefix means the same however its slashes are written."""
    assert Config().change("prefix", text).prefix == "/games"


def test_code_of_a_table_shows_the_name_that_the_proxy_has(below: Running) -> None:
    """The QR code leads to the host under which people know the server."""
    with Person(f"{below.address}/games", "Ann") as ann:
        path = f"/api/tables/{ann.create('drop', seats=['me', 'random'])}/qr.svg"
        own = ann.http.get(path).content
        shown = ann.http.get(path, headers={"X-Forwarded-Host": "games.example"}).content
        netloc = below.address.removeprefix("http://")
        assert shown != own
        assert shown != ann.http.get(path, headers={"X-Forwarded-Host": "other.example"}).content
        assert own == ann.http.get(path, headers={"X-Forwarded-Host": netloc}).content


def test_table_below_a_prefix(below: Running) -> None:
    """A table can be opened, and its socket works."""
    with Person(f"{below.address}/games", "Ann") as ann:
        table = ann.create("drop", seats=["me", "random"])
        assert ann.sit(table).receive()["type"] == "state"
