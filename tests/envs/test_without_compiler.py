"""`DROPTABLE_COMPILE=never`: everything that plays by ids stays plain Python."""

import os
import subprocess
import sys

import pytest

WITHOUT_NUMBA = "import sys; sys.modules['numba'] = None  # importing it is an error from now on\n"
PLAYS = {
    "simulate": (
        "from droptable import game\n"
        "from droptable.lab.simulate import simulate_matches\n"
        "assert simulate_matches(game('drop-or-pop'), 3, 3, seed=1).moves > 10\n"
    ),
    "bench": (
        "from droptable import game\n"
        "from droptable.lab.bench import bench_games\n"
        "for row in bench_games([game('drop-or-pop')], 0.01).rows:\n"
        "    assert row.batch_steps_per_second > 0 and row.compile_seconds is None\n"
    ),
    "batch": (
        "from droptable import game\n"
        "batch = game('drop-site').batch(3, seed=1)\n"
        "for _ in range(20): batch.step(batch.moves[:, 0])\n"
    ),
    "vector": (
        "from droptable.envs.vector import VectorEnv\n"
        "env = VectorEnv('drop-site', 4, seed=1, threads=2)\n"
        "for _ in range(20): env.step(env.sample_actions())\n"
        "env.look(env.seats), env.final_observations()\n"
    ),
    "pettingzoo": (
        "from droptable.envs.pettingzoo import drop_site_v0, number_drop_v0\n"
        "env = drop_site_v0.env(max_moves=20)\n"
        "env.reset(seed=1)\n"
        "for agent in env.agent_iter():\n"
        "    seen, _, over, cut, _ = env.last()\n"
        "    env.step(None if over or cut else int(seen['action_mask'].argmax()))\n"
        "env = number_drop_v0.parallel_env(players=2, max_cycles=20)\n"
        "seen, _ = env.reset(seed=1)\n"
        "while env.agents:\n"
        "    seen = env.step({a: int(seen[a]['action_mask'].argmax()) for a in seen})[0]\n"
    ),
    "openspiel": (
        "import pyspiel, droptable.envs.openspiel\n"
        "state = pyspiel.load_game('python_drop_site(round_limit=1)').new_initial_state()\n"
        "while not state.is_terminal():\n"
        "    state.apply_action(state.legal_actions()[0])\n"
        "assert sum(state.returns()) == 0\n"
    ),
}


@pytest.mark.parametrize("kind", PLAYS)
def test_nothing_is_compiled(kind, tmp_path):
    """Where nothing may be compiled, matches are played without Numba, and no cache is written."""
    if kind in ("pettingzoo", "openspiel"):
        pytest.importorskip({"pettingzoo": "pettingzoo", "openspiel": "pyspiel"}[kind])
    environment = os.environ | {"DROPTABLE_COMPILE": "never", "DROPTABLE_CACHE": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_NUMBA + PLAYS[kind]],
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert not any(tmp_path.iterdir())
