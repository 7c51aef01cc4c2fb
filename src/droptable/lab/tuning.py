"""Which value of an option is fairest? A race: matches go to the values that may be the best.

It stops when it is sure enough, or has spent a fifth of what a grid would.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np

from droptable.core.errors import OptionError
from droptable.lab.cell import Cell
from droptable.lab.experiment import Progress
from droptable.lab.fleet import Fleet
from droptable.lab.measures.sample import Sample
from droptable.lab.parts import Part, play_part
from droptable.lab.race import Race
from droptable.lab.statistics import Interval

SHARE_OF_GRID = 5  # a tuning has at most a fifth of the matches of a grid
GRID = 10_000  # matches of each value in that grid
SURE = 0.95  # that no value is clearly better: enough
ALIKE = 0.01  # of all victories, or of a length: values that differ by less serve equally well
AT_ONCE = 500  # deals that are played in one go
GOALS = ("seats", "draws", "length=N (moves)")

Columns = Callable[[Sample], np.ndarray]  # of a goal, a row per match


@dataclass(frozen=True)
class Goal:
    """What a good value keeps small: the distance of some means from where they should be."""

    name: str
    wanted: tuple[float, ...]  # one per column
    columns: Columns
    alike: float  # faults that differ by less serve equally well


@dataclass(frozen=True)
class Candidate:
    """A value in the race, and what is known about it."""

    value: Any
    matches: int
    fault: Interval
    may_be_as_good: bool  # as the best one, but for the tolerance


@dataclass(frozen=True)
class Tuning:
    """The result of a race."""

    cell: Cell
    option: str
    goal: str
    candidates: tuple[Candidate, ...]  # by value
    best: Candidate
    alike: float
    sure: float  # that no other value is better by more than `alike`
    matches: int  # played in all
    grid: int  # that a grid takes to be as sure, about

    @property
    def equals(self) -> list[Any]:
        """The values that may be as good as the best one."""
        return [c.value for c in self.candidates if c.may_be_as_good]

    def __str__(self) -> str:
        best, subject = self.best, self.cell.subject
        fault = "from fair shares" if self.goal == "seats" else f"from the goal ({self.goal})"
        told = best.fault.percent() if self.goal in ("seats", "draws") else str(best.fault)
        lines = [
            f"{subject.title}, {self.cell.seats} players: {self.option}={best.value} is best for "
            f"{self.goal}, {told} away {fault}.",
            f"  {self.sure:.0%} sure that no other value is better by more than {self._alike}, "
            f"after {self.matches:,} matches; a grid takes about {self.grid:,} for that.",
        ]
        if len(self.equals) > 1:
            lines.append(f"  May be as good: {', '.join(self._spans())}.")
        return "\n".join(lines)

    def _spans(self) -> list[str]:
        """The values that may be as good; neighbours among the candidates as `50 to 56`."""
        told = []
        for good, run in groupby(self.candidates, key=lambda c: c.may_be_as_good):
            if good:
                values = [str(c.value) for c in run]
                told += [f"{values[0]} to {values[-1]}"] if len(values) > 2 else values
        return told

    @property
    def _alike(self) -> str:
        return f"{100 * ALIKE:g} %" if self.alike == ALIKE else f"{self.alike:g} moves"

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "game": self.cell.game, "players": self.cell.seats, "option": self.option,
            "goal": self.goal, "best": self.best.value, "sure": self.sure, "alike": self.alike,
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
        return Goal(text, (1 / cell.seats,) * cell.seats, lambda sample: sample.chunk.share, ALIKE)
    if name == "draws" and not number and cell.seats > 1:
        return Goal(text, (0.0,), lambda s: (s.chunk.winners > 1)[:, np.newaxis] * 1.0, ALIKE)
    if name == "length" and number.isdecimal():
        wanted = float(number)
        alike = ALIKE * max(1.0, wanted)
        return Goal(text, (wanted,), lambda s: s.chunk.moves[:, np.newaxis] * 1.0, alike)
    raise OptionError(f"--for is {text!r}; expected one of {', '.join(GOALS)}")


def tune(
    cells: Sequence[tuple[Any, Cell]], option: str, goal: str, fleet: Fleet, *, seed: int = 1,
    matches: int = GRID, progress: Progress | None = None,
) -> Tuning:  # fmt: skip
    """Find the value whose cell comes closest to the goal, with a fifth of a grid's matches.

    `matches` are those that a grid would spend on each value. The race ends earlier when it is
    `SURE` that no other value is clearly better.
    """
    if len(cells) < 2:
        raise OptionError(f"--tune {option}: there is one value only; expected at least two")
    tuner = _Tuner(cells, goal, fleet, seed, matches)
    if progress is not None:
        progress.start(f"tuning {option}", tuner.budget)
    tuner.run(progress or Progress())
    return tuner.result(option)


class _Tuner:
    """Plays the matches that a race asks for."""

    def __init__(
        self, cells: Sequence[tuple[Any, Cell]], goal: str, fleet: Fleet, seed: int, matches: int
    ) -> None:
        self.cells = list(cells)
        self.per = cells[0][1].plays_per_deal
        self.goal = goal_of(goal, cells[0][1])
        self.fleet = fleet
        self.seed = seed
        self.budget = max(matches // SHARE_OF_GRID, 2 * self.per) * len(cells)
        self.race = Race(len(cells), self.goal.wanted, self.goal.alike)

    def run(self, progress: Progress) -> None:
        """Round by round, until it is sure or nothing is left."""
        while True:
            left = self.budget // self.per - int(self.race.count.sum())
            deals = self.race.next_units(left)
            if left <= 0 or not deals.any():
                return
            self._play(deals.tolist(), progress)
            if self.race.standing().sure >= SURE:
                return

    def _play(self, deals: Sequence[int], progress: Progress) -> None:
        """So many more deals of each value."""
        jobs: list[tuple[int, Part]] = []
        for k, more in enumerate(deals):
            cell, played = self.cells[k][1], int(self.race.count[k])
            for first in range(played, played + more, AT_ONCE):
                count = min(AT_ONCE, played + more - first)
                jobs.append((k, Part(cell, self.seed + k, first * self.per, count * self.per)))
        units: dict[int, np.ndarray] = {}
        for index, (chunk, _) in self.fleet.map(play_part, [part for _, part in jobs]):
            columns = self.goal.columns(Sample(chunk))
            units[index] = columns.reshape(len(chunk) // self.per, self.per, -1).mean(axis=1)
            progress.advance(len(chunk))
        for index, (k, _part) in enumerate(jobs):  # in this order: sums are the same to the bit
            self.race.add(k, units[index])

    def result(self, option: str) -> Tuning:
        """The best value, and how likely it is to be."""
        race, standing = self.race, self.race.standing()
        close = race.close_to(standing)
        candidates = tuple(
            Candidate(
                value, int(race.count[k]) * self.per, race.interval(k, standing), bool(close[k])
            )
            for k, (value, _) in enumerate(self.cells)
        )
        best = standing.best
        return Tuning(
            self.cells[best][1], option, self.goal.name, candidates, candidates[best],
            self.goal.alike, standing.sure, int(race.count.sum()) * self.per,
            race.grid_for(standing) * self.per,
        )  # fmt: skip


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
