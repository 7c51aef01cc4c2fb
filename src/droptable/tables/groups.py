"""Standing groups ("Friday table"): a name, people who meet again, and a secret link to join by.

Whoever has the link may look and join; its members also reach a group by its id, which alone tells
nobody anything. A group has a founder; when they go, the member who has been there longest follows.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from droptable.core.language import _, ngettext
from droptable.tables import bulk
from droptable.tables.appends import TEXT
from droptable.tables.database import Connection
from droptable.tables.events import Identity
from droptable.tables.profiles import person, random_id
from droptable.tables.rejected import Rejected
from droptable.tables.settings import tidy
from droptable.tables.store import Store

MOST_MEMBERS = 30  # of a group
MOST_GROUPS = 20  # that somebody is a member of
LONGEST_NAME = 40
SECRET_BYTES = 18  # of a link
DAY = 86_400.0
MOST_TIDIED = 50  # groups at a time
LEFT, REMOVED = "left", "removed"  # how somebody is gone


@dataclass(frozen=True)
class Group:
    """A group as the database knows it."""

    id: str
    secret: str
    name: str
    founder: Identity
    created: float
    used: float


@dataclass(frozen=True)
class Member:
    """Somebody in a group, or who was."""

    identity: Identity
    joined: float
    gone: str


@dataclass(frozen=True)
class Listed:
    """A group in the list of one of its members; it does not hold the secret."""

    id: str
    name: str
    members: int
    founder: bool  # whether you are


async def listed(store: Store, identity: Identity) -> list[Listed]:
    """The groups that somebody is a member of, by name."""
    query = (
        "SELECT id, name, founder, (SELECT count(*) FROM group_members AS every"
        " WHERE every.group_id = standing_groups.id AND every.gone = '') FROM standing_groups"
        " JOIN group_members AS mine ON mine.group_id = id AND mine.identity = :id"
        " AND mine.gone = '' ORDER BY lower(name), id"
    )
    rows = await store.query(lambda c: list(c.execute(query, {"id": identity})))
    return [Listed(id_, name, count, founder == identity) for id_, name, founder, count in rows]


async def find(store: Store, key: str, identity: Identity | None) -> Group:
    """The group of a link's secret, or, for its members, of an id; `Rejected` for all else."""
    query = (
        "SELECT id, secret, name, founder, created, used FROM standing_groups"
        " WHERE secret = :key OR id = :key AND EXISTS (SELECT 1 FROM group_members"
        " WHERE group_id = id AND identity = :who AND gone = '')"
    )
    rows: list[tuple[str, str, str, str, float, float]] = []
    if "\0" not in key:  # PostgreSQL refuses such a text even in a query
        values = {"key": key, "who": identity or ""}
        rows = await store.query(lambda c: list(c.execute(query, values)))
    for row in rows:
        return Group(*row)
    raise Rejected(
        "gone", _("there is no such group, or its link is not valid any more: ask for a new one")
    )


async def people(store: Store, group: str) -> list[Member]:
    """Everybody who is or was in a group, the first who came first."""
    return await store.query(lambda connection: _people(connection, group))


async def found(store: Store, founder: Identity, name: str, now: float) -> str:
    """Make a group; its id."""
    name = check_name(name)
    id_, secret = random_id(), _new_secret()
    values = {"id": id_, "secret": secret, "name": name, "founder": founder, "now": now}
    add = (
        "INSERT INTO standing_groups (id, secret, name, founder, created, used)"
        " VALUES (:id, :secret, :name, :founder, :now, :now)"
    )

    def work(connection: Connection) -> None:
        _require_room_for(connection, founder)
        connection.execute(add, values)
        _add(connection, id_, founder, now)

    await store.write(work)
    return id_


