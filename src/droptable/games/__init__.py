"""All games, in one list: names, docs, tests, command line and lobby derive from it."""

from __future__ import annotations

from droptable.core.errors import UnknownGame
from droptable.core.game import Game
from droptable.games.depot import GAME as DEPOT
from droptable.games.drop import GAME as DROP
from droptable.games.drop_or_pop import GAME as DROP_OR_POP
from droptable.games.drop_site import GAME as DROP_SITE
from droptable.games.number_drop import GAME as NUMBER_DROP

GAMES: tuple[Game, ...] = (DROP_SITE, NUMBER_DROP, DROP, DEPOT, DROP_OR_POP)


def games() -> tuple[Game, ...]:
    """All games that can be played."""
    return GAMES


def game(name: str) -> Game:
    """The game of that name; `UnknownGame` says which there are."""
    for candidate in games():
        if candidate.name == name:
            return candidate
    raise UnknownGame(f"there is no game {name!r}; games: {', '.join(g.name for g in games())}")
