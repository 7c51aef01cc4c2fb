"""Where tables are kept: SQLite or PostgreSQL, append-only, committed before anyone is told."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from droptable.tables.bus import CHANNEL, Bus, Notice, NullBus, PostgresBus
from droptable.tables.database import Connection, Database
from droptable.tables.events import Identity, Line, decode, encode
from droptable.tables.schema import migrate
from droptable.tables.summary import Listed, Score, Summary
from droptable.tables.worker import Worker

Which = Literal["open", "live", "finished"]
MOST_ANALYSES = 2000  # of the coach that are kept; some kilobytes each
STATUS = {"open": "waiting", "live": "playing", "finished": "over"}


@dataclass(frozen=True)
class Append:
    """Events that follow the first `after` ones of a table, and the table's columns after them."""

    table: str
    after: int
    lines: Sequence[Line]
    summary: Summary
    due_at: float | None = None
    score: Score | None = None


class Store:
    """Everything that outlives a server. Writes that wait are committed together."""

    def __init__(self, url: str, durability: str = "disk") -> None:
        """Open a database and bring its schema up to date; a newer one is refused."""
        self._database = Database(url, durability)
        with closing(self._database.connect()) as opening, opening.transaction(writes=True):
            migrate(opening)
        self._writer = Worker(self._database, "droptable-writer", writes=True)
        self._reader = Worker(self._database, "droptable-reader", writes=False)
        self._notifies = self._database.is_postgres

    def bus(self, receive: Callable[[Notice], None]) -> Bus:
        """Notices of other servers on this database; `receive` is called in another thread."""
        return PostgresBus(self._database.url, receive) if self._notifies else NullBus()

    async def close(self) -> None:
        """Commit what waits, and disconnect."""
        await asyncio.to_thread(self._writer.close)
        await asyncio.to_thread(self._reader.close)

    # -- tables -----------------------------------------------------------------------------------

    async def append(self, *parts: Append) -> bool:
        """Add events to tables, all or nothing. False: another writer was faster; read again."""
        ordered = sorted(parts, key=lambda part: part.table)

        def work(connection: Connection) -> bool:
            if len(ordered) == 1:
                return self._append(connection, ordered[0])
            connection.execute("SAVEPOINT before_all")
            done = all(self._append(connection, part) for part in ordered)
            connection.execute("RELEASE before_all" if done else "ROLLBACK TO before_all")
            return done

        return await self._writer.do(work, ordered[0].table)

    def _append(self, connection: Connection, part: Append) -> bool:
        row = part.summary.columns | {
            "id": part.table, "after": part.after, "seq": part.lines[-1].seq, "due": part.due_at,
        }  # fmt: skip
        row |= {name: json.dumps(row[name]) for name in _LISTS if name in row}
        statement = (_update if part.after else _insert)(*part.summary.columns)
        if not connection.execute(statement, row).rowcount:
            return False
        connection.execute_many(
            _ADD_EVENT,
            [
                {"id": part.table, "seq": line.seq, "at": line.at,
                 "command": line.command or None, "body": encode(line.event)}
                for line in part.lines
            ],
        )  # fmt: skip
        self._seat(connection, part)
        if part.score is not None:
            connection.execute(_ADD_SCORE, part.score.row())
        if self._notifies:
            notice = Notice(part.table, part.lines[-1].seq)
            connection.execute(_NOTIFY, {"channel": CHANNEL, "payload": notice.pack()})
        return True

    def _seat(self, connection: Connection, part: Append) -> None:
        """Update who sits where, and whose turn it is."""
        if part.summary.people is not None:
            connection.execute(_CLEAR_SEATS, {"id": part.table})
            if part.summary.people:
                connection.execute_many(
                    _ADD_SEAT,
                    [
                        {"id": part.table, "seat": seat, "identity": identity, "turn": int(turn)}
                        for seat, identity, turn in part.summary.people
                    ],
                )
        elif part.summary.turns:
            connection.execute_many(
                _TURN,
                [
                    {"id": part.table, "seat": seat, "turn": int(turn)}
                    for seat, turn in part.summary.turns
                ],
            )

    async def read(self, table: str, after: int = 0) -> list[Line]:
        """The events of a table that follow the first `after`; none if there is no such table."""

        def work(connection: Connection) -> list[Line]:
            rows = connection.execute(_READ, {"id": table, "after": after})
            return [Line(seq, at, decode(body), command or "") for seq, at, command, body in rows]

        if "\0" in table:  # PostgreSQL refuses such a text even in a query
            return []
        return await self._reader.do(work)

    async def claim_due(self, now: float, until: float, most: int = 50) -> list[str]:
        """Lease the tables that are due now: no other server gets them before `until`."""
        skip = " FOR UPDATE SKIP LOCKED" if self._notifies else ""
        due = (
            "UPDATE tables SET due_at = :until WHERE id IN (SELECT id FROM tables"
            f" WHERE due_at <= :now ORDER BY due_at, id LIMIT :most{skip}) RETURNING id"
        )
        values = {"now": now, "until": until, "most": most}
        return await self._writer.do(lambda c: [id_ for (id_,) in c.execute(due, values)])

    async def next_due(self) -> float | None:
        """When the next table is due."""
        due = "SELECT min(due_at) FROM tables"
        return await self._reader.do(lambda c: c.value(due))

    async def set_due(self, table: str, seq: int, due_at: float | None) -> None:
        """Set when a table is due, unless it has changed since `seq`."""
        values = {"id": table, "seq": seq, "due": due_at}
        await self._writer.do(lambda c: c.execute(_SET_DUE, values).rowcount, table)

    async def ids(self) -> list[str]:
        """All tables, oldest first."""
        all_ids = "SELECT id FROM tables ORDER BY created, id"
        return await self._reader.do(lambda c: [id_ for (id_,) in c.execute(all_ids)])

    async def public(
        self, which: Which, limit: int = 50, before: float | None = None
    ) -> list[Listed]:
        """Public tables that are open, live or finished, newest first."""
        query = (
            f"SELECT {_LISTED} FROM tables WHERE public = 1 AND status = :status"
            " AND updated < :before ORDER BY updated DESC, id LIMIT :limit"
        )
        values = {"status": STATUS[which], "limit": limit, "before": _end(before)}
        return await self._reader.do(lambda c: [_listed(row) for row in c.execute(query, values)])

    async def mine(
        self, identity: Identity, limit: int = 50, before: float | None = None
    ) -> list[Listed]:
        """The tables where somebody sits, with whether it is their turn; newest first."""
        query = (
            f"SELECT {_LISTED}, seats.turn FROM tables JOIN seats ON seats.table_id = tables.id"
            " WHERE seats.identity = :identity AND updated < :before"
            " ORDER BY updated DESC, id LIMIT :limit"
        )
        values = {"identity": identity, "limit": limit, "before": _end(before)}
        return await self._reader.do(lambda c: [_listed(row) for row in c.execute(query, values)])

    async def count_owned(self, identity: Identity) -> int:
        """How many tables somebody owns that are not over."""
        query = (
            "SELECT count(*) FROM tables WHERE owner = :owner AND status IN ('waiting', 'playing')"
        )
        return await self._reader.do(lambda c: int(c.value(query, {"owner": identity}) or 0))

    async def scores(self, game: str, limit: int = 20, *, identity: Identity = "") -> list[Score]:
        """The best solo scores of a game on this server; of equal ones the earlier comes first.

        A private table's id is its people's secret: others get none.
        """
        query = (
            "SELECT CASE WHEN tables.public = 1 OR seats.identity IS NOT NULL"
            " THEN scores.table_id ELSE '' END, scores.game, scores.name, scores.score, scores.at"
            " FROM scores JOIN tables ON tables.id = scores.table_id"
            " LEFT JOIN seats ON seats.table_id = scores.table_id AND seats.identity = :identity"
            " WHERE scores.game = :game ORDER BY scores.score DESC, scores.at LIMIT :limit"
        )
        values = {"game": game, "limit": limit, "identity": identity}
        return await self._reader.do(lambda c: [Score(*row) for row in c.execute(query, values)])

    # -- the coach --------------------------------------------------------------------------------

    async def analysis(self, match: str) -> str | None:
        """What the coach said about a match, as it was saved."""
        query = "SELECT body FROM analyses WHERE id = :id"
        return await self._reader.do(lambda c: c.value(query, {"id": match}))

    async def save_analysis(self, match: str, body: str, now: float) -> None:
        """Keep what the coach said about a match, and of all matches the last ones."""
        add = (
            "INSERT INTO analyses (id, at, body) VALUES (:id, :at, :body)"
            " ON CONFLICT (id) DO UPDATE SET at = excluded.at, body = excluded.body"
        )
        forget = (
            "DELETE FROM analyses WHERE at < (SELECT at FROM analyses"
            " ORDER BY at DESC LIMIT 1 OFFSET :most)"
        )

        def work(connection: Connection) -> None:
            connection.execute(add, {"id": match, "at": now, "body": body})
            connection.execute(forget, {"most": MOST_ANALYSES - 1})

        await self._writer.do(work)

    # -- people -----------------------------------------------------------------------------------

    async def name_of(self, identity: Identity) -> str | None:
        """The name of a person; None for nobody."""
        query = "SELECT name FROM identities WHERE id = :id"
        return await self._reader.do(lambda c: c.value(query, {"id": identity}))

    async def save_identity(self, identity: Identity, name: str, now: float) -> None:
        """Add a person, or change their name."""
        query = (
            "INSERT INTO identities (id, name, created) VALUES (:id, :name, :now)"
            " ON CONFLICT (id) DO UPDATE SET name = excluded.name"
        )
        values = {"id": identity, "name": name, "now": now}
        await self._writer.do(lambda c: c.execute(query, values).rowcount)

    async def add_link(self, hash_: str, identity: Identity, expires: float) -> None:
        """Remember the hash of a link that moves an identity to another device."""
        query = "INSERT INTO links (hash, identity, expires) VALUES (:hash, :identity, :at)"
        values = {"hash": hash_, "identity": identity, "at": expires}
        await self._writer.do(lambda c: c.execute(query, values).rowcount)

    async def take_link(self, hash_: str, now: float) -> Identity | None:
        """The identity of a link, which works once; None if it is unknown, used or too old."""

        def work(connection: Connection) -> Identity | None:
            identity: Identity | None = connection.value(
                "DELETE FROM links WHERE hash = :hash AND expires > :now RETURNING identity",
                {"hash": hash_, "now": now},
            )
            connection.execute("DELETE FROM links WHERE expires <= :now", {"now": now})
            return identity

        return await self._writer.do(work)

    async def secret(self, name: str) -> str:
        """A random text that all servers on this database share, made at first use."""
        add = "INSERT INTO secrets (name, value) VALUES (:name, :value) ON CONFLICT DO NOTHING"
        get = "SELECT value FROM secrets WHERE name = :name"
        fresh = {"name": name, "value": secrets.token_urlsafe(32)}

        def work(connection: Connection) -> str:
            connection.execute(add, fresh)
            return str(connection.value(get, {"name": name}))

        return await self._writer.do(work)

    # -- servers ----------------------------------------------------------------------------------

    async def notify_servers(self, notice: Notice) -> None:
        """Send the other servers a notice, which is not stored."""
        if self._notifies:
            values = {"channel": CHANNEL, "payload": notice.pack()}
            await self._writer.do(lambda c: c.execute(_NOTIFY, values).rowcount)

    async def ping(self) -> None:
        """Ask the database for an answer; `DatabaseError` says why there is none."""
        await self._reader.do(lambda c: c.value("SELECT 1"))


