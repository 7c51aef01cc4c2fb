"""People one has played with, and invitations, under /api. Others are named by public ids only."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from msgspec import Struct

from droptable.notices.service import Notices
from droptable.tables import friends
from droptable.tables.decide import Who
from droptable.tables.host import Host
from droptable.web.api import answer, read
from droptable.web.openapi import body, refusals, returns

router = APIRouter(prefix="/api")


class Invitable(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether people whom you have played with may invite you."""

    invitable: bool


class Blocking(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether somebody may not invite you."""

    blocked: bool


class Invited(Struct, frozen=True, forbid_unknown_fields=True):
    """Whom you invite, by public id."""

    person: str


STRUCTS = (Invitable, Blocking, Invited)


async def _known(request: Request) -> tuple[Host, Who]:
    """Somebody with a name, whose request is counted: it asks the database for much."""
    host: Host = request.app.state.host
    who: Who = await request.app.state.door.known(request)
    host.count_request(who.identity)
    return host, who


@router.get(
    "/friends", responses=returns("The last ones first.") | refusals("forbidden", "limit")
)  # fmt: skip
async def get_friends(request: Request) -> Response:
    """People whom you have finished matches with, and whether they may invite you."""
    host, who = await _known(request)
    return answer({
        "invitable": await friends.invitable(host.store, who.identity),
        "friends": await friends.friends(host.store, who.identity),
    })  # fmt: skip


@router.put(
    "/friends/me", openapi_extra=body(Invitable),
    responses=returns("Your choice.", Invitable) | refusals("syntax", "forbidden", "limit"),
)  # fmt: skip
async def put_invitable(request: Request) -> Response:
    """Let people whom you have played with invite you, or nobody."""
    host, who = await _known(request)
    wanted: Invitable = await read(request, Invitable, '{"invitable": true}')
    await friends.set_invitable(host.store, who.identity, wanted=wanted.invitable)
    return answer(wanted)


@router.put(
    "/friends/{person}", openapi_extra=body(Blocking),
    responses=returns("Your choice.", Blocking)
    | refusals("syntax", "forbidden", "gone", "limit"),
)  # fmt: skip
async def put_blocked(request: Request, person: str) -> Response:
    """Take no invitations from somebody, or take them again; they are not told."""
    host, who = await _known(request)
    wanted: Blocking = await read(request, Blocking, '{"blocked": true}')
    await friends.block(host.store, who.identity, person, blocked=wanted.blocked)
    return answer(wanted)


@router.post(
    "/tables/{table}/invitations", openapi_extra=body(Invited), status_code=201,
    responses=returns("Whom you have invited.", Invited, 201)
    | refusals("syntax", "forbidden", "gone", "illegal", "limit"),
)  # fmt: skip
async def invite(request: Request, table: str) -> Response:
    """Invite somebody whom you have played with to a table at which you sit."""
    host, who = await _known(request)
    wanted: Invited = await read(request, Invited, '{"person": "ID"}')
    current = await host.table(table)
    told = await friends.invite(host.store, current, who, wanted.person, host.now)
    if told is not None:
        notices: Notices = request.app.state.notices
        await notices.invite(told, table, who)
    return answer(wanted, 201)


@router.get(
    "/invitations", responses=returns("The newest first.") | refusals("forbidden", "limit")
)  # fmt: skip
async def get_invitations(request: Request) -> Response:
    """Tables that you are invited to and that still wait."""
    host, who = await _known(request)
    return answer(await friends.invitations(host.store, who.identity, host.now))


@router.delete(
    "/invitations/{table}",
    responses=returns("It is not shown any more.") | refusals("forbidden", "limit"),
)
async def decline(request: Request, table: str) -> Response:
    """Decline an invitation: nobody can repeat it. Who invited you is not told."""
    host, who = await _known(request)
    await friends.decline(host.store, who.identity, table)
    return answer({"declined": table})
