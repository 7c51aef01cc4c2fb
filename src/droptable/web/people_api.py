"""Profiles and leaderboards under /api. People are named by their public ids only."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from statistics import fmean
from typing import Any

from fastapi import APIRouter, Request, Response
from msgspec import Struct

from droptable.bots.accuracy import seat_accuracy
from droptable.core.errors import UnknownGame
from droptable.core.game import Game
from droptable.core.language import _
from droptable.games import game as game_of
from droptable.tables import careers, daily, profiles, puzzle_ratings, ratings
from droptable.tables.careers import Played
from droptable.tables.database import Connection
from droptable.tables.events import Identity
from droptable.tables.host import Host
from droptable.tables.profiles import Person
from droptable.tables.rejected import Rejected
from droptable.tables.store import Store
from droptable.web.address import client_network
from droptable.web.api import answer, find_game, read
from droptable.web.coach_jobs import unpack
from droptable.web.daily_api import settle
from droptable.web.identity import Doorkeeper
from droptable.web.openapi import body, refusals, returns
from droptable.web.puzzles_api import Strength

RECENT = 20  # matches that a profile lists
JUDGED = 50  # … and of which the coach's accuracy is taken
COURSE = 60  # matches of a rating's course
ME = "me"
router = APIRouter(prefix="/api")


class Visibility(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether nobody else may look at your profile."""

    hidden: bool


class Profile(Struct, frozen=True):
    """Under which id others find you, and whether they may."""

    id: str
    hidden: bool


BODIES = (Visibility,)
RESULTS = (Profile,)


def _host(request: Request) -> Host:
    host: Host = request.app.state.host
    return host


def _door(request: Request) -> Doorkeeper:
    door: Doorkeeper = request.app.state.door
    return door


@router.put(
    "/people/me", openapi_extra=body(Visibility),
    responses=returns("Your profile.", Profile) | refusals("syntax", "forbidden"),
)  # fmt: skip
async def put_profile(request: Request) -> Response:
    """Hide your profile from others, or show it again."""
    who = await _door(request).known(request)
    wanted: Visibility = await read(request, Visibility, '{"hidden": true}')
    store = _host(request).store
    await profiles.hide(store, who.identity, hidden=wanted.hidden)
    id_ = await profiles.public_id_of(store, who.identity)
    return answer(Profile(id_ or "", wanted.hidden))


@router.get(
    "/people/{person}",
    responses=returns("The profile.") | refusals("syntax", "forbidden", "gone", "limit"),
)
async def get_profile(request: Request, person: str) -> Response:
    """What somebody has done here: ratings, matches, scores, accuracy. You are `me`."""
    host, door = _host(request), _door(request)
    who = await door.known(request) if person == ME else await door.who(request)
    _count(host, who.identity if who else None, request)
    id_ = await profiles.public_id_of(host.store, who.identity) if who and person == ME else person
    found = await profiles.person(host.store, id_ or "")
    mine = found is not None and who is not None and found.identity == who.identity
    if found is None or (found.hidden and not mine):
        missing = _("there is no profile {id}, or it is hidden")
        raise Rejected("gone", missing.format(id=repr(person[:40])))
    return answer(await profile(host, found, mine=mine))


async def profile(host: Host, person: Person, *, mine: bool) -> dict[str, Any]:
    """What is known of somebody, for others or for themselves."""
    store, who = host.store, person.identity
    matches = await careers.played(store, who, private=mine)
    scores = await careers.best_scores(store, who, private=mine)
    judged = await accuracies(store, matches[:JUDGED])
    rated = await store.query(partial(_ratings, who=who))
    await settle(host, daily.day_of(host.now), who)
    tried = await store.query(lambda connection: daily.tries(connection, who))
    solving = await store.query(partial(puzzle_ratings.rating_of, who=who))
    days = {one.day for one in tried if one.rated}
    now, longest = careers.winning_streaks(matches)
    return {
        "id": person.public_id, "name": person.name, "since": person.created, "mine": mine,
        "hidden": person.hidden, "matches": len(matches), "ratings": rated,
        "tallies": [
            {"game": one.game, "title": _title(one.game), "players": one.players,
             "matches": one.matches, "share": one.wins / one.matches}
            for one in careers.tallies(matches)
        ],
        "scores": [
            {"table": one.table, "game": one.game, "title": _title(one.game), "score": one.score,
             "at": one.at}
            for one in scores
        ],
        "accuracy": _by_game(matches, judged),
        "puzzles": Strength.of(solving) if solving.tries else None,
        "streaks": {"wins": now, "longest": longest,
                    "daily": daily.streak(days, daily.day_of(host.now))},
        "recent": [
            {"table": one.table, "game": one.game, "title": _title(one.game),
             "players": one.players, "names": one.names, "seat": one.seat, "share": one.share,
             "at": one.at, "accuracy": judged.get(one.table)}
            for one in matches[:RECENT]
        ],
    }  # fmt: skip


