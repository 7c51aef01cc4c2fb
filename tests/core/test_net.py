"""Small nets: what they compute, compiled and plain, and how they are kept in files."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from droptable.core.compile import Kernels, kernel
from droptable.core.net import (
    DEEPER,
    LAYER,
    NOTES,
    SUMS,
    UNITS,
    chance,
    load_net,
    note,
    save_net,
    size,
)

THINGS = 9


@kernel
def judge(notes: Any, things: Any, weights: Any) -> float:
    """Note some things and ask a net about them."""
    notes[0]["count"] = 0
    for thing in things:
        note(notes[0], thing)
    return chance(notes[0], weights)


def some_net(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(0, 0.5, size(THINGS)).astype(np.float32)


def by_matrices(things: list[int], net: np.ndarray) -> float:
    """The same net, as a textbook has it."""
    known, sums, layer, deep, out, last = np.split(
        net.astype(np.float64),
        np.cumsum([THINGS * UNITS, SUMS, LAYER, DEEPER, DEEPER]),
    )
    first = np.maximum(sums + known.reshape(THINGS, UNITS)[things].sum(axis=0), 0)
    second = np.maximum(deep + first @ layer.reshape(UNITS, DEEPER), 0)
    return float(1 / (1 + np.exp(-(second @ out + last[0]))))


@pytest.mark.parametrize("compiled", [False, True])
def test_a_net_is_two_layers_and_a_chance(compiled):
    """What is noted decides, in any order; nothing of an earlier look is left."""
    twin = Kernels("net", {}, "compiled" if compiled else "plain").twin(judge)
    notes = np.zeros(1, NOTES)
    for seed, things in enumerate([[0], [8, 3, 1], [1, 3, 8], [], list(range(THINGS))]):
        net = some_net(seed // 3)
        found = twin(notes, np.array(things, np.int64), net)
        assert found == pytest.approx(by_matrices(things, net), abs=1e-5)


def test_nets_are_kept_in_thousandths(tmp_path):
    """A net comes back from its file, as exactly as that."""
    net = some_net(1)
    save_net(tmp_path / "net.npy", net)
    assert load_net(tmp_path / "net.npy", THINGS) == pytest.approx(net, abs=0.00051)


def test_another_games_net_is_refused(tmp_path):
    """Weights for other things would be nonsense, and so would some that do not fit."""
    save_net(tmp_path / "net.npy", some_net(1))
    with pytest.raises(AssertionError, match="weights; expected"):
        load_net(tmp_path / "net.npy", THINGS + 1)
    with pytest.raises(AssertionError, match="too large"):
        save_net(tmp_path / "net.npy", np.full(size(1), 40.0))
