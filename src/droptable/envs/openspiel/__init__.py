"""All games as OpenSpiel games: import this module, then `pyspiel.load_game("python_drop_site")`.

A game is called `python_` and its name with underscores; player count and options are parameters,
as in `python_drop_site(players=3,target=50)`. A list of numbers is written with spaces between:
`python_drop_site(points=3 4 4 4 5 5 5 6 6 6 7 7 7)`.

How a match becomes a game tree:
- Every event of the dealer is a chance node with exact probabilities.
- Seats that act at the same time do so one after another, the lowest seat first with all it has to
  do, and none sees what the others did until all are done. That is the same game: who cannot see a
  move cannot tell whether it has been made.
- Returns are the rewards of `droptable.envs`: 1 for the only winner, a shared victory shares it,
  and the losers pay it in equal parts, so that the sum is zero. Solo, the return is the score.
- An information state is all that a seat has noticed, in order: the tokens of the events it may
  know, a `?` for each other event that changed its view, and a fingerprint of all views so far.
- `resample_from_infostate` draws a world that looks the same to the seat, now and in its memory.
  The history of a sample starts with it: the events before are not made up.

OpenSpiel's algorithms in Python (`open_spiel.python.algorithms`) run on these games. Its bots in
C++ do not: in OpenSpiel 2.0 they crash on every game that is written in Python.
"""

from __future__ import annotations

try:
    import pyspiel
except ImportError as error:  # pragma: no cover
    raise ImportError("OpenSpiel is missing: pip install 'droptable[openspiel]'") from error

from droptable.core.game import Game
from droptable.envs.openspiel.game import OpenSpielGame, type_of
from droptable.envs.openspiel.state import OpenSpielState
from droptable.envs.openspiel.variant import known, short_name
from droptable.games import games

__all__ = ["OpenSpielGame", "OpenSpielState", "register", "short_name"]


def register(game: Game) -> str:
    """Make a game known to OpenSpiel; return the name to load it by. Idempotent."""
    name = short_name(game)
    if name not in known:
        known[name] = game
        # A class of its own, not a function: OpenSpiel lets go of it when Python has ended already.
        kind = type(name, (OpenSpielGame,), {"game": game})
        pyspiel.register_game(type_of(game, game.players[0]), kind)
    return name


for _game in games():
    register(_game)
