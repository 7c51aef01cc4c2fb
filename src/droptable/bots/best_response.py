"""Best responses that are learned: `response:greedy` has trained against copies of `greedy`.

What it wins above a fair share shows, from below, how far a bot can be exploited (Timbers et al.
2022). It trains when it is first asked for a move of a game, at this number of players and with
these options, always in the same way.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from droptable.bots.instincts import habit_of
from droptable.bots.response_training import (
    CompiledTrainer,
    Response,
    Table,
    ThinkingTrainer,
    Trainer,
    train,
)
from droptable.core.chance import generators
from droptable.core.game import Game
from droptable.core.state import View

if TYPE_CHECKING:
    from droptable.bots.registry import Bot

RESPONSE = re.compile(
    r"response(?::(?P<matches>[1-9]\d*)(?:\+(?P<rollouts>\d+))?)?:(?P<against>\D.*)"
)
MATCHES = 100_000  # of a training against an instinct …
THINKING = 100  # … and so many times fewer against a bot that thinks
ROLLOUTS = 200  # of a decision, against an instinct; a bot that thinks is too slow for them

MakeBot = Callable[[str, int, int], "Bot"]


def opponent_of(name: str) -> str | None:
    """The bot that a learned response has trained against; None for any other bot."""
    found = RESPONSE.fullmatch(name)
    return found["against"] if found else None


class ResponseBot:
    """Plays like the bot it has trained against, but for moves that it knows to be better."""

    def __init__(self, name: str, make: MakeBot, seed: int | None) -> None:
        found = RESPONSE.fullmatch(name)
        assert found is not None
        self._against = found["against"]
        self._habit = habit_of(self._against)
        self._matches = int(
            found["matches"] or MATCHES // (1 if self._habit is not None else THINKING)
        )
        self._rollouts = int(found["rollouts"] or ROLLOUTS) if self._habit else 0
        self._make = make
        self._random = generators(1, seed)
        self._own = None if self._habit else make(self._against, int(self._random[0]), 1)

    def choose(self, view: View) -> str:
        """The move that wins most, as far as it knows."""
        if len(view.legal) == 1:
            return view.legal[0]
        tokens = view.game.vocabulary(view.options).actions
        options = tuple(view.options.items())
        response = trained(
            view.game, view.players, options, self._against, self._matches, self._make
        )
        if self._own is None:
            own = response.opponent(view, self._random)
        else:
            own = tokens.index(self._own.choose(view))
        return tokens[response.choose(view, own, self._rollouts, self._random)]


@lru_cache(8)
def trained(
    game: Game, players: int, options: tuple[tuple[str, Any], ...], against: str, matches: int,
    make: MakeBot,
) -> Response:  # fmt: skip
    """The response to a bot after a training of so many matches."""
    table = Table(game, players, dict(options), against)
    trainer: Trainer = CompiledTrainer(table)
    if habit_of(against) is None:
        trainer = ThinkingTrainer(table, lambda seed: make(against, seed, 1))
    return train(trainer, matches)
