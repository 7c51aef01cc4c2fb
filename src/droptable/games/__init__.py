"""Droptable's own games, in one list: names, docs, tests, command line and lobby derive from it.

`droptable.core.registry` keeps them by name, together with games of other packages and files.
"""

from __future__ import annotations

from droptable.core.game import Game
from droptable.core.registry import game, games, register
from droptable.games.depot import GAME as DEPOT
from droptable.games.drop import GAME as DROP
from droptable.games.drop_or_pop import GAME as DROP_OR_POP
from droptable.games.drop_site import GAME as DROP_SITE
from droptable.games.number_drop import GAME as NUMBER_DROP

__all__ = ["OWN", "game", "games"]

OWN: tuple[Game, ...] = (DROP_SITE, NUMBER_DROP, DROP, DEPOT, DROP_OR_POP)
register(*OWN, everywhere=True)
