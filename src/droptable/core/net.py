"""Small nets that judge a situation by the things that are so in it.

A game lists what it sees, each thing by its number (`note`). Every thing adds its weights to UNITS
sums; what is above 0 of these counts for DEEPER sums, and those for the chance that comes out. The
weights are one flat array: of the things, then of the two layers behind them (TAIL).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from droptable.core.compile import kernel

Notes = Any  # a record of NOTES: scratch for one look at a situation
Weights = Any  # a float32 array, see `size`

UNITS, DEEPER = 32, 16
# Behind the weights of all things stand, in this order:
SUMS = UNITS  # where the sums begin
LAYER = UNITS * DEEPER  # what each counts for each of the deeper ones
TAIL = SUMS + LAYER + 2 * DEEPER + 1  # where those begin, what they count, and one last number

MOST_THINGS = 128  # that are so at the same time
STEP = 1000.0  # weights are kept as whole numbers of thousandths

NOTES = np.dtype(
    [
        ("count", np.int64),  # of things
        ("things", np.int32, MOST_THINGS),
        ("sums", np.float32, UNITS),
        ("deeper", np.float32, DEEPER),
    ]
)


def size(things: int) -> int:
    """How many weights a net has that knows so many things."""
    return things * UNITS + TAIL


def load_net(path: Path, things: int) -> Weights:
    """The net of a file, for so many things."""
    weights = np.load(path)
    assert len(weights) == size(things), f"{path}: {len(weights)} weights; expected {size(things)}"
    return (weights / STEP).astype(np.float32)


def save_net(path: Path, net: Weights) -> None:
    """Write a net as `load_net` reads it."""
    kept = np.rint(STEP * net)
    assert abs(kept).max() < 1 << 15, "a weight is too large for 16 bits"
    np.save(path, kept.astype(np.int16))


@kernel
def note(notes: Notes, thing: int) -> None:
    """Something is so."""
    notes["things"][notes["count"]] = thing
    notes["count"] += 1


@kernel
def chance(notes: Notes, weights: Weights) -> float:
    """What a net thinks of the things that were noted: a chance of 0 to 1."""
    sums = notes["sums"]
    deeper = notes["deeper"]
    at = len(weights) - TAIL
    for i in range(UNITS):
        sums[i] = weights[at + i]
    for k in range(notes["count"]):
        row = UNITS * int(notes["things"][k])
        for i in range(UNITS):
            sums[i] += weights[row + i]
    at += SUMS
    for j in range(DEEPER):
        deeper[j] = weights[at + LAYER + j]
    for i in range(UNITS):
        if sums[i] > 0.0:
            for j in range(DEEPER):
                deeper[j] += sums[i] * weights[at + DEEPER * i + j]
    at += LAYER + DEEPER
    total = float(weights[at + DEEPER])
    for j in range(DEEPER):
        if deeper[j] > 0.0:
            total += float(deeper[j] * weights[at + j])
    return 1.0 / (1.0 + float(np.exp(-total)))
