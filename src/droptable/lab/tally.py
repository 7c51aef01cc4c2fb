"""Counts of many matches of one cell.

They are whole numbers, so they add up to the same in whatever order chunks are finished.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from droptable.core.contract import MOST_SEATS
from droptable.lab.cell import Cell
from droptable.lab.matches import Chunk
from droptable.lab.statistics import wilson

Z = 1.96


@dataclass
class Tally:
    """What is counted; a row per seat, and where there are two dimensions, a column per k."""

    matches: int
    moves: int  # of seats
    decisions: int  # moves with more than one legal one
    turns: int
    draws: int  # all seats shared the victory
    limits: int  # a limit ended the match
    wins: np.ndarray  # [seat, k - 1]: victories that k seats shared
    scores: np.ndarray  # [seat]: sums
    squares: np.ndarray  # [seat]: sums of squares of scores
    best: np.ndarray  # [2]: sum and number of the scores of winners, in matches that somebody lost
    rest: np.ndarray  # [2]: the same of those who did not win

    @classmethod
    def empty(cls, seats: int) -> Tally:
        """Before the first match."""
        counts = [np.zeros(shape, np.int64) for shape in ((seats, MOST_SEATS), seats, seats, 2, 2)]
        return cls(0, 0, 0, 0, 0, 0, *counts)

    @classmethod
    def of(cls, chunk: Chunk) -> Tally:
        """The counts of a chunk."""
        won = chunk.share > 0
        wins = np.stack([(won & (chunk.winners == k)[:, None]).sum(axis=0)
                         for k in range(1, MOST_SEATS + 1)], axis=1)  # fmt: skip
        scores = chunk.score.astype(np.int64)
        lost = (chunk.winners < chunk.cell.seats)[:, None]
        sides = [
            np.array([scores[side].sum(), side.sum()]) for side in (won & lost, ~won & lost)
        ]  # fmt: skip
        return cls(
            len(chunk), int(chunk.moves.sum()), int(chunk.decisions.sum()), int(chunk.turns.sum()),
            int(chunk.draw.sum()), int(chunk.limit.sum()),
            wins, scores.sum(axis=0), (scores * scores).sum(axis=0), *sides,
        )  # fmt: skip

    def add(self, other: Tally) -> None:
        """Count the matches of another tally, too."""
        for field in fields(self):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))

    # -- results ----------------------------------------------------------------------------------

    @property
    def victories(self) -> np.ndarray:
        """By seat; one that k seats share counts 1/k for each of them."""
        victories: np.ndarray = (self.wins / np.arange(1, MOST_SEATS + 1)).sum(axis=1)
        return victories

    @property
    def shared(self) -> int:
        """Matches whose victory was shared by some seats, or by all."""
        return sum(int(self.wins[:, k].sum()) // (k + 1) for k in range(1, MOST_SEATS))

    def interval(self, seat: int) -> tuple[float, float]:
        """The 95 % confidence interval (Wilson) of a seat's share of the victories."""
        return wilson(float(self.victories[seat]), self.matches)

    def mean_score(self, seat: int) -> float:
        """What a seat scored on average."""
        return float(self.scores[seat]) / self.matches

    def score_margin(self, seat: int) -> float:
        """Half of the 95 % confidence interval of that."""
        if self.matches < 2:
            return math.inf
        mean = self.mean_score(seat)
        variance = max(0.0, float(self.squares[seat]) / self.matches - mean * mean)
        return Z * math.sqrt(variance / (self.matches - 1))

    # -- JSON -------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            field.name: value.tolist() if isinstance(value, np.ndarray) else value
            for field in fields(self)
            for value in [getattr(self, field.name)]
        }

    @classmethod
    def from_dict(cls, document: dict[str, Any], cell: Cell) -> Tally:
        """The counts that were written for this cell; `ValueError` if they are not."""
        tally = cls.empty(cell.seats)
        for field in fields(cls):
            before = getattr(tally, field.name)
            value = document[field.name]
            if isinstance(before, np.ndarray):
                value = np.array(value, np.int64)
                if value.shape != before.shape:
                    raise ValueError(f"{field.name} has the shape {value.shape}")
            elif isinstance(value, bool) or not isinstance(value, int):
                raise ValueError(f"{field.name} is {value!r}")
            setattr(tally, field.name, value)
        return tally
