"""One game at one player count with one set of options, its kernels at hand."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from droptable.core.contract import NOBODY
from droptable.core.game import Game
from droptable.core.match import MatchSpec
from droptable.core.options import NumberList, Option, resolve
from droptable.core.state import View, duplicate

Records = Any  # an array of one record

known: dict[str, Game] = {}  # by the name that OpenSpiel has for it


def short_name(game: Game) -> str:
    """What OpenSpiel calls a game."""
    return f"python_{game.name.replace('-', '_')}"


def parameter(option: Option, value: Any) -> Any:
    """An option's value as a parameter of OpenSpiel, which has no lists."""
    return " ".join(map(str, value)) if isinstance(option, NumberList) else value


def parameters_of(game: Game) -> dict[str, Any]:
    """All parameters with their defaults."""
    options = {name: parameter(o, o.default) for name, o in game.options.items()}
    return {"players": game.players[0]} | options


def variant_of(game: Game, parameters: dict[str, Any]) -> Variant:
    """What the parameters describe; `OptionError` if there is no such variant."""
    players = game.check_players(parameters.get("players"))
    given = {}
    for name, value in parameters.items():
        if name != "players":
            option = game.options.get(name)
            given[name] = option.parse(value) if isinstance(option, NumberList) else value
    return _variant(
        short_name(game), players, tuple(resolve(game.name, game.options, given).items())
    )


@cache
def _variant(name: str, players: int, options: tuple[tuple[str, Any], ...]) -> Variant:
    return Variant(known[name], players, dict(options))


class Variant(MatchSpec):
    """What is played, with what a game tree asks of an array of one record."""

    def __init__(self, game: Game, players: int, options: dict[str, Any]) -> None:
        super().__init__(game, players, options)
        self.outcomes = self.vocabulary.outcomes
        self.hides = game.hides
        self._width = self.vocabulary.width

    def __reduce__(self) -> tuple[Any, ...]:
        return _variant, (short_name(self.game), self.players, tuple(self.options.items()))

    def actors(self, data: Records) -> int:
        """Who is to act, as bits."""
        return int(self.engine.to_act_at(data, 0))

    def apply(self, data: Records, actor: int, action: int) -> int:
        """Make a checked move or let an outcome happen; return who is to act next, as bits."""
        return int(self.engine.apply_at(data, 0, actor, action))

    def legal(self, data: Records, seat: int) -> list[int]:
        """The moves of a seat that is to act."""
        ids = np.empty(self._width, np.int32)
        listed: list[int] = ids[: self.engine.legal_at(data, 0, seat, ids)].tolist()
        return listed

    def chance(self, data: Records) -> list[tuple[int, float]]:
        """What the dealer may do, with probabilities."""
        ids = np.empty(self._width, np.int32)
        weights = np.empty(len(self.outcomes), np.int32)
        count = self.engine.chance_at(data, 0, ids, weights)
        listed = weights[:count].tolist()
        total = sum(listed)
        return [(i, w / total) for i, w in zip(ids[:count].tolist(), listed, strict=True)]

    def witnesses(self, data: Records, actor: int, action: int) -> int:
        """The seats that may know an event, as bits."""
        return int(self.engine.witnesses_at(data, 0, actor, action))

    def seen(self, data: Records, seat: int) -> bytes:
        """The record as a seat sees it."""
        return bytes(self.observed(data, seat).tobytes())

    def observed(self, data: Records, seat: int) -> Records:
        """A copy of the record without what a seat may not know."""
        data = duplicate(data)
        self.engine.observe_at(data, 0, seat)
        return data

    def view(self, data: Records, seat: int | None) -> View:
        """What a seat or a spectator may know."""
        observed = self.observed(data, NOBODY if seat is None else seat)
        return View(self.game, self.players, self.options, observed, seat)
