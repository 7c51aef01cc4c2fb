"""Batches and environments are one engine: the same seeds, moves, results, rewards and refusals."""

import numpy as np
import pytest

import droptable
from droptable.core.errors import IllegalMove, OptionError
from droptable.core.loops import share_victory
from droptable.envs.vector import VectorEnv
from droptable.lab.simulate import simulate_matches
from tests.envs.test_tensors import all_games

STEPS = 150


def aec(game, players=None):
    """A PettingZoo environment of a game."""
    pytest.importorskip("pettingzoo")
    from droptable.envs import pettingzoo

    return pettingzoo.env(game, players)


def record_of(env):
    """The record of the match in a PettingZoo environment."""
    return env._match.states[0].tobytes()


@all_games
def test_a_seed_deals_the_same_everywhere(game):
    """With the same seed and actions, row i of a batch is row i of a vector environment."""
    batch = game.batch(6, seed=9)
    env = VectorEnv(game, 6, seed=9, threads=2)
    rewarded = 0
    for _ in range(STEPS):
        assert batch.states.tobytes() == env.states.tobytes()
        assert (batch.seats == env.seats).all() and (batch.counts == env.counts).all()
        actions = env.sample_actions()
        batch.step(actions)
        env.step(actions)
        assert (batch.done == env.terminations).all()
        assert (batch.rewards == env.all_rewards).all()
        assert (batch.points[:, : batch.players] == env.final_points).all()
        assert (batch.won == env.final_winners @ (1 << np.arange(batch.players))).all()
        rewarded += int(batch.rewards.any())
    assert game.name == "drop-site" or rewarded  # whose matches may be longer
    env.close()


@all_games
def test_a_single_match_is_the_first_row(game):
    """PettingZoo deals and rewards with a seed as the first match of a batch does."""
    env, batch = aec(game), game.batch(1, seed=9)
    env.reset(seed=9)
    for step in range(STEPS):
        assert record_of(env) == batch.states[0].tobytes()
        assert env.agent_selection == f"seat_{batch.seats[0]}"
        moves = batch.moves[0, : batch.counts[0]]
        assert np.flatnonzero(env.observe(env.agent_selection)["action_mask"]).tolist() == [*moves]
        action = int(moves[step % len(moves)])
        env.step(action)
        batch.step([action])
        if batch.done[0]:
            assert all(env.terminations.values())
            assert [*env.rewards.values()] == pytest.approx(batch.rewards[0].tolist())
            break


@pytest.mark.parametrize(
    ("won", "points", "rewards"),
    [
        (0b01, [3, 5], [1, -1]),
        (0b11, [4, 4], [0, 0]),
        (0b100, [0, 0, 1], [-0.5, -0.5, 1]),
        (0b1010, [0, 7, 0, 7], [-1 / 3, 1 / 3, -1 / 3, 1 / 3]),
        (0b1, [42], [42]),
    ],
)
def test_rewards_share_a_victory(won, points, rewards):
    """Winners share 1, the others pay it in equal parts; solo, the score is the reward."""
    given = [0.0] * len(points)
    share_victory(won, points, given)
    assert given == pytest.approx(rewards)


def test_openspiel_returns_are_the_same_rewards():
    """A match that ends in OpenSpiel returns what the other environments give for it."""
    pyspiel = pytest.importorskip("pyspiel")
    import droptable.envs.openspiel

    state = pyspiel.load_game("python_drop_or_pop(players=3)").new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[-1])
    match = state.match
    points, rewards = [0, 0, 0], [0.0, 0.0, 0.0]
    winners = droptable.game("drop-or-pop").load(match.variant.game.pack(match.data)).winners
    share_victory(sum(1 << seat for seat in winners), points, rewards)
    assert state.returns() == rewards


MADE_WITH_A_SEED = {
    "batch": lambda seed: droptable.game("drop").batch(2, seed=seed),
    "vector": lambda seed: VectorEnv("drop", 2, seed=seed),
    "reset": lambda seed: VectorEnv("drop", 2).reset(seed=seed),
    "aec": lambda seed: aec("drop").reset(seed=seed),
    "simulate": lambda seed: simulate_matches(droptable.game("drop"), 2, 1, seed=seed),
}


@pytest.mark.parametrize("made", MADE_WITH_A_SEED.values(), ids=MADE_WITH_A_SEED)
def test_seeds_are_checked_alike(made):
    """Whole numbers from 0 up of any kind will do; anything else is refused in one sentence."""
    for seed in (0, 2**80, np.int64(7), None):
        made(seed)
    for seed in (-1, 1.5, "7", True, np.float32(3)):
        with pytest.raises(OptionError, match=r"seed is .*; expected a whole number from 0 up"):
            made(seed)


@pytest.mark.parametrize("action", [2**32, 2**32 + 20, -(2**32), 2**63])
def test_an_action_never_wraps_round_to_a_legal_one(action):
    """A number too large for an id is refused, though its lowest 32 bits may be a legal action."""
    for many in (droptable.game("drop").batch(2, seed=1), VectorEnv("drop", 2, seed=1)):
        before = many.states.tobytes()
        actions = np.array([action, action], np.uint64 if action > 2**62 else np.int64)
        with pytest.raises(OptionError, match="match 0: action"):
            many.step(actions)
        assert many.states.tobytes() == before


def test_an_illegal_move_is_refused_in_the_same_words():
    """The rule and the reason do not depend on the environment; only the row is named on top."""
    game = droptable.game("drop-site")
    batch, vector, env = game.batch(1, seed=3), VectorEnv(game, 1, seed=3), aec(game)
    env.reset(seed=3)
    wrong = int(np.flatnonzero(~vector.action_mask[0])[0])
    refusals = []
    for step in (
        lambda: batch.step([wrong]),
        lambda: vector.step([wrong]),
        lambda: env.step(wrong),
    ):
        with pytest.raises(IllegalMove) as error:
            step()
        refusals.append((error.value.rule, error.value.reason.removeprefix("match 0: ")))
    assert len(set(refusals)) == 1
