"""How fair a game is, under /api: the figures that come with it."""

from __future__ import annotations

from fastapi import APIRouter, Response
from msgspec import Struct

from droptable.core.balance import Table, balance_of
from droptable.core.language import _
from droptable.tables.rejected import Rejected
from droptable.web.api import answer, find_game
from droptable.web.openapi import refusals, returns

router = APIRouter(prefix="/api")


class Measured(Struct, frozen=True):
    """A game's figures by number of players and kind of bot, each with its interval of 95 %."""

    name: str
    title: str
    accent: str
    tables: tuple[Table, ...]


RESULTS = (Measured,)


@router.get(
    "/games/{game}/balance",
    responses=returns("What a study of this game found.", Measured) | refusals("gone"),
)
async def balance(game: str) -> Response:
    """How fair a game is between bots, at every number of players."""
    subject = find_game(game)
    found = balance_of(subject)
    if found is None:
        message = _("Nobody has measured {game} yet.")
        raise Rejected("gone", message.format(game=subject.title))
    accent = subject.scene.accent if subject.scene else "gold"
    return answer(Measured(subject.name, subject.title, accent, found.tables))
