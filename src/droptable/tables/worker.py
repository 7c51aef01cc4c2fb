"""A database connection in a thread; jobs that wait are done in one transaction."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

from droptable.tables.database import Connection, Database

T = TypeVar("T")
MOST_AT_ONCE = 256


class Job(NamedTuple):
    """Work for the database, and the future that gets its result."""

    key: str
    work: Callable[[Connection], Any]
    future: asyncio.Future[Any]


class Outcome(NamedTuple):
    """What came of a job."""

    future: asyncio.Future[Any]
    result: Any = None
    error: BaseException | None = None


class Worker:
    """A thread with one connection, for one event loop.

    Jobs that arrive while it works form the next batch. A batch is one transaction, so many tables
    share one wait for the disk. When a job fails, each job of the batch is done again in its own
    transaction, and only the bad one fails.
    """

    def __init__(self, database: Database, name: str, *, writes: bool) -> None:
        self._database = database
        self._writes = writes
        self._queue: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._connection: Connection | None = None
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    async def do(self, work: Callable[[Connection], T], key: str = "") -> T:
        """Run a job in the next batch. Jobs are done in the order of their keys on every server:
        locking rows in one order avoids deadlocks."""
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._queue.put(Job(key, work, future))
        return await future

    def close(self) -> None:
        """Finish the jobs that wait, then stop."""
        self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        going = True
        while going:
            batch = [self._queue.get()]
            while len(batch) < MOST_AT_ONCE:
                try:
                    batch.append(self._queue.get_nowait())
                except queue.Empty:
                    break
            going = None not in batch
            jobs = [job for job in batch if job and not job.future.cancelled()]
            if jobs:
                outcomes = self._do_all(sorted(jobs, key=lambda job: job.key))
                with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                    jobs[0].future.get_loop().call_soon_threadsafe(_settle, outcomes)
        self._disconnect()

    def _do_all(self, jobs: list[Job]) -> list[Outcome]:
        try:
            return self._transaction(jobs)
        except BaseException as error:
            if len(jobs) == 1:
                return [Outcome(jobs[0].future, error=error)]
            return [outcome for job in jobs for outcome in self._do_all([job])]

    def _transaction(self, jobs: list[Job]) -> list[Outcome]:
        if self._connection is None:
            self._connection = self._database.connect()
        try:
            with self._connection.transaction(writes=self._writes):
                return [Outcome(job.future, job.work(self._connection)) for job in jobs]
        finally:
            if self._connection.broken:
                self._disconnect()

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _settle(outcomes: list[Outcome]) -> None:
    """Set results and errors, in the loop of those who wait."""
    for future, result, error in outcomes:
        if future.cancelled():
            continue
        if error is None:
            future.set_result(result)
        else:
            future.set_exception(error)