@cache
def _insert(*columns: str) -> str:
    names, values = ", ".join(columns), ", ".join(f":{name}" for name in columns)
    return (
        f"INSERT INTO tables (id, seq, due_at, {names}) VALUES (:id, :seq, :due, {values})"
        " ON CONFLICT (id) DO NOTHING"
    )


@cache
def _update(*columns: str) -> str:
    changes = "".join(f", {name} = :{name}" for name in columns)
    return f"UPDATE tables SET seq = :seq, due_at = :due{changes} WHERE id = :id AND seq = :after"


_ADD_EVENT = (
    "INSERT INTO events (table_id, seq, at, command, body) VALUES (:id, :seq, :at, :command, :body)"
)
_READ = (
    "SELECT seq, at, command, body FROM events WHERE table_id = :id AND seq > :after ORDER BY seq"
)
_SET_DUE = "UPDATE tables SET due_at = :due WHERE id = :id AND seq = :seq"
_CLEAR_SEATS = "DELETE FROM seats WHERE table_id = :id"
_ADD_SEAT = (
    "INSERT INTO seats (table_id, seat, identity, turn) VALUES (:id, :seat, :identity, :turn)"
)
_TURN = "UPDATE seats SET turn = :turn WHERE table_id = :id AND seat = :seat"
_ADD_SCORE = (
    "INSERT INTO scores (table_id, game, name, score, at)"
    " VALUES (:table, :game, :name, :score, :at) ON CONFLICT DO NOTHING"
)
_NOTIFY = "SELECT pg_notify(:channel, :payload)"
_LISTS = ("names", "winners")  # columns that are kept as JSON
_LISTED = "id, game, players, public, status, title, free, names, winners, created, updated"


def _end(before: float | None) -> float:
    return 1e18 if before is None else before


def _listed(row: Any) -> Listed:
    id_, game, players, public, status, title, free, names, winners, created, updated, *turn = row
    return Listed(
        id_, game, players, bool(public), status, title, free, tuple(json.loads(names)),
        tuple(json.loads(winners)), created, updated, bool(turn[0]) if turn else None,
    )  # fmt: skip
