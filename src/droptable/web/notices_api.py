"""How people choose to be called back. Where a host has configured nothing, nothing is offered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec
from fastapi import APIRouter, Request, Response
from msgspec import Struct
from starlette.responses import RedirectResponse

from droptable.core.language import LANGUAGES, _
from droptable.notices.push import Subscription
from droptable.notices.queue import Target
from droptable.notices.service import Means, Notices
from droptable.notices.webhook import Form, Hook
from droptable.notices.what import Wishes
from droptable.tables.limits import Limits, RateLimiter
from droptable.tables.rejected import Rejected
from droptable.web.address import client_network
from droptable.web.api import answer, read
from droptable.web.config import Config
from droptable.web.openapi import body, refusals, returns

router = APIRouter(prefix="/api")
MAILS_AN_HOUR = 10  # to addresses that nobody has confirmed, per client's address


class Offer(Struct, frozen=True):
    """The ways in which this server calls people back, and its key for browsers."""

    ways: tuple[str, ...]
    push_key: str


class NewTarget(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Where you want to be reached: one of the three."""

    mail: str = ""
    webhook: str = ""
    form: Form | None = None  # of a webhook; by default what its address suggests
    push: Subscription | None = None


class Shown(Struct, frozen=True):
    """Where you are reached; `new` means that a link has still to be followed, `off` a dead end."""

    id: str
    way: str
    address: str
    state: str
    problem: str


class Choice(Struct, frozen=True):
    """What you have chosen."""

    wishes: Wishes
    targets: tuple[Shown, ...]


class Token(Struct, frozen=True, forbid_unknown_fields=True):
    """The secret part of a link in a mail."""

    token: str


STRUCTS = (Offer, NewTarget, Shown, Choice, Token, Wishes)
EXAMPLES: dict[type[Any], str] = {
    NewTarget: '{"mail": "anna@example.org"}, {"webhook": "https://…"} or {"push": {…}}',
    Wishes: '{"turn": true, "digest": "day", "quiet_from": "22:00", "quiet_to": "08:00",'
    ' "zone": "Europe/Berlin", "language": "de"}',
    Token: '{"token": "…"}',
}


def means(config: Config) -> Means:
    """What a host has configured."""
    ways = tuple(dict.fromkeys(config.notices.replace(",", " ").split()))
    site = config.site.rstrip("/")
    return Means(ways, site, config.smtp, config.mail_from, config.notice_networks)


@dataclass(frozen=True)
class _Caller:
    """A request of somebody about notices, where there are any."""

    notices: Notices
    identity: str


def _notices(request: Request) -> Notices:
    notices: Notices = request.app.state.notices
    return notices


async def _caller(request: Request) -> _Caller:
    notices = _notices(request)
    notices.require()
    who = await request.app.state.door.known(request)
    request.app.state.host.count_request(who.identity)
    return _Caller(notices, who.identity)


@router.get("/notices", responses=returns("The offer.", Offer))
async def get_offer(request: Request) -> Response:
    """How this server can call you back; no ways at all where its host wants none."""
    notices = _notices(request)
    return answer(Offer(notices.means.ways, notices.push_key))


@router.get(
    "/me/notices", responses=returns("Your choice.", Choice) | refusals("forbidden", "gone")
)
async def get_choice(request: Request) -> Response:
    """What you want to hear of, and where."""
    caller = await _caller(request)
    return await _choice(caller)


@router.put(
    "/me/notices",
    responses=returns("Your choice.", Choice) | refusals("syntax", "forbidden", "gone"),
    openapi_extra=body(Wishes),
)
async def put_choice(request: Request) -> Response:
    """Choose what you want to hear of, and when."""
    caller = await _caller(request)
    wishes: Wishes = await read(request, Wishes, EXAMPLES[Wishes])
    if wishes.language not in LANGUAGES:
        message = _("there is no language {name}; expected {known}")
        known = ", ".join(LANGUAGES)
        raise Rejected("syntax", message.format(name=repr(wishes.language[:20]), known=known))
    await caller.notices.choose(caller.identity, wishes)
    return await _choice(caller)


