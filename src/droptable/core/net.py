"""Small neural networks for bots: sparse-input MLPs, evaluated feature by feature.

A position has a few hundred binary features, of which some dozens are on, so the first layer is a
sum of the rows of weights of those features. There are two of these networks:

- *Two hidden layers* (32, 16, ReLU) with a sigmoid, for a probability. A game lists the features
  that are on (`note`), then asks for the output (`chance`). Its activations live in a scratch
  record, NOTES.
- *One hidden layer* (16) with a linear output, for an expected number of points. Features may have
  a value (`add_feature`), and the activations are a tuple: they stay in registers, so that kernels
  without scratch, such as `appeal`, can use it. That is why its loops are unrolled.

Weights are one flat array, the rows of the features first. In files they are 16-bit thousandths.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from droptable.core.compile import kernel

Notes = Any  # a record of NOTES: scratch for one evaluation
Weights = Any  # a float array: see `size` for the network with two hidden layers

STEP = 1000.0  # weights are kept as whole numbers of thousandths


def read_weights(path: Path, count: int) -> Weights:
    """The weights in a file, float64; there have to be so many."""
    weights = np.load(path)
    assert len(weights) == count, f"{path}: {len(weights)} weights; expected {count}"
    return weights / STEP


def save_net(path: Path, net: Weights) -> None:
    """Write weights as `read_weights` reads them."""
    kept = np.rint(STEP * net)
    assert abs(kept).max() < 1 << 15, "a weight is too large for 16 bits"
    np.save(path, kept.astype(np.int16))


# -- two hidden layers ----------------------------------------------------------------------------

FIRST, SECOND = 32, 16  # units of the hidden layers
# Behind the rows of the features stand, in this order:
FIRST_BIAS = FIRST
SECOND_WEIGHTS = FIRST * SECOND  # [unit of the first layer, unit of the second]
TAIL = FIRST_BIAS + SECOND_WEIGHTS + 2 * SECOND + 1  # second bias, output weights, output bias

MOST_FEATURES = 128  # that are on at the same time

NOTES = np.dtype(
    [
        ("count", np.int64),  # of features
        ("features", np.int32, MOST_FEATURES),
        ("first", np.float32, FIRST),
        ("second", np.float32, SECOND),
    ]
)


def size(features: int) -> int:
    """How many weights a network with so many features has."""
    return features * FIRST + TAIL


def load_net(path: Path, features: int) -> Weights:
    """The network in a file, for so many features."""
    return read_weights(path, size(features)).astype(np.float32)


@kernel
def note(notes: Notes, feature: int) -> None:
    """Turn a feature on."""
    notes["features"][notes["count"]] = feature
    notes["count"] += 1


@kernel
def chance(notes: Notes, weights: Weights) -> float:
    """The output for the features that were noted: a probability."""
    first = notes["first"]
    second = notes["second"]
    at = len(weights) - TAIL
    for i in range(FIRST):
        first[i] = weights[at + i]
    for k in range(notes["count"]):
        row = FIRST * int(notes["features"][k])
        for i in range(FIRST):
            first[i] += weights[row + i]
    at += FIRST_BIAS
    for j in range(SECOND):
        second[j] = weights[at + SECOND_WEIGHTS + j]
    for i in range(FIRST):
        if first[i] > 0.0:
            for j in range(SECOND):
                second[j] += first[i] * weights[at + SECOND * i + j]
    at += SECOND_WEIGHTS + SECOND
    total = float(weights[at + SECOND])
    for j in range(SECOND):
        if second[j] > 0.0:
            total += float(second[j] * weights[at + j])
    return 1.0 / (1.0 + float(np.exp(-total)))


# -- one hidden layer -----------------------------------------------------------------------------

HIDDEN = 16
Hidden = tuple[
    float, float, float, float, float, float, float, float,
    float, float, float, float, float, float, float, float,
]  # fmt: skip
EMPTY: Hidden = (0.0,) * HIDDEN  # type: ignore[assignment]  # before any feature


@kernel
def add_feature(hidden: Hidden, weights: Weights, feature: int, value: float) -> Hidden:
    """The hidden layer with one more feature: its row of weights, times its value."""
    at = HIDDEN * feature
    return (
        hidden[0] + value * weights[at],
        hidden[1] + value * weights[at + 1],
        hidden[2] + value * weights[at + 2],
        hidden[3] + value * weights[at + 3],
        hidden[4] + value * weights[at + 4],
        hidden[5] + value * weights[at + 5],
        hidden[6] + value * weights[at + 6],
        hidden[7] + value * weights[at + 7],
        hidden[8] + value * weights[at + 8],
        hidden[9] + value * weights[at + 9],
        hidden[10] + value * weights[at + 10],
        hidden[11] + value * weights[at + 11],
        hidden[12] + value * weights[at + 12],
        hidden[13] + value * weights[at + 13],
        hidden[14] + value * weights[at + 14],
        hidden[15] + value * weights[at + 15],
    )


@kernel
def output(hidden: Hidden, weights: Weights, at: int) -> float:
    """The first unit as it is (linear), plus the others' ReLU times their weights from `at` on."""
    total: float = (
        hidden[0]
        + max(hidden[1], 0.0) * weights[at + 1]
        + max(hidden[2], 0.0) * weights[at + 2]
        + max(hidden[3], 0.0) * weights[at + 3]
        + max(hidden[4], 0.0) * weights[at + 4]
        + max(hidden[5], 0.0) * weights[at + 5]
        + max(hidden[6], 0.0) * weights[at + 6]
        + max(hidden[7], 0.0) * weights[at + 7]
        + max(hidden[8], 0.0) * weights[at + 8]
        + max(hidden[9], 0.0) * weights[at + 9]
        + max(hidden[10], 0.0) * weights[at + 10]
        + max(hidden[11], 0.0) * weights[at + 11]
        + max(hidden[12], 0.0) * weights[at + 12]
        + max(hidden[13], 0.0) * weights[at + 13]
        + max(hidden[14], 0.0) * weights[at + 14]
        + max(hidden[15], 0.0) * weights[at + 15]
    )
    return total
