"""How levels do in dailies: counted once, and gone on with where the last call stopped."""

import math
import random
import re
import statistics

import pytest

from droptable.bots.instincts import habit_of
from droptable.bots.level_scores import level_values
from droptable.bots.levels import LEVELS
from droptable.bots.steady import SteadyBot
from droptable.core.contract import DEALER
from droptable.core.errors import GameError
from droptable.core.heuristics import LevelShares
from droptable.games import game, games
from droptable.lab.level_scores import main, play_chunk, play_searching, read
from droptable.tables.daily import SEAT, value_of


def test_a_later_call_goes_on(tmp_path):
    """The results of two calls are those of one: each match has its number as a seed. `--anew`
    forgets them."""
    file = tmp_path / "scores.json"

    def play(level, matches, *more):
        main(["drop-or-pop", "--levels", level, "--matches", str(matches), "--cores", "1",
              "--out", str(file), *more])  # fmt: skip

    play("easy", 7)
    play("easy", 20)
    both = play_chunk("drop-or-pop", "easy", 0, 7) + play_chunk("drop-or-pop", "easy", 7, 20)
    assert read(file) == {"easy": dict(both)} and sum(both.values()) == 20
    play("easy", 5, "--anew")
    assert read(file) == {"easy": dict(play_chunk("drop-or-pop", "easy", 0, 5))}
    play("hard", 3)
    searched = play_chunk("drop-or-pop", "hard", 0, 2) + play_chunk("drop-or-pop", "hard", 2, 3)
    assert read(file)["hard"] == dict(searched)


@pytest.mark.parametrize("name", ["drop-or-pop", "number-drop"])
def test_levels_without_search_play_in_machine_code_as_they_do_at_a_table(name):
    """The mean result in 60 matches of each is the same within four standard errors."""
    subject = game(name)
    finals = [play_searching(subject, "easy", number) for number in range(60)]
    slow = [value_of(final.scores, final.winners, SEAT) for final in finals]
    quick = list(play_chunk(name, "easy", 0, 600).elements())
    error = math.hypot(statistics.stdev(slow) / 60**0.5, statistics.stdev(quick) / 600**0.5)
    assert abs(statistics.fmean(slow) - statistics.fmean(quick)) < 4 * error


@pytest.mark.parametrize("subject", games(), ids=lambda subject: subject.name)
def test_results_ship_with_each_game(subject):
    """Levels without search have played ten thousand matches. Each level of those did better than
    the one below, and those that search at least as well as `normal`."""
    values = level_values(subject)
    quick = [level for level in LEVELS if habit_of(level)]
    assert all(sum(values[level].values()) == 10_000 for level in quick)
    means = {level: sum(value * count for value, count in results.items()) / sum(results.values())
             for level, results in values.items()}  # fmt: skip
    assert means["beginner"] < means["easy"] < means["normal"]
    assert all(means["normal"] <= means[level] for level in values if level not in quick)


def test_a_game_says_for_how_long_its_levels_search_where_the_clock_must_not_matter():
    """`LevelShares.steady` is checked, and a steady bot searches that long unless it is told."""
    for wrong in (0, -1, True, 2.5, "many"):
        with pytest.raises(GameError, match=re.escape(f"steady is {wrong!r}")):
            LevelShares(steady=wrong)
    subject = game("depot")
    state = subject.start(3)
    chance = random.Random(1)
    while DEALER in state.to_act:
        state.deal(chance)
    view = state.view(state.to_act[0])
    usual = SteadyBot("master", subject, seed=3).choose(view)
    assert usual == SteadyBot("master", subject, 3, subject.bot.levels.steady).choose(view)
