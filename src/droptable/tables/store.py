"""Where tables are kept: SQLite or PostgreSQL, append-only, committed before anyone is told."""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Any, Literal, TypeVar

from droptable.tables import bulk
from droptable.tables.appends import NUMBERS, TEXT, Append, Appender
from droptable.tables.bus import CHANNEL, Bus, Notice, PostgresBus
from droptable.tables.database import Connection, Database, DatabaseError
from droptable.tables.events import Identity, Line
from droptable.tables.integrity import DamagedTable, Row, verified
from droptable.tables.schema import OF_EVENTS, migrate
from droptable.tables.summary import Listed, Score
from droptable.tables.worker import Worker

log = logging.getLogger(__name__)

__all__ = ["Append", "Store", "Which"]

Which = Literal["open", "live", "finished"]
T = TypeVar("T")
CHECK_SECONDS = 2.0  # for the structure of an SQLite file when it is opened
LONG_CHECK_SECONDS = 20.0  # for its indexes, later and in the background
FULL_SECONDS = 3.0  # that a full disk is told of, unless an event finds room meanwhile
AHEAD_SECONDS = 60.0  # that no server's time is ahead of another's
PATIENT = 30.0  # seconds for what nobody waits for
MOST_ANALYSES = 2000  # of the coach that are kept; some kilobytes each
FOR_EVER = 1e18  # seconds since 1970
STATUS = {"open": "waiting", "live": "playing", "finished": "over"}


