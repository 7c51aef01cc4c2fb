"""Number Drop's instinct: planned turns are legal and sensible, and searched reproducibly."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from droptable.bots.search import search
from droptable.bots.turn_search import TurnSearch, plan_at
from droptable.core.contract import DEALER
from droptable.core.state import State
from droptable.games import game
from droptable.games.number_drop.bot import features, instinct, solo_length, worth
from droptable.games.number_drop.bot.weights import WEIGHTS
from droptable.games.number_drop.rules import grid

GAME = game("number-drop")
TOKENS = GAME.vocabulary({"order": "together"}).actions


def plan(state: Any, seat: int, limit: int = 6, compiled: bool = True) -> list[list[str]]:
    """The planned turns of a seat, as tokens."""
    engine = GAME.compiled if compiled else GAME.plain
    plans = np.zeros((limit + 20, instinct.PLAN), np.int32)
    notes = np.zeros(instinct.NOTES, np.int64)
    array = state.view(seat).array.copy()
    before = array.tobytes()
    count = engine.kernels.twin(plan_at)(array, 0, seat, limit, plans, np.zeros(len(plans)), notes)
    assert array.tobytes() == before, "planning leaves the state as it was"
    return [[TOKENS[a] for a in row[: list(row).index(-1)]] for row in plans[:count]]


def dealt(players: int, seed: int, decisions: int, **options: str) -> State:
    """A state in the middle of a match of random moves."""
    state, chance = GAME.start(players, **options), random.Random(seed)
    while not state.over and decisions:
        if state.to_act[0] == DEALER:
            state.deal(chance)
        else:
            decisions -= 1
            seat = chance.choice(state.to_act)
            state.apply(seat, chance.choice(state.legal(seat)))
    while not state.over and state.to_act[0] == DEALER:
        state.deal(chance)
    return state


def scene(*tokens: str, dice: str, shape: str) -> State:
    """A solo match: the seat's moves, with the round's dice before the first slide."""
    state = GAME.start(1)
    rolled = [*(f"die {face}" for face in dice.split()), f"shape {shape}"]
    for tile in ("I", "O", "T", "L", "S"):
        state.apply(DEALER, f"tile {tile}")
    for token in tokens:
        if token == "roll":
            for outcome in rolled:
                state.apply(DEALER, outcome)
        else:
            state.apply(0, token)
    return state


@pytest.mark.parametrize("order", ["rulebook", "together", "clockwise"])
@pytest.mark.parametrize("players", [1, 2, 3, 4, 5, 6])
def test_plans_are_legal_sequences_from_any_point(players: int, order: str) -> None:
    """Every planned turn can be made, move by move, from every point of a turn."""
    for seed in range(3):
        state, chance = GAME.start(players, order=order), random.Random(seed)
        while not state.over:
            if state.to_act[0] == DEALER:
                state.deal(chance)
                continue
            seat = chance.choice(state.to_act)
            plans = plan(state, seat)
            assert plans
            for turn in plans:
                trial = state.copy()
                for token in turn:
                    assert token in trial.legal(seat)
                    trial.apply(seat, token)
            moves = chance.choice(plans) if chance.random() < 0.5 else state.legal(seat)
            state.apply(seat, moves[0] if moves in plans else chance.choice(moves))


def test_alone_a_turn_is_planned_to_its_end() -> None:
    """Turns planned before a slide go on to the circle, and differ in what they slide."""
    plans = plan(scene("write 4", "roll", dice="* 2 3 5", shape="T"), 0)
    assert all(turn[0].startswith("slide") and turn[1] == "slide C" for turn in plans)
    assert all(turn[-1] in ("done", "skip") for turn in plans)
    assert len({turn[0] for turn in plans}) > 1


def test_a_tile_that_goes_is_dropped_in_the_plan() -> None:
    """Where every slide lets a block drop (ND17), every turn says where, before its own shape."""
    state = scene("write 4", "roll", dice="1 2 3 5", shape="T")
    record = state.array[0]
    record["notches"][:] = 1
    for turn in plan(state, 0):
        assert [token.split()[0] for token in turn[:4]] == ["slide", "at", "at", "num"]


def test_plans_do_not_depend_on_what_others_do_unseen() -> None:
    """Two states that look alike to a seat give it the same plans, appeals and choice."""
    for seed in range(4):
        state = dealt(3, seed, 30)
        other = state.copy()
        acted = [seat for seat in other.to_act if seat != 0]
        if not acted or 0 not in state.to_act:
            continue
        other.apply(acted[0], random.Random(seed).choice(other.legal(acted[0])))
        assert plan(state, 0) == plan(other, 0)
        choices = [search(world.view(0), iterations=8, seed=5, cores=1) for world in (state, other)]
        assert choices[0] == choices[1]


def test_the_same_seed_finds_the_same() -> None:
    """Search by iterations is reproducible, in one go or in parts, and finds a legal turn."""
    view = dealt(1, 3, 25).view(0)
    moves = view.legal_ids(0)
    whole, parts = TurnSearch(view, 11, moves), TurnSearch(view, 11, moves)
    whole.run(20)
    parts.run(5)
    parts.run(15)
    assert whole.best_turn == parts.best_turn
    assert (whole.contest.totals == parts.contest.totals).all()
    assert whole.best_turn[0] in view.legal


@pytest.mark.parametrize("players", [1, 3])
def test_plain_and_compiled_agree(players: int) -> None:
    """The plans of plain Python are those of machine code."""
    for decisions in (0, 9, 16, 23):
        state = dealt(players, decisions, decisions)
        seat = state.to_act[0]
        assert plan(state, seat, compiled=False) == plan(state, seat, compiled=True)


@pytest.mark.parametrize("players", [1, 2, 6])
def test_estimates_are_shares(players: int) -> None:
    """Estimates are between 0 and 1, and sum to 1 at a table."""
    points, values = np.zeros(6, np.int32), np.zeros(6)
    for seed in range(10):
        state = dealt(players, seed, 10 * seed)
        if state.over:
            continue
        instinct.estimate(state.array[0], points, values)
        assert ((values >= 0) & (values <= 1)).all()
        if players > 1:
            assert values[:players].sum() == pytest.approx(1)


def test_a_run_is_seen() -> None:
    """The best turn puts numbers that can be a run into a run."""
    state = scene("write 7", "roll", "slide A", "at 0 2", dice="1 2 4 3", shape="I")
    numbers = plan(state, 0)[0][:4]
    assert numbers in (sorted(numbers), sorted(numbers, reverse=True))


def test_small_steps_see_a_run() -> None:
    """The appeal of the small moves leads to a run as well."""
    state = scene("write 7", "roll", "slide A", "at 0 2", dice="1 2 4 3", shape="I")
    numbers = []
    for _ in range(4):
        ids = state.view(0).legal_ids(0)
        record = state.array[0]
        numbers.append(TOKENS[max(ids, key=lambda a: instinct.appeal(record, 0, a))])
        state.apply(0, numbers[-1])
    assert numbers in (sorted(numbers), sorted(numbers, reverse=True))


def test_a_star_becomes_what_is_missing() -> None:
    """A wild die completes a run, or a set, with the dice beside it."""
    state = scene("write 7", "roll", "slide B", "slide A", "at 0 2", dice="* 5 6 7", shape="I")
    assert sorted(plan(state, 0)[0][:4]) in (
        ["num 4", "num 5", "num 6", "num 7"],
        ["num 5", "num 6", "num 7", "num 8"],
    )


def sheet(*rows: str) -> Any:
    """A solo record with these rows of marks, the lowest first; `.` is empty, `x` a block's."""
    record = GAME.start(1).array[0].copy()
    for row, marks in enumerate(rows):
        for column, mark in enumerate(marks):
            if mark != ".":
                digit = 15 if mark == "x" else int(mark) + 1
                grid.mark_cells(record, 0, *_cell(column, row), digit)
    return record


