"""The deal of the day: one match per game and day (UTC), the same for everybody.

Its secret follows from the server's by HMAC. What the server commits itself to is public a week
ahead, the secret once nobody can be rated any more. One table per person, day and game is the one
try; its result counts if it was finished in time, without help.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from droptable.core import fair
from droptable.core.game import Game
from droptable.tables.database import Connection
from droptable.tables.events import Identity
from droptable.tables.settings import ME, Settings
from droptable.tables.table import Table

FIRST = date(2026, 11, 1)  # daily 1
AHEAD = 7  # days for which commitments are public
GRACE = 3600.0  # seconds after midnight in which a try that was begun before still counts
OPPONENTS = "normal"  # the level of the bots
SEAT = 0  # where the person sits


def day_of(now: float) -> str:
    """The day, by UTC."""
    return datetime.fromtimestamp(now, UTC).date().isoformat()


def shifted(day: str, days: int) -> str:
    """So many days later."""
    return (date.fromisoformat(day) + timedelta(days)).isoformat()


def number_of(day: str) -> int:
    """What a daily is called: they are counted from 1."""
    return (date.fromisoformat(day) - FIRST).days + 1


def closes_at(day: str) -> float:
    """When a day's tries end and its secrets become public, in seconds since 1970."""
    midnight = datetime.combine(date.fromisoformat(day) + timedelta(1), datetime.min.time(), UTC)
    return midnight.timestamp() + GRACE


def is_secret(day: str, now: float) -> bool:
    """Whether others may still play the deal of this day; an empty one is no daily."""
    return bool(day) and now < closes_at(day)


def secret_of(key: str, day: str, game: str) -> bytes:
    """The secret of a deal, from the server's."""
    return hmac.digest(key.encode(), f"daily {day} {game}".encode(), "sha256")


def settings_of(game: Game) -> Settings:
    """How a daily is played: alone where the game can be, else against bots."""
    players = game.players[0]
    return Settings(game.name, players, seats=(ME, *[OPPONENTS] * (players - 1)), hints=False)


@dataclass(frozen=True)
class Result:
    """What came of a try. `value` ranks tries: a victory first, then the lead in points."""

    points: int
    value: int
    won: bool
    rated: bool


WIN = 10_000  # more than any lead


def value_of(scores: tuple[int, ...], winners: tuple[int, ...], seat: int) -> int:
    """How good a result is for a seat."""
    if len(scores) == 1:
        return scores[0]
    others = [score for other, score in enumerate(scores) if other != seat]
    low_wins = max(scores[winner] for winner in winners) < max(scores)
    lead = min(others) - scores[seat] if low_wins else scores[seat] - max(others)
    return lead + (WIN if seat in winners else 0)


def result_of(table: Table) -> Result | None:
    """The result of a try; None while it goes on."""
    if table.status != "over" or table.state is None:
        return None
    seat = table.seats[SEAT]
    scores, won = table.state.scores, SEAT in table.winners
    in_time = table.updated < closes_at(table.daily)
    rated = table.how == "played" and not seat.assisted and not seat.resigned and in_time
    return Result(scores[SEAT], value_of(scores, table.winners, SEAT), won, rated)


def better_than(value: int, values: dict[int, int]) -> float | None:
    """The share of results (each with how often it occurred) that are worse; equals count half."""
    total = sum(values.values())
    if not total:
        return None
    worse = sum(count for other, count in values.items() if other < value)
    return (worse + values.get(value, 0) / 2) / total


def commitments(key: str, day: str, game: str) -> dict[str, str]:
    """What the server has committed itself to, for this day and those ahead."""
    days = [shifted(day, number) for number in range(AHEAD + 1)]
    return {one: fair.commitment(secret_of(key, one, game)) for one in days}


def streak(days: set[str], today: str) -> int:
    """How many days in a row somebody has finished a daily; today may still come."""
    day = today if today in days else shifted(today, -1)
    length = 0
    while day in days:
        length, day = length + 1, shifted(day, -1)
    return length


# -- the database ---------------------------------------------------------------------------------


def note_try(connection: Connection, day: str, game: str, who: Identity, table: str) -> None:
    """Remember that somebody tries a deal at a table."""
    connection.execute(
        "INSERT INTO dailies (day, game, identity, table_id) VALUES (:day, :game, :who, :table)"
        " ON CONFLICT DO NOTHING",
        {"day": day, "game": game, "who": who, "table": table},
    )


def note_result(connection: Connection, table: str, result: Result) -> None:
    """Remember what came of a try."""
    connection.execute(
        "UPDATE dailies SET points = :points, value = :value, won = :won, rated = :rated"
        " WHERE table_id = :table",
        {"points": result.points, "value": result.value, "won": int(result.won),
         "rated": int(result.rated), "table": table},
    )  # fmt: skip


def unsettled(connection: Connection, day: str, who: Identity, most: int) -> list[str]:
    """Tables of tries whose result is not known yet: of that day, and all of that person's."""
    query = (
        "SELECT table_id FROM dailies WHERE points IS NULL AND (day = :day OR identity = :who)"
        " ORDER BY CASE WHEN identity = :who THEN 0 ELSE 1 END, day DESC LIMIT :most"
    )
    return [t for (t,) in connection.execute(query, {"day": day, "who": who, "most": most})]


@dataclass(frozen=True)
class Try:
    """A try of somebody's."""

    day: str
    game: str
    table: str
    points: int | None
    value: int | None
    won: bool
    rated: bool


def tries(connection: Connection, who: Identity) -> list[Try]:
    """All tries of somebody, newest first."""
    query = (
        "SELECT day, game, table_id, points, value, won, rated FROM dailies"
        " WHERE identity = :who ORDER BY day DESC"
    )
    rows = connection.execute(query, {"who": who})
    return [
        Try(day, game, table, points, value, bool(won), bool(rated))
        for day, game, table, points, value, won, rated in rows
    ]


def values(connection: Connection, day: str, game: str, but: Identity = "") -> dict[int, int]:
    """The rated results of a day, and how often each occurred, without one person's."""
    query = (
        "SELECT value, count(*) FROM dailies WHERE day = :day AND game = :game AND rated = 1"
        " AND identity <> :but GROUP BY value"
    )
    return dict(iter(connection.execute(query, {"day": day, "game": game, "but": but}).fetchall()))
