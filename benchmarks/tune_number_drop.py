"""Learn the weights of Number Drop's `worth`: play, compare what was expected with what came, fit.

Each generation plays matches with the weights of the last one (now and then a turn that is not the
best). Then the net learns, from the sheets of the last generations, to expect what it will expect a
round later, and the final score (`hopes`). It starts from chance, or from weights of its own.
`--write` puts learned weights into the game's `weights.py`:
    python benchmarks/tune_number_drop.py learned.npy
    python benchmarks/tune_number_drop.py --write learned.npy
"""

from __future__ import annotations

import argparse
import textwrap
import time
from dataclasses import dataclass
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
BATCH = 2048
LOOKS = (SEEN + UNITS - 1) // UNITS  # each of which shows UNITS of the things on a sheet


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
def look(sheets: Any, seat: int, masks: Any, seen: Any, points: Any) -> None:
    """Write what is seen on sheets: weights of 1 for one thing make its sum what is seen of it."""
    for i in range(len(sheets)):
        left = rounds_left(sheets[i])
        points[i] = combo_points(sheets[i], seat) + 2 * skyline(sheets[i], seat)[0]
        for k in range(len(masks)):
            sums = impressions(sheets[i], seat, left, masks[k])
            for unit in range(UNITS):
                seen[i, UNITS * k + unit] = sums[unit]


@dataclass
class Matches:
    """The sheets of all seats after all rounds of some matches, in order."""

    seen: np.ndarray  # [sheet, SEEN]
    points: np.ndarray  # by sheet
    last: np.ndarray  # by sheet: whether it is its seat's last one
    final: np.ndarray  # by sheet: the seat's final score


