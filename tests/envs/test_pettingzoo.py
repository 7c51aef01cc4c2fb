"""Every game as a PettingZoo environment: PettingZoo's own tests, and what they do not ask."""

import copy
import pickle
import subprocess
import sys
import warnings
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("pettingzoo")

import pettingzoo
from pettingzoo.utils import wrappers

import droptable
from droptable.core.errors import DroptableError, IllegalMove, OptionError
from droptable.core.registry import _load_file
from droptable.envs import pettingzoo as envs

with warnings.catch_warnings():
    # Its tests import an environment of its own in a way that it warns of.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import (
        api_test,
        max_cycles_test,
        parallel_api_test,
        parallel_seed_test,
        render_test,
        seed_test,
    )

ROOT = Path(__file__).parents[2]
CONNECT_FOUR = _load_file(ROOT / "examples" / "connect_four.py")
GAMES = (*droptable.games(), CONNECT_FOUR)
TABLES = [pytest.param(game, n, id=f"{game.name}-{n}") for game in GAMES for n in game.players]
every_table = pytest.mark.parametrize(("game", "players"), TABLES)
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)

# PettingZoo's own games with masks are excused from these by name.
pytestmark = [
    pytest.mark.filterwarnings(f"ignore:{words}")
    for words in (
        "Observation is not a NumPy array",
        "Observation space for each agent probably should be",
        "Observation numpy array is all zeros",
        "Action mask numpy array is all zeros",
    )
]


def module(game, players):
    """What PettingZoo's tests take for a module."""
    return SimpleNamespace(
        env=partial(envs.env, game, players), parallel_env=partial(envs.parallel_env, game, players)
    )


def state_of(env):
    """The match in an environment as a state, to be asked in the usual way."""
    return env.game.load(env.game.pack(env.unwrapped._match.states[:1]))


def play(env, seed, observer=lambda: None):
    """Play random moves to the end; return the agents, actions and rewards."""
    random, said, rewards = np.random.default_rng(seed), [], {}
    for agent in env.agent_iter():
        observer()
        seen, reward, terminated, truncated, info = env.last()
        if terminated or truncated:
            rewards[agent] = reward
            env.step(None)
            continue
        assert (seen["action_mask"] == info["action_mask"]).all()
        said.append((agent, int(random.choice(np.flatnonzero(seen["action_mask"])))))
        env.step(said[-1][1])
    return said, rewards


# -- PettingZoo's own tests -----------------------------------------------------------------------


@every_table
def test_api(game, players):
    """The AEC environment keeps PettingZoo's contract."""
    api_test(envs.env(game, players), num_cycles=30)


@every_table
def test_seeds(game, players):
    """The same seed and the same actions give the same match."""
    seed_test(module(game, players).env, num_cycles=30)
    parallel_seed_test(module(game, players).parallel_env, num_cycles=30)


@every_table
def test_max_cycles(game, players):
    """A limit of cycles cuts a match, the same way in both kinds of environment."""
    max_cycles_test(module(game, players))


@every_table
def test_parallel_api(game, players):
    """The parallel environment keeps PettingZoo's contract."""
    parallel_api_test(envs.parallel_env(game, players), num_cycles=30)


@every_game
def test_rendering(game, capsys):
    """Text, SVG and pixels can be had of every game."""
    checks = {"svg": lambda drawn: drawn.startswith("<svg"), "ansi": len}
    render_test(partial(envs.env, game), checks)
    assert capsys.readouterr().out.strip()


# -- what is seen ---------------------------------------------------------------------------------


@every_table
def test_observations_are_views(game, players):
    """At every decision, each seat's tensor is that of its view; the mask has the legal moves."""
    env = envs.env(game, players, max_moves=40)
    env.reset(seed=5)

    def compare():
        state = state_of(env)
        for seat, agent in enumerate(env.possible_agents):
            assert (env.observe(agent)["observation"] == state.view(seat).tensor()).all()
        if not state.over and env.infos[env.agent_selection]["action_mask"].any():
            seat = env.possible_agents.index(env.agent_selection)
            assert seat == state.to_act[0]
            legal = np.flatnonzero(env.infos[env.agent_selection]["action_mask"])
            assert [env.tokens[action] for action in legal] == state.legal(seat)

    play(env, 6, compare)


