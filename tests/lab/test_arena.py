"""The arena: rotated seats over the same deals, honest intervals and ratings."""

import json

import numpy as np
import pytest

import droptable
from droptable.lab.arena import Arena, MatchResult, paired_interval, run_arena
from droptable.lab.statistics import wilson

POP = droptable.game("drop-or-pop")


def test_every_deal_is_played_with_every_rotation():
    """Three bots: each deal three times, each bot once on each seat."""
    arena = run_arena(POP, ["greedy", "random", "easy"], 6, workers=1)
    assert [result.deal for result in arena.results] == [0, 0, 0, 1, 1, 1]
    assert {result.bots[0] for result in arena.results[:3]} == {"greedy", "random", "easy"}


def test_equal_bots_never_repeat_a_deal():
    """Rotating equal bots would be the same match again: every one has a deal of its own."""
    arena = run_arena(POP, ["greedy"], 6, workers=1)
    assert [result.deal for result in arena.results] == [0, 1, 2, 3, 4, 5]
    assert (arena.standings()[0].low, arena.standings()[0].high) == (1 / 3, 1 / 3)
    assert "each with a deal of its own" in str(arena)
    two = run_arena(POP, ["greedy", "random"], 6, players=4, workers=1)
    assert [result.deal for result in two.results] == [0, 0, 0, 0, 1, 1]


@pytest.mark.parametrize("alike", [0.0, 0.5, 1.0])
def test_intervals_know_that_matches_of_a_deal_are_alike(alike):
    """They hold the truth in 95 % of 1,000 runs, whether or not a deal decides its matches."""
    random = np.random.default_rng(3)
    held = 0
    for _ in range(1000):
        deals = random.random(60) < 0.4
        own = random.random((60, 3)) < 0.4
        won = np.where(random.random((60, 1)) < alike, deals[:, None], own)
        shares = [(deal, float(won[deal, k])) for deal in range(60) for k in range(3)]
        low, high = paired_interval(shares)
        held += low <= 0.4 <= high
    assert 930 <= held <= 970


def test_greedy_beats_random_and_results_repeat():
    """The better bot is on top; the same seed gives the same matches whatever the workers."""
    one = run_arena(POP, ["greedy", "random"], 12, players=3, seed=5, workers=1)
    two = run_arena(POP, ["greedy", "random"], 12, players=3, seed=5, workers=2)
    assert one.results == two.results
    assert one.standings()[0].bot == "greedy"
    assert one.bots == ("greedy", "random", "random")
    assert sum(line.wins for line in one.standings()) == pytest.approx(12)
    assert json.loads(json.dumps(one.to_dict()))["players"] == 3


def test_ratings_follow_the_wins():
    """Twice as many wins is worth about 120 Elo; shares of draws count half."""
    arena = Arena("drop", 2, {}, ("a", "b"))
    arena.results += [MatchResult(0, ("a", "b"), (1.0, 0.0), (1, 0), 1)] * 200
    arena.results += [MatchResult(0, ("b", "a"), (1.0, 0.0), (1, 0), 1)] * 100
    best, worst = arena.standings()
    assert (best.bot, best.sole, best.decided) == ("a", 200, 300)
    assert best.rating - worst.rating == pytest.approx(120, abs=3)
    drawn = Arena("drop", 2, {}, ("a", "b"))
    drawn.results += [MatchResult(0, ("a", "b"), (0.5, 0.5), (1, 1), 1)] * 10
    assert drawn.standings()[0].rating == pytest.approx(0, abs=1e-6)
    assert drawn.standings()[0].decided == 0


def test_intervals_are_wilsons():
    """The interval of 8 of 10 is the textbook's."""
    low, high = wilson(8, 10)
    assert (round(low, 3), round(high, 3)) == (0.490, 0.943)


def test_wrong_tables_are_refused():
    """No bots, too many bots and unknown bots are named before a match is played."""
    with pytest.raises(droptable.OptionError, match="no bots"):
        run_arena(POP, [], 1)
    with pytest.raises(droptable.OptionError, match="there are 4 bots, random"):
        run_arena(POP, ["random"] * 4, 1, players=3)
    with pytest.raises(droptable.OptionError, match="no bot 'deep'"):
        run_arena(POP, ["deep"], 1)


def test_the_plot_is_a_picture(tmp_path):
    """Win rates are drawn to a file."""
    arena = Arena("drop", 2, {}, ("a", "b"))
    arena.results.append(MatchResult(0, ("a", "b"), (1.0, 0.0), (1, 0), 1))
    arena.plot(tmp_path / "arena.svg")
    assert "<svg" in (tmp_path / "arena.svg").read_text()
