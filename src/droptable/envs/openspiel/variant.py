"""One game at one player count with one set of options, its kernels at hand."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from droptable.core.contract import MOST_SEATS, NOBODY
from droptable.core.game import Game
from droptable.core.options import NumberList, Option, resolve
from droptable.core.state import View

Records = Any  # an array of one record

known: dict[str, Game] = {}  # by the name that OpenSpiel has for it


def copy_of(data: Records) -> Records:
    """A copy by its bytes: NumPy copies records field by field, which takes 20 times as long."""
    return np.ndarray(1, data.dtype, bytearray(data.tobytes()))


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


class Variant:
    """Kernels on arrays of one record, as a match and its observers need them."""

    def __init__(self, game: Game, players: int, options: dict[str, Any]) -> None:
        engine = game.at_full_speed
        self.game = game
        self.players = players
        self.options = options
        self.actions = game.vocabulary(options).actions
        self.outcomes = game.vocabulary(options).outcomes
        self.hides = hides(game)
        self.start = game.template(players, options)
        self.apply = engine.apply_at
        self.determinize = engine.determinize_at
        self._width = game.vocabulary(options).width
        self._engine = engine

    def __deepcopy__(self, memo: Any) -> Variant:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _variant, (short_name(self.game), self.players, tuple(self.options.items()))

    def actors(self, data: Records) -> int:
        """Who is to act, as bits."""
        return int(self._engine.to_act_at(data, 0))

    def legal(self, data: Records, seat: int) -> list[int]:
        """The moves of a seat that is to act."""
        ids = np.empty(self._width, np.int32)
        found: list[int] = ids[: self._engine.legal_at(data, 0, seat, ids)].tolist()
        return found

    def chance(self, data: Records) -> list[tuple[int, float]]:
        """What the dealer may do, with probabilities."""
        ids = np.empty(self._width, np.int32)
        weights = np.empty(len(self.outcomes), np.int32)
        count = self._engine.chance_at(data, 0, ids, weights)
        listed = weights[:count].tolist()
        total = sum(listed)
        return [(i, w / total) for i, w in zip(ids[:count].tolist(), listed, strict=True)]

    def witnesses(self, data: Records, actor: int, action: int) -> int:
        """The seats that may know an event, as bits."""
        return int(self._engine.witnesses_at(data, 0, actor, action))

    def seen(self, data: Records, seat: int) -> bytes:
        """The record as a seat sees it."""
        return bytes(self.observed(data, seat).tobytes())

    def observed(self, data: Records, seat: int) -> Records:
        """A copy of the record without what a seat may not know."""
        data = copy_of(data)
        self._engine.observe_at(data, 0, seat)
        return data

    def view(self, data: Records, seat: int | None) -> View:
        """What a seat or a spectator may know."""
        observed = self.observed(data, NOBODY if seat is None else seat)
        return View(self.game, self.players, self.options, observed, seat)

    def returns(self, data: Records) -> list[float]:
        """What a match that is over is worth to each seat."""
        points = np.zeros(MOST_SEATS, np.int32)
        won = int(self._engine.result_at(data, 0, points))
        if self.players == 1:
            return [float(points[0])]
        share, others = self.players / won.bit_count(), self.players - 1
        return [((share if won >> seat & 1 else 0.0) - 1.0) / others for seat in range(others + 1)]


def hides(game: Game) -> bool:
    """Whether seats may know different things."""
    return game.rules.observe is not None
