"""Puzzles under /api: one that suits you, the one of the day, answers, and your rating."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Path, Query, Request, Response
from msgspec import Struct

from droptable.bots.puzzles import Puzzle
from droptable.core.language import _
from droptable.games import games
from droptable.tables import puzzle_ratings
from droptable.tables.commands import MOST_MOVES, Token
from droptable.tables.daily import day_of
from droptable.tables.database import Connection
from droptable.tables.events import Identity
from droptable.tables.host import Host
from droptable.tables.puzzle_book import PuzzleBook, daily_puzzle, next_puzzle, solved_of
from droptable.tables.puzzle_ratings import PuzzleRating
from droptable.tables.rejected import Rejected
from droptable.web import puzzle_board
from droptable.web.api import answer, find_game, read
from droptable.web.language import LanguageQuery
from droptable.web.lessons_api import PictureQuery
from droptable.web.openapi import body, refusals, returns
from droptable.web.replay_api import Replays, owner_of

router = APIRouter(prefix="/api/puzzles")
PuzzleId = Annotated[str, Path(max_length=40, description="of a puzzle")]
TouchedQuery = Annotated[str, Query(max_length=500, description="a JSON list of things' names")]
EXAMPLE = '{"tokens": ["…"]}'


class Solution(Struct, frozen=True, forbid_unknown_fields=True):
    """The move that somebody makes, or several in a row, of which the first one counts."""

    tokens: Annotated[tuple[Token, ...], msgspec.Meta(min_length=1, max_length=MOST_MOVES)]


class Strength(Struct, frozen=True):
    """A rating, its uncertainty, and the tries that it comes from."""

    rating: int
    deviation: int
    tries: int
    solved: int
    provisional: bool

    @classmethod
    def of(cls, known: PuzzleRating) -> Strength:
        """In whole points."""
        return cls(
            round(known.rating), round(known.deviation), known.tries, known.solved,
            known.provisional,
        )  # fmt: skip


STRUCTS = (Solution, Strength)


@router.get("", responses=returns("Games with puzzles, the daily one, and your rating."))
async def overview(request: Request, language: LanguageQuery = "en") -> Response:  # noqa: ARG001
    """What there is to solve, and how far you are."""
    me = await identity_of(request)
    host: Host = request.app.state.host
    book: PuzzleBook = request.app.state.puzzles
    tried = await host.store.query(lambda c: puzzle_ratings.tries(c, me))
    rating = await host.store.query(lambda c: puzzle_ratings.rating_of(c, me))
    today = daily_puzzle(day_of(host.now))
    about = []
    for game in games():
        offered = await book.all(game.name)
        if offered:
            accent = game.scene.accent if game.scene else "gold"
            about.append(
                {"name": game.name, "title": game.title, "accent": accent, "count": len(offered),
                 "solved": solved_of(offered, tried),
                 "tried": sum(puzzle.id in tried for puzzle in offered)}
            )  # fmt: skip
    return answer({
        "games": about,
        "rating": Strength.of(rating),
        "daily": today and await _daily(host, today, tried),
    })  # fmt: skip


async def _daily(host: Host, today: Puzzle, tried: dict[str, bool]) -> dict[str, Any]:
    known = await host.store.query(lambda c: puzzle_ratings.rating_of_puzzle(c, today))
    return {
        "id": today.id, "game": today.game, "title": find_game(today.game).title,
        "tried": tried.get(today.id), "tries": known.tries, "solved": known.solved,
    }  # fmt: skip


@router.get("/next", responses=returns("A puzzle.") | refusals("gone", "syntax", "limit"))
async def following(
    request: Request,
    game: Annotated[str | None, Query(max_length=100, description="any game if missing")] = None,
    after: Annotated[str, Query(max_length=40, description="the puzzle you come from")] = "",
    scene: PictureQuery = "wide",
    language: LanguageQuery = "en",
) -> Response:
    """A puzzle of about your rating that you have not tried; when there is none left, one that you
    missed."""
    me = await identity_of(request)
    host: Host = request.app.state.host
    offered = await request.app.state.puzzles.all(game and find_game(game).name)
    tried = await host.store.query(lambda c: puzzle_ratings.tries(c, me))
    mine = await host.store.query(lambda c: puzzle_ratings.rating_of(c, me))
    found = next_puzzle(offered, mine.rating, tried, after)
    if found is None:
        raise Rejected("gone", _("there are no puzzles of this game"))
    return await _shown(request, found, scene, language)


@router.get("/daily", responses=returns("The puzzle of the day.") | refusals("gone", "limit"))
async def daily(
    request: Request, scene: PictureQuery = "wide", language: LanguageQuery = "en"
) -> Response:
    """Today's puzzle, the same everywhere."""
    found = daily_puzzle(day_of(request.app.state.host.now))
    if found is None:
        raise Rejected("gone", _("there are no puzzles here"))
    return await _shown(request, found, scene, language)


