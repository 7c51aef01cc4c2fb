"""The contest of all recipes: Drop or Pop! with 3 players, one learner against two `random`."""

import argparse
import time

import gymnasium
import numpy as np
import torch
from torch import nn

import droptable
import droptable.envs.gym  # registers the games
from droptable.envs.vector import VectorEnv
from droptable.lab.simulate import simulate_matches
from droptable.lab.statistics import wilson

GAME, PLAYERS, AGAINST = "drop-or-pop", 3, "random"
GYM_ID = "droptable/DropOrPop-v0"
DEALS = 1_000_000  # the seed of matches that no training has seen
SMALL = 0.05  # minutes, to see that a recipe runs


class Run:
    """One run of a recipe: how long it trains, in CPU time of one core, and what it reports."""

    def __init__(self):
        parser = argparse.ArgumentParser()
        parser.add_argument("--small", action="store_true", help="train for seconds")
        parser.add_argument("--minutes", type=float, default=1, help="of CPU time, of training")
        given = parser.parse_args()
        self.small, self._minutes = given.small, SMALL if given.small else given.minutes
        torch.set_num_threads(1)
        torch.manual_seed(1)
        self._started = time.process_time()

    def start(self):
        """Training begins now."""
        self._started = time.process_time()

    def going(self):
        """Whether there is time to train."""
        return time.process_time() - self._started < 60 * self._minutes

    def report(self, recipe, policy):
        """Print one line: the recipe's share of victories, and those of others beside it."""
        spent = (time.process_time() - self._started) / 60
        matches = 200 if self.small else 4000
        greedy = simulate_matches(
            droptable.game(GAME), PLAYERS, matches, DEALS, bots=["greedy", AGAINST, AGAINST]
        )
        shares = {"random": matches / PLAYERS, "drop, else ignore": victories(trivial, matches),
                  "greedy": greedy.wins[0], recipe: victories(policy, matches)}  # fmt: skip
        low, high = wilson(shares[recipe], matches)
        line = ", ".join(f"{name} {won / matches:.1%}" for name, won in shares.items())
        print(f"{line} ({low:.1%} to {high:.1%}) after {spent:.2f} minutes of CPU", flush=True)


class WithMask(gymnasium.ObservationWrapper):
    """One match in Gymnasium, its observations a dictionary: numbers and legal actions."""

    def __init__(self, numbers, mask):
        super().__init__(gymnasium.make(GYM_ID, players=PLAYERS, opponents=AGAINST))
        self.names, actions = (numbers, mask), int(self.env.action_space.n)
        legal = gymnasium.spaces.Box(0.0, 1.0, (actions,), np.float32)
        self.observation_space = gymnasium.spaces.Dict(
            {numbers: self.env.observation_space, mask: legal}
        )
        self.action_space = gymnasium.spaces.Discrete(actions)

    def observation(self, observation):
        """The numbers and the legal actions."""
        legal = self.unwrapped.action_masks().astype(np.float32)
        return dict(zip(self.names, (observation, legal), strict=True))


def victories(policy, matches):
    """The share of victories of a function from observations and masks to actions.

    One match per row, the learner's seat rotated; a victory of k seats counts 1/k.
    """
    env = VectorEnv(
        GAME, matches, PLAYERS, seed=DEALS, opponents=AGAINST, autoreset_mode="NextStep"
    )
    won = np.full(matches, np.nan)
    observations, infos = env.reset()
    while np.isnan(won).any():
        actions = policy(observations, infos["action_mask"])
        observations, rewards, ended, _, infos = env.step(actions)
        first = ended & np.isnan(won)
        won[first] = ((PLAYERS - 1) * rewards[first] + 1) / PLAYERS
    return won.sum()


def trivial(_observations, masks):
    """The best policy without a thought: drop if possible, else ignore, else what there is."""
    order = [droptable.game(GAME).vocabulary({"turn_limit": 500}).actions.index(token)
             for token in ("drop", "ignore", "pop", "pass")]  # fmt: skip
    return np.array(order)[masks[:, order].argmax(axis=1)]


def network(inputs, outputs):
    """Two hidden layers of 128."""
    layers = [nn.Linear(inputs, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh()]
    return nn.Sequential(*layers, nn.Linear(128, outputs))


def masked(scores, masks):
    """The legal action with the highest score in each row."""
    return np.where(masks.astype(bool), scores, -np.inf).argmax(axis=1)
