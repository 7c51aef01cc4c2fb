"""A quick opinion on every legal move: random matches after it, in worlds the seat may be in."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from droptable.core.bits import count_bits
from droptable.core.chance import generators
from droptable.core.compile import kernel
from droptable.core.contract import CHANCE_LIMIT, Ids, Numbers, Random, apply, determinize, to_act
from droptable.core.errors import DroptableError
from droptable.core.loops import playout, result_at
from droptable.core.state import MOST_SEATS, View


@kernel
def rate_moves(
    states: Any,
    seat: int,
    moves: Ids,
    values: Any,
    ids: Ids,
    weights: Numbers,
    points: Numbers,
    random: Random,
) -> None:
    """Add to each move's value the seat's share of the win of one random match after it.

    states[0] is the view; states[1] is scratch. Alone at the table, the score counts instead.
    """
    for k in range(len(moves)):
        states[1] = states[0]
        determinize(states[1], seat, random)
        apply(states[1], seat, moves[k])
        if to_act(states[1]):
            playout(states, 1, random, ids, weights)
        won = result_at(states, 1, points)
        if states[1]["players"] == 1:
            values[k] += points[0] / 100.0
        elif won >> seat & 1:
            values[k] += 1.0 / count_bits(won)


def opinions(view: View, seconds: float = 0.5, seed: int | None = None) -> list[tuple[str, float]]:
    """The legal moves with their share of wins in random matches, best first."""
    if view.seat is None or not view.legal:
        raise DroptableError("there is no move to rate: it is not this view's turn")
    moves = np.array(view.legal_ids(view.seat), np.int32)
    tokens = view.legal
    rate = view.game.compiled.kernels.twin(rate_moves)
    states = np.repeat(view.array, 2)
    values = np.zeros(len(moves))
    ids = np.zeros(max(CHANCE_LIMIT, len(view.game.vocabulary(view.options).actions)), np.int32)
    weights, points = np.zeros(CHANCE_LIMIT, np.int32), np.zeros(MOST_SEATS, np.int32)
    random = generators(1, seed)
    rounds = 0
    rate(states, view.seat, moves, np.zeros(len(moves)), ids, weights, points, random)  # compiles
    deadline = time.monotonic() + seconds
    while rounds == 0 or time.monotonic() < deadline:
        rate(states, view.seat, moves, values, ids, weights, points, random)
        rounds += 1
    ranked = sorted(zip(values / rounds, tokens, strict=True), key=lambda pair: -pair[0])
    return [(token, float(value)) for value, token in ranked]
