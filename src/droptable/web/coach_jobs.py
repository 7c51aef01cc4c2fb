"""The coach as jobs: a few matches at a time, while the server goes on serving."""

from __future__ import annotations

import json
import pickle
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import asdict, fields
from typing import Any

import structlog

from droptable.bots.accuracy import seat_accuracy
from droptable.bots.coach import Decision, analyse_within
from droptable.bots.precompile import bots_ready
from droptable.core import precompile
from droptable.core.game import Game
from droptable.core.record import Record
from droptable.tables.crew import Bounds, Closing, Crew, Job, Owner
from droptable.web.studio import Match

BUDGET = 13.0  # seconds per match, roughly
PLAIN_ITERATIONS = 8  # per search, where nothing is ever compiled
FORMAT = 1  # of an analysis that is kept; one of another format is made anew
PATIENCE, POLL = 600.0, 0.2  # seconds until a game must be compiled, and between two checks
NICENESS = 15  # tables are served first
PROCESSES = 2  # a game that is being compiled does not hold up another
BOUNDS = Bounds(jobs=100, owned=(6, 3), running=1, idle_seconds=120.0)
SECONDS = 60.0  # that a job may take once its game is compiled
FINISHED = ("done", "failed")
log = structlog.get_logger()


class CoachJob:
    """The analysis of one match: its progress, and all opinions so far."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.status = "waiting"  # preparing, running, done, failed
        self.progress = 0.0
        # Only ever grows. A later opinion of the same turn replaces the one before.
        self.decisions: list[Decision] = []

    @classmethod
    def finished(cls, players: int, decisions: Sequence[Decision]) -> CoachJob:
        """A job that was done before."""
        job = cls(players)
        job.status, job.progress, job.decisions = "done", 1.0, list(decisions)
        return job

    def about(self) -> dict[str, Any]:
        """Status, progress, and how well each seat played as far as it is known, for JSON."""
        status, progress = self.status, round(self.progress, 3)
        opinions = self.opinions()
        seats = [
            seat_accuracy([d.accuracy for d in opinions if d.seat == seat])
            for seat in range(self.players)
        ]
        accuracy = [None if percent is None else round(percent, 1) for percent in seats]
        return {"status": status, "progress": progress, "accuracy": accuracy}

    def opinions(self) -> list[Decision]:
        """The last opinion of each turn, in the order of the match."""
        return [d for _, d in sorted({d.event: d for d in self.decisions}.items())]


class CoachPool:
    """Runs jobs in a crew of its own, by turns over those who asked for them."""

    def __init__(self) -> None:
        self._crew = Crew(PROCESSES, BOUNDS, NICENESS)

    def start(
        self,
        match: Match,
        first: int | None = None,
        keep: Callable[[list[Decision]], None] | None = None,
        owner: Owner = (),
    ) -> CoachJob:
        """Start or queue a job; the seat `first` is judged before the others.

        When it is done, `keep` is called with the decisions, in another thread.
        """
        job = CoachJob(match.players)

        def receive(item: str | tuple[float, Decision]) -> None:
            if isinstance(item, str):
                job.status = item
            else:
                job.progress = item[0]
                job.decisions.append(item[1])

        def end(done: Future[None]) -> None:
            error = done.exception()
            if error is None and keep is not None:
                keep(job.opinions())
            job.status = "done" if error is None else "failed"
            if error is not None and not isinstance(error, Closing):
                log.error("the coach failed", game=match.game.name, error=str(error))

        seconds = PATIENCE + SECONDS
        asked = Job(judge, (match.packed, first, BUDGET), owner, seconds, seconds, receive=receive)
        asked.done.add_done_callback(end)
        self._crew.submit(asked)
        return job

    def close(self) -> None:
        """Stop all jobs."""
        self._crew.close()


def judge(
    packed: bytes, first: int | None, budget: float
) -> Iterator[str | tuple[float, Decision]]:
    """In a process of the crew: what is done now, then progress and decisions."""
    record: Record = pickle.loads(packed)
    yield "preparing"
    _wait_until_compiled(record.game)
    yield "running"
    iterations = PLAIN_ITERATIONS if precompile.policy() == "never" else None
    yield from analyse_within(record, budget, iterations=iterations, first=first)


def _wait_until_compiled(game: Game) -> None:
    """Wait until this game can be searched fast, but not forever: other jobs wait as well."""
    for _attempt in range(round(PATIENCE / POLL)):
        if precompile.policy() == "never" or bots_ready(game):
            return
        time.sleep(POLL)
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
