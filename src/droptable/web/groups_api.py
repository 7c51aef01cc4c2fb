"""Standing groups under /api/groups: a group is named by its id (to its members) or its secret."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Header, Request, Response
from msgspec import Struct
from msgspec.structs import replace

from droptable.core.errors import UnknownGame
from droptable.core.language import _
from droptable.games import game as game_of
from droptable.notices.service import Notices
from droptable.tables import bulk, friends, group_results, groups, profiles
from droptable.tables.appends import TEXT
from droptable.tables.database import Connection
from droptable.tables.decide import Who
from droptable.tables.events import Identity
from droptable.tables.group_results import GroupTable, Tally
from droptable.tables.groups import DAY, Group, Member
from droptable.tables.host import Host
from droptable.tables.rejected import Rejected
from droptable.tables.settings import OPEN, Settings, check
from droptable.tables.store import Store
from droptable.web.address import client_network
from droptable.web.api import EXAMPLES, LONGEST_KEY, answer, invite_address, qr_code, read
from droptable.web.openapi import body, refusals, returns

RECENT = 20  # matches that a group lists
ME = "me"
router = APIRouter(prefix="/api/groups")
FORBIDDEN = refusals("syntax", "forbidden", "gone", "limit")


class GroupName(Struct, frozen=True, forbid_unknown_fields=True):
    """What a group is called."""

    name: str


class NewGroup(Struct, frozen=True):
    """A group's id, by which its members reach it."""

    group: str


class GroupLink(Struct, frozen=True):
    """The link by which people join a group: whoever has it can look and join."""

    link: str
    qr: str  # an SVG of it


class GroupResult(Struct, frozen=True):
    """Somebody's matches of one game in the group; a shared victory counts as a share."""

    game: str
    title: str
    matches: int
    wins: float
    last: float


class GroupMember(Struct, frozen=True):
    """Somebody in a group; `id` is null where strangers would be led to a hidden profile."""

    id: str | None
    name: str
    hidden: bool
    founder: bool
    mine: bool
    results: tuple[GroupResult, ...]


class GroupMatch(Struct, frozen=True):
    """A table of a group that waits, is being played, or whose match is over."""

    table: str
    game: str
    title: str
    status: str
    names: tuple[str, ...]
    winners: tuple[str, ...]
    free: int
    at: float
    seated: bool  # whether you sit there
    counts: bool  # among the results


class GroupPage(Struct, frozen=True):
    """A group, as a member or somebody with its link sees it; only members see its tables."""

    id: str
    name: str
    created: float
    member: bool
    founder: bool
    members: tuple[GroupMember, ...]
    matches: int  # that count
    tables: tuple[GroupMatch, ...]
    recent: tuple[GroupMatch, ...]


class GroupTableOpened(Struct, frozen=True):
    """A table for the group, and how many of its people were invited."""

    table: str
    commitment: str
    invited: int


STRUCTS = (
    GroupName, NewGroup, GroupLink, GroupMember, GroupResult, GroupMatch, GroupPage,
    GroupTableOpened,
)  # fmt: skip
NAME = '{"name": "Friday table"}'


def _host(request: Request) -> Host:
    host: Host = request.app.state.host
    return host


async def _known(request: Request) -> tuple[Host, Who]:
    """Somebody with a name, whose request is counted: it asks the database for much."""
    host = _host(request)
    who: Who = await request.app.state.door.known(request)
    host.count_request(who.identity)
    return host, who


async def _member(request: Request, key: str) -> tuple[Host, Who, Group]:
    """A member of a group, as `_known`."""
    host, who = await _known(request)
    group = await groups.find(host.store, key, who.identity)
    people = await groups.people(host.store, group.id)
    if not any(one.identity == who.identity and not one.gone for one in people):
        raise Rejected("forbidden", _("only members of this group may do that: join it first"))
    return host, who, group


async def _founder(request: Request, key: str) -> tuple[Host, Group]:
    host, who, group = await _member(request, key)
    groups.require_founder(group, who.identity)
    return host, group


@router.get("", responses=returns("By name.") | refusals("forbidden", "limit"))
async def get_groups(request: Request) -> Response:
    """The groups that you are a member of."""
    host, who = await _known(request)
    return answer(await groups.listed(host.store, who.identity))


