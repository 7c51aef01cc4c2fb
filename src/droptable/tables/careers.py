"""What somebody has done here: matches and victories by player count, best scores, streaks."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial

from msgspec import Struct

from droptable.tables.database import Connection
from droptable.tables.events import Identity
from droptable.tables.store import Store

MOST_MATCHES = 5000  # the last ones of each database
MOST_SCORES = 5  # of each game


class Played(Struct, frozen=True):
    """A match that somebody has played to its end."""

    table: str
    game: str
    players: int
    seat: int
    winners: tuple[int, ...]
    names: tuple[str, ...]
    at: float

    @property
    def share(self) -> float:
        """This person's share of the victory."""
        return 1 / len(self.winners) if self.seat in self.winners else 0.0


class Best(Struct, frozen=True):
    """One of somebody's best scores alone."""

    table: str
    game: str
    score: int
    at: float


class Tally(Struct, frozen=True):
    """Matches of one game with so many players; a shared victory counts as a share."""

    game: str
    players: int
    matches: int
    wins: float


async def played(store: Store, who: Identity, *, private: bool) -> list[Played]:
    """Somebody's matches that are over, the last one first; with `private`, all of them."""
    find = partial(_played, who=who, private=private)
    found = [one for shard in store.shards for one in await shard.query(find)]
    return sorted(found, key=lambda one: (-one.at, one.table))


async def best_scores(store: Store, who: Identity, *, private: bool) -> list[Best]:
    """Somebody's best scores of each game that is played alone, the best first."""
    find = partial(_scores, who=who, private=private)
    found = [one for shard in store.shards for one in await shard.query(find)]
    found.sort(key=lambda one: (one.game, -one.score, one.at))
    games = dict.fromkeys(one.game for one in found)
    return [one for game in games for one in [f for f in found if f.game == game][:MOST_SCORES]]


def tallies(matches: Sequence[Played]) -> list[Tally]:
    """Matches against others, by game and player count."""
    kinds = sorted({(one.game, one.players) for one in matches if one.players > 1})
    return [
        Tally(game, players, len(own), sum(one.share for one in own))
        for game, players in kinds
        for own in [[one for one in matches if (one.game, one.players) == (game, players)]]
    ]


def winning_streaks(matches: Sequence[Played]) -> tuple[int, int]:
    """How many matches in a row somebody has won: up to now, and ever. The last one is first."""
    run, longest, now = 0, 0, None
    for one in (one for one in matches if one.players > 1):
        if one.share:
            run += 1
            longest = max(longest, run)
        else:
            now = run if now is None else now
            run = 0
    return (run if now is None else now), longest


def _played(connection: Connection, who: Identity, *, private: bool) -> list[Played]:
    """Those matches in which nobody else played on the same device."""
    query = (
        "SELECT id, game, players, seat, winners, names, updated FROM tables"
        " JOIN seats ON seats.table_id = tables.id WHERE seats.identity = :who AND seq > 0"
        " AND status = 'over' AND (public = 1 OR :private = 1)"
        " AND (SELECT count(*) FROM seats held WHERE held.table_id = tables.id"
        " AND held.identity = :who) = 1"
        " ORDER BY updated DESC, id LIMIT :most"
    )
    values = {"who": who, "private": int(private), "most": MOST_MATCHES}
    return [
        Played(id_, game, players, seat, tuple(json.loads(winners)), tuple(json.loads(names)), at)
        for id_, game, players, seat, winners, names, at in connection.execute(query, values)
    ]


def _scores(connection: Connection, who: Identity, *, private: bool) -> list[Best]:
    query = (
        "SELECT scores.table_id, scores.game, score, scores.at FROM scores"
        " JOIN tables ON tables.id = scores.table_id"
        " JOIN seats ON seats.table_id = scores.table_id WHERE seats.identity = :who"
        " AND (public = 1 OR :private = 1) ORDER BY score DESC, scores.at LIMIT :most"
    )
    values = {"who": who, "private": int(private), "most": MOST_MATCHES}
    return [Best(*row) for row in connection.execute(query, values)]
