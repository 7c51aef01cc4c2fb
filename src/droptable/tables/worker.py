"""A database in a thread of its own; all that waits for it is done in one transaction."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from droptable.tables.database import Connection, Database

T = TypeVar("T")
Work = Callable[[Connection], Any]
MOST_AT_ONCE = 256


class Worker:
    """A thread with one connection. What is asked of it while it works is then done together.

    A batch is one transaction, so many tables share one wait for the disk. When something in a
    batch fails, each part is done again in a transaction of its own, and only the bad one fails.
    """

    def __init__(self, database: Database, name: str, *, writes: bool) -> None:
        self._database = database
        self._writes = writes
        self._queue: queue.SimpleQueue[tuple[str, Work, Future[Any]] | None] = queue.SimpleQueue()
        self._connection: Connection | None = None
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def submit(self, work: Callable[[Connection], T], key: str = "") -> Future[T]:
        """Do this soon. Parts of a batch are done in the order of their keys, the same everywhere:
        servers that lock rows in one order cannot block each other."""
        future: Future[T] = Future()
        self._queue.put((key, work, future))
        return future

    def close(self) -> None:
        """Finish what was asked for, then stop."""
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
            jobs = [job for job in batch if job and job[2].set_running_or_notify_cancel()]
            self._do_all(sorted(jobs, key=lambda job: job[0]))
        self._hang_up()

    def _do_all(self, jobs: list[tuple[str, Work, Future[Any]]]) -> None:
        if not jobs:
            return
        try:
            results = self._transaction([work for _, work, _ in jobs])
        except BaseException as error:
            if len(jobs) == 1:
                jobs[0][2].set_exception(error)
                return
            for job in jobs:
                self._do_all([job])
            return
        for (_, _, future), result in zip(jobs, results, strict=True):
            future.set_result(result)

    def _transaction(self, works: list[Work]) -> list[Any]:
        if self._connection is None:
            self._connection = self._database.connect()
        try:
            with self._connection.transaction(writes=self._writes):
                return [work(self._connection) for work in works]
        finally:
            if self._connection.broken:
                self._hang_up()

    def _hang_up(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
