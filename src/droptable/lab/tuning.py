"""Which value of an option is fairest? A race: all values play a little, the better half goes on.

Sequential halving (Karnin, Koren and Somekh 2013), with matches kept from round to round, and
values dropped earlier when they are clearly worse than the best.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from droptable.core.errors import OptionError
from droptable.lab.cell import Cell
from droptable.lab.experiment import Progress, without
from droptable.lab.fleet import Fleet
from droptable.lab.measures.sample import Sample, joined
from droptable.lab.parts import TRACES, Part, play_part
from droptable.lab.statistics import Interval, normal_quantile

SHARE_OF_GRID = 5  # a tuning has a fifth of the matches of a grid
GRID = 2000  # matches of each value in that grid
DRAWS = 4000  # of what the truth may be, to tell how sure the result is
ALIKE = 0.01  # values whose faults differ by less serve equally well
GOALS = ("seats", "draws", "length=N (moves)")

Fault = Callable[[Sample], np.ndarray]  # columns per deal; the fault is a function of their means


@dataclass(frozen=True)
class Goal:
    """What a good value keeps small: the distance of some means from where they should be."""

    name: str
    wanted: tuple[float, ...]  # one per column
    columns: Fault

    def fault(self, means: np.ndarray) -> np.ndarray:
        """The root of the mean squared distance; the last axis are the columns."""
        gaps = np.square(means - np.array(self.wanted))
        return np.asarray(np.sqrt(gaps.mean(axis=-1)))


@dataclass(frozen=True)
class Candidate:
    """A value in the race, and what is known about it."""

    value: Any
    matches: int
    fault: Interval
    chance: float  # that no other value is better by more than `ALIKE`


@dataclass(frozen=True)
class Tuning:
    """The result of a race."""

    cell: Cell
    option: str
    goal: str
    candidates: tuple[Candidate, ...]  # by value
    best: Candidate
    matches: int  # played in all
    grid: int  # that a grid would have taken

    @property
    def equals(self) -> list[Any]:
        """The values that may be as good as the best one."""
        least = self.best.fault.high
        return [c.value for c in self.candidates if c.fault.low <= least + ALIKE]

    def __str__(self) -> str:
        best, subject = self.best, self.cell.subject
        fault = "from fair shares" if self.goal == "seats" else f"from the goal ({self.goal})"
        told = best.fault.percent() if self.goal in ("seats", "draws") else str(best.fault)
        lines = [
            f"{subject.title}, {self.cell.seats} players: {self.option}={best.value} is best for "
            f"{self.goal}, {told} away {fault}.",
            f"  {best.chance:.0%} sure that no other value is better by more than "
            f"{100 * ALIKE:g} %, after {self.matches:,} matches; a grid of {GRID:,} each takes "
            f"{self.grid:,}.",
        ]
        others = [value for value in self.equals if value != best.value]
        if others:
            lines.append(f"  May be as good: {', '.join(map(str, others))}.")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "game": self.cell.game, "players": self.cell.seats, "option": self.option,
            "goal": self.goal, "best": self.best.value, "sure": self.best.chance,
            "matches": self.matches, "grid": self.grid, "may_be_as_good": self.equals,
            "values": [
                {"value": c.value, "matches": c.matches, "fault": c.fault.value,
                 "low": c.fault.low, "high": c.fault.high}
                for c in self.candidates
            ],
        }  # fmt: skip


def goal_of(text: str, cell: Cell) -> Goal:
    """What is wanted: `seats` (equal shares), `draws` (few), `length=60` (moves)."""
    name, _, number = text.partition("=")
    if name == "seats" and not number and cell.seats > 1:
        return Goal(text, (1 / cell.seats,) * cell.seats, lambda sample: sample.chunk.share)
    if name == "draws" and not number and cell.seats > 1:
        return Goal(text, (0.0,), lambda s: (s.chunk.winners > 1)[:, np.newaxis].astype(float))
    if name == "length" and number.isdecimal():
        return Goal(text, (float(number),), lambda s: s.chunk.moves[:, np.newaxis].astype(float))
    raise OptionError(f"--for is {text!r}; expected one of {', '.join(GOALS)}")


def tune(
    cells: Sequence[tuple[Any, Cell]], option: str, goal: str, fleet: Fleet, *, seed: int = 1,
    matches: int = GRID, progress: Progress | None = None,
) -> Tuning:  # fmt: skip
    """Find the value whose cell comes closest to the goal, with a fifth of a grid's matches.

    `matches` are those that a grid would spend on each value.
    """
    if len(cells) < 2:
        raise OptionError(f"--tune {option}: there is one value only; expected at least two")
    race = _Race(cells, goal, fleet, seed, matches)
    if progress is not None:
        progress.start(f"tuning {option}", race.budget)
    race.run(progress)
    return race.result(option)


class _Race:
    def __init__(
        self, cells: Sequence[tuple[Any, Cell]], goal: str, fleet: Fleet, seed: int, matches: int
    ) -> None:
        self.cells = list(cells)
        self.goal = goal_of(goal, cells[0][1])
        self.fleet = fleet
        self.seed = seed
        self.grid = matches * len(cells)
        self.budget = self.grid // SHARE_OF_GRID
        self.samples: list[Sample | None] = [None] * len(cells)

    def run(self, progress: Progress | None) -> None:
        """Round by round; each has the same share of the budget."""
        running = list(range(len(self.cells)))
        rounds = math.ceil(math.log2(len(running)))
        for _ in range(rounds):
            self._play(running, self.budget // rounds // len(running), progress)
            means, errors = self._estimates(running)
            faults = self.goal.fault(means)
            order = np.argsort(faults, kind="stable")
            best = order[0]
            z = normal_quantile(1 - 0.05 / len(self.cells))
            spare = z * (errors.max(axis=-1) + errors[best].max())
            kept = [
                k for k in order[: -(-len(running) // 2)] if faults[k] - faults[best] <= spare[k]
            ]
            running = sorted(running[k] for k in kept)
            if len(running) == 1:
                break

    def _play(self, running: Sequence[int], matches: int, progress: Progress | None) -> None:
        jobs = []
        for k in running:
            cell, sample = self.cells[k][1], self.samples[k]
            per = cell.plays_per_deal
            count = max(1, matches // per) * per
            jobs.append(Part(cell, self.seed + k, 0 if sample is None else len(sample), count))
        for index, (chunk, _seconds) in self.fleet.map(play_part, jobs):
            k = running[index]
            before = self.samples[k]
            chunks = [chunk] if before is None else [before.chunk, chunk]
            self.samples[k] = Sample(joined(without(chunks, *TRACES)))
            if progress is not None:
                progress.advance(len(chunk))

    def _estimates(self, which: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        """Means of the goal's columns per value, and their standard errors."""
        means, errors = [], []
        for k in which:
            sample = self.samples[k]
            assert sample is not None
            columns = self.goal.columns(sample)
            per = sample.cell.plays_per_deal
            deals = columns.reshape(len(columns) // per, per, -1).mean(axis=1)
            means.append(deals.mean(axis=0))
            varied = deals.var(axis=0) + 0.25 / len(deals)  # nobody is sure after three matches
            errors.append(np.sqrt(varied / len(deals)))
        return np.array(means), np.array(errors)

    def result(self, option: str) -> Tuning:
        """The best value, and how likely it is to be."""
        means, errors = self._estimates(range(len(self.cells)))
        draws = np.random.default_rng(self.seed).normal(size=(DRAWS, *means.shape))
        faults = self.goal.fault(means + draws * errors)
        spread = np.quantile(faults, [0.025, 0.975], axis=0)
        counts = [len(sample) if sample else 0 for sample in self.samples]
        plain = self.goal.fault(means)
        finalists = [k for k, count in enumerate(counts) if count == max(counts)]
        winner = min(finalists, key=lambda k: plain[k])
        unbeaten = faults <= faults.min(axis=1, keepdims=True) + ALIKE
        candidates = tuple(
            Candidate(
                value, counts[k],
                Interval(float(plain[k]), float(spread[0, k]), float(spread[1, k]), counts[k]),
                float(unbeaten[:, k].mean()),
            )
            for k, (value, _) in enumerate(self.cells)
        )  # fmt: skip
        cell = self.cells[winner][1]
        return Tuning(
            cell, option, self.goal.name, candidates, candidates[winner], sum(counts), self.grid
        )


def candidates_of(cell: Cell, option: str, values: Sequence[Any]) -> list[tuple[Any, Cell]]:
    """The cells that differ in one thing: `options.target`, `constants.HAND_SIZE`, `players`."""
    kind, dot, name = option.partition(".")
    if not dot or kind not in ("options", "constants"):
        raise OptionError(f"--tune {option}: only options and constants can be tuned")
    document = cell.to_dict()
    return [
        (value, Cell.from_dict(document | {kind: document[kind] | {name: value}}))
        for value in values
    ]
