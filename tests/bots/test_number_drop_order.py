"""Number Drop's bots in the rulebook's order (ND14): circles are chosen with all drops shown."""

from __future__ import annotations

import random

import numpy as np
import pytest

from droptable.bots.players import GreedyBot
from droptable.bots.search import search
from droptable.core.contract import DEALER
from droptable.core.state import State
from droptable.games.number_drop import GAME, rules
from droptable.games.number_drop.bot import instinct
from droptable.games.number_drop.bot.worth import rounds_left
from tests.games.test_number_drop import PLAIN, drop, roll, table, values

from .test_number_drop_brain import plan


def circling(*sheets: str, columns: str = "7777", **fields: object) -> State:
    """All seats have dropped an I upright, with numbers that join nothing; seat 0 is to circle."""
    state = roll(table(*sheets, order="rulebook", **fields), PLAIN, "I")
    for seat, column in zip(range(len(sheets)), columns, strict=False):
        drop(state, seat, f"1 {column}", "1 3 7 2")
    return state


def test_a_drop_is_planned_without_its_circle() -> None:
    """At a table a turn ends with the fourth number: what others drop is seen before circling."""
    state = roll(table("123....", ".", order="rulebook"), PLAIN, "I")
    assert all(turn[-1].startswith("num") for turn in plan(state, 0))
    drop(state, 0, "1 7", "1 3 7 2")
    drop(state, 1, "1 7", "1 3 7 2")
    assert {turn[-1] for turn in plan(state, 0)} == {"done", "skip"}


@pytest.mark.parametrize("order", ["rulebook", "together", "clockwise"])
def test_alone_a_turn_goes_on_to_the_circle(order: str) -> None:
    """Alone nobody is waited for, so plans are whole turns in every order."""
    state = roll(table(".", order=order, notches=[4] * 5), PLAIN, "T")
    assert all(turn[-1] in ("done", "skip") for turn in plan(state, 0))


def test_a_letter_of_this_round_is_answered() -> None:
    """A three is kept back to grow, unless a seat before has just circled its letter (ND12)."""
    seats = [[values(3), 0], [values(3), 0], *[[0, 0]] * 4]
    threatened = circling("123....", "1237...", combos=seats)
    calm = threatened.copy()
    calm.apply(0, "skip")
    for token in ("cell 1 1", "cell 2 1", "cell 3 1", "done"):
        threatened.apply(0, token)
    assert GreedyBot(1).choose(calm.view(1)) == "skip"
    assert GreedyBot(1).choose(threatened.view(1)) == "cell 1 1"
    assert plan(calm, 1)[0] == ["skip"]
    assert plan(threatened, 1)[0] == ["cell 1 1", "cell 2 1", "cell 3 1", "done"]


def test_the_last_round_is_for_points() -> None:
    """Once a drop above the line is shown, nothing is kept back: the match ends (ND13)."""
    tower = " ".join(["9......"] * 8)
    last = circling("1237...", tower, columns="71")
    assert rounds_left(last.view(0).fields) == 0.0
    assert plan(last, 0)[0] == ["cell 1 1", "cell 2 1", "cell 3 1", "done"]
    assert GreedyBot(1).choose(last.view(0)) == "cell 1 1"
    assert search(last.view(0), iterations=16, seed=1, cores=1).best.token == "cell 1 1"


def test_what_was_dropped_for_counts_before_it_is_circled() -> None:
    """An estimate between drop and circle takes it that the best combo will be circled."""
    nearly_full = " ".join(["XXXXXX."] * 10)
    state = roll(table("XXXXXXX 1234567", nearly_full, order="rulebook"), PLAIN, "I")
    record = drop(state, 0, "1 7", "1 3 7 2").array[0]
    points, shares, without = np.zeros(6, np.int32), np.zeros(6), np.zeros(6)
    instinct.estimate(record, points, shares)
    record["doing"][0] = rules.NOTHING
    instinct.estimate(record, points, without)
    assert shares[0] > without[0]


def test_the_last_round_is_not_foreseen() -> None:
    """A drop above the line that is still hidden changes no plan of the others."""
    tower = " ".join(["9......"] * 8)
    fresh = roll(table("1237...", tower, order="rulebook"), PLAIN, "I")
    done = drop(fresh.copy(), 1, "1 1", "1 3 7 2")
    assert rounds_left(done.fields) > 0.0
    assert plan(done, 0) == plan(fresh, 0)


def test_in_the_last_round_the_most_points_come_first() -> None:
    """All along random matches the first plan of a last circle gives the most of all plans."""
    looked = 0
    for seed in range(60):
        state, chance = GAME.start(3, order="rulebook"), random.Random(seed)
        while not state.over:
            actor = chance.choice(state.to_act)
            if actor == DEALER:
                state.deal(chance)
                continue
            moves = [token for token in state.legal(actor) if token != "skip"]
            if "skip" in state.legal(actor) and moves and rounds_left(state.fields) == 0.0:
                gains = []
                for turn in plan(state, actor, limit=40):
                    after = state.copy()
                    for token in turn:
                        after.apply(actor, token)
                    gains.append(after.scores[actor] if not after.over else 0)
                if not after.over:
                    assert gains[0] == max(gains)
                    looked += 1
            state.apply(actor, chance.choice(moves or ["skip"]))
    assert looked > 5