class Store:
    """Everything that outlives a server. Writes that wait are committed together."""

    def __init__(self, url: str, durability: str = "disk", bus: Bus | None = None) -> None:
        """Open a database and bring its schema up to date; a newer one is refused.

        `bus` carries notices between servers instead of PostgreSQL itself."""
        self._database = Database(url, durability)
        opening = self._database.connect(patient=True)
        with closing(opening):
            with opening.transaction(writes=True):
                migrate(opening)
            self._damage = opening.damage(CHECK_SECONDS)
        if self._damage:
            log.error("%s", self._damage)
        self._notifies = self._database.is_postgres and bus is None
        self.bus = bus or (PostgresBus([url]) if self._notifies else Bus())
        appender = Appender(notifies=self._notifies)
        self._append = appender.write
        self._writer = Worker(
            self._database, "droptable-writer", writes=True, rolled_back=appender.forget
        )
        self._reader = Worker(self._database, "droptable-reader", writes=False)
        self._aside = Worker(self._database, "droptable-aside", writes=False, deadline=PATIENT)
        self.damaged: dict[str, str] = {}  # tables that were found to be, and what is wrong
        self._full: tuple[DatabaseError, float] | None = None  # no room for events, and when
        self.appended_late: Callable[[str], None] = lambda _: None

    async def close(self) -> None:
        """Commit what waits, and disconnect."""
        await self.bus.close()
        await asyncio.to_thread(self._writer.close)
        await asyncio.to_thread(self._reader.close)
        await asyncio.to_thread(self._aside.close)

    # -- tables -----------------------------------------------------------------------------------

    async def append(self, *parts: Append) -> bool:
        """Add events to tables, all or nothing. False: another writer was faster; read again.

        After a `DatabaseError` they may be there or not, or even come later: `appended_late` is
        then called with each table.
        """
        ordered = tuple(sorted(parts, key=lambda part: part.table))

        def tell(added: bool) -> None:
            for part in ordered if added else ():
                self.bus.announce(Notice(part.table, part.lines[-1].seq))

        def late(added: bool) -> None:
            tell(added)
            for part in ordered if added else ():
                self.appended_late(part.table)

        try:
            added: bool = await self._writer.do_together(
                self._append, ordered, ordered[0].table, late
            )
        except DatabaseError as error:
            if error.full:
                self._full = error, time.monotonic()
            raise
        self._full = None
        tell(added)
        return added

    async def read(self, table: str, after: int = 0) -> list[Line]:
        """The events of a table that follow the first `after`; none if there is no such table.

        `DamagedTable` if they are not as they were written.
        """
        try:
            last, lines = await self.read_here(table, after)
            if after and not last and not lines:
                raise DamagedTable(table, [], f"event {after}: it is missing")
        except DamagedTable as damaged:
            self.damaged[table] = damaged.reason
            raise
        if not after:
            self.damaged.pop(table, None)
        return lines

    async def read_here(self, table: str, after: int) -> tuple[int, list[Line]]:
        """The number of a table's last event in this very database, and its events as `read` has
        them. 0: it is not here; a negative number: it is leaving (see `relocation`)."""

        def work(connection: Connection) -> tuple[int, list[Line]]:
            # First the number: whatever is appended meanwhile does no harm.
            last: int = connection.value(_NUMBER, {"id": table}) or 0
            found, broken = connection.salvage(_READ, {"id": table, "after": after})
            rows = [Row(*row) for row in found]
            if not last and not rows:
                return 0, []
            if after and (not rows or rows[0].seq != after):
                raise DamagedTable(table, [], f"event {after}: it is missing")
            chain = rows.pop(0).chain if after else None
            lines = verified(table, rows, 0 if broken else last, after, chain)
            if broken:
                raise DamagedTable(table, lines, f"event {after + len(lines) + 1}: {broken}")
            return last, lines

        if "\0" in table:  # PostgreSQL refuses such a text even in a query
            return 0, []
        try:
            return await self._reader.do(work)
        except DatabaseError as error:
            if error.damaged:
                raise DamagedTable(table, [], str(error)) from None
            raise

    async def numbers(self, tables: Sequence[str]) -> dict[str, int]:
        """The numbers of the last events of those tables that are there."""
        rows = [(table,) for table in tables]
        return await self._reader.do(lambda c: dict(bulk.write(c, NUMBERS, (TEXT,), rows)))

    @property
    def shards(self) -> Sequence[Store]:
        """The databases over which tables are spread, the home database first."""
        return (self,)

    async def shard_of(self, _table: str) -> Store:
        """The database where a table is, or would be if there were such a table."""
        return self

    async def beat(self, server: str, now: float) -> None:
        """Note that a server is alive: nobody else takes over the tables that it keeps."""
        beat = (
            "INSERT INTO servers (id, beat) VALUES (:id, :now)"
            " ON CONFLICT (id) DO UPDATE SET beat = excluded.beat"
        )
        values = {"id": server, "now": now}
        await self._writer.do(lambda c: c.execute(beat, values).rowcount)

    async def claim_dead(self, server: str, silent_since: float, most: int = 200) -> list[str]:
        """Take over the tables of servers that were not heard of since then.

        So did those whose beat is far ahead die: before a clock was put back.
        """
        dead = "(SELECT id FROM servers WHERE (beat < :since OR beat > :ahead) AND id <> :id)"
        skip = " FOR UPDATE SKIP LOCKED" if self.is_shared else ""
        claim = (
            "UPDATE tables SET keeper = :id WHERE id IN (SELECT id FROM tables"
            f" WHERE keeper IN {dead} ORDER BY id LIMIT :most{skip}) RETURNING id"
        )
        forget = (
            f"DELETE FROM servers WHERE id IN {dead}"
            " AND NOT EXISTS (SELECT 1 FROM tables WHERE keeper = servers.id)"
        )
        seen = {"id": server, "since": silent_since, "ahead": silent_since + AHEAD_SECONDS}
        values = seen | {"most": most}

        def work(connection: Connection) -> list[str]:
            claimed = [id_ for (id_,) in connection.execute(claim, values)]
            connection.execute(forget, seen)
            return claimed

        if not await self._reader.do(lambda c: c.execute(dead[1:-1], seen).fetchall()):
            return []
        return await self._writer.do(work)

    async def claim_due(self, now: float, until: float, most: int = 200) -> list[str]:
        """Lease the tables that are due now: no other server gets them before `until`."""
        skip = " FOR UPDATE SKIP LOCKED" if self.is_shared else ""
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

        def work(connection: Connection) -> list[str]:
            found, broken = connection.salvage("SELECT id FROM tables ORDER BY created, id")
            if broken:  # other tables may still be whole
                found += connection.salvage("SELECT DISTINCT table_id FROM events")[0]
            return list(dict.fromkeys(id_ for (id_,) in found))

        return await self._reader.do(work)

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
            f"SELECT {_LISTED}, MAX((turns >> seat) & 1) FROM tables"
            " JOIN seats ON seats.table_id = tables.id"
            " WHERE seats.identity = :identity AND updated < :before"
            " GROUP BY tables.id ORDER BY updated DESC, id LIMIT :limit"
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
                "DELETE FROM links WHERE hash = :hash AND expires > :now AND expires < :for_ever"
                " RETURNING identity",
                {"hash": hash_, "now": now, "for_ever": FOR_EVER},
            )
            connection.execute("DELETE FROM links WHERE expires <= :now", {"now": now})
            return identity

        return await self._writer.do(work)

    async def set_key(self, hash_: str, identity: Identity) -> None:
        """Remember the hash of somebody's recovery key instead of the one before: a link for ever,
        which can be followed again."""
        forget = "DELETE FROM links WHERE identity = :identity AND expires = :for_ever"
        add = "INSERT INTO links (hash, identity, expires) VALUES (:hash, :identity, :for_ever)"
        values = {"hash": hash_, "identity": identity, "for_ever": FOR_EVER}

        def work(connection: Connection) -> None:
            connection.execute(forget, values)
            connection.execute(add, values)

        await self._writer.do(work)

    async def key_of(self, hash_: str) -> Identity | None:
        """Whose recovery key this is; None if it is nobody's."""
        query = "SELECT identity FROM links WHERE hash = :hash AND expires = :for_ever"
        values = {"hash": hash_, "for_ever": FOR_EVER}
        return await self._reader.do(lambda c: c.value(query, values))

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
        self.bus.announce(notice)

    async def query(self, work: Callable[[Connection], T]) -> T:
        """Read something else."""
        return await self._reader.do(work)

    async def write(self, work: Callable[[Connection], T], key: str = "") -> T:
        """Do something else in a transaction."""
        return await self._writer.do(work, key)

    async def aside(self, work: Callable[[Connection], T]) -> T:
        """Read something that may take a while, and that nobody who plays waits for."""
        return await self._aside.do(work)

    async def examine(self) -> None:
        """Check an SQLite file with all its indexes, as far as a long look gets."""
        self.condemn(await self.aside(lambda c: c.damage(LONG_CHECK_SECONDS, "integrity_check")))

    def condemn(self, damage: str) -> None:
        """Tell from now on that the database itself is damaged, if there is something to tell."""
        if damage and not self._damage:
            log.error("%s", damage)
            self._damage = damage

    async def replace(self, part: Append, seq: int) -> bool:
        """Write all events of a table anew, if it still is at `seq`; False: read it again."""
        remove = "DELETE FROM tables WHERE id = :id AND seq = :seq"

        def work(connection: Connection) -> bool:
            if not connection.execute(remove, {"id": part.table, "seq": seq}).rowcount:
                return False
            for other in OF_EVENTS:
                connection.execute(f"DELETE FROM {other} WHERE table_id = :id", {"id": part.table})
            return self._append(connection, [(part,)]) == [True]

        replaced = await self._writer.do(work, part.table)
        if replaced:
            self.bus.announce(Notice(part.table, part.lines[-1].seq))
        return replaced

    async def time(self) -> float:
        """The time by the clock that all servers share: PostgreSQL's, or the machine's."""
        if not self._database.is_postgres:
            return time.time()
        query = "SELECT CAST(extract(epoch FROM clock_timestamp()) AS DOUBLE PRECISION)"
        return await self._reader.do(lambda c: float(c.value(query)))

    async def note_time(self, now: float) -> None:
        """Remember how late it is, for a start after the machine's clock was put back."""
        note = (
            "INSERT INTO chores (name, due) VALUES ('clock', :now)"
            " ON CONFLICT (name) DO UPDATE SET due = excluded.due"
        )
        await self._writer.do(lambda c: c.execute(note, {"now": now}).rowcount)

    async def noted_time(self) -> float:
        """The time that was noted last; 0 if there was none."""
        query = "SELECT due FROM chores WHERE name = 'clock'"
        return await self._reader.do(lambda c: float(c.value(query) or 0.0))

    async def ping(self) -> None:
        """Ask the database for an answer; `DatabaseError` says why there is none."""
        await self._reader.do(lambda c: c.value("SELECT 1"))

    async def probe(self, recent: float = 0.0) -> None:
        """Write something, unless a write has worked in the last `recent` seconds.

        On a full disk that may work where there is still room in a page: events come first.
        """
        if self._damage:
            raise DatabaseError(self._damage)
        if self._full and time.monotonic() - self._full[1] < FULL_SECONDS:
            raise self._full[0]
        if time.monotonic() - self._writer.last_success >= recent:
            await self._writer.do(_write_something)

    @property
    def url(self) -> str:
        """The address of the database."""
        return self._database.url

    @property
    def is_shared(self) -> bool:
        """Whether other servers are expected at this database."""
        return self._database.is_postgres


