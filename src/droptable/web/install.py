"""Droptable as an app on a device: manifest, icons, service worker, and the page without a network.

The worker keeps only what the offline page needs. Everything else always comes from the server, so
no device ever plays by old rules.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache

from fastapi import APIRouter, Request, Response
from starlette.responses import RedirectResponse

from droptable.core.language import _, spoken
from droptable.core.raster import can_draw, png
from droptable.tables.rejected import Rejected
from droptable.web.pages import STATIC, page

KEPT = ("offline", "static/base.css", "static/icon.svg", "static/offline.js")  # while offline
SIZES = (180, 192, 512)  # pixels of icons: Apple's, and the two that installing asks for
PAPER, INK = "#faf5ea", "#b3541e"
router = APIRouter(include_in_schema=False)


@router.get("/manifest.webmanifest")
async def manifest() -> Response:
    """What a device needs to know to install the app. Addresses are relative to this one."""
    described = {
        "id": "./",
        "name": "Droptable",
        "short_name": "Droptable",
        "description": _("The table for five drop games: play with friends or bots."),
        "lang": spoken(),
        "start_url": "./",
        "scope": "./",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": PAPER,
        "categories": ["games"],
        "icons": _icons(),
        "share_target": {
            "action": "share",
            "method": "POST",
            "enctype": "multipart/form-data",
            "params": {"files": [{"name": "record", "accept": ["application/json", ".json"]}]},
        },
    }
    headers = {"Cache-Control": "no-cache", "Vary": "Accept-Language"}
    text = json.dumps(described, ensure_ascii=False)
    return Response(text, media_type="application/manifest+json", headers=headers)


def _icons() -> list[dict[str, str]]:
    drawn = [
        {"src": "static/icon.svg", "type": "image/svg+xml", "sizes": "any"},
        {"src": "icons/maskable.svg", "type": "image/svg+xml", "sizes": "any",
         "purpose": "maskable"},
    ]  # fmt: skip
    sized = [
        {"src": f"icons/{size}.png", "type": "image/png", "sizes": f"{size}x{size}"}
        for size in SIZES
        if can_draw()
    ]
    return [*sized, *drawn]


@cache
def _png(size: int) -> bytes:
    return png(_full_square(), size)


def _full_square() -> str:
    """The icon without round corners: devices cut it to their own shape."""
    return (STATIC / "icon.svg").read_text("utf-8").replace('rx="7" ', "", 1)


@router.get("/icons/maskable.svg")
async def maskable() -> Response:
    """The icon, to be cut to any shape."""
    return Response(_full_square(), media_type="image/svg+xml")


@router.get("/icons/{size}.png")
async def icon(size: int) -> Response:
    """The icon in pixels."""
    if size not in SIZES:
        unknown = _("there is no icon of {size} pixels; expected {known}")
        known = ", ".join(map(str, SIZES))
        raise Rejected("gone", unknown.format(size=size, known=known))
    headers = {"Cache-Control": "max-age=86400"}
    return Response(_png(size), media_type="image/png", headers=headers)


@router.get("/sw.js")
async def service_worker() -> Response:
    """The worker of this version. It lies here, not in static/, to be in charge of all pages."""
    script = (STATIC / "service_worker.js").read_text("utf-8")
    script = script.replace("{version}", _version()).replace("{kept}", " ".join(KEPT))
    headers = {"Cache-Control": "no-cache"}
    return Response(script, media_type="text/javascript", headers=headers)


@cache
def _version() -> str:
    """Changes with any file of the pages, so that devices notice."""
    files = sorted(file for file in STATIC.iterdir() if file.is_file())
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]


@router.get("/offline")
async def offline(request: Request) -> Response:
    """What a device shows while it cannot reach the server."""
    lead = _("Your matches are safe on the server. This page goes on as soon as it is back.")
    return page(request, "offline", content=(_("No connection"), lead, _("Try again")))


@router.post("/share")
async def share() -> Response:
    """A record that was shared with the app, where no worker has taken it."""
    return RedirectResponse("replay?shared=refused", 303)
