"""Learning a game, under /api: its rules with pictures, and exercises that are answered here."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Path, Query, Request, Response
from msgspec import Struct

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
    """Whether that was right, what there is to say, the rule, and the picture after a move."""

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
    found, tall = find_game(game), scene == "tall"
    pictures = () if found.lessons is None else found.lessons.pictures
    exercises = () if found.lessons is None else found.lessons.exercises
    with speaking(language):
        return answer({
            "name": found.name,
            "title": found.title,
            "summary": _(found.summary),
            "accent": found.scene.accent if found.scene else "gold",
            "text": found.text,
            "pictures": [_shown(found, one, tall) for one in pictures],
            "exercises": [_exercise(found, one, tall) for one in exercises],
        })  # fmt: skip


@router.post(
    "/games/{game}/exercises/{number}", openapi_extra=body(Try),
    responses=returns("What there is to say.", Reply) | refusals("gone", "syntax"),
)  # fmt: skip
async def exercise(
    request: Request,
    game: str,
    number: ExerciseNumber,
    scene: PictureQuery = "wide",
    language: LanguageQuery = "en",
) -> Response:
    """Try an answer."""
    found = find_game(game)
    asked = () if found.lessons is None else found.lessons.exercises
    if number > len(asked):
        told = ngettext(
            "{game} has {count} exercise, there is no {number}",
            "{game} has {count} exercises, there is no {number}",
            len(asked),
        )
        raise Rejected("gone", told.format(game=found.title, count=len(asked), number=number))
    try:
        tried = msgspec.json.decode(await request.body(), type=Try)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise Rejected("syntax", _("this is not a try: {error}").format(error=error)) from None
    one = asked[number - 1]
    with speaking(language):
        state = _reached(found, one.position)
        right, said = one.answer(state.view(one.position.seat), tried.touched)
        svg = None
        if right and said.move:
            after = state.copy()
            after.apply(one.position.seat, said.move)
            svg = _picture(after, one.position, scene == "tall")["svg"]
        return answer(Reply(right, _(said.says), said.rule, svg))


@cache
def _reached(game: Game, position: Position) -> State:
    """The state of a position, not to be changed."""
    return position.state(game)


def _shown(game: Game, one: Shown, tall: bool) -> dict[str, Any]:
    svg = _picture(_reached(game, one.position), one.position, tall)["svg"]
    return {"rule": one.rule, "caption": _(one.caption), "svg": svg}


def _exercise(game: Game, one: Exercise, tall: bool) -> dict[str, Any]:
    """An exercise without its answers, as a client plays it."""
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
