"""The training example learns, from what a seat may see, and its gradients are right."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1"}  # other tests run beside this one


@pytest.fixture(scope="module")
def training() -> Iterator[Any]:
    """examples/train_drop_or_pop.py as a module."""
    sys.path.insert(0, str(EXAMPLES))
    try:
        import train_drop_or_pop

        yield train_drop_or_pop
    finally:
        sys.path.remove(str(EXAMPLES))


def test_gradients(training: Any) -> None:
    """The slopes that are worked out are those that small changes of the weights show."""
    chance = np.random.default_rng(1)
    network = training.Network(
        [w.astype(float) for w in training.Network.untrained(chance).weights]
    )
    x = chance.random((5, training.SIZE))
    targets = chance.dirichlet(np.ones(training.PLAYERS), 5)

    def loss() -> float:
        return float(-(targets * np.log(network.chances(x))).sum(axis=1).mean())

    for weight, slope in zip(network.weights, network.slopes(x, targets), strict=True):
        for place in [tuple(chance.integers(weight.shape)) for _ in range(5)]:
            before, weight[place] = weight[place], weight[place] + 1e-6
            higher = loss()
            weight[place] = before - 1e-6
            lower = loss()
            weight[place] = before
            assert (higher - lower) / 2e-6 == pytest.approx(slope[place], rel=1e-3, abs=1e-7)


def test_looking_back(training: Any) -> None:
    """A position is worth a mixture of later guesses and how the match ended, and not beyond."""
    guessed, trust = np.array([0.6, 0.2, 0.2]), training.LAMBDA
    chances = np.array([[0.5, 0.3, 0.2], guessed, [0, 0, 0], [0.1, 0.1, 0.8]])[:, None]
    results = np.array([[0, 0, 0], [0, 0, 0], [1, 0, 0], [0, 0, 0]])[:, None]
    ended = np.array([[False], [False], [True], [False]])
    decided = np.array([[True], [True], [False], [True]])  # a random seat ends the match
    no, yes = np.zeros((4, 1), bool), np.array([[False], [True], [False], [False]])
    targets, known = training.looking_back(chances, results, ended, decided, tried=no)
    assert known.ravel().tolist() == [True, True, True, False]
    assert targets[1, 0].tolist() == [1, 0, 0]
    assert targets[0, 0] == pytest.approx((1 - trust) * guessed + trust * results[2, 0])
    targets, _ = training.looking_back(chances, results, ended, decided, tried=yes)
    assert targets[0, 0] == pytest.approx(guessed)


def test_seats_turn_and_turn_back(training: Any) -> None:
    """What a seat sees begins with itself; by seat again it is as before."""
    shares = np.array([[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]])
    seats = np.array([0, 2])
    assert training.seen_by(shares, seats).tolist() == [[1, 2, 3], [3, 1, 2]]
    assert (training.by_seat(training.seen_by(shares, seats), seats) == shares).all()


def test_afterstates_are_views(training: Any) -> None:
    """What the network sees of a move is the tensor of the seat's view after it."""
    batch = training.GAME.batch(20, training.PLAYERS, seed=3)
    chance = random.Random(3)
    for _ in range(12):
        rows = zip(batch.moves, batch.counts, strict=True)
        batch.step([int(chance.choice(moves[:count])) for moves, count in rows])
    tensors, _ = training.afterstates(training.GAME, training.PLAYERS, batch, training.CHOICES)
    for row in range(len(batch)):
        before = training.GAME.load(training.GAME.pack(batch.states[row : row + 1]))
        seat = int(batch.seats[row])
        for choice, token in enumerate(before.legal(seat)):
            after = before.copy()
            after.apply(seat, token)
            assert (after.view(seat).tensor() == tensors[row, choice]).all()


def test_it_learns(tmp_path: Path) -> None:
    """A few seconds of training make a policy that wins far more often than it did untrained."""

    def run(*arguments: str) -> list[str]:
        done = subprocess.run(
            [sys.executable, str(EXAMPLES / "train_drop_or_pop.py"), "--seed", "1", *arguments],
            cwd=tmp_path, env=os.environ | ONE_THREAD, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    *curve, result = run("--lessons", "3", "--plot", "curve.png", "--matches", "600")
    untrained = float(curve[0].split()[-1].rstrip("%"))
    learned = float(re.findall(r"([0-9.]+)%", result)[0])
    assert 33 < untrained < 60  # it sees at once who has won, but no more
    assert learned > untrained + 8
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert run("--evaluate", "policy.npz", "--matches", "600") == [result]
