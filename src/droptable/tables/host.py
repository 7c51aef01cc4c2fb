"""A host: keeps tables open, obeys commands, lets bots move and clocks run. For one event loop."""

from __future__ import annotations

import asyncio
import base64
import hmac
import logging
import random
import secrets
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

from msgspec import Struct

from droptable.bots.levels import ADVISER
from droptable.core.language import _, ngettext
from droptable.core.state import View
from droptable.tables import commands as cmd
from droptable.tables.bot_pool import Thinkers
from droptable.tables.bus import Bus, News
from droptable.tables.database import DatabaseError
from droptable.tables.decide import Circumstances, Who, create, decide, rematch
from droptable.tables.draft import Draft
from droptable.tables.events import Identity
from droptable.tables.limits import Limits, Pace
from droptable.tables.open_tables import Listener, OpenTable, OpenTables
from droptable.tables.presence import REMIND, Presence
from droptable.tables.rejected import Kind, Rejected
from droptable.tables.settings import Settings, tidy
from droptable.tables.store import Append, Store
from droptable.tables.summary import solo_score, summary
from droptable.tables.table import Table

log = logging.getLogger(__name__)

LEASE = 20.0  # seconds in which a server sees to a table before another one does
SWEEP = 0.5  # seconds between looks for tables that are due
TRIES = 20  # appends, when others keep being faster
LONGEST_NAME = 30
MOST_NAMES = 10_000
MOST_NEWS = 100  # people in one piece of news: PostgreSQL's have 8000 bytes at most
HOST = Who("", "the host")


class Answer(Struct, frozen=True, omit_defaults=True):
    """What became of a command. `seq` is the sender's, after it; `table` that of a rematch."""

    ok: bool
    seq: int
    id: str = ""
    kind: Kind | None = None
    message: str = ""
    rule: str | None = None
    table: str = ""


