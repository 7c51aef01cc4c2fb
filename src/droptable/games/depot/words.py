"""Depot in words: tokens, reasons, sentences and a drawing in text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from droptable.games.depot import rules
TURN_RULE, END_RULE = "DP2", "DP10"
def actions(options: dict[str, Any]) -> tuple[str, ...]:
    plays = tuple("play " + " ".join(map(str, cards)) for cards in rules.PLAYS)
    takes = tuple(f"take {number}" for number in range(1, 9))
    gifts = tuple(f"give {number}" for number in range(1, 9))
    return (*plays, *takes, *gifts, "keep", "pass")


def outcomes(options: dict[str, Any]) -> tuple[str, ...]:
    return tuple(f"{word} {number}" for word in ("deal", "store") for number in range(1, 9))