def test_nobody_sees_what_is_done_at_the_same_time():
    """While seats drop together, a seat's observation stays as it is until the round goes on."""
    env = envs.number_drop_v0.env(players=3)
    env.reset(seed=1)
    compared = 0
    for agent in env.agent_iter(400):
        seen, _, over, _, _ = env.last()
        if over:
            break
        waiting = set(state_of(env).to_act) - {env.possible_agents.index(agent)}
        before = {seat: env.observe(f"seat_{seat}")["observation"] for seat in waiting}
        env.step(np.flatnonzero(seen["action_mask"])[-1])
        for seat in waiting & set(state_of(env).to_act):
            assert (before[seat] == env.observe(f"seat_{seat}")["observation"]).all()
            compared += 1
    assert compared > 50


def test_state_is_what_all_see():
    """`state` joins the observations of all seats."""
    env = envs.depot_v0.env()
    env.reset(seed=1)
    seen = [env.observe(agent)["observation"] for agent in env.agents]
    assert (env.state() == np.concatenate(seen)).all()


# -- moves ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [envs.env, envs.parallel_env])
@pytest.mark.parametrize("action", [-1, 40, 10**30, 1.0, "hide 3", [1], np.float32(2)])
def test_what_is_no_action_is_refused(kind, action):
    """An action that the game does not have is an error of ours, and nothing has changed."""
    env = kind(droptable.game("drop-site"))
    env.reset(seed=3)
    before = bytes(state_of(env))
    with pytest.raises(OptionError):
        env.step(action if kind is envs.env else {"seat_0": action, "seat_1": env.wait})
    assert bytes(state_of(env)) == before


def test_an_illegal_move_is_refused_whatever_the_mask_says():
    """The rules are asked, not an array that was handed out and may have been changed."""
    env = envs.drop_site_v0.env()
    env.reset(seed=3)
    before = bytes(state_of(env))
    mask = env.last()[0]["action_mask"]
    wrong = int(np.flatnonzero(mask == 0)[0])
    mask[:] = 1
    with pytest.raises(IllegalMove, match=r"\(DS\d+\)"):
        env.step(wrong)
    assert bytes(state_of(env)) == before


def test_illegal_moves_can_lose_if_wanted():
    """PettingZoo's wrapper that ends a match at an illegal move works round ours."""
    env = wrappers.TerminateIllegalWrapper(envs.drop_site_v0.env(), illegal_reward=-1)
    env.reset(seed=3)
    env.step(int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0]))
    assert env.terminations == {"seat_0": True, "seat_1": True}
    assert env.rewards == {"seat_0": -1, "seat_1": 0}


def test_samples_are_legal():
    """An action space gives one of the legal moves, also without a mask."""
    env = envs.drop_v0.env()
    env.reset(seed=2)
    space = env.action_space("seat_0")
    space.seed(4)
    assert all(env.infos["seat_0"]["action_mask"][space.sample()] for _ in range(50))


def test_max_moves_truncates():
    """A match is cut off after so many moves, without rewards."""
    env = envs.drop_site_v0.env(players=3, max_moves=5)
    env.reset(seed=1)
    said, rewards = play(env, 1)
    assert len(said) == 5
    assert rewards == {"seat_0": 0, "seat_1": 0, "seat_2": 0}


# -- rewards --------------------------------------------------------------------------------------


@every_table
def test_rewards_are_shares_of_the_victory(game, players):
    """The winners get the most, the sum is zero; alone at the table the score is the reward."""
    env = envs.env(game, players)
    for seed in range(3):
        env.reset(seed=seed)
        rewards = play(env, seed)[1]
        state = state_of(env)
        if players == 1:
            assert rewards == {"seat_0": state.scores[0]}
            continue
        best = max(rewards.values())
        assert sum(rewards.values()) == pytest.approx(0)
        winners = tuple(seat for seat in range(players) if rewards[f"seat_{seat}"] == best)
        assert winners == state.winners
        assert best == pytest.approx((players / len(winners) - 1) / (players - 1))


# -- parallel -------------------------------------------------------------------------------------


def test_the_parallel_environment_plays_the_same_match():
    """All seats' drops at once lead to the same match as one after another."""
    together = envs.number_drop_v0.parallel_env(players=3)
    seen, _ = together.reset(seed=8)
    apart = envs.number_drop_v0.env(players=3)
    apart.reset(seed=8)
    while together.agents:
        assert bytes(state_of(together)) == bytes(state_of(apart))
        actions = {agent: np.flatnonzero(seen[agent]["action_mask"])[0] for agent in seen}
        busy = {agent: a for agent, a in actions.items() if a != together.wait}
        seen, rewards, over, _, infos = together.step(actions)
        assert not any(infos.values())
        _make(apart, busy)
    assert all(over.values())
    assert rewards == apart.rewards
    assert bytes(state_of(together)) == bytes(state_of(apart))


