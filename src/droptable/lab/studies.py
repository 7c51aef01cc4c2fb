"""Studies as people use them: from Python with frames and plots, or as a folder of files."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from droptable.core.errors import OptionError
from droptable.core.files import replace_text
from droptable.core.record import Record
from droptable.lab import frames
from droptable.lab.drawing import Plot
from droptable.lab.experiment import Progress, Result, run
from droptable.lab.fleet import Fleet
from droptable.lab.matches import record_of
from droptable.lab.parts import Parts
from droptable.lab.plan import Plan, PlanError, from_words, read_plan
from droptable.lab.progress import Meter
from droptable.lab.report import plots, report
from droptable.lab.sentences import findings, setting

if TYPE_CHECKING:
    import pyarrow as pa

FORMAT = 1
PARTS, MANIFEST = "parts", "manifest.json"


@dataclass(frozen=True)
class Study:
    """A plan that was played, and what was found."""

    plan: Plan
    results: list[Result]

    @cached_property
    def frame(self) -> pa.Table:
        """All matches, a row per match and seat: `pandas` and `polars` take it as it is."""
        return frames.frame(self.results)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.frame.__arrow_c_stream__(requested_schema)

    @property
    def plots(self) -> list[Plot]:
        """Pictures of what was found; a notebook shows them."""
        return plots(self.results)

    def record(self, cell: int, match: int) -> Record:
        """A match by the columns `cell` and `match` of the frame, for the replay page."""
        chunks = [r.sample.chunk for r in self.results]
        for r in self.results:
            chunks += [s.chunk for samples in r.contests.values() for _, s in samples]
        if not 0 <= cell < len(chunks):
            raise OptionError(f"cell is {cell!r}; expected 0 to {len(chunks) - 1}")
        return record_of(chunks[cell].cell, self.plan.seed, match)

    def __str__(self) -> str:
        told = []
        for result in self.results:
            told.append(f"{setting(result)} ({len(result.sample):,} matches)")
            told += [f"  {sentence}" for sentence in findings(result)]
        return "\n".join(told)

    def to_dict(self) -> dict[str, Any]:
        """The figures as JSON data."""
        return {
            "title": self.plan.title,
            "cells": [
                {
                    **result.cell.to_dict(),
                    "matches": len(result.sample),
                    "findings": findings(result),
                    "figures": [_plain(figure) for figure in result.figures],
                }
                for result in self.results
            ],
        }

    def write(self, folder: str | Path) -> None:
        """Write all files: the same study writes the same bytes."""
        place = Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        files = frames.write_matches(self.results, place)
        frames.write_figures(self.results, place / "figures.csv")
        files.append("figures.csv")
        manifest: dict[str, Any] = {
            "droptable study": FORMAT,
            "plan": self.plan.to_dict(),
            "versions": versions(self.plan),
            "matches": [len(result.sample) for result in self.results],
            "digests": {name: _digest(place / name) for name in files},
        }
        replace_text(place / "report.html", report(self.plan, self.results, manifest))
        manifest["digests"]["report.html"] = _digest(place / "report.html")
        replace_text(place / MANIFEST, json.dumps(manifest, indent=2, ensure_ascii=False) + "\n")


def study(
    what: str | Path,
    *,
    vary: Sequence[str] = (),
    players: int | None = None,
    bots: Sequence[str] = (),
    workers: int | None = None,
    on: str | None = None,
    **settings: Any,
) -> Study:
    """Play a study: of a TOML file, or of a game and what varies (`["target=50..150/25"]`).

    Settings are those of a file's head: seed, matches, precision, traced, measures, contests …
    """
    plan = plan_of(what, vary=vary, players=players, bots=bots, **settings)
    frames.check_arrow()
    with Fleet(on, workers) as fleet:
        return Study(plan, run(plan, fleet))


def plan_of(
    what: str | Path,
    *,
    vary: Sequence[str] = (),
    players: int | None = None,
    bots: Sequence[str] = (),
    **settings: Any,
) -> Plan:
    """The plan of a file, or of words."""
    if not str(what).endswith(".toml"):
        return from_words(str(what), vary, players, bots, **settings)
    given = [name for name, value in settings.items() if value is not None]
    if vary or bots or players is not None or given:
        raise PlanError(f"{what} says what is played: leave out everything else")
    return read_plan(what)


def play_into(plan: Plan, folder: Path, fleet: Fleet, *, resume: bool, progress: Progress) -> Study:
    """Play a plan and write its files; an interrupted study goes on where it stopped."""
    frames.check_arrow()
    parts = Parts(folder / PARTS)
    if not resume and folder.exists() and any(folder.iterdir()):
        raise OptionError(f"{folder} is not empty: add --resume to go on, or name another --out")
    found = Study(plan, run(plan, fleet, parts, progress))
    found.write(folder)
    parts.clear()
    return found


class Bar(Progress, AbstractContextManager["Bar"]):
    """Progress as a bar, one for each thing that is played."""

    def __init__(self) -> None:
        self._meter: Meter | None = None

    def start(self, what: str, total: int) -> None:
        """Show a new bar instead of the last one."""
        self.__exit__()
        self._meter = Meter(what, total).__enter__()

    def advance(self, matches: int) -> None:
        """Let it grow."""
        if self._meter is not None:
            self._meter.advance(matches)

    def __exit__(self, *_: object) -> None:
        if self._meter is not None:
            self._meter.__exit__()
            self._meter = None


def versions(plan: Plan) -> dict[str, str]:
    """What results may depend on."""
    rules = {cell.subject.name: cell.subject.version for cell in plan.cells}
    return {
        "python": platform.python_version(),
        **{name: version(name) for name in ("droptable", "numpy", "numba", "pyarrow")},
        **{f"rules of {name}": str(number) for name, number in rules.items()},
    }


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _plain(figure: Any) -> dict[str, Any]:
    found = figure.interval
    return {
        "measure": figure.measure, "label": figure.label, "value": found.value,
        "low": found.low, "high": found.high, "unit": figure.unit,
    }  # fmt: skip
