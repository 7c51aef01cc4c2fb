"""How long a match can get, and what a solo score can be: OpenSpiel asks before it starts.

A game's rules may say so by functions of the same names (`most_moves(players, options)`, …); else
the bounds are wide.
"""

from __future__ import annotations

from typing import Any

from droptable.core.game import Game

Options = dict[str, Any]
WIDE = 10_000


def most_moves(game: Game, players: int, options: Options) -> int:
    """No match has more moves of seats."""
    if hasattr(game.rules, "most_moves"):
        return int(game.rules.most_moves(players, options))
    return WIDE


def most_deals(game: Game, players: int, options: Options) -> int:
    """No match has more events of the dealer."""
    if not game.vocabulary(options).outcomes:
        return 0
    if hasattr(game.rules, "most_deals"):
        return int(game.rules.most_deals(players, options))
    return WIDE


def solo_scores(game: Game) -> tuple[int, int]:
    """The lowest and the highest score that a solo player can reach."""
    if hasattr(game.rules, "solo_scores"):
        low, high = game.rules.solo_scores()
        return int(low), int(high)
    return -WIDE, WIDE
