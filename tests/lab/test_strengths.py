"""benchmarks/strengths.py: victories that are told give a strength; every level has one."""

import math

import pytest

from benchmarks import strengths
from droptable import games
from droptable.lab.anchors import Result, fit


def test_victories_that_are_told_give_a_strength():
    """Who wins 80 of 100 against two `random` has eight times their odds."""
    told = ["drop-or-pop:PPO=80/100", "depot:other=1/2"]
    results = strengths.known("drop-or-pop", 3, told)
    assert len(results) == 100 and {r.names for r in results} == {("PPO", "random", "random")}
    even = Result(("random", "normal", "normal"), (1 / 3, 1 / 3, 1 / 3))
    found = fit([*results, *[even] * 300])
    assert found["PPO"].mu - found["random"].mu == pytest.approx(math.log(8), abs=0.1)


def test_every_level_of_every_game_has_a_strength(capsys):
    """The table has a line for each game, and `normal` is what the others are measured by."""
    strengths.levels_of_all()
    printed = capsys.readouterr().out
    assert all(game.title in printed for game in games())
    assert printed.count("1500 ± 0") == len(games())  # `normal`
