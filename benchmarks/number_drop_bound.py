"""How many points a solo match of Number Drop can give: a planner that knows all dice.

`python benchmarks/number_drop_bound.py` lets a beam search plan matches whose dice are all known
beforehand, with the turns and the values that `search` uses. One line per width: the mean score
with its 95 % interval. It is no proof of a limit, but tells how much of the score is luck.
"""

import argparse
import math
import random
import statistics

import numpy as np

import droptable
from droptable.bots.precompile import prepare
from droptable.bots.turn_search import DROPS, plan_at

GAME = droptable.game("number-drop")
DEALER = (-1,)
TURNS = 32  # that are followed from each sheet


class Planner:
    """The best turns of a sheet, and what each is worth."""

    def __init__(self):
        prepare(GAME)
        rows = TURNS + DROPS
        self._plan = GAME.at_full_speed.kernels.twin(plan_at)
        self._plans = np.zeros((rows, GAME.bot.turn_planner.length), np.int32)
        self._worths = np.zeros(rows)
        self._notes = np.zeros(GAME.bot.turn_planner.scratch, np.int64)

    def turns(self, state):
        """Pairs of a worth and the turn's tokens."""
        count = self._plan(state.array, 0, 0, TURNS, self._plans, self._worths, self._notes)
        tokens = GAME.vocabulary(state.options).actions
        for worth, plan in zip(self._worths[:count], self._plans[:count], strict=True):
            yield float(worth), [tokens[action] for action in plan[: list(plan).index(-1)]]


def best_score(planner, seed, width):
    """The best final score that the beam finds for the dice of a seed."""
    dice = random.Random(seed)
    beam, best = [GAME.start(1)], -math.inf
    while beam:
        while beam and beam[0].to_act == DEALER:
            token = beam[0].draw(dice)
            for state in beam:
                state.apply(-1, token)
        ended = []  # turns, with what the sheets are worth then
        while beam:
            found = [(w, i, turn) for i, s in enumerate(beam) for w, turn in planner.turns(s)]
            found.sort(reverse=True)
            after, seen = [], set()
            for worth, i, turn in found:
                state = beam[i].copy()
                for token in turn:
                    state.apply(0, token)
                if len(seen) < width and bytes(state) not in seen:
                    seen.add(bytes(state))
                    after.append((worth, state))
                if len(seen) == width:
                    break
            ended += [(w, s) for w, s in after if s.over or s.to_act == DEALER]
            beam = [s for _, s in after if not s.over and s.to_act != DEALER]
        ended.sort(key=lambda pair: -pair[0])
        best = max([best, *(s.scores[0] for _, s in ended if s.over)])
        beam = [s for _, s in ended[:width] if not s.over]
    return best


def main():
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--widths", type=int, nargs="+", default=[1, 16, 200])
    parser.add_argument("--matches", type=int, default=20)
    arguments = parser.parse_args()
    planner = Planner()
    for width in arguments.widths:
        scores = [best_score(planner, seed, width) for seed in range(arguments.matches)]
        mean = statistics.fmean(scores)
        spread = 1.96 * statistics.stdev(scores) / math.sqrt(len(scores))
        print(f"width {width:>4}: {mean:.1f} ({mean - spread:.1f} to {mean + spread:.1f})"
              f" of {len(scores)} matches", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
