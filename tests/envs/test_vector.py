"""The vector environment plays like single states do, whatever the threads, and refuses cleanly."""

import gc
import pickle
import sys
import threading

import numpy as np
import pytest

import droptable
from droptable.core.batch import Batch
from droptable.envs.thread_team import ThreadTeam
from droptable.envs.vector import VectorEnv
from droptable.testing import variants
from tests.envs.test_tensors import all_games

ARRAYS = ["observations", "seats", "action_mask", "counts", "rewards", "terminations"]
ARRAYS += ["final_points", "final_winners"]


def state_of(env, row):
    """The match of a row as a state."""
    return env.game.load(env.game.pack(env.states[row : row + 1]))


@all_games
def test_it_plays_like_states(game):
    """Seats, masks, observations, moves and results are those of the same matches as states."""
    for players in {game.players[0], game.players[-1]}:
        env = VectorEnv(game, 5, players, seed=2, threads=2)
        for _ in range(60):
            states = [state_of(env, row) for row in range(5)]
            for row, state in enumerate(states):
                seat = state.to_act[0]
                assert env.seats[row] == seat
                assert np.flatnonzero(env.action_mask[row]).tolist() == state.legal_ids(seat)
                assert env.counts[row] == len(state.legal_ids(seat))
                seen = state.view(seat).tensor()
                assert env.observations[row].tobytes() == seen.tobytes()
            actions = env.sample_actions()
            env.step(actions)
            for row, state in enumerate(states):
                state.apply(state.to_act[0], env.tokens[actions[row]])
                if state.over:
                    assert env.terminations[row]
                    assert env.final_points[row].tolist() == list(state.scores)
                    winners = np.flatnonzero(env.final_winners[row]).tolist()
                    assert winners == list(state.winners)
                elif state.to_act[0] >= 0:  # else the dealer has moved on
                    assert bytes(state_of(env, row)) == bytes(state)
                    assert not env.terminations[row] and not env.all_rewards[row].any()


def test_making_it_deals_each_match_once(monkeypatch):
    """The matches that a new environment shows are the first that were started."""
    started = []
    begin = VectorEnv._begin
    monkeypatch.setattr(VectorEnv, "_begin", lambda env, rows: started.append(begin(env, rows)))
    monkeypatch.setattr(Batch, "start_share", lambda *_: started.append("by the batch"))
    env = VectorEnv("drop-or-pop", 8, players=3, seed=1)
    env.reset()
    assert started == [None]


@all_games
def test_what_is_revised_is_what_would_be_written_anew(game):
    """At every player count and option, also after resets, a seed, and a copy by pickle."""
    for players in game.players:
        for options in variants(game):
            env = VectorEnv(game, 12, players, seed=9, autoreset_mode="Disabled", **options)
            for step in range(90):
                env.step(env.sample_actions())
                if step % 30 == 20 and game in droptable.games():  # others cannot be found by name
                    env = pickle.loads(pickle.dumps(env))
                if env.terminations.any() or step % 40 == 39:
                    chosen = env.terminations | (np.arange(12) == step % 12)
                    env.reset(options={"reset_mask": chosen})
                assert env.observations.tobytes() == env.look(env.seats).tobytes(), (step, options)


@all_games
def test_threads_and_calls_do_not_matter(game):
    """The same seed gives the same arrays with one thread and with three, and after a reset."""
    one = VectorEnv(game, 50, seed=7, threads=1)
    three = VectorEnv(game, 50, seed=8, threads=3)
    three.reset(seed=7)
    for _ in range(120):
        actions = one.sample_actions()
        assert (three.sample_actions() == actions).all()
        one.step(actions)
        three.step(actions.astype(np.int32))
        for name in ARRAYS:
            assert getattr(one, name).tobytes() == getattr(three, name).tobytes(), name
    three.close()


def test_threads_end_with_their_environment():
    """Closing an environment, or forgetting it, lets its threads go; a closed one says so."""
    before = set(threading.enumerate())
    closed = VectorEnv("drop", 10, threads=3)
    forgotten = VectorEnv("drop", 10, threads=4)
    forgotten.step(forgotten.sample_actions())
    new = set(threading.enumerate()) - before
    assert len(new) == 5
    closed.close()
    with pytest.raises(RuntimeError, match="closed"):
        closed.step(closed.sample_actions())
    del forgotten
    gc.collect()
    for thread in new:
        thread.join(timeout=10)
        assert not thread.is_alive()


