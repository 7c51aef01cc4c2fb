"""Servers as processes: two on one PostgreSQL, one that is killed, and what they log."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from benchmarks.serving import Server, new_database
from tests.web.people import Person, Socket, play_on


@pytest.fixture(scope="module")
def database(postgres: str) -> str:
    """An empty database."""
    return new_database(postgres, "two_servers")


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    """Things that are closed when the test ends."""
    with ExitStack() as opened:
        yield opened


def start(stack: ExitStack, database: str, count: int) -> list[Server]:
    servers = [
        Server(
            database,
            bot_processes=1,
            commands_a_second=10_000,
            identities_an_hour=1e6,
            sockets_each=10**6,
            requests_a_minute=1e9,
            megabytes_a_minute=1e6,
        )
        for _ in range(count)
    ]
    for server in servers:
        stack.callback(server.kill)
    return [server.wait() for server in servers]


def test_two_servers_and_a_kill(stack: ExitStack, database: str) -> None:
    """People at two servers play one match; when one is killed its people go on at the other."""
    first, second = start(stack, database, 2)
    ann = stack.enter_context(Person(first.address, "Ann"))
    bob = stack.enter_context(Person(second.address, "Bob"))
    table = ann.create("drop", options={"size": 5})
    assert bob.do(table, "join")["ok"]
    sockets = [ann.sit(table), bob.sit(table)]
    sockets[1].sees(lambda state: all(all(seat["present"]) for seat in state["seats"]))
    assert play_on(sockets, random.Random(1), most=6) == 6
    assert ann.do(table, "chat", text="are you there?")["ok"]
    seen, lines = sockets[0].state["seq"], sockets[0].lines
    first.process.kill()
    first.process.wait()
    assert bob.do(table, "chat", text="I am")["ok"]
    again = Socket(second.address, table, ann.cookie, seq=seen, seat=0)
    stack.callback(again.close)
    again.sees(lambda state: any(line["text"] == "I am" for line in state["lines"]))
    play_on([again, sockets[1]], random.Random(2))
    again.sees(lambda state: state["status"] == "over")
    assert lines + again.lines == bob.look(table)["lines"]
    numbers = [line["seq"] for line in lines + again.lines]
    assert numbers == sorted(set(numbers))


def test_texts_that_postgresql_cannot_keep(stack: ExitStack, database: str) -> None:
    """NUL in a table's id or a command's id is refused, not a failure of the database."""
    (server,) = start(stack, database, 1)
    ann = stack.enter_context(Person(server.address, "Ann"))
    for path in ("/api/tables/a%00b", "/api/tables/a%00b/sheet", "/api/tables/%F0%9F%82%A1%FF"):
        refused = ann.http.get(path)
        assert refused.status_code in (404, 422) and refused.json()["message"]
    table = ann.create()
    answer = ann.do(table, "chat", text="hello", id_="a\0b")
    assert answer["kind"] == "syntax"


def test_logs_tell_no_secret(stack: ExitStack, tmp_path: Path) -> None:
    """Each line of the log is JSON; no table, identity, cookie, link or name is in it."""
    log = stack.enter_context((tmp_path / "log").open("w+"))
    server = Server(str(tmp_path / "tables.db"), log=log, bot_processes=1)
    stack.callback(server.process.stdout.close)
    stack.callback(server.process.kill)
    server.wait()
    ann = stack.enter_context(Person(server.address, "Annabel-Secret"))
    phone = stack.enter_context(Person(server.address))
    table = ann.create("drop", seats=["me", "random"], title="Secret-Title")
    secret = ann.http.post("/api/me/links").json()["secret"]
    assert phone.http.post("/api/me/claim", json={"secret": secret}).status_code == 200
    socket = phone.sit(table)
    socket.sees(lambda state: state["status"] == "playing")
    socket.connection.send("garbage")
    socket.answer("")
    play_on([socket], random.Random(1), most=2)
    for path in (f"/api/tables/{table}", f"/api/tables/{table}/nothing", f"/x/{table}?a={secret}",
                 f"/api/tables/{table}/record", f"/api/tables/{table}x?seq=-1"):  # fmt: skip
        ann.http.get(path)
    ann.http.post(f"/api/tables/{table}/commands", content=secret)
    server.process.terminate()
    server.process.wait()
    log.seek(0)
    text = log.read()
    lines = [json.loads(line) for line in text.splitlines()]
    assert any(line.get("route") == "/api/tables/{table}" for line in lines)
    identity, *signature = ann.cookie.split(".")
    for hidden in (table, secret, identity, signature[-1], "Annabel", "Secret-Title", "127.0.0.1"):
        assert hidden not in text