def row_worth(numbers: str, left: float, row: int = 0) -> float:
    """What a solo sheet is worth with these numbers in a row of its own, and X below."""
    record = sheet(*["x" * len(numbers)] * row, numbers)
    return worth.worth(record, 0, left, WEIGHTS)


def found(read: Any, *rows: str) -> list[int]:
    """The sizes of the three most promising sets or runs, how many, and the size in reach."""
    record = sheet(*rows)
    first, second, third, count, reach = read(record, 0, *features.open_cells(record, 0))
    return [first >> 2, second >> 2, third >> 2, count, reach]


def test_sets_are_read() -> None:
    """The largest sets come first; a number that would join two of them is in reach."""
    assert found(features.sets, "55.5533") == [2, 2, 2, 3, 5]
    assert found(features.sets, "5541533", "55") == [4, 2, 0, 2, 5]
    assert found(features.sets, "1234567") == [0, 0, 0, 0, 0]


def test_runs_are_read() -> None:
    """The longest runs come first; a number that would join two of them is in reach."""
    assert found(features.runs, "1234.67") == [4, 2, 0, 2, 7]
    assert found(features.runs, "7654321") == [7, 0, 0, 1, 8]
    assert found(features.runs, "4444444")[:2] == [1, 0]


def test_ends_of_runs_are_read() -> None:
    """A run can grow by two numbers of the dice, by one, only by a star, or by nothing."""

    def room(*rows: str) -> int:
        record = sheet(*rows)
        return features.runs(record, 0, *features.open_cells(record, 0))[0] & 3

    assert room("xx345xx") == 3
    assert room("123xxxx") == 2
    assert room("1234567") == 1
    assert room("1234567", "xxxxxxx") == 0