@router.post(
    "/me/notices/targets", status_code=201, openapi_extra=body(NewTarget),
    responses=returns("Where you are reached.", Shown, 201)
    | refusals("syntax", "illegal", "forbidden", "gone", "limit"),
)  # fmt: skip
async def add_target(request: Request) -> Response:
    """Be reached by a browser, a webhook, or a mail address (whose owner gets a link first)."""
    caller = await _caller(request)
    wanted: NewTarget = await read(request, NewTarget, EXAMPLES[NewTarget])
    who = await request.app.state.host.who(caller.identity)
    match wanted:
        case NewTarget(mail="", webhook="", push=Subscription() as subscription):
            target = await caller.notices.add_push(who, subscription)
        case NewTarget(mail=str(address), webhook="", push=None) if address:
            _count_mail(request)
            target = await caller.notices.add_mail(who, address)
        case NewTarget(mail="", webhook=str(url), push=None) if url:
            target = await caller.notices.add_webhook(who, url, wanted.form)
        case _other:
            message = _("expected {example}").format(example=EXAMPLES[NewTarget])
            raise Rejected("syntax", message)
    return answer(_shown(target), 201)


def _count_mail(request: Request) -> None:
    """Nobody can let this server write to many strangers."""
    state = request.app.state
    if not hasattr(state, "mails"):
        state.mails = RateLimiter(Limits(commands=MAILS_AN_HOUR / 3600, burst=MAILS_AN_HOUR))
    if not state.mails.takes(client_network(request.scope), state.host.now):
        message = _("too many e-mails were asked for from your address; try again later")
        raise Rejected("limit", message, wait=3600 // MAILS_AN_HOUR)


@router.delete(
    "/me/notices/targets/{target}",
    responses=returns("Your choice.", Choice) | refusals("forbidden", "gone"),
)
async def remove_target(request: Request, target: str) -> Response:
    """Be reached there no longer."""
    caller = await _caller(request)
    await caller.notices.remove(caller.identity, target)
    return await _choice(caller)


@router.post(
    "/me/notices/test", responses=returns("It is on its way.") | refusals("forbidden", "gone")
)
async def test_notices(request: Request) -> Response:
    """Send a notice to everywhere where you are reached."""
    caller = await _caller(request)
    await caller.notices.test(caller.identity)
    return answer({})


@router.post(
    "/notices/confirm", openapi_extra=body(Token),
    responses=returns("The address is confirmed.") | refusals("syntax", "gone"),
)  # fmt: skip
async def confirm(request: Request) -> Response:
    """Confirm the address to which a link was sent."""
    given: Token = await read(request, Token, EXAMPLES[Token])
    await _notices(request).confirm(given.token)
    return answer({})


@router.post("/notices/stop/{token}", responses=returns("No more mails.") | refusals("gone"))
async def stop(request: Request, token: str) -> Response:
    """No more mails to the address that got this link: one click suffices (RFC 8058)."""
    await _notices(request).stop(token)
    return answer({})


@router.get("/notices/stop/{token}", include_in_schema=False)
async def ask_to_stop(request: Request, token: str) -> Response:
    """A person has followed the link: programs that merely look at links stop nothing."""
    return RedirectResponse(f"{request.scope['root_path']}/notices#stop={token}", 303)


async def _choice(caller: _Caller) -> Response:
    wishes = await caller.notices.wishes(caller.identity)
    targets = await caller.notices.targets(caller.identity)
    return answer(Choice(wishes, tuple(map(_shown, targets))))


def _shown(target: Target) -> Shown:
    """A target without its secrets: a webhook's path and a browser's keys are some."""
    address = target.address
    if target.way == "push":
        address = msgspec.json.decode(address, type=Subscription).endpoint.split("/")[2]
    elif target.way == "webhook":
        hook = msgspec.json.decode(address, type=Hook)
        address = f"{hook.url.split('/')[2]} ({hook.form})"
    return Shown(target.id, target.way, address, target.state, target.problem)
