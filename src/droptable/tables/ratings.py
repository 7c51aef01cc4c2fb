"""Ratings: what follows from rated matches for the strength of those who played.

A projection of the events. The append that finishes a rated match leaves its id beside the table
(`unrated`); any server takes it over into the home database, where each match counts once, and
folds a game's matches in the order of their ends. What comes late, or was written anew since
somebody was deleted, is folded again with all that follows: the result is always that of `rebuild`.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial

import msgspec
from msgspec import Struct

from droptable.tables.database import Connection
from droptable.tables.events import Identity
from droptable.tables.integrity import DamagedTable
from droptable.tables.rating_model import RatingModel, Skill, model_of
from droptable.tables.store import Store
from droptable.tables.table import Table, fold

FEWEST_MOVES = 5  # by each person, before a resignation can decide a rated match
WINDOW = 30 * 86400.0  # seconds in which repeated opponents are noticed
PEOPLE_HALF, BOTS_HALF = 10, 40  # after so many matches one more counts half as much
STEP = 40  # matches that are folded, or taken over, in one transaction
FIRST = -1e18  # before all matches


class Match(Struct, frozen=True):
    """What ratings need to know of a match. Of each seat, the people or the bot."""

    table: str
    game: str
    at: float
    people: tuple[tuple[Identity, ...], ...]
    bots: tuple[str, ...]
    winners: tuple[int, ...]


def match_of(table: Table) -> Match | None:
    """What follows from a table for ratings; None if nothing does.

    A seat that was helped, or resigned, cannot win; who plays from one address gets no rating.
    """
    if not table.rated or table.status != "over" or table.state is None:
        return None
    people = tuple(tuple(seat.people) for seat in table.seats)
    winners = tuple(seat for seat in table.winners if not table.seats[seat].assisted)
    if not any(people) or not winners or _from_one_place(table) or _ended_early(table):
        return None
    bots = tuple(seat.bot for seat in table.seats)
    model = model_of(table.settings.game)
    if any(bot and model.bot(bot, table.players) is None for bot in bots):
        return None
    return Match(table.id, table.settings.game, table.finished, people, bots, winners)


def _from_one_place(table: Table) -> bool:
    """Whether people at different seats came from one address."""
    places = [
        {place for who in seat.people if (place := table.places.get(who, ""))}
        for seat in table.seats
    ]
    return sum(map(len, places)) > len(set().union(*places))


def _ended_early(table: Table) -> bool:
    """Whether a resignation decided before everybody had played a little."""
    assert table.state is not None
    if table.how != "resigned":
        return False
    moves = [actor for actor, _token in table.state.events]
    return any(
        seat.people and moves.count(number) < FEWEST_MOVES
        for number, seat in enumerate(table.seats)
    )


# -- matches --------------------------------------------------------------------------------------


async def take_over(store: Store) -> int:
    """Note the rated matches that were finished since the last time; how many there were."""
    count = 0
    for shard in store.shards:
        for id_ in await shard.query(_waiting):
            count += 1
            await _take(store, id_)
            await shard.write(partial(_taken, table=id_))
    return count


async def _take(store: Store, id_: str) -> None:
    """Note what follows from a table now; of one that was deleted, what followed before stays."""
    with suppress(DamagedTable):
        if lines := await store.read(id_):
            await store.write(partial(note, id_=id_, match=match_of(fold(id_, lines))))


def _waiting(connection: Connection) -> list[str]:
    query = "SELECT table_id FROM unrated ORDER BY table_id LIMIT :most"
    return [id_ for (id_,) in connection.execute(query, {"most": STEP})]


def _taken(connection: Connection, table: str) -> None:
    connection.execute("DELETE FROM unrated WHERE table_id = :id", {"id": table})


def note(connection: Connection, id_: str, match: Match | None) -> None:
    """Let a table's match be this one; what was known before is folded again if that differs."""
    query = "SELECT body FROM rated_matches WHERE table_id = :id"
    body = connection.value(query, {"id": id_})
    before = None if body is None else msgspec.json.decode(body, type=Match)
    if before == match:
        return
    connection.execute("DELETE FROM rated_matches WHERE table_id = :id", {"id": id_})
    if before is not None:
        _outdate(connection, before.game, before.at, id_)
    if match is not None:
        connection.execute(
            "INSERT INTO rated_matches (table_id, game, at, body)"
            " VALUES (:table, :game, :at, :body) ON CONFLICT (table_id) DO UPDATE"  # another server
            " SET game = excluded.game, at = excluded.at, body = excluded.body",
            {"table": id_, "game": match.game, "at": match.at,
             "body": msgspec.json.encode(match).decode()},
        )  # fmt: skip
        _outdate(connection, match.game, match.at, id_)


