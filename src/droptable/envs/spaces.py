"""The spaces of an agent: what it sees, which moves it has. A sample is always a legal move."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, MultiDiscrete


class LegalNow:
    """The mask of an agent's legal actions, asked of its environment when it is needed."""

    def __init__(self, env: Any, agent: str) -> None:
        self._env = env
        self._agent = agent

    def __call__(self) -> Any:
        return self._env.mask(self._agent)


class Moves(Discrete[np.int64]):
    """All moves of a game by id. A sample without a mask is one that is legal now."""

    def __init__(self, count: int, legal: Callable[[], Any]) -> None:
        super().__init__(count)
        self._legal = legal

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """A random move: of those in the mask, or else of those that the agent has now."""
        if probability is not None:
            return super().sample(mask, probability)
        moves = np.flatnonzero(self._legal() if mask is None else mask)
        return moves[self.np_random.integers(len(moves))] if len(moves) else self.start


def observation_space(size: int, actions: int) -> Dict:
    """A tensor of this size and a mask over all actions."""
    return Dict(
        {
            "observation": Box(-1.0, 1.0, (size,), np.float32),
            "action_mask": Box(0, 1, (actions,), np.int8),
        }
    )


class ChoicesOfAll(MultiDiscrete):
    """A move for each of many matches. A sample without a mask has moves that are legal now."""

    def __init__(self, matches: int, count: int, legal: Callable[[], Any]) -> None:
        super().__init__(np.full(matches, count))
        self._legal = legal

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """Random moves: of those in the masks, or else of those that are legal now."""
        if mask is not None or probability is not None:
            return super().sample(mask, probability)
        legal = np.asarray(self._legal())
        # The place of the k-th legal move of each match, for a random k.
        wanted = self.np_random.integers(legal.sum(axis=1)) + 1
        return (legal.cumsum(axis=1) == wanted[:, None]).argmax(axis=1)
