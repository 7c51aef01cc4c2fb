"""The HTTP API under /api, described in docs/protocol.md and /api/openapi.json."""

from __future__ import annotations

import asyncio
import io
from dataclasses import asdict
from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Header, Query, Request, Response, WebSocket
from msgspec import Struct
from starlette.datastructures import URL

from droptable.core.errors import DroptableError, UnknownGame
from droptable.core.faces import FACES
from droptable.core.game import Game
from droptable.core.language import _, browser_texts, speaking
from droptable.core.options import Choice, Flag, Number, Option, title_of
from droptable.games import game as game_of
from droptable.games import games
from droptable.tables.archive import record as record_of
from droptable.tables.commands import Envelope, parse
from droptable.tables.decide import Who
from droptable.tables.host import Answer, Host
from droptable.tables.leaderboard import leaderboard
from droptable.tables.own_data import own_data
from droptable.tables.rejected import Rejected
from droptable.tables.settings import BOTS, Settings
from droptable.tables.table import Table
from droptable.tables.viewer import line_at, page_before, view_at
from droptable.web.address import client_network
from droptable.web.beats import table_frame
from droptable.web.identity import LINK_SECONDS, Doorkeeper
from droptable.web.lan import for_others
from droptable.web.language import LanguageQuery
from droptable.web.messages import STATUS, TOO_MANY, Problem, close_reason, state_message
from droptable.web.openapi import body, refusals, returns
from droptable.web.pictures import (
    MOMENTS,
    Look,
    face_picture,
    middle_of_a_match,
    picture,
    refusal,
    score_sheet,
)
from droptable.web.socket import REFUSED, Seen, TableSocket
from droptable.web.story import story as story_of

router = APIRouter(prefix="/api")
Seq = Annotated[int, Query(ge=0, le=2**31, description="what you have seen of the log")]
Focus = Annotated[int | None, Query(ge=0, le=63, description="the seat that is drawn large")]
SeatQuery = Annotated[
    int | None, Query(ge=0, le=63, description="of several seats of yours, the one that asks")
]
SceneQuery = Annotated[Literal["none", "wide", "tall"], Query(description="the picture you want")]
MOST_LISTED = 100
LONGEST_KEY = 64


class Name(Struct, frozen=True, forbid_unknown_fields=True):
    """The name that somebody chooses."""

    name: str


class Secret(Struct, frozen=True, forbid_unknown_fields=True):
    """The secret part of a link."""

    secret: str


EXAMPLES = {
    Name: '{"name": "Anna"}',
    Secret: '{"secret": "…"}',
    Settings: '{"game": "depot", "seats": ["me", "open", "normal"],'
    ' "clock": {"per": "turn", "seconds": 300, "at_zero": "bot"}} (or per "match", or "resign")',
}  # what a refusal says is expected


class Me(Struct, frozen=True, omit_defaults=True):
    """Who you are here. Forgotten: your cookie is right, but you were deleted, or away too long."""

    name: str | None
    forgotten: bool = False


class Link(Struct, frozen=True):
    """A secret that moves your identity to another device, once."""

    secret: str
    seconds: int
    qr: str  # an SVG of the link


class Invite(Struct, frozen=True):
    """The link to a table."""

    link: str


class NewTable(Struct, frozen=True):
    """The id of a table, which is also the secret of its link; what the host commits itself to."""

    table: str
    commitment: str


class Hint(Struct, frozen=True):
    """A move that a good bot would make."""

    token: str
    label: str


class Bots(Struct, frozen=True):
    """Who can be seated as a bot: our levels, and bots that the host of this server brings."""

    levels: tuple[str, ...]
    own: tuple[str, ...]


BODIES = (Settings, Envelope, Name, Secret)
RESULTS = (Answer, Problem, Me, Link, NewTable, Hint, Invite, Bots)


def _host(request: Request | WebSocket) -> Host:
    host: Host = request.app.state.host
    return host


def _door(request: Request | WebSocket) -> Doorkeeper:
    door: Doorkeeper = request.app.state.door
    return door


def answer(content: Any, status: int = 200, response: Response | None = None) -> Response:
    """Data as JSON, with the cookies of another response."""
    result = Response(msgspec.json.encode(content), status, media_type="application/json")
    if response is not None:
        result.raw_headers += [h for h in response.raw_headers if h[0] == b"set-cookie"]
    return result


