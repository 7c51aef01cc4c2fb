"""RLCard's card games, one step at a time."""

import random

import rlcard
from ours import rate


class RLCard:
    """One of its games."""

    def __init__(self, name):
        self._env = rlcard.make(name, config={"seed": 1})
        self.players = self._env.num_players
        lengths = [self._play(random.Random(seed)) for seed in range(30)]
        self.length = sum(lengths) / len(lengths)

    def _play(self, chance):
        env = self._env
        state, _ = env.reset()
        made = 0
        while not env.is_over():
            state, _ = env.step(chance.choice(list(state["legal_actions"])))
            made += 1
        return made

    def single(self, seconds):
        """Moves a second, chosen in Python."""
        chance = random.Random(1)
        return rate(lambda: self._play(chance), seconds)
