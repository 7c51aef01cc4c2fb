"""Inspection: after a start every table is read once, in the background and in small steps.

So a server on a large database starts at once, and still knows soon which tables are damaged.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from droptable.tables.database import Connection, DatabaseError
from droptable.tables.integrity import DamagedTable, Row, verified
from droptable.tables.open_tables import read_lines
from droptable.tables.rejected import Rejected
from droptable.tables.store import Store

EVENTS = 500  # in one step, at most: some milliseconds
REST = 0.02  # seconds between two steps
PATIENCE = 5.0  # seconds until a database that does not answer is asked again


@dataclass(frozen=True)
class Place:
    """How far the inspection has come: tables in the order of their ids, and events of one."""

    table: str = ""
    last: int = 0  # the number that the table's own row has
    seq: int = 0
    chain: str | None = None
    whole: bool = True  # whether the table has been read to its end


class Inspection:
    """Reads all tables of a store; `Store.damaged` then has those that are not as written."""

    def __init__(
        self,
        store: Store,
        sleep: Callable[[float], Coroutine[Any, Any, None]] = asyncio.sleep,
        most: int = EVENTS,
    ) -> None:
        self.steps = 0
        self.done = False
        self._store = store
        self._shard = store  # the database that is being read
        self._sleep = sleep
        self._most = most

    async def run(self) -> None:
        """Read everything once; a database that is out of order meanwhile is waited for."""
        for shard in self._store.shards:
            self._shard = shard
            await self._patiently(self._shard.examine)
            place: Place | None = Place()
            while place is not None:
                place = await self._patiently(partial(self._step, place))
                await self._sleep(REST)
        self.done = True

    async def look_again(self) -> None:
        """Read the damaged tables once more: they may have been deleted or restored."""
        for table in tuple(self._store.damaged):
            await self._read(table)

    async def _step(self, place: Place) -> Place | None:
        self.steps += 1
        try:
            suspect, following = await self._shard.aside(
                partial(look, place=place, most=self._most)
            )
        except DatabaseError as error:
            if not error.damaged:
                raise
            return await self._skip(place)
        if suspect:  # or just written anew
            await self._read(suspect)
        return following

    async def _skip(self, place: Place) -> Place | None:
        """Go past a table whose rows cannot be read."""
        try:
            stuck = await self._shard.aside(partial(_next, place=place)) if place.whole else place
        except DatabaseError as error:
            if not error.damaged:
                raise
            self._shard.condemn(str(error))
            return None
        if stuck is not None:
            await self._read(stuck.table)
            return replace(stuck, whole=True)
        return None

    async def _read(self, table: str) -> None:
        with suppress(Rejected, DatabaseError):  # the store remembers, and the log names it
            await read_lines(self._store, table)

    async def _patiently(self, work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
        while True:
            try:
                return await work()
            except DatabaseError:
                await self._sleep(PATIENCE)


def look(connection: Connection, place: Place, most: int) -> tuple[str, Place | None]:
    """Check up to so many events from a place on: a table that seems to be damaged (or an empty
    text), and the next place (None: that was all)."""
    while most > 0:
        begun = _next(connection, place) if place.whole else place
        if begun is None:
            return "", None
        values = {"table": begun.table, "after": begun.seq, "most": most}
        rows = [Row(*row) for row in connection.execute(_PAGE, values)]
        end = len(rows) < most
        try:
            verified(begun.table, rows, begun.last if end else 0, begun.seq, begun.chain)
        except DamagedTable as damaged:
            return damaged.table, replace(begun, whole=True)
        most -= len(rows) + 1
        read = rows[-1] if rows else None
        place = replace(
            begun, seq=read.seq if read else begun.seq, chain=read and read.chain, whole=end
        )
    return "", place


def _next(connection: Connection, place: Place) -> Place | None:
    row = connection.execute(_NEXT, {"table": place.table}).fetchone()
    return row and Place(row[0], row[1], whole=False)


_NEXT = "SELECT id, seq FROM tables WHERE id > :table ORDER BY id LIMIT 1"
_PAGE = (
    "SELECT seq, at, command, body, chain FROM events WHERE table_id = :table AND seq > :after"
    " ORDER BY seq LIMIT :most"
)
