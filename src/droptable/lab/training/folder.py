"""The folder of a training: what was asked for, every generation's net, and how far it has come.

`progress.json` is written last, so what it tells of is there; whatever a generation left behind
that was interrupted is written again, byte for byte.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from droptable.bots.checkpoint import VALUE, write_network
from droptable.bots.guided_search import Layers
from droptable.core.errors import DroptableError
from droptable.core.files import replace_text
from droptable.core.game import Game
from droptable.core.match import check_count
from droptable.lab.drawing import lines
from droptable.lab.statistics import Interval

FORMAT = 1
MANIFEST, PROGRESS, CURVE, BEST = "training.json", "progress.json", "curve.svg", "best.npz"


@dataclass(frozen=True)
class Settings:
    """What decides over a training, besides the game, the players and the options."""

    matches: int = 400  # of self-play per generation
    iterations: int = 48  # of search per decision
    hidden: tuple[int, ...] = (64, 32)  # units of the hidden layers
    window: int = 8  # generations whose decisions are learned from
    reuse: float = 4.0  # how often a decision is learned from, on average
    batch: int = 256
    evaluate_every: int = 5  # generations
    evaluation_matches: int = 300  # against each opponent
    against: tuple[str, ...] = ("random", "greedy")
    teacher: str = "greedy"  # whose matches are learned from first; none, if empty
    lessons: int = 2000  # so many of them
    seed: int = 0

    def __post_init__(self) -> None:
        for name in (
            "matches", "iterations", "window", "batch", "evaluate_every", "evaluation_matches",
            "lessons",
        ):  # fmt: skip
            check_count(name, getattr(self, name))
        for units in self.hidden:
            check_count("hidden", units)
        if not self.hidden:
            raise DroptableError("hidden is empty; expected the units of one layer or more")
        if not self.reuse > 0:
            raise DroptableError(f"reuse is {self.reuse!r}; expected a number above 0")


@dataclass
class Progress:
    """How far a training has come."""

    generation: int = -1  # 0 learns from the teacher, or nothing
    matches: int = 0  # of self-play
    decisions: int = 0
    best: int = 0  # the generation whose net is in `best.npz`
    generations: list[dict[str, Any]] = field(default_factory=list)  # decisions and losses
    evaluations: list[dict[str, Any]] = field(default_factory=list)  # shares against opponents


class Folder:
    """The files of one training."""

    def __init__(
        self, path: Path, game: Game, players: int, options: dict[str, Any], settings: Settings
    ) -> None:
        self.path, self.game, self.players, self.options = path, game, players, options
        self.settings = settings

    @property
    def manifest(self) -> dict[str, Any]:
        """What was asked for."""
        asked: dict[str, Any] = {
            "droptable training": FORMAT, "version": version("droptable"), "game": self.game.name,
            "rules": self.game.version, "players": self.players, "options": self.options,
            "settings": asdict(self.settings),
        }  # fmt: skip
        plain: dict[str, Any] = json.loads(json.dumps(asked))
        return plain

    def begin(self) -> None:
        """Make the folder; one that holds a training is refused."""
        if (self.path / MANIFEST).exists():
            raise DroptableError(f"{self.path} holds a training; --resume goes on with it")
        self.path.mkdir(parents=True, exist_ok=True)
        replace_text(self.path / MANIFEST, json.dumps(self.manifest, indent=1) + "\n")

    def check(self) -> None:
        """Refuse to go on with another training than the one in the folder."""
        found = read_manifest(self.path)
        wanted = self.manifest
        for name in ("rules", "players", "options"):
            if found.get(name) != wanted[name]:
                raise DroptableError(
                    f"{self.path} is a training with {name} {found.get(name)!r}, "
                    f"not {wanted[name]!r}"
                )

    def progress(self) -> Progress:
        """How far it has come."""
        file = self.path / PROGRESS
        return Progress(**json.loads(file.read_text("utf-8"))) if file.exists() else Progress()

    def net(self, generation: int) -> Path:
        """The file of a generation's net."""
        return self.path / f"net-{generation:04}.npz"

    def samples(self, generation: int) -> Path:
        """The file of a generation's decisions."""
        return self.path / f"decisions-{generation:04}.npz"

    def learner(self, generation: int) -> Path:
        """The file from which learning goes on."""
        return self.path / f"learner-{generation:04}.npz"

    def write_net(self, path: Path, layers: Layers) -> None:
        """Write a net as a bot."""
        *hidden, (weight, bias) = layers
        actions = len(bias) - self.players
        write_network(
            path, [*hidden, (weight[:actions], bias[:actions])], self.game, self.players,
            value=(weight[actions:], bias[actions:]),
        )  # fmt: skip

    def read_layers(self, generation: int) -> list[tuple[np.ndarray, np.ndarray]]:
        """The layers of a generation's net."""
        with np.load(self.net(generation)) as parts:
            net = dict(parts)
        layers = [
            (net[f"{k}.weight"], net[f"{k}.bias"]) for k in range(len(self.settings.hidden) + 1)
        ]
        both = zip(layers[-1], (net[f"{VALUE}.weight"], net[f"{VALUE}.bias"]), strict=True)
        weight, bias = (np.concatenate(pair) for pair in both)
        return [*layers[:-1], (weight, bias)]

    def commit(self, progress: Progress) -> None:
        """Say how far it has come, draw the curve, and remove what is not needed any more."""
        replace_text(self.path / PROGRESS, json.dumps(vars(progress), indent=1) + "\n")
        if progress.evaluations:
            self.draw(progress).save(self.path / CURVE)
        self.learner(progress.generation - 1).unlink(missing_ok=True)
        self.samples(progress.generation - self.settings.window).unlink(missing_ok=True)

    def draw(self, progress: Progress) -> Any:
        """The learning curve: shares of the victory against each frozen opponent."""
        series: dict[str, list[tuple[float, Interval]]] = {}
        for evaluation in progress.evaluations:
            for name, found in evaluation["against"].items():
                point = evaluation["matches"] / 1000, Interval(*found)
                series.setdefault(name, []).append(point)
        fair = 1 / self.players if self.players > 1 else None
        return lines(
            f"{self.game.title}: share of the victory by self-play", series, fair=fair,
            across="thousands of matches", percent=True,
        )  # fmt: skip


def read_manifest(path: Path) -> dict[str, Any]:
    """What a training in a folder was asked for."""
    file = path / MANIFEST
    if not file.exists():
        raise DroptableError(f"{path} holds no training to go on with: there is no {MANIFEST}")
    try:
        found: dict[str, Any] = json.loads(file.read_text("utf-8"))
        if found["droptable training"] != FORMAT:
            raise ValueError(f"its format is {found['droptable training']!r}, not {FORMAT}")
    except (ValueError, KeyError, TypeError) as error:
        raise DroptableError(f"{file} is no training to go on with: {error}") from None
    return found
