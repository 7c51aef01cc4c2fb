"""My mistakes under /api: the coach's findings in my own matches, as exercises that come back."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Depends, Request, Response

from droptable.core.errors import DroptableError
from droptable.core.language import _
from droptable.tables import exercises
from droptable.tables.archive import record
from droptable.tables.daily import day_of
from droptable.tables.events import Identity
from droptable.tables.exercises import SPACING, Mistake
from droptable.tables.host import Host
from droptable.tables.rejected import Rejected
from droptable.web import puzzle_board
from droptable.web.api import answer, find_game, read
from droptable.web.coach_jobs import unpack
from droptable.web.language import LanguageQuery
from droptable.web.lessons_api import PictureQuery
from droptable.web.openapi import body, refusals, returns
from droptable.web.puzzles_api import EXAMPLE, PuzzleId, Solution, TouchedQuery, reason, work

router = APIRouter(prefix="/api/mistakes")


@router.get("", responses=returns("Your mistakes, and what is due.") | refusals("forbidden"))
async def mine(request: Request, language: LanguageQuery = "en") -> Response:  # noqa: ARG001
    """The mistakes that the coach found in your matches: those due today first."""
    host: Host = request.app.state.host
    me = (await request.app.state.door.known(request)).identity
    await _read_analyses(host, me)
    found = await host.store.query(lambda c: exercises.mistakes(c, me))
    today = day_of(host.now)
    return answer({
        "day": today,
        "spacing": SPACING,
        "due": sum(_is_due(one, today) for one in found),
        "solved": sum(one.solved for one in found),
        "mistakes": [_listed(one, today) for one in found if not one.solved],
    })  # fmt: skip


async def _find(request: Request, mistake: PuzzleId) -> tuple[Identity, Mistake]:
    """One of somebody's own exercises; those of others do not exist for them."""
    me = (await request.app.state.door.known(request)).identity
    found = await request.app.state.host.store.query(lambda c: exercises.mistakes(c, me, mistake))
    if not found:
        raise Rejected("gone", _("there is no exercise {id}").format(id=repr(mistake)))
    return me, found[0]


Own = Annotated[tuple[Identity, Mistake], Depends(_find)]


@router.get(
    "/{mistake}", responses=returns("An exercise.") | refusals("gone", "forbidden", "limit")
)
async def one(
    request: Request, own: Own, scene: PictureQuery = "wide", language: LanguageQuery = "en"
) -> Response:
    """The position in which you made a mistake, as you saw it."""
    _me, found = own
    board = await work(request, puzzle_board.shown, found.puzzle, language, scene == "tall")
    today = day_of(request.app.state.host.now)
    return answer(msgspec.json.decode(board) | _listed(found, today))


@router.post(
    "/{mistake}/answer", openapi_extra=body(Solution),
    responses=returns("Whether it was right, why, and when it comes back.")
    | refusals("gone", "forbidden", "syntax", "illegal", "limit"),
)  # fmt: skip
async def solve(
    request: Request, own: Own, scene: PictureQuery = "wide", language: LanguageQuery = "en"
) -> Response:
    """Answer an exercise: any move that the coach would not mark is right."""
    me, found = own
    given: Solution = await read(request, Solution, EXAMPLE)
    host: Host = request.app.state.host
    right, reply = await work(
        request, puzzle_board.answered, found.puzzle, language, given.tokens, True, scene == "tall"
    )
    today = day_of(host.now)
    moved = await host.store.write(
        lambda c: exercises.note_answer(c, me, found.id, today, right=right)
    )
    shown = _listed(moved or found, today) | {"counted": _is_due(found, today)}
    return answer(msgspec.json.decode(reply) | shown)


@router.get(
    "/{mistake}/why",
    responses=returns("The reason, or null.") | refusals("gone", "forbidden", "syntax"),
)
async def why(
    request: Request, own: Own, touched: TouchedQuery, language: LanguageQuery = "en"
) -> Response:
    """Why touching these things makes no move, with the rule."""
    _me, found = own
    return await reason(request, found.puzzle, touched, language)


async def _read_analyses(host: Host, me: Identity) -> None:
    """Make exercises of what the coach has said since the last look."""
    for table, match, text in await exercises.unread(host.store, me):
        found = await _mistakes_in(host, me, table, text)
        if found is not None:
            await host.store.write(partial(exercises.add, who=me, match=match, found=found))


async def _mistakes_in(host: Host, me: Identity, table: str, text: str) -> list[Mistake] | None:
    """Somebody's mistakes in a match; None if others still play the same deal."""
    finished = await host.table(table)
    seat, decisions = finished.seat_of(me), unpack(text)
    if not exercises.may_be_shown(finished, host.now):
        return None
    if seat is None or decisions is None:
        return []
    try:
        played = record(finished)
        return list(exercises.mistakes_of(played, decisions, seat, table, day_of(host.now)))
    except (DroptableError, IndexError):  # the match went on after this analysis
        return []


def _is_due(one: Mistake, today: str) -> bool:
    return not one.solved and one.due <= today


def _listed(one: Mistake, today: str) -> dict[str, Any]:
    game = find_game(one.puzzle.game)
    return {
        "id": one.id, "game": game.name, "title": game.title,
        "accent": game.scene.accent if game.scene else "gold", "mark": one.mark,
        "table": one.table, "event": one.event, "step": one.step, "solved": one.solved,
        "due": one.due, "is_due": _is_due(one, today),
        "days": None if one.solved else SPACING[one.step],
    }  # fmt: skip
