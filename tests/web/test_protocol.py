"""docs/protocol.md has every route that is open to everybody, and none that does not exist."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest

from tests.web.conftest import Running

DOCS = Path(__file__).parents[2] / "docs"
MENTIONED = re.compile(r"\b(GET|POST|PUT|DELETE)\s+(/[\w/.:-]+)")
VALUE = r"(?:[a-z]+:)?[A-Z]+"  # as documents write one: ID, table:ID


@pytest.fixture
def routes(server: Running) -> dict[str, re.Pattern[str]]:
    """All routes of the description, and how a document may write each."""
    paths = httpx.get(f"{server.address}/api/openapi.json").json()["paths"]
    return {
        f"{method.upper()} {path}": re.compile(f"{method.upper()} {written(path)}")
        for path, methods in paths.items()
        for method in methods
    }


def written(path: str) -> str:
    """How a document may write a path."""
    return VALUE.join(map(re.escape, re.split(r"{\w+}", path)))


def mentioned(name: str) -> set[str]:
    """The requests that a document names."""
    text = (DOCS / name).read_text("utf-8")
    return {f"{method} {path}" for method, path in MENTIONED.findall(text)}


def test_every_route_is_documented(routes: dict[str, re.Pattern[str]]) -> None:
    """Each route of the OpenAPI description stands in docs/protocol.md, with its method."""
    known = mentioned("protocol.md")
    missing = [
        route for route, form in routes.items() if not any(form.fullmatch(one) for one in known)
    ]
    assert missing == []
    assert len(routes) > 50


@pytest.mark.parametrize("name", ["protocol.md", "friends.md", "groups.md", "daily.md"])
def test_no_document_names_a_route_that_is_not_there(
    routes: dict[str, re.Pattern[str]], name: str
) -> None:
    """What is written in documents can be asked for; `me` may stand for a person."""
    unknown = [
        one
        for one in mentioned(name)
        if not any(
            form.fullmatch(one) or form.fullmatch(re.sub(r"/me\b", "/ID", one))
            for form in routes.values()
        )
    ]
    assert unknown == []
