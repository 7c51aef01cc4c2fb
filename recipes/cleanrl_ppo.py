"""PPO in one file, as CleanRL writes it, on arrays that are not copied."""

import torch
from contest import AGAINST, GAME, PLAYERS, Run, masked, network
from torch.distributions import Categorical

from droptable.envs.vector import VectorEnv

MATCHES, STEPS, EPOCHS, PARTS, CLIP, LAMBDA = 512, 32, 4, 4, 0.2, 0.95


def main():
    """Train, and measure."""
    run = Run()
    env = VectorEnv(GAME, MATCHES, PLAYERS, seed=1, opponents=AGAINST)
    size, actions = env.observations.shape[1], len(env.tokens)
    net = network(size, actions + 1)
    adam = torch.optim.Adam(net.parameters(), 1e-3)
    seen, legal = torch.from_dlpack(env.observations), torch.from_dlpack(env.action_mask)

    def judge(observations, masks):
        out = net(observations)
        logits = out[..., :actions].masked_fill(~masks, -1e9)
        return Categorical(logits=logits, validate_args=False), out[..., actions]

    run.start()
    while run.going():
        rows = []
        with torch.no_grad():
            for _ in range(STEPS):
                choices, value = judge(seen, legal)
                action = choices.sample()
                row = [seen.clone(), legal.clone(), action, choices.log_prob(action), value]
                _, reward, ended, _, _ = env.step(action.numpy())
                rows.append([*row, torch.tensor(reward).float(), torch.tensor(ended)])
            later, gain, gains = judge(seen, legal)[1], torch.zeros(MATCHES), []
            for *_, value, reward, ended in reversed(rows):
                gain = reward - value + ~ended * (later + LAMBDA * gain)
                gains, later = [gain, *gains], value
        kept = [*[torch.cat(column) for column in zip(*rows, strict=True)][:5], torch.cat(gains)]
        for _ in range(EPOCHS):
            for part in torch.randperm(len(kept[0])).chunk(PARTS):
                o, m, a, old, v, g = (column[part] for column in kept)
                choices, value = judge(o, m)
                ratio, scaled = (choices.log_prob(a) - old).exp(), (g - g.mean()) / g.std()
                gained = torch.min(ratio * scaled, ratio.clamp(1 - CLIP, 1 + CLIP) * scaled).mean()
                loss = (value - v - g).square().mean() / 2 - gained - choices.entropy().mean() / 100
                adam.zero_grad()
                loss.backward()
                adam.step()

    def policy(observations, masks):
        with torch.no_grad():
            return masked(net(torch.from_numpy(observations))[:, :actions].numpy(), masks)

    run.report("PPO", policy)


if __name__ == "__main__":
    main()