async def read(request: Request, kind: type[Any], example: str = "") -> Any:
    """The body of a request; `Rejected` says what was expected instead."""
    data = await request.body()
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        message = _("this is not understood: {error}; expected {example}")
        raise Rejected(
            "syntax", message.format(error=error, example=example or EXAMPLES[kind])
        ) from None


# -- games ----------------------------------------------------------------------------------------


@router.get("/games", responses=returns("All games, their player counts and options."))
async def list_games(language: LanguageQuery = "en") -> Response:
    """The games that can be played here."""
    with speaking(language):
        return answer([_game(game) for game in games()])


def _game(game: Game) -> dict[str, Any]:
    return {
        "name": game.name, "title": game.title, "summary": _(game.summary),
        "players": game.players, "teams": game.teams, "minutes": game.minutes,
        "accent": game.scene.accent if game.scene else "gold",
        "printed_scores": game.printed_scores,
        "options": {name: _option(name, option) for name, option in game.options.items()},
    }  # fmt: skip


def _option(name: str, option: Option) -> dict[str, Any]:
    common: dict[str, Any] = {
        "default": option.default, "title": title_of(name, option), "help": _(option.help),
        "range": option.range, "advanced": option.advanced,
    }  # fmt: skip
    match option:
        case Number():
            return common | {"kind": "number", "low": option.low, "high": option.high}
        case Choice():
            labels = [_(str(label)) for label in option.labels or option.choices]
            return common | {"kind": "choice", "choices": option.choices, "labels": labels}
        case Flag():
            return common | {"kind": "flag"}
    return common | {"kind": "numbers", "low": option.low, "high": option.high}


@router.get("/bots", responses=returns("Bots by name.", Bots))
async def list_bots(request: Request) -> Response:
    """The bots that can be seated at tables here."""
    return answer(Bots(BOTS, _host(request).own_bots))


@router.get("/games/{game}/picture.svg", responses=returns("A match.") | refusals("gone", "syntax"))
async def game_picture(
    game: str,
    theme: Literal["light", "dark"] = "light",
    moment: Annotated[int, Query(ge=0, lt=MOMENTS, description="0, or an earlier one")] = 0,
) -> Response:
    """A picture of a real match: its best moment, or one of those that led to it, in order."""
    svg = await asyncio.to_thread(
        middle_of_a_match, find_game(game), dark=theme == "dark", moment=moment
    )
    if svg is None:
        raise Rejected("gone", _("{game} has no pictures").format(game=game))
    return Response(svg, media_type="image/svg+xml")


@router.get("/faces/{name}.svg", responses=returns("A face.") | refusals("gone"))
async def bot_face(name: str) -> Response:
    """The face of a bot's character; it looks the same in light and dark."""
    if name not in FACES:
        unknown = _("there is no face {name}; expected {known}")
        raise Rejected("gone", unknown.format(name=repr(name[:40]), known=", ".join(FACES)))
    headers = {"Cache-Control": "max-age=86400"}
    return Response(face_picture(name), media_type="image/svg+xml", headers=headers)


@router.get("/games/{game}/rules", responses=returns("The rules, rule by rule.") | refusals("gone"))
async def rules(game: str, language: LanguageQuery = "en") -> Response:
    """The rules of a game in our own words."""
    with speaking(language):
        played = find_game(game)
        return answer({"text": played.text, "rules": played.rule_sections})


@router.get(
    "/games/{game}/scores", responses=returns("Printed and best scores.") | refusals("gone")
)
async def scores(request: Request, game: str) -> Response:
    """The leaderboard of a solo game."""
    played = find_game(game)
    who = await _door(request).who(request)
    best = await _host(request).store.scores(played.name, identity=who.identity if who else "")
    places = leaderboard(played, best)
    return answer([asdict(place) for place in places])


def find_game(name: str) -> Game:
    """The game of that name; `Rejected` names those that exist."""
    try:
        return game_of(name)
    except UnknownGame as error:
        raise Rejected("gone", str(error)) from None


@router.get("/texts", responses=returns("Translations by their English; plurals by category."))
async def texts(language: LanguageQuery = "en") -> Response:
    """What the pages say, in another language."""
    return answer(browser_texts(language))


@router.get("/announcement", responses=returns("What the host tells everybody now."))
async def announcement(request: Request) -> Response:
    """A text for all pages (empty if there is none); who is blocked is told so."""
    host, identity = _host(request), _door(request).identity(request)
    text = host.house.announcement(host.now)
    try:
        host.house.admit(identity or "")
    except Rejected as refused:
        text = f"{refused}\n{text}".strip()
    return answer({"text": text})


