"""Learn how positions of Drop. stand (`bot/evaluation.py`) by TD(lambda) in self-play.

Both seats place where the value after it is best, among some of the legal cells, so that matches
differ; after each match the weights learn to predict what they predicted a placement later, and the
result. Boards, numbers of pieces and options vary, most matches having the usual ones. `--write`
puts the weights into the game's `evaluation.npy`:
    python benchmarks/tune_drop.py trained.npy --minutes 10
    python benchmarks/tune_drop.py --write trained.npy
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path
from typing import Any

import numpy as np

from droptable.core.chance import below, generators
from droptable.core.compile import kernel
from droptable.core.net import save_net
from droptable.games import game
from droptable.games.drop.bot import evaluation
from droptable.games.drop.bot.evaluation import (
    AHEAD,
    COUNT,
    DEPTHS,
    EXTRAS,
    GROUP,
    KNOTS,
    PATTERNS,
    PLACES,
    SIGN_OF,
    amount_of,
    largest_and_squares,
    log_odds,
    phase_of,
    seven_bits,
    walled,
    weight_of,
)
from droptable.games.drop.rules import BLACK, ONE_PLANE, WHITE, apply, largest_group, legal, to_act

MOST_MOVES = 128
LAMBDA = 0.7
MATCHES = 100  # per call
TRIED = 24  # of the legal cells, at each placement
FREE = 6  # placements at the beginning that may be random
MARGIN = 4.0  # cells by which a victory counts as half certain, half as much as the victory itself


@kernel
def learn(start: Any, states: Any, weights: Any, sums: Any, ids: Any, values: Any, rate: float,
          matches: int, random: Any) -> float:  # fmt: skip
    """Play matches and learn from each; return the mean squared error of all predictions."""
    error = 0.0
    total = 0
    for _ in range(matches):
        states[0] = start[0]
        moves = 0
        free = below(random, FREE)
        while to_act(states[moves]) != 0:
            state = states[moves]
            seat = to_act(state) - 1  # seats 0 and 1 are bits 1 and 2
            count = legal(state, seat, ids)
            best = -1e9
            move = int(ids[below(random, count)])
            if moves >= free:
                for _try in range(min(count, TRIED)):
                    action = int(ids[below(random, count)])
                    states[MOST_MOVES] = states[moves]
                    apply(states[MOST_MOVES], seat, action)
                    value = log_odds(states[MOST_MOVES], weights)
                    if seat == WHITE:
                        value = -value
                    if value > best:
                        best = value
                        move = action
            states[moves + 1] = states[moves]
            apply(states[moves + 1], seat, move)
            moves += 1
        lead = largest_group(states[moves], BLACK) - largest_group(states[moves], WHITE)
        won = 0.5 + 0.5 * min(1, max(-1, lead))
        target = 0.5 * won + 0.5 / (1.0 + np.exp(-lead / MARGIN))
        for i in range(1, moves + 1):
            values[i] = 1.0 / (1.0 + np.exp(-log_odds(states[i], weights)))
        for back in range(moves):
            i = moves - back
            if i < moves:
                target = (1.0 - LAMBDA) * values[i + 1] + LAMBDA * target
            gap = target - values[i]
            error += gap * gap
            total += 1
            nudge(states[i], weights, sums, gap, rate)
    return error / total


@kernel
def nudge(state: Any, weights: Any, sums: Any, gap: float, rate: float) -> None:
    """Change all weights that a position has a part of, in the direction of the gap."""
    phase = phase_of(state)
    knot = min(int(phase), KNOTS - 2)
    later = phase - knot
    size = int(state["size"])
    black_above = white_above = ONE_PLANE
    black, white = walled(state, size, 1, BLACK), walled(state, size, 1, WHITE)
    for row in range(1, 2 * size):
        black_below = walled(state, size, row + 1, BLACK)
        white_below = walled(state, size, row + 1, WHITE)
        for column in range(max(1, size - row + 1), min(2 * size, 3 * size - row)):
            bits = seven_bits(column, black_above, black, black_below)
            code = bits | seven_bits(column, white_above, white, white_below) << len(PLACES)
            sign = float(SIGN_OF[code])
            if sign != 0.0:
                at = weight_of(size, row, column, code) + knot
                step(weights, sums, at, gap * sign * (1.0 - later), rate)
                step(weights, sums, at + 1, gap * sign * later, rate)
        black_above, black, white_above, white = black, black_below, white, white_below
    group, squares = largest_and_squares(state, BLACK)
    theirs, their_squares = largest_and_squares(state, WHITE)
    for extra in range(EXTRAS):
        at = KNOTS * (DEPTHS * PATTERNS + extra) + knot
        amount = gap * amount_of(state, extra, group - theirs, squares - their_squares)
        step(weights, sums, at, amount * (1.0 - later), rate)
        step(weights, sums, at + 1, amount * later, rate)


@kernel
def step(weights: Any, sums: Any, at: int, slope: float, rate: float) -> None:
    """One weight's step, smaller the more it has been changed (AdaGrad)."""
    if slope != 0.0:
        sums[at] += slope * slope
        weights[at] += rate * slope / np.sqrt(sums[at])


def first_weights() -> np.ndarray:
    """What to begin with: the larger group leads, the more so towards the end."""
    weights = np.zeros(COUNT)
    knots = np.arange(KNOTS) / (KNOTS - 1)
    first = KNOTS * DEPTHS * PATTERNS
    weights[first + KNOTS * GROUP :][:KNOTS] = 3 * knots**2
    weights[first + KNOTS * AHEAD :][:KNOTS] = knots**6
    return weights


def some_options(chance: random.Random) -> dict[str, Any]:
    """The options of the next matches."""
    if chance.random() < 0.75:
        return {}
    size = chance.choice((5, 6, 6, 7, 8, 9))
    return {
        "size": size, "pieces": chance.choice((16, 24, 32, 32, 40, 60)),
        "squeeze": chance.choice(("any", "any", "enemy")),
        "opening": chance.choice(("dud", "dud", "ring")),
    }  # fmt: skip


def main() -> None:
    """Learn for some minutes, or write what was learned."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--rate", type=float, default=0.02)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="put the file's weights into the game")
    given = parser.parse_args()
    if given.write:
        save_net(evaluation.PATH, np.load(given.file))
        return
    drop = game("drop")
    run = drop.at_full_speed.kernels.twin(learn)
    weights = first_weights()
    if given.file.exists():
        weights = np.load(given.file).astype(np.float64)
    sums = np.full(COUNT, 1e-2)
    chance, rng = random.Random(given.seed), generators(1, given.seed)
    begun = told = time.monotonic()
    played, error = 0, 0.0
    while (passed := (time.monotonic() - begun) / (60 * given.minutes)) < 1:
        options = drop.start(2, **some_options(chance)).options
        start = drop.template(2, options)
        states = np.repeat(start, MOST_MOVES + 1)
        ids = drop.vocabulary(options).room()[0]
        values = np.zeros(MOST_MOVES + 1)
        rate = given.rate * (1 - 0.9 * passed)
        here = run(start, states, weights, sums, ids, values, rate, MATCHES, rng)
        played += MATCHES
        error = 0.98 * error + 0.02 * here
        if time.monotonic() > told + 20:
            told = time.monotonic()
            np.save(given.file, weights.astype(np.float32))
            print(f"{played} matches, error {error:.4f}", flush=True)
    np.save(given.file, weights.astype(np.float32))


if __name__ == "__main__":
    main()
