"""How strong bots are: fitted from matches, on one scale for all numbers of players."""

import json
import math
import random

import pytest

from droptable.games import game
from droptable.lab.anchors import Result, aligned, clocked_results, fit, quick_results
from droptable.tables.rating_model import RatingModel

TRUE = {"easy": -1.0, "hard": 0.5, "master": 1.0, "normal": 0.0, "random": -2.0}


def matches(players, count, scale=1.0):
    """Matches that follow the model."""
    chance = random.Random(players)
    for _ in range(count):
        names = tuple(chance.choice(list(TRUE)) for _ in range(players))
        odds = [math.exp(scale * TRUE[name]) for name in names]
        winner = chance.choices(range(players), odds)[0]
        yield Result(names, tuple(float(seat == winner) for seat in range(players)))


def test_the_fit_finds_the_strengths_that_made_the_matches():
    """Each within three standard errors, at two player counts of which one is more of a lottery;
    the scale of that one says so, and its predictions are right."""
    fits = {players: fit(list(matches(players, 3000, scale)))
            for players, scale in ((2, 1.0), (4, 0.5))}  # fmt: skip
    anchors = aligned(fits, 6000)
    assert anchors.players[4].scale == pytest.approx(0.5, abs=0.05)
    for strengths in anchors.players.values():
        for name, skill in strengths.levels.items():
            assert abs(skill.mu - TRUE[name]) <= 3 * skill.sigma + 0.001
    model = RatingModel(anchors)
    seats = [[model.bot(name, 4)] for name in ("master", "normal", "normal", "random")]
    odds = [math.exp(0.5 * TRUE[name]) for name in ("master", "normal", "normal", "random")]
    assert model.predict(seats)[0] == pytest.approx(odds[0] / sum(odds), abs=0.03)


def test_quick_matches_have_one_victory_each_and_can_be_repeated():
    """The same seed plays the same matches, and normal bots beat random ones."""
    subject = game("drop-or-pop")
    results = quick_results(subject, 3, 200, seed=1)
    assert results == quick_results(subject, 3, 200, seed=1)
    assert all(sum(result.shares) == pytest.approx(1) for result in results)
    assert fit(results)["random"].mu < fit(results)["easy"].mu < 0


def test_what_was_measured_by_the_clock_is_added(tmp_path):
    """A line of benchmarks/levels.py counts as its matches; other games' and levels' do not."""
    line = {"game": "depot", "upper": "hard", "lower": "normal", "matches": 30, "fair": 1 / 3}
    file = tmp_path / "levels.json"
    other = line | {"upper": "normal", "lower": "easy", "share": 0.9}
    file.write_text(json.dumps([line | {"share": 0.6}, other]))
    added = clocked_results(file, game("depot"))
    assert added == [Result(("hard", "normal", "normal"), (0.6, 0.2, 0.2))] * 30
    assert clocked_results(file, game("drop")) == [] == clocked_results(None, game("depot"))
