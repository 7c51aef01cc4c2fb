"""Learn the weights of Number Drop's `worth`: play, compare what was expected with what came, fit.

Each generation plays matches with the weights of the last one (now and then a turn that is not the
best). Then the net learns, from the sheets of the last generations, to expect what it will expect a
round later, and the final score (`hope`). It starts from chance, or from weights of its own.
`--write` puts learned weights into the game's `weights.py`:
    python benchmarks/tune_number_drop.py learned.npy
    python benchmarks/tune_number_drop.py --write learned.npy
"""

from __future__ import annotations

import argparse
import textwrap
import time
from pathlib import Path
from typing import Any

import numpy as np

from droptable.core.bits import lowest_bit
from droptable.core.chance import below, generators, sample_outcome
from droptable.core.compile import Kernels, kernel
from droptable.core.contract import DEALER_ACTS
from droptable.core.loops import dealer
from droptable.games import game
from droptable.games.number_drop import rules
from droptable.games.number_drop.numbering import NOTES
from droptable.games.number_drop.reading import skyline
from droptable.games.number_drop.rules import ROLLING, apply, score, to_act
from droptable.games.number_drop.turns import NO_MORE, PLAN, best_turns
from droptable.games.number_drop.worth import (
    COUNT,
    OUT,
    SEEN,
    UNITS,
    combo_points,
    impressions,
    rounds_left,
)

TRIED = 4  # turns among which one is drawn now and then
WIDTH = 24  # rows for plans
MOST_ROUNDS = 64  # that are noted of a match
MOST_THINGS = 80  # that are seen on one sheet
LOOKS = (SEEN + UNITS - 1) // UNITS  # each of which shows UNITS of the things on a sheet
LONG = 0.0005  # how fast the mean square of a weight's slopes follows them

# What is known about a sheet: the things seen on it and how much of each, then its points.
SHEET = np.dtype(
    [
        ("things", np.int16, MOST_THINGS),
        ("much", np.float32, MOST_THINGS),
        ("count", np.int64),  # of things
        ("points", np.float64),
        ("last", np.bool_),  # of its seat's match
        ("final", np.float64),  # the seat's score in the end
        ("hope", np.float64),  # what the net is to expect
    ]
)


@kernel
def play_match(
    states: Any,
    daring: int,
    sheets: Any,
    plans: Any,
    worths: Any,
    notes: Any,
    weights: Any,
    random: Any,
    ids: Any,
    chances: Any,
) -> int:
    """Play states[1] to its end; note the state after every round; return how many."""
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
            if below(random, 100) < daring:
                row = below(random, found)
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
        sheets[i]["points"] = combo_points(states[i], seat) + 2 * skyline(states[i], seat)[0]
        things = 0
        for k in range(len(masks)):
            sums = impressions(states[i], seat, left, masks[k])
            for unit in range(UNITS):
                if sums[unit] != 0.0:
                    sheets[i]["things"][things] = UNITS * k + unit
                    sheets[i]["much"][things] = sums[unit]
                    things += 1
        sheets[i]["count"] = things


@kernel
def expect(sheet: Any, weights: Any, felt: Any) -> float:
    """The points to come; the net's sums stay in `felt`."""
    for unit in range(UNITS):
        felt[unit] = 0.0
    for j in range(sheet["count"]):
        at = UNITS * int(sheet["things"][j])
        for unit in range(UNITS):
            felt[unit] += float(sheet["much"][j]) * weights[at + unit]
    expected = float(felt[0])
    for unit in range(1, UNITS):
        expected += max(felt[unit], 0.0) * weights[OUT + unit]
    return expected


@kernel
def hope(sheets: Any, far: float, weights: Any, felt: Any) -> None:
    """Note the final score to hope for: what is expected a round later, and far later.

    (A lambda return: `far` is how much of the hope comes from later rounds.)
    """
    later = 0.0
    for i in range(len(sheets) - 1, -1, -1):
        sheets[i]["hope"] = sheets[i]["final"]
        if not sheets[i]["last"]:
            sheets[i]["hope"] = (1.0 - far) * later + far * sheets[i + 1]["hope"]
        later = sheets[i]["points"] + expect(sheets[i], weights, felt)


@kernel
def learn(
    sheets: Any,
    order: Any,
    rate: float,
    weights: Any,
    squares: Any,
    times: Any,
    felt: Any,
    slopes: Any,
) -> float:
    """A step towards what is hoped for, sheet by sheet; return the mean square error.

    Steps are as large as a weight's slopes usually are (RMSprop), and only for what is seen.
    """
    total = 0.0
    for i in order:
        sheet = sheets[i]
        error = expect(sheet, weights, felt) + sheet["points"] - sheet["hope"]
        total += error * error
        slopes[0] = error
        for unit in range(1, UNITS):
            slopes[unit] = 0.0
            if felt[unit] > 0.0:
                at = OUT + unit
                slopes[unit] = error * weights[at]
                slope = error * felt[unit]
                squares[at] += LONG * (slope * slope - squares[at])
                weights[at] -= 0.3 * rate * slope / (np.sqrt(squares[at]) + 1e-3)
        for j in range(sheet["count"]):
            thing = int(sheet["things"][j])
            times[thing] += 1.0
            pace = max(LONG, 1.0 / (times[thing] + 3.0))
            for unit in range(UNITS):
                slope = slopes[unit] * float(sheet["much"][j])
                if slope != 0.0:
                    at = UNITS * thing + unit
                    squares[at] += pace * (slope * slope - squares[at])
                    weights[at] -= rate * slope / (np.sqrt(squares[at]) + 1e-3)
    return total / len(order)