@router.post(
    "", status_code=201, openapi_extra=body(GroupName),
    responses=returns("Your group.", NewGroup, 201) | refusals("syntax", "forbidden", "limit"),
)  # fmt: skip
async def found_group(request: Request) -> Response:
    """Make a group. You are its founder, and its first member."""
    host, who = await _known(request)
    wanted: GroupName = await read(request, GroupName, NAME)
    groups.check_name(wanted.name)
    request.app.state.crowd.count_group(client_network(request.scope))
    return answer(
        NewGroup(await groups.found(host.store, who.identity, wanted.name, host.now)), 201
    )


@router.get("/{group}", responses=returns("The group.", GroupPage) | FORBIDDEN)
async def get_group(request: Request, group: str) -> Response:
    """A group with its people and results, for members and whoever has its link."""
    host = _host(request)
    who: Who | None = await request.app.state.door.who(request)
    identity = None if who is None else who.identity
    host.count_request(identity or f"address {client_network(request.scope)}")
    found = await groups.find(host.store, group, identity)
    return answer(await _page(host, found, identity))


@router.put(
    "/{group}", openapi_extra=body(GroupName), responses=returns("Its name.", GroupName) | FORBIDDEN
)
async def rename_group(request: Request, group: str) -> Response:
    """Give your group another name."""
    host, found = await _founder(request, group)
    wanted: GroupName = await read(request, GroupName, NAME)
    return answer(GroupName(await groups.rename(host.store, found, wanted.name)))


@router.delete("/{group}", responses=returns("It is gone.") | FORBIDDEN)
async def delete_group(request: Request, group: str) -> Response:
    """Delete your group with its results. Its tables and replays stay."""
    host, found = await _founder(request, group)
    await groups.delete(host.store, found.id)
    return answer({})


@router.post(
    "/{group}/members", status_code=201, responses=returns("You belong to it.", NewGroup, 201)
    | FORBIDDEN,
)  # fmt: skip
async def join_group(request: Request, group: str) -> Response:
    """Become a member of the group whose link you have. Idempotent."""
    host, who = await _known(request)
    found = await groups.find(host.store, group, who.identity)
    request.app.state.crowd.count_group(client_network(request.scope))
    await groups.join(host.store, found, who.identity, host.now)
    return answer(NewGroup(found.id), 201)


@router.delete("/{group}/members/{person}", responses=returns("It is done.") | FORBIDDEN)
async def remove_member(request: Request, group: str, person: str) -> Response:
    """Leave a group (as `me`), or remove somebody from yours. Nobody is told."""
    host, who, found = await _member(request, group)
    if person == ME:
        await groups.leave(host.store, found, who.identity)
    else:
        groups.require_founder(found, who.identity)
        await groups.remove(host.store, found, person)
    return answer({})


@router.get("/{group}/link", responses=returns("Its link.", GroupLink) | FORBIDDEN)
async def get_link(request: Request, group: str) -> Response:
    """The link by which people join, for members to share."""
    _host_of, _who, found = await _member(request, group)
    return answer(_link(request, found.secret))


@router.post(
    "/{group}/link", status_code=201, responses=returns("Its new link.", GroupLink, 201) | FORBIDDEN
)
async def renew_link(request: Request, group: str) -> Response:
    """Make a new link for your group; the old one does not work any more."""
    host, found = await _founder(request, group)
    return answer(_link(request, await groups.renew(host.store, found)), 201)


def _link(request: Request, secret: str) -> GroupLink:
    path = f"g/{secret}"
    return GroupLink(f"{invite_address(request)}{path}", qr_code(request, path))


