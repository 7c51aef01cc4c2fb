"""Tables spread over several databases. They never meet, so each can live in any of them.

What is not by table (people, links, secrets, the coach) lives in the first, the *home* database.
Where a table is follows from its id: databases are ranked for it by a hash (rendezvous hashing).
New tables go to the first in rank; one that is not there was moved, or is older than a database,
or a rematch (which stays with the match before it), and is looked for in the others. The truth is
where its row is: at most one database has it with a positive number (see `relocation`).
"""

from __future__ import annotations

import asyncio
import heapq
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Sequence
from hashlib import blake2b
from typing import TypeVar

from droptable.tables.appends import Append
from droptable.tables.bus import Bus, PostgresBus
from droptable.tables.database import DatabaseError
from droptable.tables.events import Identity, Line
from droptable.tables.integrity import DamagedTable
from droptable.tables.store import Store, Which
from droptable.tables.summary import Listed, Score

log = logging.getLogger(__name__)
T = TypeVar("T")

MOST_PLACES = 100_000  # tables whose database is remembered
PATIENCE = 2.0  # seconds that a list waits for a slow database
SOON = 0.5  # … and whoever must go on attending to the others
AGAIN = (0.0, 0.01, 0.02, 0.05)  # pauses until a table is read again that moved meanwhile
MOVING = (0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8, 0.8)  # pauses until a table that moves has arrived


def ranked(names: Iterable[str], table: str) -> list[int]:
    """The indices of databases in the order in which a table prefers them."""
    weights = [blake2b(f"{name} {table}".encode()).digest() for name in names]
    return sorted(range(len(weights)), key=weights.__getitem__, reverse=True)