class Lab:
    """Plays matches with weights that can change."""

    def __init__(self, seed: int) -> None:
        self.game = game("number-drop")
        self.kernels = Kernels("number-drop", rules, compiled=True)
        self.play, self.look = self.kernels.twin(play_match), self.kernels.twin(look)
        self.random = generators(1, seed)
        self.plans = np.zeros((WIDTH + TRIED, PLAN), np.int32)
        self.worths = np.zeros(WIDTH + TRIED)
        self.notes = np.zeros(NOTES, np.int64)
        self.ids, self.chances = np.zeros(256, np.int32), np.zeros(64, np.int32)
        self.masks = np.zeros((LOOKS, COUNT))
        for what in range(SEEN):
            self.masks[what // UNITS, what * UNITS + what % UNITS] = 1.0

    def match(self, players: int, weights: np.ndarray, daring: int) -> tuple[np.ndarray, list[int]]:
        """The sheets of all seats after all rounds, and the final scores."""
        states = np.repeat(self.game.start(players).array, 2)
        rounds = np.zeros(MOST_ROUNDS, states.dtype)
        count = self.play(
            states, daring, rounds, self.plans, self.worths, self.notes,
            weights, self.random, self.ids, self.chances,
        )  # fmt: skip
        sheets = np.zeros((players, count), SHEET)
        scores = [score(states[1], seat) for seat in range(players)]
        for seat in range(players):
            self.look(rounds, count, seat, self.masks, sheets[seat])
            sheets[seat, -1:]["last"] = True
            sheets[seat]["final"] = scores[seat]
        return sheets.ravel(), scores

    def matches(
        self, players: int, weights: np.ndarray, count: int, daring: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """The sheets of so many matches, and the final scores."""
        played = [self.match(players, weights, daring) for _ in range(count)]
        scores = [points for _, earned in played for points in earned]
        return np.concatenate([sheets for sheets, _ in played]), np.array(scores)


class Net:
    """The net of `worth` with a way to learn."""

    def __init__(self, lab: Lab, seed: int, weights: np.ndarray | None = None) -> None:
        self.chance = np.random.default_rng(seed)
        if weights is None:
            weights = self.chance.normal(0, 0.15, COUNT)
            weights[:OUT:UNITS] = 0.0  # the first sum counts as it is
            weights[OUT:] = np.where(np.arange(UNITS) % 2, 1.0, -1.0)
        self.weights = weights
        self._hope, self._learn = lab.kernels.twin(hope), lab.kernels.twin(learn)
        self._squares, self._times = np.ones(COUNT), np.zeros(SEEN)
        self._felt, self._slopes = np.zeros(UNITS), np.zeros(UNITS)

    def fit(self, sheets: np.ndarray, passes: int, far: float, rate: float) -> float:
        """Learn from sheets; return the mean error that was left in the last pass."""
        error = 0.0
        for _ in range(passes):
            self._hope(sheets, far, self.weights, self._felt)
            error = self._learn(
                sheets, self.chance.permutation(len(sheets)), rate, self.weights,
                self._squares, self._times, self._felt, self._slopes,
            )  # fmt: skip
        return float(np.sqrt(error))


def write(weights: np.ndarray) -> None:
    """Write weights to the game's file."""
    lines = [
        '"""What things on a sheet are worth, in thousandths: see `worth` for the order.',
        "",
        "Learned and written by `benchmarks/tune_number_drop.py`; not to be edited by hand.",
        '"""',
        "",
        "from __future__ import annotations",
        "",
        "import numpy as np",
        "",
        "# fmt: off",
        "THOUSANDTHS = (",
    ]
    for row in weights.reshape(-1, UNITS):
        numbers = ", ".join(str(round(1000 * weight)) for weight in row) + ","
        lines += textwrap.wrap(numbers, 96, initial_indent=" " * 4, subsequent_indent=" " * 4)
    lines += [")", "# fmt: on", "WEIGHTS = np.array(THOUSANDTHS) / 1000.0"]
    file = Path(rules.__file__).with_name("weights.py")
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    """Learn weights, or write learned ones."""
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path, nargs="?", default=Path("weights.npy"))
    parser.add_argument("--generations", type=int, default=60)
    parser.add_argument("--matches", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--daring", type=int, default=8, help="per cent of turns")
    parser.add_argument("--far", type=float, default=0.8, help="how much of a hope is far away")
    parser.add_argument("--rate", type=float, default=0.004, help="of the first generation")
    parser.add_argument("--end", type=float, default=0.0003, help="rate of the last generation")
    parser.add_argument("--memory", type=int, default=6, help="generations to learn from")
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--start", type=Path, help="weights to start from")
    parser.add_argument("--write", type=Path, help="weights for the game")
    given = parser.parse_args()
    if given.write:
        write(np.load(given.write))
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
