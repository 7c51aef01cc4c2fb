"""Appends of many tables in a few statements, for a worker that commits them together."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from droptable.tables import bulk
from droptable.tables.bus import CHANNEL, Notice
from droptable.tables.calls import Call
from droptable.tables.database import Connection
from droptable.tables.events import Line, encode
from droptable.tables.integrity import link
from droptable.tables.summary import Score, Summary
from droptable.tables.worker import LATER, Later

MOST_CHAINS = 20_000  # tables whose last checksum is remembered
TEXT, INTEGER, FLOAT = "text", "integer", "double precision"
TYPES = {
    "game": TEXT, "players": INTEGER, "public": INTEGER, "status": TEXT, "title": TEXT,
    "owner": TEXT, "free": INTEGER, "names": TEXT, "winners": TEXT, "created": FLOAT,
    "updated": FLOAT, "turns": INTEGER,
}  # fmt: skip
LISTS = ("names", "winners")  # columns that are kept as JSON


@dataclass(frozen=True)
class Append:
    """Events that follow the first `after` ones of a table, and the table's columns after them.

    `due_at` is when a clock will need attention, `keeper` the server whose bots think meanwhile.
    """

    table: str
    after: int
    lines: Sequence[Line]
    summary: Summary
    due_at: float | None = None
    score: Score | None = None
    keeper: str | None = None
    calls: Sequence[Call] = ()  # people who are told of it
    rated: bool = False  # whether ratings follow from it


Parts = tuple[Append, ...]  # all or nothing


class Appender:
    """Writes the appends of one worker. It belongs to that worker's thread."""

    def __init__(self, *, notifies: bool) -> None:
        """`notifies` says whether other servers are told within the transaction."""
        self._notifies = notifies
        self._chains: dict[str, tuple[int, str | None]] = {}  # number and checksum of the last

    def forget(self) -> None:
        """Forget what a transaction that failed has left here."""
        self._chains.clear()

    def write(self, connection: Connection, jobs: list[Parts]) -> list[bool | Later]:
        """For each job whether its events were added; False: another writer was faster.

        `LATER` means that another server is just writing to the table: nothing waits for it, since
        it may have stopped and there are other tables.
        """
        simple: dict[str, Append] = {}
        for parts in jobs:
            if len(parts) == 1:
                simple.setdefault(parts[0].table, parts[0])
        results = self._write(connection, list(simple.values()))
        return [
            results[parts[0].table]
            if len(parts) == 1 and simple[parts[0].table] is parts[0]
            else self._all_or_nothing(connection, parts)
            for parts in jobs
        ]

    def _all_or_nothing(self, connection: Connection, parts: Parts) -> bool | Later:
        connection.execute("SAVEPOINT before_all")
        results = [self._write(connection, [part])[part.table] for part in parts]
        if all(result is True for result in results):
            connection.execute("RELEASE before_all")
            return True
        connection.execute("ROLLBACK TO before_all")
        for part in parts:
            self._chains.pop(part.table, None)
        return False if False in results else LATER

    def _write(self, connection: Connection, parts: list[Append]) -> dict[str, bool | Later]:
        """Append each part that is in time, and say which were."""
        won = self._claim_numbers(connection, parts)
        results: dict[str, bool | Later] = {part.table: part.table in won for part in parts}
        winners = [part for part in parts if part.table in won]
        if winners:
            self._add_events(connection, winners)
            self._add_people(connection, winners)
            self._add_scores(connection, winners)
            self._add_rated(connection, winners)
            self._add_calls(connection, winners)
            self._notify(connection, winners)
        losers = [part for part in parts if part.table not in won and part.after]
        if losers and connection.is_postgres:
            now = _numbers(connection, losers)
            results |= {p.table: LATER for p in losers if now.get(p.table) == p.after}
        return results

    def _claim_numbers(self, connection: Connection, parts: list[Append]) -> set[str]:
        """Write the tables' own rows, each if nobody else was faster."""
        alike: dict[tuple[bool, tuple[str, ...]], list[Append]] = defaultdict(list)
        for part in parts:
            alike[part.after > 0, tuple(part.summary.columns)].append(part)
        won: set[str] = set()
        for (exists, columns), group in alike.items():
            types = tuple(TYPES[column] for column in columns)
            statement = (_update if exists else _insert)(columns, connection.is_postgres)
            rows = [
                (part.table, *((part.after,) if exists else ()), part.lines[-1].seq, part.due_at,
                 part.keeper, *_values(part.summary, columns))
                for part in group
            ]  # fmt: skip
            leading = (TEXT, *((INTEGER,) if exists else ()), INTEGER, FLOAT, TEXT)
            returned = bulk.write(connection, statement, (*leading, *types), rows)
            won |= {table for (table,) in returned}
        return won

    def _add_events(self, connection: Connection, parts: list[Append]) -> None:
        self._recall(connection, parts)
        rows = []
        for part in parts:
            _, chain = self._chains.get(part.table, (0, None)) if part.after else (0, None)
            for line in part.lines:
                body = encode(line.event)
                chain = link(chain, part.table, line.seq, line.at, line.command, body)
                rows.append(
                    (part.table, line.seq, float(line.at), line.command or None, body, chain)
                )
            self._chains[part.table] = part.lines[-1].seq, chain
        bulk.write(connection, _ADD_EVENTS, (TEXT, INTEGER, FLOAT, TEXT, TEXT, TEXT), rows)
        while len(self._chains) > MOST_CHAINS:
            del self._chains[next(iter(self._chains))]

    def _recall(self, connection: Connection, parts: list[Append]) -> None:
        """Read the last checksums of tables where another server has written since."""
        unknown = [
            (part.table, part.after)
            for part in parts
            if part.after and self._chains.get(part.table, (0, None))[0] != part.after
        ]
        for table, seq, chain in bulk.write(connection, _CHAINS, (TEXT, INTEGER), unknown):
            self._chains[table] = seq, chain

    def _add_people(self, connection: Connection, parts: list[Append]) -> None:
        changed = [part for part in parts if part.summary.people is not None]
        bulk.write(connection, _CLEAR_SEATS, (TEXT,), [(p.table,) for p in changed if p.after])
        rows = [(part.table, *sits) for part in changed for sits in part.summary.people or ()]
        bulk.write(connection, _ADD_SEATS, (TEXT, INTEGER, TEXT), rows)

    def _add_scores(self, connection: Connection, parts: list[Append]) -> None:
        for part in parts:
            if part.score is not None:
                connection.execute(_ADD_SCORE, part.score.row())

    def _add_rated(self, connection: Connection, parts: list[Append]) -> None:
        bulk.write(connection, _ADD_RATED, (TEXT,), [(part.table,) for part in parts if part.rated])

    def _add_calls(self, connection: Connection, parts: list[Append]) -> None:
        rows = [row_of(call) for part in parts for call in part.calls]
        bulk.write(connection, ADD_CALLS, CALL_TYPES, rows)

    def _notify(self, connection: Connection, parts: list[Append]) -> None:
        if self._notifies:
            rows = [(CHANNEL, Notice(part.table, part.lines[-1].seq).pack()) for part in parts]
            bulk.write(connection, _NOTIFY, (TEXT, TEXT), rows)


