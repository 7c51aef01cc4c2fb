"""Nobody waits for bots to be compiled, and nothing is measured before they are."""

import os
import subprocess
import sys

import pytest

import droptable
from droptable.bots import levels, players, search
from droptable.bots.levels import LEVELS
from droptable.bots.players import GreedyBot
from droptable.bots.registry import make_bot
from droptable.core.heuristics import heuristic
from droptable.core.precompile import policy

compiles = pytest.mark.skipif(policy() == "never", reason="compilation is switched off here")

COLD = """
import time, droptable
from droptable.bots.registry import make_bot
from droptable.bots.precompile import bots_ready
state = droptable.game("drop-or-pop").start(3)
state.apply(-1, "red")
bot = make_bot("master", seed=1)
assert bot.choose(state.view(0)) in state.legal(0)
print(bots_ready(state.game))
for _ in range(1200):
    if bots_ready(state.game):
        break
    time.sleep(0.1)
assert bot.choose(state.view(0)) in state.legal(0)
print(bots_ready(state.game))
"""


@compiles
def test_a_level_plays_greedily_until_its_search_is_ready(tmp_path):
    """With nothing compiled a master moves at once; the search takes over when it is loaded."""
    environment = os.environ | {
        "DROPTABLE_CACHE": str(tmp_path),
        "DROPTABLE_COMPILE": "background",
    }
    command = [sys.executable, "-c", COLD]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.split() == ["False", "True"]
    assert not done.stderr


@pytest.mark.parametrize("game", droptable.games(), ids=lambda game: game.name)
def test_plain_greedy_chooses_as_compiled_greedy_does(game):
    """With time to look at all moves, both ways to choose rate the same move best."""
    record = droptable.play(game, seed=4)
    for number in range(0, min(len(record.events), 120), 11):
        state = record.state_at(number)
        seats = [seat for seat in state.to_act if seat >= 0]
        for seat in seats[:1]:
            view = state.view(seat)
            rate = game.plain.kernels.twin(heuristic)
            ids = game.vocabulary(view.options).action_ids
            chosen = GreedyBot(1).choose(view), GreedyBot(2).choose_soon(view, 60)
            ratings = [rate(view.fields, seat, ids[token]) for token in chosen]
            assert ratings[0] == pytest.approx(ratings[1])


def test_plain_greedy_without_time_still_moves():
    """No time at all is enough for one legal move."""
    state = droptable.game("drop").start()
    assert GreedyBot(1).choose_soon(state.view(0), 0.0) in state.legal(0)


@pytest.mark.parametrize("name", LEVELS)
def test_levels_move_legally_in_every_game(name):
    """Each level makes legal moves everywhere, for a single player too."""
    for game in droptable.games():
        state = droptable.play(game, seed=2).state_at(30)
        while state.to_act and state.to_act[0] < 0:
            state.apply(-1, state.chance()[0][0])
        for seat in state.to_act[:1]:
            assert make_bot(name, seed=3).choose(state.view(seat)) in state.legal(seat)


def test_levels_search_as_often_as_they_say(monkeypatch):
    """Normal never searches, master for every decision, hard about as often as it says."""
    state = droptable.play(droptable.game("drop-or-pop"), 3, seed=2).state_at(9)
    while state.to_act[0] < 0:
        state.apply(-1, state.chance()[0][0])
    view = state.view(state.to_act[0])
    searched = []

    def short_search(view, **asked):
        searched.append(asked["seconds"])
        return search(view, iterations=1, cores=1)

    monkeypatch.setattr(players, "search", short_search)
    monkeypatch.setattr(levels, "bots_ready", lambda _: True)
    often = {}
    for name, level in [*LEVELS.items(), (levels.ADVISER, levels.ADVICE)]:
        searched.clear()
        for seed in range(200):
            assert make_bot(name, seed=seed).choose(view) in view.legal
        often[name] = len(searched) / 200
        assert set(searched) <= {level.seconds}
    assert often["beginner"] == often["easy"] == often["normal"] == 0
    greedy = levels.level_of("hard", view.game).greedy
    assert greedy != LEVELS["hard"].greedy  # the game has a share of its own
    assert often["hard"] == pytest.approx(1 - greedy, abs=0.12)
    assert often["master"] == often["adviser"] == 1


def test_search_compiles_nothing_where_it_must_not():
    """With compilation switched off a search is slow, but works, and Numba is not even loaded."""
    script = (
        "import sys, droptable; from droptable.bots import search; "
        "s = droptable.game('drop-or-pop').start(3); s.apply(-1, 'red'); "
        "print(search(s.view(0), iterations=20, seed=1).iterations, 'numba' in sys.modules)"
    )
    environment = os.environ | {"DROPTABLE_COMPILE": "never"}
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.split() == ["20", "False"]


@compiles
@pytest.mark.parametrize("module", ["droptable.core", "droptable.bots"])
def test_compiling_ahead_warns_of_nothing(module):
    """Both commands that compile a game ahead of time work and print nothing."""
    command = [sys.executable, "-W", "error", "-m", module, "drop-or-pop"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
