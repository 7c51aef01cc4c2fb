"""How fair a game is: the figures of a study that ships with it, in `balance.json` of its folder.

`python -m droptable.lab.balance` makes these files.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

if TYPE_CHECKING:
    from droptable.core.game import Game

FILE = "balance.json"


class Number(Struct, frozen=True):
    """A number and its interval of 95 %."""

    value: float
    low: float
    high: float

    def holds(self, value: float) -> bool:
        """Whether the truth may be this value."""
        return self.low <= value <= self.high


class Level(Struct, frozen=True):
    """How a game goes between bots of one kind."""

    bot: str
    matches: int
    seats: tuple[Number, ...]  # shares of the victory
    figures: dict[str, Number]  # by `measure: label`


class Table(Struct, frozen=True):
    """One number of players."""

    players: int
    levels: tuple[Level, ...]


class Balance(Struct, frozen=True):
    """All that is known about a game, and of which rules."""

    rules: int
    tables: tuple[Table, ...]


def balance_file(game: Game) -> Path | None:
    """Where a game's figures are, beside the match that it shows."""
    return None if game.showcase is None else game.showcase.with_name(FILE)


@cache
def balance_of(game: Game) -> Balance | None:
    """The figures that come with a game; None if nobody has measured it, or it has changed."""
    file = balance_file(game)
    if file is None or not file.is_file():
        return None
    found = msgspec.json.decode(file.read_bytes(), type=Balance)
    return found if found.rules == game.version else None