def _outdate(connection: Connection, game: str, at: float, table: str) -> None:
    """Let a game's ratings be made anew from a match on."""
    values = {"game": game, "at": at, "table": table}
    connection.execute(
        "INSERT INTO rating_games (game, since_at, since_table) VALUES (:game, :at, :table)"
        " ON CONFLICT DO NOTHING", values
    )  # fmt: skip
    connection.execute(
        "UPDATE rating_games SET since_at = :at, since_table = :table WHERE game = :game"
        " AND (since_at IS NULL OR since_at > :at OR (since_at = :at AND since_table > :table))",
        values,
    )


async def rebuild(store: Store) -> int:
    """Make all ratings anew from the events; how many matches there are.

    Matches of tables that were deleted meanwhile are kept as they were noted.
    """
    for id_ in await store.ids():
        await _take(store, id_)
    await store.write(_outdate_all)
    await settle(store)
    return int(await store.query(lambda c: c.value("SELECT count(*) FROM rated_matches")))


def _outdate_all(connection: Connection) -> None:
    connection.execute("DELETE FROM ratings")
    connection.execute(
        "UPDATE rating_games SET since_at = :first, since_table = ''", {"first": FIRST}
    )


# -- the fold -------------------------------------------------------------------------------------


async def settle(store: Store) -> None:
    """Fold whatever has not been folded yet, in small steps."""
    query = "SELECT game FROM rating_games WHERE since_at IS NOT NULL ORDER BY game"
    while games := await store.query(lambda c: [game for (game,) in c.execute(query)]):
        for game in games:
            await store.write(partial(_fold_some, game=game))


def _fold_some(connection: Connection, game: str) -> None:
    """Fold the next matches of a game that have to be."""
    lock = " FOR UPDATE" if connection.is_postgres else ""
    since = "SELECT since_at, since_table FROM rating_games WHERE game = :game"
    row = connection.execute(f"{since}{lock}", {"game": game}).fetchone()
    if row is None or row[0] is None:  # another server did it
        return
    values = {"game": game, "at": row[0], "table": row[1], "most": STEP + 1}
    later = "game = :game AND (at > :at OR (at = :at AND table_id >= :table))"
    people = f"SELECT DISTINCT identity FROM rated_people WHERE {later}"
    outdated = {who for (who,) in connection.execute(people, values)}
    connection.execute(f"DELETE FROM rated_people WHERE {later}", values)
    query = f"SELECT body FROM rated_matches WHERE {later} ORDER BY at, table_id LIMIT :most"
    bodies = [body for (body,) in connection.execute(query, values).fetchall()]
    matches = [msgspec.json.decode(body, type=Match) for body in bodies]
    model = model_of(game)
    for match in matches[:STEP]:
        _rate(connection, model, match)
        outdated |= {who for seat in match.people for who in seat}
    rest = matches[STEP:]
    connection.execute(
        "UPDATE rating_games SET since_at = :at, since_table = :table WHERE game = :game",
        {"game": game, "at": rest[0].at if rest else None, "table": rest[0].table if rest else ""},
    )
    for who in outdated:
        _summarise(connection, game, who)


def _rate(connection: Connection, model: RatingModel, match: Match) -> None:
    """Fold one match: each person's skill moves by as much as the match counts for them."""
    before = [
        [skill_of(connection, who, match.game) or model.newcomer for who in seat]
        or [model.bot(bot, len(match.people)) or model.newcomer]
        for seat, bot in zip(match.people, match.bots, strict=True)
    ]
    after = model.rate(before, match.winners)
    rows = []
    for number, seat in enumerate(match.people):
        for who, old, new in zip(seat, before[number], after[number], strict=False):
            weight = _weight(connection, match, number, who)
            skill = old.towards(new, weight)
            share = 1 / len(match.winners) if number in match.winners else 0.0
            rows.append({
                "table": match.table, "who": who, "game": match.game, "at": match.at,
                "people": sum(map(len, match.people)), "share": share,
                "mu": skill.mu, "sigma": skill.sigma,
            })  # fmt: skip
    for row in rows:
        connection.execute(
            "INSERT INTO rated_people (table_id, identity, game, at, people, share, mu, sigma)"
            " VALUES (:table, :who, :game, :at, :people, :share, :mu, :sigma)", row
        )  # fmt: skip


