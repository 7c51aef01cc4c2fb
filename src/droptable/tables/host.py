"""A host: people come and go, send commands, and are told what becomes of them.

For one event loop. `committer` makes events durable, `scheduler` lets bots move and clocks run.
"""

from __future__ import annotations

import asyncio
import base64
import hmac
import logging
import random
import secrets
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from contextlib import suppress

from msgspec import Struct

from droptable.bots.levels import ADVISER
from droptable.core.language import _, ngettext
from droptable.core.state import View
from droptable.tables import commands as cmd
from droptable.tables.bot_pool import BotPool
from droptable.tables.bus import Bus, Notice
from droptable.tables.committer import HOST, Committer
from droptable.tables.database import DatabaseError
from droptable.tables.decide import Who, create, decide
from droptable.tables.draft import Draft
from droptable.tables.events import Identity
from droptable.tables.limits import Limits, RateLimiter
from droptable.tables.open_tables import Listener, OpenTable, OpenTables
from droptable.tables.presence import REMIND, Presence
from droptable.tables.rejected import Kind, Rejected
from droptable.tables.scheduler import Scheduler
from droptable.tables.settings import Settings, tidy
from droptable.tables.store import Store
from droptable.tables.table import Table
from droptable.tables.tasks import Tasks

log = logging.getLogger(__name__)

SWEEP = 0.5  # seconds between looks for tables that are due
LONGEST_NAME = 30
MOST_NAMES = 10_000  # kept in memory
MOST_PRESENT = 100  # people in one notice: PostgreSQL's payloads have at most 8000 bytes


class Answer(Struct, frozen=True, omit_defaults=True):
    """What became of a command. `seq` is the sender's after it; `table` is that of a rematch."""

    ok: bool
    seq: int
    id: str = ""
    kind: Kind | None = None
    message: str = ""
    rule: str | None = None
    table: str = ""


