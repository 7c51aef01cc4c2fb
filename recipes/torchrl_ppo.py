"""TorchRL's PPO: all seats of PettingZoo's parallel environment learn one policy by self-play."""

import torch
from contest import GAME, PLAYERS, Run, masked, network
from tensordict.nn import TensorDictModule
from torchrl.envs import PettingZooWrapper
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from droptable.envs.pettingzoo import parallel_env

SEEN, LOGITS = ("seats", "observation", "observation"), ("seats", "logits")
MASK = ("seats", "action_mask")
KEYS = {name: ("seats", name) for name in ("reward", "done", "terminated")}
VALUE, ACTION, CHANCE = ("seats", "value"), ("seats", "action"), ("seats", "action_log_prob")


def main():
    """Train, and measure."""
    run = Run()
    table = parallel_env(GAME, PLAYERS)
    env = PettingZooWrapper(table, group_map={"seats": table.possible_agents}, seed=1)
    size = env.observation_spec[SEEN].shape[-1]
    actions = env.full_action_spec[ACTION].space.n

    net = network(size, actions)
    actor = ProbabilisticActor(
        TensorDictModule(net, in_keys=[SEEN], out_keys=[LOGITS]), {"logits": LOGITS, "mask": MASK},
        [ACTION], spec=env.full_action_spec_unbatched, distribution_class=MaskedCategorical,
        return_log_prob=True, log_prob_key=CHANCE,
    )  # fmt: skip
    critic = ValueOperator(network(size, 1), in_keys=[SEEN], out_keys=[VALUE])
    loss = ClipPPOLoss(actor, critic, entropy_coeff=0.01)
    loss.set_keys(action=ACTION, value=VALUE, sample_log_prob=CHANCE, **KEYS)
    gae = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
    gae.set_keys(value=VALUE, **KEYS)
    adam = torch.optim.Adam(loss.parameters(), 1e-3)
    run.start()
    while run.going():
        with torch.no_grad():
            played = gae(env.rollout(512, actor, break_when_any_done=False))
        for _ in range(4):
            for rows in torch.randperm(len(played)).split(512):
                losses = loss(played[rows])
                sum(value for name, value in losses.items() if name.startswith("loss")).backward()
                adam.step()
                adam.zero_grad()

    def policy(observations, masks):
        with torch.no_grad():
            scores = net(torch.from_numpy(observations)).numpy()
        return masked(scores[:, : masks.shape[1]], masks)  # the last action is to wait

    run.report("TorchRL PPO", policy)


if __name__ == "__main__":
    main()