def _weight(connection: Connection, match: Match, number: int, who: Identity) -> float:
    """How much a match counts for somebody: less and less against the same opponents."""
    others = [one for seat, people in enumerate(match.people) if seat != number for one in people]
    values = {"who": who, "game": match.game, "after": match.at - WINDOW}
    if not others:
        alone = (
            "SELECT count(*) FROM rated_people WHERE identity = :who AND game = :game"
            " AND at > :after AND people = 1"
        )
        return half_after(BOTS_HALF, int(connection.value(alone, values) or 0))
    met = (
        "SELECT count(*) FROM rated_people AS mine JOIN rated_people AS theirs"
        " ON theirs.table_id = mine.table_id WHERE mine.identity = :who AND mine.game = :game"
        " AND mine.at > :after AND theirs.identity = :other"
    )
    times = [int(connection.value(met, values | {"other": other}) or 0) for other in others]
    return sum(half_after(PEOPLE_HALF, count) for count in times) / len(times)


def half_after(half: int, count: int) -> float:
    """How much one more match counts after so many of the same kind."""
    return half / (half + count)


def skill_of(connection: Connection, who: Identity, game: str) -> Skill | None:
    """What is known of somebody after the last match that was folded."""
    query = (
        "SELECT mu, sigma FROM rated_people WHERE identity = :who AND game = :game"
        " ORDER BY at DESC, table_id DESC LIMIT 1"
    )
    row = connection.execute(query, {"who": who, "game": game}).fetchone()
    return row and Skill(*row)


def _summarise(connection: Connection, game: str, who: Identity) -> None:
    """Write what is known of somebody now, for leaderboards."""
    values = {"who": who, "game": game}
    connection.execute("DELETE FROM ratings WHERE identity = :who AND game = :game", values)
    query = (
        "SELECT count(*), sum(share), max(at) FROM rated_people"
        " WHERE identity = :who AND game = :game"
    )
    matches, wins, at = connection.execute(query, values).fetchone()
    skill = skill_of(connection, who, game)
    if skill is not None:
        connection.execute(
            "INSERT INTO ratings (identity, game, mu, sigma, matches, wins, at)"
            " VALUES (:who, :game, :mu, :sigma, :matches, :wins, :at)",
            values | {"mu": skill.mu, "sigma": skill.sigma, "matches": matches, "wins": wins,
                      "at": at},
        )  # fmt: skip


# -- reading --------------------------------------------------------------------------------------


class Rating(Struct, frozen=True):
    """Somebody's rating at a game."""

    game: str
    skill: Skill
    matches: int
    wins: float  # a shared victory counts as a share
    at: float  # of the last match


def ratings_of(connection: Connection, who: Identity) -> list[Rating]:
    """All ratings of somebody."""
    query = (
        "SELECT game, mu, sigma, matches, wins, at FROM ratings WHERE identity = :who ORDER BY game"
    )
    rows = connection.execute(query, {"who": who})
    return [Rating(game, Skill(mu, sigma), *rest) for game, mu, sigma, *rest in rows]


def course_of(
    connection: Connection, who: Identity, game: str, most: int
) -> list[tuple[float, int]]:
    """How somebody's rating went: time and number after each of the last matches, oldest first."""
    query = (
        "SELECT at, mu, sigma FROM rated_people WHERE identity = :who AND game = :game"
        " ORDER BY at DESC, table_id DESC LIMIT :most"
    )
    rows = connection.execute(query, {"who": who, "game": game, "most": most}).fetchall()
    return [(at, Skill(mu, sigma).number) for at, mu, sigma in reversed(rows)]


class Leader(Struct, frozen=True):
    """A line of a leaderboard."""

    identity: Identity
    name: str
    rating: Rating


FEWEST_MATCHES = 10  # on a leaderboard
SURE = 0.6  # the most uncertainty on a leaderboard: about 100 points
MOST_LEADERS = 100


def is_sure(rating: Rating) -> bool:
    """Whether a rating is good for a leaderboard."""
    return rating.matches >= FEWEST_MATCHES and rating.skill.sigma <= SURE


def leaders(connection: Connection, game: str) -> list[Leader]:
    """The best at a game: people with enough matches whose rating is sure, who do not hide."""
    query = (
        "SELECT ratings.identity, identities.name, mu, sigma, matches, wins, at FROM ratings"
        " JOIN identities ON identities.id = ratings.identity"
        " LEFT JOIN profiles ON profiles.identity = ratings.identity"
        " WHERE game = :game AND matches >= :fewest AND sigma <= :sure"
        " AND COALESCE(profiles.hidden, 0) = 0 ORDER BY mu DESC, ratings.identity LIMIT :most"
    )
    values = {"game": game, "fewest": FEWEST_MATCHES, "most": MOST_LEADERS, "sure": SURE}
    return [
        Leader(who, name, Rating(game, Skill(mu, sigma), *rest))
        for who, name, mu, sigma, *rest in connection.execute(query, values)
    ]


def forget(connection: Connection, who: Identity) -> None:
    """Delete somebody's ratings. Their matches stay until their tables are written anew."""
    for table in ("ratings", "rated_people"):
        connection.execute(f"DELETE FROM {table} WHERE identity = :who", {"who": who})
