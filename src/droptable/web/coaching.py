"""Matches judged by the coach, a few at a time, while the server goes on serving."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import structlog

from droptable.bots.coach import Decision, analyse
from droptable.bots.precompile import bots_ready
from droptable.core import precompile
from droptable.core.contract import DEALER
from droptable.core.game import Game
from droptable.core.language import _
from droptable.core.record import Record
from droptable.tables.rejected import Rejected

BUDGET = 60.0  # seconds for a match, about
SHORTEST, LONGEST = 0.02, 0.4  # seconds for a decision
PLAIN_ITERATIONS = 12  # for a decision, where nothing is ever compiled
PATIENCE, POLL = 600.0, 0.5  # seconds until a game must be ready, and between two looks
POLITENESS = 10  # tables are served first
AT_ONCE, MOST_WAITING = 2, 8  # matches: a game that is being compiled shall not hold up another
FINISHED = ("done", "failed")
log = structlog.get_logger()


class _Stopped(Exception):
    """The server shuts down."""


class Coaching:
    """The analysis of one match: how far it is, and what was found so far."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.status = "waiting"  # preparing, running, done, failed
        self.progress = 0.0
        self.decisions: list[Decision] = []  # a seat's whole match at a time; only ever grows

    def about(self) -> dict[str, Any]:
        """Where it stands."""
        return {"status": self.status, "progress": round(self.progress, 3)}


class Coaches:
    """Judges matches in threads of its own; searching lets other threads run."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(AT_ONCE, "coach")
        self._stop = threading.Event()
        self._open: list[Coaching] = []

    def start(self, record: Record, first: int | None = None) -> Coaching:
        """Begin, or queue; the seat `first` is judged before the others."""
        self._open = [other for other in self._open if other.status not in FINISHED]
        if len(self._open) >= MOST_WAITING:
            told = _("the coach is busy with other matches: try again in a minute")
            raise Rejected("limit", told)
        coaching = Coaching(record)
        self._open.append(coaching)
        self._pool.submit(self._run, coaching, first)
        return coaching

    def close(self) -> None:
        """Stop what is under way."""
        self._stop.set()
        self._pool.shutdown(cancel_futures=True)

    def _run(self, coaching: Coaching, first: int | None) -> None:
        try:
            self._judge(coaching, first)
            coaching.status = "done"
        except _Stopped:
            coaching.status = "failed"
        except Exception as error:
            coaching.status = "failed"
            log.exception("coach", game=coaching.record.game.name, error=str(error))

    def _judge(self, coaching: Coaching, first: int | None) -> None:
        with suppress(OSError, AttributeError):  # not every system has priorities of threads
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), POLITENESS)
        record = coaching.record
        coaching.status = "preparing"
        self._prepare(record.game)
        coaching.status = "running"
        seats = sorted(range(record.players), key=lambda seat: (seat != first, seat))
        limits = _limits(record)
        for done, seat in enumerate(seats):

            def progress(number: int, total: int, done: int = done) -> None:
                if self._stop.is_set():
                    raise _Stopped
                coaching.progress = (done + number / max(total, 1)) / len(seats)

            analysis = analyse(record, seats=[seat], progress=progress, **limits)
            coaching.decisions += analysis.decisions

    def _prepare(self, game: Game) -> None:
        """Wait until searching this game is quick, but not for ever: others wait as well."""
        for _try in range(round(PATIENCE / POLL)):
            if precompile.policy() == "never" or bots_ready(game):
                return
            if self._stop.wait(POLL):
                raise _Stopped
        raise TimeoutError(f"{game.name} was not compiled within {PATIENCE} seconds")


def _limits(record: Record) -> dict[str, Any]:
    """How long each decision is searched, so that a long match does not take for ever."""
    if precompile.policy() == "never":
        return {"iterations": PLAIN_ITERATIONS}
    decisions = sum(actor != DEALER for actor, _ in record.events)
    return {"seconds": min(LONGEST, max(SHORTEST, BUDGET / max(decisions, 1)))}
