"""What happens at tables though no person acts: bots move, and clocks run out."""

from __future__ import annotations

import asyncio
import logging
import math
from collections import Counter
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

from droptable.tables import commands as cmd
from droptable.tables.bot_pool import BotPool
from droptable.tables.committer import HOST, LEASE, Committer
from droptable.tables.database import DatabaseError
from droptable.tables.decide import decide
from droptable.tables.draft import Draft
from droptable.tables.open_tables import OpenTable, OpenTables
from droptable.tables.rejected import Rejected
from droptable.tables.store import Store
from droptable.tables.table import Table
from droptable.tables.tasks import Tasks

RETRY = 0.5  # seconds until what the database refused is tried again
DEAD_SECONDS = 1.0  # without a beat after which others take over a server's tables
log = logging.getLogger(__name__)


class Scheduler:
    """Asks bots as soon as they have to move, and attends to tables that are due."""

    def __init__(
        self,
        store: Store,
        open_tables: OpenTables,
        tasks: Tasks,
        committer: Committer,
        bots: BotPool,
        *,
        clock: Callable[[], float],
        counts: Counter[str],
        server: str,
        pace: float,
        attended: Callable[[OpenTable], bool] = lambda _table: True,
        sleep: Callable[[float], Coroutine[Any, Any, None]] = asyncio.sleep,
    ) -> None:
        """`pace` is how many seconds a bot's move takes at least where only bots play, so that
        those who watch can follow, and where nobody is; `attended` tells whether somebody is at a
        table; `sleep` waits for so long."""
        self._store = store
        self._open_tables = open_tables
        self._tasks = tasks
        self._committer = committer
        self._bots = bots
        self._clock = clock
        self._counts = counts
        self._server = server
        self._beaten = -math.inf
        self._failed: set[str] = set()  # tables that could not be attended to in the last sweep
        self._asked = 0  # bots that think for us now
        self._pace = pace
        self._attended = attended
        self._sleep = sleep

    async def beat(self) -> None:
        """Tell the other servers that this one is alive; a lone server only while bots think."""
        if self._store.is_shared or self._asked or self._beaten < 0:
            now = self._clock()
            await self._store.beat(self._server, now)
            self._beaten = now

    async def retire(self) -> None:
        """Let other servers, or the next start, take over at once."""
        with suppress(DatabaseError):
            await self._store.beat(self._server, 0.0)

    async def sweep(self) -> int:
        """Attend to the tables that are due now: clocks at zero, bots of servers that died.

        Tables are leased, so that of several servers one attends to each. Returns how many.
        """
        now = self._clock()
        tables = [*self._failed, *await self._store.claim_dead(self._server, now - DEAD_SECONDS)]
        self._failed.clear()
        first = await self._store.next_due()
        if first is not None and first <= now:
            tables += await self._store.claim_due(now, now + LEASE)
        for table in tables:
            try:
                await self._attend(await self._open_tables.read(table))
            except Exception:
                self._failed.add(table)  # its lease would let it wait for longer
                self._counts["failures"] += 1
                log.exception("cannot attend to a table")
        return len(tables)

    async def _attend(self, open_table: OpenTable) -> None:
        await open_table.refresh()
        table = await self._commit(open_table, cmd.Tick())
        await self._store.set_due(table.id, table.seq, self._committer.due(table))
        self.ask_bots(open_table)

    def ask_bots(self, open_table: OpenTable) -> None:
        """Ask each bot that has to move, unless it has been asked already."""
        if self._tasks.closing:
            return
        for seat in open_table.table.bots_to_act:
            if seat not in open_table.asked_bots:
                open_table.asked_bots.add(seat)
                self._asked += 1
                self._tasks.start(self._ask_bot(open_table, seat))

    async def _ask_bot(self, open_table: OpenTable, seat: int) -> None:
        """Let a seat's bot move once. The table goes on while it thinks."""
        try:
            with suppress(Rejected):  # the match has gone on meanwhile: the bot is asked again
                await self._bot_move(open_table, seat)
        finally:
            self._asked -= 1
            open_table.asked_bots.discard(seat)
        self.ask_bots(open_table)  # not after an exception: the sweep tries again later

    async def _bot_move(self, open_table: OpenTable, seat: int) -> None:
        table = open_table.table
        if seat not in table.bots_to_act or table.state is None:
            return
        view, seq = table.state.view(seat), table.ledgers[seat].seq
        attended = self._attended(open_table)
        thinking = self._bots.choose(
            (table.id, seat), table.seats[seat].played_by, view, table.owner, attended=attended,
            seed=table.bots_seed,
        )  # fmt: skip
        paced = self._pace > 0 and not (table.voters and attended)
        pause = asyncio.create_task(self._sleep(self._pace)) if paced else None
        try:
            choice = await asyncio.wrap_future(thinking)
            move = cmd.BotMove(seat, choice.token, seq, bool(choice.failure))
            if pause is not None and self._is_noticed(table, seat, choice.token):
                await pause
        finally:
            if pause is not None:
                pause.cancel()
        if self._tasks.closing:
            return
        if choice.failure:
            self._counts["bot failures"] += 1
            if (bot := table.seats[seat].bot) in self._bots.own:
                self._counts[f"failures of {bot}"] += 1
            log.warning("a bot of %s failed: %s", table.settings.game, choice.failure)
        if self._store.is_shared and self._clock() - self._beaten > DEAD_SECONDS:
            await open_table.refresh()  # we hung: another server may have gone on
        await self._insist(open_table, move)

    async def _insist(self, open_table: OpenTable, move: cmd.BotMove) -> None:
        """Commit a bot's move, however long the database fails: as long as this server lives,
        nobody else asks the bot."""
        while not self._tasks.closing:
            try:
                await self._commit(open_table, move)
            except DatabaseError as error:
                self._counts["failures"] += 1
                log.error("cannot store the move of a bot: %s", error)
                await self._sleep(RETRY)
            else:
                return

    @staticmethod
    def _is_noticed(table: Table, seat: int, token: str) -> bool:
        """Whether anybody who looks on, a spectator or the people of a seat, can notice a move."""
        assert table.state is not None
        after = table.state.copy()
        after.apply(seat, token)
        watching = [None, *(s for s, taken in enumerate(table.seats) if taken.people)]
        return any(after.view(viewer) != table.state.view(viewer) for viewer in watching)

    async def _commit(self, open_table: OpenTable, command: cmd.BotMove | cmd.Tick) -> Table:
        def decision(table: Table) -> Draft:
            return decide(table, command, HOST, self._committer.circumstances())

        return await self._committer.commit(open_table, decision)
