"""Tuning finds a known optimum with a fifth of a grid's matches, and is as sure as it may be."""

import pytest

import droptable
from droptable.lab.cell import Cell, lend
from droptable.lab.fleet import Fleet
from droptable.lab.tuning import ALIKE, candidates_of, goal_of, tune
from tests.lab.little_games import COIN_GAME


def race(seed, values=range(30, 80), matches=2000):
    cell = Cell(lend(COIN_GAME))
    with Fleet("local", 1) as fleet:
        cells = candidates_of(cell, "options.bias", values)
        return tune(cells, "bias", "seats", fleet, seed=seed, matches=matches)


def test_the_fairest_coin_is_found():
    """Of 50 biases the race finds one beside 50 %, nearly always, and is not surer than right."""
    races = [race(seed) for seed in range(0, 2400, 100)]
    off = [abs(found.best.value - 50) for found in races]
    assert sum(error <= 2 for error in off) >= 22
    for found in races:
        assert found.matches <= found.grid / 5
        assert found.best.value in found.equals
    right = sum(error / 100 <= ALIKE for error in off) / len(races)
    sure = sum(found.best.chance for found in races) / len(races)
    assert sure <= right + 0.1
    assert sum(50 in found.equals for found in races) >= 22


def test_the_answer_says_how_sure_it_is():
    """In words: the value, how sure, how many matches, and what may be as good."""
    text = str(race(1))
    assert "bias=" in text and "% sure" in text and "a grid of 2,000 each takes 100,000" in text


def test_wrong_goals_are_refused():
    """An unknown goal, one value only and a thing that cannot vary are named."""
    cell = Cell(lend(COIN_GAME))
    with pytest.raises(droptable.OptionError, match="--for is 'beauty'; expected one of seats"):
        goal_of("beauty", cell)
    with pytest.raises(droptable.OptionError, match="one value only"), Fleet("local", 1) as fleet:
        tune(candidates_of(cell, "options.bias", [50]), "bias", "seats", fleet)
    with pytest.raises(droptable.OptionError, match="only options and constants"):
        candidates_of(cell, "players", [2])