# -- people ---------------------------------------------------------------------------------------


@router.get("/me", responses=returns("You.", Me))
async def get_me(request: Request) -> Response:
    """Who you are; `name` is null until you choose one."""
    door = _door(request)
    who = await door.who(request)
    if who is None:
        return answer(Me(None, door.identity(request) is not None))
    response = Response()
    door.renew(request, response)
    await _host(request).visited(who.identity)
    return answer(Me(who.name), response=response)


@router.put(
    "/me", responses=returns("You.", Me) | refusals("syntax", "limit"), openapi_extra=body(Name)
)
async def put_me(request: Request) -> Response:
    """Choose a name. The first time you get a cookie that is your identity."""
    wanted: Name = await read(request, Name)
    response = Response()
    if _door(request).identity(request) is None:
        request.app.state.crowd.count_identity(client_network(request.scope))
    who = await _door(request).introduce(request, wanted.name, response)
    return answer(Me(who.name), response=response)


@router.delete("/me", responses=returns("Nobody any more.", Me) | refusals("forbidden"))
async def delete_me(request: Request) -> Response:
    """Delete yourself: you leave or resign wherever you sit, and tables forget your name."""
    door = _door(request)
    response = Response()
    await door.forget(await door.known(request), response)
    return answer(Me(None), response=response)


@router.get("/me/data", responses=returns("All of it.") | refusals("forbidden", "limit"))
async def get_my_data(request: Request) -> Response:
    """Everything that is kept about you: your name, your tables, what you did and said there."""
    who = await _door(request).known(request)
    host = _host(request)
    host.count_request(who.identity)
    headers = {"Content-Disposition": 'attachment; filename="droptable.json"'}
    data = msgspec.json.encode(await own_data(host.store, who.identity))
    return Response(data, media_type="application/json", headers=headers)


@router.post("/me/links", status_code=201,
             responses=returns("A link.", Link, 201) | refusals("forbidden"))  # fmt: skip
async def make_link(request: Request) -> Response:
    """A secret that moves your identity to another device, which claims it."""
    door = _door(request)
    secret = await door.make_link(await door.known(request))
    return answer(Link(secret, LINK_SECONDS, qr_code(request, f"move#{secret}")), 201)


@router.post("/me/claim", responses=returns("You.", Me) | refusals("syntax", "gone"),
             openapi_extra=body(Secret))  # fmt: skip
async def claim(request: Request) -> Response:
    """Become, on this device too, the person who made a link."""
    given: Secret = await read(request, Secret)
    response = Response()
    who = await _door(request).follow_link(request, given.secret, response)
    return answer(Me(who.name), response=response)


# -- tables ---------------------------------------------------------------------------------------


@router.get("/tables", responses=returns("Tables, the newest first.") | refusals("forbidden"))
async def list_tables(
    request: Request,
    which: Literal["open", "live", "finished", "mine"] = "open",
    before: Annotated[float | None, Query(description="`updated` of the last you have")] = None,
    limit: Annotated[int, Query(ge=1, le=MOST_LISTED)] = 50,
) -> Response:
    """Public tables that wait for players, are being played or are over; or your own."""
    store = _host(request).store
    if which == "mine":
        who = await _door(request).known(request)
        tables = await store.mine(who.identity, limit, before)
    else:
        tables = await store.public(which, limit, before)
    return answer([asdict(listed) for listed in tables])


@router.post(
    "/tables", status_code=201, openapi_extra=body(Settings),
    responses=returns("Your table.", NewTable, 201) | refusals("syntax", "forbidden", "limit"),
)  # fmt: skip
async def create_table(
    request: Request, idempotency_key: Annotated[str, Header(max_length=LONGEST_KEY)] = ""
) -> Response:
    """Open a table. Anyone who knows its id can watch it, and join where a seat is open.

    A request that is sent again with the same key opens no other table.
    """
    who = await _door(request).known(request)
    settings = await read(request, Settings)
    network = client_network(request.scope)
    table = await _host(request).create(who.identity, settings, idempotency_key, network)
    commitment = "" if table.sealed is None else table.sealed.commitment
    return answer(NewTable(table.id, commitment), 201)


