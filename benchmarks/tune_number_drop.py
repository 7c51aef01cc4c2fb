"""Train the value networks of Number Drop's `worth` by self-play, with lambda returns and Adam.

Each generation plays matches with the latest weights and explores: now and then a turn that is not
the best is played. Then the networks are fitted to the sheets of the last generations: the target
(`hope`) mixes their own value a round later with the final score. They start from random weights,
or from given ones. `--write` puts trained weights into the game's `weights.npy`:
    python benchmarks/tune_number_drop.py learned.npy
    python benchmarks/tune_number_drop.py --write learned.npy
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np

from droptable.core.bits import lowest_bit
from droptable.core.chance import below, generators, sample_outcome
from droptable.core.compile import COMPILED, Kernels, kernel
from droptable.core.contract import DEALER_ACTS
from droptable.core.loops import dealer
from droptable.core.net import HIDDEN, save_net
from droptable.games import game
from droptable.games.number_drop import rules
from droptable.games.number_drop.bot.features import skyline
from droptable.games.number_drop.bot.numbering import NOTES
from droptable.games.number_drop.bot.turns import NO_MORE, PLAN, best_turns
from droptable.games.number_drop.bot.weights import PATH
from droptable.games.number_drop.bot.worth import (
    COUNT,
    FEATURES,
    NETS,
    OUT,
    hidden_layer,
    net_for,
    rounds_left,
)
from droptable.games.number_drop.rules import apply, to_act
from droptable.games.number_drop.rules.record import PLAYING, ROLLING
from droptable.games.number_drop.rules.scoring import combo_points, score

TRIED = 16  # turns among which one is drawn now and then
WIDTH = 32  # rows for plans
MOST_ROUNDS = 64  # that are noted of a match
MOST_FEATURES = 80  # that are seen on one sheet
LOOKS = (FEATURES + HIDDEN - 1) // HIDDEN  # each of which shows HIDDEN of the features on a sheet
BATCH = 256  # sheets of a step
SHORT, LONG = 0.1, 0.001  # how fast the means of a weight's slopes and their squares follow them
STEADY = 0.999  # share of the mean weights that a step keeps

# What is known about a sheet: the features seen on it and how much of each, then its points.
SHEET = np.dtype(
    [
        ("features", np.int16, MOST_FEATURES),
        ("much", np.float32, MOST_FEATURES),
        ("count", np.int64),  # of features
        ("points", np.float64),
        ("net", np.int64),  # that judges it
        ("last", np.bool_),  # of its seat's match
        ("missed", np.float64),  # what the best next turn promised, if another was made, or NaN
        ("final", np.float64),  # the seat's score in the end
        ("hope", np.float64),  # what the net is to expect
    ]
)


@kernel
def play_match(
    states: Any,
    daring: int,
    sheets: Any,
    missed: Any,
    plans: Any,
    worths: Any,
    notes: Any,
    weights: Any,
    random: Any,
    ids: Any,
    chances: Any,
) -> int:
    """Play states[1] to its end; note the state after every round; return how many.

    `missed`, by round and seat, is what the best turn promised where another one was made.
    """
    state = states[1]
    count = 0
    actors = to_act(state)
    while actors:
        if actors == DEALER_ACTS:
            apply(state, dealer(), sample_outcome(state, ids, chances, random))
        else:
            seat = lowest_bit(actors)
            found = best_turns(state, seat, TRIED, plans, worths, notes, weights)
            row = 0
            if state["stage"] == PLAYING and below(random, 100) < daring:
                row = below(random, found)
                missed[min(count, len(sheets) - 1), seat] = worths[0]
            step = 0
            while plans[row, step] != NO_MORE:
                apply(state, seat, int(plans[row, step]))
                step += 1
            if state["stage"] == ROLLING and count < len(sheets):
                sheets[count] = states[1]
                count += 1
        actors = to_act(state)
    return count


@kernel
def look(states: Any, count: int, seat: int, masks: Any, sheets: Any) -> None:
    """Note what is seen: weights of 1 for one thing make its sum what is seen of it."""
    for i in range(count):
        left = rounds_left(states[i])
        sheets[i]["net"] = net_for(states[i], left)
        sheets[i]["points"] = combo_points(states[i], seat) + 2 * skyline(states[i], seat)[0]
        features = 0
        for k in range(len(masks)):
            sums = hidden_layer(states[i], seat, left, masks[k])
            for unit in range(HIDDEN):
                if sums[unit] != 0.0:
                    sheets[i]["features"][features] = HIDDEN * k + unit
                    sheets[i]["much"][features] = sums[unit]
                    features += 1
        sheets[i]["count"] = features


@kernel
def expect(sheet: Any, weights: Any, felt: Any) -> float:
    """The points to come; the net's sums stay in `felt`."""
    net = int(sheet["net"])
    for unit in range(HIDDEN):
        felt[unit] = 0.0
    for j in range(sheet["count"]):
        at = HIDDEN * (FEATURES * net + int(sheet["features"][j]))
        for unit in range(HIDDEN):
            felt[unit] += float(sheet["much"][j]) * weights[at + unit]
    expected = float(felt[0])
    for unit in range(1, HIDDEN):
        expected += max(felt[unit], 0.0) * weights[OUT + HIDDEN * net + unit]
    return expected


