"""Two servers, two databases and a bus, all real: people play on while tables move or it dies."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from benchmarks.serving import NO_REDIS, Redis, Server, find_redis, new_database
from tests.web.people import Person, Socket, play_on


@pytest.fixture(scope="module")
def bus() -> Iterator[Redis]:
    """A Redis or Valkey of these tests alone."""
    if find_redis() is None:
        pytest.skip(NO_REDIS)
    running = Redis()
    yield running
    running.kill()


@pytest.fixture(scope="module")
def databases(postgres: str) -> list[str]:
    """Two empty databases."""
    return [new_database(postgres, name) for name in ("shard_one", "shard_two")]


@pytest.fixture(scope="module")
def servers(databases: list[str], bus: Redis) -> Iterator[list[Server]]:
    """Two servers that share both databases, and hear of each other only by the bus."""
    home, shard = databases
    running = [
        Server(home, shards=shard, bus=bus.address, bot_processes=1, commands_a_second=10_000,
               chats_a_minute=6e6, identities_an_hour=1e6, sockets_each=10**6,
            requests_a_minute=1e9, megabytes_a_minute=1e6)
        for _ in range(2)
    ]  # fmt: skip
    yield [server.wait() for server in running]
    for server in running:
        server.kill()


@pytest.fixture
def people(servers: list[Server]) -> Iterator[list[Person]]:
    """Ann at the first server, Bob at the second."""
    with ExitStack() as stack:
        names = zip(servers, ("Ann", "Bob"), strict=True)
        yield [stack.enter_context(Person(server.address, name)) for server, name in names]


def sit_down(people: list[Person]) -> tuple[str, list[Socket]]:
    """A table where both play, each at their server, and see each other."""
    ann, bob = people
    table = ann.create("drop", options={"size": 5})
    assert bob.do(table, "join")["ok"]
    sockets = [ann.sit(table), bob.sit(table)]
    for socket in sockets:
        socket.sees(lambda state: all(all(seat["present"]) for seat in state["seats"]))
    return table, sockets


def say(person: Person, table: str, texts: list[str]) -> None:
    for text in texts:
        assert person.do(table, "chat", text=text)["ok"], text


def hears(socket: Socket, text: str) -> None:
    socket.sees(lambda state: any(line.get("text") == text for line in state["lines"]))


def seen_once(socket: Socket, texts: list[str]) -> None:
    """Everything was seen, once, in order; also by its number."""
    numbers = [line["seq"] for line in socket.lines]
    assert numbers == sorted(set(numbers))
    heard = [line["text"] for line in socket.lines if line.get("text") in set(texts)]
    assert heard == texts


def move_table(table: str, databases: list[str], to: str) -> str:
    home, shard = databases
    command = [sys.executable, "-m", "droptable", "tables", "move", table, "--to", to]
    places = ["--database", home, "--shard", shard]
    done = subprocess.run([*command, *places], capture_output=True, text=True, check=True)
    return done.stdout


def test_a_table_moves_between_databases_while_it_is_played(
    people: list[Person], databases: list[str]
) -> None:
    """`droptable tables move` there and back while both talk and play: each sees all, once."""
    ann, bob = people
    table, sockets = sit_down(people)
    moved: list[str] = []

    def move() -> None:
        moved.extend(move_table(table, databases, to) for to in databases)

    moving = threading.Thread(target=move)
    moving.start()
    texts: list[str] = []
    while moving.is_alive():
        pair = [f"a{len(texts)}", f"b{len(texts)}"]
        say(ann, table, pair[:1])
        say(bob, table, pair[1:])
        texts += pair
    moving.join()
    assert moved[1] == "moved\n"  # at least, since it was in one of them
    play_on(sockets, random.Random(1))
    for socket in sockets:
        socket.sees(lambda state: state["status"] == "over")
        seen_once(socket, texts)
    assert sockets[0].lines == sockets[1].lines
    assert table in ann.listed("mine") and table in bob.listed("mine")


def test_nothing_is_lost_while_the_bus_is_away(people: list[Person], bus: Redis) -> None:
    """The bus is killed, comes back, and hangs: what is said meanwhile is seen, once, in order."""
    ann, bob = people
    table, (at_ann, at_bob) = sit_down(people)
    texts = [f"{number}" for number in range(8)]
    say(ann, table, texts[:2])
    hears(at_bob, texts[1])
    bus.kill()
    say(ann, table, texts[2:3])
    say(bob, table, texts[3:4])
    hears(at_bob, texts[3])
    hears(at_ann, texts[3])
    bus.start()
    say(bob, table, texts[4:6])
    hears(at_ann, texts[5])
    os.kill(bus.process.pid, signal.SIGSTOP)
    try:
        say(ann, table, texts[6:])
        hears(at_bob, texts[7])
    finally:
        os.kill(bus.process.pid, signal.SIGCONT)
    hears(at_ann, texts[7])
    for socket in (at_ann, at_bob):
        seen_once(socket, texts)
