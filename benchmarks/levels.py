"""Do the five levels differ, and keep their time? Every level against the one below, in every game.

`python benchmarks/levels.py` lets each level play alone against the level below (at the fewest
players, but not solo), seats rotated over the same deals, one core per match, and times its moves.
Prints one line per pair: the upper level's share of wins with its 95 % interval, a fair share, and
the median and longest time of its moves beside the time that the level promises. Levels that do not
search play most of their matches in machine code (`--quick`). Exits 1 if a level is not
significantly better than the one below it, or breaks its promise.
"""

import argparse
import json
import random
import statistics
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path

import droptable
from droptable.bots.levels import LEVELS
from droptable.bots.match import play_out
from droptable.bots.precompile import prepare
from droptable.bots.registry import make_bot
from droptable.lab.anchors import Mixed, noise_of
from droptable.lab.cell import Cell
from droptable.lab.statistics import wilson

NAMES = list(LEVELS)


class Timed:
    """A bot whose moves are timed."""

    def __init__(self, bot):
        self._bot = bot
        self.times = []

    def choose(self, view):
        """What the bot chooses."""
        start = time.perf_counter()
        token = self._bot.choose(view)
        self.times.append(time.perf_counter() - start)
        return token


def play_timed(name, bots, seed, cpu):
    """One match: for each seat its bot, its share of the victory and the seconds of its moves."""
    game = droptable.game(name)
    prepare(game)
    if cpu:
        time.monotonic = time.perf_counter = time.thread_time  # the clocks of searches, and ours
    state = game.start(len(bots))
    seats = [Timed(make_bot(bot, hash((seed, seat)), cores=1)) for seat, bot in enumerate(bots)]
    play_out(state, seats, random.Random(seed))
    won = state.winners
    shares = [1 / len(won) if seat in won else 0.0 for seat in range(len(bots))]
    return [(bot, share, seat.times) for bot, share, seat in zip(bots, shares, seats, strict=True)]


def quick_share(game, upper, lower, count, matches):
    """The share of the victory of one level without search alone against another, compiled."""
    mixed = Mixed(game, count, seed=1)
    total = 0.0
    for match in range(matches):
        noise = [noise_of(lower, game)] * count
        noise[match % count] = noise_of(upper, game)
        total += mixed.play(noise)[match % count]
    return total


def measure(game, upper, lower, matches, workers, quick, cpu):
    """One line: the upper level alone against a table of the lower one."""
    count = max(2, game.players[0])
    cell = Cell(game.name, count, lineup=(upper, *[lower] * (count - 1)), rotate=True)
    line_ups = [(cell.deal_of(match), cell.seated(match)) for match in range(matches)]
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        jobs = [pool.submit(play_timed, game.name, bots, seed, cpu) for seed, bots in line_ups]
        results = [job.result() for job in jobs]
    own = [(share, times) for result in results for bot, share, times in result if bot == upper]
    wins, matches = sum(share for share, _ in own), len(own)
    if quick and not LEVELS[upper].seconds:
        wins, matches = quick_share(game, upper, lower, count, quick), quick
    times = [seconds for _, match in own for seconds in match]
    low, high = wilson(wins, matches)
    return {
        "game": game.name, "upper": upper, "lower": lower, "matches": matches,
        "share": wins / matches, "low": low, "high": high, "fair": 1 / count,
        "median": statistics.median(times), "longest": max(times),
        "promise": LEVELS[upper].promise,
    }  # fmt: skip


def main() -> int:
    """Measure the chosen pairs of levels."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("games", nargs="*", help="names of games; default: all")
    parser.add_argument("--level", action="append", choices=NAMES[1:], help="only these levels")
    parser.add_argument("--matches", type=int, default=60)
    parser.add_argument("--quick", type=int, default=2000, help="of levels that do not search")
    parser.add_argument("--workers", type=int, default=2, help="matches at a time, one core each")
    parser.add_argument("--cpu", action="store_true", help="seconds of CPU, on a busy machine")
    parser.add_argument("--json", type=Path, help="also write the results to this file")
    arguments = parser.parse_args()
    lines = []
    for game in [droptable.game(name) for name in arguments.games] or droptable.games():
        prepare(game)
        for lower, upper in pairwise(NAMES):
            if arguments.level and upper not in arguments.level:
                continue
            line = measure(
                game,
                upper,
                lower,
                arguments.matches,
                arguments.workers,
                arguments.quick,
                arguments.cpu,
            )
            lines.append(line)
            better = line["low"] > line["fair"]
            kept = line["longest"] <= line["promise"]
            print(
                f"{game.name:<12} {upper:>6} over {lower:<6} {line['share']:6.1%} "
                f"({line['low']:.1%} to {line['high']:.1%}, fair {line['fair']:.0%}) "
                f"moves {line['median']:.3f} s, longest {line['longest']:.3f} s of "
                f"{line['promise']} s: {'better' if better else 'NOT BETTER'}, "
                f"{'kept' if kept else 'BROKEN'}",
                flush=True,
            )
    if arguments.json:
        arguments.json.write_text(json.dumps(lines, indent=2) + "\n")
    return int(any(x["low"] <= x["fair"] or x["longest"] > x["promise"] for x in lines))


if __name__ == "__main__":
    sys.exit(main())