class Host:
    """Serves tables to people and bots. Any number of hosts may share a database.

    At PostgreSQL they hear of each other's commits at once. At an SQLite file they are as safe, but
    notice what another process has done only when they act on the same table themselves.
    """

    def __init__(
        self,
        store: Store,
        thinkers: Thinkers | None = None,
        *,
        limits: Limits | None = None,
        clock: Callable[[], float] = time.time,
        chance: random.Random | None = None,
        pace: float = 0.0,
    ) -> None:
        """`pace` is how many seconds a bot takes at least, so that people can follow."""
        self.store = store
        self.limits = limits or Limits()
        self.id = secrets.token_urlsafe(6)
        self.counts: Counter[str] = Counter()  # for metrics: moves, commands, refusals, failures
        self._thinkers = thinkers or Thinkers(seconds=self.limits.bot_seconds)
        self._clock = clock
        self._chance = chance or random.SystemRandom()
        self._pace = pace
        self._paces = Pace(self.limits)
        self._presence = Presence(clock())
        self._open = OpenTables(store, self.limits.open_tables)
        self._names: OrderedDict[Identity, str] = OrderedDict()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._bus: Bus | None = None
        self._closing = False

    async def start(self) -> None:
        """Listen to other servers, and see to tables whose bots or clocks are due."""
        loop = asyncio.get_running_loop()

        def hear(news: News) -> None:
            with suppress(RuntimeError):  # the loop is closed: nobody listens any more
                loop.call_soon_threadsafe(self._hear, news)

        self._bus = await asyncio.to_thread(self.store.bus, hear)
        self._spawn(self._for_ever(self.sweep, SWEEP))
        self._spawn(self._for_ever(self._remind, REMIND))

    async def close(self) -> None:
        """Stop: bots are not waited for (another server, or the next start, asks them again)."""
        self._closing = True
        if self._bus is not None:
            await asyncio.to_thread(self._bus.close)
        tasks = list(self._tasks)
        for task in tasks:
            if task.get_name() != "commit":
                task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.to_thread(self._thinkers.close)
        await self.store.close()

    @property
    def now(self) -> float:
        """The time by the host's clock."""
        return self._clock()

    @property
    def open_tables(self) -> int:
        """How many tables are in memory."""
        return len(self._open)

    # -- people -----------------------------------------------------------------------------------

    async def register(self, identity: Identity, name: str) -> str:
        """Give an identity a name, which is returned as people will see it."""
        name = tidy(name)
        if not 1 <= len(name) <= LONGEST_NAME:
            told = ngettext(
                "the name {name} is not possible; expected 1 to {most} letter",
                "the name {name} is not possible; expected 1 to {most} letters",
                LONGEST_NAME,
            )
            raise Rejected("syntax", told.format(name=repr(name), most=LONGEST_NAME))
        await self.store.save_identity(identity, name, self._clock())
        self._names[identity] = name
        return name

    async def who(self, identity: Identity) -> Who:
        """Somebody by identity; `Rejected` if nobody is known by it."""
        if identity not in self._names:
            name = await self.store.name_of(identity)
            if name is None:
                raise Rejected("forbidden", _("you are not known here yet: choose a name first"))
            self._names[identity] = name
        self._names.move_to_end(identity)
        if len(self._names) > MOST_NAMES:
            self._names.popitem(last=False)
        return Who(identity, self._names[identity])

    def present(self, table: str) -> frozenset[Identity]:
        """Who is at a table now, at any server."""
        return self._presence.present(table, self._clock())

    def enter(self, table: str, identity: Identity) -> None:
        """Somebody has connected to a table; call `leave` once for each time."""
        if self._presence.enter(table, identity):
            self._tell_presence(table)

    def leave(self, table: str, identity: Identity) -> None:
        """Somebody has disconnected from a table."""
        if self._presence.leave(table, identity, self._clock()):
            self._tell_presence(table)

    def _tell_presence(self, table: str) -> None:
        here = tuple(sorted(self._presence.here(table)))[:MOST_NEWS]
        if not self._closing:
            self._spawn(self.store.tell_servers(News(table, server=self.id, present=here)))
        if table in self._open:
            self._open[table].publish()

    # -- tables -----------------------------------------------------------------------------------

    async def create(self, identity: Identity, settings: Settings, key: str = "") -> Table:
        """A new table; `Rejected` if the settings make no sense or the person has too many.

        Who asks again with the same key gets the table that was made the first time.
        """
        who = await self.who(identity)
        self._paces.count(identity, self._clock())
        id_ = await self._table_of(identity, key) if key else secrets.token_urlsafe(12)
        if key:
            with suppress(Rejected):  # there is none yet
                return await self.table(id_)
        if await self.store.count_owned(identity) >= self.limits.tables:
            told = ngettext(
                "you have {count} table that is not over; finish it first",
                "you have {count} tables that are not over; finish one first",
                self.limits.tables,
            )
            raise Rejected("limit", told.format(count=self.limits.tables))
        around = Circumstances(self._clock(), self._chance, new_table=id_)
        draft = create(settings, who, around)
        if not await self.store.append(self._append(draft, None)):
            return await self.table(id_)  # the same was asked twice at once
        opened = self._open.keep(draft.table)
        self._attend(opened)
        return draft.table

    async def _table_of(self, identity: Identity, key: str) -> str:
        """The id of the table that somebody makes with a key: others cannot guess it."""
        secret = await self.store.secret("tables")
        made = hmac.digest(secret.encode(), f"{identity} {key}".encode(), "sha256")
        return base64.urlsafe_b64encode(made[:12]).decode()

    async def table(self, table: str) -> Table:
        """A table as it is committed; `Rejected` if there is none."""
        return (await self._open.read(table)).table

    async def refreshed(self, table: str) -> Table:
        """A table as the store has it now: another server may have told somebody more already."""
        opened = await self._open.read(table)
        await opened.refresh()
        return opened.table

    async def command(self, table: str, identity: Identity, envelope: cmd.Envelope) -> Answer:
        """Obey a command, or say why not. Every command gets an answer.

        A command that was obeyed before (the same id from the same person) changes nothing more.
        """
        self.counts["commands"] += 1
        seq = 0
        try:
            who = await self.who(identity)
            self._paces.count(identity, self._clock())
            opened = await self._open.read(table)
            seq = self._seq(opened.table, identity)
            # A client that goes away does not stop a commit half way.
            commit = self._spawn(self._command(opened, who, envelope), "commit")
            return await asyncio.shield(commit)
        except Rejected as refused:
            self.counts["refusals"] += 1
            if table in self._open:
                seq = self._seq(self._open[table].table, identity)
            return Answer(False, seq, envelope.id, refused.kind, str(refused), refused.rule)
        except DatabaseError as error:
            self.counts["failures"] += 1
            log.error("the database failed: %s", error)
            return Answer(
                False, seq, envelope.id, "outage",
                _("the database does not answer; send the same command again in a moment"),
            )  # fmt: skip

    async def _command(self, opened: OpenTable, who: Who, envelope: cmd.Envelope) -> Answer:
        key = f"{who.identity}:{envelope.id}"

        def choose(table: Table) -> Draft | None:
            if key in table.commands:
                return None
            people = frozenset(i for seat in table.seats for i in seat.people)
            absent = self._presence.absent(table.id, people, self._clock())
            around = self._circumstances(key, envelope.seq, absent)
            return decide(table, envelope.command, who, around)

        table = await self._commit(opened, choose, who)
        return Answer(True, self._seq(table, who.identity), envelope.id, table=table.next)

    async def hint(self, table: str, identity: Identity) -> tuple[View, str]:
        """What a good bot would do for somebody now, and the view that it is based on."""
        self._paces.count(identity, self._clock())
        found = await self.table(table)
        seat = found.seat_of(identity)
        if seat is None:
            raise Rejected("forbidden", _("you do not sit at this table"))
        view = None if found.state is None else found.state.view(seat)
        if view is None or found.status != "playing" or seat not in view.to_act:
            raise Rejected("illegal", _("there is nothing for you to decide now"))
        asked = self._thinkers.choose((f"hint {table}", seat), ADVISER, view)
        return view, (await asyncio.wrap_future(asked)).token

    def subscribe(self, table: str, listener: Listener) -> Callable[[], None]:
        """Be told each time a table (that is open) has changed or people come and go.

        The listener gets the committed table; what a viewer is sent is made from it by `viewer`.
        Returns how to stop.
        """
        opened = self._open[table]
        opened.listeners.add(listener)
        return lambda: opened.listeners.discard(listener)

    # -- inside -----------------------------------------------------------------------------------

    def _spawn(self, work: Coroutine[Any, Any, Any], name: str = "") -> asyncio.Task[Any]:
        task = asyncio.get_running_loop().create_task(work, name=name or "droptable")
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and task.get_name() != "commit":  # whoever waits for a commit sees it
            self.counts["failures"] += 1
            log.error("a task failed: %s: %s", type(error).__name__, error)

    def _circumstances(
        self, key: str = "", seq: int | None = None, absent: dict[Identity, float] | None = None
    ) -> Circumstances:
        fresh = secrets.token_urlsafe(12)
        return Circumstances(self._clock(), self._chance, key, seq, absent or {}, fresh)

    def _seq(self, table: Table, identity: Identity) -> int:
        return table.ledgers[table.seat_of(identity)].seq

    def _append(self, draft: Draft, before: Table | None) -> Append:
        table = draft.table
        ended = before is None or before.status != "over"
        return Append(
            table.id,
            0 if before is None else before.seq,
            draft.lines,
            summary(table, before),
            self._due(table),
            solo_score(table) if ended else None,
        )

    def _due(self, table: Table) -> float | None:
        """When a server has to see to the table, if the one that does so now should die."""
        dues = [table.next_zero, self._clock() + LEASE if table.bots_to_act else None]
        return min((due for due in dues if due is not None), default=None)

    async def _commit(
        self, opened: OpenTable, choose: Callable[[Table], Draft | None], who: Who = HOST
    ) -> Table:
        """Decide, append, and only then publish; again if another server was faster."""
        async with opened.lock:
            for _ in range(TRIES):
                if opened.doubtful and await opened.catch_up():
                    opened.publish()
                before = opened.table
                draft = choose(before)
                if draft is None or not draft.lines:
                    return before
                parts = [self._append(draft, before)]
                new = self._rematch(before, draft, who)
                if new is not None:
                    parts.append(self._append(new, None))
                opened.doubtful = True
                if await self.store.append(*parts):
                    opened.doubtful = False
                    opened.table = draft.table
                    break
            else:
                raise Rejected("limit", _("too many people act at this table at once; try again"))
        self.counts["events"] += len(draft.lines)
        opened.publish()
        self._attend(opened)
        current = self._open.get(opened.table.id)
        if current is not None and current is not opened:  # it was dropped and read again meanwhile
            self._spawn(current.refresh())
        if new is not None:
            self._attend(self._open.keep(new.table))
        return draft.table

    def _rematch(self, before: Table, draft: Draft, who: Who) -> Draft | None:
        if draft.table.next == before.next:
            return None
        around = Circumstances(self._clock(), self._chance, new_table=draft.table.next)
        return rematch(before, who, around)

    # -- news -------------------------------------------------------------------------------------

    def _hear(self, news: News) -> None:
        if self._closing or news.server == self.id:
            return
        opened = self._open.get(news.table)
        if news.present is not None:
            people = frozenset(news.present)
            self._presence.hear(news.server, news.table, people, self._clock())
            if opened is not None:
                opened.publish()
        elif not news.table:
            for other in list(self._open.values()):
                self._spawn(other.refresh())
        elif opened is not None and opened.table.seq < news.seq:
            self._spawn(opened.refresh())

    async def _remind(self) -> None:
        for table in self._presence.tables:
            here = tuple(sorted(self._presence.here(table)))[:MOST_NEWS]
            await self.store.tell_servers(News(table, server=self.id, present=here))

    async def _for_ever(self, work: Callable[[], Coroutine[Any, Any, Any]], every: float) -> None:
        """Do something again and again; what goes wrong once may go well the next time."""
        while True:
            try:
                await work()
            except Exception as error:
                self.counts["failures"] += 1
                log.error("%s failed: %s", work.__name__, type(error).__name__)
            await asyncio.sleep(every)

    # -- bots and clocks --------------------------------------------------------------------------

    async def sweep(self) -> int:
        """See to the tables that are due now: clocks at zero, bots of servers that died."""
        now = self._clock()
        first = await self.store.next_due()
        if first is None or first > now:
            return 0
        tables = await self.store.claim_due(now, now + LEASE)
        for table in tables:
            try:
                await self._see_to(await self._open.read(table))
            except Exception:
                self.counts["failures"] += 1
                log.exception("cannot see to table")
        return len(tables)

    async def _see_to(self, opened: OpenTable) -> None:
        await opened.refresh()
        table = await self._commit(
            opened, lambda t: decide(t, cmd.Tick(), HOST, self._circumstances())
        )
        await self.store.set_due(table.id, table.seq, self._due(table))
        self._attend(opened)

    def _attend(self, opened: OpenTable) -> None:
        """Ask the bots that have to move, each once."""
        if self._closing:
            return
        for seat in opened.table.bots_to_act:
            if seat not in opened.thinking:
                opened.thinking.add(seat)
                self._spawn(self._think(opened, seat))

    async def _think(self, opened: OpenTable, seat: int) -> None:
        """Let a seat's bot move once. While it thinks the table goes on."""
        try:
            with suppress(Rejected):  # the match has gone on meanwhile: the bot is asked again
                await self._bot_move(opened, seat)
        finally:
            opened.thinking.discard(seat)
        self._attend(opened)  # not after an exception: the sweep tries again later

    async def _bot_move(self, opened: OpenTable, seat: int) -> None:
        table = opened.table
        if seat not in table.bots_to_act or table.state is None:
            return
        view, seq = table.state.view(seat), table.ledgers[seat].seq
        asked = self._thinkers.choose((table.id, seat), table.seats[seat].played_by, view)
        choice, _ = await asyncio.gather(asyncio.wrap_future(asked), asyncio.sleep(self._pace))
        if self._closing:
            return
        if choice.failure:
            self.counts["bot failures"] += 1
            log.warning("a bot of %s failed: %s", table.settings.game, choice.failure)
        move = cmd.BotMove(seat, choice.token, seq, bool(choice.failure))
        await self._commit(opened, lambda t: decide(t, move, HOST, self._circumstances()))
