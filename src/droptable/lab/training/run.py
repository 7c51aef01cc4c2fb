"""A training: generations of self-play, learning and evaluation, on all cores or on Ray."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from droptable.bots.guided_search import Layers
from droptable.bots.instincts import check_words, habit_of
from droptable.core.errors import DroptableError, OptionError
from droptable.core.game import Game
from droptable.core.options import resolve
from droptable.core.tensor import size_of
from droptable.lab.fleet import Fleet
from droptable.lab.progress import Meter
from droptable.lab.statistics import Interval, mean_of
from droptable.lab.training.folder import BEST, Folder, Settings, read_manifest
from droptable.lab.training.learner import Learner, new_layers
from droptable.lab.training.self_play import Chunk, Played, kept_of, play_chunk

CHUNK = 16  # matches, at most
SELF_PLAY, LEARNING, EVALUATION = range(3)  # streams of a training's seed
PREVIOUS = "best"  # the name of the best net so far, as an opponent

Tell = Callable[[str], None]
Decisions = tuple[np.ndarray, np.ndarray, np.ndarray]  # tensors, policies, values


class Training:
    """A training that can go on, generation by generation."""

    def __init__(self, folder: Folder, fleet: Fleet) -> None:
        self.folder, self.fleet, self.settings = folder, fleet, folder.settings
        self.game, self.players, self.options = folder.game, folder.players, folder.options
        self._check_bots()
        self.progress = folder.progress()
        self.actions = len(self.game.vocabulary(self.options).actions)
        self.inputs = size_of(self.game.planes_of(self.players, self.options))
        sizes = [self.inputs, *self.settings.hidden, self.actions + self.players]
        self.learner = Learner(new_layers(sizes, self.settings.seed), self.actions)
        self.window: list[Decisions] = []
        if self.progress.generation >= 0:
            self._restore()

    def _check_bots(self) -> None:
        """Refuse opponents and teachers that are not compiled."""
        named = [("--against", bot) for bot in self.settings.against]
        if self.settings.teacher:
            named.append(("--teacher", self.settings.teacher))
        for name, bot in named:
            if habit_of(bot) is None:
                raise OptionError(
                    f"{name} is {bot!r}; expected a bot that does not search: random, greedy, "
                    "easy, greedy:never-WORD …"
                )
            check_words(self.game, self.options, bot)

    def _restore(self) -> None:
        generation = self.progress.generation
        with np.load(self.folder.learner(generation)) as parts:
            self.learner.restore(dict(parts))
        for past in range(max(0, generation - self.settings.window + 1), generation + 1):
            with np.load(self.folder.samples(past)) as parts:
                self.window.append((parts["tensors"], parts["policies"], parts["values"]))

    def generation(self, tell: Tell) -> None:
        """Play, learn, evaluate now and then, and keep it all."""
        progress, settings = self.progress, self.settings
        number = progress.generation + 1
        parts = self._lessons() if number == 0 else self._self_play(number)
        self.window = [*self.window, parts][-settings.window :]
        losses = self._learn(number, len(parts[0]))
        self._keep(number, parts)
        progress.generation = number
        progress.matches += settings.matches if number else 0
        progress.decisions += len(parts[0])
        progress.generations.append({
            "decisions": len(parts[0]), "policy loss": losses[0], "value loss": losses[1],
        })  # fmt: skip
        told = f"loss {losses[0]:.3f} (policy) and {losses[1]:.3f} (value)"
        if number:
            tell(
                f"generation {number}: {progress.matches:,} matches, "
                f"{progress.decisions:,} decisions, {told}"
            )
        elif settings.teacher:
            tell(f"generation 0: {settings.lessons:,} matches of {settings.teacher}, {told}")
        else:
            tell("generation 0: untrained")
        if number % settings.evaluate_every == 0:
            tell(self._evaluate(number))
        self.folder.commit(progress)

    # -- parts of a generation --------------------------------------------------------------------

    def _lessons(self) -> Decisions:
        """The decisions of a teacher; none, if there is no teacher."""
        if self.settings.teacher:
            lineup: list[int | str] = [self.settings.teacher] * self.players
            return self._noted(0, lineup, self.settings.lessons, "lessons:")
        shapes = self.inputs, self.actions, self.players
        tensors, policies, values = (np.zeros((0, size), np.float16) for size in shapes)
        return tensors, policies, values

    def _self_play(self, number: int) -> Decisions:
        """The decisions of a generation, in the order of its matches."""
        title = f"generation {number}, self-play:"
        return self._noted(number, [0] * self.players, self.settings.matches, title)

    def _noted(
        self, number: int, lineup: Sequence[int | str], matches: int, title: str
    ) -> Decisions:
        played = self._play(
            [self.learner.layers], lineup, self._seed(SELF_PLAY, number), matches, title,
            kept_of(self.inputs, matches),
        )  # fmt: skip
        return (
            np.concatenate([part.tensors for part in played]),
            np.concatenate([part.policies for part in played]),
            np.concatenate([part.values for part in played]),
        )

    def _learn(self, number: int, fresh: int) -> tuple[float, float]:
        """Learn from the window; returns the mean losses."""
        settings = self.settings
        parts = [np.concatenate(kind) for kind in zip(*self.window, strict=True)]
        random = np.random.default_rng((settings.seed, LEARNING, number))
        steps = math.ceil(settings.reuse * fresh / settings.batch)
        losses = np.zeros(2)
        for _ in range(steps):
            rows = random.integers(0, len(parts[0]), settings.batch)
            losses += self.learner.learn(*(part[rows] for part in parts))
        policy, value = (losses / max(steps, 1)).tolist()
        return policy, value

    def _keep(self, number: int, parts: Decisions) -> None:
        tensors, policies, values = parts
        np.savez_compressed(
            self.folder.samples(number), tensors=tensors, policies=policies, values=values
        )
        np.savez_compressed(self.folder.learner(number), **self.learner.parts())  # type: ignore[arg-type]
        self.folder.write_net(self.folder.net(number), self.learner.layers)
        if number == 0:
            self.folder.write_net(self.folder.path / BEST, self.learner.layers)

    def _evaluate(self, number: int) -> str:
        """Measure the net against frozen opponents; it becomes the best one if it beats that."""
        best = self.folder.read_layers(self.progress.best)
        found: dict[str, Interval] = {}
        better = False
        if self.players == 1:
            found["alone"] = self._share([self.learner.layers], [0], "evaluation:")
            if number:
                before = self._share([best], [0], "evaluation of the best:")
                better = found["alone"].value > before.value
        else:
            others: list[int | str] = [*self.settings.against, *([1] if number else [])]
            for bot in others:
                name = PREVIOUS if bot == 1 else str(bot)
                lineup: list[int | str] = [0, *[bot] * (self.players - 1)]
                nets = [self.learner.layers, best]
                found[name] = self._share(nets, lineup, f"evaluation against {name}:")
            better = number > 0 and found[PREVIOUS].value > 1 / self.players
        told = ", ".join(
            f"{share.percent()} "
            + (name if self.players == 1 else f"against {name}")
            + (f" (generation {self.progress.best})" if name == PREVIOUS else "")
            for name, share in found.items()
        )
        self.progress.evaluations.append({
            "generation": number, "matches": self.progress.matches,
            "best": self.progress.best,
            "against": {
                name: [share.value, share.low, share.high, share.count]
                for name, share in found.items()
            },
        })  # fmt: skip
        if better:
            self.progress.best = number
            self.folder.write_net(self.folder.path / BEST, self.learner.layers)
        return f"  wins {told}{'; this is the best net now' if better else ''}"

    def _share(self, nets: Sequence[Layers], lineup: list[int | str], title: str) -> Interval:
        """What the first one of a line-up wins, in deals that training does not see."""
        played = self._play(
            nets, lineup, self._seed(EVALUATION, 0), self.settings.evaluation_matches, title,
        )  # fmt: skip
        shares = np.concatenate([part.shares[:, 0] for part in played])
        return mean_of(shares, np.arange(len(shares)) // self.players)

    def _play(
        self, nets: Sequence[Layers], lineup: Sequence[int | str], seed: int, matches: int,
        title: str, kept: int = 0,
    ) -> list[Played]:  # fmt: skip
        """Play matches on the fleet; the chunks in order."""

        def chunks() -> Iterator[Chunk]:
            for first in range(0, matches, size):
                yield Chunk(
                    self.game, self.players, self.options, nets, lineup, seed, first,
                    min(size, matches - first), self.settings.iterations, kept,
                )  # fmt: skip

        size = max(1, min(CHUNK, math.ceil(matches / 8)))
        played = []
        with Meter(title, matches) as meter:
            for _, part in self.fleet.map(play_chunk, chunks()):
                played.append(part)
                meter.advance(len(part.shares))
        return sorted(played, key=lambda part: part.first)

    def _seed(self, stream: int, number: int) -> int:
        """A seed of its own for each stream of each generation."""
        entropy = np.random.SeedSequence((self.settings.seed, stream, number))
        return int(entropy.generate_state(1, np.uint64)[0])


def train(
    game: Game,
    players: int | None,
    out: Path,
    generations: int,
    settings: Settings | None = None,
    *,
    resume: bool = False,
    minutes: float | None = None,
    on: str | None = None,
    workers: int | None = None,
    tell: Tell = print,
    **options: Any,
) -> Training:
    """Train until there are so many generations, or for some minutes; the folder keeps it all."""
    if resume:
        manifest = read_manifest(out)
        if manifest["game"] != game.name:
            raise DroptableError(f"{out} is a training of {manifest['game']}, not of {game.name}")
        settings = Settings(**_tuples(manifest["settings"]))
        players = players or manifest["players"]
        options = _tuples(manifest["options"]) | options
    folder = Folder(
        out, game, game.check_players(players), resolve(game.name, game.options, options),
        settings or Settings(),
    )  # fmt: skip
    deadline = math.inf if minutes is None else time.monotonic() + 60 * minutes
    alone = not game.everywhere
    with Fleet("local" if alone else on, 1 if alone else workers) as fleet:
        if resume:
            folder.check()
        else:
            folder.begin()
        training = Training(folder, fleet)
        while training.progress.generation < generations and time.monotonic() < deadline:
            training.generation(tell)
    return training


def _tuples(values: dict[str, Any]) -> dict[str, Any]:
    """Values from JSON, which has no tuples."""
    return {name: tuple(v) if isinstance(v, list) else v for name, v in values.items()}
