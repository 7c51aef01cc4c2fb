"""Steps per second of the vector environment: `python benchmarks/vector.py [GAME …] [--json]`.

Random legal moves, chosen by the environment, in a loop of Python; the best of several stretches,
by player count, without and with observations; then the same per second of CPU time, which other
programs on the machine hardly change. `--against CHECKOUT` compares with another checkout, by
turns. `DROPTABLE_GAMES=examples/connect_four.py` adds Connect Four, which other engines have too.
"""

import argparse
import json
import sys
import time

import by_turns

import droptable
from droptable.envs.vector import VectorEnv

STRETCHES = 5
FIGURES = ("blind", "observed", "blind_per_core", "observed_per_core")


def main() -> int:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("games", nargs="*", help="names of games; all by default")
    parser.add_argument("--matches", type=int, default=4096, help="stepped at once")
    parser.add_argument("--threads", type=int, default=None, help="by default as many as pay off")
    parser.add_argument("--seconds", type=float, default=2.0, help="for each figure")
    by_turns.add_options(parser)
    given = parser.parse_args()
    names = given.games or [game.name for game in droptable.games()]
    if given.against:
        arguments = ["--matches", str(given.matches), "--seconds", str(given.seconds)]
        if given.threads:
            arguments += ["--threads", str(given.threads)]
        return by_turns.compare(
            __file__, names, arguments, given, ("blind_per_core", "observed_per_core")
        )
    if not given.json:
        print(f"{'steps per second':<31}{'wall time':>24}{'CPU time':>24}")
        print(f"{'game':<14}{'players':>8}{'numbers':>9}" + f"{'blind':>12}{'observed':>12}" * 2)
    for name in names:
        game = droptable.game(name)
        for players in sorted({game.players[0], game.players[-1]}):
            row = measure(name, players, given.matches, given.threads, given.seconds)
            if given.json:
                print(json.dumps(row), flush=True)
            else:
                figures = "".join(f"{row[key]:>12,.0f}" for key in FIGURES)
                print(f"{name:<14}{players:>8}{row['numbers']:>9}{figures}", flush=True)
    return 0


def measure(name: str, players: int, matches: int, threads: int | None, seconds: float) -> dict:
    """One game at one player count."""
    row = {"game": name, "players": players, "matches": matches}
    for what, observe in (("blind", False), ("observed", True)):
        env = VectorEnv(name, matches, players, seed=1, threads=threads, observe=observe)
        row["threads"], row["numbers"] = env.threads, env.observations.shape[1]
        rates = [rate(env, seconds / STRETCHES) for _ in range(STRETCHES)]
        row[what] = max(by_clock for by_clock, _ in rates)
        row[f"{what}_per_core"] = max(at_work for _, at_work in rates)
        env.close()
    return row


def rate(env: VectorEnv, seconds: float) -> tuple[float, float]:
    """Steps per second over a stretch: of wall time, and of CPU time."""
    steps = 0
    start, busy = time.perf_counter(), time.process_time()
    while time.perf_counter() - start < seconds:
        for _ in range(10):
            env.step(env.sample_actions())
        steps += 10 * env.num_envs
    return steps / (time.perf_counter() - start), steps / (time.process_time() - busy)


if __name__ == "__main__":
    sys.exit(main())
