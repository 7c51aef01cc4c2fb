"""OpenSpiel's DQN learns one of our games: `python benchmarks/peers/openspiel_dqn.py`.

The agent (`open_spiel.python.pytorch.dqn`) sits in seat 0 against random moves and is measured
against them before and after. Nothing in here is special to a game: any string that
`pyspiel.load_game` takes will do. Needs OpenSpiel, PyTorch and dm-tree. A few thousand episodes
show that a learner runs on the adapter, hardly more: docs/peers.md has what came of it.
"""

import argparse
import os
import sys
import time

os.environ.setdefault("DROPTABLE_COMPILE", "now")

import numpy as np

try:
    import torch
    from open_spiel.python import rl_environment
    from open_spiel.python.algorithms.random_agent import RandomAgent
    from open_spiel.python.pytorch.dqn import DQN
except ImportError as error:
    sys.exit(f"{error.name} is missing: pip install open_spiel torch dm-tree")

import droptable.envs.openspiel  # noqa: F401 (registers the games)
from droptable.lab.statistics import wilson


def play(environment, agents, learning):
    """One match; return what seat 0 got of the victory."""
    now = environment.reset()
    while not now.last():
        seat = now.observations["current_player"]
        chosen = agents[seat].step(now, is_evaluation=not learning)
        now = environment.step([chosen.action])
    if learning:
        for agent in agents:
            agent.step(now)  # the last reward
    return (now.rewards[0] + 1) / 2


def measure(environment, agents, matches, when):
    """Play without learning; print the share of victories and its 95 % interval."""
    won = sum(play(environment, agents, learning=False) for _ in range(matches))
    low, high = wilson(won, matches)
    print(f"{when}: {won:g} of {matches} won ({low:.1%} to {high:.1%})", flush=True)


def main() -> None:
    """Measure, learn, measure again."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--game", default="python_drop_site(players=2,round_limit=1)")
    parser.add_argument("--episodes", type=int, default=5000)
    parser.add_argument("--matches", type=int, default=1000, help="of each measurement")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    torch.set_num_threads(1)
    np.random.seed(given.seed)
    environment = rl_environment.Environment(given.game)
    environment.seed(given.seed)
    actions = environment.action_spec()["num_actions"]
    numbers = environment.observation_spec()["info_state"][0]
    learner = DQN(
        0, numbers, actions, hidden_layers_sizes=[128, 128], replay_buffer_capacity=50_000,
        learning_rate=1e-3, optimizer_str="adam", loss_str="huber", learn_every=3,
        update_target_network_every=200, epsilon_decay_duration=4 * given.episodes,
        epsilon_end=0.05, epsilon_decay_schedule_str="linear", seed=given.seed,
    )  # fmt: skip
    agents = [learner, *(RandomAgent(s, actions) for s in range(1, environment.num_players))]
    print(f"{given.game}: {numbers} numbers, {actions} actions")
    measure(environment, agents, given.matches, "before")
    start = time.perf_counter()
    for _ in range(given.episodes):
        play(environment, agents, learning=True)
    spent = time.perf_counter() - start
    measure(environment, agents, given.matches, f"after {given.episodes} episodes")
    print(f"{spent:.0f} s of learning")


if __name__ == "__main__":
    main()
