"""The studio: replays are verified, described and drawn by a crew, never by the server itself.

What everybody sees alike (pictures, animations) is made once and kept while there is room.
"""

from __future__ import annotations

import asyncio
import pickle
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import msgspec
import structlog

from droptable.core.errors import DroptableError
from droptable.core.game import Game
from droptable.core.language import _, ngettext, speaking, spoken
from droptable.core.raster import png
from droptable.core.record import Record
from droptable.tables.crew import Bounds, Crew, Job, Owner, WorkFailed
from droptable.tables.rejected import Rejected
from droptable.web.card_pictures import WIDTH, framed
from droptable.web.pictures import Look
from droptable.web.replay import Replay

PROCESSES = 2
NICENESS = 10  # tables are served first
BOUNDS = Bounds(jobs=400, owned=(24, 8), running=1, megabytes=700, idle_seconds=120.0)
SECONDS = 30.0  # per job
MOST_EVENTS = 20_000  # of a record
MOST_BYTES = 64 << 20  # of files that are kept
REPLAYS_KEPT = 4  # by each process

log = structlog.get_logger()


@dataclass(frozen=True)
class Match:
    """A verified match, as much of it as the server needs to know."""

    game: Game  # in a variant, the game that it varies
    players: int
    length: int
    packed: bytes  # the record, for the crew
    varied: bool = False  # by constants that came with the record

    @classmethod
    def of(cls, record: Record) -> Match:
        """A record that is known to be right."""
        game = record.game.base if record.game.plain_only else None
        return cls(
            game or record.game,
            record.players,
            len(record.events),
            pickle.dumps(record),
            record.game.plain_only,
        )

    @property
    def record(self) -> Record:
        """The whole record; for a long one this takes some milliseconds."""
        record: Record = pickle.loads(self.packed)
        return record


class Studio:
    """Has work done, and keeps the files that were asked for last."""

    def __init__(self) -> None:
        self._crew = Crew(PROCESSES, BOUNDS, NICENESS)
        self._files: OrderedDict[object, bytes] = OrderedDict()
        self._size = 0
        self._making: dict[object, asyncio.Task[bytes]] = {}

    async def verify(self, text: str, owner: Owner) -> Match:
        """The match of a record; `Rejected` says what is wrong with it."""
        match: Match = await self._do(owner, verified, spoken(), text)
        return match

    async def ask(self, match: Match, owner: Owner, language: str, method: str, *given: Any) -> Any:
        """What a method of the match's `Replay` returns; data as JSON."""
        return await self._do(owner, perform, match.packed, language, method, *given)

    async def do(self, work: Callable[..., Any], owner: Owner, *given: Any) -> Any:
        """What any function of a module returns that is called with these arguments."""
        return await self._do(owner, work, *given)

    async def file(self, key: object, match: Match, owner: Owner, language: str, method: str,
                   *given: Any) -> bytes:  # fmt: skip
        """The same for a file, which is kept under a key: those who ask again share it."""
        return await self._shared(key, lambda: self.ask(match, owner, language, method, *given))

    async def draw(
        self, key: object, owner: Owner, work: Callable[..., bytes], *given: Any
    ) -> bytes:
        """A file that a function makes of what it is given, kept as well."""
        return await self._shared(key, lambda: self._do(owner, work, *given))

    async def _shared(self, key: object, ask: Callable[[], Any]) -> bytes:
        if key in self._files:
            self._files.move_to_end(key)
            return self._files[key]
        if key not in self._making:
            self._making[key] = asyncio.create_task(self._make(key, ask()))
        return await asyncio.shield(self._making[key])

    async def _make(self, key: object, work: Any) -> bytes:
        try:
            made: bytes = await work
        finally:
            del self._making[key]
        self._files[key] = made
        self._size += len(made)
        while self._size > MOST_BYTES:
            _oldest, dropped = self._files.popitem(last=False)
            self._size -= len(dropped)
        return made

    async def _do(self, owner: Owner, work: Callable[..., Any], *given: Any) -> Any:
        try:
            job = Job(work, given, owner, SECONDS)
            return await asyncio.wrap_future(self._crew.submit(job))
        except WorkFailed as error:
            log.error("the studio failed", work=work.__name__, error=str(error))
            message = _("this could not be made in time: try again in a moment")
            raise Rejected("outage", message) from error

    def close(self) -> None:
        """End its processes."""
        self._crew.close()


# -- in a process of the crew ---------------------------------------------------------------------


def verified(language: str, text: str) -> Match:
    """Replay a record event by event."""
    with speaking(language):
        try:
            if text.count("[") > MOST_EVENTS + 10:
                message = ngettext(
                    "a record to be shown has at most {most} event",
                    "a record to be shown has at most {most} events",
                    MOST_EVENTS,
                )
                raise Rejected("limit", message.format(most=MOST_EVENTS))
            return Match.of(_drawable(Record.from_json(text)))
        except Rejected:
            raise
        except DroptableError as error:
            raise Rejected("syntax", str(error), getattr(error, "rule", None)) from error


def _drawable(record: Record) -> Record:
    """The record, if its first and last moments can be drawn: those of a variant might not."""
    if record.game.plain_only:
        try:
            replay = Replay(record)
            for at in {0, replay.length}:
                replay.scene(at, None, Look("wide"))
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
            message = _("this variant cannot be shown: {error}").format(error=problem)
            raise Rejected("syntax", message) from error
    return record


def perform(packed: bytes, language: str, method: str, *given: Any) -> Any:
    """Call a method of a replay; what is neither text nor bytes comes back as JSON."""
    with speaking(language):
        result = METHODS[method](_replay(packed), *given)
    return result if isinstance(result, str | bytes) else msgspec.json.encode(result)


@lru_cache(REPLAYS_KEPT)
def _replay(packed: bytes) -> Replay:
    return Replay(pickle.loads(packed))


def _png(replay: Replay, at: int, seat: int | None, look: Look, dark: bool, width: int) -> bytes:
    return png(replay.picture(at, seat, look, dark=dark), width)


METHODS: dict[str, Callable[..., Any]] = {
    "about": Replay.about,
    "scene": Replay.scene,
    "line": Replay.line,
    "verified": Replay.verified,
    "judged": lambda replay, decisions: [replay.judged(decision) for decision in decisions],
    "record": lambda replay: replay.record.to_json(),
    "svg": lambda replay, at, seat, look, dark: replay.picture(at, seat, look, dark=dark),
    "png": _png,
    "card": lambda replay: png(
        framed(replay.picture(len(replay.record.events), None, Look("wide"))), WIDTH
    ),
    "gif": lambda replay, seat, dark: replay.animation(seat, dark=dark),
}