async def join(store: Store, group: Group, identity: Identity, now: float) -> None:
    """Become a member. Idempotent. Refusals do not tell who is blocked from who was removed."""
    blocked = "SELECT 1 FROM personal_blocks WHERE identity = :founder AND other = :id"

    def work(connection: Connection) -> None:
        touch(connection, group.id, now)  # which locks the group, so that people are counted right
        before = {one.identity: one for one in _people(connection, group.id)}
        if identity in before and not before[identity].gone:
            return
        kept_out = identity in before and before[identity].gone == REMOVED
        founder = {"founder": group.founder, "id": identity}
        if kept_out or connection.value(blocked, founder) is not None:
            raise Rejected("forbidden", _("you cannot join this group: ask its founder"))
        if sum(not one.gone for one in before.values()) >= MOST_MEMBERS:
            message = ngettext(
                "this group is full: it has {count} member",
                "this group is full: it has {count} members",
                MOST_MEMBERS,
            )
            raise Rejected("limit", message.format(count=MOST_MEMBERS))
        _require_room_for(connection, identity)
        _add(connection, group.id, identity, now)

    await store.write(work)


async def leave(store: Store, group: Group, identity: Identity) -> None:
    """Be a member no longer; a group that nobody is left in is deleted. Idempotent."""
    await store.write(partial(_part, group=group.id, identity=identity, how=LEFT))


async def remove(store: Store, group: Group, public_id: str) -> None:
    """Remove a member, who cannot come back by the present link. Idempotent."""
    who = await person(store, public_id)
    if who is None or who.identity == group.founder:
        message = _("{id} is no member that can be removed")
        raise Rejected("gone", message.format(id=repr(public_id[:40])))
    await store.write(partial(_part, group=group.id, identity=who.identity, how=REMOVED))


async def rename(store: Store, group: Group, name: str) -> str:
    """Give a group another name, which is returned as people will see it."""
    values = {"id": group.id, "name": check_name(name)}
    query = "UPDATE standing_groups SET name = :name WHERE id = :id"
    await store.write(lambda c: c.execute(query, values).rowcount)
    return values["name"]


async def renew(store: Store, group: Group) -> str:
    """Replace the secret of a group's link. Whoever was removed may join by the new one."""
    values = {"id": group.id, "secret": _new_secret(), "left": LEFT, "removed": REMOVED}
    query = "UPDATE standing_groups SET secret = :secret WHERE id = :id"
    forgive = "UPDATE group_members SET gone = :left WHERE group_id = :id AND gone = :removed"

    def work(connection: Connection) -> None:
        connection.execute(query, values)
        connection.execute(forgive, values)

    await store.write(work)
    return values["secret"]


async def delete(store: Store, group: str) -> None:
    """Delete a group and its results; its tables stay. Idempotent."""
    await store.write(partial(delete_rows, group=group))


async def note_table(store: Store, group: str, table: str, now: float) -> None:
    """Remember that a table was opened for a group. Idempotent."""
    await store.write(partial(_note_table, group=group, table=table, now=now))


async def follow(store: Store, before: str, table: str, now: float) -> None:
    """Let the rematch of a group's table be the group's as well. Idempotent."""
    query = "SELECT group_id FROM group_tables WHERE table_id = :before"
    group = await store.query(lambda c: c.value(query, {"before": before}))
    if group is not None:
        await note_table(store, group, table, now)


def require_founder(group: Group, identity: Identity) -> None:
    """Refuse what only the founder may do."""
    if identity != group.founder:
        raise Rejected("forbidden", _("only the founder of this group may do that"))


def check_name(name: str) -> str:
    """A group's name as people will see it."""
    name = tidy(name)
    if not 1 <= len(name) <= LONGEST_NAME:
        message = _("the length of the name is {count}; expected 1 to {most}")
        raise Rejected("syntax", message.format(count=len(name), most=LONGEST_NAME))
    return name


# -- in a transaction -----------------------------------------------------------------------------


def touch(connection: Connection, group: str, now: float) -> None:
    """Note that a group is used; `Rejected` if it has just been deleted."""
    query = "UPDATE standing_groups SET used = :now WHERE id = :id"
    if not connection.execute(query, {"id": group, "now": now}).rowcount:
        raise Rejected("gone", _("this group was deleted"))


