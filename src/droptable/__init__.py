"""Droptable: the table for five drop games. Play, host, study and train on them."""

from droptable.bots import analyse, play
from droptable.core.errors import (
    DroptableError,
    GameError,
    IllegalMove,
    OptionError,
    RecordError,
    TokenError,
    UnknownGame,
)
from droptable.core.game import Game
from droptable.core.record import Record, open_record
from droptable.core.registry import register
from droptable.core.state import State, View
from droptable.games import game, games

__version__ = "0.3.0"

__all__ = [
    "DroptableError",
    "Game",
    "GameError",
    "IllegalMove",
    "OptionError",
    "Record",
    "RecordError",
    "State",
    "TokenError",
    "UnknownGame",
    "View",
    "__version__",
    "analyse",
    "game",
    "games",
    "open_record",
    "play",
    "register",
]
