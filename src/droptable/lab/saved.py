"""A simulation's file: what has been counted, of which matches, so that it can go on later.

The same matches make the same file, byte for byte, in whatever order and however often it went on.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from droptable.core.errors import DroptableError
from droptable.core.files import replace_text
from droptable.lab.cell import Cell
from droptable.lab.tally import Tally

FORMAT = 1
EVERY = 5.0  # seconds between writes


class Ranges:
    """A set of match numbers, as ranges from the first to the one after the last."""

    def __init__(self, ranges: list[tuple[int, int]] | None = None) -> None:
        self.ranges = ranges or []

    def add(self, first: int, stop: int) -> None:
        """Add the numbers of a range that has none of them yet."""
        joined: list[tuple[int, int]] = []
        for a, b in sorted([*self.ranges, (first, stop)]):
            if joined and joined[-1][1] == a:
                joined[-1] = joined[-1][0], b
            else:
                joined.append((a, b))
        self.ranges = joined

    def missing(self, count: int) -> list[tuple[int, int]]:
        """The numbers below `count` that are not in the set."""
        gaps = []
        start = 0
        for first, stop in [*self.ranges, (count, count)]:
            if start < min(first, count):
                gaps.append((start, min(first, count)))
            start = max(start, stop)
        return gaps


class Saved:
    """What has been counted, and the file that keeps it, if there is one."""

    def __init__(self, file: Path | None, cell: Cell, seed: int | None) -> None:
        self.file = file
        self.cell = cell
        self.seed = seed
        self.done = Ranges()
        self.tally = Tally.empty(cell.seats)
        self._written = time.monotonic()

    @classmethod
    def opened(cls, file: Path | None, cell: Cell, seed: int | None) -> Saved:
        """Begin, or go on with what a file has; it is refused if it is of another simulation."""
        saved = cls(file, cell, seed)
        if file is None:
            return saved
        if not file.exists():
            if not file.parent.is_dir():
                raise DroptableError(f"--resume is {str(file)!r}; there is no folder {file.parent}")
            return saved
        try:
            document = json.loads(file.read_text("utf-8"))
            saved._read(document)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise DroptableError(f"{file} is not a simulation to go on with: {error}") from None
        return saved

    def _read(self, document: dict[str, Any]) -> None:
        if document["droptable simulation"] != FORMAT:
            raise ValueError(f"its format is {document['droptable simulation']!r}, not {FORMAT}")
        found = Cell.from_dict(document["cell"])
        if found != self.cell:
            theirs, ours = found.to_dict(), self.cell.to_dict()
            name = next(name for name in theirs if theirs[name] != ours[name])
            raise DroptableError(f"{self.file} has the {name} {theirs[name]!r}, not {ours[name]!r}")
        if document["rules"] != self.cell.subject.version:
            raise DroptableError(
                f"{self.file} was played by version {document['rules']} of the rules; these are "
                f"version {self.cell.subject.version}"
            )
        if self.seed is not None and document["seed"] != self.seed:
            raise DroptableError(f"{self.file} has the seed {document['seed']}, not {self.seed}")
        self.seed = int(document["seed"])
        for first, stop in document["matches"]:
            self.done.add(int(first), int(stop))
        self.tally = Tally.from_dict(document["counts"], self.cell)
        if self.tally.matches != sum(stop - first for first, stop in self.done.ranges):
            raise ValueError("its counts are not those of its matches")

    def add(self, first: int, tally: Tally) -> None:
        """Count a chunk that begins with this match; the file is written now and then."""
        self.done.add(first, first + tally.matches)
        self.tally.add(tally)
        if time.monotonic() - self._written > EVERY:
            self.write()

    def write(self) -> None:
        """Write the file, if there is one."""
        self._written = time.monotonic()
        if self.file is None:
            return
        document = {
            "droptable simulation": FORMAT, "cell": self.cell.to_dict(),
            "rules": self.cell.subject.version, "seed": self.seed,
            "matches": self.done.ranges, "counts": self.tally.to_dict(),
        }  # fmt: skip
        replace_text(self.file, json.dumps(document, indent=1) + "\n")
