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
from typing import Annotated, Any, Literal, TypeVar

import structlog
from fastapi import APIRouter, Depends, Query, Request, Response
from msgspec import Struct

from droptable.bots.coach import Decision
from droptable.core.errors import DroptableError
from droptable.core.language import _, ngettext, speaking
from droptable.core.raster import png
from droptable.core.record import Record
from droptable.tables.archive import record as record_of
from droptable.tables.log_text import verdict
from droptable.tables.rejected import Rejected
from droptable.tables.store import Store
from droptable.tables.table import Table
from droptable.web.api import Focus, answer
from droptable.web.coach_jobs import FINISHED, CoachJob, CoachPool, pack, unpack
from droptable.web.language import LanguageQuery
from droptable.web.openapi import refusals, returns
from droptable.web.pictures import Look
from droptable.web.replay import Replay

log = structlog.get_logger()
router = APIRouter(prefix="/api/replays")
MOST_KEPT = 32  # replays
MOST_EVENTS = 20_000  # of a record
ANIMATIONS_KEPT = 4
WIDEST = 2000  # pixels of a picture
MOST_MOVES = 40  # of a better turn
Moment = Annotated[int, Query(ge=0, le=2**31, description="the number of events so far")]
ViewerQuery = Annotated[
    int | None,
    Query(ge=0, le=63, description="the seat whose view it is; everything is open if missing"),
]
Theme = Literal["light", "dark"]
Result = TypeVar("Result")
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

    def picture(self, replay: Replay, theme: Theme) -> str:
        """A self-contained SVG."""
        with speaking(self.language):
            return replay.picture(self.at, self.seat, self.look, dark=theme == "dark")


class NewReplay(Struct, frozen=True):
    """The key of an uploaded record."""

    key: str


RESULTS = (NewReplay,)


class Replays:
    """The replays that were used last, and their coach jobs and animations."""

    def __init__(self, store: Store) -> None:
        """Within the running event loop, which saves what the coach says."""
        self.coaches = CoachPool()
        self._store = store
        self._loop = asyncio.get_running_loop()
        self._kept: OrderedDict[str, Replay] = OrderedDict()
        self._jobs: OrderedDict[str, CoachJob] = OrderedDict()
        self._animations: OrderedDict[tuple[object, ...], bytes] = OrderedDict()
        self._busy = asyncio.Semaphore(1)  # verifying and animating take long: one at a time

    async def add(self, text: str) -> str:
        """Verify a record and keep it; returns its key."""
        key = "record:" + hashlib.sha256(text.encode()).hexdigest()[:24]
        if key not in self._kept:
            self._keep(key, await self._work(lambda: _verified(text)))
        return key

    async def find(self, key: str, table: Callable[[str], Any]) -> Replay:
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
        return self._keep(
            key, await asyncio.to_thread(lambda: Replay(record, lambda: verdict(finished)))
        )

    async def coach_job(self, key: str, replay: Replay) -> CoachJob | None:
        """The coach job of a replay, if somebody asked for one, also before a restart."""
        if key not in self._jobs:
            kept = await self._store.analysis(_match_id(key, replay))
            decisions = None if kept is None else unpack(kept)
            if decisions is not None:
                self._jobs.setdefault(key, CoachJob.finished(replay.record, decisions))
        return self._jobs.get(key)

    async def coach(self, key: str, replay: Replay, first: int | None) -> CoachJob:
        """Start a coach job, unless there is one that has not failed."""
        job = await self.coach_job(key, replay)
        if job is None or job.status == "failed":
            job = self._jobs[key] = self.coaches.start(
                replay.record, first, lambda decisions: self._save(key, replay, decisions)
            )
        self._jobs.move_to_end(key)
        for old in list(self._jobs)[:-MOST_KEPT]:
            if self._jobs[old].status in FINISHED:
                del self._jobs[old]
        return job

    def _save(self, key: str, replay: Replay, decisions: Sequence[Decision]) -> None:
        """From another thread: let the event loop save an analysis, which nobody waits for."""
        saving = self._store.save_analysis(_match_id(key, replay), pack(decisions), time.time())
        future = asyncio.run_coroutine_threadsafe(saving, self._loop)
        future.add_done_callback(_report)

    async def animation(self, key: str, replay: Replay, viewer: int | None, look: Look,
                        theme: Theme) -> bytes:  # fmt: skip
        """The match as a GIF; the last few are kept."""
        wanted = (key, viewer, look.language, theme)
        if wanted not in self._animations:

            def make() -> bytes:
                with speaking(look.language):
                    return replay.animation(viewer, dark=theme == "dark")

            self._animations[wanted] = await self._work(make)
        self._animations.move_to_end(wanted)
        while len(self._animations) > ANIMATIONS_KEPT:
            self._animations.popitem(last=False)
        return self._animations[wanted]

    def close(self) -> None:
        """Stop the coach."""
        self.coaches.close()

    async def _work(self, work: Callable[[], Result]) -> Result:
        async with self._busy:
            return await asyncio.to_thread(work)

    def _keep(self, key: str, replay: Replay) -> Replay:
        self._kept[key] = replay
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return replay


def _match_id(key: str, replay: Replay) -> str:
    """Under which an analysis is kept: a table whose match went on would be another match."""
    return f"{key}:{replay.length}"


def _report(saving: Future[None]) -> None:
    if not saving.cancelled() and saving.exception() is not None:
        log.error("the coach's analysis was not saved", error=str(saving.exception()))


def _verified(text: str) -> Replay:
    try:
        if text.count("[") > MOST_EVENTS + 10:
            message = ngettext(
                "a record to be shown has at most {most} event",
                "a record to be shown has at most {most} events",
                MOST_EVENTS,
            )
            raise Rejected("limit", message.format(most=MOST_EVENTS))
        return Replay(Record.from_json(text))
    except Rejected:
        raise
    except DroptableError as error:
        raise Rejected("syntax", str(error), getattr(error, "rule", None)) from error


