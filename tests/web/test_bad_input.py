"""Whatever is sent: never a crash, never a change, always an answer with kind and message."""

from __future__ import annotations

import json
import socket as plain_socket
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from websockets.exceptions import ConnectionClosed

from droptable.web.identity import COOKIE
from tests.web.conftest import Running
from tests.web.people import Person, Socket

People = Callable[..., Person]
KINDS = {"syntax", "illegal", "stale", "forbidden", "gone", "limit"}
TOO_LONG = 1009  # the code of a socket that is closed for a message that is too long
CHECKS = [not_a_server_error, status_code_conformance, response_schema_conformance,
          content_type_conformance]  # fmt: skip
BOUNDED = settings(
    max_examples=12, deadline=None, derandomize=True, database=None,
    phases=[Phase.explicit, Phase.generate], suppress_health_check=list(HealthCheck),
)  # fmt: skip


# -- HTTP -----------------------------------------------------------------------------------------


def ask_anything(server: Running, cookie: str = "") -> None:
    """Call every operation of the API with all kinds of arguments, right and wrong."""
    api = schemathesis.openapi.from_url(f"{server.address}/api/openapi.json")
    headers = {"Cookie": f"{COOKIE}={cookie}"} if cookie else {}
    operations = [operation.ok() for operation in api.get_all_operations()]
    assert len(operations) > 10
    for operation in operations:

        @given(case=operation.as_strategy())
        @BOUNDED
        def ask(case: Any) -> None:
            case.call_and_validate(checks=CHECKS, headers=headers, timeout=60)

        ask()


def test_any_request_of_nobody(server: Running) -> None:
    """Without a cookie, every call gets a documented answer and changes no table."""
    before = server.fingerprint()
    ask_anything(server)
    assert server.fingerprint() == before


def test_any_request_of_somebody(server: Running, known: Person) -> None:
    """With a cookie, every call gets a documented answer."""
    ask_anything(server, known.cookie)


@pytest.fixture(scope="session")
def known(server: Running) -> Iterator[Person]:
    """Somebody who sits at many tables."""
    with Person(server.address, "Known") as somebody:
        yield somebody


def test_body_that_is_too_long(person: People) -> None:
    """A long body is refused, with or without a declared length, and so is a long path."""
    somebody = person("A")
    big = b'{"name": "' + b"x" * 5000 + b'"}'
    declared = somebody.http.put("/api/me", content=big)
    undeclared = somebody.http.put("/api/me", content=iter([big[:3000], big[3000:]]))
    for refused in (declared, undeclared):
        assert refused.status_code == 413 and refused.json()["kind"] == "limit"
    assert somebody.http.get("/api/" + "x" * 1500).status_code == 422
    assert somebody.http.get("/api/me").json()["name"] == "A"


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://[", "", "javascript:x"])
def test_other_sites(person: People, server: Running, origin: str) -> None:
    """A page of another site can neither change anything nor open a socket."""
    somebody = person("A")
    table = somebody.create()
    before = server.fingerprint()
    refused = somebody.http.post("/api/tables", json={"game": "drop"}, headers={"Origin": origin})
    assert refused.status_code == 403 and refused.json()["kind"] == "forbidden"
    status = handshake(server, table, somebody.cookie, origin)
    assert status == 403
    assert server.fingerprint() == before


