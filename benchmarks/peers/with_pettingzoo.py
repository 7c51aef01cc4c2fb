"""PettingZoo's own Connect Four, by its AEC interface."""

import random

from ours import rate
from pettingzoo.classic import connect_four_v3


class PettingZoo:
    """One environment."""

    def __init__(self):
        self._env = connect_four_v3.env()

    def single(self, seconds):
        """Moves a second with masks, chosen in Python."""
        chance = random.Random(1)
        env = self._env

        def work():
            env.reset()
            made = 0
            for _ in env.agent_iter():
                seen, _reward, ended, cut, _info = env.last()
                if ended or cut:
                    env.step(None)
                else:
                    env.step(int(chance.choice(seen["action_mask"].nonzero()[0])))
                    made += 1
            return made

        return rate(work, seconds)
