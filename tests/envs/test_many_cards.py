"""Decks of 52 and 108 different cards: every way to play has room for all outcomes of a dealer."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from droptable.envs.vector import VectorEnv
from droptable.lab.simulate import simulate_matches
from tests.envs.many_cards import GAME

ROOT = Path(__file__).parents[2]
MATCHES = 40


def play_simulated(cards):
    """Random matches inside the engine: every card is one decision, kept half of the time."""
    outcome = simulate_matches(GAME, 2, MATCHES, seed=1, cards=cards)
    assert outcome.moves == MATCHES * cards
    assert sum(outcome.wins) == pytest.approx(MATCHES)
    assert sum(outcome.mean_scores) == pytest.approx(cards * (cards + 1) / 4, rel=0.15)


def play_batch(cards):
    """A batch: each match deals every card once, and ends when the deck is used up."""
    batch = GAME.batch(MATCHES, seed=2, cards=cards)
    for step in range(1, cards + 1):
        assert (batch.states["dealt"].sum(axis=1) == step).all()
        batch.step(np.ones(MATCHES, int))
    assert batch.done.all()
    assert (batch.points[:, :2].sum(axis=1) == cards * (cards + 1) // 2).all()


def play_vector(cards):
    """The vector environment: the same, in two threads and with observations."""
    env = VectorEnv(GAME, MATCHES, seed=3, threads=2, cards=cards)
    for step in range(1, cards + 1):
        assert (env.states["dealt"].sum(axis=1) == step).all()
        _, rewards, done, _, infos = env.step(env.sample_actions())
    assert done.all() and (infos["rewards"].sum(axis=1) == 0).all() and (abs(rewards) <= 1).all()
    assert infos["final_points"].any()
    env.close()


def play_pettingzoo(cards):
    """Both kinds of PettingZoo environment come to the last card."""
    pytest.importorskip("pettingzoo")
    from droptable.envs import pettingzoo

    env = pettingzoo.env(GAME, cards=cards)
    env.reset(seed=4)
    for _ in range(cards):
        env.step(1)
    assert env.terminations == {"seat_0": True, "seat_1": True}
    env = pettingzoo.parallel_env(GAME, cards=cards)
    seen, _ = env.reset(seed=4)
    for _ in range(cards):
        seen = env.step({agent: int(seen[agent]["action_mask"].argmax()) for agent in seen})[0]
    assert not env.agents


def play_openspiel(cards):
    """A match in OpenSpiel: every card that is left is an outcome, with its probability."""
    pyspiel = pytest.importorskip("pyspiel")
    from droptable.envs import openspiel

    state = pyspiel.load_game(f"{openspiel.register(GAME)}(cards={cards})").new_initial_state()
    for left in range(cards, 0, -1):
        outcomes = state.chance_outcomes()
        assert len(outcomes) == left
        assert sum(share for _, share in outcomes) == pytest.approx(1)
        state.apply_action(outcomes[-1][0])
        state.apply_action(1)
    assert state.is_terminal() and sum(state.returns()) == 0


PLAYS = (play_simulated, play_batch, play_vector, play_pettingzoo, play_openspiel)


@pytest.mark.parametrize("cards", [52, 108])
@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.__name__)
def test_every_card_has_room(play, cards):
    """A match deals each of many different cards, and nothing is lost or written elsewhere."""
    play(cards)


def test_nothing_is_written_out_of_bounds():
    """With Numba's bounds checks, the same matches raise no IndexError."""
    script = (
        "from tests.envs.test_many_cards import PLAYS\n"
        "from _pytest.outcomes import Skipped\n"
        "for play in PLAYS:\n"
        "    for cards in (52, 108):\n"
        "        try:\n"
        "            play(cards)\n"
        "        except Skipped:\n"
        "            pass\n"
        "import numba\n"
        "assert numba.config.BOUNDSCHECK == 1\n"
    )
    environment = os.environ | {"NUMBA_BOUNDSCHECK": "1", "DROPTABLE_COMPILE": "now"}
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
