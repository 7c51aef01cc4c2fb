"""Where cards come from: what everybody remembers of the last moves tells it."""

from __future__ import annotations

from typing import Any

from droptable.games.depot import rules
from droptable.games.depot.rules.memory import REMEMBERED


def last_move(view: Any, seat: int) -> tuple[int, int] | None:
    """A seat's last move in this game, and the Storage before it (packed); `pass` is forgotten."""
    moves = int(view["moves"][seat])
    if not moves:
        return None
    k = (moves - 1) % REMEMBERED
    return int(view["then_move"][seat, k]), int(view["then_storage"][seat, k])


def packed_count(packed: int, number: int) -> int:
    """How many cards of a number (1-8) a packed pile has."""
    return packed >> 4 * (number - 1) & 15


def just_given(view: Any) -> tuple[int, int, int] | None:
    """The seat whose pass was the last turn, the number it gave, and which of those it was."""
    if view["phase"] not in (rules.FILL, rules.TURN):
        return None
    seat = (int(view["seat"]) - 1) % int(view["players"])
    move = last_move(view, seat)
    if move is None or not rules.GIVE_CARD <= move[0] < rules.KEEP:
        return None
    number = move[0] - rules.GIVE_CARD + 1
    return seat, number, packed_count(move[1], number)


def just_taken(view: Any) -> tuple[int, int]:
    """The number that the seat in turn has just taken, and how many cards; 0, 0 if it has not."""
    move = last_move(view, int(view["seat"])) if view["phase"] == rules.GIVE else None
    if move is None:
        return 0, 0
    number = int(view["taken"]) + 1
    return number, packed_count(move[1], number)


def is_fresh(view: Any) -> bool:
    """Whether the hands were just dealt: nobody has moved in this game."""
    return not view["moves"][: view["players"]].any()
