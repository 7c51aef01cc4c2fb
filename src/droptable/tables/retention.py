"""What is deleted after a while: links, guests who never sat down, tables that nobody touches.

One server at a time does it, in small steps, so that nobody who plays has to wait.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from droptable.tables import bulk, groups, old_chat
from droptable.tables.appends import TEXT
from droptable.tables.database import Connection
from droptable.tables.events import Identity
from droptable.tables.schema import OF_TABLE
from droptable.tables.store import Store

DAY = 86400.0
MOST_TABLES = 5  # per transaction: each may have thousands of events
MOST_ROWS = 100  # links and identities per transaction
TURN = 600.0  # seconds for which one server does it


@dataclass(frozen=True)
class Keep:
    """For how many days things are kept that nobody touches; 0 means for ever."""

    guests: float = 365.0  # identities without any table
    waiting: float = 30.0  # tables that wait for players, or were closed
    unfinished: float = 365.0
    finished: float = 0.0
    chat: float = 0.0  # of tables that nobody has touched since
    groups: float = 365.0  # that nobody plays in or looks at


async def claim(store: Store, now: float) -> bool:
    """Whether it is this server's turn to tidy up, for the next minutes."""
    add = "INSERT INTO chores (name, due) VALUES ('retention', 0) ON CONFLICT DO NOTHING"
    take = "UPDATE chores SET due = :next WHERE name = 'retention' AND due <= :now"

    def work(connection: Connection) -> bool:
        connection.execute(add)
        return bool(connection.execute(take, {"now": now, "next": now + TURN}).rowcount)

    return await store.write(work)


async def step(store: Store, keep: Keep, now: float) -> tuple[int, list[str], list[str]]:
    """Delete a little of what is too old: how much it was, which tables, and whose chat."""

    def work(connection: Connection) -> list[str]:
        tables = _old_tables(connection, keep, now)
        delete_rows(connection, tables)
        return tables

    tables = [table for shard in store.shards for table in await shard.write(work)]
    looked, silent = await old_chat.step(store, keep.chat, now)
    links = await store.write(partial(_old_links, now=now))
    guests = await _old_guests(store, keep, now)
    unused = await _old_groups(store, keep, now)
    return len(tables) + looked + links + guests + unused, tables, silent


async def overview(store: Store, keep: Keep, now: float) -> dict[str, int]:
    """How much would be deleted now, by what it is."""
    found: dict[str, int] = {}
    for statuses, days, name in _limits(keep):
        names = ", ".join(f"'{status}'" for status in statuses)
        query = f"SELECT count(*) FROM tables WHERE status IN ({names}) AND updated < :before"
        count = partial(_count, query=query, values={"before": now - days * DAY})
        found[name] = sum([await s.aside(count) for s in store.shards]) if days > 0 else 0
    unused = "SELECT count(*) FROM standing_groups WHERE used < :before"
    count = partial(_count, query=unused, values={"before": now - keep.groups * DAY})
    found["groups"] = await store.aside(count) if keep.groups > 0 else 0
    found["chat"] = await old_chat.waiting(store, keep.chat, now)
    found["guests"], last = 0, ""
    before = now - keep.guests * DAY
    while keep.guests > 0 and (
        page := await store.aside(partial(_absent, before=before, after=last))
    ):
        idle, last = set(page), page[-1]
        for shard in store.shards:
            idle -= await shard.aside(partial(_seated, people=page))
        found["guests"] += len(idle)
    return found


async def delete_tables(store: Store, tables: Sequence[str]) -> int:
    """Delete tables with all their events; how many there were."""
    count = 0
    for start in range(0, len(tables), MOST_TABLES):
        some = tables[start : start + MOST_TABLES]
        for shard in {await store.shard_of(table) for table in some}:
            count += await shard.write(partial(delete_rows, tables=some))
    return count


async def untouched(store: Store, before: float) -> list[str]:
    """The tables that nobody has touched since then."""
    query = "SELECT id FROM tables WHERE updated < :before ORDER BY updated"

    def work(connection: Connection) -> list[str]:
        return [id_ for (id_,) in connection.execute(query, {"before": before})]

    return [table for shard in store.shards for table in await shard.write(work)]


