"""Tianshou's DQN with masks on the Gymnasium environment: `python recipes/tianshou_dqn.py`."""

import torch
from contest import Run, WithMask, masked
from tianshou.algorithm.modelfree.dqn import DQN, DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

MATCHES = 32


def main():
    """Train, and measure."""
    run = Run()
    envs = DummyVectorEnv([lambda: WithMask("obs", "mask")] * MATCHES)
    envs.seed(1)
    one = WithMask("obs", "mask")
    space, moves = one.observation_space["obs"], one.action_space
    net = Net(state_shape=space.shape, action_shape=moves.n, hidden_sizes=[128, 128])
    judge = DiscreteQLearningPolicy(model=net, action_space=moves, eps_training=0.1)
    learner = DQN(policy=judge, optim=AdamOptimizerFactory(lr=5e-4), gamma=1.0,
                  n_step_return_horizon=3, target_update_freq=250)  # fmt: skip
    collector = Collector(judge, envs, VectorReplayBuffer(50_000, MATCHES), exploration_noise=True)
    run.start()
    while run.going():
        learner.run_training(OffPolicyTrainerParams(
            training_collector=collector, max_epochs=1, epoch_num_steps=2_048, batch_size=256,
            collection_step_num_env_steps=256, update_step_num_gradient_steps_per_sample=0.05,
            verbose=False, show_progress=False,
        ))  # fmt: skip

    def policy(observations, masks):
        with torch.no_grad():
            return masked(net(observations)[0].numpy(), masks)

    run.report("Tianshou DQN", policy)


if __name__ == "__main__":
    main()