@kernel
def hope(sheets: Any, far: float, weights: Any, felt: Any) -> None:
    """Note the final score to hope for: what is expected a round later, and far later.

    (A lambda return: `far` is how much of the hope comes from later rounds. What came of a turn
    that was not the best says nothing about the sheet before it.)
    """
    later = 0.0
    for i in range(len(sheets) - 1, -1, -1):
        sheets[i]["hope"] = sheets[i]["final"]
        if not sheets[i]["last"]:
            sheets[i]["hope"] = (1.0 - far) * later + far * sheets[i + 1]["hope"]
        if not np.isnan(sheets[i]["missed"]):
            sheets[i]["hope"] = sheets[i]["missed"]
        later = sheets[i]["points"] + expect(sheets[i], weights, felt)


@kernel
def slope(sheets: Any, batch: Any, weights: Any, felt: Any, slopes: Any) -> float:
    """Add up by how much each weight would change the square errors; return their sum."""
    total = 0.0
    for i in batch:
        sheet = sheets[i]
        net = int(sheet["net"])
        error = expect(sheet, weights, felt) + sheet["points"] - sheet["hope"]
        total += error * error
        for unit in range(1, HIDDEN):
            at = OUT + HIDDEN * net + unit
            slopes[at] += error * max(felt[unit], 0.0)
            felt[unit] = error * weights[at] if felt[unit] > 0.0 else 0.0
        felt[0] = error
        for j in range(sheet["count"]):
            at = HIDDEN * (FEATURES * net + int(sheet["features"][j]))
            for unit in range(HIDDEN):
                slopes[at + unit] += float(sheet["much"][j]) * felt[unit]
    return total