class Lab:
    """Plays matches with weights that can change."""

    def __init__(self, seed: int) -> None:
        self.game = game("number-drop")
        self.kernels = Kernels("number-drop", rules, compiled=True)
        self.play = self.kernels.twin(play_match)
        self.look = self.kernels.twin(look)
        self.random = generators(1, seed)
        self.plans = np.zeros((WIDTH, PLAN), np.int32)
        self.worths = np.zeros(WIDTH)
        self.notes = np.zeros(NOTES, np.int64)
        self.ids, self.chances = np.zeros(256, np.int32), np.zeros(64, np.int32)
        self.masks = np.zeros((LOOKS, COUNT))
        for what in range(SEEN):
            self.masks[what // UNITS, what * UNITS + what % UNITS] = 1.0

    def match(self, players: int, weights: np.ndarray, daring: int) -> tuple[np.ndarray, list[int]]:
        """The states after all rounds, and the final scores."""
        states = np.repeat(self.game.start(players).array, 2)
        sheets = np.zeros(MOST_ROUNDS, states.dtype)
        count = self.play(
            states, daring, sheets, self.plans, self.worths, self.notes,
            weights, self.random, self.ids, self.chances,
        )  # fmt: skip
        return sheets[:count], [score(states[1], seat) for seat in range(players)]

    def matches(self, players: int, weights: np.ndarray, count: int, daring: int) -> Matches:
        """Play matches and look at their sheets."""
        return self.read(self.match(players, weights, daring) for _ in range(count))

    def read(self, played: Any) -> Matches:
        """Look at the sheets of matches."""
        seen, points, last, final = [], [], [], []
        for sheets, scores in played:
            for seat, earned in enumerate(scores):
                seen.append(np.zeros((len(sheets), LOOKS * UNITS)))
                points.append(np.zeros(len(sheets)))
                self.look(sheets, seat, self.masks, seen[-1], points[-1])
                seen[-1] = seen[-1][:, :SEEN].astype(np.float32)
                last.append(np.arange(len(sheets)) == len(sheets) - 1)
                final.append(np.full(len(sheets), float(earned)))
        return Matches(*(np.concatenate(part) for part in (seen, points, last, final)))


class Net:
    """The net of `worth` with a way to learn (Adam's)."""

    def __init__(self, seed: int, weights: np.ndarray | None = None) -> None:
        self.chance = np.random.default_rng(seed)
        if weights is None:
            first = self.chance.normal(0, 0.3, (SEEN, UNITS))
            out = self.chance.normal(0, 1.0, UNITS)
            first[:, 0] = 0.0
        else:
            first, out = weights[:OUT].reshape(SEEN, UNITS).copy(), weights[OUT:].copy()
        self.parts = [first.astype(np.float32), out.astype(np.float32)]
        self.means = [np.zeros_like(part) for part in self.parts]
        self.squares = [np.zeros_like(part) for part in self.parts]
        self.steps = 0

    @property
    def weights(self) -> np.ndarray:
        """All weights, in the order of `worth`."""
        return np.concatenate([part.ravel() for part in self.parts]).astype(np.float64)

    def expect(self, seen: np.ndarray) -> np.ndarray:
        """The points to come."""
        sums = seen @ self.parts[0]
        expected: np.ndarray = sums[:, 0] + np.maximum(sums[:, 1:], 0) @ self.parts[1][1:]
        return expected

    def learn(self, seen: np.ndarray, hoped: np.ndarray, rate: float) -> None:
        """One step towards expecting what was hoped for."""
        sums = seen @ self.parts[0]
        felt = np.maximum(sums, 0)
        felt[:, 0] = 0
        error = (sums[:, 0] + felt @ self.parts[1] - hoped) / len(hoped)
        back = error[:, None] * self.parts[1] * (sums > 0)
        back[:, 0] = error
        self.steps += 1
        for i, slope in enumerate((seen.T @ back, error @ felt)):
            slope += 1e-5 * self.parts[i]
            self.means[i] += 0.1 * (slope - self.means[i])
            self.squares[i] += 0.001 * (slope * slope - self.squares[i])
            mean = self.means[i] / (1 - 0.9**self.steps)
            square = self.squares[i] / (1 - 0.999**self.steps)
            self.parts[i] -= rate * mean / (np.sqrt(square) + 1e-8)


def hopes(matches: Matches, net: Net, far: float) -> np.ndarray:
    """The final score to hope for at each sheet: what is expected a round later, and far later.

    (A lambda return: `far` is how much of the hope comes from later rounds.)
    """
    expected = matches.points + net.expect(matches.seen)
    hoped = matches.final.copy()
    for i in range(len(hoped) - 2, -1, -1):
        if not matches.last[i]:
            hoped[i] = (1.0 - far) * expected[i + 1] + far * hoped[i + 1]
    return hoped


def fit(net: Net, past: list[Matches], passes: int, far: float, rate: float) -> float:
    """Learn from matches; return the mean error that was left in the last pass."""
    seen = np.concatenate([matches.seen for matches in past])
    points = np.concatenate([matches.points for matches in past])
    error = 0.0
    for k in range(passes):
        hoped = np.concatenate([hopes(matches, net, far) for matches in past]) - points
        hoped = hoped.astype(np.float32)
        error = float(np.sqrt(np.mean((net.expect(seen) - hoped) ** 2)))
        order = net.chance.permutation(len(seen))
        for start in range(0, len(seen), BATCH):
            batch = order[start : start + BATCH]
            net.learn(seen[batch], hoped[batch], rate * (1.0 - 0.7 * k / passes))
    return error


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
    parser.add_argument("--generations", type=int, default=24)
    parser.add_argument("--matches", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--daring", type=int, default=10, help="per cent of turns")
    parser.add_argument("--far", type=float, default=0.7, help="how much of a hope is far away")
    parser.add_argument("--rate", type=float, default=0.003)
    parser.add_argument("--memory", type=int, default=8, help="generations to learn from")
    parser.add_argument("--passes", type=int, default=8)
    parser.add_argument("--start", type=Path, help="weights to start from")
    parser.add_argument("--write", type=Path, help="weights for the game")
    given = parser.parse_args()
    if given.write:
        write(np.load(given.write))
        return
    lab = Lab(given.seed)
    net = Net(given.seed, np.load(given.start) if given.start else None)
    past: list[Matches] = []
    for generation in range(given.generations):
        began = time.monotonic()
        solo = lab.matches(1, net.weights, given.matches, given.daring)
        table = lab.matches(3, net.weights, given.matches // 20, given.daring)
        past = [*past, solo, table][-2 * given.memory :]
        played = time.monotonic()
        error = fit(net, past, given.passes, given.far, given.rate)
        finals = solo.final[solo.last]
        print(
            f"{generation}: mean {np.mean(finals):.2f} ± {np.std(finals) / len(finals) ** 0.5:.2f}"
            f", at a table {np.mean(table.final[table.last]):.2f}, error {error:.2f}"
            f", {played - began:.0f} + {time.monotonic() - played:.0f} s",
            flush=True,
        )
        np.save(given.out, net.weights)


if __name__ == "__main__":
    main()
