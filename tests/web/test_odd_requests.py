"""Odd requests get a clear answer, never a failure of the server."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

import droptable
from tests.web.people import Person

People = Callable[..., Person]


@pytest.mark.parametrize("name", ["%00", "a%00b.js", "..%00/app.py"])
def test_no_file_has_a_nul_in_its_name(person: People, name: str) -> None:
    """Such a name is answered like that of any file that is not there."""
    answer = person().http.get(f"/static/{name}")
    assert answer.status_code == 404
    assert answer.json()["kind"] == "gone"


def test_an_address_that_fits_no_code(person: People) -> None:
    """An address that is too long for a QR code is refused, and named."""
    anna = person("Anna")
    table = anna.create("drop")
    path = f"/api/tables/{table}/qr.svg"
    assert anna.http.get(path, headers={"X-Forwarded-Host": "h" * 5000}).status_code == 200
    answer = anna.http.get(path, headers={"Host": "h" * 5000})
    assert answer.status_code == 422
    assert "http://hhhh" in answer.json()["message"]


@pytest.mark.parametrize("kind", ["picture.svg", "picture.png"])
def test_names_with_control_characters_are_drawn(person: People, kind: str) -> None:
    """A record whose names no file could hold is shown without those characters."""
    record = droptable.play(droptable.game("drop"), players=2, bots=["random", "random"], seed=1)
    odd = replace(record, info={"seat 0": "A\0\x1b\uffff", "title": "\x07"})
    anna = person("Anna")
    sent = anna.http.post("/api/replays", content=odd.to_json())
    assert sent.status_code == 201, sent.text
    key = sent.json()["key"]
    assert anna.http.get(f"/api/replays/{key}").json()["names"][0] == "A"
    assert anna.http.get(f"/api/replays/{key}/{kind}").status_code == 200
