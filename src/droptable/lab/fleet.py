"""One fleet for large work: chunks on this process, on local processes, or on Ray.

    with Fleet() as fleet:
        for index, result in fleet.map(function, chunks):
            ...

A chunk should be about a second of work and carry all that decides its result, so results do not
depend on where it ran. A worker that dies costs only its chunk, which is done again.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeVar

from droptable.core.cpu import usable_cores
from droptable.core.errors import DroptableError, OptionError
from droptable.core.match import check_count

Chunk = TypeVar("Chunk")
Result = TypeVar("Result")

AHEAD = 2  # chunks per worker: while one is being done, the next one is there
TRIES = 4  # of a chunk whose worker dies
RAY = "ray"
LOCAL = "local"


class Crew(Protocol):
    """Workers: whoever does chunks for a fleet."""

    workers: int
    ahead: int  # chunks per worker that are handed out before results are back

    def start(self, function: Callable[[Any], Any], chunk: Any) -> Any:
        """Begin a chunk; returns a ticket."""

    def finished(self, tickets: list[Any]) -> list[tuple[Any, Any]]:
        """Wait for one of these tickets or more; each with its result, or `LOST`."""

    def close(self) -> None:
        """Let the workers go, whatever they are doing."""


LOST = object()  # instead of a result: the worker died


class Fleet(AbstractContextManager["Fleet"]):
    """Workers for chunks.

    `on` is None or "local" for processes of this machine (one worker: this process), "ray" for Ray
    on this machine or the cluster that it finds, or "ray://host:port". Where `on` is None and
    `$RAY_ADDRESS` is set, that cluster is used. `workers` is how many work at once; by default, one
    per core.
    """

    def __init__(self, on: str | None = None, workers: int | None = None) -> None:
        if workers is not None:
            check_count("workers", workers)
        where = on or (RAY if os.environ.get("RAY_ADDRESS") else LOCAL)
        if where != LOCAL and where != RAY and not where.startswith("ray://"):
            raise OptionError(f"on is {on!r}; expected 'local', 'ray' or 'ray://HOST:PORT'")
        self.where = where
        self._wanted = workers
        self._crew: Crew | None = None
        self.repeated = 0  # chunks that were done again because a worker had died

    @property
    def crew(self) -> Crew:
        """Its workers, who are called when they are first needed."""
        if self._crew is None:
            if self.where == LOCAL:
                wanted = self._wanted or usable_cores()
                self._crew = Here() if wanted == 1 else Processes(wanted)
            else:
                from droptable.lab.ray_crew import RayCrew

                self._crew = RayCrew(self.where, self._wanted)
        return self._crew

    @property
    def workers(self) -> int:
        """How many chunks are done at once."""
        return self.crew.workers

    def map(
        self, function: Callable[[Chunk], Result], chunks: Iterable[Chunk]
    ) -> Iterator[tuple[int, Result]]:
        """The index and the result of each chunk, in the order in which they are finished.

        `function` must be found by its name in its module, chunks and results must be picklable.
        Chunks are taken only shortly before they are done, so an iterator can decide by results
        that have come whether there are more. What a function raises is raised here. After Ctrl-C
        the results that were given out are all there is, and nothing runs on.
        """
        crew = self.crew
        waiting = enumerate(chunks)
        running: dict[Any, tuple[int, Chunk, int]] = {}
        try:
            while True:
                while len(running) < crew.ahead * crew.workers:
                    fresh = next(waiting, None)
                    if fresh is None:
                        break
                    running[crew.start(function, fresh[1])] = (*fresh, 1)
                if not running:
                    return
                for ticket, result in crew.finished(list(running)):
                    index, chunk, tries = running.pop(ticket)
                    if result is LOST:
                        if tries == TRIES:
                            raise DroptableError(
                                f"{TRIES} workers died while they did chunk {index}: {chunk!r}"
                            )
                        self.repeated += 1
                        running[crew.start(function, chunk)] = (index, chunk, tries + 1)
                    else:
                        yield index, result
        finally:
            if running:  # interrupted, or not wanted any more
                self.close()

    def close(self) -> None:
        """Let the workers go; they come back if there is more to do."""
        if self._crew is not None:
            self._crew.close()
            self._crew = None

    def __exit__(self, *_: object) -> None:
        self.close()


class Here:
    """This process, one chunk after the other."""

    workers = 1
    ahead = AHEAD

    def __init__(self) -> None:
        self._waiting: dict[int, tuple[Callable[[Any], Any], Any]] = {}
        self._tickets = 0

    def start(self, function: Callable[[Any], Any], chunk: Any) -> int:
        self._tickets += 1
        self._waiting[self._tickets] = function, chunk
        return self._tickets

    def finished(self, tickets: list[int]) -> list[tuple[int, Any]]:
        ticket = min(tickets)
        function, chunk = self._waiting.pop(ticket)
        return [(ticket, function(chunk))]

    def close(self) -> None:
        self._waiting.clear()


class Processes:
    """Processes of this machine, each with a queue of its own: if one dies, the others go on."""

    ahead = AHEAD

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._pools = [_new_process() for _ in range(workers)]
        self._given: dict[Future[Any], int] = {}  # which process does it

    def start(self, function: Callable[[Any], Any], chunk: Any) -> Future[Any]:
        given = list(self._given.values())
        idle = min(range(self.workers), key=given.count)
        try:
            future = self._pools[idle].submit(function, chunk)
        except BrokenProcessPool:
            self._pools[idle].shutdown(wait=False)
            self._pools[idle] = _new_process()
            future = self._pools[idle].submit(function, chunk)
        self._given[future] = idle
        return future

    def finished(self, tickets: list[Future[Any]]) -> list[tuple[Future[Any], Any]]:
        done, _ = wait(tickets, return_when=FIRST_COMPLETED)
        for future in done:
            del self._given[future]
        return [
            (future, LOST if isinstance(future.exception(), BrokenProcessPool) else future.result())
            for future in done
        ]

    def close(self) -> None:
        for pool in self._pools:
            processes = list((getattr(pool, "_processes", None) or {}).values())
            pool.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.terminate()


def _new_process() -> ProcessPoolExecutor:
    context = multiprocessing.get_context("spawn")  # threads of Numba do not survive a fork
    return ProcessPoolExecutor(1, mp_context=context, initializer=begin_worker)


def begin_worker() -> None:
    """Leave Ctrl-C to the parent, and end when it has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_follow_parent, daemon=True).start()


def _follow_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
