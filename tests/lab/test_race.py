"""A race is as sure as it says, on problems whose answer is known; nothing is played here."""

import numpy as np
import pytest

from droptable.lab import race as races
from droptable.lab.race import Race

ALIKE = 0.01


def slope(rng, k):
    """Seat 0 wins more and more; somewhere in between it is fair."""
    return 0.5 + rng.uniform(0.1, 0.5) * (np.linspace(0, 1, k) - rng.uniform())


def valley(rng, k):
    """One value is best, and perhaps not fair either."""
    away = np.abs(np.linspace(0, 1, k) - rng.uniform())
    return 0.5 + 0.3 * away + rng.uniform(0, 0.03)


def flat(rng, k):
    """All values are equally good."""
    return np.full(k, 0.5 + rng.uniform(0, 0.05))


def needle(rng, k):
    """One value is fair; all others are, just, worse than may be."""
    p = np.full(k, 0.5 + rng.choice([0.0115, 0.0125, 0.02, 0.05]))
    p[rng.integers(k)] = 0.5
    return p


def scattered(rng, k):
    """Values that have nothing to do with each other."""
    return 0.5 + rng.normal(0, 0.03, k)


SHAPES = (slope, valley, flat, needle, scattered)


def outcomes(rng, share, seats, units):
    """Who won matches in which seat 0 has an advantage."""
    first = np.clip(share - 0.5 + 1 / seats, 0.01, 0.99)
    chances = np.array([first, *[(1 - first) / (seats - 1)] * (seats - 1)])
    return np.repeat(np.eye(seats), rng.multinomial(units, chances), axis=0)


def truth_of(shares, seats):
    """The true fault of each value."""
    first = np.clip(shares - 0.5 + 1 / seats, 0.01, 0.99)
    others = (1 - first) / (seats - 1)
    gaps = np.square(first - 1 / seats) + (seats - 1) * np.square(others - 1 / seats)
    return np.sqrt(gaps / seats)


def run(shares, rng, seats=2, sure=0.95, most=2_000_000):
    """A race until it is so sure: whether it is right, its standing, and the race."""
    race = Race(len(shares), (1 / seats,) * seats, ALIKE)
    while race.count.sum() < most:
        for value, units in enumerate(race.next_units(most).tolist()):
            if units:
                race.add(value, outcomes(rng, shares[value], seats, units))
        standing = race.standing()
        if standing.sure >= sure:
            break
    truth = truth_of(shares, seats)
    return truth[standing.best] <= truth.min() + ALIKE, standing, race


@pytest.mark.parametrize("seats", [2, 4])
def test_a_race_is_right_as_often_as_it_says(seats):
    """Of 400 races that said they were 95 % sure, 93 % and more were right; of each shape, too."""
    right = {shape: [] for shape in SHAPES}
    for number in range(200):
        shape = SHAPES[number % len(SHAPES)]
        rng = np.random.default_rng(number)
        shares = shape(rng, int(rng.integers(3, 25)))
        correct, standing, _ = run(shares, rng, seats)
        assert standing.sure >= 0.95
        right[shape].append(correct)
    assert min(np.mean(some) for some in right.values()) >= 0.93, right


def test_the_hardest_problem_is_no_exception():
    """One fair value beside two that are hardly worse than may be: right as often as said."""
    shares = np.array([0.5115, 0.5, 0.5115])
    right = [run(shares, np.random.default_rng(seed))[0] for seed in range(150)]
    assert np.mean(right) >= 0.93


def test_a_grid_takes_five_times_as_many_matches():
    """To be as sure about 50 coins, with as many matches of each: on most seeds, and on average."""
    shares = np.arange(30, 80) / 100
    parts = []
    for seed in range(12):
        _, standing, race = run(shares, np.random.default_rng(seed))
        parts.append(race.count.sum() / race.grid_for(standing))
    assert np.median(parts) <= 0.2 and np.mean(parts) <= 0.2


def test_a_fair_leader_needs_no_comparison():
    """Where all values are fair, one that is known to be within the tolerance is enough."""
    for seed in range(5):
        correct, standing, race = run(np.full(20, 0.5), np.random.default_rng(seed))
        assert correct and standing.sure >= 0.95
        assert race.count.sum() < 120_000


def test_an_unsure_race_does_not_boast_of_a_grid():
    """Where nothing is known yet, a grid would know as little after as many matches."""
    rng = np.random.default_rng(2)
    _, standing, race = run(np.full(8, 0.53), rng, most=8 * races.FIRST)
    assert standing.sure == 1 / 8
    assert race.grid_for(standing) == pytest.approx(race.count.sum(), rel=0.05)


def test_what_a_grid_takes_is_no_boast():
    """A grid of as many matches as the race says it takes is about as sure, and not much surer."""
    rng = np.random.default_rng(3)
    shares = np.linspace(0.4, 0.6, 21)
    _, standing, race = run(shares, rng)
    grid = Race(len(shares), (0.5, 0.5), ALIKE)
    for value, share in enumerate(shares):
        grid.add(value, outcomes(rng, share, 2, race.grid_for(standing) // len(shares)))
    assert grid.standing().sure == pytest.approx(standing.sure, abs=0.06)


def test_few_matches_make_nobody_sure():
    """After forty matches of each value hardly anything is known, and it says so."""
    rng = np.random.default_rng(1)
    _, standing, race = run(np.linspace(0.45, 0.55, 11), rng, most=11 * races.FIRST)
    assert race.count.tolist() == [races.FIRST] * 11
    assert standing.sure < 0.2


def test_a_race_keeps_to_its_matches():
    """What it asks for is never more than it was offered, but for rounding."""
    race = Race(5, (0.5, 0.5), ALIKE)
    assert race.next_units(10).sum() == 10
    rng = np.random.default_rng(1)
    for value in range(5):
        race.add(value, outcomes(rng, 0.5, 2, 100))
    assert abs(race.next_units(7).sum() - 7) <= 5
