"""Tasks that run in the background of an event loop, each kept alive, logged when it fails."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Coroutine
from typing import Any

log = logging.getLogger(__name__)


class Tasks:
    """The background tasks of one host. Failures are counted as `failures`."""

    def __init__(self, counts: Counter[str]) -> None:
        self.closing = False
        self._counts = counts
        self._running: set[asyncio.Task[Any]] = set()
        self._commits: set[asyncio.Task[Any]] = set()

    @property
    def committing(self) -> bool:
        """Whether something runs that must not stop half way."""
        return bool(self._commits)

    def start(self, work: Coroutine[Any, Any, Any]) -> None:
        """Run something that nobody waits for; it is cancelled when the host closes."""
        task = asyncio.get_running_loop().create_task(work)
        self._running.add(task)
        task.add_done_callback(self._done)

    def commit(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Run something that must not stop half way; whoever waits for it sees its failure."""
        task = asyncio.get_running_loop().create_task(work)
        self._commits.add(task)
        task.add_done_callback(self._committed)
        return task

    def repeat(self, work: Callable[[], Coroutine[Any, Any, Any]], every: float) -> None:
        """Do something every so many seconds; what fails once is tried again the next time."""
        self.start(self._repeat(work, every))

    async def close(self) -> None:
        """Let commits finish, and cancel everything else."""
        self.closing = True
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, *self._commits, return_exceptions=True)

    async def _repeat(self, work: Callable[[], Coroutine[Any, Any, Any]], every: float) -> None:
        while True:
            try:
                await work()
            except Exception as error:
                self._counts["failures"] += 1
                log.error("%s failed: %s", work.__name__, type(error).__name__)
            await asyncio.sleep(every)

    def _committed(self, task: asyncio.Task[Any]) -> None:
        self._commits.discard(task)
        if not task.cancelled():
            task.exception()  # seen, even if whoever waited has gone away

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self._counts["failures"] += 1
            log.error("a task failed: %s: %s", type(error).__name__, error)
