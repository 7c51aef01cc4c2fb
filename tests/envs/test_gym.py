"""The environments with one learner: the opponents play as bots do, and Gymnasium accepts them."""

import copy
import pickle

import numpy as np
import pytest

import droptable
from droptable.core.contract import DEALER
from droptable.core.errors import IllegalMove, OptionError
from droptable.envs.opponents import chosen_by_other
from droptable.envs.vector import VectorEnv
from tests.envs.test_tensors import all_games
from tests.envs.test_vector import state_of

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.wrappers.vector import RecordEpisodeStatistics  # noqa: E402

import droptable.envs.gym as gym_envs  # noqa: E402

our_games = pytest.mark.parametrize("game", droptable.games(), ids=lambda game: game.name)
MODES = ("SameStep", "NextStep", "Disabled")


def own(env, count):
    """So many steps of random moves: what each of them gave."""
    for _ in range(count):
        yield env.step(env.sample_actions())


@all_games
def test_only_the_learner_is_asked(game):
    """At every table the learner's seat decides, each in turn; the views are those of that seat."""
    for players in game.players:
        env = VectorEnv(game, 6, players, seed=1, opponents="random")
        assert sorted(set(env.seats.tolist())) == list(range(players))
        seats = env.seats.copy()
        for _, _, done, _, _ in own(env, 40):
            seats = np.where(done, (seats + 1) % players, seats)
            assert (env.seats == seats).all()
            for row in range(6):
                state = state_of(env, row)
                assert state.to_act and DEALER not in state.to_act
                assert seats[row] in state.to_act
                seen = state.view(int(seats[row])).tensor()
                assert env.observations[row].tobytes() == seen.tobytes()
    fixed = VectorEnv(game, 3, game.players[-1], seed=1, opponents="random", seat=0)
    for _ in own(fixed, 30):
        assert not fixed.seats.any()


def test_opponents_sit_clockwise_after_the_learner():
    """The k-th opponent plays the k-th seat after the learner's: greedy ones choose as greedy."""
    env = VectorEnv("drop-or-pop", 1, 3, seed=3, opponents=["greedy", "random"], seat=1)
    state = state_of(env, 0)
    assert state.to_act == (1,)
    strong = VectorEnv("drop", 200, seed=3, opponents="greedy")
    weak = VectorEnv("drop", 200, seed=3, opponents="random")
    won = []
    for one in (strong, weak):
        shares = [float((r[d] > 0).mean()) for _, r, d, _, _ in own(one, 70) if d.any()]
        won.append(np.mean(shares))
    assert won[0] < 0.1 < 0.4 < won[1]


@pytest.mark.parametrize("name", ["drop-site", "depot", "number-drop"])
def test_opponents_know_only_their_views(name):
    """What an opponent does next is the same if everything that is hidden from it is different."""
    game = droptable.game(name)
    env = VectorEnv(game, 60, 3, seed=5, opponents="greedy")
    for _ in own(env, 7):
        pass
    choose = game.at_full_speed.kernels.twin(chosen_by_other)
    ids, differ = env._batch.moves[0].copy(), 0
    for row in range(60):
        true, seat = state_of(env, row), int(env.seats[row])
        other = true.view(seat).determinize(seed=row)
        env._others.mine[row] = (seat + 1) % 3  # its seat is an opponent's now
        chosen = []
        for state in (true, other):
            env._others.choosing[row] = 7 + row
            env.states[row : row + 1] = state._data
            chosen.append(choose(env.states, row, seat, env._more, 0, ids))
        assert chosen[0] == chosen[1]
        differ += bytes(true) != bytes(other)
    assert differ > 10


@all_games
@pytest.mark.parametrize("opponents", [None, "random"])
def test_modes_of_autoreset_play_the_same_matches(game, opponents):
    """Whenever a match starts anew, the same seed gives the same matches and results."""
    players = game.players[0]
    played = {}
    for mode in MODES:
        env = VectorEnv(game, 4, players, seed=2, opponents=opponents, autoreset_mode=mode)
        held, told = np.zeros(4, bool), [[] for _ in range(4)]
        chance = [np.random.default_rng(row) for row in range(4)]
        for _ in range(300):
            if mode == "Disabled" and held.any():
                with pytest.raises(OptionError, match="is over: reset it"):
                    env.step(env.sample_actions())
                env.reset(options={"reset_mask": held.copy()})
                held[:] = False
            actions = np.zeros(4, int)
            for row in np.flatnonzero(~held):
                actions[row] = chance[row].choice(np.flatnonzero(env.action_mask[row]))
            observations, rewards, done, _, infos = env.step(actions)
            final = infos["final_obs"] if mode == "SameStep" else observations
            for row in range(4):
                if done[row]:
                    told[row].append((float(rewards[row]), final[row].tobytes()))
                elif not held[row]:
                    told[row].append(observations[row].tobytes() if not done[row] else b"")
            held = done.copy() if mode != "SameStep" else held
        played[mode] = told
    for mode in MODES[1:]:
        for one, other in zip(played["SameStep"], played[mode], strict=True):
            ends = [[x for x in told if isinstance(x, tuple)] for told in (one, other)]
            count = min(map(len, ends))
            assert ends[0][:count] == ends[1][:count]


