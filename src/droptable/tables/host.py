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
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import replace
from typing import Any

from msgspec import Struct

from droptable.bots.characters import CHARACTERS, character_for
from droptable.core.game import Game
from droptable.core.language import _, ngettext
from droptable.core.state import View
from droptable.tables import commands as cmd
from droptable.tables import daily, forgetting, friends, groups, ratings, retention, statistics
from droptable.tables.bot_pool import BotPool
from droptable.tables.bus import Notice
from droptable.tables.calls import Calling, nobody
from droptable.tables.committer import HOST, Committer
from droptable.tables.database import DatabaseError
from droptable.tables.decide import Who, create, decide
from droptable.tables.draft import Draft
from droptable.tables.events import Identity
from droptable.tables.hints import Hints
from droptable.tables.house import LOOK, House
from droptable.tables.inspection import Inspection
from droptable.tables.limits import ChatLimiter, Limits, RateLimiter
from droptable.tables.lobby import is_seated, seats_again
from droptable.tables.lookers import Lookers
from droptable.tables.open_tables import Listener, OpenTable, OpenTables
from droptable.tables.permissions import require_owner
from droptable.tables.presence import REMIND, Presence
from droptable.tables.rejected import Kind, Rejected
from droptable.tables.retention import Keep
from droptable.tables.scheduler import Scheduler
from droptable.tables.settings import Settings, check_name
from droptable.tables.steady_clock import SteadyClock
from droptable.tables.store import Store
from droptable.tables.table import Table
from droptable.tables.tasks import Tasks

log = logging.getLogger(__name__)

