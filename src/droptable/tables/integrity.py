"""Checksums of events: each covers the one before it, so that no change or gap goes unnoticed."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from hashlib import blake2b
from typing import NamedTuple

import msgspec

from droptable.core.errors import DroptableError
from droptable.tables.events import Line, decode

MOST_NAMED = 5  # tables in a report


class Row(NamedTuple):
    """A stored event. `chain` is None in rows of versions that had no checksums."""

    seq: int
    at: float
    command: str | None
    body: str
    chain: str | None


class DamagedTable(DroptableError):
    """A table whose stored events are not those that were written; `good` of them still are."""

    def __init__(self, table: str, good: list[Line], reason: str) -> None:
        super().__init__(f"table {table!r} is damaged: {reason}")
        self.table = table
        self.good = good
        self.reason = reason


def link(previous: str | None, table: str, seq: int, at: float, command: str, body: str) -> str:
    """The checksum of an event; `previous` is that of the event before it."""
    covered = "\0".join((previous or "", table, str(seq), repr(float(at)), command, body))
    return blake2b(covered.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def digest(table: str) -> str:
    """A short name of a table for logs: its id would let anybody in."""
    return blake2b(table.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()


def damage_report(damaged: Collection[str]) -> str:
    """What an operator is told of damaged tables, by digests that the log has as well."""
    names = ", ".join(f"#{digest(table)}" for table in sorted(damaged)[:MOST_NAMED])
    return f"damaged tables: {len(damaged)} ({names}); `droptable tables check` names all"


def verified(
    table: str, rows: Iterable[Row], last: int, after: int = 0, chain: str | None = None
) -> list[Line]:
    """The events that follow the first `after`, whose last checksum is `chain`; `DamagedTable` if
    they are not as they were written.

    `last` is the number that the table's own row has: at least as many must be there.
    """
    lines: list[Line] = []
    for row in rows:
        number = after + len(lines) + 1
        try:
            _check(table, row, number, chain)
            lines.append(Line(row.seq, row.at, decode(row.body), row.command or ""))
        except (ValueError, TypeError, msgspec.MsgspecError) as error:
            reason = str(error) if type(error) is ValueError else "it is not an event"
            raise DamagedTable(table, lines, f"event {number}: {reason}") from None
        chain = row.chain
    if after + len(lines) < last:
        missing = f"event {after + len(lines) + 1}: it is missing"
        raise DamagedTable(table, lines, missing)
    return lines


def _check(table: str, row: Row, expected: int, chain: str | None) -> None:
    """`ValueError` if a row is not the one that follows `chain`."""
    if row.seq != expected:
        raise ValueError("it is missing")
    if row.chain is None and chain is None:
        return  # written by a version without checksums
    if row.chain != link(chain, table, row.seq, row.at, row.command or "", row.body):
        raise ValueError("its checksum is wrong")
