"""How well each level does in the deal of a day: results of many matches, made by the lab."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from droptable.core.game import Game

FILE = "level_scores.json"
Values = dict[int, int]  # how often each result occurred


@cache
def level_values(subject: Game) -> dict[str, Values]:
    """The results of each level; none where nobody has made them."""
    file = level_file(subject)
    if file is None or not file.is_file():
        return {}
    return msgspec.json.decode(file.read_bytes(), type=dict[str, Values])


def level_file(subject: Game) -> Path | None:
    """Where a game's results are, beside the match that it shows."""
    return None if subject.showcase is None else subject.showcase.with_name(FILE)