@router.get("/{puzzle}", responses=returns("A puzzle.") | refusals("gone", "syntax", "limit"))
async def one(
    request: Request, puzzle: PuzzleId, scene: PictureQuery = "wide", language: LanguageQuery = "en"
) -> Response:
    """A puzzle, as the seat that is to move sees it."""
    return await _shown(request, await _find(request, puzzle), scene, language)


@router.post(
    "/{puzzle}/answer", openapi_extra=body(Solution),
    responses=returns("Whether it was right, why, and the best line.")
    | refusals("gone", "syntax", "illegal", "limit"),
)  # fmt: skip
async def solve(
    request: Request, puzzle: PuzzleId, scene: PictureQuery = "wide", language: LanguageQuery = "en"
) -> Response:
    """Answer a puzzle. Your first answer counts for your rating and for the puzzle's."""
    found = await _find(request, puzzle)
    given: Solution = await read(request, Solution, EXAMPLE)
    me = await identity_of(request)
    host: Host = request.app.state.host
    right, reply = await work(
        request, puzzle_board.answered, found, language, given.tokens, False, scene == "tall"
    )
    change = await _rate(host, me, found, solved=right) if me else {"counted": False}
    return answer(msgspec.json.decode(reply) | change)


async def _rate(host: Host, me: Identity, found: Puzzle, *, solved: bool) -> dict[str, Any]:
    """Count a first answer: the rating before and after it."""

    def work(connection: Connection) -> tuple[PuzzleRating, bool, PuzzleRating]:
        before = puzzle_ratings.rating_of(connection, me)
        counted = puzzle_ratings.note_try(connection, me, found, host.now, solved=solved)
        return before, counted, puzzle_ratings.rating_of(connection, me)

    before, counted, after = await host.store.write(work)
    return {"counted": counted, "before": Strength.of(before), "rating": Strength.of(after)}


@router.get("/{puzzle}/why", responses=returns("The reason, or null.") | refusals("gone", "syntax"))
async def why(
    request: Request, puzzle: PuzzleId, touched: TouchedQuery, language: LanguageQuery = "en"
) -> Response:
    """Why touching these things makes no move, with the rule."""
    return await reason(request, await _find(request, puzzle), touched, language)


async def _find(request: Request, id_: str) -> Puzzle:
    found: Puzzle | None = await request.app.state.puzzles.find(id_)
    if found is None:
        raise Rejected("gone", _("there is no puzzle {id}").format(id=repr(id_)))
    return found


async def _shown(request: Request, found: Puzzle, scene: str, language: str) -> Response:
    me = await identity_of(request)
    host: Host = request.app.state.host
    known = await host.store.query(lambda c: puzzle_ratings.rating_of_puzzle(c, found))
    tried = await host.store.query(lambda c: puzzle_ratings.tries(c, me))
    board = await work(request, puzzle_board.shown, found, language, scene == "tall")
    about = {"id": found.id, "rating": round(known.rating), "tried": tried.get(found.id)}
    return answer(msgspec.json.decode(board) | about)


# -- shared with exercises ------------------------------------------------------------------------


async def identity_of(request: Request) -> Identity:
    """Who asks; empty for nobody."""
    who = await request.app.state.door.who(request)
    return who.identity if who else ""


async def work(request: Request, function: Any, puzzle: Puzzle, *given: Any) -> Any:
    """Have a function of `puzzle_board` called in the crew that draws."""
    replays: Replays = request.app.state.replays
    packed = msgspec.json.encode(puzzle)
    return await replays.studio.do(function, await owner_of(request), packed, *given)


async def reason(request: Request, puzzle: Puzzle, touched: str, language: str) -> Response:
    """Why touches make no move."""
    try:
        names = msgspec.json.decode(touched, type=tuple[str, ...])
    except msgspec.MsgspecError as error:
        message = _("touched is {value}: {error}").format(value=repr(touched[:80]), error=error)
        raise Rejected("syntax", message) from None
    return answer({"reason": await work(request, puzzle_board.reason, puzzle, language, names)})