class Host:
    """Serves tables to people and bots. Any number of hosts may share a database.

    On PostgreSQL they hear of each other's commits at once. On an SQLite file they are as safe, but
    notice what another process has done only when they act on the same table themselves.
    """

    def __init__(
        self,
        store: Store,
        bots: BotPool | None = None,
        *,
        limits: Limits | None = None,
        clock: Callable[[], float] = time.time,
        chance: random.Random | None = None,
        pace: float = 0.0,
    ) -> None:
        """`pace` is how many seconds a bot's move takes at least where only bots play; people who
        play are shown what happens one after the other by their own clients."""
        self.store = store
        self.limits = limits or Limits()
        self.id = secrets.token_urlsafe(6)
        self.counts: Counter[str] = Counter()  # for metrics: commands, events, refusals, failures
        self._bots = bots or BotPool(seconds=self.limits.bot_seconds)
        self._clock = clock
        self._rate = RateLimiter(self.limits)
        self._presence = Presence(clock())
        self._names: OrderedDict[Identity, str] = OrderedDict()
        self._tasks = Tasks(self.counts)
        self._open_tables = OpenTables(store, self.limits.open_tables)
        self._committer = Committer(
            store, self._open_tables, self._tasks, clock=clock,
            chance=chance or random.SystemRandom(), counts=self.counts,
            committed=lambda open_table: self._scheduler.ask_bots(open_table),
        )  # fmt: skip
        self._scheduler = Scheduler(
            store, self._open_tables, self._tasks, self._committer, self._bots, clock=clock,
            counts=self.counts, pace=pace,
        )  # fmt: skip
        self._bus: Bus | None = None

    async def start(self) -> None:
        """Listen to other servers, and attend to tables whose bots or clocks are due."""
        loop = asyncio.get_running_loop()

        def receive(notice: Notice) -> None:
            with suppress(RuntimeError):  # the loop is closed: nobody listens any more
                loop.call_soon_threadsafe(self._receive, notice)

        self._bus = await asyncio.to_thread(self.store.bus, receive)
        self._tasks.repeat(self.sweep, SWEEP)
        self._tasks.repeat(self._remind_servers, REMIND)

    async def close(self) -> None:
        """Stop: bots are not waited for (another server, or the next start, asks them again)."""
        self._tasks.closing = True
        if self._bus is not None:
            await asyncio.to_thread(self._bus.close)
        await self._tasks.close()
        await asyncio.to_thread(self._bots.close)
        await self.store.close()

    async def sweep(self) -> int:
        """Attend to the tables that are due now, and return how many there were."""
        return await self._scheduler.sweep()

    @property
    def now(self) -> float:
        """The time by the host's clock."""
        return self._clock()

    @property
    def open_tables(self) -> int:
        """How many tables are in memory."""
        return len(self._open_tables)

    # -- people -----------------------------------------------------------------------------------

    async def register(self, identity: Identity, name: str) -> str:
        """Give an identity a name, which is returned as people will see it."""
        name = tidy(name)
        if not name:
            raise Rejected("syntax", _("Please enter a name."))
        if len(name) > LONGEST_NAME:
            message = ngettext(
                "Please enter a shorter name: at most {most} character, not {count}.",
                "Please enter a shorter name: at most {most} characters, not {count}.",
                LONGEST_NAME,
            )
            raise Rejected("syntax", message.format(most=LONGEST_NAME, count=len(name)))
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
        """Who is at a table now, on any server."""
        return self._presence.present(table, self._clock())

    def enter(self, table: str, identity: Identity) -> None:
        """Somebody has connected to a table; call `leave` once for each time."""
        if self._presence.enter(table, identity):
            self._presence_changed(table)

    def leave(self, table: str, identity: Identity) -> None:
        """Somebody has disconnected from a table."""
        if self._presence.leave(table, identity, self._clock()):
            self._presence_changed(table)

    def _presence_changed(self, table: str) -> None:
        if not self._tasks.closing:
            self._tasks.start(self._notify_presence(table))
        if table in self._open_tables:
            self._open_tables[table].publish()

    async def _notify_presence(self, table: str) -> None:
        here = tuple(sorted(self._presence.here(table)))[:MOST_PRESENT]
        await self.store.notify_servers(Notice(table, server=self.id, present=here))

    # -- tables -----------------------------------------------------------------------------------

    async def create(self, identity: Identity, settings: Settings, key: str = "") -> Table:
        """A new table; `Rejected` if the settings make no sense or the person has too many.

        Idempotent with a key: the same person and key get the table that was made the first time.
        """
        who = await self.who(identity)
        self._rate.count(identity, self._clock())
        id_ = await self._table_of(identity, key) if key else secrets.token_urlsafe(12)
        if key:
            with suppress(Rejected):  # there is none yet
                return await self.table(id_)
        if await self.store.count_owned(identity) >= self.limits.tables:
            message = ngettext(
                "you have {count} unfinished table; finish it first",
                "you have {count} unfinished tables; finish one first",
                self.limits.tables,
            )
            raise Rejected("limit", message.format(count=self.limits.tables))
        draft = create(settings, who, self._committer.circumstances(new_table=id_))
        if not await self._committer.create(draft):
            return await self.table(id_)  # the same was asked twice at once
        return draft.table

    async def _table_of(self, identity: Identity, key: str) -> str:
        """The id of the table that somebody makes with a key: others cannot guess it."""
        secret = await self.store.secret("tables")
        digest = hmac.digest(secret.encode(), f"{identity} {key}".encode(), "sha256")
        return base64.urlsafe_b64encode(digest[:12]).decode()

    async def table(self, table: str) -> Table:
        """A table as it is committed; `Rejected` if there is none."""
        return (await self._open_tables.read(table)).table

    async def refreshed(self, table: str) -> Table:
        """A table as the store has it now: another server may have told somebody more already."""
        open_table = await self._open_tables.read(table)
        await open_table.refresh()
        return open_table.table

    async def command(self, table: str, identity: Identity, envelope: cmd.Envelope) -> Answer:
        """Carry out a command, or say why not. Every command gets an answer.

        Idempotent: a command that was carried out before (the same id from the same person) changes
        nothing more.
        """
        self.counts["commands"] += 1
        seq = 0
        try:
            who = await self.who(identity)
            self._rate.count(identity, self._clock())
            open_table = await self._open_tables.read(table)
            seq = _seq(open_table.table, identity)
            # A client that goes away does not stop a commit half way.
            return await asyncio.shield(
                self._tasks.commit(self._command(open_table, who, envelope))
            )
        except Rejected as refused:
            self.counts["refusals"] += 1
            if table in self._open_tables:
                seq = _seq(self._open_tables[table].table, identity)
            return Answer(False, seq, envelope.id, refused.kind, str(refused), refused.rule)
        except DatabaseError as error:
            self.counts["failures"] += 1
            log.error("the database failed: %s", error)
            return Answer(
                False, seq, envelope.id, "outage",
                _("the database does not answer; send the same command again in a moment"),
            )  # fmt: skip

    async def _command(self, open_table: OpenTable, who: Who, envelope: cmd.Envelope) -> Answer:
        key = f"{who.identity}:{envelope.id}"

        def decision(table: Table) -> Draft | None:
            if key in table.commands:
                return None
            people = frozenset(i for seat in table.seats for i in seat.people)
            absent = self._presence.absent(table.id, people, self._clock())
            around = self._committer.circumstances(key, envelope.seq, absent)
            return decide(table, envelope.command, who, around)

        table = await self._committer.commit(open_table, decision, who)
        if isinstance(envelope.command, cmd.Rematch) and table.next:
            await self._sit_down_again(table.next, who)
        return Answer(True, _seq(table, who.identity), envelope.id, table=table.next)

    async def _sit_down_again(self, rematch: str, who: Who) -> None:
        """Seat somebody who wants a rematch where a seat of it is reserved for them."""

        def decision(table: Table) -> Draft | None:
            reserved = any(who.identity in seat.reserved for seat in table.seats)
            if not reserved or table.status != "waiting" or table.seat_of(who.identity) is not None:
                return None
            return decide(table, cmd.Join(), who, self._committer.circumstances())

        with suppress(Rejected):  # somebody else was given the seat: they can watch
            await self._committer.commit(await self._open_tables.read(rematch), decision, who)

    def count_request(self, key: str) -> None:
        """Count something that somebody asks for; `Rejected` if it is too often."""
        self._rate.count(key, self._clock())

    async def hint(self, table: str, identity: Identity) -> tuple[View, str]:
        """What a good bot would do for somebody now, and the view that it is based on.

        That it was given is an event: others are told, and a solo score does not count.
        """
        self._rate.count(identity, self._clock())
        open_table = await self._open_tables.read(table)
        current = open_table.table
        seat = current.seat_of(identity)
        if seat is None:
            raise Rejected("forbidden", _("you have no seat at this table"))
        if not current.hints:
            raise Rejected("forbidden", _("there are no hints at this table"))
        view = None if current.state is None else current.state.view(seat)
        if view is None or current.status != "playing" or seat not in view.to_act:
            raise Rejected("illegal", _("there is nothing for you to decide now"))
        thinking = self._bots.choose((f"hint {table}", seat), ADVISER, view)
        token = (await asyncio.wrap_future(thinking)).token

        def decision(table: Table) -> Draft:
            return decide(table, cmd.GiveHint(seat), HOST, self._committer.circumstances())

        # Who goes away now was given the hint all the same.
        await asyncio.shield(self._tasks.commit(self._committer.commit(open_table, decision)))
        return view, token

    def subscribe(self, table: str, listener: Listener) -> Callable[[], None]:
        """Call a listener each time a table (that is open) has changed or people come and go.

        The listener gets the committed table; `viewer` makes from it what a viewer is sent.
        Returns a function that unsubscribes.
        """
        open_table = self._open_tables[table]
        open_table.listeners.add(listener)
        return lambda: open_table.listeners.discard(listener)

    # -- other servers ----------------------------------------------------------------------------

    def _receive(self, notice: Notice) -> None:
        if self._tasks.closing or notice.server == self.id:
            return
        open_table = self._open_tables.get(notice.table)
        if notice.present is not None:
            people = frozenset(notice.present)
            self._presence.receive(notice.server, notice.table, people, self._clock())
            if open_table is not None:
                open_table.publish()
        elif not notice.table:
            for other in list(self._open_tables.values()):
                self._tasks.start(other.refresh())
        elif open_table is not None and open_table.table.seq < notice.seq:
            self._tasks.start(open_table.refresh())

    async def _remind_servers(self) -> None:
        for table in self._presence.tables:
            await self._notify_presence(table)


def _seq(table: Table, identity: Identity) -> int:
    return table.ledgers[table.seat_of(identity)].seq
