"""OpenSpiel's DQN through `droptable.envs.openspiel`: `python recipes/openspiel_dqn.py`."""

import numpy as np
import torch
from contest import GAME, PLAYERS, arguments, masked, now, report
from open_spiel.python import rl_environment
from open_spiel.python.algorithms.random_agent import RandomAgent
from open_spiel.python.pytorch.dqn import DQN

import droptable.envs.openspiel  # noqa: F401 (registers the games)


def play(environment, agents):
    """One match, from which all agents learn."""
    now = environment.reset()
    while not now.last():
        chosen = agents[now.observations["current_player"]].step(now)
        now = environment.step([chosen.action])
    for agent in agents:
        agent.step(now)  # the last reward


def main():
    """Train, and measure."""
    small = arguments().small
    np.random.seed(1)
    environment = rl_environment.Environment(
        f"python_{GAME.replace('-', '_')}(players={PLAYERS})",
        observation_type=rl_environment.ObservationType.OBSERVATION,
    )
    environment.seed(1)
    actions = environment.action_spec()["num_actions"]
    episodes = 60 if small else 6_000
    learner = DQN(
        0, environment.observation_spec()["info_state"][0], actions,
        hidden_layers_sizes=[128, 128], replay_buffer_capacity=50_000, learning_rate=1e-3,
        optimizer_str="adam", loss_str="huber", learn_every=8, update_target_network_every=500,
        epsilon_decay_duration=8 * episodes, epsilon_end=0.05,
        epsilon_decay_schedule_str="linear", seed=1,
    )  # fmt: skip
    agents = [learner, *(RandomAgent(seat, actions) for seat in range(1, PLAYERS))]
    started = now()
    for _ in range(episodes):
        play(environment, agents)

    def policy(observations, masks):
        with torch.no_grad():
            return masked(learner._q_network(torch.from_numpy(observations)).numpy(), masks)

    report("OpenSpiel DQN", policy, started, small)


if __name__ == "__main__":
    main()
