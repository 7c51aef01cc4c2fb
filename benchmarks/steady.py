"""How long must a level search to be as strong as by the clock? Strength by iterations.

`python benchmarks/steady.py GAME …` lets `master` play deals of the day (docs/daily.md) with
searches of several lengths, each in the same matches as the others: its share of the victories, its
mean lead in points (alone: its points) with 95 % intervals, and the CPU time of a match. A game's
`LevelShares.steady` is the least number from which on more iterations change little.
"""

import argparse
import time

import numpy as np

from droptable.bots.precompile import prepare
from droptable.games import game, games
from droptable.lab.level_scores import play_searching
from droptable.lab.statistics import wilson
from droptable.tables.daily import SEAT, WIN, value_of


def measure(subject, level, iterations, matches, seconds):
    """Print one line."""
    alone = subject.players[0] == 1
    won, leads, begin = [], [], time.process_time()
    for number in range(matches):
        if time.process_time() - begin > seconds and len(won) > 1:
            break
        final = play_searching(subject, level, number, iterations)
        won.append(SEAT in final.winners)
        value = value_of(final.scores, final.winners, SEAT)
        leads.append(value if alone else value - WIN * won[-1])
    count, took = len(won), time.process_time() - begin
    low, high = wilson(sum(won), count)
    error = 1.96 * np.std(leads, ddof=1) / np.sqrt(count)
    share = "" if alone else f"{np.mean(won):.1%} ({low:.1%} to {high:.1%}) won, "
    print(
        f"{subject.name:<12} {level} {iterations:>6} iterations, {count:>5} matches: {share}"
        f"{np.mean(leads):.2f} ± {error:.2f} points, {took / count:.3f} s per match",
        flush=True,
    )


def main():
    """Measure the chosen games."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("games", nargs="*", help="names of games; default: all")
    parser.add_argument("--iterations", type=int, nargs="+", default=[40, 160, 640, 2560])
    parser.add_argument("--level", choices=["hard", "master"], default="master")
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=120.0, help="of CPU, for each line")
    given = parser.parse_args()
    for subject in [game(name) for name in given.games] or games():
        prepare(subject)
        for iterations in given.iterations:
            measure(subject, given.level, iterations, given.matches, given.seconds)


if __name__ == "__main__":
    main()
