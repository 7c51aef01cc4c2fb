"""What measures are taken of: matches of one cell, and what is asked about them again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np

from droptable.lab.cell import Cell
from droptable.lab.matches import Chunk, Decisions, Turns
from droptable.lab.statistics import Interval, mean_of, share_of

Column = Any  # a NumPy array with a row per match, or per traced event


@dataclass(frozen=True)
class Sample:
    """Matches of a cell. If those of a deal are alike, intervals take that into account."""

    chunk: Chunk

    def __len__(self) -> int:
        return len(self.chunk)

    @property
    def cell(self) -> Cell:
        """What is played."""
        return self.chunk.cell

    @property
    def seats(self) -> int:
        """How many seats there are."""
        return self.cell.seats

    @property
    def fair(self) -> float:
        """A fair share of the victory."""
        return 1 / self.seats

    @property
    def groups(self) -> Column | None:
        """Which matches may be alike as they play the same deal; None if all differ."""
        return None if self.cell.plays_per_deal == 1 else self.chunk.deal

    def mean(self, values: Column) -> Interval:
        """The mean of something per match."""
        return mean_of(values, self.groups)

    def share(self, values: Column) -> Interval:
        """The mean of something from 0 to 1 per match."""
        return share_of(values) if self.groups is None else mean_of(values, self.groups)

    @cached_property
    def high_scores_win(self) -> bool:
        """Whether winners have more points than others; in Depot, they have fewer."""
        winners = self.chunk.share > 0
        if winners.all() or not winners.any():
            return True
        return bool(self.chunk.score[winners].mean() >= self.chunk.score[~winners].mean())

    def shares_of(self, bot: str) -> Column:
        """The mean share of a bot's seats in each match."""
        own = self.chunk.bot == self.chunk.bots.index(bot)
        return (self.chunk.share * own).sum(axis=1) / own.sum(axis=1)

    @property
    def decisions(self) -> Decisions:
        """Every move; only of a sample that was traced."""
        assert self.chunk.traced_decisions is not None
        return self.chunk.traced_decisions

    @property
    def turns(self) -> Turns:
        """How matches stood after every turn; only of a sample that was traced."""
        assert self.chunk.traced_turns is not None
        return self.chunk.traced_turns

    def rows(self, matches: Column) -> Column:
        """The rows of matches by their numbers."""
        return np.searchsorted(self.chunk.match, matches)


def first_of(chunk: Chunk, count: int) -> Chunk:
    """The first matches of a chunk, without traces."""
    columns: dict[str, Any] = {
        field.name: column[:count]
        for field in fields(Chunk)
        if isinstance(column := getattr(chunk, field.name), np.ndarray)
    }
    return replace(chunk, traced_decisions=None, traced_turns=None, **columns)


def joined(chunks: Sequence[Chunk]) -> Chunk:
    """Chunks of one cell that follow each other, as one; traces only if all have them."""
    if len(chunks) == 1:
        return chunks[0]
    return Chunk(**{f.name: _joined([getattr(c, f.name) for c in chunks]) for f in fields(Chunk)})


def _joined(parts: Sequence[Any]) -> Any:
    first = parts[0]
    if isinstance(first, np.ndarray):
        return np.concatenate(parts)
    if isinstance(first, Decisions | Turns):
        if any(part is None for part in parts):
            return None
        columns = {f.name: [getattr(part, f.name) for part in parts] for f in fields(first)}
        return type(first)(**{name: _joined(column) for name, column in columns.items()})
    return first