def test_an_error_in_a_thread_is_raised():
    """What goes wrong in another thread is not lost, and the team can work on."""
    team = ThreadTeam(3)
    with pytest.raises(ZeroDivisionError):
        team.share(lambda number: 1 // (2 - number))
    done = []
    team.share(lambda number, more: done.append((number, more)), "x")
    assert sorted(done) == [(0, "x"), (1, "x"), (2, "x")]


def test_chance_goes_on_after_a_reset_without_seed():
    """A reset without seed deals other cards, but for the first one; with the seed, the same."""
    env = VectorEnv("drop-site", 20, seed=1)
    first = env.states.copy()
    env.reset()
    assert (env.states == first).all()
    env.reset()
    assert not (env.states == first).any()
    env.reset(seed=1)
    assert (env.states == first).all()
    assert not (VectorEnv("drop-site", 20).states == first).any()


def test_a_finished_match_starts_anew_with_its_result_told():
    """Rewards sum to zero, 1 for the only winner; the last views can be had; a new match is on."""
    env = VectorEnv("drop-or-pop", 200, players=3, seed=3, turn_limit=50)
    finished = shared = 0
    for _ in range(150):
        before = [state_of(env, row) for row in range(4)]
        actions, movers = env.sample_actions(), env.seats.copy()
        _, moved, done, truncated, infos = env.step(actions)
        rewards = infos["rewards"]
        assert (moved == rewards[np.arange(200), movers]).all()
        assert (infos["final_obs"][done] == env.final_observations()[1][
            np.arange(done.sum()), movers[done]]).all()  # fmt: skip
        assert not truncated.any() and not rewards[~done].any()
        assert np.abs(rewards.sum(axis=1)).max() < 1e-6
        assert (infos["_final_points"] == done).all()
        won = infos["final_winners"][done]
        sole = won.sum(axis=1) == 1
        assert (rewards[done][sole][won[sole]] == 1).all()
        shared += (~sole).sum()
        finished += done.sum()
        assert (env.states["turn"][done] == 0).all()
        ended, last = env.final_observations()
        assert ended.tolist() == np.flatnonzero(done).tolist()
        for k, row in enumerate(ended[ended < 4]):
            before[row].apply(before[row].to_act[0], env.tokens[actions[row]])
            for seat in range(3):
                assert (last[k, seat] == before[row].view(seat).tensor()).all()
    assert finished > 100 and shared > 0


def test_alone_at_the_table_the_reward_is_the_score():
    """Solo has nobody to beat: the score itself is the reward."""
    env = VectorEnv("number-drop", 20, players=1, seed=4, observe=False)
    finished = 0
    for _ in range(600):
        _, rewards, done, _, _ = env.step(env.sample_actions())
        assert (rewards[done] == env.final_points[done, 0]).all()
        finished += done.sum()
    assert finished > 5


def test_who_acts_at_the_same_time_does_not_see_it():
    """Number Drop: seat 1 sees the same whatever seat 0 did since the roll."""
    envs = [VectorEnv("number-drop", 30, players=2, seed=5) for _ in range(2)]
    for env in envs:
        for _ in range(2):  # both write their first number
            env.step(np.argmax(env.action_mask, axis=1))
        assert (env.seats == 0).all()
    differ = 0
    for row in range(30):
        seen = []
        for env, step in zip(envs, (1, -1), strict=True):
            while env.seats[row] == 0:  # the first legal move, or the last; the others wait
                mask = env.action_mask[:, ::step]
                chosen = np.argmax(mask, axis=1)
                env.step(chosen if step == 1 else env.action_mask.shape[1] - 1 - chosen)
            seen.append((env.observations[row].copy(), env.states[row].tobytes()))
        assert (seen[0][0] == seen[1][0]).all()
        differ += seen[0][1] != seen[1][1]
        for env in envs:
            env.reset(seed=row)
            for _ in range(2):
                env.step(np.argmax(env.action_mask, axis=1))
    assert differ == 30


def test_an_illegal_action_is_refused_whole():
    """The error names match and rule; no match has moved, not even the legal ones."""
    env = VectorEnv("drop", 40, seed=6, threads=2)
    actions = env.sample_actions().copy()
    bad = int(np.flatnonzero(~env.action_mask[33])[0])
    actions[33] = bad
    before = env.states.tobytes(), env.observations.tobytes(), env.action_mask.tobytes()
    with pytest.raises(droptable.IllegalMove, match="match 33: ") as error:
        env.step(actions)
    assert error.value.rule == "DR2"
    actions[33] = 91
    with pytest.raises(droptable.OptionError, match="match 33: action 91; expected 0 to 90"):
        env.step(actions)
    actions[33] = -1
    with pytest.raises(droptable.OptionError, match="match 33: action -1"):
        env.step(actions)
    assert before == (env.states.tobytes(), env.observations.tobytes(), env.action_mask.tobytes())


def test_actions_of_a_wrong_form_are_refused():
    """Wrong shapes and fractions are errors, not guesses."""
    env = VectorEnv("drop", 3, seed=6)
    for actions in ([20, 21], [[20, 21, 22]], 20, [20.0, 21.0, 22.0], ["a", "b", "c"], None):
        with pytest.raises(droptable.OptionError, match="actions of"):
            env.step(actions)
    for seats in ([0, 1], [0, 1, 2], [0, 1, -1], [0, 1, 256], [0.5, 0, 1]):
        with pytest.raises(droptable.OptionError, match="seats is"):
            env.look(seats)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"num_envs": 0}, "num_envs is 0; expected a whole number from 1 up"),
        ({"num_envs": 2.0}, "num_envs is 2.0"),
        ({"threads": 0}, "threads is 0"),
        ({"threads": True}, "threads is True"),
        ({"seed": -1}, "seed is -1; expected a whole number from 0 up"),
        ({"seed": "x"}, "seed is 'x'"),
        ({"seed": True}, "seed is True"),
        ({"players": 3}, "drop is for 2 players, not 3"),
        ({"size": 4}, "option size of drop is 4"),
        ({"colour": 1}, "drop has no option 'colour'"),
        ({"game": "chess"}, "there is no game 'chess'"),
        ({"seat": 0}, "seat is 0; expected None without opponents"),
        ({"seat": 2, "opponents": "random"}, "seat is 2; expected 0 to 1"),
        ({"opponents": ["random"] * 2}, "expected 1, or one for all"),
        ({"opponents": "master"}, "opponent 'master' cannot be stepped in machine code"),
        ({"opponents": 7}, "opponents is 7"),
        ({"autoreset_mode": "never"}, "autoreset_mode is 'never'; expected NextStep, SameStep or"),
        ({"render_mode": "human"}, "render_mode is 'human'"),
    ],
)
def test_bad_settings_are_named(change, message):
    """Each bad argument is refused with its name, its value and what is expected."""
    with pytest.raises(droptable.DroptableError) as error:
        VectorEnv(**({"game": "drop", "num_envs": 2} | change))
    assert message in str(error.value)


