"""How long a match can get, and what a solo score can be: OpenSpiel asks before it starts.

The rules of a game from outside may tell it by functions of the same names and arguments; else the
bounds are wide.
"""

from __future__ import annotations

from typing import Any

from droptable.core.game import Game

Options = dict[str, Any]
WIDE = 10_000
ROUNDS = 40  # of Number Drop: 98 cells take 24 shapes; 5 letters stop a seat once each (ND6, ND13)


def most_moves(game: Game, players: int, options: Options) -> int:
    """No match has more moves of seats."""
    if hasattr(game.rules, "most_moves"):
        return int(game.rules.most_moves(players, options))
    match game.name:
        case "drop-site":
            return 51 * int(options["round_limit"])  # each move plays a card (DS2, DS12)
        case "drop":
            return 2 * int(options["pieces"])  # DR6
        case "drop-or-pop":
            return 2 * int(options["turn_limit"])  # ignoring a colour is a second move (OP4)
        case "depot":
            return 2 * int(options["turn_limit"]) * int(options["games"])  # take, give (DP6)
        case "number-drop":
            return players * (1 + 20 * ROUNDS)  # name, drop, 4 numbers, up to 8 cells, blocks
    return WIDE


def most_deals(game: Game, players: int, options: Options) -> int:
    """No match has more events of the dealer."""
    if hasattr(game.rules, "most_deals"):
        return int(game.rules.most_deals(players, options))
    match game.name:
        case "drop-site":
            return 52 * int(options["round_limit"])
        case "drop-or-pop":
            return 2 * int(options["turn_limit"])
        case "depot":
            return 80 * (int(options["turn_limit"]) + 1) * int(options["games"])
        case "number-drop":
            return 5 + 5 * ROUNDS
    return WIDE if game.vocabulary(options).outcomes else 0


def solo_scores(game: Game) -> tuple[int, int]:
    """The lowest and the highest score that a solo player can reach."""
    if hasattr(game.rules, "solo_scores"):
        low, high = game.rules.solo_scores()
        return int(low), int(high)
    return (-100, 100) if game.name == "number-drop" else (-WIDE, WIDE)  # ND15