@our_games
def test_a_copy_goes_on_alike(game):
    """Pickled or deep-copied in the middle, an environment goes on as the first one does."""
    for opponents in (None, "greedy"):
        env = VectorEnv(game, 3, seed=4, threads=2, opponents=opponents)
        for _ in own(env, 10):
            pass
        for twin in (pickle.loads(pickle.dumps(env)), copy.deepcopy(env)):
            assert (twin.observations == env.observations).all()
            mirror = pickle.loads(pickle.dumps(twin))
            for one, other in zip(own(twin, 15), own(mirror, 15), strict=True):
                assert all((a == b).all() for a, b in zip(one[:4], other[:4], strict=True))
            twin.close()
            mirror.close()
        env.close()


def test_seeds_mean_the_same_everywhere():
    """A seed given when an environment is made, or at its first reset, deals the same."""
    for opponents in (None, "random"):
        one = VectorEnv("depot", 5, seed=4, opponents=opponents)
        other = VectorEnv("depot", 5, opponents=opponents)
        assert (one.reset()[0] == other.reset(seed=4)[0]).all()
        for _ in range(30):
            actions = one.sample_actions()
            assert (one.step(actions)[0] == other.step(actions)[0]).all()


@our_games
def test_gymnasium_accepts_them(game):
    """Its checker, `make`, `make_vec` and statistics take every game at every player count."""
    name = gym_envs.env_name(game)
    for players in game.players:
        env = gymnasium.make(name, players=players, opponents="random", illegal="replace")
        check_env(env.unwrapped, skip_render_check=players != game.players[0])
        many = gymnasium.make_vec(name, num_envs=5, players=players, opponents="random")
        assert isinstance(many.unwrapped, gymnasium.vector.VectorEnv)
        assert many.spec is not None and many.spec.id == name
        counted = RecordEpisodeStatistics(many)
        counted.reset(seed=1)
        for _ in range(60):
            *_, infos = counted.step(counted.action_space.sample())
        ended = infos.get("_episode", np.zeros(5, bool))
        assert ended.dtype == bool
        many.close()


def test_asynchronous_vectors_take_them():
    """Gymnasium's own vector environments work with the single one."""
    name = gym_envs.env_name(droptable.game("drop-or-pop"))
    env = gymnasium.make_vec(name, num_envs=2, vectorization_mode="sync", opponents="random")
    env.reset(seed=1)
    for _ in range(60):
        masks = [one.get_wrapper_attr("action_masks")() for one in env.envs]
        env.step(np.array([np.flatnonzero(mask)[0] for mask in masks]))
    env.close()


def test_one_match_tells_its_end_and_refuses_what_is_illegal():
    """The last step has points and winners; an illegal action is refused and changes nothing."""
    env = gymnasium.make("droptable/Drop-v0", opponents="greedy", seat=1).unwrapped
    _, info = env.reset(seed=1)
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
    with pytest.raises(IllegalMove, match="DR2"):
        env.step(illegal)
    over = False
    while not over:
        assert info["seat"] == 1 and (env.action_masks() == info["action_mask"]).all()
        _, reward, over, cut, info = env.step(env.action_space.sample())
        assert not cut and (over or reward == 0)
    assert info["winners"].sum() in (1, 2) and len(info["points"]) == 2
    with pytest.raises(OptionError, match="is over: reset it"):
        env.step(0)
    with pytest.raises(OptionError, match="illegal is 'lose'; expected raise or replace"):
        gym_envs.MatchEnv("drop", illegal="lose")
    lenient = gym_envs.MatchEnv("drop", illegal="replace", seat=0)
    lenient.reset(seed=1)
    assert lenient.step(illegal)[4]["replaced"] and lenient.step(10_000)[4]["replaced"]


def test_arrays_can_be_shared_without_a_copy():
    """Other libraries read observations and masks in place, by DLPack."""
    env = VectorEnv("drop-site", 4, seed=1, opponents="random")
    shared = np.from_dlpack(env.observations)
    assert np.shares_memory(shared, env.observations)
    env.step(env.sample_actions())
    assert (shared == env.observations).all()
    copied = VectorEnv("drop-site", 4, seed=1, opponents="random", copy=True)
    first = copied.reset()[0]
    before = first.copy()
    copied.step(copied.sample_actions())
    assert (first == before).all()
