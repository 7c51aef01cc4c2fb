"""What bots of Drop. see at a glance."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from droptable.bots import make_bot
from droptable.core.chance import generators
from droptable.core.state import State
from droptable.games.drop import GAME, rules
from droptable.games.drop.bot import heuristics
from tests.games.test_drop import Cell, board, position

VARIANTS: list[dict[str, Any]] = [
    {},
    {"size": 5, "pieces": 60, "squeeze": "enemy"},
    {"size": 7, "opening": "ring"},
    {"size": 9, "pieces": 60},
]


def positions(seed: int, count: int, last: bool = False, **options: Any) -> list[State]:
    """Positions of random matches; only those before the very last placement, if so wished."""
    dice = random.Random(seed)
    states: list[State] = []
    while len(states) < count:
        state = GAME.start(**options)
        while not state.over and len(states) < count:
            if state.fields["left"].sum() == 1 if last else dice.random() < 0.1:
                states.append(state.copy())
            state.apply(state.to_act[0], dice.choice(state.legal(state.to_act[0])))
    return states


def lead(state: State) -> tuple[int, int, int]:
    """What black has more than white: pieces, on the rim, in the largest group."""
    size = state.options["size"]
    pieces = rim = 0
    for (q, r), mark in board(state).items():
        sign = {"b": 1, "w": -1, "D": 0}[mark]
        pieces += sign
        rim += sign * (max(abs(q), abs(r), abs(q + r)) == size - 1)
    return pieces, rim, state.scores[0] - state.scores[1]


@pytest.mark.parametrize("options", VARIANTS)
def test_lead_after_is_what_the_rules_make_of_a_placement(options: dict[str, Any]) -> None:
    """It foresees every push and squeeze, and leaves the state as it was."""
    for state in positions(1, 8, **options):
        seat = state.to_act[0]
        before = bytes(state)
        for action, token in list(zip(state.legal_ids(seat), state.legal(seat), strict=True))[::4]:
            foreseen = heuristics.lead_after(state.fields, seat, action)
            assert bytes(state) == before
            after = state.copy()
            after.apply(seat, token)
            assert foreseen == lead(after), token


@pytest.mark.parametrize("options", VARIANTS)
def test_the_heuristic_is_the_same_compiled_and_plain(options: dict[str, Any]) -> None:
    """Both worlds rate moves alike, to the last bit, between -1 and 1."""
    compiled = GAME.compiled.kernels.twin(heuristics.heuristic)
    for state in positions(2, 6, **options):
        seat = state.to_act[0]
        for action in state.legal_ids(seat)[::5]:
            rating = heuristics.heuristic(state.fields, seat, action)
            assert -1 < rating < 1
            assert compiled(state.fields, seat, action) == rating


def test_rollout_moves_are_the_same_compiled_and_plain() -> None:
    """Rollouts make the same legal moves in both worlds, at random or by choice."""
    compiled = GAME.compiled.kernels.twin(heuristics.rollout_move)
    for state in positions(3, 6) + positions(3, 3, last=True):
        seat = state.to_act[0]
        legal = state.legal_ids(seat)
        ids = np.array(legal, np.int32)
        one, other = generators(1, 7), generators(1, 7)
        move = heuristics.rollout_move(state.fields, seat, ids, len(legal), one)
        assert move in legal
        assert compiled(state.fields, seat, ids, len(legal), other) == move
        assert one[0] == other[0]


def test_colours_are_rated_alike() -> None:
    """With all colours swapped, the other seat likes the same moves as much."""
    for state in positions(4, 6):
        swapped = state.fields.copy()
        for row, pieces in enumerate(state.fields["rows"].tolist()):
            black, white = pieces & rules.ONE_PLANE, (pieces >> rules.PLANE) & rules.ONE_PLANE
            dud = pieces >> 2 * rules.PLANE << 2 * rules.PLANE
            swapped["rows"][row] = dud | black << rules.PLANE | white
        for action in state.legal_ids(state.to_act[0])[::5]:
            rating = heuristics.heuristic(state.fields, rules.BLACK, action)
            assert heuristics.heuristic(swapped, rules.WHITE, action) == rating


@pytest.mark.parametrize(
    ("black", "white", "token"),
    [
        (
            [(5, -1), (4, 0), (4, 1), (4, -3), (3, 0), (3, -5)],
            [(1, 0), (3, 1), (2, -4)],
            "2,2",
        ),
        (
            [(5, -4), (3, -3), (1, -1), (1, -3), (4, -4), (5, -3)],
            [(5, -1), (2, -3), (4, -2)],
            "4,-1",
        ),
    ],
)
def test_greedy_squeezes(black: list[Cell], white: list[Cell], token: str) -> None:
    """It makes the one placement that squeezes a white piece and no black one."""
    state = position(black, white)
    pushed = state.copy()
    pushed.apply(0, token)
    marks = list(board(pushed).values())
    assert (marks.count("b"), marks.count("w")) == (len(black) + 1, len(white) - 1)
    assert make_bot("greedy", 1).choose(state.view(0)) == token


def test_greedy_ends_as_well_as_it_can() -> None:
    """The last piece goes where the largest groups then differ most in its favour."""
    for state in positions(5, 5, last=True):
        (seat,) = state.to_act
        leads = {}
        for token in state.legal(seat):
            after = state.copy()
            after.apply(seat, token)
            leads[token] = after.scores[seat] - after.scores[1 - seat]
        assert leads[make_bot("greedy", 1).choose(state.view(seat))] == max(leads.values())


@pytest.mark.parametrize("options", VARIANTS)
def test_search_answers_at_every_size(options: dict[str, Any]) -> None:
    """A short search finds a legal move at the start and on the way."""
    for state in [GAME.start(**options), *positions(6, 1, **options)]:
        seat = state.to_act[0]
        assert make_bot("search:3", 1, cores=1).choose(state.view(seat)) in state.legal(seat)
