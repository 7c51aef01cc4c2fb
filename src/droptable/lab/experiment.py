"""Play a plan: all of its cells as far as needed, then all measures of them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from droptable.lab.cell import Cell
from droptable.lab.fleet import Fleet
from droptable.lab.matches import Chunk
from droptable.lab.measures import (
    ALL_CONTESTS,
    MEASURES,
    Contest,
    Figure,
    Sample,
    deals_of,
    dealt,
    joined_deals,
)
from droptable.lab.measures.sample import first_of, joined
from droptable.lab.parts import TRACES, Part, Parts, play_part
from droptable.lab.plan import Plan, Planned
from droptable.lab.statistics import Interval, anytime_share

SECONDS = 1.0  # of work in a part
PROBED = 2  # deals in the first part of a cell
FIRST_LOOK, GROWTH = 1000, 1.5  # matches before the first look at a cell's precision, and further
STORIES = 20  # matches of a cell that are valued after every turn, which takes many rollouts
DEALT = 20  # matches in a part that is played again for its deals
THINKING = 10  # where bots search, a contest has so many times fewer matches
GROWING = 16  # times as long as an earlier part, at most


@dataclass
class Result:
    """A cell, its matches and what was found."""

    cell: Cell
    sample: Sample
    figures: list[Figure] = field(default_factory=list)
    contests: dict[str, list[tuple[str, Sample]]] = field(default_factory=dict)

    def of(self, measure: str) -> list[Figure]:
        """The figures of one measure."""
        return [figure for figure in self.figures if figure.measure == measure]

    def figure(self, measure: str, label: str = "") -> Figure | None:
        """One of them."""
        return next((f for f in self.of(measure) if f.label == label), None)


class Progress:
    """What is told while a study is played; this one says nothing."""

    def start(self, what: str, total: int) -> None:
        """Something begins that takes so many matches at most."""

    def advance(self, matches: int) -> None:
        """So many more have been played."""


def run(
    plan: Plan, fleet: Fleet, parts: Parts | None = None, progress: Progress | None = None
) -> list[Result]:
    """The results of a plan, by a fleet."""
    runner = _Runner(plan, fleet, parts or Parts(None), progress or Progress())
    return [runner.result(planned) for planned in plan.planned]


class _Runner:
    def __init__(self, plan: Plan, fleet: Fleet, parts: Parts, progress: Progress) -> None:
        self.plan = plan
        self.fleet = fleet
        self.parts = parts
        self.progress = progress
        self.paces: dict[tuple[Cell, tuple[str, ...]], _Pace] = {}

    def result(self, planned: Planned) -> Result:
        """Everything about one cell."""
        plan, cell, matches = self.plan, planned.cell, self.plan.matches_of(planned)
        self.progress.start(str(cell), matches)
        looked_at = self._traced(cell, matches)
        chunks = list(looked_at)
        for goal in looks(cell, plan.precision, matches):
            chunks += self._play(cell, sum(map(len, chunks)), goal)
            if plan.precision is not None and precise(
                Sample(joined(without(chunks, *TRACES))), plan.precision
            ):
                break
        whole = joined(without(chunks, *TRACES))
        result = Result(cell, Sample(whole))
        stories = [c for c in looked_at if c.traced_turns is not None]
        for name in plan.measures:
            measure = MEASURES[name]
            if measure.needs == "results":
                result.figures += measure.take(result.sample)
            elif measure.needs == "values" and stories:
                result.figures += measure.take(Sample(joined(stories)))
            elif measure.needs == "decisions" and looked_at:
                result.figures += measure.take(Sample(joined(without(looked_at, "traced_turns"))))
            elif measure.needs == "deals":
                result.figures += self._dealt(result)
        if plan.precision is not None:
            _widen(result, plan.precision)
        for name in plan.contests_of(planned):
            result.figures += self._contest(ALL_CONTESTS[name], result)
        return result

    def _dealt(self, result: Result) -> list[Figure]:
        """What the dealer did in the traced matches."""
        count = min(self.plan.traced, len(result.sample))
        jobs = [
            Part(result.cell, self.plan.seed, first, min(DEALT, count - first))
            for first in range(0, count, DEALT)
        ]
        found = dict(self.fleet.map(deals_of, jobs))
        if not found:
            return []
        chunk = first_of(result.sample.chunk, count)
        return dealt(Sample(chunk), joined_deals([found[k] for k in sorted(found)]))

    def _contest(self, contest: Contest, result: Result) -> list[Figure]:
        samples = []
        for label, cell in contest.cells(result.cell).items():
            wanted = self.plan.contest_matches // (THINKING if cell.thinks else 1)
            matches = max(8, -(-wanted // cell.plays_per_deal)) * cell.plays_per_deal
            self.progress.start(f"{contest.title}: {label}, {cell.game}", matches)
            samples.append((label, Sample(joined(self._play(cell, 0, matches)))))
        result.contests[contest.name] = samples
        return contest.take(samples) if samples else []

    def _traced(self, cell: Cell, matches: int) -> list[Chunk]:
        """The first matches, with all of their moves; the very first ones with values."""
        per = cell.plays_per_deal
        traced = min(self.plan.traced, matches) // per * per
        stories = min(traced, -(-STORIES // per) * per)
        needed = {MEASURES[name].needs for name in self.plan.measures}
        if not traced or not needed & {"decisions", "values"}:
            return []
        if "values" not in needed:
            stories = 0
        return [
            *self._play(cell, 0, stories, ("decisions", "turns", "values")),
            *self._play(cell, stories, traced, ("decisions",)),
        ]

    def _play(self, cell: Cell, first: int, stop: int, traces: tuple[str, ...] = ()) -> list[Chunk]:
        """The matches from first to stop; what is there from an earlier run is not played again."""
        done: dict[int, Chunk] = {}
        pace = self.paces.setdefault((cell, traces), _Pace(cell.plays_per_deal))
        wanted: list[Part] = []

        def missing() -> Iterator[Part]:
            stored = self.parts.known(Part(cell, self.plan.seed, first, 1, traces))
            at = first
            while at < stop:
                here = next((n for start, n in stored if start == at and at + n <= stop), 0)
                chunk = self.parts.load(Part(cell, self.plan.seed, at, here, traces))
                if here and chunk is not None:
                    done[at] = chunk
                    self.progress.advance(here)
                    at += here
                    continue
                following = min((start for start, _ in stored if start > at), default=stop)
                count = min(pace.matches, following - at, stop - at)
                wanted.append(Part(cell, self.plan.seed, at, count, traces))
                yield wanted[-1]
                at += count

        for index, (chunk, seconds) in self.fleet.map(play_part, missing()):
            part = wanted[index]
            self.parts.keep(part, chunk)
            done[part.first] = chunk
            pace.note(len(chunk), seconds)
            self.progress.advance(len(chunk))
        return [done[at] for at in sorted(done)]


class _Pace:
    """How many matches of a cell make a part, by how long earlier ones took."""

    def __init__(self, deal: int) -> None:
        self._deal = deal
        self._each = math.inf  # seconds per match, in the quickest part so far
        self._most = PROBED  # deals: no part is many times as long as all before

    @property
    def matches(self) -> int:
        """In whole deals."""
        fitting = int(SECONDS / self._each / self._deal) if self._each < math.inf else PROBED
        return max(1, min(fitting, self._most)) * self._deal

    def note(self, matches: int, seconds: float) -> None:
        """A part took so long."""
        self._each = min(self._each, max(seconds, 1e-6) / matches)
        self._most = max(self._most, GROWING * matches // self._deal)


def looks(cell: Cell, precision: float | None, matches: int) -> list[int]:
    """After how many matches a cell is looked at; only its last one without a precision."""
    per = cell.plays_per_deal
    last = matches // per * per
    if precision is None:
        return [last]
    goals, goal = [], float(FIRST_LOOK // (THINKING if cell.thinks else 1))
    while goal < last:
        goals.append(-(-int(goal) // per) * per)
        goal *= GROWTH
    return [*(g for g in goals if g < last), last]


def anytime_seats(sample: Sample, precision: float) -> list[Interval]:
    """Intervals of the seats' shares that stay valid however often one has looked."""
    shares = sample.chunk.share
    per = sample.cell.plays_per_deal
    means = shares.reshape(len(shares) // per, per, -1).mean(axis=1)
    usual = max(100.0, 9 * sample.fair * (1 - sample.fair) / precision**2)
    return [anytime_share(means[:, seat], usual) for seat in range(sample.seats)]


def precise(sample: Sample, precision: float) -> bool:
    """Whether every seat's share is known closely enough."""
    return all(found.margin <= precision for found in anytime_seats(sample, precision))


def _widen(result: Result, precision: float) -> None:
    """Give the seats of a cell that may have stopped early the intervals that allow for it."""
    intervals = iter(anytime_seats(result.sample, precision))
    result.figures = [
        Figure(f.measure, f.label, next(intervals), f.unit) if f.measure == "seats" else f
        for f in result.figures
    ]


def without(chunks: Sequence[Chunk], *traces: str) -> list[Chunk]:
    """Chunks without some of their traces, so that all have the same and can be joined."""
    nothing: dict[str, Any] = dict.fromkeys(traces)
    return [replace(chunk, **nothing) for chunk in chunks]