def _ratings(connection: Connection, who: Identity) -> list[dict[str, Any]]:
    return [
        _rating(one) | {"course": ratings.course_of(connection, who, one.game, COURSE)}
        for one in ratings.ratings_of(connection, who)
    ]


def _rating(rating: ratings.Rating) -> dict[str, Any]:
    game = _known(rating.game)
    return {
        "game": rating.game, "title": _title(rating.game),
        "accent": game.scene.accent if game and game.scene else "gold",
        "number": rating.skill.number, "uncertainty": rating.skill.uncertainty,
        "sure": ratings.is_sure(rating), "matches": rating.matches,
        "share": rating.wins / rating.matches,
    }  # fmt: skip


async def accuracies(store: Store, matches: Sequence[Played]) -> dict[str, float]:
    """How close somebody came to the best turns in the matches that the coach has looked at."""
    wanted = {one.table: one.seat for one in matches}
    ids = await store.query(lambda c: [id_ for (id_,) in c.execute("SELECT id FROM analyses")])
    found = {}
    for id_ in ids:
        kind, table, _length = (*id_.split(":"), "", "")[:3]
        if kind == "table" and table in wanted and (body := await store.analysis(id_)) is not None:
            turns = [d.accuracy for d in unpack(body) or () if d.seat == wanted[table]]
            accuracy = seat_accuracy(turns)
            if accuracy is not None:
                found[table] = accuracy
    return found


def _by_game(matches: Sequence[Played], judged: dict[str, float]) -> list[dict[str, Any]]:
    own = [(one.game, judged[one.table]) for one in matches if one.table in judged]
    return [
        {"game": game, "title": _title(game), "matches": len(values), "accuracy": fmean(values)}
        for game in sorted({game for game, _value in own})
        for values in [[value for name, value in own if name == game]]
    ]


@router.get(
    "/leaders/{game}", responses=returns("The best, with their ratings.") | refusals("gone")
)
async def leaders(request: Request, game: str) -> Response:
    """The people with the best ratings at a game, if these are sure enough and not hidden."""
    store = _host(request).store
    who = await _door(request).who(request)
    found = await store.query(partial(ratings.leaders, game=find_game(game).name))
    ids = await profiles.public_ids_of(store, [one.identity for one in found])
    return answer([
        {"rank": rank, "id": ids[one.identity], "name": one.name,
         "mine": who is not None and who.identity == one.identity, **_rating(one.rating)}
        for rank, one in enumerate(found, 1) if one.identity in ids
    ])  # fmt: skip


@router.get(
    "/tables/{table}/people", responses=returns("Of each seat.") | refusals("syntax", "gone")
)
async def people(request: Request, table: str) -> Response:
    """The people of each seat, with their profiles and ratings: at public tables, or your own."""
    host = _host(request)
    current = await host.table(table)
    who = await _door(request).who(request)
    _count(host, who.identity if who else None, request)
    seated = [identity for seat in current.seats for identity in seat.people]
    if not current.settings.public and (who is None or who.identity not in seated):
        return answer([[] for _ in current.seats])
    ids = await profiles.public_ids_of(host.store, seated)
    shown = await host.store.query(partial(_shown, people=seated, game=current.settings.game))
    return answer([
        [
            {"name": name, "id": None, "rating": None}
            if one == seat.here  # somebody else, on that person's device
            else {"name": name, "id": ids[one] if one in shown and one in ids else None,
                  "rating": shown.get(one)}
            for one, name in seat.people.items()
        ]
        for seat in current.seats
    ])  # fmt: skip


def _shown(
    connection: Connection, people: Sequence[Identity], game: str
) -> dict[Identity, dict[str, Any] | None]:
    """The ratings of those who do not hide."""
    hidden = "SELECT hidden FROM profiles WHERE identity = :who"
    return {
        who: next((_rating(r) for r in ratings.ratings_of(connection, who) if r.game == game), None)
        for who in people
        if not connection.value(hidden, {"who": who})
    }


def _count(host: Host, who: Identity | None, request: Request) -> None:
    """Count a request: it asks the database more than others do."""
    host.count_request(who or f"address {client_network(request.scope)}")


def _known(name: str) -> Game | None:
    try:
        return game_of(name)
    except UnknownGame:
        return None


def _title(name: str) -> str:
    game = _known(name)
    return game.title if game else name
