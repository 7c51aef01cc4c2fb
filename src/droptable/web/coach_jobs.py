"""The coach as jobs: a few matches at a time, while the server goes on serving."""

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

BUDGET = 60.0  # seconds per match, roughly
SHORTEST, LONGEST = 0.02, 0.4  # seconds per decision
PLAIN_ITERATIONS = 12  # per decision, where nothing is ever compiled
PATIENCE, POLL = 600.0, 0.5  # seconds until a game must be compiled, and between two checks
NICENESS = 10  # tables are served first
AT_ONCE, MOST_WAITING = 2, 8  # jobs: a game that is being compiled does not hold up another
FINISHED = ("done", "failed")
log = structlog.get_logger()


class _Stopped(Exception):
    """The server shuts down."""


class CoachJob:
    """The analysis of one match: its progress, and the decisions judged so far."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.status = "waiting"  # preparing, running, done, failed
        self.progress = 0.0
        self.decisions: list[Decision] = []  # a seat's whole match at a time; only ever grows

    def about(self) -> dict[str, Any]:
        """Status and progress, for JSON."""
        return {"status": self.status, "progress": round(self.progress, 3)}


class CoachPool:
    """Runs jobs in threads of its own; the search releases the interpreter lock."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(AT_ONCE, "coach")
        self._stop = threading.Event()
        self._unfinished: list[CoachJob] = []

    def start(self, record: Record, first: int | None = None) -> CoachJob:
        """Start or queue a job; the seat `first` is judged before the others."""
        self._unfinished = [job for job in self._unfinished if job.status not in FINISHED]
        if len(self._unfinished) >= MOST_WAITING:
            busy = _("the coach is busy with other matches: try again in a minute")
            raise Rejected("limit", busy)
        job = CoachJob(record)
        self._unfinished.append(job)
        self._pool.submit(self._run, job, first)
        return job

    def close(self) -> None:
        """Stop all jobs."""
        self._stop.set()
        self._pool.shutdown(cancel_futures=True)

    def _run(self, job: CoachJob, first: int | None) -> None:
        try:
            self._judge(job, first)
            job.status = "done"
        except _Stopped:
            job.status = "failed"
        except Exception as error:
            job.status = "failed"
            log.exception("coach", game=job.record.game.name, error=str(error))

    def _judge(self, job: CoachJob, first: int | None) -> None:
        with suppress(OSError, AttributeError):  # not every system has thread priorities
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
        record = job.record
        job.status = "preparing"
        self._wait_until_compiled(record.game)
        job.status = "running"
        seats = sorted(range(record.players), key=lambda seat: (seat != first, seat))
        limits = _limits(record)
        for done, seat in enumerate(seats):

            def progress(number: int, total: int, done: int = done) -> None:
                if self._stop.is_set():
                    raise _Stopped
                job.progress = (done + number / max(total, 1)) / len(seats)

            analysis = analyse(record, seats=[seat], progress=progress, **limits)
            job.decisions += analysis.decisions

    def _wait_until_compiled(self, game: Game) -> None:
        """Wait until this game can be searched fast, but not forever: other jobs wait as well."""
        for _attempt in range(round(PATIENCE / POLL)):
            if precompile.policy() == "never" or bots_ready(game):
                return
            if self._stop.wait(POLL):
                raise _Stopped
        raise TimeoutError(f"{game.name} was not compiled within {PATIENCE} seconds")


def _limits(record: Record) -> dict[str, Any]:
    """How long each decision is searched: a long match gets less time per decision."""
    if precompile.policy() == "never":
        return {"iterations": PLAIN_ITERATIONS}
    decisions = sum(actor != DEALER for actor, _ in record.events)
    return {"seconds": min(LONGEST, max(SHORTEST, BUDGET / max(decisions, 1)))}
