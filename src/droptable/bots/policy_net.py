"""A policy and value net in machine code: an MLP over a view's tensor, for the leaves of search.

Its outputs are a logit for each action and one for each seat's share of the victory, the viewer's
first, then clockwise; alone at the table, the share itself. Tensors are mostly zeros, and so are
units after a ReLU, so layers are sums of the rows of weights of whatever is not zero. Weights are
arguments of all kernels: another generation of a net needs no other machine code.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from droptable.core.compile import kernel
from droptable.core.tensor import Tensor

Layer = tuple[np.ndarray, np.ndarray]  # weights [out, in] and biases [out]


class Net(NamedTuple):
    """Nets of one shape, and scratch for one evaluation."""

    sizes: Any  # int64: numbers that go in, units of each hidden layer, outputs
    weights: Any  # float32 [net, …]: of each layer [in, out], then its biases
    units: Any  # float32 [layer, unit]: what each layer gives; the last row has the outputs


@kernel
def run_net(net: Net, which: int, tensor: Tensor) -> None:
    """Evaluate one of the nets."""
    sizes, units = net.sizes, net.units
    weights = net.weights[which]
    at = 0
    for layer in range(len(sizes) - 1):
        inputs = int(sizes[layer])
        outputs = int(sizes[layer + 1])
        given = tensor if layer == 0 else units[layer - 1]
        result = units[layer]
        bias = weights[at + inputs * outputs : at + (inputs + 1) * outputs]
        for j in range(outputs):
            result[j] = bias[j]
        for i in range(inputs):
            value = given[i]
            if value > 0.0 or (value < 0.0 and layer == 0):  # ReLU
                row = weights[at + i * outputs : at + (i + 1) * outputs]
                for j in range(outputs):
                    result[j] += value * row[j]
        at += (inputs + 1) * outputs


@kernel
def softmax(numbers: Any, count: int) -> None:
    """Turn the first numbers into probabilities."""
    most = float(numbers[0])
    for k in range(1, count):
        most = max(most, float(numbers[k]))
    total = 0.0
    for k in range(count):
        numbers[k] = np.exp(float(numbers[k]) - most)
        total += float(numbers[k])
    for k in range(count):
        numbers[k] = float(numbers[k]) / total


@kernel
def write_shares(net: Net, seat: int, players: int, shares: Any) -> None:
    """Write each seat's share of the victory, as the net has just told it for a seat's view."""
    first = int(net.sizes[-1]) - players
    outputs = net.units[-1]
    if players == 1:
        shares[0] = outputs[first]
        return
    for k in range(players):
        shares[k] = outputs[first + k]
    softmax(shares, players)
    for _ in range(seat):  # clockwise from the viewer; now from seat 0
        last = shares[players - 1]
        for k in range(players - 1, 0, -1):
            shares[k] = shares[k - 1]
        shares[0] = last


def packed(nets: Sequence[Sequence[Layer]]) -> Net:
    """Nets of one shape, ready for the kernels."""
    layers = nets[0]
    sizes = [layers[0][0].shape[1], *(weight.shape[0] for weight, _ in layers)]
    weights = [
        np.concatenate([part for weight, bias in net for part in (weight.T.ravel(), bias)])
        for net in nets
    ]
    return Net(
        sizes=np.array(sizes, np.int64),
        weights=np.array(weights, np.float32),
        units=np.zeros((len(layers), max(sizes[1:])), np.float32),
    )
