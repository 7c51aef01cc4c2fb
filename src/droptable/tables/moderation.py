"""What whoever hosts can do: see people and tables, block, rename, remove chat, announce.

All of it works at the database, beside running servers, which notice it within seconds (`house`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from msgspec.structs import replace

from droptable.core.language import _
from droptable.tables import events as ev
from droptable.tables import groups
from droptable.tables.database import Connection
from droptable.tables.events import Identity, Line
from droptable.tables.forgetting import SILENCE, rewrite, tables_of
from droptable.tables.house import Act, note
from droptable.tables.integrity import digest
from droptable.tables.profiles import Person, person, public_ids_of
from droptable.tables.rejected import Rejected
from droptable.tables.settings import check_name, tidy
from droptable.tables.store import Store

MOST = 100  # people or tables in a list
TRIES = 5  # to write a table anew while people play there
LONGEST_ANNOUNCEMENT = 300
LONGEST_REASON = 200
STATUSES = ("waiting", "playing", "over", "closed")
ESCAPED = str.maketrans({"%": "!%", "_": "!_", "!": "!!"})


@dataclass(frozen=True)
class Guest:
    """Somebody in the host's list."""

    id: str  # the public one
    name: str
    created: float
    seen: float | None
    blocked: str | None  # why; None if they are not


@dataclass(frozen=True)
class Row:
    """A table in the host's list."""

    table: str
    game: str
    title: str
    names: tuple[str, ...]
    status: str
    public: bool
    updated: float


@dataclass(frozen=True)
class GroupRow:
    """A standing group in the host's list, without the secret of its link."""

    id: str
    name: str
    founder: str  # the public id
    members: int
    created: float
    used: float


@dataclass(frozen=True)
class Message:
    """Something that was said at a table."""

    seq: int
    at: float
    id: str  # the public one of who said it; empty if they are gone
    name: str
    text: str


# -- lists ----------------------------------------------------------------------------------------


async def people(store: Store, search: str = "", most: int = MOST) -> list[Guest]:
    """People whose name has this text in it, or whose public id it is; the newest first."""
    query = (
        "SELECT identities.id, name, identities.created, seen, reason FROM identities"
        " LEFT JOIN blocked ON blocked.identity = identities.id"
        " WHERE lower(name) LIKE :text ESCAPE '!' OR identities.id IN"
        " (SELECT identity FROM profiles WHERE public_id = :exact)"
        " ORDER BY COALESCE(seen, identities.created) DESC, identities.id LIMIT :most"
    )
    values = {"text": _pattern(search), "exact": search, "most": most}
    rows = await store.aside(lambda c: list(c.execute(query, values)))
    ids = await public_ids_of(store, [row[0] for row in rows])
    return [Guest(ids[row[0]], *row[1:]) for row in rows if row[0] in ids]


async def tables(store: Store, search: str = "", status: str = "", most: int = MOST) -> list[Row]:
    """Tables with this text in their title, names or game, or as their id; the newest first."""
    if status and status not in STATUSES:
        message = _("there is no status {status}; expected {known}")
        raise Rejected(
            "syntax", message.format(status=repr(status[:40]), known=", ".join(STATUSES))
        )
    query = (
        "SELECT id, game, title, names, status, public, updated FROM tables"
        " WHERE (lower(title) LIKE :text ESCAPE '!' OR lower(names) LIKE :names ESCAPE '!'"
        " OR game LIKE :text ESCAPE '!' OR id = :exact)"
        + (" AND status = :status" if status else "")
        + " ORDER BY updated DESC, id LIMIT :most"
    )
    names = _pattern(json.dumps(search)[1:-1])
    values = {"text": _pattern(search), "names": names, "exact": search, "status": status,
              "most": most}  # fmt: skip
    rows = [r for s in store.shards for r in await s.aside(partial(_rows, query, values))]
    listed = [
        Row(id_, game, title, tuple(json.loads(names)), status, bool(public), updated)
        for id_, game, title, names, status, public, updated in rows
    ]
    return sorted(listed, key=lambda row: -row.updated)[:most]