def _write_something(connection: Connection) -> None:
    """Add a row and remove it. An update that changes nothing would not be written by SQLite, and
    one of a row that servers share could wait for another server."""
    row = {"name": f"probe {secrets.token_hex(8)}"}
    connection.execute("INSERT INTO chores (name, due) VALUES (:name, 0)", row)
    connection.execute("DELETE FROM chores WHERE name = :name", row)


_NUMBER = "SELECT seq FROM tables WHERE id = :id"
_READ = (
    "SELECT seq, at, command, body, chain FROM events WHERE table_id = :id AND seq >= :after"
    " ORDER BY seq"
)
_SET_DUE = "UPDATE tables SET due_at = :due WHERE id = :id AND seq = :seq"
_NOTIFY = "SELECT pg_notify(:channel, :payload)"
_LISTED = "id, game, players, public, status, title, free, names, winners, created, updated"


def _end(before: float | None) -> float:
    return 1e18 if before is None else before


def _listed(row: Any) -> Listed:
    id_, game, players, public, status, title, free, names, winners, created, updated, *turn = row
    return Listed(
        id_, game, players, bool(public), status, title, free, tuple(json.loads(names)),
        tuple(json.loads(winners)), created, updated, bool(turn[0]) if turn else None,
    )  # fmt: skip