@router.post(
    "/{group}/tables", status_code=201, openapi_extra=body(Settings),
    responses=returns("Your table.", GroupTableOpened, 201) | FORBIDDEN,
)  # fmt: skip
async def open_table(
    request: Request,
    group: str,
    idempotency_key: Annotated[str, Header(max_length=LONGEST_KEY)] = "",
) -> Response:
    """Open a private table for a group, and invite its people, as far as they take invitations."""
    host, who, found = await _member(request, group)
    wanted: Settings = await read(request, Settings, EXAMPLES[Settings])
    settings = check(replace(wanted, public=False, title=wanted.title or found.name))
    if OPEN not in settings.seats:
        raise Rejected("syntax", _("a table for a group needs an open seat: nobody could join it"))
    network = client_network(request.scope)
    table = await host.create(who.identity, settings, idempotency_key, network)
    await groups.note_table(host.store, found.id, table.id, host.now)
    others = [
        one.identity
        for one in await groups.people(host.store, found.id)
        if not one.gone and one.identity != who.identity
    ]
    told = await friends.invite_members(host.store, table.id, who.identity, others, host.now)
    notices: Notices = request.app.state.notices
    for identity in told:
        await notices.invite(identity, table.id, who)
    commitment = "" if table.sealed is None else table.sealed.commitment
    return answer(GroupTableOpened(table.id, commitment, len(told)), 201)


# -- the page -------------------------------------------------------------------------------------


async def _page(host: Host, group: Group, viewer: Identity | None) -> GroupPage:
    store = host.store
    everybody = await groups.people(store, group.id)
    members = [one for one in everybody if not one.gone]
    inside = any(one.identity == viewer for one in members)
    if inside and group.used < host.now - DAY:
        await store.write(partial(groups.touch, group=group.id, now=host.now))
    played = await group_results.tables(store, group.id, host.now)
    known = [one.identity for one in everybody]
    counting = await group_results.counting(store, played, known)
    counted = {one.table for one in counting}
    listed = [_match(one, viewer, one.table in counted) for one in played if inside]
    return GroupPage(
        group.id, group.name, group.created, inside, group.founder == viewer,
        await _members(store, group, members, counting, viewer if inside else None),
        len(counting),
        tuple(one for one in listed if one.status in ("waiting", "playing")),
        tuple(one for one in listed if one.status == "over")[:RECENT],
    )  # fmt: skip


async def _members(
    store: Store, group: Group, members: Sequence[Member], counting: Sequence[GroupTable],
    viewer: Identity | None,
) -> tuple[GroupMember, ...]:  # fmt: skip
    """The members by victories; `viewer` is nobody if they are none."""
    ids = await profiles.public_ids_of(store, [one.identity for one in members])
    named = await store.query(partial(_named, people=[one.identity for one in members]))
    shown = []
    for one in members:
        if one.identity not in named:
            continue  # just deleted
        name, hidden = named[one.identity]
        tallies = group_results.tallies(counting, one.identity)
        id_ = None if hidden and viewer is None else ids.get(one.identity)
        shown.append(
            GroupMember(
                id_, name, hidden, one.identity == group.founder, one.identity == viewer,
                tuple(map(_result, tallies)),
            )
        )  # fmt: skip
    return tuple(sorted(shown, key=_standing))


def _standing(member: GroupMember) -> tuple[float, int, str]:
    wins = sum(result.wins for result in member.results)
    return -wins, sum(result.matches for result in member.results), member.name.casefold()


def _result(tally: Tally) -> GroupResult:
    return GroupResult(tally.game, _title(tally.game), tally.matches, tally.wins, tally.last)


def _match(one: GroupTable, viewer: Identity | None, counts: bool) -> GroupMatch:
    winners = tuple(name for seat, name in enumerate(one.names) if seat in one.winners)
    return GroupMatch(
        one.table, one.game, _title(one.game), one.status, one.names, winners, one.free, one.at,
        viewer in one.people, counts,
    )  # fmt: skip


def _named(connection: Connection, people: Sequence[Identity]) -> dict[Identity, tuple[str, bool]]:
    """Names, and whether a profile is hidden."""
    query = (
        "SELECT id, name, COALESCE((SELECT hidden FROM profiles WHERE identity = id), 0)"
        " FROM identities WHERE id IN (VALUES {rows})"
    )
    rows = bulk.write(connection, query, (TEXT,), [(who,) for who in people])
    return {who: (name, bool(hidden)) for who, name, hidden in rows}


def _title(name: str) -> str:
    try:
        return game_of(name).title
    except UnknownGame:
        return name
