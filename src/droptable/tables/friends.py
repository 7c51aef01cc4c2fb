"""People one has played with, and invitations to tables.

Only somebody who has finished a match with a person or is in a group with them can invite them, and
only if that person lets people do so and has not blocked them. An invitation lasts as long as its
table waits for players.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from droptable.core.language import _
from droptable.tables import bulk
from droptable.tables.appends import TEXT
from droptable.tables.database import Connection
from droptable.tables.events import Identity
from droptable.tables.permissions import Who, require_seated, require_waiting
from droptable.tables.profiles import person, public_ids_of
from droptable.tables.rejected import Rejected
from droptable.tables.store import Store
from droptable.tables.table import Table

MOST_FRIENDS = 60  # that are listed, those of the last matches
DAY = 86_400.0
MOST_A_DAY = 30  # invitations by one person
MOST_TO_ONE = 5  # … of which to the same one


@dataclass(frozen=True)
class Friend:
    """Somebody I have played with."""

    id: str  # the public one
    name: str
    matches: int  # finished ones together
    last: float
    invitable: bool
    blocked: bool  # by me


@dataclass(frozen=True)
class Invitation:
    """A table where somebody wants me."""

    table: str
    game: str
    title: str
    names: tuple[str, ...]
    by: str  # the name of who invites
    by_id: str
    at: float


async def friends(store: Store, identity: Identity) -> list[Friend]:
    """The people somebody has finished matches with, the last ones first."""
    together: dict[Identity, tuple[int, float]] = {}
    for shard in store.shards:
        for other, count, last in await shard.query(partial(_companions, identity=identity)):
            before = together.get(other, (0, 0.0))
            together[other] = before[0] + count, max(before[1], last)
    newest = sorted(together, key=lambda other: -together[other][1])[:MOST_FRIENDS]
    ids = await public_ids_of(store, newest)
    known = await store.query(partial(_known, identity=identity, people=newest))
    return [
        Friend(ids[other], known[other][0], *together[other], *known[other][1:])
        for other in newest
        if other in ids and other in known
    ]


async def invite(
    store: Store, table: Table, inviter: Who, public_id: str, now: float
) -> Identity | None:
    """Invite somebody to a table that waits; whom to tell of it, if anybody. Idempotent.

    Whoever has declined is not told again. Refusals do not tell a stranger from an unknown id.
    """
    require_seated(table, inviter)
    require_waiting(table)
    identity = inviter.identity
    who = await person(store, public_id)
    refused = Rejected("forbidden", _("you cannot invite this person: play a match together first"))
    if who is None or who.identity == identity:
        raise refused
    met = [
        other
        for shard in store.shards
        for other, _count, _last in await shard.query(partial(_companions, identity=identity))
    ]
    if who.identity not in met:
        raise refused
    if table.seat_of(who.identity) is not None:
        raise Rejected("illegal", _("{name} already sits there").format(name=who.name))
    known = await store.query(partial(_known, identity=identity, people=[who.identity]))
    _name, may, blocked = known.get(who.identity, (who.name, False, False))
    if blocked:
        message = _("you have blocked {name}: unblock them before you invite them")
        raise Rejected("forbidden", message.format(name=who.name))
    if not may:
        raise Rejected("forbidden", _("{name} takes no invitations").format(name=who.name))
    wanted = (table.id, who.identity, identity, now)
    declined = await store.write(partial(_invite, wanted=wanted))
    return None if declined else who.identity


async def invite_members(
    store: Store, table: str, inviter: Identity, members: Sequence[Identity], now: float
) -> list[Identity]:
    """Invite people of the inviter's group to a table; whom to tell of it. Idempotent.

    Left out are those who let nobody invite them, or have blocked the inviter or are blocked by
    them, and those beyond the limits.
    """
    known = await store.query(partial(_known, identity=inviter, people=members))
    wanted = [who for who, (_name, may, blocked) in known.items() if may and not blocked]

    def work(connection: Connection) -> list[Identity]:
        told = []
        for who in wanted:
            try:
                if not _invite(connection, (table, who, inviter, now)):
                    told.append(who)
            except Rejected:  # beyond a limit: they find the table on the group's page
                continue
        return told

    return await store.write(work) if wanted else []


async def reserve(store: Store, table: Table, now: float) -> None:
    """Show a rematch to everybody for whom a seat is reserved, unless they have blocked its owner
    or the owner them. Idempotent."""
    people = {who for seat in table.seats for who in seat.reserved} - {table.owner}
    people -= await store.query(partial(apart, identity=table.owner))
    rows = [(table.id, who, table.owner, now, 1) for who in sorted(people)]
    await store.write(lambda connection: bulk.write(connection, _ADD, _TYPES, rows))


async def invitations(store: Store, identity: Identity, now: float) -> list[Invitation]:
    """The tables that somebody is invited to and that still wait; the newest first."""
    query = (
        "SELECT table_id, name, invited_by, at FROM invitations"
        " JOIN identities ON identities.id = invited_by"
        " WHERE identity = :id AND declined = 0 AND invited_by NOT IN"
        " (SELECT other FROM personal_blocks WHERE identity = :id) ORDER BY at DESC"
    )
    rows = await store.query(lambda c: list(c.execute(query, {"id": identity})))
    waiting: dict[str, tuple[str, str, tuple[str, ...]]] = {}
    for shard in store.shards:
        find = partial(_waiting, tables=[row[0] for row in rows], identity=identity)
        waiting |= await shard.query(find)
    gone = [(row[0],) for row in rows if row[0] not in waiting and row[3] < now - DAY]
    if gone:  # those of the last day are counted
        tables = "DELETE FROM invitations WHERE table_id IN (VALUES {rows})"
        await store.write(lambda connection: bulk.write(connection, tables, (TEXT,), gone))
    ids = await public_ids_of(store, {row[2] for row in rows})
    return [
        Invitation(table, *waiting[table], name, ids.get(by, ""), at)
        for table, name, by, at in rows
        if table in waiting
    ]


async def decline(store: Store, identity: Identity, table: str) -> None:
    """Do not show an invitation any more, and let nobody repeat it. Idempotent."""
    query = "UPDATE invitations SET declined = 1 WHERE table_id = :table AND identity = :id"
    values = {"table": table, "id": identity}
    await store.write(lambda connection: connection.execute(query, values).rowcount)


async def block(store: Store, identity: Identity, public_id: str, *, blocked: bool) -> None:
    """Take no invitations from somebody, or take them again. Idempotent; they are not told."""
    who = await person(store, public_id)
    if who is None or who.identity == identity:
        message = _("there is nobody with the id {id}")
        raise Rejected("gone", message.format(id=repr(public_id[:40])))
    add = (
        "INSERT INTO personal_blocks (identity, other) VALUES (:id, :other) ON CONFLICT DO NOTHING"
    )
    remove = "DELETE FROM personal_blocks WHERE identity = :id AND other = :other"
    values = {"id": identity, "other": who.identity}
    await store.write(lambda c: c.execute(add if blocked else remove, values).rowcount)


async def invitable(store: Store, identity: Identity) -> bool:
    """Whether somebody lets people whom they have played with invite them."""
    query = "SELECT 1 FROM uninvitable WHERE identity = :id"
    return await store.query(lambda c: c.value(query, {"id": identity})) is None


async def set_invitable(store: Store, identity: Identity, *, wanted: bool) -> None:
    """Choose whether people may invite me. Idempotent."""
    add = "INSERT INTO uninvitable (identity) VALUES (:id) ON CONFLICT DO NOTHING"
    remove = "DELETE FROM uninvitable WHERE identity = :id"
    query = remove if wanted else add
    await store.write(lambda c: c.execute(query, {"id": identity}).rowcount)


def apart(connection: Connection, identity: Identity) -> set[Identity]:
    """Everybody whom somebody has blocked, or who has blocked them."""
    blocked, blocking = _blocks(connection, identity)
    return blocked | blocking


def forget(connection: Connection, identity: Identity) -> None:
    """Delete what there is of somebody."""
    for statement in (
        "DELETE FROM invitations WHERE identity = :id OR invited_by = :id",
        "DELETE FROM personal_blocks WHERE identity = :id OR other = :id",
        "DELETE FROM uninvitable WHERE identity = :id",
    ):
        connection.execute(statement, {"id": identity})


def own(connection: Connection, identity: Identity) -> dict[str, object]:
    """What somebody has chosen, and their invitations, for their export."""
    invited = "SELECT table_id, at, declined FROM invitations WHERE identity = :id ORDER BY at"
    count = "SELECT count(*) FROM personal_blocks WHERE identity = :id"
    closed = "SELECT 1 FROM uninvitable WHERE identity = :id"
    values = {"id": identity}
    return {
        "invitable": connection.value(closed, values) is None,
        "people blocked": connection.value(count, values),
        "invitations": [
            {"table": table, "at": at, "declined": bool(declined)}
            for table, at, declined in connection.execute(invited, values)
        ],
    }


_TYPES = (TEXT, TEXT, TEXT, "double precision", "integer")
_ADD = (
    "INSERT INTO invitations (table_id, identity, invited_by, at, rematch) VALUES {rows}"
    " ON CONFLICT DO NOTHING"
)


def _companions(connection: Connection, identity: Identity) -> list[tuple[Identity, int, float]]:
    query = (
        "SELECT other.identity, count(*), max(tables.updated) FROM seats AS mine"
        " JOIN tables ON tables.id = mine.table_id AND status = 'over' AND seq > 0"
        " JOIN seats AS other ON other.table_id = mine.table_id"
        " WHERE mine.identity = :id AND other.identity <> :id GROUP BY other.identity"
    )
    return list(connection.execute(query, {"id": identity}))


def _known(
    connection: Connection, identity: Identity, people: Sequence[Identity]
) -> dict[Identity, tuple[str, bool, bool]]:
    """Names of these people, whether I may invite them, and whether I have blocked them."""
    query = (
        "WITH people (id) AS (VALUES {rows}) SELECT people.id, name,"
        " EXISTS (SELECT 1 FROM uninvitable WHERE identity = people.id)"
        " FROM people JOIN identities ON identities.id = people.id"
    )
    blocked, blocking = _blocks(connection, identity)
    found = bulk.write(connection, query, (TEXT,), [(who,) for who in people])
    return {
        who: (name, not closed and who not in blocking, who in blocked)
        for who, name, closed in found
    }


def _blocks(connection: Connection, identity: Identity) -> tuple[set[Identity], set[Identity]]:
    """Whom somebody has blocked, and who has blocked them."""
    mine = "SELECT other FROM personal_blocks WHERE identity = :id"
    theirs = "SELECT identity FROM personal_blocks WHERE other = :id"
    blocked = {other for (other,) in connection.execute(mine, {"id": identity})}
    return blocked, {other for (other,) in connection.execute(theirs, {"id": identity})}


def _invite(connection: Connection, wanted: tuple[str, Identity, Identity, float]) -> bool:
    """Note an invitation, within the limits; whether it was declined before."""
    table, identity, by, now = wanted
    values = {"table": table, "id": identity}
    query = "SELECT declined FROM invitations WHERE table_id = :table AND identity = :id"
    if (declined := connection.value(query, values)) is not None:
        return bool(declined)
    sent = "SELECT identity FROM invitations WHERE invited_by = :by AND at > :since AND rematch = 0"
    people = [who for (who,) in connection.execute(sent, {"by": by, "since": now - DAY})]
    if len(people) >= MOST_A_DAY:
        message = _("you have invited {count} people within a day; wait a little")
        raise Rejected("limit", message.format(count=MOST_A_DAY))
    if people.count(identity) >= MOST_TO_ONE:
        message = _("you have invited this person {count} times within a day; wait a little")
        raise Rejected("limit", message.format(count=MOST_TO_ONE))
    bulk.write(connection, _ADD, _TYPES, [(*wanted, 0)])
    return False


def _waiting(
    connection: Connection, tables: Sequence[str], identity: Identity
) -> dict[str, tuple[str, str, tuple[str, ...]]]:
    """Game, title and names of those of these tables where somebody can still sit down."""
    query = (
        "SELECT id, game, title, names FROM tables WHERE status = 'waiting' AND free > 0 AND id IN"
        " (VALUES {rows})"
    )
    seated = "SELECT table_id FROM seats WHERE identity = :id"
    there = {table for (table,) in connection.execute(seated, {"id": identity})}
    found = bulk.write(connection, query, (TEXT,), [(table,) for table in tables])
    return {
        id_: (game, title, tuple(json.loads(names)))
        for id_, game, title, names in found
        if id_ not in there
    }