SWEEP = 0.3  # seconds between looks for tables that are due
TIDY = 60.0  # seconds between looks for what is to be deleted
REST = 0.2  # seconds between two steps of that
CORRECT = 15.0  # seconds between comparisons of the clock with its reference
PUT_BACK = 86400.0  # seconds from which on a clock was wrong before, rather than put back
PROMPT = 0.25  # seconds within which the reference is worth something
ATTENDED_SECONDS = 60.0  # after a command, in which its sender is taken to be at the table
BEAT = 0.3  # seconds between signs of life to other servers
RATE = 2.0  # seconds between looks for finished matches that ratings follow from
POLL = 0.5  # seconds between looks for what notices have not told of, while they do not arrive
MOST_NAMES = 10_000  # kept in memory
NAME_SECONDS = 30.0  # until one is read again: it may have changed at another server
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
        clock: Callable[[], float] | None = None,
        chance: random.Random | None = None,
        pace: float = 0.0,
        keep: Keep | None = None,
        sleep: Callable[[float], Coroutine[Any, Any, None]] = asyncio.sleep,
        calls: Calling = nobody,
    ) -> None:
        """`pace` is how many seconds a bot's move takes at least where only bots play; people who
        play are shown what happens one after the other by their own clients. `clock` tells the
        time, by default a steady one, and `sleep` waits for so many seconds. `keep` says what is
        deleted after a while, `calls` whom to tell of what happens while they are away."""
        clock = clock or SteadyClock()
        self.store = store
        self.limits = limits or Limits()
        self.id = secrets.token_urlsafe(6)
        self.counts: Counter[str] = Counter()  # for metrics: commands, events, refusals, failures
        self._bots = bots or BotPool(seconds=self.limits.bot_seconds)
        self._hints = Hints(self._bots)
        self._clock = clock
        self._rate = RateLimiter(self.limits)
        self._chat_rate = ChatLimiter(self.limits)
        self._presence = Presence(clock())
        self.lookers = Lookers()
        self.house = House(store)
        self._names: OrderedDict[Identity, tuple[str, float]] = OrderedDict()  # and since when
        self._place_key = b""  # for what places are called
        self._places: dict[str, str] = {}  # what those of late were called
        self._tasks = Tasks(self.counts)
        self._open_tables = OpenTables(store, self.limits.open_tables)
        self._committer = Committer(
            store, self._open_tables, self._tasks, clock=clock,
            chance=chance or random.SystemRandom(), counts=self.counts,
            server=self.id, sleep=sleep, calls=calls, bots=self._bots.own,
            committed=lambda open_table: self._scheduler.ask_bots(open_table),
        )  # fmt: skip
        self._scheduler = Scheduler(
            store, self._open_tables, self._tasks, self._committer, self._bots, clock=clock,
            counts=self.counts, server=self.id, pace=pace, attended=self._attended,
        )  # fmt: skip
        self.inspection = Inspection(store)
        self._keep = keep or Keep()
        self._visits: OrderedDict[Identity, float] = OrderedDict()  # the days of the last ones
        self._started = False

    @property
    def own_bots(self) -> tuple[str, ...]:
        """The bots that this server's host brings, by name."""
        return self._bots.own

    async def start(self) -> None:
        """Listen to other servers, and attend to tables whose bots or clocks are due."""
        loop = asyncio.get_running_loop()

        def receive(notice: Notice) -> None:
            with suppress(RuntimeError):  # the loop is closed: nobody listens any more
                loop.call_soon_threadsafe(self._receive, notice)

        self.store.appended_late = self._appended_late
        self._started = True
        await self.store.bus.start(receive)
        await self._set_clock()
        await self.house.look()
        self._tasks.repeat(self._scheduler.beat, BEAT)
        self._tasks.repeat(self.heed_house, LOOK)
        self._tasks.repeat(self._sample, statistics.SAMPLE)
        self._tasks.repeat(self.sweep, SWEEP)
        self._tasks.repeat(self._correct_clock, CORRECT)
        self._tasks.repeat(self._tidy_up_in_turn, TIDY)
        self._tasks.repeat(self._remind_servers, REMIND)
        self._tasks.repeat(self.inspection.look_again, TIDY)
        self._tasks.start(self.inspection.run())
        self._tasks.repeat(self._poll, POLL)
        self._tasks.repeat(self.rate, RATE)

    async def close(self) -> None:
        """Stop: bots are not waited for (another server, or the next start, asks them again)."""
        self._tasks.closing = True
        await self._tasks.close()
        if self._started:
            await self._scheduler.retire()
        await asyncio.to_thread(self._bots.close)
        await self.store.close()

    async def heed_house(self) -> None:
        """Learn what whoever hosts has done, here or elsewhere."""
        acts = await self.house.look()
        for act in acts:
            self._names.pop(act.identity, None)
        if acts:
            await self._catch_up()
        if any(act.act == "block" for act in acts):
            for open_table in list(self._open_tables.values()):
                open_table.publish()  # sockets of the blocked close

    async def _sample(self) -> None:
        """Remember how much there was to do."""
        people = len(self._presence.people)
        await statistics.sample(self.store, self.id, self._clock(), self.counts["commands"], people)

    async def sweep(self) -> int:
        """Attend to the tables that are due now, and return how many there were."""
        return await self._scheduler.sweep()

    async def _set_clock(self) -> None:
        """Begin with the time that all servers share; a lone one goes on from when it stopped, if
        the machine's clock was put back meanwhile."""
        if not isinstance(self._clock, SteadyClock):
            return
        reference = await self.store.time()
        ahead = 0.0 if self.store.is_shared else await self.store.noted_time() - reference
        if 0.0 < ahead < PUT_BACK:
            log.warning("the clock was put back by %.0f seconds since the last stop", ahead)
            reference += ahead
        self._clock.set(reference)

    async def _correct_clock(self) -> None:
        if isinstance(self._clock, SteadyClock):
            asked = time.monotonic()
            reference = await self.store.time()
            if time.monotonic() - asked < PROMPT:
                self._clock.correct(reference)
            if not self.store.is_shared:
                await self.store.note_time(self._clock())

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
        self.house.admit(identity)
        name = check_name(name)
        await self.store.save_identity(identity, name, self._clock())
        self._names[identity] = name, self._clock()
        if not self._tasks.closing:
            self._tasks.start(self.store.notify_servers(Notice(server=self.id, renamed=identity)))
        return name

    async def rate(self) -> None:
        """Let ratings follow from the matches that were finished since the last time."""
        await ratings.take_over(self.store)
        await ratings.settle(self.store)

    @property
    def moving(self) -> bool:
        """Whether a command of somebody is being carried out."""
        return self._tasks.committing

    @property
    def closing(self) -> bool:
        """Whether the host is about to stop."""
        return self._tasks.closing

    async def who(self, identity: Identity, network: str = "") -> Who:
        """Somebody by identity, and from where; `Rejected` if nobody is known by it, or they are
        blocked."""
        self.house.admit(identity)
        if self._clock() - self._names.get(identity, ("", -NAME_SECONDS))[1] >= NAME_SECONDS:
            name = await self.store.name_of(identity)
            if name is None:
                self._names.pop(identity, None)
                raise Rejected("forbidden", _("you are not known here yet: choose a name first"))
            self._names[identity] = name, self._clock()
        self._names.move_to_end(identity)
        if len(self._names) > MOST_NAMES:
            self._names.popitem(last=False)
        return Who(identity, self._names[identity][0], await self._place_of(network))

    async def _place_of(self, network: str) -> str:
        """What the people at an address have in common, without telling the address."""
        if network and not self._place_key:
            self._place_key = (await self.store.secret("places")).encode()
        if network not in self._places:
            place = network and hmac.digest(self._place_key, network.encode(), "sha256").hex()
            if len(self._places) >= MOST_NAMES:
                self._places.clear()
            self._places[network] = place
        return self._places[network]

    async def visited(self, identity: Identity) -> None:
        """Remember that somebody was here today."""
        today = self._clock() // retention.DAY
        if self._visits.get(identity) != today:
            self._visits[identity] = today
            self._visits.move_to_end(identity)
            if len(self._visits) > MOST_NAMES:
                self._visits.popitem(last=False)
            await retention.visit(self.store, identity, self._clock())

    async def forget(self, identity: Identity) -> None:
        """Delete a person: they leave or resign wherever they sit, and tables forget their name."""
        before: float | None = None
        while page := await self.store.mine(identity, before=before):
            for listed in page:
                await self._leave_for_good(listed.table, identity)
            before = page[-1].updated
        now = self._clock()
        await self.store.write(lambda connection: forgetting.mark(connection, identity, now))
        for shard in self.store.shards:
            await shard.write(lambda connection: forgetting.unsay(connection, identity))
        self._names.pop(identity, None)
        self._tasks.start(self.tidy_up())

    async def _leave_for_good(self, table: str, identity: Identity) -> None:
        who = await self.who(identity)
        open_table = await self._open_tables.read(table)

        def decision(table: Table) -> Draft | None:
            leave = cmd.Leave() if table.status == "waiting" else cmd.Resign()
            return decide(table, leave, who, self._committer.circumstances())

        with suppress(Rejected):  # the match is over, or the seat has resigned already
            await self._committer.commit(open_table, decision, who)

    async def delete_table(self, table: str, identity: Identity) -> None:
        """Delete a table with all its events: its owner may, if no other person sits there."""
        current = (await self._open_tables.read(table)).table
        require_owner(current, await self.who(identity), _("delete it"))
        if current.status == "playing":
            raise Rejected("illegal", _("a match is being played: finish it or resign first"))
        if any(who != identity for seat in current.seats for who in seat.people):
            message = _("other people sit at this table, and it is their match too")
            raise Rejected("forbidden", message)
        await retention.delete_tables(self.store, [table])
        self._open_tables.drop(table)

    async def _tidy_up_in_turn(self) -> None:
        if await retention.claim(self.store, self._clock()):
            await self.tidy_up()

    async def tidy_up(self) -> None:
        """Delete what is too old, and write tables of people anew who were deleted."""
        deleted = 1
        while deleted and not self._tasks.closing:
            deleted, tables, silent = await retention.step(self.store, self._keep, self._clock())
            for table in tables:
                self._open_tables.drop(table)
            for table in silent:
                if table in self._open_tables:
                    await self._open_tables[table].refresh()
            await asyncio.sleep(REST if deleted else 0)
        while not self._tasks.closing:
            rewritten = await forgetting.step(self.store, self._clock())
            if rewritten is None:
                return
            if rewritten in self._open_tables:
                await self._open_tables[rewritten].refresh()
            await asyncio.sleep(REST)

    def present(self, table: str) -> frozenset[Identity]:
        """Who is at a table now, on any server."""
        return self._presence.present(table, self._clock())

    def enter(self, table: str, identity: Identity) -> None:
        """Somebody has connected to a table; call `leave` once for each time."""
        if self._presence.enter(table, identity):
            self._bots.attend(table)
            self._presence_changed(table)

    def leave(self, table: str, identity: Identity) -> None:
        """Somebody has disconnected from a table."""
        if self._presence.leave(table, identity, self._clock()):
            self._presence_changed(table)

    def _attended(self, open_table: OpenTable) -> bool:
        """Whether a person is at a table, or was until a moment ago (some have no socket)."""
        if self._clock() - open_table.last_command < ATTENDED_SECONDS:
            return True
        return bool(self.present(open_table.table.id))

    def _presence_changed(self, table: str) -> None:
        if not self._tasks.closing:
            self._tasks.start(self._notify_presence(table))
        if table in self._open_tables:
            self._open_tables[table].publish()

    async def _notify_presence(self, table: str) -> None:
        here = tuple(sorted(self._presence.here(table)))[:MOST_PRESENT]
        await self.store.notify_servers(Notice(table, server=self.id, present=here))

    # -- tables -----------------------------------------------------------------------------------

    async def create(
        self, identity: Identity, settings: Settings, key: str = "", network: str = ""
    ) -> Table:
        """A new table; `Rejected` if the settings make no sense or the person has too many.

        Idempotent with a key: the same person and key get the table that was made the first time.
        `network` is where the person is (see `ratings`).
        """
        who = await self.who(identity, network)
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

    async def create_daily(self, identity: Identity, game: Game, now: float) -> Table:
        """Somebody's table for today's deal of a game: always the same one, the one try."""
        who = await self.who(identity)
        self._rate.count(identity, self._clock())
        day = daily.day_of(now)
        id_ = await self._table_of(identity, f"daily {day} {game.name}")
        with suppress(Rejected):  # there is none yet
            return await self.table(id_)
        secret = daily.secret_of(await self.store.secret("daily"), day, game.name)
        cast = [character_for(f"daily {day} {game.name} {seat}", [who.name]) for seat in range(8)]
        draft = create(
            daily.settings_of(game), who, self._committer.circumstances(new_table=id_),
            characters=tuple(dict.fromkeys(("", *cast, *CHARACTERS))), daily=day, secret=secret,
        )  # fmt: skip
        await self._committer.create(draft)
        await self.store.write(lambda c: daily.note_try(c, day, game.name, identity, id_))
        return await self.table(id_)

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

    async def command(
        self, table: str, identity: Identity, envelope: cmd.Envelope, network: str = "",
        seat: int | None = None,
    ) -> Answer:  # fmt: skip
        """Carry out a command of somebody at a network, or say why not: each gets an answer.

        Who holds several seats acts for that `seat`.

        Idempotent: a command that was carried out before (the same id from the same person) changes
        nothing more.
        """
        self.counts["commands"] += 1
        seq = 0
        try:
            who = replace(await self.who(identity, network), seat=seat)
            self._rate.count(identity, self._clock())
            open_table = await self._open_tables.read(table)
            seq = _seq(open_table.table, identity, seat)
            if isinstance(envelope.command, cmd.Chat):
                self._chat_rate.count(table, identity, self._clock())
            open_table.last_command = self._clock()
            # A client that goes away does not stop a commit half way.
            return await asyncio.shield(
                self._tasks.commit(self._command(open_table, who, envelope))
            )
        except Rejected as refused:
            self.counts["refusals"] += 1
            if table in self._open_tables:
                seq = _seq(self._open_tables[table].table, identity, seat)
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
        again = isinstance(envelope.command, cmd.Rematch)
        new_table = secrets.token_urlsafe(12) if again else ""

        def decision(table: Table) -> Draft | None:
            if key in table.commands:
                return None
            people = frozenset(i for seat in table.seats for i in seat.people)
            absent = {  # as far as those at other servers would have been heard of
                who: min(seconds, self.store.bus.hears_for(table.id))
                for who, seconds in self._presence.absent(table.id, people, self._clock()).items()
            }
            around = self._committer.circumstances(key, envelope.seq, absent, new_table)
            return decide(table, envelope.command, who, around)

        table = await self._committer.commit(open_table, decision, who)
        if again and table.next:
            await self._sit_down_again(table, who)
            await friends.reserve(self.store, await self.table(table.next), self.now)
            await groups.follow(self.store, table.id, table.next, self.now)
        seq = _seq(table, who.identity, who.seat)
        return Answer(True, seq, envelope.id, table=table.next)

    async def _sit_down_again(self, before: Table, who: Who) -> None:
        """Seat somebody who wants a rematch, and those on the same device, where seats of it are
        reserved for them."""
        rematch = await self._open_tables.read(before.next)
        for wanted in seats_again(before, who):

            def decision(table: Table, wanted: cmd.Join = wanted) -> Draft | None:
                reserved = any(who.identity in seat.reserved for seat in table.seats)
                if not reserved or table.status != "waiting" or is_seated(table, wanted, who):
                    return None
                return decide(table, wanted, who, self._committer.circumstances())

            with suppress(Rejected):  # somebody else was given the seat: they can watch
                await self._committer.commit(rematch, decision, who)

    def count_request(self, key: str) -> None:
        """Count something that somebody asks for; `Rejected` if it is too often."""
        self._rate.count(key, self._clock())

    async def hint(
        self, table: str, identity: Identity, chosen: int | None = None
    ) -> tuple[View, str]:
        """What a good bot would do for somebody now, and the view that it is based on.

        That it was given is an event: others are told, and a solo score does not count.
        """
        self._rate.count(identity, self._clock())
        open_table = await self._open_tables.read(table)
        current = open_table.table
        seat = current.shown_seat(identity, chosen)
        if seat is None:
            raise Rejected("forbidden", _("you have no seat at this table"))
        if not current.hints:
            raise Rejected("forbidden", _("there are no hints at this table"))
        view = None if current.state is None else current.state.view(seat)
        if view is None or current.status != "playing" or seat not in view.to_act:
            raise Rejected("illegal", _("there is nothing for you to decide now"))
        token = await self._hints.token(identity, (table, seat, bytes(view)), view)

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
        if notice.renamed:
            self._names.pop(notice.renamed, None)
        elif notice.present is not None:
            people = frozenset(notice.present)
            self._presence.receive(notice.server, notice.table, people, self._clock())
            if open_table is not None:
                open_table.publish()
        elif notice.asks:
            if self._presence.here(notice.table):
                self._tasks.start(self._notify_presence(notice.table))
        elif not notice.table:
            self._tasks.start(self._catch_up())
        elif not notice.seq:
            self._tasks.start(self._heard_of(notice.table))
        elif open_table is not None and open_table.table.seq < notice.seq:
            self._tasks.start(open_table.refresh())

    async def _heard_of(self, table: str) -> None:
        """From now on notices about a table are heard: find out what came before."""
        await self.store.notify_servers(Notice(table, server=self.id, asks=True))
        if table in self._open_tables:
            await self._open_tables[table].refresh()

    async def _poll(self) -> None:
        if self.store.bus.must_poll():
            await self._catch_up()

    async def _catch_up(self) -> None:
        """Refresh the tables where others have done something."""
        for table, seq in (await self.store.numbers(list(self._open_tables))).items():
            open_table = self._open_tables.get(table)
            if open_table is not None and open_table.table.seq < seq:
                self._tasks.start(open_table.refresh())

    def _appended_late(self, table: str) -> None:
        """Tell of events that were committed after their sender was told of an outage."""
        open_table = self._open_tables.get(table)
        if open_table is not None and not self._tasks.closing:
            self._tasks.start(open_table.refresh())

    async def _remind_servers(self) -> None:
        for table in self._presence.tables:
            await self._notify_presence(table)


def _seq(table: Table, identity: Identity, seat: int | None) -> int:
    return table.ledgers[table.shown_seat(identity, seat)].seq