@router.get("/tables/{table}", responses=returns("The table.") | refusals("syntax", "gone"))
async def get_table(
    request: Request,
    table: str,
    seq: Seq = 0,
    scene: SceneQuery = "none",
    focus: Focus = None,
    language: LanguageQuery = "en",
    seat: SeatQuery = None,
) -> Response:
    """A table as you may know it: the same message that its socket sends."""
    host = _host(request)
    who = await _door(request).who(request)
    look = Look(scene, focus, language, seat=seat)
    return answer(state_message(host, await host.table(table), who, look, seq))


@router.delete(
    "/tables/{table}",
    responses=returns("It is gone.") | refusals("illegal", "forbidden", "gone"),
)
async def delete_table(request: Request, table: str) -> Response:
    """Delete a table of yours that is not being played and where no other person sits."""
    who = await _door(request).known(request)
    await _host(request).delete_table(table, who.identity)
    return answer({})


@router.post(
    "/tables/{table}/commands", openapi_extra=body(Envelope),
    responses=returns("The command was obeyed.", Answer)
    | refusals("syntax", "illegal", "forbidden", "gone", "limit", kind=Answer),
)  # fmt: skip
async def command(request: Request, table: str, seat: SeatQuery = None) -> Response:
    """Join, move, chat …: the same commands that the socket takes."""
    who = await _door(request).known(request)
    try:
        envelope = parse(await request.body())
    except Rejected as refused:  # no id could be read
        return answer(Answer(False, 0, kind=refused.kind, message=str(refused)), STATUS["syntax"])
    network = client_network(request.scope)
    result = await _host(request).command(table, who.identity, envelope, network, seat)
    return answer(result, 200 if result.kind is None else STATUS[result.kind])


@router.get(
    "/tables/{table}/hint",
    responses=returns("A good move.", Hint) | refusals("forbidden", "illegal", "gone", "limit"),
)
async def hint(
    request: Request, table: str, language: LanguageQuery = "en", seat: SeatQuery = None
) -> Response:
    """What a good bot would do in your place."""
    who = await _door(request).known(request)
    view, token = await _host(request).hint(table, who.identity, seat)
    with speaking(language):
        return answer(Hint(token, view.label(token)))


@router.get(
    "/tables/{table}/why",
    responses=returns("The reason, or null.") | refusals("syntax", "forbidden", "gone"),
)
async def why(
    request: Request,
    table: str,
    touched: Annotated[str, Query(max_length=500, description="a JSON list of things' names")],
    language: LanguageQuery = "en",
    seat: SeatQuery = None,
) -> Response:
    """Why touching these things on the picture makes no move, with the rule."""
    who = await _door(request).known(request)
    watched = await _host(request).table(table)
    view = watched.ledgers[_seat(watched, who, seat)].view
    try:
        names = msgspec.json.decode(touched, type=tuple[str, ...])
    except msgspec.MsgspecError as error:
        message = _("touched is {value}: {error}").format(value=repr(touched[:80]), error=error)
        raise Rejected("syntax", message) from None
    with speaking(language):
        return answer({"reason": None if view is None else refusal(view, names)})


@router.get("/tables/{table}/qr.svg", responses=returns("A QR code.") | refusals("syntax", "gone"))
async def qr(request: Request, table: str) -> Response:
    """QR code of the invite link."""
    await _host(request).table(table)
    return Response(qr_code(request, f"t/{table}"), media_type="image/svg+xml")


@router.get(
    "/tables/{table}/invite", responses=returns("A link.", Invite) | refusals("syntax", "gone")
)
async def invite(request: Request, table: str) -> Response:
    """The invite link, as other devices in the same room can open it."""
    await _host(request).table(table)
    return answer(Invite(f"{invite_address(request)}t/{table}"))


def invite_address(request: Request) -> URL:
    """The address of this server for other devices."""
    return for_others(request.base_url, request.app.state.config.host)


def qr_code(request: Request, path: str) -> str:
    """An SVG of the address of a path on this server, as whoever asks has reached it."""
    import segno

    address = invite_address(request)
    try:
        made = segno.make(f"{address}{path}", error="m")
    except segno.DataOverflowError as error:
        message = _("the address {address} … is too long for a QR code")
        raise Rejected("syntax", message.format(address=str(address)[:60])) from error
    code = io.BytesIO()
    made.save(code, kind="svg", scale=4, border=2)
    return code.getvalue().decode()


