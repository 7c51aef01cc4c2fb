"""A database connection in a thread; jobs that wait are done in one transaction."""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from enum import Enum
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from droptable.tables.database import Connection, Database, DatabaseError

T = TypeVar("T")
MOST_AT_ONCE = 256
DEADLINE = 4.0  # seconds after which whoever waits is told that the database does not answer
HOLD_SECONDS = 0.02  # before a job is tried again that could not be done yet
Together: TypeAlias = Callable[[Connection, list[Any]], list[Any]]


class _Later(Enum):
    LATER = "later"


Later: TypeAlias = Literal[_Later.LATER]
LATER = _Later.LATER  # the result of a job that cannot be done now: it is tried again


class Job(NamedTuple):
    """Work for the database: those of a batch that are done by the same function are done by one
    call of it. `late` gets a result that came when nobody waited any more."""

    key: str
    together: Together
    item: Any
    future: asyncio.Future[Any]
    late: Callable[[Any], None] | None = None


class Outcome(NamedTuple):
    """What came of a job."""

    job: Job
    result: Any = None
    error: BaseException | None = None


class Worker:
    """A thread with one connection, for one event loop.

    Jobs that arrive while it works form the next batch. A batch is one transaction, so many tables
    share one wait for the disk. When a job fails, each job of the batch is done again in its own
    transaction, and only the bad one fails. Nobody waits longer than `deadline` seconds; what
    hangs then is broken off, so that the next batch gets a new connection.
    """

    def __init__(
        self,
        database: Database,
        name: str,
        *,
        writes: bool,
        rolled_back: Callable[[], None] = lambda: None,
        deadline: float = DEADLINE,
    ) -> None:
        """`rolled_back` is called in the thread after each transaction that failed."""
        self._database = database
        self._writes = writes
        self._rolled_back = rolled_back
        self._deadline = deadline
        self._queue: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._held: list[Job] = []
        self._connection: Connection | None = None
        self._busy_since: float | None = None
        self.last_success = time.monotonic()  # the start of the last transaction that worked
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    async def do(self, work: Callable[[Connection], T], key: str = "") -> T:
        """Run a job in the next batch. Jobs are done in the order of their keys on every server:
        locking rows in one order avoids deadlocks."""
        result: T = await self.do_together(_one_by_one, work, key)
        return result

    async def do_together(
        self,
        together: Together,
        item: Any,
        key: str = "",
        late: Callable[[Any], None] | None = None,
    ) -> Any:
        """Run a job with all others of the next batch that have the same function, `together`."""
        if self._stuck:
            raise self._no_answer()
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()
        alarm = loop.call_later(self._deadline, self._expire, future)
        self._queue.put(Job(key, together, item, future, late))
        try:
            return await future
        finally:
            alarm.cancel()

    def close(self) -> None:
        """Finish the jobs that wait, then stop; what hangs is broken off."""
        self._queue.put(None)
        self._thread.join(self._deadline)
        if self._thread.is_alive():
            self._abort()
            self._thread.join(self._deadline)

    @property
    def _stuck(self) -> bool:
        since = self._busy_since
        return since is not None and time.monotonic() - since > self._deadline

    def _no_answer(self) -> DatabaseError:
        return DatabaseError(f"no answer within {self._deadline:g} seconds")

    def _expire(self, future: asyncio.Future[Any]) -> None:
        if not future.done():
            future.set_exception(self._no_answer())
        if self._stuck:
            self._abort()

    def _abort(self) -> None:
        connection = self._connection
        if connection is not None:
            connection.abort()

    def _run(self) -> None:
        going = True
        while going:
            batch = self._next_batch()
            going = None not in batch
            waiting = [job for job in (*self._held, *batch) if job and not job.future.done()]
            self._held = []
            if waiting:
                self._busy_since = time.monotonic()
                outcomes = self._do_all(sorted(waiting, key=lambda job: job.key))
                self._busy_since = None
                self._held = [o.job for o in outcomes if o.result is LATER]
                done = [o for o in outcomes if o.result is not LATER]
                with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                    waiting[0].future.get_loop().call_soon_threadsafe(_settle, done)
        self._disconnect()

    def _next_batch(self) -> list[Job | None]:
        """The jobs that wait; if there are none, the first that comes."""
        batch: list[Job | None] = []
        with suppress(queue.Empty):
            batch.append(self._queue.get(timeout=HOLD_SECONDS if self._held else None))
            while len(batch) < MOST_AT_ONCE:
                batch.append(self._queue.get_nowait())
        return batch

    def _do_all(self, jobs: list[Job]) -> list[Outcome]:
        try:
            return self._transaction(jobs)
        except BaseException as error:
            self._rolled_back()
            if len(jobs) == 1:
                return [Outcome(jobs[0], error=error)]
            return [outcome for job in jobs for outcome in self._alone(job)]

    def _alone(self, job: Job) -> list[Outcome]:
        """A job of a batch that failed; not if nobody waits for it any more."""
        return [] if job.future.done() else self._do_all([job])

    def _transaction(self, jobs: list[Job]) -> list[Outcome]:
        started = time.monotonic()
        if self._connection is None:
            self._connection = self._database.connect()
        groups: dict[Together, list[Job]] = {}
        for job in jobs:
            groups.setdefault(job.together, []).append(job)
        outcomes: list[Outcome] = []
        try:
            with self._connection.transaction(writes=self._writes):
                for together, group in groups.items():
                    results = together(self._connection, [job.item for job in group])
                    outcomes += map(Outcome, group, results)
        finally:
            if self._connection.broken:
                self._disconnect()
        self.last_success = started
        return outcomes

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _one_by_one(connection: Connection, works: list[Callable[[Connection], Any]]) -> list[Any]:
    return [work(connection) for work in works]


def _settle(outcomes: list[Outcome]) -> None:
    """Set results and errors, in the loop of those who wait."""
    for job, result, error in outcomes:
        if job.future.done():
            if error is None and job.late is not None:
                job.late(result)
        elif error is None:
            job.future.set_result(result)
        else:
            job.future.set_exception(error)
