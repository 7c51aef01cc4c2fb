"""Removing the chat of tables that nobody has touched for a while."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace

from droptable.tables import events as ev
from droptable.tables.database import Connection
from droptable.tables.events import Line
from droptable.tables.forgetting import SILENCE, rewrite
from droptable.tables.store import Store

CHORE = "chat"  # its row says up to when tables are silent already
MOST_TABLES = 5  # per step
DAY = 86400.0


async def step(store: Store, days: float, now: float) -> tuple[int, list[str]]:
    """Look at some more tables: how many they were, and which had chat that is gone now."""
    if days <= 0:
        return 0, []
    looked, silenced = 0, list[str]()
    for shard in store.shards:
        due = await shard.write(partial(_due, before=now - days * DAY))
        for table, updated in due:
            if has_chat(await store.read(table)):
                # As of its last event: it is not newer than it was.
                await rewrite(store, table, silent, ev.Moderated(), 0.0)
                silenced.append(table)
            await shard.write(partial(_done, until=updated))
        looked += len(due)
    return looked, silenced


async def waiting(store: Store, days: float, now: float) -> int:
    """How many tables would be looked at."""
    if days <= 0:
        return 0
    query = "SELECT count(*) FROM tables WHERE updated > :since AND updated < :before"

    def count(connection: Connection) -> int:
        values = {"since": _until(connection), "before": now - days * DAY}
        return int(connection.value(query, values))

    return sum([await shard.aside(count) for shard in store.shards])


def has_chat(lines: Sequence[Line]) -> bool:
    """Whether anything that was said is still there."""
    return any(isinstance(line.event, ev.Chatted) and line.event.text != SILENCE for line in lines)


def silent(lines: Sequence[Line]) -> list[Line]:
    """The same events, with nothing said."""
    return [
        replace(line, event=replace(line.event, text=SILENCE))
        if isinstance(line.event, ev.Chatted)
        else line
        for line in lines
    ]


def _until(connection: Connection) -> float:
    query = "SELECT due FROM chores WHERE name = :name"
    return float(connection.value(query, {"name": CHORE}) or 0.0)


def _due(connection: Connection, before: float) -> list[tuple[str, float]]:
    query = (
        "SELECT id, updated FROM tables WHERE updated > :since AND updated < :before"
        " ORDER BY updated, id LIMIT :most"
    )
    values = {"since": _until(connection), "before": before, "most": MOST_TABLES}
    return list(connection.execute(query, values))


def _done(connection: Connection, until: float) -> None:
    connection.execute(
        "INSERT INTO chores (name, due) VALUES (:name, :until)"
        " ON CONFLICT (name) DO UPDATE SET due = excluded.due",
        {"name": CHORE, "until": until},
    )
