"""Cards: what other programs show of a link to a page (OpenGraph, Twitter): a title, how things
stand, and a picture of the position as a spectator may see it.

Whoever fetches a page for a card needs no identity and gets none. Pictures are drawn by the
studio's crew of low priority, and kept there.
"""

from __future__ import annotations

import asyncio
import hashlib
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from html import escape
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Request, Response

from droptable.core.game import Game
from droptable.core.language import _, ngettext, speaking, spoken
from droptable.core.raster import can_draw
from droptable.games import games
from droptable.tables import groups
from droptable.tables.crew import Owner
from droptable.tables.daily import day_of
from droptable.tables.database import DatabaseError
from droptable.tables.log_text import verdict
from droptable.tables.rejected import Rejected
from droptable.tables.settings import tidy
from droptable.tables.table import Table
from droptable.web.address import client_network
from droptable.web.api import find_game
from droptable.web.card_pictures import HEIGHT, WIDTH, draw_game, draw_position
from droptable.web.language import LanguageQuery
from droptable.web.replay_api import Kept, Replays

PATIENCE = 2.0  # seconds for a page to find out what its card says
KEEP_SECONDS = 86400  # the address of a picture changes with what it shows
router = APIRouter(include_in_schema=False)


@dataclass(frozen=True)
class Card:
    """What is said of a page, in the reader's language."""

    title: str
    text: str
    picture: str = ""  # its address on this server
    listed: bool = True  # whether search engines may name the page
    secret: bool = False  # whether the page's address is not to be repeated

    def tags(self, request: Request) -> str:
        """The card as tags of a page's head."""
        site = site_of(request)
        drawn = self.picture if self.picture and can_draw() else ""
        path = request.url.path.removeprefix(request.scope["root_path"]).lstrip("/")
        properties = {
            "og:site_name": "Droptable",
            "og:type": "website",
            "og:title": self.title,
            "og:description": self.text,
            "og:url": site if self.secret else site + path,
        }
        names = {
            "twitter:card": "summary_large_image" if drawn else "summary",
            "twitter:title": self.title,
            "twitter:description": self.text,
        }
        if drawn:
            properties |= {
                "og:image": site + drawn, "og:image:type": "image/png",
                "og:image:width": str(WIDTH), "og:image:height": str(HEIGHT),
                "og:image:alt": self.text,
            }  # fmt: skip
            names["twitter:image"] = site + drawn
        if not self.listed:
            names["robots"] = "noindex"
        tags = [_tag("property", key, value) for key, value in properties.items()]
        tags += [_tag("name", key, value) for key, value in names.items()]
        return "\n".join(tags)


def _tag(kind: str, key: str, value: str) -> str:
    return f'<meta {kind}="{key}" content="{escape(tidy(value))}">'


def site_of(request: Request) -> str:
    """The address of this server for people, with a slash at its end."""
    site = request.app.state.config.site or str(request.base_url)
    return site.rstrip("/") + "/"


# -- what is said ---------------------------------------------------------------------------------


def home_card() -> Card:
    """Of the start page."""
    text = _("The table for five drop games: play with friends or bots.")
    return Card("Droptable", text, _picture("games", games()[0].name))


def learn_card(name: str) -> Card:
    """Of the rules of a game, or of all."""
    for game in games():
        if game.name == name:
            return game_card(game, _("{game}: the rules").format(game=game.title), _(game.summary))
    return replace(home_card(), title=_("Learn the games"))


def game_card(game: Game, title: str, text: str) -> Card:
    """Of a page about a game."""
    return Card(title, text, _picture("games", game.name))


def daily_card() -> Card:
    """Of today's deals, with the picture of another game each day."""
    today = day_of(datetime.now(UTC).timestamp())
    game = games()[datetime.fromisoformat(today).toordinal() % len(games())]
    text = _("One deal of each game, the same for everybody. One try.")
    return game_card(game, _("Droptable daily, {day}").format(day=today), text)


def puzzles_card() -> Card:
    """Of the puzzles, without the position of any."""
    text = _("Positions from real matches where one move is clearly best. Find it.")
    return replace(home_card(), title=_("Puzzles"), text=text)


async def group_card(request: Request, key: str) -> Card:
    """Of a standing group: its name and its size, but neither its people nor its link."""
    text = _("Join to play together and see who wins how often.")
    with suppress(Rejected, DatabaseError, TimeoutError):
        async with asyncio.timeout(PATIENCE):
            store = request.app.state.host.store
            group = await groups.find(store, key, None)
            members = [one for one in await groups.people(store, group.id) if not one.gone]
        counted = ngettext("{count} member", "{count} members", len(members))
        text = f"{counted.format(count=len(members))}. {text}"
        return Card(group.name, text, home_card().picture, listed=False, secret=True)
    return replace(_unknown(), secret=True)


