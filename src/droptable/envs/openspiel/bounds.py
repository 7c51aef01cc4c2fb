"""How long a match can get, and what a solo score can be: OpenSpiel asks before it starts.

A game's rules may say so (`Bounds`); else the bounds are wide.
"""

from __future__ import annotations

from typing import Any

from droptable.core.game import Game

Options = dict[str, Any]
WIDE = 10_000


def most_moves(game: Game, players: int, options: Options) -> int:
    """No match has more moves of seats."""
    bound = game.rules.bounds.moves
    return WIDE if bound is None else bound(players, options)


def most_deals(game: Game, players: int, options: Options) -> int:
    """No match has more events of the dealer."""
    if not game.vocabulary(options).outcomes:
        return 0
    bound = game.rules.bounds.deals
    return WIDE if bound is None else bound(players, options)


def solo_scores(game: Game) -> tuple[int, int]:
    """The lowest and the highest score that a solo player can reach."""
    return game.rules.bounds.solo_scores or (-WIDE, WIDE)
