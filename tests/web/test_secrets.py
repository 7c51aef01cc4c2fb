"""Nothing that leaves for a viewer depends on what is hidden from that viewer.

What a viewer is sent of a table is compared, byte by byte, with what the same viewer would be sent
of a table that differs in everything the viewer may not know: another world that looks the same to
it, other counts, and no ledger but its own.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from droptable.core.state import State
from droptable.games import games
from droptable.tables import commands as cmd
from droptable.tables.decide import Circumstances, Who, create, decide
from droptable.tables.events import Line
from droptable.tables.settings import Settings
from droptable.tables.store import Store
from droptable.tables.table import Table
from droptable.web.messages import state_message
from droptable.web.pictures import Look
from tests.web.conftest import Running
from tests.web.people import SHORT, Message, Person, play_on

People = Callable[..., Person]
EVERY_GAME = [(one.name, count) for one in games() for count in one.players]
LOOKS = (Look(), Look("wide", beats=True), Look("tall", language="de", beats=True))
MOMENTS = 5  # of each match that are looked at
MATCHES = int(os.environ.get("SECRET_MATCHES", "1"))  # at each table; more for a long run
LONGEST = 120  # moves of a match
HOST: Any = SimpleNamespace(now=1000.0, present=lambda _: frozenset())


def sent(table: Table, who: Who | None, look: Look, seen: int = 0) -> bytes:
    """What is sent to a viewer."""
    return msgspec.json.encode(state_message(HOST, table, who, look, seen))


def permuted(table: Table, viewer: int | None, chance: random.Random) -> Table:
    """A table that looks the same to this viewer, and different to everybody else."""
    assert table.state is not None and table.game is not None
    twin = table.fork()
    twin.state = another_world(table.state, viewer, chance)
    twin.ledgers = {viewer: twin.ledgers[viewer]}
    twin.ledgers[viewer].update_view(twin.state.view(viewer))
    twin.seq += 1000
    assert table.sealed is not None
    twin.sealed = replace(table.sealed, secret=chance.randbytes(32))
    twin.commands = set()
    return twin


def another_world(state: State, viewer: int | None, chance: random.Random) -> State:
    return state.view(viewer).determinize(chance.getrandbits(32))


def match(game: str, players: int, chance: random.Random) -> Iterator[Table]:
    """The moments of a random match among people, or of its beginning if it is very long."""
    people = [Who(f"identity {seat}", f"Player {seat}") for seat in range(players)]
    settings = Settings(game, players, SHORT.get(game, {}), ("me",) + ("open",) * (players - 1))
    table = create(settings, people[0], Circumstances(0.0, chance, new_table="table")).table
    for seat, somebody in enumerate(people[1:], 1):
        table = decide(table, cmd.Join(seat), somebody, Circumstances(1.0, chance)).table
    if table.status == "waiting":
        table = decide(table, cmd.Start(), people[0], Circumstances(2.0, chance)).table
    for at in range(LONGEST):
        yield table
        if table.status == "over":
            return
        assert table.state is not None
        seat = chance.choice(table.state.to_act)
        move = cmd.Move(chance.choice(table.state.legal(seat)))
        table = decide(table, move, people[seat], Circumstances(3.0 + at, chance)).table


@pytest.mark.parametrize(("game", "players"), EVERY_GAME)
def test_bytes_do_not_depend_on_what_is_hidden(game: str, players: int) -> None:
    """At sampled moments, each viewer is sent the same of a table with all hidden things moved."""
    for number in range(MATCHES):
        check_match(game, players, random.Random(1000 * number + players))


def check_match(game: str, players: int, chance: random.Random) -> None:
    """Check moments of one match from every viewer's view."""
    moments = list(match(game, players, chance))
    middle = chance.sample(moments[:-1], min(MOMENTS, len(moments) - 1))
    for table in (*middle, moments[-1]):
        watcher, seated = None, [Who(*next(iter(seat.people.items()))) for seat in table.seats]
        for who in (watcher, *seated):
            viewer = None if who is None else table.seat_of(who.identity)
            twin = permuted(table, viewer, chance)
            seen = max(0, table.ledgers[viewer].seq - 30)
            for look in LOOKS:
                assert sent(twin, who, look, seen) == sent(table, who, look, seen)


