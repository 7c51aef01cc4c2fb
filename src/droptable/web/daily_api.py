"""The deal of the day under /api: today's games, my results and streak, commitments and secrets."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response
from msgspec import Struct

from droptable.bots.level_scores import level_values
from droptable.core import fair
from droptable.core.game import Game
from droptable.core.language import _, ngettext, speaking
from droptable.games import games
from droptable.tables import daily
from droptable.tables.daily import Try
from droptable.tables.host import Host
from droptable.tables.rejected import Rejected
from droptable.web.api import answer, find_game
from droptable.web.identity import Doorkeeper
from droptable.web.language import LanguageQuery
from droptable.web.openapi import refusals, returns

MOST_SETTLED = 20  # results that one request looks up
CALENDAR = 35  # days that are shown
router = APIRouter(prefix="/api/daily")
Day = Annotated[str, Path(pattern=r"^\d{4}-\d{2}-\d{2}$", description="YYYY-MM-DD, by UTC")]


class DailyTable(Struct, frozen=True):
    """The table of your one try."""

    table: str


RESULTS = (DailyTable,)


@router.get("", responses=returns("Today, and what you did."))
async def today(request: Request, language: LanguageQuery = "en") -> Response:
    """Today's deals, your results with percentiles, your calendar and streak."""
    host: Host = request.app.state.host
    door: Doorkeeper = request.app.state.door
    who = await door.who(request)
    me = who.identity if who else ""
    day = daily.day_of(host.now)
    await settle(host, day, me)
    mine = await host.store.write(lambda c: daily.tries(c, me)) if me else []
    finished = {one.day for one in mine if one.rated}
    key = await host.store.secret("daily")
    with speaking(language):
        return answer({
            "day": day,
            "number": daily.number_of(day),
            "closes": daily.closes_at(day),
            "streak": daily.streak(finished, day),
            "calendar": _calendar(mine, day),
            "games": [await _game(host, game, day, key, me, mine) for game in games()],
        })  # fmt: skip


async def settle(host: Host, day: str, me: str) -> None:
    """Look up the results of tries that were finished since the last look."""
    for table in await host.store.write(lambda c: daily.unsettled(c, day, me, MOST_SETTLED)):
        try:
            result = daily.result_of(await host.table(table))
        except Rejected:  # deleted
            continue
        if result is not None:
            await _note(host, table, result)


async def _note(host: Host, table: str, result: daily.Result) -> None:
    await host.store.write(lambda c: daily.note_result(c, table, result))


def _calendar(mine: list[Try], day: str) -> list[dict[str, Any]]:
    """The last days, oldest first, and how many games were finished on each."""
    days = [daily.shifted(day, -back) for back in reversed(range(CALENDAR))]
    rated = [one.day for one in mine if one.rated]
    return [{"day": one, "finished": rated.count(one)} for one in days]


async def _game(
    host: Host, game: Game, day: str, key: str, me: str, mine: list[Try]
) -> dict[str, Any]:
    tried = next((one for one in mine if (one.day, one.game) == (day, game.name)), None)
    others = await host.store.write(lambda c: daily.values(c, day, game.name, me))
    about: dict[str, Any] = {
        "name": game.name,
        "title": game.title,
        "accent": game.scene.accent if game.scene else "gold",
        "opponents": daily.settings_of(game).seats.count(daily.OPPONENTS),
        "played": sum(others.values()) + bool(tried and tried.rated),
        "commitments": daily.commitments(key, day, game.name),
        "table": tried.table if tried else None,
        "result": None,
    }
    if tried is not None and tried.points is not None and tried.value is not None:
        about["result"] = _result(game, day, tried, others)
    return about


def _result(game: Game, day: str, tried: Try, others: dict[int, int]) -> dict[str, Any]:
    assert tried.points is not None and tried.value is not None
    value = tried.value
    levels = {
        level: {"share": daily.better_than(value, values), "matches": sum(values.values())}
        for level, values in level_values(game).items()
    }
    people = daily.better_than(value, others)
    share = people if people is not None else _mean([one["share"] for one in levels.values()])
    return {
        "points": tried.points,
        "won": tried.won,
        "rated": tried.rated,
        "people": people,
        "levels": levels,
        "text": share_text(game, day, tried, share),
    }


def _mean(shares: list[Any]) -> float | None:
    known = [share for share in shares if share is not None]
    return sum(known) / len(known) if known else None


def share_text(game: Game, day: str, tried: Try, share: float | None) -> str:
    """A result to tell others, which gives nothing of the deal away."""
    assert tried.points is not None
    reached = ngettext("{points} point", "{points} points", tried.points)
    reached = reached.format(points=tried.points)
    if game.players[0] > 1:
        reached = _("won, {points}") if tried.won else _("lost, {points}")
        points = ngettext("{points} point", "{points} points", tried.points)
        reached = reached.format(points=points.format(points=tried.points))
    values = {"game": game.title, "number": daily.number_of(day), "result": reached}
    if share is None or not tried.rated:
        return _("{game} daily {number}: {result}").format(**values)
    text = _("{game} daily {number}: {result}, better than {percent} %")
    return text.format(**values, percent=round(100 * share))


@router.post(
    "/{game}", status_code=201,
    responses=returns("Your table.", DailyTable, 201) | refusals("gone", "forbidden", "limit"),
)  # fmt: skip
async def play(request: Request, game: str) -> Response:
    """Begin today's deal of a game, or go on: there is one try."""
    door: Doorkeeper = request.app.state.door
    host: Host = request.app.state.host
    who = await door.known(request)
    table = await host.create_daily(who.identity, find_game(game), host.now)
    return answer(DailyTable(table.id), 201)


@router.get(
    "/{day}/proof", responses=returns("Commitments, and secrets.") | refusals("gone", "syntax")
)
async def proof(request: Request, day: Day) -> Response:
    """What the server committed itself to for a day, and the secrets once it is over."""
    host: Host = request.app.state.host
    today = daily.day_of(host.now)
    try:
        known = daily.FIRST <= date.fromisoformat(day) <= date.fromisoformat(
            daily.shifted(today, daily.AHEAD)
        )  # fmt: skip
    except ValueError:
        known = False
    if not known:
        raise Rejected("gone", _("there is no daily of {day}").format(day=day))
    key = await host.store.secret("daily")
    secrets = {game.name: daily.secret_of(key, day, game.name) for game in games()}
    hidden = daily.is_secret(day, host.now)
    return answer({
        "day": day,
        "generator": fair.GENERATOR,
        "games": {
            name: {
                "commitment": fair.commitment(secret),
                "secret": None if hidden else secret.hex(),
            }
            for name, secret in secrets.items()
        },
    })  # fmt: skip