async def groups_named(store: Store, search: str = "", most: int = MOST) -> list[GroupRow]:
    """Standing groups with this text in their name, or as their id; the last used first."""
    query = (
        "SELECT id, name, founder, created, used, (SELECT count(*) FROM group_members"
        " WHERE group_id = standing_groups.id AND gone = '') FROM standing_groups"
        " WHERE lower(name) LIKE :text ESCAPE '!' OR id = :exact"
        " ORDER BY used DESC, id LIMIT :most"
    )
    values = {"text": _pattern(search), "exact": search, "most": most}
    rows = await store.aside(partial(_rows, query, values))
    ids = await public_ids_of(store, [row[2] for row in rows])
    return [
        GroupRow(id_, name, ids.get(founder, ""), members, created, used)
        for id_, name, founder, created, used, members in rows
    ]


async def remove_group(store: Store, group: str, now: float) -> None:
    """Delete a standing group, with its results; its tables stay."""
    if not any(row.id == group for row in await groups_named(store, group)):
        message = _("there is no group {id}")
        raise Rejected("gone", message.format(id=repr(group[:40])))

    def work(connection: Connection) -> None:
        groups.delete_rows(connection, group)
        note(connection, Act(now, "remove group", group, ""))

    await store.write(work)


async def chat(store: Store, table: str) -> list[Message]:
    """What was said at a table."""
    lines = await store.read(table)
    if not lines:
        raise Rejected("gone", _("there is no table {table}").format(table=repr(table[:40])))
    said = [(line, line.event) for line in lines if isinstance(line.event, ev.Chatted)]
    ids = await public_ids_of(store, {event.identity for _line, event in said})
    return [
        Message(line.seq, line.at, ids.get(event.identity, ""), event.name, event.text)
        for line, event in said
    ]


# -- acts -----------------------------------------------------------------------------------------


async def find(store: Store, public_id: str) -> Person:
    """Somebody by public id; `Rejected` if it is nobody's."""
    found = await person(store, public_id)
    if found is None:
        message = _("there is nobody with the id {id}")
        raise Rejected("gone", message.format(id=repr(public_id[:40])))
    return found


async def block(store: Store, public_id: str, reason: str, now: float) -> None:
    """Keep somebody out; they are told the reason."""
    who, reason = await find(store, public_id), tidy(reason)
    if len(reason) > LONGEST_REASON:
        message = _("the length of the reason is {count}; expected at most {most}")
        raise Rejected("syntax", message.format(count=len(reason), most=LONGEST_REASON))
    query = (
        "INSERT INTO blocked (identity, at, reason) VALUES (:id, :now, :reason)"
        " ON CONFLICT (identity) DO UPDATE SET reason = excluded.reason"
    )
    act = Act(now, "block", public_id, reason, who.identity)
    await _do(store, act, query, {"id": who.identity, "now": now, "reason": reason})


async def unblock(store: Store, public_id: str, now: float) -> None:
    """Let somebody in again. Idempotent."""
    who = await find(store, public_id)
    query = "DELETE FROM blocked WHERE identity = :id"
    await _do(store, Act(now, "unblock", public_id, "", who.identity), query, {"id": who.identity})


async def rename(store: Store, public_id: str, name: str, now: float) -> int:
    """Give somebody another name, at all their tables too; at how many."""
    who, name = await find(store, public_id), check_name(name)
    count = await _rewrite_all(store, who.identity, partial(_renamed, who.identity, name), now)
    query = "UPDATE identities SET name = :name WHERE id = :id"
    act = Act(now, "rename", public_id, f"at {count} tables", who.identity)
    await _do(store, act, query, {"id": who.identity, "name": name})
    return count


