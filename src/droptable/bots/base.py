"""What a bot is, and bots by name."""

from __future__ import annotations

import random
from typing import Protocol

from droptable.core.errors import OptionError
from droptable.core.state import View


class Bot(Protocol):
    """Chooses moves for a seat, from what that seat may know."""

    def choose(self, view: View) -> str:
        """One of `view.legal`."""


class RandomBot:
    """Any legal move, each as likely as the others."""

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def choose(self, view: View) -> str:
        return self._random.choice(view.legal)


BOTS = {"random": RandomBot}


def make_bot(name: str, seed: int | None = None) -> Bot:
    """The bot of that name; the same seed makes the same choices."""
    if name not in BOTS:
        raise OptionError(f"there is no bot {name!r}; bots: {', '.join(BOTS)}")
    return BOTS[name](seed)