def test_steps_are_the_same_in_a_mirror() -> None:
    """The steps between columns are seen from both edges: a mirrored sheet has the same."""
    rows = ("1111111", "11.1..1", "1..1..1", "1.....1", "1......")
    steps = features.steps_between(sheet(*rows), 0)
    mirrored = features.steps_between(sheet(*(row[::-1] for row in rows)), 0)
    values = [(steps >> (3 * i)) & 7 for i in range(6)]
    assert [values[i] - 3 for i in range(6)] == [-3, -1, 2, 2, 0, -3]
    assert values[::-1] == [(mirrored >> (3 * i)) & 7 for i in range(6)]


def test_rounds_are_expected() -> None:
    """One notch is one round; of two, the second falls at once if the dice say so (ND16)."""
    star = 1 - (5 / 6) ** 3
    assert solo_length.expected_rounds((0, 0, 0, 0, 1)) == 1
    assert solo_length.expected_rounds((0, 0, 0, 0, 2)) == pytest.approx(1 + 1 - 1 / 6 - star / 6)
    assert 15 < solo_length.solo_rounds(GAME.start(1).array[0]) < 15.5


def _cell(column: int, row: int) -> tuple[int, int]:
    bit = 1 << (8 * (row % 7) + column)
    return (0, bit) if row >= 7 else (bit, 0)


def test_nets_change_with_the_phase() -> None:
    """Alone, four nets follow each other; a table has one of its own."""
    solo, table = GAME.start(1).array[0], GAME.start(2).array[0]
    assert [worth.net_for(solo, left) for left in (15.0, 8.0, 5.0, 1.0)] == [1, 2, 3, 4]
    assert {worth.net_for(table, left) for left in (15.0, 1.0)} == {worth.AT_TABLE}


@pytest.mark.parametrize("left", [4, 8, 12])
def test_numbers_in_order_are_worth_more(left: int) -> None:
    """A run is worth more than the same numbers in disorder, in every phase."""
    assert row_worth("1234567", left) > row_worth("1526374", left) + 2


def test_the_line_costs() -> None:
    """A row above the Game Over line ends the match, and costs five points."""
    assert row_worth("1", 8, row=11) == -5
    assert row_worth("1", 8, row=10) > 0


def test_a_plan_keeps_what_is_done() -> None:
    """In the middle of a turn, plans go on from there."""
    state = scene("write 4", "roll", "slide A", dice="1 2 3 5", shape="I")
    for _ in range(4):
        state.apply(0, plan(state, 0)[0][0])
        assert all(turn[0] in state.legal(0) for turn in plan(state, 0))
