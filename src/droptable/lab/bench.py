"""How fast the engines are. Compare numbers of one machine within one run only."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import Progress

from droptable.core.chance import below, generators
from droptable.core.compile import kernel
from droptable.core.game import Game
from droptable.core.loops import States, step
from droptable.core.options import resolve
from droptable.core.precompile import policy
from droptable.lab.simulate import Simulation

BATCH = 1024
REPEATS = 5  # stretches per figure; the best one counts, because noise only ever slows down


@dataclass(frozen=True)
class Row:
    """One game at one player count. Rates count seats' moves; dealing and listing is included."""

    game: str
    players: int
    state_bytes: int
    moves_per_second: float  # whole random matches in one call
    matches_per_second: float
    batch_steps_per_second: float  # 1,024 matches stepped together from Python
    single_steps_per_second: float  # one `step + legal` call at a time, by integer ids
    apply_per_second: float  # `State.apply` by tokens, one at a time, dealer's events included
    compile_seconds: float | None  # a first match in a new process, nothing cached
    load_seconds: float | None  # the same with the machine code cached


@dataclass(frozen=True)
class Table:
    """All rows of a run."""

    rows: tuple[Row, ...]

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"rows": [asdict(row) for row in self.rows]}

    def __str__(self) -> str:
        head = (
            f"{'game':<12} {'players':>7} {'bytes':>5} {'moves/s':>12} {'matches/s':>10} "
            f"{'batch steps/s':>13} {'single steps/s':>14} {'apply/s':>9} "
            f"{'cold s':>6} {'warm s':>6}"
        )
        return "\n".join([head, *(self._line(row) for row in self.rows)])

    @staticmethod
    def _line(row: Row) -> str:
        cold = "" if row.compile_seconds is None else f"{row.compile_seconds:.1f}"
        warm = "" if row.load_seconds is None else f"{row.load_seconds:.2f}"
        return (
            f"{row.game:<12} {row.players:>7} {row.state_bytes:>5} {row.moves_per_second:>12,.0f} "
            f"{row.matches_per_second:>10,.0f} {row.batch_steps_per_second:>13,.0f} "
            f"{row.single_steps_per_second:>14,.0f} {row.apply_per_second:>9,.0f} "
            f"{cold:>6} {warm:>6}"
        )


def bench_games(games: Sequence[Game], seconds: float, *, compile_times: bool = True) -> Table:
    """Measure games at every player count, with a progress bar in a terminal."""
    console = Console(stderr=True)
    rows = []
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("measuring …", total=sum(len(g.players) for g in games))
        for game in games:
            progress.update(task, description=f"{game.title}: compiling, measuring …")
            timed = compile_times and policy() != "never"
            cold, warm = start_times(game) if timed else (None, None)
            for players in game.players:
                rows.append(bench_game(game, players, seconds, cold, warm))
                progress.advance(task)
    return Table(tuple(rows))


def bench_game(
    game: Game, players: int, seconds: float, cold: float | None = None, warm: float | None = None
) -> Row:
    """Measure one game at one player count with its default options."""
    values = resolve(game.name, game.options, {})
    simulation = Simulation(game, players, values, seed=1)
    simulation.play(1)  # compiles
    start = time.perf_counter()
    simulation.play(1)
    # A tenth of a stretch per call: many matches compiled, few or one as plain Python.
    matches = max(1, int(seconds / REPEATS / 10 / (time.perf_counter() - start)))
    rate, per_match = _best(lambda: (simulation.play(matches), matches), seconds)
    return Row(
        game.name,
        players,
        game.rules.dtype.itemsize,
        rate,
        per_match,
        _batch_rate(game, players, seconds),
        _single_rate(game, players, values, seconds),
        _apply_rate(game, players, seconds),
        cold,
        warm,
    )


def _best(work: Callable[[], tuple[int, int]], seconds: float) -> tuple[float, float]:
    """The best rates over several stretches; work returns two counts."""
    best = (0.0, 0.0)
    work()
    for _ in range(REPEATS):
        first = second = 0
        start = now = time.perf_counter()
        while now - start < seconds / REPEATS:
            a, b = work()
            first, second, now = first + a, second + b, time.perf_counter()
        best = max(best, (first / (now - start), second / (now - start)))
    return best


def _batch_rate(game: Game, players: int, seconds: float) -> float:
    batch = game.batch(BATCH, players, seed=1)
    generator = np.random.default_rng(1)
    steps = 20 if game.at_full_speed.compiled else 1  # plain, one takes a tenth of a second

    def work() -> tuple[int, int]:
        for _ in range(steps):
            batch.step(batch.random_actions(generator))
        return steps * BATCH, 0

    return _best(work, seconds)[0]


@kernel
def step_at_random(states: States, i: int, count: int, random: Any, ids: Any, weights: Any) -> int:
    """`step` with a random listed move, so that the caller's choice costs nothing."""
    return step(states, i, int(ids[below(random, count)]), random, ids, weights)


def _single_rate(game: Game, players: int, values: dict[str, Any], seconds: float) -> float:
    template = game.template(players, values)
    states = np.repeat(template, 1)
    ids, weights = game.vocabulary(values).room()
    random = generators(1, 1)
    engine = game.at_full_speed
    go = engine.kernels.twin(step_at_random)

    def work() -> tuple[int, int]:
        states[0] = template[0]
        count = engine.next_decision(states, 0, random, ids, weights) & 0xFFFF
        for made in range(1, 2001):
            after = go(states, 0, count, random, ids, weights)
            count = after & 0xFFFF
            if not count:
                return made, 0
        return 2000, 0

    return _best(work, seconds)[0]


def _apply_rate(game: Game, players: int, seconds: float) -> float:
    """Replays of one recorded match: what `apply` itself costs, checks included."""
    from droptable.bots.match import play

    record = play(game, players, seed=1)
    events = record.events[:2000]

    def work() -> tuple[int, int]:
        state = game.start(players)
        for actor, token in events:
            state.apply(actor, token)
        return len(events), 0

    return _best(work, seconds)[0]


def start_times(game: Game) -> tuple[float, float]:
    """Seconds until the first move of a compiled match in a new process: cold, then warm."""
    script = (
        "import sys, droptable; g = droptable.game(sys.argv[1]); "
        "from droptable.core.precompile import compile_now; compile_now(g)"
    )
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"DROPTABLE_CACHE": folder, "DROPTABLE_COMPILE": "now"}
        times = []
        for _ in range(2):
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", script, game.name], env=environment, check=True)
            times.append(time.perf_counter() - start)
    return times[0], times[1]
