"""The leaderboard of a solo game: printed scores and the best of this server, ranked together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from droptable.core.game import Game
from droptable.tables.summary import Score


@dataclass(frozen=True)
class Place:
    """A line of the leaderboard; printed scores and private tables have none to replay."""

    rank: int
    name: str
    score: int
    table: str | None = None


def leaderboard(game: Game, scores: Sequence[Score]) -> list[Place]:
    """The places, best first. An equal score beats neither a printed nor an earlier one, and a
    score that beats no printed one is not listed."""
    printed = [(score, 0, 0.0, name, None) for name, score in game.printed_scores]
    lowest = min((score for score, *_ in printed), default=0)
    reached = [(s.score, 1, s.at, s.name, s.table or None) for s in scores if s.score > lowest]
    ranked = sorted([*printed, *reached], key=lambda place: (-place[0], place[1], place[2]))
    return [
        Place(rank, name, score, table) for rank, (score, _, _, name, table) in enumerate(ranked, 1)
    ]
