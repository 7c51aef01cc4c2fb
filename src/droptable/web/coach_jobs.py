"""The coach as jobs: a few matches at a time, while the server goes on serving."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, fields
from typing import Any

import structlog

from droptable.bots.coach import Analysis, Decision, analyse_within
from droptable.bots.precompile import bots_ready
from droptable.core import precompile
from droptable.core.game import Game
from droptable.core.language import _
from droptable.core.record import Record
from droptable.tables.rejected import Rejected

BUDGET = 13.0  # seconds per match, roughly
PLAIN_ITERATIONS = 8  # per search, where nothing is ever compiled
FORMAT = 1  # of an analysis that is kept; one of another format is made anew
PATIENCE, POLL = 600.0, 0.2  # seconds until a game must be compiled, and between two checks
NICENESS = 10  # tables are served first
AT_ONCE, MOST_WAITING = 2, 8  # jobs: a game that is being compiled does not hold up another
FINISHED = ("done", "failed")
log = structlog.get_logger()


class _Stopped(Exception):
    """The server shuts down."""


class CoachJob:
    """The analysis of one match: its progress, and all opinions so far."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.status = "waiting"  # preparing, running, done, failed
        self.progress = 0.0
        # Only ever grows. A later opinion of the same turn replaces the one before.
        self.decisions: list[Decision] = []

    @classmethod
    def finished(cls, record: Record, decisions: Sequence[Decision]) -> CoachJob:
        """A job that was done before."""
        job = cls(record)
        job.status, job.progress, job.decisions = "done", 1.0, list(decisions)
        return job

    def about(self) -> dict[str, Any]:
        """Status, progress, and how well each seat played as far as it is known, for JSON."""
        status, progress = self.status, round(self.progress, 3)
        accuracy = [
            None if percent is None else round(percent, 1)
            for percent in Analysis(self.record, tuple(self.opinions())).accuracy()
        ]
        return {"status": status, "progress": progress, "accuracy": accuracy}

    def opinions(self) -> list[Decision]:
        """The last opinion of each turn, in the order of the match."""
        return [d for _, d in sorted({d.event: d for d in self.decisions}.items())]


class CoachPool:
    """Runs jobs in threads of its own; the search releases the interpreter lock."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(AT_ONCE, "coach")
        self._stop = threading.Event()
        self._unfinished: list[CoachJob] = []

    def start(
        self,
        record: Record,
        first: int | None = None,
        keep: Callable[[list[Decision]], None] | None = None,
    ) -> CoachJob:
        """Start or queue a job; the seat `first` is judged before the others.

        When it is done, `keep` is called with the decisions, in another thread.
        """
        self._unfinished = [job for job in self._unfinished if job.status not in FINISHED]
        if len(self._unfinished) >= MOST_WAITING:
            busy = _("the coach is busy with other matches: try again in a minute")
            raise Rejected("limit", busy)
        job = CoachJob(record)
        self._unfinished.append(job)
        self._pool.submit(self._run, job, first, keep)
        return job

    def close(self) -> None:
        """Stop all jobs."""
        self._stop.set()
        self._pool.shutdown(cancel_futures=True)

    def _run(
        self, job: CoachJob, first: int | None, keep: Callable[[list[Decision]], None] | None
    ) -> None:
        try:
            self._judge(job, first)
            if keep is not None:
                keep(job.opinions())
            job.status = "done"
        except _Stopped:
            job.status = "failed"
        except Exception as error:
            job.status = "failed"
            log.exception("coach", game=job.record.game.name, error=str(error))

    def _judge(self, job: CoachJob, first: int | None) -> None:
        job.status = "preparing"
        self._wait_until_compiled(job.record.game)
        job.status = "running"
        iterations = PLAIN_ITERATIONS if precompile.policy() == "never" else None
        opinions = analyse_within(
            job.record, BUDGET, iterations=iterations, first=first, niceness=NICENESS
        )
        for progress, decision in opinions:
            if self._stop.is_set():
                opinions.close()
                raise _Stopped
            job.decisions.append(decision)
            job.progress = progress

    def _wait_until_compiled(self, game: Game) -> None:
        """Wait until this game can be searched fast, but not forever: other jobs wait as well."""
        for _attempt in range(round(PATIENCE / POLL)):
            if precompile.policy() == "never" or bots_ready(game):
                return
            if self._stop.wait(POLL):
                raise _Stopped
        raise TimeoutError(f"{game.name} was not compiled within {PATIENCE} seconds")


def pack(decisions: Sequence[Decision]) -> str:
    """Decisions as they are kept."""
    entries = [asdict(decision) for decision in decisions]
    return json.dumps({"format": FORMAT, "decisions": entries}, separators=(",", ":"))


def unpack(text: str) -> list[Decision] | None:
    """The decisions that `pack` wrote; None if another version of this program did."""
    document = json.loads(text)
    if document.get("format") != FORMAT:
        return None
    names = {field.name for field in fields(Decision)}
    if any(entry.keys() != names for entry in document["decisions"]):
        return None
    return [Decision(**{k: _frozen(v) for k, v in e.items()}) for e in document["decisions"]]


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
