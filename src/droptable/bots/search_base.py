"""Work that one core does for a search: in chunks, by iterations or by the clock."""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from droptable.core.game import Game

FIRST_CHUNK = 4  # iterations before the clock is looked at for the first time
CHUNK_SECONDS = 0.01
ALL_AT_ONCE = 1e9  # a widening that tries every move of a node

Turn = tuple[int, ...]  # the actions of one seat, the first of which is to be made now


@dataclass(frozen=True)
class Settings:
    """How a game wants to be searched: its instinct may name each of these, in capitals."""

    exploration: float = 0.7  # for shares of 0 to 1
    trust: float = 0.5  # in a move's appeal, against what was found out
    longest: int = 10_000  # moves of a simulated match
    widening: float = ALL_AT_ONCE  # how soon a node tries more of its moves
    rivals: float = 0.0  # share of the others' moves that they make by instinct, not by the tree
    ahead: int = 0  # own turns that a simulated match goes on by outlook before it is foreseen;
    # 0: by instinct to its end
    linked: int = 0  # steps of belief before the first world, each of which follows from the last;
    # 0: every world is dealt anew
    nodes: int = 1 << 18  # of each tree: bounds the memory (40 bytes a node)

    @classmethod
    def of(cls, game: Game) -> Settings:
        """The settings of a game, the usual ones where it names none."""
        named = {f.name: f.name.upper() for f in fields(cls)}
        own = {
            k: getattr(game.bot.module, v) for k, v in named.items() if hasattr(game.bot.module, v)
        }
        return cls(**own)


class Work(ABC):
    """A search of one view that can go on: the work of one core."""

    iterations = 0

    @abstractmethod
    def run(self, iterations: int) -> None:
        """Go on for so many iterations, without the GIL."""

    @abstractmethod
    def tally(self) -> Mapping[Turn, tuple[float, np.ndarray]]:
        """How often each turn was tried, and the sums of every seat's shares of the victory."""

    def run_until(self, deadline: float) -> None:
        """Go on until the clock (`time.monotonic`) says so; at least a little.

        Iterations differ: some matches are over at once. So the slowest pace so far counts, and a
        chunk is at most twice as long as the one before.
        """
        chunk = FIRST_CHUNK
        pace = math.inf
        while True:
            start = time.monotonic()
            self.run(chunk)
            now = time.monotonic()
            if now >= deadline:
                return
            pace = min(pace, chunk / max(now - start, 1e-6))
            chunk = max(1, min(2 * chunk, int(pace * min(CHUNK_SECONDS, deadline - now))))
