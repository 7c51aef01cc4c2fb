"""Deleting a person: nobody can tell any more who it was, and others keep their matches.

The person is deleted at once, and leaves or resigns where they sat. The events of their tables are
then written anew, table by table and once nobody plays there: another random identity takes the
place of theirs, their name becomes FORMER, and what they said is gone.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from functools import partial

from msgspec.structs import replace

from droptable.tables import events as ev
from droptable.tables import friends, groups, ratings
from droptable.tables.database import Connection
from droptable.tables.events import Identity, Line
from droptable.tables.store import Append, Store
from droptable.tables.summary import is_rated, solo_score, summary
from droptable.tables.table import fold

FORMER = "Somebody"
OWN = (
    "links", "dailies", "profiles", "notice_targets", "notice_people", "lookers", "solvers",
    "puzzle_tries", "exercises", "reviewed",
)  # fmt: skip
SILENCE = "…"  # instead of what somebody said


def mark(connection: Connection, identity: Identity, now: float) -> None:
    """Delete a person and what is kept about them; their tables are to follow."""
    values = {"id": identity, "now": now}
    connection.execute("DELETE FROM identities WHERE id = :id", values)
    connection.execute(
        "DELETE FROM deliveries WHERE target IN"
        " (SELECT id FROM notice_targets WHERE identity = :id)", values
    )  # fmt: skip
    for other in OWN:
        connection.execute(f"DELETE FROM {other} WHERE identity = :id", values)
    connection.execute("UPDATE acts SET identity = '' WHERE identity = :id", values)
    ratings.forget(connection, identity)
    friends.forget(connection, identity)
    groups.forget(connection, identity)
    connection.execute(
        "INSERT INTO forgotten (identity, at) VALUES (:id, :now) ON CONFLICT DO NOTHING", values
    )


def unsay(connection: Connection, identity: Identity) -> None:
    """Delete what was to be told to somebody, and what they were told."""
    connection.execute("DELETE FROM notices WHERE identity = :id", {"id": identity})


async def step(store: Store, now: float) -> str | None:
    """Write one table of somebody who was deleted anew; its id, or None if there is none."""
    for identity in await store.write(_forgotten):
        find = partial(tables_of, identity=identity)
        tables = [found for shard in store.shards for found in await shard.write(find)]
        for table, status in tables:
            if status != "playing" and await _rewrite(store, table, identity, now):
                return table
        if not tables:
            await store.write(partial(_done, identity=identity))
    return None


async def _rewrite(store: Store, table: str, identity: Identity, now: float) -> bool:
    change = partial(pseudonymised, identity=identity)
    return await rewrite(store, table, change, ev.Forgotten(), now)


async def rewrite(
    store: Store, table: str, change: Callable[[list[Line]], list[Line]], why: ev.Event, now: float
) -> bool:
    """Write the events of a table anew, and `why`; False: there is none, or it has just changed."""
    lines = await store.read(table)
    if not lines:
        return False
    last = lines[-1]
    written = [*change(lines), Line(last.seq + 1, max(now, last.at), why)]
    after = fold(table, written)
    due = now if after.status == "playing" else None  # a server looks at its clocks and bots
    part = Append(table, 0, written, summary(after), due, solo_score(after), rated=is_rated(after))
    return await store.replace(part, last.seq)


def pseudonymised(lines: Sequence[Line], identity: Identity) -> list[Line]:
    """The events of a table without a person."""
    new = secrets.token_urlsafe(16)
    return [
        replace(line, event=_without(line.event, identity, new), command=_key(line, identity, new))
        for line in lines
    ]


def _key(line: Line, identity: Identity, new: Identity) -> str:
    sender, colon, id_ = line.command.partition(":")
    return f"{new}:{id_}" if colon and sender == identity else line.command


def _without(event: ev.Event, identity: Identity, new: Identity) -> ev.Event:
    def swapped(one: Identity) -> Identity:
        return new if one == identity else one

    match event:
        case ev.Created():
            return replace(
                event,
                owner=swapped(event.owner),
                reserved=tuple(tuple(map(swapped, people)) for people in event.reserved),
                awaited=tuple(map(swapped, event.awaited)),
            )
        case ev.Chatted() if event.identity == identity:
            return replace(event, identity=new, name=FORMER, text=SILENCE)
        case ev.Renamed() if event.identity == identity:
            return replace(event, identity=new, name=FORMER, before=FORMER)
        case ev.Joined() | ev.Left() if event.identity == identity:
            return replace(event, identity=new, name=FORMER)
        case (
            ev.Contributed()
            | ev.OwnerChanged()
            | ev.UndoAsked()
            | ev.UndoAnswered()
            | ev.Returned()
        ) if event.identity == identity:
            return replace(event, identity=new)
    return event


def _forgotten(connection: Connection) -> list[Identity]:
    return [who for (who,) in connection.execute("SELECT identity FROM forgotten ORDER BY at")]


def tables_of(connection: Connection, identity: Identity) -> list[tuple[str, str]]:
    """All tables whose events name somebody, seated or not, and their status."""
    query = (
        "SELECT id, status FROM tables WHERE id IN"
        " (SELECT table_id FROM events WHERE body LIKE :text OR command LIKE :text) ORDER BY id"
    )
    quoted = identity.replace("_", "\\_").replace("%", "\\%")
    text = f"%{quoted}%"
    if not connection.is_postgres:
        query = query.replace(":text", ":text ESCAPE '\\'")
    return [(id_, status) for id_, status in connection.execute(query, {"text": text})]


def _done(connection: Connection, identity: Identity) -> None:
    connection.execute("DELETE FROM forgotten WHERE identity = :id", {"id": identity})
