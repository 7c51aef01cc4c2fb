"""OpenSpiel's DQN through `droptable.envs.openspiel`: `python recipes/openspiel_dqn.py`."""

import numpy as np
import torch
from contest import GAME, PLAYERS, Run, masked
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
    run = Run()
    np.random.seed(1)
    environment = rl_environment.Environment(
        f"python_{GAME.replace('-', '_')}(players={PLAYERS})",
        observation_type=rl_environment.ObservationType.OBSERVATION,
    )
    environment.seed(1)
    actions = environment.action_spec()["num_actions"]
    learner = DQN(
        0, environment.observation_spec()["info_state"][0], actions,
        hidden_layers_sizes=[128, 128], replay_buffer_capacity=50_000, learning_rate=1e-3,
        optimizer_str="adam", loss_str="huber", learn_every=8, update_target_network_every=500,
        epsilon_decay_duration=50_000, epsilon_end=0.05,
        epsilon_decay_schedule_str="linear", seed=1,
    )  # fmt: skip
    agents = [learner, *(RandomAgent(seat, actions) for seat in range(1, PLAYERS))]
    run.start()
    while run.going():
        play(environment, agents)

    def policy(observations, masks):
        with torch.no_grad():
            return masked(learner._q_network(torch.from_numpy(observations)).numpy(), masks)

    run.report("OpenSpiel DQN", policy)


if __name__ == "__main__":
    main()
