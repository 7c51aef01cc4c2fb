"""The tables that a server has in memory, as committed."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable

from droptable.core.language import _
from droptable.tables.rejected import Rejected
from droptable.tables.store import Store
from droptable.tables.table import Table, fold

log = logging.getLogger(__name__)

Listener = Callable[[Table], None]


class OpenTable:
    """A table in memory. `table` is what is committed; each commit replaces it by a new one."""

    def __init__(self, store: Store, table: Table) -> None:
        self.table = table
        self.in_doubt = False  # whether an append may or may not have been committed
        self.lock = asyncio.Lock()
        self.listeners: set[Listener] = set()
        self.asked_bots: set[int] = set()  # seats whose bot has been asked for a move
        self._store = store

    @property
    def idle(self) -> bool:
        """Whether it can be dropped from memory."""
        return not (self.listeners or self.asked_bots or self.lock.locked())

    async def catch_up(self) -> bool:
        """Read what others have appended; True if there was something. The caller has the lock."""
        lines = await self._store.read(self.table.id, self.table.seq)
        if lines:
            table = self.table.fork()
            for line in lines:
                table.apply(line)
            self.table = table
        self.in_doubt = False
        return bool(lines)

    async def refresh(self) -> None:
        """Catch up, and publish what is new."""
        async with self.lock:
            changed = await self.catch_up()
        if changed:
            self.publish()

    def publish(self) -> None:
        """Call all listeners with the committed table."""
        for listener in list(self.listeners):
            try:
                listener(self.table)
            except Exception:
                log.exception("a listener failed")


class OpenTables(OrderedDict[str, OpenTable]):
    """The open tables by id: a cache that drops the least recently used."""

    def __init__(self, store: Store, most: int) -> None:
        """When there are more than `most`, idle ones are dropped."""
        super().__init__()
        self._store = store
        self._most = most

    async def read(self, table: str) -> OpenTable:
        """A table, from the store if it is not open; `Rejected` if there is none."""
        if table not in self:
            lines = await self._store.read(table)
            if not lines:
                raise Rejected("gone", _("there is no table {table}").format(table=repr(table)))
            folded = await asyncio.to_thread(fold, table, lines)
            if table not in self:  # nobody else read it meanwhile
                self.keep(folded)
        self.move_to_end(table)
        return self[table]

    def keep(self, table: Table) -> OpenTable:
        """Keep a committed table in memory."""
        open_table = self[table.id] = OpenTable(self._store, table)
        surplus = len(self) - self._most
        if surplus > 0:
            idle = [id_ for id_, other in self.items() if other.idle and other is not open_table]
            for id_ in idle[:surplus]:
                del self[id_]
        return open_table