def _replays(request: Request) -> Replays:
    replays: Replays = request.app.state.replays
    return replays


async def _find(request: Request, key: str) -> Replay:
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
    return answer(NewReplay(await _replays(request).add(text)), 201)


@router.get("/{key}", responses=returns("The match.") | refusals("syntax", "illegal", "gone"))
async def about(
    request: Request, key: str, seat: ViewerQuery = None, language: LanguageQuery = "en"
) -> Response:
    """A match: who played what, the result, and each event in a sentence."""
    replay = await _find(request, key)

    def describe() -> dict[str, Any]:
        with speaking(language):
            return replay.about(seat)

    match = await asyncio.to_thread(describe)
    return answer(match | {"key": key, "you": await _seat(request, key)})


@router.get("/{key}/scene", responses=returns("A moment.") | refusals("syntax", "illegal", "gone"))
async def scene(
    request: Request,
    key: str,
    shot: Annotated[Shot, Depends()],
    show: Annotated[
        str | None, Query(max_length=200, description="a move to draw as a ghost")
    ] = None,
) -> Response:
    """The picture of a moment, with the ghost of a move."""
    replay = await _find(request, key)
    with speaking(shot.language):
        return answer(replay.scene(shot.at, shot.seat, shot.look, show))


@router.get("/{key}/line", responses=returns("Moments.") | refusals("syntax", "illegal", "gone"))
async def line(
    request: Request,
    key: str,
    shot: Annotated[Shot, Depends()],
    moves: Annotated[
        str, Query(max_length=2000, description="tokens, separated by semicolons")
    ] = "",
) -> Response:
    """The pictures of a turn that was not made: these moves of whoever moves at this moment."""
    replay = await _find(request, key)
    tokens = [token for token in moves.split(";") if token][:MOST_MOVES]

    def describe() -> list[dict[str, Any]]:
        with speaking(shot.language):
            return replay.line(shot.at, shot.seat, shot.look, tokens)

    return answer(await asyncio.to_thread(describe))


# -- files ----------------------------------------------------------------------------------------


@router.get("/{key}/record", responses=returns("The record.") | refusals("illegal", "gone"))
async def record(request: Request, key: str) -> Response:
    """The record as a file."""
    match = (await _find(request, key)).record
    return _file(match.to_json(), "application/json", f"{match.game.name}.json")


@router.get("/{key}/picture.svg", responses=_returns_file("A picture.", "image/svg+xml")
            | refusals("syntax", "illegal", "gone"))  # fmt: skip
async def picture_svg(
    request: Request, key: str, shot: Annotated[Shot, Depends()], theme: Theme = "light"
) -> Response:
    """A moment as a self-contained SVG file."""
    replay = await _find(request, key)
    svg = shot.picture(replay, theme)
    return _file(svg, "image/svg+xml", f"{replay.game.name}-{shot.at}.svg", **SVG_POLICY)


@router.get("/{key}/picture.png", responses=_returns_file("A picture.", "image/png")
            | refusals("syntax", "illegal", "gone"))  # fmt: skip
async def picture_png(
    request: Request,
    key: str,
    shot: Annotated[Shot, Depends()],
    theme: Theme = "light",
    width: Annotated[int, Query(ge=100, le=WIDEST, description="in pixels")] = 1200,
) -> Response:
    """A moment as a PNG file."""
    replay = await _find(request, key)
    pixels = await asyncio.to_thread(png, shot.picture(replay, theme), width)
    return _file(pixels, "image/png", f"{replay.game.name}-{shot.at}.png")


@router.get("/{key}/animation.gif", responses=_returns_file("An animation.", "image/gif")
            | refusals("syntax", "illegal", "gone"))  # fmt: skip
async def animation(
    request: Request,
    key: str,
    seat: ViewerQuery = None,
    theme: Theme = "light",
    language: LanguageQuery = "en",
) -> Response:
    """The match as an animation; for a long one this takes some seconds."""
    replay = await _find(request, key)
    look = Look("tall", None, language)
    made = await _replays(request).animation(key, replay, seat, look, theme)
    return _file(made, "image/gif", f"{replay.game.name}.gif")


# -- coach ----------------------------------------------------------------------------------------


@router.post("/{key}/coach", status_code=202,
             responses=returns("How far the coach is.", status=202)
             | refusals("illegal", "gone", "limit"))  # fmt: skip
async def start_coach(request: Request, key: str) -> Response:
    """Let the coach judge every decision, your own seat's first. Idempotent."""
    replay = await _find(request, key)
    job = await _replays(request).coach(key, replay, await _seat(request, key))
    return answer(job.about(), 202)


@router.get("/{key}/coach", responses=returns("The opinion of the coach so far.")
            | refusals("illegal", "gone"))  # fmt: skip
async def coach(
    request: Request,
    key: str,
    since: Annotated[int, Query(ge=0, le=2**31, description="how many decisions you have")] = 0,
    language: LanguageQuery = "en",
) -> Response:
    """The coach's progress, every seat's accuracy, and the opinions since those that you have.

    A later opinion of the same event replaces the one before.
    """
    replay = await _find(request, key)
    job = await _replays(request).coach_job(key, replay)
    if job is None:
        nobody = [None] * replay.record.players
        return answer({"status": "none", "progress": 0.0, "accuracy": nobody, "decisions": []})
    state = job.about()  # before the decisions: a "done" has them all

    def describe() -> list[dict[str, Any]]:
        with speaking(language):
            return [replay.judged(decision) for decision in job.decisions[since:]]

    return answer(state | {"decisions": await asyncio.to_thread(describe)})
