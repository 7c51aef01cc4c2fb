"""Tuning finds a known optimum with a fifth of a grid's matches, and is as sure as it may be."""

import pytest

import droptable
from droptable.lab.cell import Cell, lend
from droptable.lab.fleet import Fleet
from droptable.lab.tuning import ALIKE, SURE, candidates_of, goal_of, tune
from tests.lab.little_games import COIN_GAME


def race(seed, values=range(40, 60), matches=20_000):
    cell = Cell(lend(COIN_GAME))
    with Fleet("local", 1) as fleet:
        cells = candidates_of(cell, "options.bias", values)
        return tune(cells, "bias", "seats", fleet, seed=seed, matches=matches)


def test_the_fairest_coin_is_found():
    """Of 20 biases the race finds one beside 50 %, with a fifth of a grid's matches at most."""
    found = [race(seed) for seed in range(0, 600, 100)]
    assert sum(abs(one.best.value - 50) / 100 <= ALIKE for one in found) >= 5
    for one in found:
        assert one.matches <= 20_000 * 20 / 5 + 20
        assert one.best.value in one.equals and 50 in one.equals
    assert 0.7 < sum(one.sure for one in found) / len(found) < 1


def test_a_race_that_is_sure_ends():
    """Where nothing comes near the fairest coin, few matches tell."""
    found = race(1, values=[20, 50, 80])
    assert found.best.value == 50 and found.sure >= SURE
    assert found.matches < 3000
    assert found.equals == [50]


def test_the_answer_says_how_sure_it_is():
    """In words: the value, how sure, how many matches, and what a grid would take."""
    found = race(1, matches=2000)
    assert "bias=" in str(found) and f"{found.sure:.0%} sure that no other value is" in str(found)
    assert f"after {found.matches:,} matches; a grid takes about {found.grid:,}" in str(found)
    assert found.to_dict()["sure"] == found.sure


def test_values_that_may_be_as_good_are_told_in_spans():
    """Neighbours are one span, the best value among them."""
    found = race(1, values=[20, 48, 49, 50, 51, 80, 81], matches=200)
    assert str(found).endswith("\n  May be as good: 48 to 51.")


def test_a_length_is_tuned_to_a_hundredth_of_it():
    """What serves equally well: one percent of the victories, or of the moves that are wanted."""
    cell = Cell(lend(COIN_GAME))
    assert goal_of("seats", cell).alike == ALIKE
    assert goal_of("length=60", cell).alike == pytest.approx(0.6)


def test_wrong_goals_are_refused():
    """An unknown goal, one value only and a thing that cannot vary are named."""
    cell = Cell(lend(COIN_GAME))
    with pytest.raises(droptable.OptionError, match="--for is 'beauty'; expected one of seats"):
        goal_of("beauty", cell)
    with pytest.raises(droptable.OptionError, match="one value only"), Fleet("local", 1) as fleet:
        tune(candidates_of(cell, "options.bias", [50]), "bias", "seats", fleet)
    with pytest.raises(droptable.OptionError, match="only options and constants"):
        candidates_of(cell, "players", [2])
