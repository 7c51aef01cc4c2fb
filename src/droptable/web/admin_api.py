"""What whoever hosts can do in a browser, with a token. Without one there are no such routes."""

from __future__ import annotations

import hmac
from dataclasses import asdict
from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Depends, Query, Request, Response
from msgspec import Struct

from droptable.core.language import _
from droptable.games import games
from droptable.tables import house, moderation, retention
from droptable.tables.host import Host
from droptable.tables.limits import Limits, RateLimiter
from droptable.tables.rejected import Rejected
from droptable.tables.statistics import statistics
from droptable.web import pages
from droptable.web.address import client_network
from droptable.web.api import answer, read
from droptable.web.config import Config
from droptable.web.openapi import body, refusals, returns
from droptable.web.usage_pictures import PICTURES, draw

WRONG_TOKENS = 5  # at once from an address; then one every ten seconds
WAIT = 10
Search = Annotated[str, Query(max_length=100, description="part of a name, or an id")]


class Guards:
    """Lets in whoever has the token, and slows down whoever guesses."""

    def __init__(self, config: Config) -> None:
        self._token = config.admin_token.encode()
        self.keep = config.keep
        self._wrong = RateLimiter(Limits(commands=1 / WAIT, burst=WRONG_TOKENS))

    def admit(self, request: Request) -> None:
        """`Rejected` unless the request has the token."""
        now, network = request.app.state.host.now, client_network(request.scope)
        if not self._wrong.has(network, now):
            message = _("too many wrong tokens from your address; wait a moment")
            raise Rejected("limit", message, wait=WAIT)
        given = request.headers.get("authorization", "").removeprefix("Bearer ")
        if not hmac.compare_digest(given.encode("utf-8", "surrogatepass"), self._token):
            self._wrong.takes(network, now)
            raise Rejected("forbidden", _("this needs the host's token"))


def _admit(request: Request) -> None:
    request.app.state.guards.admit(request)


router = APIRouter(prefix="/api/admin", dependencies=[Depends(_admit)])
page = APIRouter(include_in_schema=False)
FORBIDDEN = refusals("syntax", "forbidden", "limit")
GONE = refusals("syntax", "forbidden", "gone", "limit")


