"""Matches per minute of the lab: one core, two cores and Ray, per game; what Ray costs.

    python benchmarks/lab.py --cpu-only           # what a match costs, random and greedy
    python benchmarks/lab.py --wall-only --plot docs/pictures/lab-scaling.svg

Rates of one core are by CPU time, so other jobs on the machine hardly matter. Local processes and
Ray do the same chunks by turns. The last lines say what an empty chunk costs: that, in a chunk of a
second, is the overhead wherever cores are free.
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path

import droptable
from droptable.core.cpu import usable_cores
from droptable.lab.cell import Cell
from droptable.lab.fleet import Fleet
from droptable.lab.matches import play_chunk
from droptable.lab.simulate import tally_of

BOTS = ("random", "greedy")
EMPTY = 200  # chunks without work
ROUNDS = 3
CHUNKS = 3  # of about a second, per worker and round
LABELS = {"local": "processes", "ray": "Ray"}


def cpu_per_match(cell, seconds=2.0):
    """Seconds of CPU that a match takes on one core."""
    play_chunk(cell, 1, 0, 1)  # waits for the compiler
    first, count = 1, 1
    while True:
        begun = time.process_time()
        tally_of((cell, 1, first, count))
        spent = time.process_time() - begun
        if spent > seconds / 2:
            return spent / count
        first, count = first + count, count * 2


def timed(fleet, cell, size, count):
    """Matches per second of wall time when a fleet does so many chunks."""
    chunks = [(cell, 1, number * size, size) for number in range(count)]
    begun = time.perf_counter()
    done = sum(tally.matches for _, (_, tally, _) in fleet.map(tally_of, chunks))
    return done / (time.perf_counter() - begun)


def nothing(number):
    """An empty chunk."""
    return number


def cost_of_a_chunk(fleet):
    """Seconds that a worker loses for each chunk that it is given."""
    list(fleet.map(nothing, range(EMPTY)))
    begun = time.perf_counter()
    list(fleet.map(nothing, range(EMPTY)))
    return (time.perf_counter() - begun) / EMPTY * fleet.workers


def by_turns(fleets, cell, size):
    """The median rate of each fleet, all of which do the same chunks, one after the other."""
    rates = {name: [] for name in fleets}
    for fleet in fleets.values():  # workers load their machine code
        timed(fleet, cell, 1, 2 * fleet.workers)
    for _ in range(ROUNDS):
        for name, fleet in fleets.items():
            rates[name].append(timed(fleet, cell, size, CHUNKS * fleet.workers))
    return {name: statistics.median(values) for name, values in rates.items()}


def costs(games):
    """Print and return the CPU seconds per match, with the fewest and the most players."""
    cost = {}
    print(
        f"{'game':<12} {'bots':<7} {'players':>7} {'CPU per match':>14} {'per minute, 2 cores':>20}"
    )
    for game in games:
        for bot in BOTS:
            for players in sorted({game.players[0], game.players[-1]}):
                cell = Cell(game.name, players, lineup=[bot])
                cost[cell] = cpu_per_match(cell)
                print(
                    f"{game.name:<12} {bot:<7} {players:>7} {1e6 * cost[cell]:>11.1f} µs "
                    f"{120 / cost[cell]:>20,.0f}",
                    flush=True,
                )
    return cost


def plot(path, scaling):
    """Draw matches per second against workers, of each game, and what perfect scaling gives."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(2.3 * len(scaling), 3), layout="constrained")
    panels = figure.subplots(1, len(scaling), squeeze=False)[0]
    for axes, (title, rates) in zip(panels, scaling.items(), strict=True):
        one = rates["local", 1]
        most = max(workers for _, workers in rates)
        axes.plot([1, most], [one, most * one], color="grey", linestyle="--", label="perfect")
        for where, marker in (("local", "o"), ("ray", "s")):
            workers = [n for place, n in rates if place == where]
            values = [rates[where, n] for n in workers]
            axes.plot(workers, values, marker=marker, label=LABELS[where])
        axes.set_title(title, fontsize="medium")
        axes.set(xlabel="workers", xticks=range(1, most + 1))
        axes.set_ylim(0)
    panels[0].set_ylabel("matches per second")
    panels[0].legend(loc="lower right", fontsize="small")
    figure.savefig(path)


def main():
    """Measure the chosen games."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("games", nargs="*", help="names of games; default: all")
    parser.add_argument("--plot", type=Path, help="draw the scaling of each game")
    parser.add_argument("--cpu-only", action="store_true", help="only what a match costs")
    parser.add_argument("--wall-only", action="store_true", help="only processes and Ray")
    given = parser.parse_args()
    games = [droptable.game(name) for name in given.games] or droptable.games()
    cost = costs(games) if not given.wall_only else {}
    if given.cpu_only:
        return
    counts = range(1, usable_cores() + 1)
    most = counts[-1]
    fleets = {("local", n): Fleet("local", n) for n in counts}
    fleets["ray", most] = Fleet("ray", most)
    scaling = {}
    for game in games:
        cell = Cell(game.name, lineup=["greedy"])
        rates = by_turns(fleets, cell, max(1, int(1 / (cost.get(cell) or cpu_per_match(cell)))))
        told = ", ".join(
            f"{LABELS[where]} {n}: {60 * rate:,.0f}" for (where, n), rate in rates.items()
        )
        print(f"{game.name} greedy, matches per minute of wall time: {told}")
        lost = 1 - rates["ray", most] / rates["local", most]
        print(f"  Ray costs {lost:.1%} of the rate of as many local processes", flush=True)
        scaling[f"{game.title}, {cell.seats} players".replace("1 players", "alone")] = rates
    for (where, n), fleet in fleets.items():
        print(f"{where} {n}: an empty chunk costs a worker {1e3 * cost_of_a_chunk(fleet):.1f} ms")
        fleet.close()
    if given.plot:
        plot(given.plot, scaling)


if __name__ == "__main__":
    main()