def _make(env, actions):
    """Make moves in a copy of the match out of the AEC order, which is by seats, not by steps."""
    seats = {int(agent[-1]): action for agent, action in actions.items()}
    assert not env._match.play_together(seats)
    if state_of(env).over:
        env._end()


def test_who_is_not_asked_waits():
    """In a turn-based game one seat moves in a step; `wait` is the only action of the others."""
    env = envs.drop_site_v0.parallel_env(players=3)
    seen, _ = env.reset(seed=1)
    assert [np.flatnonzero(seen[agent]["action_mask"])[-1] == env.wait for agent in seen] == [
        False, True, True,
    ]  # fmt: skip
    before = bytes(state_of(env))
    move = int(np.flatnonzero(seen["seat_0"]["action_mask"])[0])
    for said in ((env.wait, env.wait, env.wait), (move, move, env.wait)):
        with pytest.raises(IllegalMove, match="DS2"):
            env.step(dict(zip(env.agents, said, strict=True)))
    with pytest.raises(OptionError, match="each agent"):
        env.step({"seat_0": move})
    assert bytes(state_of(env)) == before
    env.step({"seat_0": move, "seat_1": env.wait, "seat_2": env.wait})
    assert state_of(env).to_act == (1,)


# -- the rest -------------------------------------------------------------------------------------


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_go_on_alike(copied):
    """A copy, or one that was sent to another process, continues with the same chance."""
    env = envs.depot_v0.env(max_moves=60)
    env.reset(seed=2)
    for _ in range(10):
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    twin = copied(env)
    assert play(env, 1) == play(twin, 1)
    assert bytes(state_of(env)) == bytes(state_of(twin))


def test_a_reset_without_a_seed_deals_anew():
    """Chance goes on from match to match, and the first seed fixes all of them."""
    env, twin = envs.drop_site_v0.env(), envs.drop_site_v0.env()
    matches = []
    for each in (env, twin):
        each.reset(seed=1)
        matches.append([bytes(state_of(each))])
        each.reset()
        matches[-1].append(bytes(state_of(each)))
    assert matches[0] == matches[1]
    assert matches[0][0] != matches[0][1]


def test_before_the_first_reset():
    """Whoever forgets `reset` is told."""
    env = envs.drop_v0.env()
    for forgotten in (lambda: env.step(0), lambda: env.observe("seat_0")):
        with pytest.raises(DroptableError, match=r"reset\(\) starts one"):
            forgotten()
    with pytest.raises(AttributeError, match="before reset"):
        _ = env.agent_selection


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"players": 9}, "2 to 4 players"),
        ({"target": 5}, "from 10 to 500"),
        ({"colour": 1}, "no option 'colour'"),
        ({"render_mode": "film"}, "has human, ansi, svg, rgb_array"),
        ({"max_moves": 0}, "from 1 up"),
        ({"max_cycles": "many"}, "from 1 up"),
    ],
)
def test_bad_settings_are_named(settings, message):
    """What an environment cannot be made with is said in a sentence."""
    with pytest.raises(OptionError, match=message):
        envs.drop_site_v0.env(**settings)


def test_names():
    """Each game has its environments under a name with the version of its rules."""
    wanted = {"drop_site_v0", "number_drop_v0", "drop_v0", "depot_v0", "drop_or_pop_v0"}
    assert wanted <= set(dir(envs))
    assert str(envs.depot_v0.raw_env()) == "depot_v0"
    with pytest.raises(AttributeError, match="drop_site_v0"):
        _ = envs.chess_v0


@pytest.mark.skipif(not hasattr(pettingzoo, "make"), reason="this PettingZoo has no registry")
def test_the_registry_has_every_game():
    """PettingZoo's own `make` finds our environments."""
    env = pettingzoo.make("aec", "droptable/drop_site_v0", players=3)
    assert env.possible_agents == ["seat_0", "seat_1", "seat_2"]
    assert pettingzoo.make("parallel", "droptable/depot").game.name == "depot"


def test_what_to_install_is_said():
    """Without PettingZoo the import says how to get it, and `droptable` itself does not need it."""
    script = (
        "import sys; sys.modules['pettingzoo'] = None; import droptable\n"
        "assert 'gymnasium' not in sys.modules\nimport droptable.envs.pettingzoo"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert "pip install 'droptable[envs]'" in done.stderr.splitlines()[-1]
