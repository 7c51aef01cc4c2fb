"""RLlib's PPO with masks on the Gymnasium environment, on Ray: `python recipes/rllib_ppo.py`."""

import os

import numpy as np
import ray
import torch
from contest import Run, WithMask, masked
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env


def main():
    """Train, and measure."""
    run = Run()
    os.environ.setdefault("RAY_raylet_start_wait_time_s", "120")  # on a busy machine
    ray.init("local", num_cpus=2, include_dashboard=False, configure_logging=False)
    register_env("drop-or-pop", lambda _: WithMask("observations", "action_mask"))
    config = PPOConfig().environment("drop-or-pop").debugging(seed=1, log_level="ERROR")
    config.env_runners(num_env_runners=0, num_envs_per_env_runner=32)
    config.rl_module(rl_module_spec=RLModuleSpec(module_class=ActionMaskingTorchRLModule))
    config.training(lr=1e-3, gamma=1.0, train_batch_size=1024 if run.small else 4096,
                    minibatch_size=512, num_epochs=4, entropy_coeff=0.01)  # fmt: skip
    learner = config.build_algo()
    run.start()
    while run.going():
        learner.train()
    net = learner.get_module()

    def policy(observations, masks):
        batch = {"action_mask": torch.from_numpy(masks.astype(np.float32)),
                 "observations": torch.from_numpy(observations)}  # fmt: skip
        with torch.no_grad():
            logits = net.forward_inference({"obs": batch})["action_dist_inputs"]
        return masked(logits.numpy(), masks)

    run.report("RLlib PPO", policy)
    learner.stop()
    ray.shutdown()


if __name__ == "__main__":
    main()