def test_permuting_changes_something() -> None:
    """The comparison can fail: whoever sees the hidden part is sent something else."""
    chance = random.Random(1)
    table = next(match("depot", 3, chance))
    twin = permuted(table, None, chance)
    twin.ledgers = table.fork().ledgers
    for viewer, ledger in twin.ledgers.items():
        ledger.update_view(twin.state.view(viewer))
    seen = [sent(table, Who(f"identity {seat}", ""), Look()) for seat in range(3)]
    others = [sent(twin, Who(f"identity {seat}", ""), Look()) for seat in range(3)]
    assert seen != others


@pytest.mark.parametrize("game", ["depot", "number-drop", "drop-site", "drop-or-pop", "drop"])
def test_wire(person: People, server: Running, game: str) -> None:
    """All that really left for each seat and a spectator is what a permuted table would send."""
    players = {"drop": 2, "number-drop": 2}.get(game, 3)
    people = [person(f"Player {seat}") for seat in range(players)]
    table = people[0].create(game, players=players)  # long enough not to end while it is watched
    for somebody in people[1:]:
        assert somebody.do(table, "join")["ok"]
    if game == "drop-or-pop":
        assert people[0].do(table, "start")["ok"]
    sockets = [somebody.sit(table, scene="wide") for somebody in people]
    watching = person().sit(table, scene="tall")
    chance = random.Random(players)
    play_on(sockets, chance, most=8 if game == "drop-or-pop" else 20)
    watching.drain()
    prefixes = folds(asyncio.run(read(server.database, table)), table)
    sealed = prefixes[-1].sealed
    assert sealed is not None and sealed.commitment in sockets[0].received[0]
    said = [text for socket in (*sockets, watching) for text in socket.received]
    assert prefixes[-1].status == "playing"
    assert not any(secret.hex() in text for secret in (sealed.secret, sealed.seed) for text in said)
    names = [s["name"] for s in people[0].look(table)["seats"]]
    identities = [somebody.cookie.partition(".")[0] for somebody in people]
    for socket, who, look in (
        *((s, Who(i, n), Look("wide")) for s, i, n in zip(sockets, identities, names, strict=True)),
        (watching, None, Look("tall")),
    ):
        messages = [json.loads(text) for text in socket.received]
        states = [message for message in messages if message["type"] == "state"]
        assert states
        assert not any(i in text for i in identities for text in socket.received)
        for message in chance.sample(states, min(8, len(states))):
            check_message(message, prefixes, who, look, chance)


def check_message(
    message: Message, prefixes: list[Table], who: Who | None, look: Look, chance: random.Random
) -> None:
    """A state that was sent is that of every moment which its viewer could not tell apart."""
    viewer = message["seat"]
    same = [t for t in prefixes if t.state is not None and t.ledgers[viewer].seq == message["seq"]]
    assert same
    for table in same:
        again = json.loads(sent(permuted(table, viewer, chance), who, look, message["from"]))
        assert blurred(again) == blurred(message)


def blurred(message: Message) -> Message:
    """Without who was connected."""
    seats = [seat | {"present": []} for seat in message["seats"]]
    return message | {"seats": seats}


def folds(lines: list[Line], id_: str) -> list[Table]:
    """The table after each of its events."""
    tables, table = [], Table(id_)
    for line in lines:
        table = table.fork()
        table.apply(line)
        tables.append(table)
    return tables


async def read(database: str, table: str) -> list[Line]:
    store = Store(database)
    try:
        return await store.read(table)
    finally:
        await store.close()
