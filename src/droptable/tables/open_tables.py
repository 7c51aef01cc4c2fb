"""The tables that a server has in memory, as committed."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable
from math import inf

from droptable.core.language import _
from droptable.tables import events as ev
from droptable.tables.events import Line
from droptable.tables.integrity import DamagedTable, digest
from droptable.tables.rejected import Rejected
from droptable.tables.store import Store
from droptable.tables.table import Table, fold

log = logging.getLogger(__name__)

Listener = Callable[[Table], None]


async def read_lines(store: Store, table: str, after: int = 0) -> list[Line]:
    """Events of a table; a damaged table is refused rather than shown with something wrong."""
    known = store.damaged.get(table)
    try:
        return await store.read(table, after)
    except DamagedTable as damaged:
        if damaged.reason != known:
            log.error("table #%s is damaged: %s", digest(table), damaged.reason)
        message = _("this table is damaged in the server's database; tell whoever runs the server")
        raise Rejected("gone", message) from None


class OpenTable:
    """A table in memory. `table` is what is committed; each commit replaces it by a new one."""

    def __init__(self, store: Store, table: Table) -> None:
        self.table = table
        self.in_doubt = False  # whether an append may or may not have been committed
        self.lock = asyncio.Lock()
        self.listeners: set[Listener] = set()
        self.asked_bots: set[int] = set()  # seats whose bot has been asked for a move
        self.last_command = -inf  # when a person last did something, in monotonic seconds
        self._store = store

    @property
    def idle(self) -> bool:
        """Whether it can be dropped from memory."""
        return not (self.listeners or self.asked_bots or self.lock.locked())

    async def catch_up(self) -> bool:
        """Read what others have appended; True if there was something. The caller has the lock."""
        lines = await read_lines(self._store, self.table.id, self.table.seq)
        anew = (ev.Forgotten, ev.Moderated)  # after which earlier events differ
        if any(isinstance(line.event, anew) for line in lines):
            self.table = fold(self.table.id, await read_lines(self._store, self.table.id))
        elif lines:
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
            lines = await read_lines(self._store, table)
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
        self._store.bus.follow(table.id)
        surplus = len(self) - self._most
        if surplus > 0:
            idle = [id_ for id_, other in self.items() if other.idle and other is not open_table]
            for id_ in idle[:surplus]:
                self.drop(id_)
        return open_table

    def drop(self, table: str) -> None:
        """Forget a table, if it is open."""
        self.pop(table, None)
        self._store.bus.unfollow(table)