async def visit(store: Store, identity: Identity, now: float) -> None:
    """Remember on which day somebody was here last."""
    query = "UPDATE identities SET seen = :day WHERE id = :id AND (seen IS NULL OR seen < :day)"
    count = (
        "INSERT INTO visits (day, people) VALUES (:number, 1)"
        " ON CONFLICT (day) DO UPDATE SET people = visits.people + 1"
    )

    def work(connection: Connection) -> None:
        values = {"id": identity, "day": now - now % DAY}
        if connection.execute(query, values).rowcount:
            connection.execute(count, {"number": int(now // DAY)})

    await store.write(work)


def delete_rows(connection: Connection, tables: Sequence[str]) -> int:
    """Delete all rows of these tables; how many tables there were."""
    count = 0
    for table in tables:
        for other in OF_TABLE:
            connection.execute(f"DELETE FROM {other} WHERE table_id = :id", {"id": table})
        count += connection.execute("DELETE FROM tables WHERE id = :id", {"id": table}).rowcount
    return count


def _limits(keep: Keep) -> list[tuple[tuple[str, ...], float, str]]:
    """For tables of these states how many days they are kept, and what they are called."""
    return [
        (("waiting", "closed"), keep.waiting, "waiting"),
        (("playing",), keep.unfinished, "unfinished"),
        (("over",), keep.finished, "finished"),
    ]


def _count(connection: Connection, query: str, values: dict[str, float]) -> int:
    return int(connection.value(query, values))


def _old_tables(connection: Connection, keep: Keep, now: float) -> list[str]:
    old: list[str] = []
    for statuses, days, _name in _limits(keep):
        if days > 0:
            names = ", ".join(f"'{status}'" for status in statuses)
            query = (
                f"SELECT id FROM tables WHERE status IN ({names}) AND updated < :before"
                " ORDER BY updated LIMIT :most"
            )
            values = {"before": now - days * DAY, "most": MOST_TABLES - len(old)}
            old += [id_ for (id_,) in connection.execute(query, values)]
    return old


def _old_links(connection: Connection, now: float) -> int:
    query = (
        "DELETE FROM links WHERE hash IN (SELECT hash FROM links WHERE expires <= :now LIMIT :most)"
    )
    return int(connection.execute(query, {"now": now, "most": MOST_ROWS}).rowcount)


async def _old_groups(store: Store, keep: Keep, now: float) -> int:
    def work(connection: Connection) -> int:
        unused = groups.old(connection, now - keep.groups * DAY)
        for group in unused:
            groups.delete_rows(connection, group)
        return len(unused)

    return await store.write(work) if keep.groups > 0 else 0


async def _old_guests(store: Store, keep: Keep, now: float) -> int:
    # Whoever came before visits were counted is taken to have been here today.
    since_today = "UPDATE identities SET seen = :now WHERE seen IS NULL AND created < :now"
    await store.write(lambda c: c.execute(since_today, {"now": now}).rowcount)
    last, gone = "", 0
    while keep.guests > 0 and not gone:
        before = now - keep.guests * DAY
        page = await store.write(partial(_absent, before=before, after=last))
        if not page:
            break
        last, idle = page[-1], set(page)
        for shard in store.shards:
            idle -= await shard.write(partial(_seated, people=page))
        gone = await store.write(partial(_delete_guests, people=sorted(idle), before=before))
    return gone


def _absent(connection: Connection, before: float, after: Identity) -> list[Identity]:
    """A page of those who were not here since then and have no link."""
    query = (
        "SELECT id FROM identities WHERE seen < :before AND id > :after"
        " AND NOT EXISTS (SELECT 1 FROM links WHERE links.identity = identities.id)"
        " ORDER BY id LIMIT :most"
    )
    values = {"before": before, "after": after, "most": MOST_ROWS}
    return [who for (who,) in connection.execute(query, values)]


def _seated(connection: Connection, people: Sequence[Identity]) -> set[Identity]:
    """Which of these people own a table of this database or sit there."""
    query = (
        "WITH people (id) AS (VALUES {rows}) SELECT id FROM people"
        " WHERE EXISTS (SELECT 1 FROM seats WHERE seats.identity = people.id)"
        " OR EXISTS (SELECT 1 FROM tables WHERE tables.owner = people.id)"
    )
    found = bulk.write(connection, query, (TEXT,), [(who,) for who in people])
    return {who for (who,) in found}


def _delete_guests(connection: Connection, people: Sequence[Identity], before: float) -> int:
    query = "DELETE FROM identities WHERE id = :id AND seen < :before"
    deleted = [
        who for who in people if connection.execute(query, {"id": who, "before": before}).rowcount
    ]
    for who in deleted:
        groups.forget(connection, who)
    gone = len(deleted)
    if gone:
        for table in ("profiles", "uninvitable", "personal_blocks", "invitations"):
            connection.execute(
                f"DELETE FROM {table} WHERE identity NOT IN (SELECT id FROM identities)"
            )
    return gone
