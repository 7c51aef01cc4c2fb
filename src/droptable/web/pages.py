"""Pages: one HTML shell, a script module each. They know no game's rules."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from html import escape
from pathlib import Path

from fastapi import APIRouter, Request, Response

from droptable.core.language import _, spoken
from droptable.core.scene import stylesheet
from droptable.tables.rejected import Rejected
from droptable.web.language import offered

STATIC = Path(__file__).with_name("static")
KINDS = {
    ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}  # fmt: skip
STYLES = {"table": ("table", "waiting")}  # of pages that need more than the one of their name
router = APIRouter(include_in_schema=False)


@router.get("/")
async def home(request: Request) -> Response:
    """Choose a game, find a table."""
    return _page(request, "home")


@router.get("/t/{table}")
async def table(request: Request, table: str) -> Response:  # noqa: ARG001
    """Play or watch."""
    return _page(request, "table")


@router.get("/replay")
@router.get("/replay/{table}")
async def replay(request: Request) -> Response:
    """Replay a match, with the coach."""
    return _page(request, "replay")


@router.get("/learn")
@router.get("/learn/{game}")
async def learn(request: Request) -> Response:
    """The rules, with exercises."""
    return _page(request, "learn")


@router.get("/move")
async def move(request: Request) -> Response:
    """Move an identity; the secret is behind the # and so never sent with the address."""
    return _page(request, "transfer")


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
    return _page(request, "not_found", 404)


def _page(request: Request, name: str, status: int = 200) -> Response:
    styles = [style for style in STYLES.get(name, (name,)) if (STATIC / f"{style}.css").is_file()]
    own = "".join(f'<link rel="stylesheet" href="static/{style}.css">\n' for style in styles)
    values = {
        "prefix": escape(str(request.scope.get("root_path", ""))),
        "language": spoken(),
        "languages": escape(json.dumps(offered(), ensure_ascii=False)),
        "summary": escape(_("The table for five drop games: play with friends or bots.")),
        "scripts": escape(_("Droptable needs JavaScript to show the table.")),
        "style": own,
        "page": name,
    }
    html = _file("page.html")[0].decode()
    for key, value in values.items():
        html = html.replace(f"{{{key}}}", value)
    headers = {"Cache-Control": "no-cache", "Vary": "Accept-Language"}
    return Response(html, status, media_type="text/html", headers=headers)


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
