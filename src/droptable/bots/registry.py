"""The protocol of bots, and bots by name: `random`, `greedy`, `search:1s`, `master` …"""

from __future__ import annotations

import re
from typing import Any, Protocol

from droptable.bots.best_response import ResponseBot, opponent_of
from droptable.bots.instincts import habit_of
from droptable.bots.levels import ADVISER, LEVELS, LevelBot
from droptable.bots.own import own_bot
from droptable.bots.players import GreedyBot, RandomBot, SearchBot
from droptable.core.errors import OptionError
from droptable.core.state import View


class Bot(Protocol):
    """Chooses moves for a seat from what that seat may know."""

    def choose(self, view: View) -> str:
        """One of `view.legal`."""


SEARCH = re.compile(r"search(?::(?P<seconds>\d+(?:\.\d+)?)s|:(?P<iterations>[1-9]\d*))?")
KNOWN = [
    "random", "greedy", *LEVELS, "search:1s (seconds per move)", "search:500 (iterations)",
    "response:greedy (learned against another bot)",
    "package.module:Name, bot.py:Name or net.npz (your own)", "search:500@net.npz (with a net)",
    "program:COMMAND (your own)",
]  # fmt: skip


def make_bot(name: Any, seed: int | None = None, cores: int | None = None) -> Bot:
    """The bot of that name; the same seed makes the same choices (for `search`, by iterations).

    `search` uses all cores unless `cores` says otherwise; levels always use one. Instead of a name,
    a function of a view or an object with `choose(view)` will do.
    """
    if isinstance(name, str) and (against := opponent_of(name)) is not None:
        if habit_of(against) is None:
            make_bot(against)  # a wrong name is an error at once
        return ResponseBot(name, make_bot, seed)
    return own_bot(name, seed) or named_bot(name, seed, cores)


def named_bot(name: str, seed: int | None = None, cores: int | None = None) -> Bot:
    """One of our bots by its name. No name leads to anybody's code."""
    if name == "random":
        return RandomBot(seed)
    if name == "greedy":
        return GreedyBot(seed)
    if name in LEVELS or name == ADVISER:
        return LevelBot(name, seed)
    limits = SEARCH.fullmatch(name)
    if limits is None:
        raise OptionError(f"there is no bot {name!r}; bots: {', '.join(KNOWN)}")
    if limits["iterations"]:
        return SearchBot(seed, iterations=int(limits["iterations"]), cores=cores)
    return SearchBot(seed, seconds=float(limits["seconds"] or 1), cores=cores)
