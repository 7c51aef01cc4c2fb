"""A database in a thread of its own; all that waits for it is done in one transaction."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from droptable.core.errors import OptionError

T = TypeVar("T")
Work = Callable[[Connection], Any]
MOST_AT_ONCE = 256
BUSY = 30.0  # seconds that SQLite waits for another process
# What a commit waits for: the disk (nothing is lost even if the power fails), or the operating
# system (nothing is lost if the server dies; the last moments may be if the machine does).
SQLITE_SYNC = {"disk": "FULL", "system": "NORMAL"}
POSTGRES_OPTIONS = {"disk": {}, "system": {"options": "-c synchronous_commit=off"}}


def connect(url: str, durability: str = "disk") -> Engine:
    """The database of a URL: `postgresql://…`, `sqlite:///…`, or the path of an SQLite file."""
    if durability not in SQLITE_SYNC:
        known = " or ".join(SQLITE_SYNC)
        raise OptionError(f"there is no durability {durability!r}; expected {known}")
    if url.startswith(("postgresql://", "postgres://")):
        address = "postgresql+psycopg://" + url.partition("://")[2]
        return create_engine(
            address, poolclass=NullPool, hide_parameters=True,  # they are secrets
            connect_args=POSTGRES_OPTIONS[durability],
        )  # fmt: skip
    path = Path(url.removeprefix("sqlite:///")).expanduser()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o600)  # it holds secrets: nobody else reads it
    engine = create_engine(
        f"sqlite:///{path}", poolclass=NullPool, hide_parameters=True,
        connect_args={"timeout": BUSY},
    )  # fmt: skip
    event.listen(engine, "connect", partial(_set_up_sqlite, SQLITE_SYNC[durability]))
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _set_up_sqlite(sync: str, connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # transactions begin where we say, not where the driver does
    for pragma in ("journal_mode=WAL", f"synchronous={sync}", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    # A writer takes its lock at once: no transaction ever has to start again half way.
    writes = connection.get_execution_options().get("droptable_writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


class Worker:
    """A thread with one connection. What is asked of it while it works is then done together.

    A batch is one transaction, so many tables share one wait for the disk. When something in a
    batch fails, each part is done again in a transaction of its own, and only the bad one fails.
    """

    def __init__(self, engine: Engine, name: str, *, writes: bool) -> None:
        self._engine = engine
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
            if isinstance(error, DBAPIError) and error.connection_invalidated:
                self._hang_up()
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
            options = {"droptable_writes": self._writes}
            self._connection = self._engine.connect().execution_options(**options)
        with self._connection.begin():
            return [work(self._connection) for work in works]

    def _hang_up(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
