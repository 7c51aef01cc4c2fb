"""Lessons under /api: the rules of a game with pictures, and exercises that are checked here."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Path, Query, Request, Response
from msgspec import Struct

from droptable.core.balance import balance_of
from droptable.core.game import Game
from droptable.core.language import _, ngettext, speaking
from droptable.core.lessons import Exercise, Position, Shown
from droptable.core.state import State
from droptable.tables.rejected import Rejected
from droptable.web.api import answer, find_game
from droptable.web.language import LanguageQuery
from droptable.web.openapi import body, refusals, returns
from droptable.web.pictures import picture

router = APIRouter(prefix="/api")
PictureQuery = Annotated[Literal["wide", "tall"], Query(description="the pictures you want")]
ExerciseNumber = Annotated[int, Path(ge=1, le=100, description="counted from 1")]


class Try(Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody touched to answer an exercise."""

    touched: Annotated[list[str], msgspec.Meta(max_length=100)]


class Reply(Struct, frozen=True):
    """Whether an answer was right, why, by which rule, and the picture after the move."""

    right: bool
    text: str
    rule: str
    svg: str | None = None


STRUCTS = (Try, Reply)


@router.get(
    "/games/{game}/lessons",
    responses=returns("Rules, pictures and exercises.") | refusals("gone", "syntax"),
)
async def lessons(
    game: str, scene: PictureQuery = "wide", language: LanguageQuery = "en"
) -> Response:
    """All there is to learn about a game."""
    subject, tall = find_game(game), scene == "tall"
    pictures = () if subject.lessons is None else subject.lessons.pictures
    exercises = () if subject.lessons is None else subject.lessons.exercises
    with speaking(language):
        return answer({
            "name": subject.name,
            "title": subject.title,
            "summary": _(subject.summary),
            "players": subject.players,
            "accent": subject.scene.accent if subject.scene else "gold",
            "text": subject.text,
            "measured": balance_of(subject) is not None,
            "pictures": [_shown(subject, one, tall) for one in pictures],
            "exercises": [_exercise(subject, one, tall) for one in exercises],
        })  # fmt: skip


@router.post(
    "/games/{game}/exercises/{number}", openapi_extra=body(Try),
    responses=returns("Whether it was right, and why.", Reply) | refusals("gone", "syntax"),
)  # fmt: skip
async def exercise(
    request: Request,
    game: str,
    number: ExerciseNumber,
    scene: PictureQuery = "wide",
    language: LanguageQuery = "en",
) -> Response:
    """Check an answer to an exercise."""
    subject = find_game(game)
    exercises = () if subject.lessons is None else subject.lessons.exercises
    if number > len(exercises):
        missing = ngettext(
            "{game} has {count} exercise, there is no {number}",
            "{game} has {count} exercises, there is no {number}",
            len(exercises),
        )
        missing = missing.format(game=subject.title, count=len(exercises), number=number)
        raise Rejected("gone", missing)
    try:
        tried = msgspec.json.decode(await request.body(), type=Try)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise Rejected("syntax", _("this is not an answer: {error}").format(error=error)) from None
    one = exercises[number - 1]
    with speaking(language):
        state = _reached(subject, one.position)
        right, reply = one.answer(state.view(one.position.seat), tried.touched)
        svg = None
        if right and reply.move:
            after = state.copy()
            after.apply(one.position.seat, reply.move)
            svg = _picture(after, one.position, scene == "tall")["svg"]
        return answer(Reply(right, _(reply.says), reply.rule, svg))


@cache
def _reached(game: Game, position: Position) -> State:
    """The state of a position: shared, so copy it before changing it."""
    return position.state(game)


def _shown(game: Game, one: Shown, tall: bool) -> dict[str, Any]:
    svg = _picture(_reached(game, one.position), one.position, tall)["svg"]
    return {"rule": one.rule, "caption": _(one.caption), "svg": svg}


def _exercise(game: Game, one: Exercise, tall: bool) -> dict[str, Any]:
    """An exercise as a client gets it: without its answers."""
    state = _reached(game, one.position)
    view = state.view(one.position.seat)
    labels = one.labels(view)
    shown = _picture(state, one.position, tall)
    return {
        "question": _(one.question),
        "rule": one.rule,
        "svg": shown["svg"],
        "switches": {} if one.things or one.buttons else shown["switches"],
        "moves": [
            {"token": str(number), "path": path, "label": labels.get(path, "")}
            for number, path in enumerate(one.paths(view))
        ],
    }


def _picture(state: State, position: Position, tall: bool) -> dict[str, Any]:
    return picture(state.view(position.seat), position.frame(tall))
