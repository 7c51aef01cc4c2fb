"""Replays under /api: finished tables and uploaded records, with pictures and the coach.

A replay's key is `table:ID`, or `record:DIGEST` of an uploaded file. Files are kept in memory while
there is room; after that they have to be sent again.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import msgspec
import structlog
from fastapi import APIRouter, Depends, Query, Request, Response
from msgspec import Struct

from droptable.bots.coach import Decision
from droptable.core.errors import DroptableError
from droptable.core.language import _, speaking
from droptable.tables.archive import record as record_of
from droptable.tables.crew import Owner
from droptable.tables.log_text import verdict
from droptable.tables.rejected import Rejected
from droptable.tables.store import Store
from droptable.tables.table import Table
from droptable.web.address import client_network
from droptable.web.api import Focus, answer
from droptable.web.coach_jobs import FINISHED, CoachJob, CoachPool, pack, unpack
from droptable.web.language import LanguageQuery
from droptable.web.openapi import refusals, returns
from droptable.web.pictures import Look
from droptable.web.studio import Match, Studio

log = structlog.get_logger()
router = APIRouter(prefix="/api/replays")
MOST_KEPT = 32  # replays
WIDEST = 2000  # pixels of a picture
MOST_MOVES = 40  # of a better turn
Moment = Annotated[int, Query(ge=0, le=2**31, description="the number of events so far")]
ViewerQuery = Annotated[
    int | None,
    Query(ge=0, le=63, description="the seat whose view it is; everything is open if missing"),
]
Theme = Literal["light", "dark"]
RECORD_BODY = {
    "requestBody": {"required": True, "content": {"application/json": {"schema": {
        "type": "object", "description": "A record as `Record.to_json` writes it."}}}}
}  # fmt: skip
# The picture contains its style; opened by itself, it may load nothing else.
SVG_POLICY = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"}


@dataclass(frozen=True)
class Shot:
    """A moment of a replay, and how it is to be shown."""

    at: Moment = 0
    seat: ViewerQuery = None
    scene: Literal["wide", "tall"] = "wide"
    focus: Focus = None
    language: LanguageQuery = "en"

    @property
    def look(self) -> Look:
        return Look(self.scene, self.focus, self.language)


class NewReplay(Struct, frozen=True):
    """The key of an uploaded record."""

    key: str


RESULTS = (NewReplay,)


@dataclass(frozen=True)
class Kept:
    """A match that can be replayed, and its result where that is more than the rules say."""

    key: str
    match: Match
    verdict: Callable[[], str] = str


class Replays:
    """The matches that were replayed last, and their coach jobs."""

    def __init__(self, store: Store) -> None:
        """Within the running event loop, which saves what the coach says."""
        self.coaches = CoachPool()
        self.studio = Studio()
        self._store = store
        self._loop = asyncio.get_running_loop()
        self._kept: OrderedDict[str, Kept] = OrderedDict()
        self._jobs: OrderedDict[str, CoachJob] = OrderedDict()

    async def add(self, text: str, owner: Owner) -> str:
        """Verify a record and keep it; returns its key."""
        key = "record:" + hashlib.sha256(text.encode()).hexdigest()[:24]
        if key not in self._kept:
            self._keep(Kept(key, await self.studio.verify(text, owner)))
        return key

    async def find(self, key: str, table: Callable[[str], Any]) -> Kept:
        """The replay of that key; `table` finds tables."""
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        kind, _colon, name = key.partition(":")
        if kind != "table" or not name:
            missing = _("there is no replay {key} (any more): send its record")
            raise Rejected("gone", missing.format(key=repr(key[:80])))
        finished: Table = await table(name)
        try:
            record = record_of(finished)
        except DroptableError as error:
            raise Rejected("illegal", str(error)) from error
        return self._keep(Kept(key, Match.of(record), lambda: verdict(finished)))

    async def coach_job(self, kept: Kept) -> CoachJob | None:
        """The coach job of a replay, if somebody asked for one, also before a restart."""
        if kept.key not in self._jobs:
            stored = await self._store.analysis(_match_id(kept))
            decisions = None if stored is None else unpack(stored)
            if decisions is not None:
                self._jobs.setdefault(kept.key, CoachJob.finished(kept.match.players, decisions))
        return self._jobs.get(kept.key)

    async def coach(self, kept: Kept, first: int | None, owner: Owner) -> CoachJob:
        """Start a coach job, unless there is one that has not failed."""
        if kept.match.varied:
            raise Rejected("illegal", _("the coach does not know variants of a game"))
        job = await self.coach_job(kept)
        if job is None or job.status == "failed":
            job = self._jobs[kept.key] = self.coaches.start(
                kept.match, first, lambda decisions: self._save(kept, decisions), owner
            )
        self._jobs.move_to_end(kept.key)
        for old in list(self._jobs)[:-MOST_KEPT]:
            if self._jobs[old].status in FINISHED:
                del self._jobs[old]
        return job

    def _save(self, kept: Kept, decisions: Sequence[Decision]) -> None:
        """From another thread: let the event loop save an analysis, which nobody waits for."""
        saving = self._store.save_analysis(_match_id(kept), pack(decisions), time.time())
        future = asyncio.run_coroutine_threadsafe(saving, self._loop)
        future.add_done_callback(_report)

    def close(self) -> None:
        """Stop the coach and the studio."""
        self.coaches.close()
        self.studio.close()

    def _keep(self, kept: Kept) -> Kept:
        self._kept[kept.key] = kept
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return kept


def _match_id(kept: Kept) -> str:
    """Under which an analysis is kept: a table whose match went on would be another match."""
    return f"{kept.key}:{kept.match.length}"


def _report(saving: Future[None]) -> None:
    if not saving.cancelled() and saving.exception() is not None:
        log.error("the coach's analysis was not saved", error=str(saving.exception()))


def _replays(request: Request) -> Replays:
    replays: Replays = request.app.state.replays
    return replays


async def owner_of(request: Request) -> Owner:
    """For whom work is done: an address, and there a person."""
    who = await request.app.state.door.who(request)
    return client_network(request.scope), who.identity if who else ""


async def _ask(request: Request, kept: Kept, language: str, method: str, *given: Any) -> Any:
    studio = _replays(request).studio
    return await studio.ask(kept.match, await owner_of(request), language, method, *given)


async def _made(request: Request, kept: Kept, language: str, method: str, *given: Any) -> bytes:
    """A file, which looks the same to everybody."""
    key = (kept.key, kept.match.length, language, method, *given)
    studio = _replays(request).studio
    return await studio.file(
        key, kept.match, await owner_of(request), language, method, *given
    )  # fmt: skip


def _json(content: bytes) -> Response:
    return Response(content, media_type="application/json")


async def _find(request: Request, key: str) -> Kept:
    return await _replays(request).find(key, request.app.state.host.table)


async def _seat(request: Request, key: str) -> int | None:
    """The seat of whoever asks, in the replay of a table."""
    kind, _colon, name = key.partition(":")
    who = await request.app.state.door.who(request) if kind == "table" else None
    if who is None:
        return None
    seat: int | None = (await request.app.state.host.table(name)).seat_of(who.identity)
    return seat


def _file(content: str | bytes, kind: str, name: str, **headers: str) -> Response:
    disposition = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=kind, headers=disposition | headers)


def _returns_file(description: str, kind: str) -> dict[int | str, dict[str, Any]]:
    schema = {"type": "string", "format": "binary"}
    return {200: {"description": description, "content": {kind: {"schema": schema}}}}


# -- moments --------------------------------------------------------------------------------------


@router.post(
    "", status_code=201, openapi_extra=RECORD_BODY,
    responses=returns("Its key.", NewReplay, 201) | refusals("syntax", "limit"),
)  # fmt: skip
async def add(request: Request) -> Response:
    """Upload a record to replay; it is verified event by event."""
    try:
        text = (await request.body()).decode()
    except UnicodeDecodeError as error:
        raise Rejected("syntax", _("this is not a record: {error}").format(error=error)) from None
    return answer(NewReplay(await _replays(request).add(text, await owner_of(request))), 201)


@router.get(
    "/{key}", responses=returns("The match.") | refusals("syntax", "illegal", "gone", "limit")
)
async def about(
    request: Request, key: str, seat: ViewerQuery = None, language: LanguageQuery = "en"
) -> Response:
    """A match: who played what, the result, and each event in a sentence."""
    kept = await _find(request, key)
    with speaking(language):
        result = kept.verdict()
    more = {"key": key, "you": await _seat(request, key)}
    return _json(await _ask(request, kept, language, "about", seat, result, more))


@router.get(
    "/{key}/scene", responses=returns("A moment.") | refusals("syntax", "illegal", "gone", "limit")
)
async def scene(
    request: Request,
    key: str,
    shot: Annotated[Shot, Depends()],
    show: Annotated[
        str | None, Query(max_length=200, description="a move to draw as a ghost")
    ] = None,
) -> Response:
    """The picture of a moment, with the ghost of a move."""
    kept = await _find(request, key)
    given = (shot.at, shot.seat, shot.look, show)
    return _json(await _ask(request, kept, shot.language, "scene", *given))


@router.get(
    "/{key}/line", responses=returns("Moments.") | refusals("syntax", "illegal", "gone", "limit")
)
async def line(
    request: Request,
    key: str,
    shot: Annotated[Shot, Depends()],
    moves: Annotated[
        str, Query(max_length=2000, description="tokens, separated by semicolons")
    ] = "",
) -> Response:
    """The pictures of a turn that was not made: these moves of whoever moves at this moment."""
    kept = await _find(request, key)
    tokens = [token for token in moves.split(";") if token][:MOST_MOVES]
    given = (shot.at, shot.seat, shot.look, tokens)
    return _json(await _ask(request, kept, shot.language, "line", *given))


@router.get(
    "/{key}/verify",
    responses=returns("What was found.") | refusals("illegal", "gone", "limit"),
)
async def verify_deal(
    request: Request,
    key: str,
    commitment: Annotated[str, Query(max_length=64, description="as you noted it")] = "",
    contribution: Annotated[str, Query(max_length=64, description="of your own")] = "",
    language: LanguageQuery = "en",
) -> Response:
    """Whether the match was dealt fairly, and all it takes to check that: docs/fairness.md."""
    kept = await _find(request, key)
    return _json(await _ask(request, kept, language, "verified", commitment, contribution))


# -- files ----------------------------------------------------------------------------------------


@router.get(
    "/{key}/record", responses=returns("The record.") | refusals("illegal", "gone", "limit")
)
async def record(request: Request, key: str) -> Response:
    """The record as a file."""
    kept = await _find(request, key)
    text = await _ask(request, kept, "en", "record")
    return _file(text, "application/json", f"{kept.match.game.name}.json")


@router.get("/{key}/picture.svg", responses=_returns_file("A picture.", "image/svg+xml")
            | refusals("syntax", "illegal", "gone", "limit"))  # fmt: skip
async def picture_svg(
    request: Request, key: str, shot: Annotated[Shot, Depends()], theme: Theme = "light"
) -> Response:
    """A moment as a self-contained SVG file."""
    kept = await _find(request, key)
    given = (shot.at, shot.seat, shot.look, theme == "dark")
    svg = await _ask(request, kept, shot.language, "svg", *given)
    return _file(svg, "image/svg+xml", f"{kept.match.game.name}-{shot.at}.svg", **SVG_POLICY)


@router.get("/{key}/picture.png", responses=_returns_file("A picture.", "image/png")
            | refusals("syntax", "illegal", "gone", "limit"))  # fmt: skip
async def picture_png(
    request: Request,
    key: str,
    shot: Annotated[Shot, Depends()],
    theme: Theme = "light",
    width: Annotated[int, Query(ge=100, le=WIDEST, description="in pixels")] = 1200,
) -> Response:
    """A moment as a PNG file."""
    kept = await _find(request, key)
    given = (shot.at, shot.seat, shot.look, theme == "dark", width)
    pixels = await _made(request, kept, shot.language, "png", *given)
    return _file(pixels, "image/png", f"{kept.match.game.name}-{shot.at}.png")


@router.get("/{key}/animation.gif", responses=_returns_file("An animation.", "image/gif")
            | refusals("syntax", "illegal", "gone", "limit"))  # fmt: skip
async def animation(
    request: Request,
    key: str,
    seat: ViewerQuery = None,
    theme: Theme = "light",
    language: LanguageQuery = "en",
) -> Response:
    """The match as an animation; for a long one this takes some seconds."""
    kept = await _find(request, key)
    made = await _made(request, kept, language, "gif", seat, theme == "dark")
    return _file(made, "image/gif", f"{kept.match.game.name}.gif")


# -- coach ----------------------------------------------------------------------------------------


@router.post("/{key}/coach", status_code=202,
             responses=returns("How far the coach is.", status=202)
             | refusals("illegal", "gone", "limit"))  # fmt: skip
async def start_coach(request: Request, key: str) -> Response:
    """Let the coach judge every decision, your own seat's first. Idempotent."""
    kept = await _find(request, key)
    seat = await _seat(request, key)
    job = await _replays(request).coach(kept, seat, await owner_of(request))
    return answer(job.about(), 202)


@router.get("/{key}/coach", responses=returns("The opinion of the coach so far.")
            | refusals("illegal", "gone", "limit"))  # fmt: skip
async def coach(
    request: Request,
    key: str,
    since: Annotated[int, Query(ge=0, le=2**31, description="how many decisions you have")] = 0,
    language: LanguageQuery = "en",
) -> Response:
    """The coach's progress, every seat's accuracy, and the opinions since those that you have.

    A later opinion of the same event replaces the one before.
    """
    kept = await _find(request, key)
    job = await _replays(request).coach_job(kept)
    if job is None:
        nobody = [None] * kept.match.players
        return answer({"status": "none", "progress": 0.0, "accuracy": nobody, "decisions": []})
    state = job.about()  # before the decisions: a "done" has them all
    news = job.decisions[since:]
    decisions = await _ask(request, kept, language, "judged", news) if news else b"[]"
    return answer(state | {"decisions": msgspec.Raw(decisions)})
