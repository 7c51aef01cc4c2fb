"""Behind a proxy that shows the server below a path."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.web.conftest import GENEROUS, Running, run
from tests.web.people import Person


@pytest.fixture(scope="module")
def below(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server that is shown below /games."""
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


def test_table_below_a_prefix(below: Running) -> None:
    """A table is opened and its socket speaks."""
    with Person(f"{below.address}/games", "Ann") as ann:
        table = ann.create("drop", seats=["me", "random"])
        assert ann.sit(table).receive()["type"] == "state"
