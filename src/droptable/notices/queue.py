"""What there is to tell and where it has to go, in the store: it survives the servers.

A server leases what it works on. Should it die, another one, or the next start, takes over when
the lease ends; what it had sent already is then sent again with the same id.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import msgspec
from msgspec import Struct

from droptable.notices.what import Standing, Wishes
from droptable.notices.words import Message
from droptable.tables import bulk
from droptable.tables.appends import ADD_CALLS, CALL_TYPES, row_of
from droptable.tables.calls import Call
from droptable.tables.database import Connection
from droptable.tables.events import Identity
from droptable.tables.friends import apart
from droptable.tables.store import Store

LEASE = 10.0  # seconds for which a server works on something before another one may
SKIP = " FOR UPDATE SKIP LOCKED"  # what another server is just claiming
MOST_CALLS = 100  # per round
KEEP_TOLD = 3 * 86_400.0  # seconds: an undo within them leads to no second notice
KEEP_NEW = 2 * 86_400.0  # seconds that an address waits to be confirmed
FRESH = 6.0  # seconds for which another server's word of who looks counts


class Target(Struct, frozen=True):
    """Where a person is reached: `new` ones are to be confirmed, nothing goes to those `off`."""

    id: str
    identity: Identity
    way: str
    address: str
    state: str
    problem: str = ""
    created: float = 0.0


@dataclass(frozen=True)
class Delivery:
    """A message on its way to one target."""

    notice: str
    target: str
    since: float
    tries: int
    message: Message


@dataclass
class Verdicts:
    """What is to become of calls: dropped, told later, or told now to these targets."""

    dropped: list[str] = field(default_factory=list)
    later: dict[str, float] = field(default_factory=dict)
    told: list[tuple[Message, list[str], list[Target]]] = field(default_factory=list)


class Queue:
    """The tables of notices in a store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._skip = SKIP if store.is_shared else ""

    # -- people -----------------------------------------------------------------------------------

    async def people(self) -> set[Identity]:
        """Everybody who can be reached."""
        query = "SELECT DISTINCT identity FROM notice_targets WHERE state = 'on'"
        return await self._store.query(lambda c: {who for (who,) in c.execute(query)})

    async def wishes(self, identity: Identity) -> Wishes | None:
        """What somebody has chosen."""
        query = "SELECT wishes FROM notice_people WHERE identity = :who"
        text = await self._store.query(lambda c: c.value(query, {"who": identity}))
        return None if text is None else _wishes(text)

    async def set_wishes(self, identity: Identity, wishes: Wishes) -> None:
        """Remember what somebody chooses."""
        query = (
            "INSERT INTO notice_people (identity, wishes) VALUES (:who, :wishes)"
            " ON CONFLICT (identity) DO UPDATE SET wishes = excluded.wishes"
        )
        values = {"who": identity, "wishes": msgspec.json.encode(wishes).decode()}
        await self._store.write(lambda c: c.execute(query, values).rowcount)

    async def targets(self, identity: Identity) -> list[Target]:
        """Where somebody is reached, oldest first."""
        return await self._store.query(lambda c: _targets(c, identity))

    async def add_target(self, target: Target, first: Message | None = None) -> None:
        """Add a target, or take it over from whoever had it; `first` is sent there at once."""
        add = (
            "INSERT INTO notice_targets (id, identity, way, address, state, problem, created)"
            " VALUES (:id, :identity, :way, :address, :state, :problem, :created)"
            " ON CONFLICT (id) DO UPDATE SET identity = excluded.identity,"
            " address = excluded.address, state = excluded.state, problem = ''"
        )

        def work(connection: Connection) -> None:
            connection.execute(add, msgspec.structs.asdict(target))
            if first is not None:
                _add_delivery(connection, first, target, target.created)

        await self._store.write(work)

    async def remove_target(self, id_: str, identity: Identity = "") -> bool:
        """Remove a target, if it is that person's; whether there was one."""
        query = "DELETE FROM notice_targets WHERE id = :id"
        query += " AND identity = :who" if identity else ""

        def work(connection: Connection) -> bool:
            values = {"id": id_, "who": identity} if identity else {"id": id_}
            if not connection.execute(query, values).rowcount:
                return False
            connection.execute("DELETE FROM deliveries WHERE target = :id", {"id": id_})
            return True

        return await self._store.write(work)

    async def set_state(self, id_: str, state: str, problem: str = "") -> Identity | None:
        """Change what a target is; whose it is, or None if there is none."""
        query = (
            "UPDATE notice_targets SET state = :state, problem = :problem WHERE id = :id"
            " RETURNING identity"
        )
        values = {"id": id_, "state": state, "problem": problem}

        def work(connection: Connection) -> Identity | None:
            if state == "off":
                connection.execute("DELETE FROM deliveries WHERE target = :id", {"id": id_})
            identity: Identity | None = connection.value(query, values)
            return identity

        return await self._store.write(work)

    async def once(self, name: str, now: float, seconds: float) -> bool:
        """Whether something that may be done once in so many seconds may be done now."""
        forget = "DELETE FROM notice_limits WHERE until <= :now"
        add = (
            "INSERT INTO notice_limits (name, until) VALUES (:name, :until) ON CONFLICT DO NOTHING"
        )

        def work(connection: Connection) -> bool:
            connection.execute(forget, {"now": now})
            values = {"name": name, "until": now + seconds}
            return bool(connection.execute(add, values).rowcount)

        return await self._store.write(work)

    # -- calls ------------------------------------------------------------------------------------

    @property
    def shards(self) -> Sequence[Store]:
        """The databases that have calls: each those of its own tables, the first all others."""
        return self._store.shards

    async def add(self, calls: Iterable[Call], shard: Store | None = None) -> None:
        """Enqueue calls that do not come from a table's events."""
        rows = [row_of(call) for call in calls]
        place = shard or self._store
        await place.write(lambda c: bulk.write(c, ADD_CALLS, CALL_TYPES, rows))

    @staticmethod
    async def next_call(shard: Store) -> float | None:
        """When the next call is due."""
        query = "SELECT min(due) FROM notices WHERE due IS NOT NULL"
        return await shard.query(lambda c: c.value(query))

    async def claim_calls(self, shard: Store, now: float) -> list[Call]:
        """Lease calls that are due, those of one person together."""
        skip = SKIP if shard.is_shared else ""
        claim = (
            "UPDATE notices SET due = :lease WHERE id IN (SELECT id FROM notices WHERE due <= :now"
            f" ORDER BY due, identity LIMIT :most{skip})"
            " RETURNING id, identity, kind, table_id, at, due, body"
        )
        values = {"now": now, "lease": now + LEASE, "most": MOST_CALLS}
        rows = await shard.write(lambda c: c.execute(claim, values).fetchall())
        return sorted((Call(*row) for row in rows), key=lambda call: (call.identity, call.at))

    async def circumstances(
        self, shard: Store, calls: Sequence[Call]
    ) -> tuple[dict[str, Standing], dict[Identity, tuple[Wishes, list[Target]]]]:
        """What telling depends on: the table of each call, by id; wishes and targets of people."""

        def standings(connection: Connection) -> dict[str, Standing]:
            found = {call.id: _standing(connection, call) for call in calls if call.table}
            return {id_: standing for id_, standing in found.items() if standing is not None}

        def people(connection: Connection) -> dict[Identity, tuple[Wishes, list[Target]]]:
            return {
                who: (_wishes_of(connection, who), _targets(connection, who, state="on"))
                for who in {call.identity for call in calls}
            }

        return await shard.query(standings), await self._store.query(people)

    async def unwanted(self, calls: Sequence[Call]) -> set[str]:
        """The ids of invitations between people one of whom has blocked the other meanwhile."""
        inviters = {
            call.id: (call.identity, json.loads(call.body).get("inviter", ""))
            for call in calls
            if call.kind == "invitation"
        }

        def work(connection: Connection) -> set[str]:
            return {
                id_ for id_, (who, inviter) in inviters.items() if inviter in apart(connection, who)
            }

        return await self._store.query(work) if inviters else set()

    async def settle(self, shard: Store, verdicts: Verdicts, now: float) -> None:
        """Do with calls what was decided: in one transaction, where they are in one database with
        the deliveries. Otherwise these come first: should we die between, they leave twice."""

        def deliver(connection: Connection) -> None:
            for message, _ids, targets in verdicts.told:
                for target in targets:
                    _add_delivery(connection, message, target, now)

        def work(connection: Connection) -> None:
            if shard is self._store:
                deliver(connection)
            for id_ in (*verdicts.dropped, *(i for _m, ids, _t in verdicts.told for i in ids)):
                connection.execute(_TOLD, {"id": id_})
            for id_, due in verdicts.later.items():
                connection.execute(_LATER, {"id": id_, "due": due})

        if shard is not self._store:
            await self._store.write(deliver)
        await shard.write(work)

    async def release(self, now: float) -> None:
        """End the leases of a server that is no more: for a store that one server has alone."""

        def work(connection: Connection) -> None:
            for table in ("notices", "deliveries"):  # of the home database; others have none
                query = f"UPDATE {table} SET due = :now WHERE due > :now AND due <= :lease"
                connection.execute(query, {"now": now, "lease": now + LEASE})

        for shard in self.shards:
            await shard.write(work)

    # -- deliveries -------------------------------------------------------------------------------

    async def due_ways(self, now: float) -> set[str]:
        """The ways on which something has to go now."""
        query = "SELECT DISTINCT way FROM deliveries WHERE due <= :now"
        return await self._store.query(lambda c: {way for (way,) in c.execute(query, {"now": now})})

    async def claim_deliveries(
        self, way: str, now: float, most: int
    ) -> list[tuple[Delivery, Target]]:
        """Lease messages that have to go some way now, with where they go."""
        claim = (
            "UPDATE deliveries SET due = :lease, tries = tries + 1 WHERE (notice, target) IN"
            " (SELECT notice, target FROM deliveries WHERE way = :way AND due <= :now"
            f" ORDER BY due LIMIT :most{self._skip})"
            " RETURNING notice, target, since, tries, body"
        )
        values = {"way": way, "now": now, "lease": now + LEASE, "most": most}

        def work(connection: Connection) -> list[tuple[Delivery, Target]]:
            claimed = []
            for notice, id_, since, tries, body in connection.execute(claim, values).fetchall():
                row = connection.execute(_TARGET, {"id": id_}).fetchone()
                message = msgspec.json.decode(body, type=Message)
                claimed.append((Delivery(notice, id_, since, tries, message), Target(*row)))
            return claimed

        return await self._store.write(work)

    async def delivered(self, delivery: Delivery) -> None:
        """A message has arrived."""
        values = {"notice": delivery.notice, "target": delivery.target}
        clear = "UPDATE notice_targets SET problem = '' WHERE id = :target AND problem <> ''"

        def work(connection: Connection) -> None:
            connection.execute(_DELIVERED, values)
            connection.execute(clear, {"target": delivery.target})

        await self._store.write(work)

    async def failed(self, delivery: Delivery, problem: str, due: float | None) -> None:
        """A message did not arrive: try again then, or (None) never."""
        values = {"notice": delivery.notice, "target": delivery.target}
        again = "UPDATE deliveries SET due = :due WHERE notice = :notice AND target = :target"
        note = "UPDATE notice_targets SET problem = :problem WHERE id = :id"

        def work(connection: Connection) -> None:
            connection.execute(note, {"problem": problem, "id": delivery.target})
            if due is None:
                connection.execute(_DELIVERED, values)
            else:
                connection.execute(again, {**values, "due": due})

        await self._store.write(work)

    # -- who looks --------------------------------------------------------------------------------

    async def share_lookers(
        self, server: str, lookers: Iterable[tuple[str, Identity]], now: float
    ) -> None:
        """Tell other servers who looks at tables here."""
        add = (
            "INSERT INTO lookers (table_id, identity, server, at) VALUES (:table, :who, :id, :now)"
            " ON CONFLICT (table_id, identity, server) DO UPDATE SET at = excluded.at"
        )
        forget = "DELETE FROM lookers WHERE (server = :id AND at < :now) OR at < :old"

        def work(connection: Connection) -> None:
            for table, who in sorted(lookers):
                values = {"table": table, "who": who, "id": server, "now": now}
                connection.execute(add, values)
            connection.execute(forget, {"id": server, "now": now, "old": now - 10 * FRESH})

        await self._store.write(work)

    async def looked_at(self, call: Call, server: str, now: float) -> float | None:
        """When another server last said that the call's person looks at its table, if lately."""
        query = (
            "SELECT max(at) FROM lookers WHERE table_id = :table AND identity = :who"
            " AND server <> :id AND at > :fresh"
        )
        values = {"table": call.table, "who": call.identity, "id": server, "fresh": now - FRESH}
        return await self._store.query(lambda c: c.value(query, values))

    async def tidy(self, now: float) -> None:
        """Delete what nobody needs any more."""

        def work(connection: Connection) -> None:
            unconfirmed = "DELETE FROM notice_targets WHERE state = 'new' AND created < :before"
            connection.execute(unconfirmed, {"before": now - KEEP_NEW})
            connection.execute(
                "DELETE FROM notice_targets WHERE NOT EXISTS"
                " (SELECT 1 FROM identities WHERE identities.id = notice_targets.identity)"
            )
            connection.execute(
                "DELETE FROM deliveries WHERE NOT EXISTS"
                " (SELECT 1 FROM notice_targets WHERE notice_targets.id = deliveries.target)"
            )

        await self._store.write(work)
        told = "DELETE FROM notices WHERE due IS NULL AND at < :before"
        for shard in self.shards:
            await shard.write(lambda c: c.execute(told, {"before": now - KEEP_TOLD}).rowcount)


