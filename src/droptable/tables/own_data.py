"""Everything that is kept about a person, for that person."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import msgspec

from droptable.tables import daily, exercises, friends, groups, puzzle_ratings
from droptable.tables import events as ev
from droptable.tables.database import Connection
from droptable.tables.events import Identity, Line
from droptable.tables.store import Store
from droptable.tables.table import Table

PAGE = 100  # tables that are read at once


async def own_data(store: Store, identity: Identity) -> dict[str, Any]:
    """Name, days and tables of somebody: what they did and said at each."""
    query = "SELECT name, created, seen FROM identities WHERE id = :id"
    rows = await store.write(lambda c: list(c.execute(query, {"id": identity})))
    name, created, seen = rows[0] if rows else (None, None, None)
    notices = await store.query(lambda connection: _notices(connection, identity))
    tables: list[dict[str, Any]] = []
    before: float | None = None
    while page := await store.mine(identity, PAGE, before):
        for listed in page:
            lines = await store.read(listed.table)
            tables.append(
                {"table": listed.table, "game": listed.game, "status": listed.status,
                 "title": listed.title, "created": listed.created, "updated": listed.updated,
                 "events": _own(listed.table, lines, identity)}
            )  # fmt: skip
        before = page[-1].updated
    tried = await store.write(lambda c: [asdict(one) for one in daily.tries(c, identity)])
    return {
        "name": name, "created": created, "seen": seen, "tables": tables, "dailies": tried,
        "notices": notices, "profile": await store.query(lambda c: _profile(c, identity)),
        "puzzles": await store.query(lambda c: _puzzles(c, identity)),
        "friends": await store.query(lambda c: friends.own(c, identity)),
        "groups": await store.query(lambda c: groups.own(c, identity)),
        "ratings": await store.query(lambda c: _ratings(c, identity)),
    }  # fmt: skip


def _profile(connection: Connection, identity: Identity) -> dict[str, Any] | None:
    """Under which id others find somebody, and whether they may."""
    query = "SELECT public_id, hidden FROM profiles WHERE identity = :id"
    rows = connection.execute(query, {"id": identity})
    return next(({"id": id_, "hidden": bool(hidden)} for id_, hidden in rows), None)


def _puzzles(connection: Connection, identity: Identity) -> dict[str, Any]:
    """Somebody's puzzle rating, their tries, and their mistakes that come back."""
    mistakes = exercises.mistakes(connection, identity)
    return {
        "rating": asdict(puzzle_ratings.rating_of(connection, identity)),
        "tries": puzzle_ratings.tries(connection, identity),
        "mistakes": [
            {"table": one.table, "mark": one.mark, "made": one.made, "best": one.puzzle.line,
             "right_answers": one.step, "due": one.due}
            for one in mistakes
        ],
    }  # fmt: skip


def _ratings(connection: Connection, identity: Identity) -> list[dict[str, Any]]:
    """What was known of somebody's strength after each rated match, oldest first."""
    query = (
        "SELECT table_id, game, at, mu, sigma FROM rated_people WHERE identity = :id"
        " ORDER BY at, table_id"
    )
    rows = connection.execute(query, {"id": identity})
    names = ("table", "game", "at", "mu", "sigma")
    return [dict(zip(names, row, strict=True)) for row in rows]


def _notices(connection: Connection, identity: Identity) -> dict[str, Any]:
    """What somebody wants to hear of, and where they are reached."""
    wishes = "SELECT wishes FROM notice_people WHERE identity = :id"
    targets = "SELECT way, address, state, created FROM notice_targets WHERE identity = :id"
    chosen = connection.value(wishes, {"id": identity})
    return {
        "wishes": None if chosen is None else msgspec.json.decode(chosen),
        "targets": [
            dict(zip(("way", "address", "state", "created"), row, strict=True))
            for row in connection.execute(targets, {"id": identity})
        ],
    }


def _own(id_: str, lines: list[Line], identity: Identity) -> list[dict[str, Any]]:
    """The events that a person caused."""
    table, own = Table(id_), []
    for line in lines:
        seats = table.seats_of(identity)
        table.apply(line)
        event = line.event
        mine = getattr(event, "identity", None) == identity or (
            isinstance(event, ev.Moved) and event.actor in seats and event.by == "person"
        )
        if mine:
            body = msgspec.to_builtins(event)
            own.append({"at": line.at} | {k: v for k, v in body.items() if k != "identity"})
    return own