async def table_card(request: Request, id_: str) -> Card:
    """Of a table, as a spectator may know it; of none, if there is no such table."""
    with suppress(Rejected, DatabaseError, TimeoutError):
        async with asyncio.timeout(PATIENCE):
            table = await request.app.state.host.table(id_)
        version = hashlib.sha256(repr(shown(table)).encode()).hexdigest()[:12]
        picture = "" if table.game is None else _picture("tables", table.id, version)
        return Card(_title(table), standing(table), picture, listed=False)
    return _unknown()


async def replay_card(request: Request, key: str) -> Card:
    """Of a replay: of a table's match that is over, or of a record that was sent."""
    full = key if ":" in key else f"table:{key}"
    with suppress(Rejected, DatabaseError, TimeoutError):
        async with asyncio.timeout(PATIENCE):
            kept = await _replay(request, full)
        game = kept.match.game
        text = kept.verdict() or ngettext(
            "A match of {count} player, move by move.",
            "A match of {count} players, move by move.",
            kept.match.players,
        ).format(count=kept.match.players)
        title = _("Replay: {game}").format(game=game.title)
        return Card(title, text, _picture("replays", full), listed=False)
    return _unknown()


def _unknown() -> Card:
    return Card("Droptable", home_card().text, listed=False)


def _title(table: Table) -> str:
    name = table.settings.game if table.game is None else table.game.title
    return f"{table.settings.title} ({name})" if table.settings.title else name


def standing(table: Table) -> str:
    """How things stand at a table, in a sentence."""
    game = table.settings.game if table.game is None else table.game.title
    taken = sum(seat.taken for seat in table.seats)
    match table.status:
        case "waiting":
            return ngettext(
                "{game}, {taken} of {count} seat taken",
                "{game}, {taken} of {count} seats taken",
                table.players,
            ).format(game=game, taken=taken, count=table.players)
        case "playing":
            names = ", ".join(table.names)
            return _("{game}, being played by {names}").format(game=game, names=names)
        case "over":
            return verdict(table)
    return _("This table was closed.")


def _picture(kind: str, name: str, version: str = "") -> str:
    address = f"cards/{kind}/{quote(name, safe='')}.png?language={spoken()}"
    return f"{address}&v={version}" if version else address


# -- pictures -------------------------------------------------------------------------------------


@router.get("/cards/games/{game}.png")
async def game_picture(request: Request, game: str, language: LanguageQuery = "en") -> Response:
    """A match of a game."""
    name = find_game(game).name
    return await _drawn(request, ("card", name, language), draw_game, name, language)


@router.get("/cards/tables/{table}.png")
async def table_picture(request: Request, table: str, language: LanguageQuery = "en") -> Response:
    """A table's position, as spectators see it; before the match, a match of its game."""
    watched: Table = await request.app.state.host.table(table)
    if watched.game is None or watched.frozen:
        raise Rejected("gone", watched.frozen)
    with speaking(language):
        given = shown(watched)
    if not given:
        return await game_picture(request, watched.game.name, language)
    return await _drawn(request, ("card", *given, language), draw_position, *given, language)


@router.get("/cards/replays/{key}.png")
async def replay_picture(request: Request, key: str, language: LanguageQuery = "en") -> Response:
    """The last position of a match."""
    kept = await _replay(request, key)
    files = ("card", kept.key, kept.match.length, language)
    studio = _replays(request).studio
    return _file(await studio.file(files, kept.match, _owner(request), language, "card"))


def shown(table: Table) -> tuple[Any, ...]:
    """What the picture of a table follows from: nothing but the spectators' view and the names."""
    view = table.ledgers[None].view
    if view is None:
        return ()
    options = repr(sorted(view.options.items()))
    return (
        view.game.name, view.players, options, view.array.tobytes(), tuple(table.names),
        tuple(table.faces),
    )  # fmt: skip


def _replays(request: Request) -> Replays:
    replays: Replays = request.app.state.replays
    return replays


async def _replay(request: Request, key: str) -> Kept:
    return await _replays(request).find(key, request.app.state.host.table)


async def _drawn(request: Request, key: object, work: Any, *given: Any) -> Response:
    studio = _replays(request).studio
    return _file(await studio.draw(key, _owner(request), work, *given))


def _owner(request: Request) -> Owner:
    return client_network(request.scope), "cards"


def _file(pixels: bytes) -> Response:
    headers = {"Cache-Control": f"max-age={KEEP_SECONDS}"}
    return Response(pixels, media_type="image/png", headers=headers)
