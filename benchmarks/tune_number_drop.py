"""Learn the weights of Number Drop's `worth`: play, compare what was expected with what came, fit.

Each generation plays matches with the weights of the last one (now and then a turn that is not the
best), and fits new weights by ridge regression to the points that each sheet still earned. All
sheets count, the older the less. The matches are solo; the weights serve at a table as well.
`--write` puts them into the game's `weights.py`:
    python benchmarks/tune_number_drop.py learned.npy
    python benchmarks/tune_number_drop.py --write learned.npy
"""

from __future__ import annotations

import argparse
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from droptable.core.bits import lowest_bit
from droptable.core.chance import below, generators, sample_outcome
from droptable.core.compile import Kernels, kernel
from droptable.core.contract import DEALER_ACTS
from droptable.core.loops import dealer
from droptable.games import game
from droptable.games.number_drop import rules, worth
from droptable.games.number_drop.rules import ROLLING, apply, score, to_act
from droptable.games.number_drop.turns import NO_MORE, NOTES, PLAN, best_turns

TRIED = 4  # turns among which one is drawn now and then
WIDTH = 24  # rows for plans
MOST_ROUNDS = 64  # that are noted of a match


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


class Recorder:
    """Weights that note which of them are asked for."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def __getitem__(self, index: int) -> float:
        self.asked.append(int(index))
        return 0.0


class Lab:
    """Plays matches with weights that can change."""

    def __init__(self, seed: int) -> None:
        self.game = game("number-drop")
        self.kernels = Kernels("number-drop", rules, compiled=True)
        self.play = self.kernels.twin(play_match)
        self.random = generators(1, seed)
        self.plans = np.zeros((WIDTH, PLAN), np.int32)
        self.worths = np.zeros(WIDTH)
        self.notes = np.zeros(NOTES, np.int64)
        self.ids, self.chances = np.zeros(256, np.int32), np.zeros(64, np.int32)

    def match(self, players: int, weights: np.ndarray, daring: int) -> tuple[np.ndarray, Any]:
        """The states after all rounds, and the final one."""
        states = np.repeat(self.game.start(players).array, 2)
        sheets = np.zeros(MOST_ROUNDS, states.dtype)
        count = self.play(
            states, daring, sheets, self.plans, self.worths, self.notes,
            weights, self.random, self.ids, self.chances,
        )  # fmt: skip
        return sheets[:count], states[1]

    def mean(self, players: int, weights: np.ndarray, matches: int) -> tuple[float, float]:
        """The mean score over matches without daring, and its standard error."""
        scores = [
            np.mean([score(final, seat) for seat in range(players)])
            for _, final in (self.match(players, weights, 0) for _ in range(matches))
        ]
        return float(np.mean(scores)), float(np.std(scores) / np.sqrt(matches))


def samples(
    lab: Lab, players: int, weights: np.ndarray, matches: int, daring: int
) -> tuple[list[list[int]], list[float], list[float]]:
    """Of every sheet after every round: its features and the points still to come; the scores."""
    features, to_come, finals = [], [], []
    for _ in range(matches):
        sheets, final = lab.match(players, weights, daring)
        for seat in range(players):
            earned = score(final, seat)
            finals.append(earned)
            for sheet in sheets:
                recorder = Recorder()
                points = worth.worth(sheet, seat, worth.slides_left(sheet), recorder)
                features.append(recorder.asked)
                to_come.append(earned - points)
    return features, to_come, finals


@kernel
def add_up(features: Any, lengths: Any, to_come: Any, gram: Any, right: Any) -> None:
    """Add sheets to the normal equations; a feature of a phase also counts for all phases."""
    for i in range(len(lengths)):
        for j in range(2 * lengths[i]):
            a = features[i, j]
            if a >= 0:
                right[a] += to_come[i]
                for k in range(2 * lengths[i]):
                    b = features[i, k]
                    if b >= 0:
                        gram[a, b] += 1.0


class Fit:
    """Ridge regression over all sheets so far, of which the old ones count less and less.

    What is learned is how the weights differ from those at the start.
    """

    def __init__(self, lab: Lab, start: np.ndarray, ridge: float, memory: float) -> None:
        self.start = start
        self.add_up = lab.kernels.twin(add_up)
        self.ridge, self.memory = ridge, memory
        size = worth.COUNT + worth.A_PHASE
        self.gram, self.right = np.zeros((size, size)), np.zeros(size)

    def add(self, features: list[list[int]], to_come: list[float]) -> None:
        """Add the sheets of a generation."""
        self.gram *= self.memory
        self.right *= self.memory
        lengths = np.array([len(asked) for asked in features])
        table = np.full((len(features), 2 * lengths.max()), -1)
        for i, asked in enumerate(features):
            table[i, : len(asked)] = asked
            for k, f in enumerate(asked):
                if f < worth.LEFT:
                    table[i, len(asked) + k] = worth.COUNT + f % worth.A_PHASE
        known = [self.start[asked].sum() for asked in features]
        self.add_up(table, lengths, np.array(to_come) - known, self.gram, self.right)

    def weights(self) -> np.ndarray:
        """For each feature what all phases share, and what its phase adds to it."""
        solved = np.linalg.solve(self.gram + self.ridge * np.eye(len(self.right)), self.right)
        weights: np.ndarray = self.start + solved[: worth.COUNT]
        for phase in range(worth.PHASES):
            weights[phase * worth.A_PHASE :][: worth.A_PHASE] += solved[worth.COUNT :]
        return weights


def rows(weights: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """All weights, in lines with what they are for."""
    kinds = ("sets", "runs")
    for phase in range(worth.PHASES):
        part = weights[phase * worth.A_PHASE :][: worth.A_PHASE]
        each = worth.MISSING * worth.ROOM
        for i in range(2 * worth.SIZES):
            name = f"phase {phase}: {kinds[i // worth.SIZES]} for {3 + i % worth.SIZES}"
            yield name, part[worth.NEAREST + each * i :][:each]
        for name, start, end in (
            ("second set and run", worth.SECOND, worth.STILL_OPEN),
            ("sets and runs still open", worth.STILL_OPEN, worth.TO_LARGEST),
            ("to the largest", worth.TO_LARGEST, worth.HEIGHT),
            ("height", worth.HEIGHT, worth.BUMPS),
            ("bumps", worth.BUMPS, worth.SPACE),
            ("space", worth.SPACE, worth.SPOILT),
            ("spoilt rows", worth.SPOILT, worth.GAPS),
            ("gaps", worth.GAPS, worth.NEARLY),
            ("nearly full rows", worth.NEARLY, worth.A_PHASE),
        ):
            yield f"phase {phase}: {name}", part[start:end]
    yield "slides left", weights[worth.LEFT : worth.LETTER]
    for letter in range(5):
        yield f"letter {'ABCDE'[letter]}", weights[worth.LETTER + 15 * letter :][:15]


def write(weights: np.ndarray) -> None:
    """Write weights to the game's file."""
    lines = [
        '"""What things on a sheet are worth, in hundredths of a point: see `worth` for the order.',
        "",
        "Learned and written by `benchmarks/tune_number_drop.py`; not to be edited by hand.",
        '"""',
        "",
        "from __future__ import annotations",
        "",
        "import numpy as np",
        "",
    ]
    lines += ["# fmt: off", "HUNDREDTHS = ("]
    for what, row in rows(weights):
        lines.append(f"    # {what}")
        numbers = ", ".join(str(round(100 * weight)) for weight in row) + ","
        lines += textwrap.wrap(numbers, 96, initial_indent=" " * 4, subsequent_indent=" " * 4)
    lines += [")", "# fmt: on", "WEIGHTS = np.array(HUNDREDTHS) / 100.0"]
    file = Path(worth.__file__).with_name("weights.py")
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    """Learn weights, or write learned ones."""
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path, nargs="?", default=Path("weights.npy"))
    parser.add_argument("--players", type=int, default=1)
    parser.add_argument("--generations", type=int, default=24)
    parser.add_argument("--matches", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--daring", type=int, default=10, help="per cent of turns")
    parser.add_argument("--ridge", type=float, default=30.0)
    parser.add_argument("--memory", type=float, default=0.85, help="of the generations before")
    parser.add_argument("--start", type=Path, help="weights to start from")
    parser.add_argument("--write", type=Path, help="weights for the game")
    given = parser.parse_args()
    if given.write:
        write(np.load(given.write))
        return
    lab = Lab(given.seed)
    weights = np.load(given.start) if given.start else np.zeros(worth.COUNT)
    learned = Fit(lab, weights, given.ridge, given.memory)
    for generation in range(given.generations):
        began = time.monotonic()
        features, to_come, finals = samples(
            lab, given.players, weights, given.matches, given.daring
        )
        print(
            f"{generation}: mean {np.mean(finals):.2f} ± {np.std(finals) / len(finals) ** 0.5:.2f}"
            f", {len(features)} sheets, {time.monotonic() - began:.0f} s",
            flush=True,
        )
        learned.add(features, to_come)
        weights = learned.weights()
        np.save(given.out, weights)
    mean, error = lab.mean(given.players, weights, given.matches)
    print(f"without daring: mean {mean:.2f} ± {error:.2f}")


if __name__ == "__main__":
    main()
