"""What bots of Drop. see at a glance."""

from __future__ import annotations

import random
from typing import Any

import pytest

import droptable
from droptable.bots import make_bot
from droptable.core.state import State
from droptable.games.drop import GAME, rules
from droptable.games.drop.bot import evaluation, heuristics
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


def with_colours_swapped(state: State) -> Any:
    """The record with black pieces for white ones and the other way round."""
    swapped = state.fields.copy()
    for row, pieces in enumerate(state.fields["rows"].tolist()):
        black, white = pieces & rules.ONE_PLANE, (pieces >> rules.PLANE) & rules.ONE_PLANE
        dud = pieces >> 2 * rules.PLANE << 2 * rules.PLANE
        swapped["rows"][row] = dud | black << rules.PLANE | white
    return swapped


def emptied(state: State) -> Any:
    """The record without any piece on the board."""
    empty = state.fields.copy()
    empty["rows"][:] = 0
    return empty


def turned(cell: Cell, sixths: int, mirrored: bool) -> Cell:
    """A cell after a turn of the board, mirrored first if wanted."""
    q, r = (cell[1], cell[0]) if mirrored else cell
    for _ in range(sixths):
        q, r = -r, q + r
    return q, r


@pytest.mark.parametrize("options", VARIANTS)
def test_the_value_is_the_same_from_all_sides(options: dict[str, Any]) -> None:
    """Turned and mirrored boards have the same value, swapped colours the opposite one; machine
    code finds the same as plain Python."""
    compiled = GAME.compiled.kernels.twin(evaluation.log_odds)
    for state in positions(7, 4, **options):
        value = evaluation.log_odds(state.fields, evaluation.WEIGHTS)
        assert compiled(state.array[0], evaluation.WEIGHTS) == pytest.approx(value, abs=1e-9)
        for sixths, mirrored in ((1, False), (4, False), (0, True), (3, True)):
            other = state.copy()
            other.fields["rows"][:] = 0
            for cell, mark in board(state).items():
                q, r = turned(cell, sixths, mirrored)
                size = state.options["size"]
                plane = {"b": rules.BLACK, "w": rules.WHITE, "D": rules.DUD}[mark]
                other.fields["rows"][r + size] |= 1 << (q + size + plane * rules.PLANE)
            again = evaluation.log_odds(other.fields, evaluation.WEIGHTS)
            assert again == pytest.approx(value, abs=1e-9)
            swapped = with_colours_swapped(other)
            tempo = evaluation.log_odds(emptied(other), evaluation.WEIGHTS)  # who places next
            opposite = evaluation.log_odds(swapped, evaluation.WEIGHTS)
            assert opposite - tempo == pytest.approx(tempo - value, abs=1e-9)


def test_the_value_tells_who_will_win() -> None:
    """After three quarters of matches between greedy bots, the seat with the better value mostly
    wins."""
    right = 0
    for seed in range(20):
        match = droptable.play(GAME, bots=["greedy", "greedy"], seed=seed)
        value = evaluation.log_odds(match.state_at(48).fields, evaluation.WEIGHTS)
        black, white = match.final.scores
        right += (black > white) == (value > 0)
    assert right >= 14


def test_colours_are_rated_alike() -> None:
    """With all colours swapped, the other seat likes the same moves as much."""
    for state in positions(4, 6):
        swapped = with_colours_swapped(state)
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