class Change(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What to change of a person: their name, or whether they are blocked (and why)."""

    name: str | None = None
    blocked: bool | None = None
    reason: str = ""


class Announcement(Struct, frozen=True, forbid_unknown_fields=True):
    """A text for all pages, from and to seconds since 1970."""

    text: str
    begins: float
    ends: float


STRUCTS = (Change, Announcement)
EXAMPLES: dict[type[Any], str] = {
    Change: '{"name": "Anna"} or {"blocked": true, "reason": "…"}',
    Announcement: '{"text": "…", "begins": 1795000000, "ends": 1795086400}',
}


def _host(request: Request) -> Host:
    host: Host = request.app.state.host
    return host


@page.get("/admin")
async def admin(request: Request) -> Response:
    """The host's page; it asks for the token."""
    return pages.page(request, "admin")


@router.get("", responses=returns("An overview.") | FORBIDDEN)
async def overview(request: Request) -> Response:
    """What is announced, what the host did last, and what would be deleted now."""
    host = _host(request)
    acts = await host.store.query(house.newest)
    keep = request.app.state.guards.keep
    return answer(
        {
            "announcement": host.house.announcement(host.now),
            "acts": [
                {"at": a.at, "act": a.act, "about": a.about, "detail": a.detail} for a in acts[:30]
            ],
            "old": await retention.overview(host.store, keep, host.now),
            "keep": asdict(keep),
            "open_tables": host.open_tables,
        }
    )


@router.get("/people", responses=returns("People.") | FORBIDDEN)
async def list_people(request: Request, search: Search = "") -> Response:
    """People by name or public id, the last visitors first."""
    return answer(await moderation.people(_host(request).store, search))


@router.put("/people/{person}", openapi_extra=body(Change), responses=returns("It is done.") | GONE)
async def change_person(request: Request, person: str) -> Response:
    """Rename a person, block them, or let them in again."""
    change: Change = await read(request, Change, EXAMPLES[Change])
    host = _host(request)
    if change.name is None and change.blocked is None:
        raise Rejected("syntax", _("expected {example}").format(example=EXAMPLES[Change]))
    if change.name is not None:
        await moderation.rename(host.store, person, change.name, host.now)
    if change.blocked:
        await moderation.block(host.store, person, change.reason, host.now)
    elif change.blocked is not None:
        await moderation.unblock(host.store, person, host.now)
    return await _heeded(host)


@router.delete("/people/{person}/chat", responses=returns("At how many tables.") | GONE)
async def remove_chat(request: Request, person: str) -> Response:
    """Remove all that a person said."""
    host = _host(request)
    count = await moderation.remove_chat(host.store, person, host.now)
    return await _heeded(host, {"tables": count})


@router.get("/groups", responses=returns("Groups.") | FORBIDDEN)
async def list_groups(request: Request, search: Search = "") -> Response:
    """Standing groups by name or id, those last used first."""
    return answer(await moderation.groups_named(_host(request).store, search))


@router.delete("/groups/{group}", responses=returns("It is gone.") | GONE)
async def remove_group(request: Request, group: str) -> Response:
    """Delete a standing group; its tables stay."""
    host = _host(request)
    await moderation.remove_group(host.store, group, host.now)
    return await _heeded(host)


@router.get("/tables", responses=returns("Tables.") | FORBIDDEN)
async def list_tables(
    request: Request,
    search: Search = "",
    status: Literal["", "waiting", "playing", "over", "closed"] = "",
) -> Response:
    """Tables by title, names, game or id, the newest first."""
    return answer(await moderation.tables(_host(request).store, search, status))


@router.get("/tables/{table}/chat", responses=returns("What was said.") | GONE)
async def list_chat(request: Request, table: str) -> Response:
    """What was said at a table."""
    return answer(await moderation.chat(_host(request).store, table))


@router.delete("/tables/{table}/chat/{seq}", responses=returns("It is gone.") | GONE)
async def remove_message(request: Request, table: str, seq: int) -> Response:
    """Remove one message."""
    host = _host(request)
    await moderation.remove_message(host.store, table, seq, host.now)
    return await _heeded(host)


@router.put(
    "/announcement", openapi_extra=body(Announcement),
    responses=returns("It is announced.") | FORBIDDEN,
)  # fmt: skip
async def announce(request: Request) -> Response:
    """Announce something on all pages, instead of what was announced before."""
    wanted: Announcement = await read(request, Announcement, EXAMPLES[Announcement])
    host = _host(request)
    await moderation.announce(host.store, wanted.text, wanted.begins, wanted.ends, host.now)
    return await _heeded(host)


@router.delete("/announcement", responses=returns("Nothing is announced.") | FORBIDDEN)
async def withdraw(request: Request) -> Response:
    """Announce nothing any more."""
    host = _host(request)
    await moderation.withdraw(host.store, host.now)
    return await _heeded(host)


@router.get("/usage/{picture}.svg", responses=returns("A picture.") | GONE)
async def usage(request: Request, picture: str) -> Response:
    """How much the server is used: matches, people, commands, present or busy."""
    if picture not in PICTURES:
        message = _("there is no picture {name}; expected {known}")
        raise Rejected("gone", message.format(name=repr(picture[:40]), known=", ".join(PICTURES)))
    host = _host(request)
    titles = {game.name: game.title for game in games()}
    svg = draw(picture, await statistics(host.store, host.now), titles)
    return Response(svg, media_type="image/svg+xml")


async def _heeded(host: Host, content: object = None) -> Response:
    """The answer to an act that this server heeds at once, others within a second."""
    await host.heed_house()
    return answer(msgspec.to_builtins(content or {}))
