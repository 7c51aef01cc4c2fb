"""Pages: one HTML shell, a script module each. They know no game's rules."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from html import escape
from pathlib import Path

from fastapi import APIRouter, Request, Response

from droptable.bots.levels import LEVELS
from droptable.core.language import _, spoken
from droptable.core.scene import stylesheet
from droptable.tables.rejected import Rejected
from droptable.web import cards
from droptable.web.cards import Card
from droptable.web.language import offered

STATIC = Path(__file__).with_name("static")
KINDS = {
    ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}  # fmt: skip
STYLES = {  # of pages that need other ones than the one of their name
    "table": ("table", "waiting", "curtain"), "profile": ("people",), "leaders": ("people",),
    "friends": ("people", "friends", "group"), "group": ("people", "friends", "group"),
    "home": ("home", "friends", "group"),
    "puzzles": ("table", "puzzle_card", "puzzles"), "daily": ("daily", "puzzle_card"),
}  # fmt: skip
WITHOUT_CARD = {  # pages that say nothing of themselves to programs that show links; their scripts
    "/learn/{game}/balance": "balance",
    "/p/{person}": "profile",
    "/leaders": "leaders",
    "/friends": "friends",
    "/notices": "notices",  # secrets of links in mails are behind the #, …
    "/move": "transfer",  # … and so are those that move an identity: never sent with the address
}
router = APIRouter(include_in_schema=False)


@router.get("/")
async def home(request: Request) -> Response:
    """Choose a game, find a table."""
    return page(request, "home", card=cards.home_card())


@router.get("/t/{table}")
async def table(request: Request, table: str) -> Response:
    """Play or watch."""
    return page(request, "table", card=await cards.table_card(request, table))


@router.get("/tv/{table}")
async def tv(request: Request, table: str) -> Response:
    """Show a table on a large screen, as spectators see it."""
    return page(request, "tv", card=await cards.table_card(request, table))


@router.get("/replay")
@router.get("/replay/{table}")
async def replay(request: Request, table: str = "") -> Response:
    """Replay a match, with the coach."""
    return page(request, "replay", card=await cards.replay_card(request, table))


@router.get("/learn")
@router.get("/learn/{game}")
async def learn(request: Request, game: str = "") -> Response:
    """The rules, with exercises."""
    return page(request, "learn", card=cards.learn_card(game))


@router.get("/daily")
async def daily(request: Request) -> Response:
    """The deals of the day."""
    return page(request, "daily", card=cards.daily_card())


@router.get("/g/{group}")
async def group(request: Request, group: str) -> Response:
    """A standing group, by the secret of its link; or, for its members, by its id."""
    return page(request, "group", card=await cards.group_card(request, group))


@router.get("/puzzles")
@router.get("/puzzles/{puzzle}")
@router.get("/mistakes")
@router.get("/mistakes/{mistake}")
async def puzzles(request: Request) -> Response:
    """Find the best move; and again, where I missed it."""
    return page(request, "puzzles", card=cards.puzzles_card())


def _add_page(path: str, name: str) -> None:
    async def show(request: Request) -> Response:
        return page(request, name)

    router.add_api_route(path, show, name=name)


for _path, _name in WITHOUT_CARD.items():
    _add_page(_path, _name)


@router.get("/static/{name:path}")
async def static(request: Request, name: str) -> Response:
    """A module, a style or a picture."""
    data, tag = _file(name)
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers={"ETag": tag})
    kind = KINDS.get(Path(name).suffix, "application/octet-stream")
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    return Response(data, media_type=kind, headers=headers)


def not_found(request: Request) -> Response:
    """The page for an address that does not exist: mistyped, or an old link."""
    return page(request, "not_found", 404)


def page(
    request: Request, name: str, status: int = 200, content: tuple[str, str, str] | None = None,
    card: Card | None = None,
) -> Response:  # fmt: skip
    """The page of a script; or, with a title, a text and a button's label, one that needs none.

    Other programs that show a link to it show its card.
    """
    styles = [style for style in STYLES.get(name, (name,)) if (STATIC / f"{style}.css").is_file()]
    own = "".join(f'<link rel="stylesheet" href="static/{style}.css">\n' for style in styles)
    values = {
        "prefix": escape(str(request.scope.get("root_path", ""))),
        "language": spoken(),
        "languages": escape(json.dumps(offered(), ensure_ascii=False)),
        "levels": escape(json.dumps(list(LEVELS))),
        "bots": escape(json.dumps(request.app.state.config.own_bot_names)),
        "summary": escape(_("The table for five drop games: play with friends or bots.")),
        "scripts": escape(_("Droptable needs JavaScript to show the table.")),
        "style": own,
        "page": name,
        "content": "" if content is None else _plain(*content),
        "card": "" if card is None else card.tags(request) + "\n",
    }
    html = _file("page.html")[0].decode()
    for key, value in values.items():
        html = html.replace(f"{{{key}}}", value)
    headers = {"Cache-Control": "no-cache", "Vary": "Accept-Language"}
    return Response(html, status, media_type="text/html", headers=headers)


def _plain(title: str, text: str, button: str) -> str:
    return (
        f'<main class="narrow"><div class="card-box"><h1>{escape(title)}</h1><p>{escape(text)}</p>'
        f'<p><button type="button" class="main">{escape(button)}</button></p></div></main>'
    )


def _file(name: str) -> tuple[bytes, str]:
    if name == "scene.css":
        data = stylesheet().encode()
    else:
        file = (STATIC / name.replace("\0", "/")).resolve()  # no file has such a name
        if not file.is_relative_to(STATIC) or not file.is_file():
            raise Rejected("gone", _("there is no page {name}").format(name=repr(name[:100])))
        data = file.read_bytes()
    return data, _tag(data)


@cache
def _tag(data: bytes) -> str:
    return f'"{hashlib.sha256(data).hexdigest()[:16]}"'
