"""Commits: events are decided on and folded into a draft, appended to the store, then published."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Coroutine
from typing import Any

from droptable.core.language import _
from droptable.tables.cadence import Hold, hold
from droptable.tables.calls import Calling, nobody
from droptable.tables.decide import Circumstances, Who, rematch
from droptable.tables.draft import Draft
from droptable.tables.events import Identity
from droptable.tables.open_tables import OpenTable, OpenTables
from droptable.tables.rejected import Rejected
from droptable.tables.store import Append, Store
from droptable.tables.summary import is_rated, solo_score, summary
from droptable.tables.table import Table
from droptable.tables.tasks import Tasks

LEASE = 20.0  # seconds for which a server owns a table's bots before another one may take over
TRIES = 20  # appends before a command that keeps losing the race is refused
HOST = Who("", "the host")

Decision = Callable[[Table], Draft | None]  # None: nothing is to happen


class Committer:
    """Appends what was decided. Of two writers one wins; the other reads, and decides again."""

    def __init__(
        self,
        store: Store,
        open_tables: OpenTables,
        tasks: Tasks,
        *,
        clock: Callable[[], float],
        chance: random.Random,
        counts: Counter[str],
        server: str,
        committed: Callable[[OpenTable], None],
        sleep: Callable[[float], Coroutine[Any, Any, None]] = asyncio.sleep,
        calls: Calling = nobody,
        bots: tuple[str, ...] = (),
    ) -> None:
        """`server` keeps the tables whose bots it asks; `bots` are those that the host brings.

        `committed` is called after each commit, when its events have been published; `sleep`
        waits for so many seconds; `calls` says whom a commit concerns who may not be there."""
        self._store = store
        self._open_tables = open_tables
        self._tasks = tasks
        self._clock = clock
        self._chance = chance
        self._counts = counts
        self._server = server
        self._committed = committed
        self._sleep = sleep
        self._calls = calls
        self._bots = bots

    def circumstances(
        self,
        command: str = "",
        seq: int | None = None,
        absent: dict[Identity, float] | None = None,
        new_table: str = "",
    ) -> Circumstances:
        """What a decision that is made now depends on."""
        now = self._clock()
        return Circumstances(now, self._chance, command, seq, absent or {}, new_table, self._bots)

    def due(self, table: Table) -> float | None:
        """When some server has to attend to the table, should this one die before."""
        dues = [table.next_timeout, self._clock() + LEASE if table.bots_to_act else None]
        return min((due for due in dues if due is not None), default=None)

    async def create(self, draft: Draft) -> bool:
        """Commit a new table; False if there is one with its id already."""
        if not await self._store.append(self._append(draft, None)):
            return False
        self._committed(self._open_tables.keep(draft.table))
        return True

    async def commit(self, open_table: OpenTable, decision: Decision, who: Who = HOST) -> Table:
        """Decide, fold, append, and only then publish; again if another server was faster.

        What shows secret moves waits for its tick first: once in each phase (see `cadence`).
        """
        done = await self._commit(open_table, decision, who, None)
        while isinstance(done, Hold):
            await self._sleep(done.seconds)
            done = await self._commit(open_table, decision, who, done.phase)
        return done

    async def _commit(
        self, open_table: OpenTable, decision: Decision, who: Who, waited: float | None
    ) -> Table | Hold:
        async with open_table.lock:
            for _attempt in range(TRIES):
                if open_table.in_doubt and await open_table.catch_up():
                    open_table.publish()
                before = open_table.table
                try:
                    draft = decision(before)
                except Rejected:  # perhaps only by what another server has changed since
                    if not (self._store.is_shared and await open_table.catch_up()):
                        raise
                    open_table.publish()
                    continue
                if draft is None or not draft.lines:
                    return before
                held = hold(before, draft, self._clock())
                if held is not None and held.phase != waited:
                    return held
                parts = [self._append(draft, before)]
                new = self._rematch(before, draft, who)
                if new is not None:
                    parts.append(self._append(new, None))
                open_table.in_doubt = True
                if await self._store.append(*parts):
                    open_table.in_doubt = False
                    open_table.table = draft.table
                    break
            else:
                raise Rejected("limit", _("too many people act at this table at once; try again"))
        self._counts["events"] += len(draft.lines)
        open_table.publish()
        self._committed(open_table)
        current = self._open_tables.get(open_table.table.id)
        if current is not None and current is not open_table:  # dropped and read again meanwhile
            self._tasks.start(current.refresh())
        if new is not None:
            self._committed(self._open_tables.keep(new.table))
        return draft.table

    def _append(self, draft: Draft, before: Table | None) -> Append:
        table = draft.table
        may_score = before is None or before.status != "over"
        return Append(
            table.id,
            0 if before is None else before.seq,
            draft.lines,
            summary(table, before),
            self.due(table),
            solo_score(table) if may_score else None,
            self._server if table.bots_to_act else None,
            self._calls(before, table),
            may_score and is_rated(table),
        )

    def _rematch(self, before: Table, draft: Draft, who: Who) -> Draft | None:
        """The first events of the rematch, if that is what was decided."""
        if draft.table.next == before.next:
            return None
        return rematch(before, who, self.circumstances(new_table=draft.table.next))
