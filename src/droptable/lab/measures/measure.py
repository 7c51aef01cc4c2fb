"""A measure: what it is called, what it says, where it comes from, and how it is taken."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from droptable.lab.measures.sample import Sample
from droptable.lab.statistics import Interval

Unit = Literal["share", "points", "moves", "turns", "decisions", "minutes", "bits", "choices", ""]


@dataclass(frozen=True)
class Figure:
    """One number of a measure, with its interval."""

    measure: str
    label: str  # which of several: a seat, a bot, a move; empty if there is only one
    interval: Interval
    unit: Unit = ""

    @property
    def text(self) -> str:
        """The number as people read it."""
        if self.unit == "share":
            return self.interval.percent()
        return f"{self.interval} {self.unit}".rstrip()


@dataclass(frozen=True)
class Measure:
    """A way to look at matches; it works for any game, as it knows none."""

    name: str
    title: str
    tells: str  # its definition, in a sentence or two
    source: str  # where it comes from; empty if it is common
    needs: Literal["results", "decisions", "values", "deals"]  # values take many rollouts
    take: Callable[[Sample], list[Figure]]