async def remove_chat(store: Store, public_id: str, now: float) -> int:
    """Remove all that somebody said, at all tables; at how many they were."""
    who = await find(store, public_id)
    count = await _rewrite_all(store, who.identity, partial(_silent, who.identity), now)
    await _do(store, Act(now, "remove chat", public_id, f"at {count} tables", who.identity))
    return count


async def remove_message(store: Store, table: str, seq: int, now: float) -> None:
    """Remove one message of a table."""
    if not any(message.seq == seq for message in await chat(store, table)):
        message = _("there is no message {seq} at this table")
        raise Rejected("gone", message.format(seq=seq))

    def without(event: ev.Event, number: int) -> ev.Event:
        return replace(event, text=SILENCE) if number == seq else event

    await _rewrite(store, table, without, now)
    await _do(store, Act(now, "remove message", f"table #{digest(table)}", str(seq), "", table))


async def announce(store: Store, text: str, begins: float, ends: float, now: float) -> None:
    """Show a text on all pages for a while, instead of the one before."""
    text = tidy(text)
    if not 1 <= len(text) <= LONGEST_ANNOUNCEMENT:
        message = _("the length of the announcement is {count}; expected 1 to {most}")
        raise Rejected("syntax", message.format(count=len(text), most=LONGEST_ANNOUNCEMENT))
    if not now < ends < 1e12 or not begins < ends:
        raise Rejected("syntax", _("the announcement must end after it begins, and after now"))

    def work(connection: Connection) -> None:
        connection.execute("DELETE FROM announcements")
        connection.execute(
            "INSERT INTO announcements (text, begins, ends) VALUES (:text, :begins, :ends)",
            {"text": text, "begins": begins, "ends": ends},
        )
        note(connection, Act(now, "announce", "", text))

    await store.write(work)


async def withdraw(store: Store, now: float) -> None:
    """Announce nothing any more. Idempotent."""
    await _do(store, Act(now, "withdraw the announcement"), "DELETE FROM announcements")


async def _do(
    store: Store, act: Act, query: str = "", values: dict[str, object] | None = None
) -> None:
    def work(connection: Connection) -> None:
        if query:
            connection.execute(query, values or {})
        note(connection, act)

    await store.write(work)


# -- events ---------------------------------------------------------------------------------------

Change = Callable[[ev.Event, int], ev.Event]  # of an event with its number


async def _rewrite_all(store: Store, identity: Identity, change: Change, now: float) -> int:
    """Change the events of all tables that name somebody; how many tables were changed."""
    find = partial(tables_of, identity=identity)
    named = [id_ for shard in store.shards for id_, _status in await shard.aside(find)]
    return sum([await _rewrite(store, table, change, now) for table in named])


async def _rewrite(store: Store, table: str, change: Change, now: float) -> bool:
    """Change the events of a table, if that changes any; whether it did."""

    def changed(lines: Sequence[Line]) -> list[Line]:
        return [replace(line, event=change(line.event, line.seq)) for line in lines]

    for _attempt in range(TRIES):
        lines = await store.read(table)
        if not lines or changed(lines) == lines:
            return False
        if await rewrite(store, table, changed, ev.Moderated(), now):
            return True
    raise Rejected("limit", _("too many people act at this table at once; try again"))


def _renamed(identity: Identity, name: str, event: ev.Event, _seq: int) -> ev.Event:
    match event:
        case ev.Renamed() if event.identity == identity:
            return replace(event, name=name, before=name)
        case ev.Joined() | ev.Left() | ev.Chatted() if event.identity == identity:
            return replace(event, name=name)
    return event


def _silent(identity: Identity, event: ev.Event, _seq: int) -> ev.Event:
    if isinstance(event, ev.Chatted) and event.identity == identity:
        return replace(event, text=SILENCE)
    return event


def _pattern(search: str) -> str:
    return f"%{search.lower().translate(ESCAPED)}%"


def _rows(query: str, values: dict[str, object], connection: Connection) -> list[tuple[Any, ...]]:
    return list(connection.execute(query, values))
