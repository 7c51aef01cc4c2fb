"""Small networks: what they compute, compiled and plain, and how they are kept in files."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from droptable.core.compile import Kernels, kernel
from droptable.core.net import (
    EMPTY,
    FIRST,
    FIRST_BIAS,
    HIDDEN,
    NOTES,
    SECOND,
    SECOND_WEIGHTS,
    add_feature,
    chance,
    load_net,
    note,
    output,
    read_weights,
    save_net,
    size,
)

FEATURES = 9
COMPILED = pytest.mark.parametrize("compiled", [False, True])


@kernel
def judge(notes: Any, features: Any, weights: Any) -> float:
    """The output of two hidden layers for some features."""
    notes[0]["count"] = 0
    for feature in features:
        note(notes[0], feature)
    return chance(notes[0], weights)


@kernel
def judge_points(values: Any, weights: Any) -> float:
    """The output of one hidden layer for all features with these values."""
    hidden = EMPTY
    for feature in range(len(values)):
        hidden = add_feature(hidden, weights, feature, values[feature])
    return output(hidden, weights, HIDDEN * len(values))


def some_net(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(0, 0.5, size(FEATURES)).astype(np.float32)


def by_matrices(features: list[int], net: np.ndarray) -> float:
    """The same network, as a textbook has it."""
    rows, bias, second_weights, second_bias, out, last = np.split(
        net.astype(np.float64),
        np.cumsum([FEATURES * FIRST, FIRST_BIAS, SECOND_WEIGHTS, SECOND, SECOND]),
    )
    first = np.maximum(bias + rows.reshape(FEATURES, FIRST)[features].sum(axis=0), 0)
    second = np.maximum(second_bias + first @ second_weights.reshape(FIRST, SECOND), 0)
    return float(1 / (1 + np.exp(-(second @ out + last[0]))))


@pytest.mark.parametrize("compiled", [False, True])
def test_a_net_is_two_layers_and_a_chance(compiled):
    """What is noted decides, in any order; nothing of an earlier look is left."""
    twin = Kernels("net", {}, "compiled" if compiled else "plain").twin(judge)
    notes = np.zeros(1, NOTES)
    for seed, features in enumerate([[0], [8, 3, 1], [1, 3, 8], [], list(range(FEATURES))]):
        net = some_net(seed // 3)
        result = twin(notes, np.array(features, np.int64), net)
        assert result == pytest.approx(by_matrices(features, net), abs=1e-5)


@COMPILED
def test_one_hidden_layer_gives_points(compiled):
    """The first unit is linear, the others are ReLU; features count by their values."""
    twin = Kernels("net", {}, "compiled" if compiled else "plain").twin(judge_points)
    random = np.random.default_rng(2)
    for _ in range(5):
        values, net = random.normal(0, 1, FEATURES), random.normal(0, 1, (FEATURES + 1) * HIDDEN)
        rows, out = net[:-HIDDEN].reshape(FEATURES, HIDDEN), net[-HIDDEN:]
        hidden = values @ rows
        expected = hidden[0] + np.maximum(hidden[1:], 0) @ out[1:]
        assert twin(values, net) == pytest.approx(expected)


def test_nets_are_kept_in_thousandths(tmp_path):
    """Weights come back from their file, as exactly as that."""
    net = some_net(1)
    save_net(tmp_path / "net.npy", net)
    assert load_net(tmp_path / "net.npy", FEATURES) == pytest.approx(net, abs=0.00051)
    assert read_weights(tmp_path / "net.npy", len(net)) == pytest.approx(net, abs=0.00051)


def test_another_games_net_is_refused(tmp_path):
    """Weights for other features would be nonsense, and so would some that do not fit."""
    save_net(tmp_path / "net.npy", some_net(1))
    with pytest.raises(AssertionError, match="weights; expected"):
        load_net(tmp_path / "net.npy", FEATURES + 1)
    with pytest.raises(AssertionError, match="too large"):
        save_net(tmp_path / "net.npy", np.full(size(1), 40.0))