class Lab:
    """Plays matches with weights that can change."""

    def __init__(self, seed: int) -> None:
        self.game = game("number-drop")
        self.kernels = Kernels("number-drop", rules.RULES.kernels(), COMPILED)
        self.play, self.look = self.kernels.twin(play_match), self.kernels.twin(look)
        self.random = generators(1, seed)
        self.plans = np.zeros((WIDTH + TRIED, PLAN), np.int32)
        self.worths = np.zeros(WIDTH + TRIED)
        self.notes = np.zeros(NOTES, np.int64)
        self.ids, self.chances = np.zeros(256, np.int32), np.zeros(64, np.int32)
        self.masks = np.zeros((LOOKS, COUNT))
        for what in range(FEATURES):
            for net in range(NETS):
                self.masks[what // HIDDEN, (FEATURES * net + what) * HIDDEN + what % HIDDEN] = 1.0

    def match(self, players: int, weights: np.ndarray, daring: int) -> tuple[np.ndarray, list[int]]:
        """The sheets of all seats after all rounds, and the final scores."""
        states = np.repeat(self.game.start(players).array, 2)
        rounds = np.zeros(MOST_ROUNDS, states.dtype)
        missed = np.full((MOST_ROUNDS, players), np.nan)
        count = self.play(
            states, daring, rounds, missed, self.plans, self.worths, self.notes,
            weights, self.random, self.ids, self.chances,
        )  # fmt: skip
        sheets = np.zeros((players, count), SHEET)
        scores = [score(states[1], seat) for seat in range(players)]
        for seat in range(players):
            self.look(rounds, count, seat, self.masks, sheets[seat])
            sheets[seat, -1:]["last"] = True
            sheets[seat]["final"] = scores[seat]
            sheets[seat]["missed"] = missed[1 : count + 1, seat]  # in the round after the sheet
        return sheets.ravel(), scores

    def matches(
        self, players: int, weights: np.ndarray, count: int, daring: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """The sheets of so many matches, and the final scores."""
        played = [self.match(players, weights, daring) for _ in range(count)]
        scores = [points for _, earned in played for points in earned]
        return np.concatenate([sheets for sheets, _ in played]), np.array(scores)


class Net:
    """The nets of `worth` with a way to learn (Adam); `weights` is the mean of the last steps."""

    def __init__(self, lab: Lab, seed: int, weights: np.ndarray | None = None) -> None:
        self.chance = np.random.default_rng(seed)
        if weights is None:
            weights = np.tile(self.chance.normal(0, 0.15, FEATURES * HIDDEN), NETS)
            weights[::HIDDEN] = 0.0  # the first sum counts as it is
            signs = np.where(np.arange(HIDDEN) % 2, 1.0, -1.0)
            weights = np.concatenate([weights, np.tile(signs, NETS)])
        self.weights, self._now = weights, weights.copy()
        self._hope, self._slope = lab.kernels.twin(hope), lab.kernels.twin(slope)
        self._mean, self._squares, self._steps = np.zeros(COUNT), np.zeros(COUNT), [0] * NETS
        self._felt = np.zeros(HIDDEN)
        features, sums = np.arange(FEATURES * HIDDEN), np.arange(HIDDEN)
        self._parts = [
            np.concatenate([FEATURES * HIDDEN * net + features, OUT + HIDDEN * net + sums])
            for net in range(NETS)
        ]

    def fit(self, sheets: np.ndarray, passes: int, far: float, rate: float) -> float:
        """Learn from sheets; return the mean error that was left in the last pass."""
        error = 0.0
        for _ in range(passes):
            error = 0.0
            self._hope(sheets, far, self.weights, self._felt)
            for net, batch in self._batches(sheets["net"]):
                slopes = np.zeros(COUNT)
                error += self._slope(sheets, batch, self._now, self._felt, slopes)
                self._step(net, slopes / len(batch), rate)
        return float(np.sqrt(error / len(sheets)))

    def _batches(self, nets: np.ndarray) -> list[tuple[int, np.ndarray]]:
        """All sheets in random order, in parts that are judged by the same net."""
        found = []
        for net in range(NETS):
            order = self.chance.permutation(np.flatnonzero(nets == net))
            found += [(net, order[i : i + BATCH]) for i in range(0, len(order), BATCH)]
        return [found[i] for i in self.chance.permutation(len(found))]

    def _step(self, net: int, slopes: np.ndarray, rate: float) -> None:
        part = self._parts[net]
        self._steps[net] += 1
        steps, slopes = self._steps[net], slopes[part]
        mean = self._mean[part] + SHORT * (slopes - self._mean[part])
        squares = self._squares[part] + LONG * (slopes**2 - self._squares[part])
        self._mean[part], self._squares[part] = mean, squares
        usual = np.sqrt(squares / (1 - (1 - LONG) ** steps)) + 1e-3
        self._now[part] -= rate * mean / (1 - (1 - SHORT) ** steps) / usual
        keep = min(STEADY, steps / (steps + 10))
        self.weights[part] = keep * self.weights[part] + (1 - keep) * self._now[part]


def main() -> None:
    """Learn weights, or write learned ones."""
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path, nargs="?", default=Path("weights.npy"))
    parser.add_argument("--generations", type=int, default=60)
    parser.add_argument("--matches", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--daring", type=int, default=20, help="per cent of turns")
    parser.add_argument("--far", type=float, default=0.7, help="how much of a hope is far away")
    parser.add_argument("--rate", type=float, default=0.001, help="of the first generation")
    parser.add_argument("--end", type=float, default=0.0001, help="rate of the last generation")
    parser.add_argument("--memory", type=int, default=16, help="generations to learn from")
    parser.add_argument("--passes", type=int, default=2)
    parser.add_argument("--start", type=Path, help="weights to start from")
    parser.add_argument("--write", type=Path, help="weights for the game")
    given = parser.parse_args()
    if given.write:
        save_net(PATH, np.load(given.write))
        return
    lab = Lab(given.seed)
    net = Net(lab, given.seed, np.load(given.start) if given.start else None)
    past: list[np.ndarray] = []
    for generation in range(given.generations):
        began = time.monotonic()
        done = generation / max(given.generations - 1, 1)
        solo, scores = lab.matches(1, net.weights, given.matches, given.daring)
        table, shared = lab.matches(3, net.weights, given.matches // 20, given.daring)
        past = [*past, solo, table][-2 * given.memory :]
        played = time.monotonic()
        rate = given.rate * (given.end / given.rate) ** done
        error = net.fit(np.concatenate(past), given.passes, given.far, rate)
        print(
            f"{generation}: mean {scores.mean():.2f} ± {scores.std() / len(scores) ** 0.5:.2f}"
            f", at a table {shared.mean():.2f}, error {error:.2f}"
            f", {played - began:.0f} + {time.monotonic() - played:.0f} s",
            flush=True,
        )
        np.save(given.out, net.weights)


if __name__ == "__main__":
    main()