def row_of(call: Call) -> tuple[object, ...]:
    """A call as a row for `ADD_CALLS`."""
    return call.id, call.identity, call.kind, call.table, call.at, call.due, call.body


def _values(summary: Summary, columns: tuple[str, ...]) -> list[object]:
    chosen = summary.columns
    return [json.dumps(chosen[name]) if name in LISTS else chosen[name] for name in columns]


def _numbers(connection: Connection, parts: list[Append]) -> dict[str, int]:
    rows = [(part.table,) for part in parts]
    return dict(bulk.write(connection, NUMBERS, (TEXT,), rows))


@cache
def _insert(columns: tuple[str, ...], _is_postgres: bool) -> str:
    names = "".join(f", {name}" for name in columns)
    return (
        f"INSERT INTO tables (id, seq, due_at, keeper{names}) VALUES {{rows}}"
        " ON CONFLICT (id) DO NOTHING RETURNING id"
    )


@cache
def _update(columns: tuple[str, ...], is_postgres: bool) -> str:
    names = ("id", "after", "seq", "due_at", "keeper", *columns)
    new = f"new ({', '.join(names)}) AS (VALUES {{rows}})"
    changes = ", ".join(f"{name} = new.{name}" for name in names[2:])
    update = f"UPDATE tables SET {changes} FROM new"
    where = "WHERE tables.id = new.id AND tables.seq = new.after"
    if is_postgres:  # nobody waits for the row of a table that another server has locked
        free = "SELECT id FROM tables WHERE id IN (SELECT id FROM new) FOR UPDATE SKIP LOCKED"
        new += f", free AS MATERIALIZED ({free})"
        update += ", free"
        where += " AND free.id = new.id"
    return f"WITH {new} {update} {where} RETURNING tables.id"


_ADD_EVENTS = "INSERT INTO events (table_id, seq, at, command, body, chain) VALUES {rows}"
_CHAINS = "SELECT table_id, seq, chain FROM events WHERE (table_id, seq) IN (VALUES {rows})"
NUMBERS = "SELECT id, seq FROM tables WHERE id IN (VALUES {rows})"
_CLEAR_SEATS = "DELETE FROM seats WHERE table_id IN (VALUES {rows})"
_ADD_SEATS = "INSERT INTO seats (table_id, seat, identity) VALUES {rows}"
_ADD_SCORE = (
    "INSERT INTO scores (table_id, game, name, score, at)"
    " VALUES (:table, :game, :name, :score, :at) ON CONFLICT DO NOTHING"
)
_ADD_RATED = "INSERT INTO unrated (table_id) VALUES {rows} ON CONFLICT DO NOTHING"
CALL_TYPES = (TEXT, TEXT, TEXT, TEXT, FLOAT, FLOAT, TEXT)
ADD_CALLS = (
    "INSERT INTO notices (id, identity, kind, table_id, at, due, body) VALUES {rows}"
    " ON CONFLICT (id) DO NOTHING"
)
_NOTIFY = "SELECT pg_notify(channel, payload) FROM (VALUES {rows}) AS news (channel, payload)"