@router.get("/tables/{table}/sheet", responses=returns("The score.") | refusals("syntax", "gone"))
async def sheet(
    request: Request, table: str, language: LanguageQuery = "en", seat: SeatQuery = None
) -> Response:
    """The score as a person would write it down, as you may know it."""
    scored = await _host(request).table(table)
    who = await _door(request).who(request)
    return answer(score_sheet(scored, _seat(scored, who, seat), language))


@router.get(
    "/tables/{table}/at",
    responses=returns("The picture, and its line.") | refusals("syntax", "gone", "limit"),
)
async def look_back(
    request: Request,
    table: str,
    seq: Annotated[int, Query(ge=1, le=2**31, description="an entry of your own log")],
    scene: Annotated[Literal["wide", "tall"], Query(description="the picture you want")] = "wide",
    focus: Focus = None,
    language: LanguageQuery = "en",
    seat: SeatQuery = None,
) -> Response:
    """The match as you saw it after an entry of your log."""
    host = _host(request)
    who = await _door(request).who(request)
    host.count_request(who.identity if who else f"address {client_network(request.scope)}")
    watched = await host.table(table)
    viewer = _seat(watched, who, seat)
    with speaking(language):
        view = view_at(watched, viewer, seq)
        frame = table_frame(watched, viewer, view, Look(scene, focus, language), seq)
        line = line_at(watched, viewer, seq)
        drawn = None if frame is None else picture(view, frame)
        return answer({"picture": drawn, "text": line["text"], "seq": line["seq"]})


@router.get(
    "/tables/{table}/log",
    responses=returns("Lines, and how many entries came before them.")
    | refusals("syntax", "gone", "limit"),
)
async def earlier_lines(
    request: Request,
    table: str,
    before: Annotated[int, Query(ge=0, le=2**31, description="`earlier` of what you have")],
    language: LanguageQuery = "en",
    seat: SeatQuery = None,
) -> Response:
    """A page of the log and the chat before those that you have."""
    host = _host(request)
    who = await _door(request).who(request)
    host.count_request(who.identity if who else f"address {client_network(request.scope)}")
    told = await host.table(table)
    with speaking(language):
        lines, earlier = page_before(told, _seat(told, who, seat), before)
    return answer({"lines": lines, "earlier": earlier})


@router.get("/tables/{table}/story", responses=returns("Figures.") | refusals("syntax", "gone"))
async def story(request: Request, table: str, language: LanguageQuery = "en") -> Response:
    """A match that is over in up to three figures: length, best turn, lead."""
    told = await _host(request).table(table)
    return answer(await asyncio.to_thread(story_of, told, language))


@router.get(
    "/tables/{table}/record", responses=returns("The record.") | refusals("illegal", "gone")
)
async def record(request: Request, table: str) -> Response:
    """The record of a match that is over. Nothing in it is hidden."""
    try:
        match = record_of(await _host(request).table(table))
    except Rejected:
        raise
    except DroptableError as error:
        raise Rejected("illegal", str(error)) from error
    headers = {"Content-Disposition": f'attachment; filename="{match.game.name}.json"'}
    return Response(match.to_json(), media_type="application/json", headers=headers)


@router.websocket("/tables/{table}/socket")
async def socket(
    websocket: WebSocket,
    table: str,
    seq: int = 0,
    scene: str = "none",
    focus: int | None = None,
    language: str = "en",
    seat: int | None = None,
    held: int | None = None,
    beats: bool = False,
    watch: bool = False,
) -> None:
    """Watch a table and play at it; see docs/protocol.md. To `watch` is to be a spectator, also of
    a table where one sits: for a screen that everybody sees."""
    who = None if watch else await _door(websocket).who(websocket)
    metrics = websocket.app.state.metrics
    metrics.socket(1)
    try:
        look = Look.checked(scene, focus, language, beats=beats, seat=held)
        seen = Seen(max(0, seq), seat)
        network = client_network(websocket.scope)
        with websocket.app.state.crowd.socket(network, watching=who is None):
            await TableSocket(_host(websocket), websocket, table, who, look, seen, network).run()
    except Rejected as refused:
        if refused.kind == "limit":  # a page is told the code and the reason if it was accepted
            await websocket.accept()
        code = TOO_MANY if refused.kind == "limit" else REFUSED
        await websocket.close(code, close_reason(str(refused)))
    finally:
        metrics.socket(-1)


def _seat(table: Table, who: Who | None, chosen: int | None) -> int | None:
    return table.shown_seat(who.identity, chosen) if who else None