def test_a_reset_takes_no_options():
    """The options of a game cannot change between matches."""
    env = VectorEnv("drop", 2, seed=1)
    with pytest.raises(droptable.OptionError, match="options"):
        env.reset(options={"size": 7})
    with pytest.raises(droptable.OptionError, match="seed is -2"):
        env.reset(seed=-2)


def test_arrays_are_the_environments_own():
    """Nothing is copied: every step returns the same arrays, written anew."""
    env = VectorEnv("drop-or-pop", 10, seed=1)
    first, infos = env.reset()
    observations, rewards, done, _, again = env.step(env.sample_actions())
    assert observations is first is env.observations and infos is again
    assert rewards is env.rewards and done is env.terminations
    assert infos["action_mask"] is env.action_mask and infos["seats"] is env.seats


def test_any_seat_can_look():
    """`look` gives what other seats than the one to act see."""
    env = VectorEnv("drop-site", 6, players=3, seed=1)
    seats = np.array([0, 1, 2, 2, 1, 0])
    seen = env.look(seats)
    for row, seat in enumerate(seats.tolist()):
        assert (seen[row] == state_of(env, row).view(seat).tensor()).all()
    assert (env.look(env.seats) == env.observations).all()


def test_observations_can_be_left_out():
    """Without them a step is quicker, and the array has no columns; `look` works all the same."""
    env = VectorEnv("drop-site", 6, seed=1, observe=False)
    observations, *_ = env.step(env.sample_actions())
    assert observations.shape == (6, 0)
    assert env.look(env.seats).any()


def test_gymnasium_names():
    """Spaces, their batched forms and the mode of auto-reset are as Gymnasium has them."""
    gymnasium = pytest.importorskip("gymnasium")
    env = VectorEnv("drop-site", 6, seed=1)
    assert env.metadata["autoreset_mode"] == gymnasium.vector.AutoresetMode.SAME_STEP
    assert env.observations in env.observation_space
    assert env.observations[0] in env.single_observation_space
    assert env.sample_actions() in env.action_space
    assert env.single_action_space.n == len(env.tokens)
    batched = gymnasium.vector.utils.batch_space(env.single_observation_space, env.num_envs)
    assert batched == env.observation_space


def test_without_gymnasium_only_the_spaces_are_missing(monkeypatch):
    """Matches are stepped without it; who asks for a space is told what to install."""
    for name in ("gymnasium", "gymnasium.vector"):
        monkeypatch.setitem(sys.modules, name, None)
    env = VectorEnv("drop-or-pop", 3, seed=1)
    env.step(env.sample_actions())
    assert env.metadata["autoreset_mode"] == "SameStep"
    with pytest.raises(ImportError, match=r"pip install 'droptable\[envs\]'"):
        _ = env.single_action_space
