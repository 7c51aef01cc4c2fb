"""Threads that wait for work and share it.

A step of a vector environment may take a tenth of a millisecond, so handing it out must be cheap:
two queues do it, without the futures of an executor.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

Work = Callable[..., None]  # called with the thread's number, from 0, and what `share` was given


class ThreadTeam:
    """The calling thread, number 0, and others that live as long as the team does."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._done: SimpleQueue[BaseException | None] = SimpleQueue()
        self._orders: list[SimpleQueue[Any]] = [SimpleQueue() for _ in range(size - 1)]
        for number, orders in enumerate(self._orders, 1):
            arguments = (number, orders, self._done)
            threading.Thread(target=_serve, args=arguments, daemon=True).start()
        self.dismiss = weakref.finalize(self, _dismiss, self._orders)

    def share(self, work: Work, *more: Any) -> None:
        """Call `work` in every thread and wait for all; an error in one of them is raised here."""
        if not self.dismiss.alive:
            raise RuntimeError("this was closed: its threads have ended")
        for orders in self._orders:
            orders.put((work, more))
        try:
            work(0, *more)
        finally:
            errors = [error for _ in self._orders if (error := self._done.get())]
        if errors:
            raise errors[0]


def _serve(number: int, orders: SimpleQueue[Any], done: SimpleQueue[BaseException | None]) -> None:
    while order := orders.get():
        work, more = order
        error = None
        try:
            work(number, *more)
        except BaseException as raised:
            error = raised
        del order, work, more  # they keep the team's owner alive
        done.put(error)


def _dismiss(orders: list[SimpleQueue[Any]]) -> None:
    for queue in orders:
        queue.put(None)
