"""What another bot says of a match's turns, beside the coach: its choice, and how it values moves.

A bot has an opinion if it gives values: `greedy`, `search`, networks in files, and one's own bots
with a method `values(view)`, which returns a number for each legal move, higher being better.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from droptable.bots.coach import Decision
from droptable.bots.own import OwnBot
from droptable.bots.players import GreedyBot, SearchBot, rate_moves
from droptable.bots.registry import make_bot
from droptable.core.errors import OptionError
from droptable.core.language import counted
from droptable.core.record import Record
from droptable.core.state import View

Values = dict[str, float]  # by move
Valuer: TypeAlias = Callable[[View], Any]
EXPECTED = "a number for each legal move"


@dataclass(frozen=True)
class Opinion:
    """What a bot says of the first move of a turn."""

    event: int
    seat: int
    made: str
    choice: str  # the move that it values most
    made_value: float
    choice_value: float
    rank: int  # of the move that was made: 1 if no other one is valued more
    moves: int  # that were legal
    as_coach: bool  # whether it chooses as the coach does


@dataclass(frozen=True)
class Opinions:
    """What a bot says of all turns that were judged."""

    bot: str
    each: tuple[Opinion, ...]

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        return {"bot": self.bot, "opinions": [vars(one) for one in self.each]}

    def __str__(self) -> str:
        same = sum(one.rank == 1 for one in self.each)
        turns = counted("{count} turn", "{count} turns", len(self.each))
        coach = sum(one.as_coach for one in self.each)
        lines = [f"{self.bot} would have begun {same} of {turns} as played, {coach} as the coach."]
        for one in self.each:
            if one.rank > 1:
                values = f"{one.choice_value:.3g} against {one.made_value:.3g}"
                lines.append(
                    f"{one.event:>5} {one.seat:>4}  {one.made} (its number {one.rank} of "
                    f"{one.moves}); it chooses {one.choice}: {values}"
                )
        return "\n".join(lines)


def opinions(
    record: Record, decisions: Sequence[Decision], bot: Any, seed: int | None = None
) -> Opinions:
    """Ask a bot about the turns that the coach has judged. It gets views, as the seats had them."""
    name, valuer = valuer_of(bot, seed)
    states = list(record.states())
    each = [_opinion(states[one.event].view(one.seat), one, name, valuer) for one in decisions]
    return Opinions(name, tuple(each))


def valuer_of(bot: Any, seed: int | None = None) -> tuple[str, Valuer]:
    """A bot's name and how it values moves; `OptionError` if it does not."""
    made = make_bot(bot, seed)
    name = made.name if isinstance(made, OwnBot) else str(bot)
    if isinstance(made, OwnBot) and made.values is not None:
        return name, made.values
    if isinstance(made, GreedyBot):
        return name, _greedy_values
    if isinstance(made, SearchBot):
        return name, made.values
    raise OptionError(
        f"bot {name} gives no values: the coach needs greedy, search, a network in a file, or a "
        f"method values(view) that returns {EXPECTED}"
    )


def _greedy_values(view: View) -> Values:
    assert view.seat is not None
    vocabulary = view.game.vocabulary(view.options)
    ids, _ = vocabulary.room()
    ratings = np.zeros(len(ids))
    rate = view.game.engine.kernels.twin(rate_moves)
    count = rate(view.array, view.seat, ids, ratings)
    return {
        vocabulary.actions[action]: float(rating)
        for action, rating in zip(ids[:count], ratings[:count], strict=True)
    }


def _opinion(view: View, decision: Decision, name: str, valuer: Valuer) -> Opinion:
    legal = view.legal
    values = _checked(valuer, view, legal, name)
    made = decision.turn[0]
    choice = made if values[made] == max(values.values()) else max(legal, key=values.__getitem__)
    return Opinion(
        decision.event, decision.seat, made, choice, values[made], values[choice],
        1 + sum(value > values[made] for value in values.values()), len(legal),
        choice == decision.line[0],
    )  # fmt: skip


def _checked(valuer: Valuer, view: View, legal: list[str], name: str) -> Values:
    """A finite number for each legal move; moves that a search did not try are the worst."""
    try:
        given = valuer(view)
        values = {token: float(given[token]) for token in legal}
    except Exception as error:  # whatever somebody's code may raise
        problem = f"{type(error).__name__}: {error}"
        raise OptionError(f"bot {name} gives no values: {problem}; expected {EXPECTED}") from error
    if any(map(math.isnan, values.values())):
        raise OptionError(f"bot {name} values a move with nan; expected {EXPECTED}")
    return values
