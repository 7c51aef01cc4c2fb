"""All puzzles of a server: those that come with the games, and those mined from its own matches."""

from __future__ import annotations

import hashlib
import random
import time
from collections.abc import Collection, Iterable, Sequence

import msgspec

from droptable.bots.puzzles import Puzzle, find_puzzle, puzzles
from droptable.games import games
from droptable.tables.daily import number_of
from droptable.tables.database import Connection
from droptable.tables.puzzle_ratings import PUZZLE_DEVIATION
from droptable.tables.store import Store

FRESH = 60.0  # seconds for which the server's own puzzles are kept in memory
NEAREST = 6  # puzzles of about the right strength, of which one is chosen


class PuzzleBook:
    """Finds puzzles by their ids, and one that suits somebody."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._own: dict[str, Puzzle] = {}
        self._read_at = -FRESH

    async def all(self, game: str | None = None) -> list[Puzzle]:
        """The puzzles of a game, or of all games."""
        own = (await self._read_own()).values()
        shipped = (puzzle for subject in games() for puzzle in puzzles(subject))
        return [p for p in (*shipped, *own) if game is None or p.game == game]

    async def find(self, id_: str) -> Puzzle | None:
        """A puzzle by its id."""
        return find_puzzle(id_) or (await self._read_own()).get(id_)

    async def _read_own(self) -> dict[str, Puzzle]:
        if time.monotonic() - self._read_at > FRESH:
            self._own = {p.id: p for p in await self._store.query(own_puzzles)}
            self._read_at = time.monotonic()
        return self._own


def next_puzzle(
    all_: Sequence[Puzzle], rating: float, tried: dict[str, bool], after: str = ""
) -> Puzzle | None:
    """A puzzle of about this rating that somebody has not tried; else one that they missed, or any,
    but not the one that they come from."""
    others = [puzzle for puzzle in all_ if puzzle.id != after] or list(all_)
    fresh = [puzzle for puzzle in others if puzzle.id not in tried]
    missed = [puzzle for puzzle in others if not tried.get(puzzle.id, True)]
    nearest = sorted(fresh or missed or others, key=lambda puzzle: abs(puzzle.rating - rating))
    return random.choice(nearest[:NEAREST]) if nearest else None


def daily_puzzle(day: str) -> Puzzle | None:
    """The puzzle of a day, the same everywhere: the games take turns, and none comes twice before
    all of its game have come."""
    offered = [shipped for subject in games() if (shipped := puzzles(subject))]
    if not offered:
        return None
    rounds, turn = divmod(number_of(day) - 1, len(offered))
    mixed = sorted(offered[turn], key=lambda p: hashlib.sha256(p.id.encode()).digest())
    return mixed[rounds % len(mixed)]


# -- the server's own puzzles, in the database ----------------------------------------------------


def own_puzzles(connection: Connection) -> list[Puzzle]:
    """The puzzles that were mined from this server's matches, of games that are installed."""
    rows = connection.execute("SELECT body FROM puzzles WHERE body IS NOT NULL ORDER BY id")
    known = {subject.name for subject in games()}
    found = (msgspec.json.decode(body, type=Puzzle) for (body,) in rows)
    return [puzzle for puzzle in found if puzzle.game in known]


def add_puzzles(connection: Connection, found: Iterable[Puzzle]) -> int:
    """Add puzzles that were mined here; how many of them are new."""
    add = (
        "INSERT INTO puzzles (id, rating, deviation, tries, solved, body)"
        " VALUES (:id, :rating, :deviation, 0, 0, :body) ON CONFLICT DO NOTHING"
    )
    rows = [
        {"id": puzzle.id, "rating": puzzle.rating, "deviation": PUZZLE_DEVIATION,
         "body": msgspec.json.encode(puzzle).decode()}
        for puzzle in found
    ]  # fmt: skip
    return sum(connection.execute(add, row).rowcount for row in rows)


def solved_of(all_: Collection[Puzzle], tried: dict[str, bool]) -> int:
    """How many of these puzzles somebody solved at the first try."""
    return sum(tried.get(puzzle.id, False) for puzzle in all_)