def handshake(server: Running, table: str, cookie: str, origin: str) -> int:
    """The HTTP status of a socket's handshake."""
    headers = {
        "Origin": origin, "Cookie": f"{COOKIE}={cookie}", "Connection": "Upgrade",
        "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    }  # fmt: skip
    answer = httpx.get(f"{server.address}/api/tables/{table}/socket", headers=headers)
    return answer.status_code


def test_own_page_may(person: People, server: Running) -> None:
    """A page of this server is served."""
    somebody = person("A")
    made = somebody.http.post(
        "/api/tables", json={"game": "drop"}, headers={"Origin": server.address}
    )
    assert made.status_code == 201
    assert Socket(
        server.address, made.json()["table"], somebody.cookie, origin=server.address
    ).receive()["type"] == "state"  # fmt: skip


def test_not_even_http(server: Running) -> None:
    """Bytes that are not HTTP are refused, and the server carries on."""
    port = int(server.address.rpartition(":")[2])
    for garbage in (b"\x00\xff" * 50 + b"\r\n\r\n", b"GET / HTTQ/9\r\n\r\n", b"\r\n" * 9):
        with plain_socket.create_connection(("127.0.0.1", port), 5) as raw:
            raw.sendall(garbage)
            raw.shutdown(plain_socket.SHUT_WR)
            assert raw.recv(100)[:12] in (b"HTTP/1.1 400", b"")
    assert httpx.get(f"{server.address}/healthz").json() == {"ok": True}


def test_security_headers(person: People) -> None:
    """Every answer forbids framing, sniffing, foreign scripts and, in the API, caching."""
    for path in ("/api/me", "/api/tables", "/api/nothing", "/healthz"):
        headers = person().http.get(path).headers
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert ("no-store" in headers.get("cache-control", "")) == path.startswith("/api")


# -- the socket -----------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def scene(server: Running) -> Iterator[list[Socket]]:
    """A match at somebody else's turn, with a waiting player, a spectator and a stranger."""
    with (
        Person(server.address, "A") as ann, Person(server.address, "B") as bob,
        Person(server.address, "C") as eve,
    ):  # fmt: skip
        table = ann.create("drop")
        assert bob.do(table, "join")["ok"]
        waiting = next(p for p in (ann, bob) if not p.look(table)["legal"])
        if waiting is ann:  # the owner may mute and the like
            assert bob.do(table, "move", token=bob.look(table)["legal"][0]["token"])["ok"]
            waiting = bob
        ann.sit(table)  # for whoever is away a bot may be asked to play
        stranger = Socket(server.address, table)
        yield [waiting.sit(table), eve.sit(table), stranger]
        stranger.close()


numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
scalars = st.none() | st.booleans() | numbers | st.text(max_size=20)
values = st.recursive(
    scalars, lambda v: st.lists(v, max_size=4) | st.dictionaries(st.text(max_size=8), v, max_size=4)
)
tokens = st.sampled_from(["a1", "d4", "pass", "", "a1 a2", "drop", "🂡"]) | st.text(max_size=30)
refused_commands = st.one_of(
    st.fixed_dictionaries({"type": st.just("move"), "token": tokens}),
    st.fixed_dictionaries({"type": st.just("take_over"), "seat": st.integers(0, 63)}),
    st.fixed_dictionaries({"type": st.just("mute"), "on": st.booleans()}),
    st.fixed_dictionaries({"type": st.just("add_bot"), "seat": st.integers(-1, 70),
                           "bot": st.sampled_from(["easy", "x"])}),
    st.fixed_dictionaries({"type": st.just("remove_bot"), "seat": st.integers(-1, 70)}),
    st.fixed_dictionaries({"type": st.just("join"), "seat": st.integers(2, 63)}),
    st.fixed_dictionaries({"type": st.just("answer_undo"), "agree": st.booleans()}),
    st.fixed_dictionaries({"type": st.sampled_from(["start", "rematch", "leave", "undo"])}),
    st.fixed_dictionaries({"type": st.just("chat"), "text": st.just("") | numbers}),
    values,
)  # fmt: skip
envelopes = st.fixed_dictionaries(
    {"id": st.text(min_size=1, max_size=70) | values, "command": refused_commands},
    optional={"seq": scalars, "table": st.text(max_size=20)},
)
looks = st.fixed_dictionaries({"look": values.filter(lambda v: v != {})})
garbage = st.one_of(
    st.text(max_size=200),
    st.binary(max_size=200),
    values.map(json.dumps),
    envelopes.map(json.dumps),
    looks.map(json.dumps),
    envelopes.map(lambda e: json.dumps(e).encode()),
    st.sampled_from(["[" * 3000, '{"a":' * 600, '"' + "x" * 4000 + '"', "x" * 5000, b"\x00" * 5000,
                     "NaN", "1e999", '{"id": "1", "command": {"type": "move", "token": "\\ud800"}}',
                     '{"id": "1", "id": "2"}', '{"look": {"focus": 1e99}}']),
)  # fmt: skip


@given(message=garbage, place=st.integers(0, 2))
@settings(BOUNDED, max_examples=400)
def test_any_message(
    server: Running, scene: list[Socket], message: str | bytes, place: int
) -> None:
    """Whatever somebody without the right to do it sends is answered and changes no table."""
    if is_harmless(message):
        return
    before = server.fingerprint()
    long = len(message if isinstance(message, bytes) else message.encode()) > 4096
    if long:
        table = scene[place].sees(bool)["table"]
        other = Socket(server.address, table)
        other.connection.send(message)
        with pytest.raises(ConnectionClosed) as closed:
            other.until(lambda m: m["type"] == "answer")
        assert closed.value.rcvd is not None and closed.value.rcvd.code == TOO_LONG
        other.close()
    else:
        scene[place].connection.send(message)
        answer = scene[place].until(lambda m: m["type"] == "answer")
        assert not answer["ok"] and answer["kind"] in KINDS and answer["message"], answer
    assert server.fingerprint() == before


def is_harmless(message: str | bytes) -> bool:
    """Whether a message happens to be a valid look, which gets no answer."""
    try:
        data = json.loads(message)
    except (ValueError, RecursionError):
        return False
    look = data.get("look") if isinstance(data, dict) and data.keys() == {"look"} else None
    return isinstance(look, dict) and look.keys() <= {"scene", "focus", "language"}


def test_the_server_is_still_there(server: Running) -> None:
    """After all this the server still answers, and has counted no failure of its own."""
    metrics = httpx.get(f"{server.address}/metrics").text
    assert httpx.get(f"{server.address}/healthz").json() == {"ok": True}
    assert 'status="500"' not in metrics
    assert 'droptable_host_total{what="failures"}' not in metrics