def forget(connection: Connection, identity: Identity) -> None:
    """Delete what there is of somebody."""
    mine = "SELECT group_id FROM group_members WHERE identity = :id"
    for (group,) in list(connection.execute(mine, {"id": identity})):
        _part(connection, group, identity, LEFT)
    connection.execute("DELETE FROM group_members WHERE identity = :id", {"id": identity})


def own(connection: Connection, identity: Identity) -> list[dict[str, object]]:
    """Somebody's groups, for their export."""
    query = (
        "SELECT id, name, joined, gone, founder FROM group_members"
        " JOIN standing_groups ON id = group_id WHERE identity = :id ORDER BY joined, id"
    )
    return [
        {"id": id_, "name": name, "joined": joined, "gone": gone, "founder": founder == identity}
        for id_, name, joined, gone, founder in connection.execute(query, {"id": identity})
    ]


def old(connection: Connection, before: float) -> list[str]:
    """Some groups that nobody has used since then."""
    query = "SELECT id FROM standing_groups WHERE used < :before ORDER BY used LIMIT :most"
    values = {"before": before, "most": MOST_TIDIED}
    return [group for (group,) in connection.execute(query, values)]


def delete_rows(connection: Connection, group: str) -> None:
    """Delete all rows of a group."""
    connection.execute("DELETE FROM standing_groups WHERE id = :id", {"id": group})
    for table in ("group_members", "group_tables"):
        connection.execute(f"DELETE FROM {table} WHERE group_id = :id", {"id": group})


def forget_tables(connection: Connection, tables: Sequence[str]) -> None:
    """Delete what is noted of tables that do not exist any more."""
    query = "DELETE FROM group_tables WHERE table_id IN (VALUES {rows})"
    bulk.write(connection, query, (TEXT,), [(table,) for table in tables])


def _people(connection: Connection, group: str) -> list[Member]:
    query = (
        "SELECT identity, joined, gone FROM group_members WHERE group_id = :group"
        " ORDER BY joined, identity"
    )
    return [Member(*row) for row in connection.execute(query, {"group": group})]


def _add(connection: Connection, group: str, identity: Identity, now: float) -> None:
    query = (
        "INSERT INTO group_members (group_id, identity, joined) VALUES (:group, :id, :now)"
        " ON CONFLICT (group_id, identity) DO UPDATE SET joined = excluded.joined, gone = ''"
    )
    connection.execute(query, {"group": group, "id": identity, "now": now})


def _part(connection: Connection, group: str, identity: Identity, how: str) -> None:
    """Note that somebody is gone; the next one founds the group, if they did, or it is deleted."""
    lock = "UPDATE standing_groups SET used = used WHERE id = :group"
    part = (
        "UPDATE group_members SET gone = :how"
        " WHERE group_id = :group AND identity = :id AND gone = ''"
    )
    values = {"group": group, "id": identity, "how": how}
    connection.execute(lock, {"group": group})
    connection.execute(part, values)
    left = [one.identity for one in _people(connection, group) if not one.gone]
    if not left:
        delete_rows(connection, group)
        return
    follow = "UPDATE standing_groups SET founder = :heir WHERE id = :group AND founder = :id"
    connection.execute(follow, {"group": group, "id": identity, "heir": left[0]})


def _note_table(connection: Connection, group: str, table: str, now: float) -> None:
    touch(connection, group, now)
    query = (
        "INSERT INTO group_tables (table_id, group_id, at) VALUES (:table, :group, :now)"
        " ON CONFLICT DO NOTHING"
    )
    connection.execute(query, {"table": table, "group": group, "now": now})


def _require_room_for(connection: Connection, identity: Identity) -> None:
    query = "SELECT count(*) FROM group_members WHERE identity = :id AND gone = ''"
    if connection.value(query, {"id": identity}) >= MOST_GROUPS:
        message = _("you are a member of {count} groups already; leave one first")
        raise Rejected("limit", message.format(count=MOST_GROUPS))


def _new_secret() -> str:
    return secrets.token_urlsafe(SECRET_BYTES)
