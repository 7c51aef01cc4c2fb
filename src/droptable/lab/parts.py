"""What a study has played so far, in files: a chunk each, so that nothing is played twice."""

from __future__ import annotations

import hashlib
import json
import os
import time
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, fields
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from droptable.lab.cell import Cell
from droptable.lab.matches import Chunk, Decisions, Turns, play_chunk

TRACES = {"traced_decisions": Decisions, "traced_turns": Turns}


@dataclass(frozen=True)
class Part:
    """Consecutive matches of a cell, to be played in one go; about a second's work."""

    cell: Cell
    seed: int
    first: int
    count: int
    traces: tuple[str, ...] = ()

    @property
    def stem(self) -> str:
        """What the names of all parts of this cell begin with; it depends on the rules, too."""
        versions = [self.cell.subject.version, version("droptable"), self.traces]
        what = json.dumps([self.cell.to_json(), self.seed, versions])
        return hashlib.sha256(what.encode()).hexdigest()[:16]

    @property
    def name(self) -> str:
        """The name of its file."""
        return f"{self.stem}-{self.first}-{self.count}.npz"


def play_part(part: Part) -> tuple[Chunk, float]:
    """Play it; also returns how many seconds that took."""
    began = time.perf_counter()
    chunk = play_chunk(part.cell, part.seed, part.first, part.count, part.traces)
    return chunk, time.perf_counter() - began


class Parts:
    """A folder of chunks; without one, nothing is kept."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def known(self, part: Part) -> list[tuple[int, int]]:
        """First matches and numbers of matches of the parts that are there, of the same cell."""
        if self._folder is None or not self._folder.is_dir():
            return []
        names = [file.stem.split("-") for file in self._folder.glob(f"{part.stem}-*-*.npz")]
        return sorted((int(first), int(count)) for _, first, count in names)

    def load(self, part: Part) -> Chunk | None:
        """The chunk, if it is there and whole."""
        if self._folder is None:
            return None
        try:
            with np.load(self._folder / part.name, allow_pickle=False) as arrays:
                return _chunk(part, dict(arrays))
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            return None

    def keep(self, part: Part, chunk: Chunk) -> None:
        """Write a chunk, whole or not at all."""
        if self._folder is None:
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        target = self._folder / part.name
        draft = target.with_suffix(".draft")
        with draft.open("wb") as file:
            np.savez_compressed(file, **dict(_arrays(chunk)))  # type: ignore[arg-type]
        os.replace(draft, target)

    def clear(self) -> None:
        """Remove them all: the study is complete."""
        if self._folder is None or not self._folder.is_dir():
            return
        for file in [*self._folder.glob("*.npz"), *self._folder.glob("*.draft")]:
            file.unlink()
        self._folder.rmdir()


def _arrays(chunk: Chunk) -> Iterator[tuple[str, np.ndarray]]:
    for column in fields(Chunk):
        value = getattr(chunk, column.name)
        if isinstance(value, np.ndarray):
            yield column.name, value
        elif column.name in TRACES and value is not None:
            for inner in fields(value):
                array = getattr(value, inner.name)
                if isinstance(array, np.ndarray):
                    yield f"{column.name}.{inner.name}", array


def _chunk(part: Part, arrays: dict[str, np.ndarray]) -> Chunk:
    columns: dict[str, Any] = {"cell": part.cell, "seed": part.seed}
    for column in fields(Chunk):
        kind = TRACES.get(column.name)
        if kind is None:
            if column.name not in columns:
                columns[column.name] = arrays[column.name]
        elif any(name.startswith(f"{column.name}.") for name in arrays):
            inner = {
                f.name: arrays[f"{column.name}.{f.name}"]
                for f in fields(kind)
                if f.name != "tokens"
            }
            if kind is Decisions:
                options = dict(part.cell.options)
                inner["tokens"] = part.cell.subject.vocabulary(options).actions  # type: ignore[assignment]
            columns[column.name] = kind(**inner)
    return Chunk(**columns)