class ShardedStore(Store):
    """The store of the home database, which passes what belongs to a table on to its database.

    `Store.method(shard, …)` below is that database's own method: the home database is one of the
    shards, and its own methods are hidden by those of this class.
    """

    def __init__(
        self,
        home: str,
        others: Sequence[Store],
        durability: str = "disk",
        bus: Bus | None = None,
    ) -> None:
        """A home database by its address, and the stores of the others, with the same bus."""
        super().__init__(home, durability, bus)
        if bus is None:
            self.bus = PostgresBus([s.url for s in (self, *others) if s.is_shared])
        self._shards: tuple[Store, ...] = (self, *others)
        self._names: list[str] = []  # of the databases
        self._places: OrderedDict[str, Store] = OrderedDict()
        self._slow: set[asyncio.Task[None]] = set()
        for shard in others:
            shard.appended_late = lambda table: self.appended_late(table)

    @property
    def shards(self) -> Sequence[Store]:
        return self._shards

    async def close(self) -> None:
        await asyncio.gather(*(Store.close(shard) for shard in self._shards))

    # -- where a table is -------------------------------------------------------------------------

    async def shard_of(self, table: str) -> Store:
        place = self._places.get(table)
        return place or await self.find(table)

    async def find(self, table: str) -> Store:
        """Look where a table is now, or where it would be if there were such a table."""
        return (await self._look(table))[0]

    async def _look(self, table: str) -> tuple[Store, int]:
        """Where a table is, and its number there."""
        self._places.pop(table, None)
        first, *others = await self._ranked(table)
        numbers = {first: (await Store.numbers(first, [table])).get(table, 0)}
        if numbers[first] <= 0:
            found = await asyncio.gather(*(Store.numbers(shard, [table]) for shard in others))
            numbers |= {s: n.get(table, 0) for s, n in zip(others, found, strict=True)}
        # A database that a table is leaving has its events until another one has them.
        best = max(numbers, key=lambda shard: (numbers[shard] > 0, numbers[shard] < 0))
        if numbers[best]:
            self._remember(table, best)
        return best, numbers[best]

    def _remember(self, table: str, shard: Store) -> None:
        self._places[table] = shard
        self._places.move_to_end(table)
        if len(self._places) > MOST_PLACES:
            self._places.popitem(last=False)

    async def preferred(self, table: str) -> Store:
        """Where a new table of this id would be."""
        return (await self._ranked(table))[0]

    async def name_of_shard(self, shard: Store) -> str:
        """A name that a database has made up for itself: its address may change."""
        await self._ranked("")
        return self._names[self._shards.index(shard)]

    async def _ranked(self, table: str) -> list[Store]:
        if not self._names:
            names = await asyncio.gather(*(Store.secret(s, "shard") for s in self._shards))
            self._names = list(names)
        return [self._shards[index] for index in ranked(self._names, table)]

    # -- one table --------------------------------------------------------------------------------

    async def append(self, *parts: Append) -> bool:
        """Tables that are appended to together are in one database: a new one joins the other."""
        table = max(parts, key=lambda part: part.after).table
        for pause in MOVING:
            shard = await self.shard_of(table)
            if await Store.append(shard, *parts):
                for part in parts:
                    self._remember(part.table, shard)
                return True
            now, number = await self._look(table)
            if now is shard and number >= 0:
                return False
            await asyncio.sleep(pause)
        raise DatabaseError("the table is being moved to another database")

    async def read_here(self, table: str, after: int) -> tuple[int, list[Line]]:
        if "\0" in table:
            return 0, []
        found: tuple[int, list[Line]] = 0, []
        damaged: DamagedTable | None = None
        for pause in AGAIN:
            shard = await self.shard_of(table)
            try:
                found, damaged = await Store.read_here(shard, table, after), None
            except DamagedTable as error:  # or it was moved while it was read
                damaged = error
            else:
                if found[0] > 0:
                    return found
            now, number = await self._look(table)
            if now is shard and not damaged and (number < 0 or not (number or after)):
                break  # it is leaving, or there is no such table
            await asyncio.sleep(pause)
        if damaged:
            raise damaged
        return found

    async def set_due(self, table: str, seq: int, due_at: float | None) -> None:
        await Store.set_due(await self.shard_of(table), table, seq, due_at)

    async def replace(self, part: Append, seq: int) -> bool:
        return await Store.replace(await self.shard_of(part.table), part, seq)

    # -- all tables -------------------------------------------------------------------------------

    async def numbers(self, tables: Sequence[str]) -> dict[str, int]:
        """Those of tables that are moving are not among them."""
        places: dict[Store, list[str]] = {}
        for table in tables:
            places.setdefault(await self.shard_of(table), []).append(table)
        found = await asyncio.gather(*(Store.numbers(s, some) for s, some in places.items()))
        numbers = {table: seq for some in found for table, seq in some.items() if seq > 0}
        for table in tables:
            if table not in numbers:
                moved = await Store.numbers(await self.find(table), [table])
                numbers |= {table: seq for table, seq in moved.items() if seq > 0}
        return numbers

    async def ids(self) -> list[str]:
        found = await asyncio.gather(*(Store.ids(shard) for shard in self._shards))
        return list(dict.fromkeys(table for some in found for table in some))

    async def public(
        self, which: Which, limit: int = 50, before: float | None = None
    ) -> list[Listed]:
        """Those of databases that do not answer are missing."""
        pages = await self._ask_all(lambda shard: Store.public(shard, which, limit, before))
        return _newest(pages, limit)

    async def mine(
        self, identity: Identity, limit: int = 50, before: float | None = None
    ) -> list[Listed]:
        shards = (Store.mine(shard, identity, limit, before) for shard in self._shards)
        return _newest(await asyncio.gather(*shards), limit)

    async def count_owned(self, identity: Identity) -> int:
        return sum(await self._ask_all(lambda shard: Store.count_owned(shard, identity)))

    async def scores(self, game: str, limit: int = 20, *, identity: Identity = "") -> list[Score]:
        best = await self._ask_all(lambda s: Store.scores(s, game, limit, identity=identity))
        merged = heapq.merge(*best, key=lambda score: (-score.score, score.at))
        return list(merged)[:limit]

    # -- servers ----------------------------------------------------------------------------------

    async def beat(self, server: str, now: float) -> None:
        await self._ask_all(lambda shard: Store.beat(shard, server, now), SOON)

    async def claim_dead(self, server: str, silent_since: float, most: int = 200) -> list[str]:
        claimed = await self._ask_all(
            lambda shard: Store.claim_dead(shard, server, silent_since, most), SOON
        )
        return [table for some in claimed for table in some]

    async def claim_due(self, now: float, until: float, most: int = 200) -> list[str]:
        claimed = await self._ask_all(lambda shard: Store.claim_due(shard, now, until, most), SOON)
        return [table for some in claimed for table in some]

    async def next_due(self) -> float | None:
        dues = await self._ask_all(Store.next_due, SOON)
        return min((due for due in dues if due is not None), default=None)

    async def _ask_all(
        self, ask: Callable[[Store], Awaitable[T]], patience: float = PATIENCE
    ) -> list[T]:
        """The answers of all databases that give one soon: one that is sick harms no other."""
        answers: list[T] = []
        errors: list[DatabaseError] = []

        async def one(shard: Store) -> None:
            try:
                answers.append(await ask(shard))
            except DatabaseError as error:
                errors.append(error)

        asked = {asyncio.create_task(one(shard)) for shard in self._shards}
        _, slow = await asyncio.wait(asked, timeout=patience)
        while not answers and slow:
            _, slow = await asyncio.wait(slow, return_when=asyncio.FIRST_COMPLETED)
        for task in slow:  # kept, so that it is not collected half way
            self._slow.add(task)
            task.add_done_callback(self._slow.discard)
        if errors or slow:
            log.warning("%d of %d databases do not answer", len(errors) + len(slow), len(asked))
        if not answers:
            raise errors[0]
        return list(answers)


def _newest(pages: Iterable[Iterable[Listed]], limit: int) -> list[Listed]:
    """The newest tables of all pages; one that is just moving may be on two."""
    listed = {table.table: table for page in pages for table in page}
    return sorted(listed.values(), key=lambda table: (-table.updated, table.table))[:limit]