_TOLD = "UPDATE notices SET due = NULL WHERE id = :id"
_LATER = "UPDATE notices SET due = :due WHERE id = :id"
_DELIVERED = "DELETE FROM deliveries WHERE notice = :notice AND target = :target"
_TARGETS = "SELECT id, identity, way, address, state, problem, created FROM notice_targets"
_TARGET = f"{_TARGETS} WHERE id = :id"
_STANDING = (
    "SELECT tables.status, tables.turns, tables.game, tables.title, tables.names, tables.winners,"
    " seats.seat, (SELECT max(at) FROM notices WHERE table_id = :table AND identity = :who"
    " AND kind = 'turn') FROM tables LEFT JOIN seats ON seats.table_id = tables.id"
    " AND seats.identity = :who WHERE tables.id = :table"
    " ORDER BY (tables.turns >> seats.seat) & 1 DESC LIMIT 1"  # of several the one to move
)


def _add_delivery(connection: Connection, message: Message, target: Target, now: float) -> None:
    add = (
        "INSERT INTO deliveries (notice, target, way, since, due, tries, body)"
        " VALUES (:notice, :target, :way, :now, :now, 0, :body) ON CONFLICT DO NOTHING"
    )
    body = msgspec.json.encode(message).decode()
    values = {"notice": message.id, "target": target.id, "way": target.way, "now": now}
    connection.execute(add, {**values, "body": body})


def _targets(connection: Connection, identity: Identity, state: str = "") -> list[Target]:
    query = f"{_TARGETS} WHERE identity = :who ORDER BY created, id"
    found = [Target(*row) for row in connection.execute(query, {"who": identity})]
    return [target for target in found if state in ("", target.state)]


def _standing(connection: Connection, call: Call) -> Standing | None:
    values = {"table": call.table, "who": call.identity}
    row = connection.execute(_STANDING, values).fetchone()
    if row is None:
        return None
    status, turns, game, title, names, winners, seat, newest = row
    return Standing(
        status, turns, game, title, tuple(json.loads(names)), tuple(json.loads(winners)), seat,
        newest or 0.0,
    )  # fmt: skip


def _wishes_of(connection: Connection, identity: Identity) -> Wishes:
    query = "SELECT wishes FROM notice_people WHERE identity = :who"
    text = connection.value(query, {"who": identity})
    return Wishes() if text is None else _wishes(text)


def _wishes(text: str) -> Wishes:
    return msgspec.json.decode(text, type=Wishes)
