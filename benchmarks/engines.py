"""The engines against their floors: `make bench`, or `python benchmarks/engines.py [GAME …]`.

Prints the table of `droptable bench`, then for each floor the measured figure and its ratio to the
floor, and checks that memory stays flat over a million matches. Exits 1 if a floor is missed.
`--against CHECKOUT` compares with the engines of another checkout instead, by turns; it exits 1 if
one of ours is slower.
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from dataclasses import asdict

import by_turns

import droptable
from droptable.core.options import resolve
from droptable.lab.bench import bench_games
from droptable.lab.simulate import Simulation

FIGURES = (
    "moves_per_second", "batch_steps_per_second", "single_steps_per_second", "apply_per_second",
)  # fmt: skip
COMPILED = {  # moves per second inside compiled code
    "drop-or-pop": 10e6,
    "drop-site": 10e6,
    "depot": 5e6,
    "number-drop": 2e6,
    "drop": 1e6,
}
BATCH, SINGLE, IMPORT_SECONDS, FIRST_MOVE_SECONDS = 2e6, 0.5e6, 0.5, 2.0
FLAT_MATCHES, FLAT_KIB = 1_000_000, 4096


def main() -> int:
    """Measure and compare."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("games", nargs="*", help="names of games; all by default")
    parser.add_argument("--seconds", type=float, default=2.0, help="for each figure")
    by_turns.add_options(parser)
    given = parser.parse_args()
    names = given.games or [game.name for game in droptable.games()]
    if given.against:
        arguments = ["--seconds", str(given.seconds)]
        return by_turns.compare(__file__, names, arguments, given, FIGURES)
    games = [droptable.game(name) for name in names]
    if given.json:
        time.perf_counter = time.process_time  # CPU time: other programs hardly change it
        for row in bench_games(games, given.seconds, compile_times=False).rows:
            print(json.dumps(asdict(row)))
        return 0
    table = bench_games(games, given.seconds)
    print(table)
    print()
    missed = 0
    for row in table.rows:
        what = f"{row.game} {row.players}"
        missed += below(f"{what}: moves/s compiled", row.moves_per_second, COMPILED[row.game])
        missed += below(f"{what}: batch steps/s", row.batch_steps_per_second, BATCH)
        missed += below(f"{what}: single steps/s", row.single_steps_per_second, SINGLE)
    missed += above("import droptable, seconds", best_of("import droptable"), IMPORT_SECONDS)
    for name in names:
        first = best_of(
            f"from droptable.cli import app; app(['play', '{name}'], standalone_mode=False)"
        )
        missed += above(f"{name}: first prompt of line mode, warm", first, FIRST_MOVE_SECONDS)
    missed += memory()
    return 1 if missed else 0


def below(what: str, value: float, floor: float) -> bool:
    """Print a figure that should be high; whether it is too low."""
    print(f"{what:<45} {value:>14,.0f}  {value / floor:6.2f} x floor")
    return value < floor


def above(what: str, value: float, ceiling: float) -> bool:
    """Print a figure that should be low; whether it is too high."""
    print(f"{what:<45} {value:>14.2f}  {value / ceiling:6.2f} x ceiling")
    return value > ceiling


def best_of(script: str, runs: int = 5) -> float:
    """The shortest time of a script in a new process, whose input is empty."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        subprocess.run(
            [sys.executable, "-c", script],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            check=True,
        )
        times.append(time.perf_counter() - start)
    return min(times)


def memory() -> bool:
    """Whether memory grows over a million matches of the shortest game."""
    game = droptable.game("drop-or-pop")
    simulation = Simulation(game, 3, resolve(game.name, game.options, {}), seed=1)
    simulation.play(1000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    simulation.play(FLAT_MATCHES)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    return above(f"memory growth over {FLAT_MATCHES:,} matches, KiB", grown, FLAT_KIB)


if __name__ == "__main__":
    sys.exit(main())
