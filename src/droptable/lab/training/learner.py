"""Gradient descent on a net by Adam (Kingma and Ba 2015), in NumPy: such small nets need no more.

What comes out of the net is compared with the improved policy (cross-entropy over the legal moves)
and with each seat's share of the victory (cross-entropy; alone at the table, the squared error).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from droptable.bots.guided_search import Layers

RATE = 1e-3
DECAY = 1e-5  # of the weights, at each step
BETAS = 0.9, 0.999
TINY = 1e-8
IMPOSSIBLE = -1e9  # a logit


class Learner:
    """A net that learns; `parts` are all numbers that decide over what it does next."""

    def __init__(self, layers: Layers, actions: int) -> None:
        self.layers = [(weight.copy(), bias.copy()) for weight, bias in layers]
        self.actions = actions
        self.steps = 0
        flat = self._flat()
        self._means = [np.zeros_like(part) for part in flat]
        self._squares = [np.zeros_like(part) for part in flat]

    def _flat(self) -> list[np.ndarray]:
        return [part for layer in self.layers for part in layer]

    def parts(self) -> dict[str, np.ndarray]:
        """What `restore` goes on from."""
        named = {"steps": np.array(self.steps)}
        for name, kind in (("net", self._flat()), ("mean", self._means), ("square", self._squares)):
            named |= {f"{name}.{k}": part for k, part in enumerate(kind)}
        return named

    def restore(self, parts: dict[str, np.ndarray]) -> None:
        """Go on where `parts` were taken."""
        self.steps = int(parts["steps"])
        for name, kind in (("net", self._flat()), ("mean", self._means), ("square", self._squares)):
            for k, part in enumerate(kind):
                part[...] = parts[f"{name}.{k}"]

    def learn(
        self, tensors: np.ndarray, policies: np.ndarray, values: np.ndarray
    ) -> tuple[float, float]:
        """One step on a batch; returns the two losses, less what no net could do better."""
        tensors, policies, values = (
            np.asarray(part, np.float32) for part in (tensors, policies, values)
        )
        given = [tensors]
        for weight, bias in self.layers:
            given.append(given[-1] @ weight.T + bias)
            if len(given) <= len(self.layers):
                np.maximum(given[-1], 0, out=given[-1])
        outputs = given.pop()
        legal = policies >= 0
        wanted = np.where(legal, policies, 0)
        logits = np.where(legal, outputs[:, : self.actions], np.float32(IMPOSSIBLE))
        policy_loss, policy_slope = _cross_entropy(logits, wanted)
        told = outputs[:, self.actions :]
        if told.shape[1] == 1:
            value_slope = told - values
            value_loss = float(np.square(value_slope).mean())
        else:
            value_loss, value_slope = _cross_entropy(told, values)
        slope = np.concatenate([policy_slope, value_slope], axis=1) / np.float32(len(tensors))
        slopes: list[np.ndarray] = []
        for k in range(len(self.layers) - 1, -1, -1):
            slopes[:0] = [slope.T @ given[k], slope.sum(axis=0)]
            if k:
                slope = (slope @ self.layers[k][0]) * (given[k] > 0)
        self._step(slopes)
        return policy_loss, value_loss

    def _step(self, slopes: Sequence[np.ndarray]) -> None:
        self.steps += 1
        first, second = BETAS
        pace = RATE * math.sqrt(1 - second**self.steps) / (1 - first**self.steps)
        for part, slope, mean, square in zip(
            self._flat(), slopes, self._means, self._squares, strict=True
        ):
            mean += (1 - first) * (slope - mean)
            square += (1 - second) * (np.square(slope) - square)
            if part.ndim == 2:
                part *= 1 - DECAY
            part -= pace * mean / (np.sqrt(square) + TINY)


def _cross_entropy(logits: np.ndarray, wanted: np.ndarray) -> tuple[float, np.ndarray]:
    """The mean divergence from what is wanted, and its slope."""
    shifted = logits - logits.max(axis=1, keepdims=True)
    logs = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    known = np.log(np.maximum(wanted, np.float32(1e-12)))
    loss = float((wanted * (known - logs)).sum() / len(logits))
    total = wanted.sum(axis=1, keepdims=True)  # 1, but for rounding
    return loss, np.exp(logs) * total - wanted


def new_layers(sizes: Sequence[int], seed: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """An untrained net: any move is as good as any other, and nobody is ahead."""
    random = np.random.default_rng(seed)
    layers = []
    for k, (inputs, outputs) in enumerate(pairwise(sizes)):
        spread = 0.0 if k == len(sizes) - 2 else math.sqrt(2 / inputs)
        weight = random.normal(0.0, 1.0, (outputs, inputs)) * spread
        layers.append((weight.astype(np.float32), np.zeros(outputs, np.float32)))
    return layers
