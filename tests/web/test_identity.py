"""Identities: cookies and links."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from http.cookies import SimpleCookie
from typing import Any

import pytest
from itsdangerous import TimestampSigner

from droptable.web.identity import COOKIE, COOKIE_SECONDS, LINK_SECONDS
from tests.web.conftest import Running
from tests.web.people import Person

People = Callable[..., Person]


class Elsewhen(TimestampSigner):
    """Signs as at another time."""

    seconds = 0

    def get_timestamp(self) -> int:
        return int(time.time()) + self.seconds


def sql(server: Running, statement: str, *values: Any) -> list[Any]:
    """Query the server's database, or change it."""
    connection = sqlite3.connect(server.database)
    try:
        with connection:
            return connection.execute(statement, values).fetchall()
    finally:
        connection.close()


def key_of(server: Running) -> str:
    return str(sql(server, "SELECT value FROM secrets WHERE name = 'cookies'")[0][0])


def name_by(person: Person, cookie: str) -> str | None:
    """The name that the server knows this cookie by."""
    person.http.cookies.clear()
    response = person.http.get("/api/me", headers={"Cookie": f"{COOKIE}={cookie}".encode()})
    if response.status_code == 400:  # bytes that no header may have
        return None
    assert response.status_code == 200
    name: str | None = response.json()["name"]
    return name


def test_cookie(person: People) -> None:
    """The cookie is for HTTP only, for this site only, and lasts; a new name keeps it valid."""
    somebody = person()
    assert somebody.http.get("/api/me").json() == {"name": None}
    response = somebody.http.put("/api/me", json={"name": "  Ann \n B. "})
    assert response.json() == {"name": "Ann B."}
    morsel = SimpleCookie(response.headers["set-cookie"])[COOKIE]
    assert morsel["httponly"] and morsel["samesite"] == "lax" and morsel["path"] == "/"
    assert int(morsel["max-age"]) == COOKIE_SECONDS
    table = somebody.create()
    somebody.http.put("/api/me", json={"name": "Anna"})
    assert table in somebody.listed("mine")


def test_tampered_cookies_are_nobody(person: People) -> None:
    """A cookie with any one character changed, cut off or added is nobody's."""
    cookie = person("Ann").cookie
    stranger = person()
    assert name_by(stranger, cookie) == "Ann"
    for place in range(len(cookie)):
        other = "A" if cookie[place] != "A" else "B"
        changed = cookie[:place] + other + cookie[place + 1 :]
        if place < len(cookie) - 1:  # some bits of the last character of base64 mean nothing
            assert name_by(stranger, changed) is None, changed
    for wrong in ("", "x", cookie[:-1], cookie + "x", cookie.partition(".")[0], "é", "...", "\x01"):
        assert name_by(stranger, wrong) is None, wrong


@pytest.mark.parametrize("seconds", [-3 * COOKIE_SECONDS, -5, 5, 7200])
def test_a_signature_is_valid_at_any_time(person: People, server: Running, seconds: int) -> None:
    """A cookie from long ago, or from a clock that is ahead, names the same person: neither a
    look nor a new name makes somebody new, and the browser is told to keep it."""
    ann = person("Ann")
    table = ann.create()
    signer = Elsewhen(key_of(server), salt="droptable-identity")
    signer.seconds = seconds
    cookie = signer.sign(ann.cookie.partition(".")[0]).decode()
    assert name_by(ann, cookie) == "Ann"
    sent = {"Cookie": f"{COOKIE}={cookie}"}
    renewed = ann.http.get("/api/me", headers=sent).headers.get("set-cookie")
    assert (renewed is not None) == (abs(seconds) > 86400)
    ann.http.cookies.clear()
    named = ann.http.put("/api/me", json={"name": "Anna"}, headers=sent)
    identity = SimpleCookie(named.headers["set-cookie"])[COOKIE].value.partition(".")[0]
    assert identity == cookie.partition(".")[0]
    assert table in ann.listed("mine")


def test_somebody_who_was_forgotten_is_told_so(person: People, server: Running) -> None:
    """A valid cookie of somebody whom the database does not know is no new person: they are told,
    and get their own identity back with a name."""
    ann = person("Ann")
    key = key_of(server)
    cookie = TimestampSigner(key, salt="droptable-identity").sign("long-forgotten").decode()
    sent = {"Cookie": f"{COOKIE}={cookie}"}
    ann.http.cookies.clear()
    assert ann.http.get("/api/me", headers=sent).json() == {"name": None, "forgotten": True}
    refused = ann.http.post("/api/tables", json={"game": "drop"}, headers=sent)
    assert refused.status_code == 403 and "away too long" in refused.json()["message"]
    named = ann.http.put("/api/me", json={"name": "Back"}, headers=sent)
    value = SimpleCookie(named.headers["set-cookie"])[COOKIE].value
    assert value.partition(".")[0] == "long-forgotten"
    assert ann.http.get("/api/me", headers=sent).json() == {"name": "Back"}


@pytest.mark.parametrize("kind", ["foreign", "unknown"])
def test_other_cookies_are_nobody(person: People, server: Running, kind: str) -> None:
    """A cookie that is signed by another server, or of no known person, is nobody's."""
    ann = person("Ann")
    identity = ann.cookie.partition(".")[0]
    key, salt = key_of(server), "droptable-identity"
    assert name_by(person(), TimestampSigner(key, salt=salt).sign(identity).decode()) == "Ann"
    cookie = {
        "foreign": TimestampSigner("another key", salt=salt).sign(identity),
        "unknown": TimestampSigner(key, salt=salt).sign("nobody"),
    }[kind].decode()
    stranger = person()
    assert name_by(stranger, cookie) is None
    refused = stranger.http.post(
        "/api/tables", json={"game": "drop"}, headers={"Cookie": f"{COOKIE}={cookie}"}
    )
    assert refused.status_code == 403 and refused.json()["kind"] == "forbidden"


def test_moving_by_link(person: People, server: Running) -> None:
    """A link makes another device the same person, once; only its hash is stored."""
    ann, phone = person("Ann"), person()
    table = ann.create()
    link = ann.http.post("/api/me/links")
    assert link.status_code == 201 and link.json()["seconds"] == LINK_SECONDS
    secret = link.json()["secret"]
    assert len(secret) >= 32
    assert not sql(server, "SELECT * FROM links WHERE hash = ?", secret)
    assert phone.http.post("/api/me/claim", json={"secret": secret}).json() == {"name": "Ann"}
    assert table in phone.listed("mine")
    again = person().http.post("/api/me/claim", json={"secret": secret})
    assert again.status_code == 404 and again.json()["kind"] == "gone"


def test_link_expires(person: People, server: Running) -> None:
    """A link that was not used in time is void."""
    secret = person("Ann").http.post("/api/me/links").json()["secret"]
    sql(server, "UPDATE links SET expires = ?", time.time() - 1)
    late = person().http.post("/api/me/claim", json={"secret": secret})
    assert late.status_code == 404 and late.json()["kind"] == "gone"


def test_only_a_seats_owner_moves(person: People) -> None:
    """Nobody can move for somebody else's seat, whatever they claim."""
    ann, bob, eve = person("Ann"), person("Bob"), person("Eve")
    table = ann.create()
    assert bob.do(table, "join")["ok"]
    first = next(p for p in (ann, bob) if p.look(table)["legal"])
    other = ann if first is bob else bob
    token = first.look(table)["legal"][0]["token"]
    assert eve.do(table, "move", token=token)["kind"] == "forbidden"
    assert other.do(table, "move", token=token)["kind"] == "illegal"
    assert first.do(table, "move", token=token)["ok"]
