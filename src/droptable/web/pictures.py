"""What pages need to show a match: the picture, the prompt, and how moves are touched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from typing import Any

from droptable.bots.characters import CHARACTERS
from droptable.bots.match import play
from droptable.core.components import at
from droptable.core.contract import DEALER, NOBODY
from droptable.core.faces import face
from droptable.core.game import Game
from droptable.core.language import LANGUAGES, _, speaking, spoken
from droptable.core.raster import standalone
from droptable.core.record import Record, open_record
from droptable.core.scene import BUTTON, Frame, Path_
from droptable.core.state import View
from droptable.core.svg import el
from droptable.tables.rejected import Rejected
from droptable.tables.table import Table

SHOWN_SEED = 7  # of the match that is shown for a game without a showcase
MOMENTS = 5  # of a showcase: the best one, and those that lead to it
SHAPES = ("none", "wide", "tall")


@dataclass(frozen=True)
class Look:
    """How a client wants to be shown a table."""

    scene: str = "none"  # `wide` or `tall` for a picture, `none` for programs
    focus: int | None = None  # the seat whose place is drawn large
    language: str = "en"
    beats: bool = False  # whether the moments since the last state are sent, too
    seat: int | None = None  # as which of several seats of their own they look

    @classmethod
    def checked(
        cls, scene: str, focus: int | None, language: str, *, beats: bool = False,
        seat: int | None = None,
    ) -> Look:  # fmt: skip
        """A look with valid fields; `Rejected` names the one that is not."""
        if scene not in SHAPES:
            unknown = _("there is no scene {name}; expected {known}")
            raise Rejected("syntax", unknown.format(name=repr(scene), known=", ".join(SHAPES)))
        if language not in LANGUAGES:
            unknown = _("there is no language {name}; expected {known}")
            known = ", ".join(LANGUAGES)
            raise Rejected("syntax", unknown.format(name=repr(language), known=known))
        for named in (focus, seat):
            if named is not None and not 0 <= named < 64:
                unknown = _("there is no seat {seat}; expected 0 or more")
                raise Rejected("syntax", unknown.format(seat=named))
        return cls(scene, focus, language, beats, seat)


def frame_of(view: View, names: Sequence[str], look: Look) -> Frame | None:
    """How the picture of a view is drawn; None if the game has none, or none is wanted."""
    if view.game.scene is None or look.scene == "none":
        return None
    focus = look.focus if look.focus is not None and look.focus < view.players else None
    return Frame(names, look.scene == "tall", focus)


def picture(view: View, frame: Frame) -> dict[str, Any]:
    """The scene of a view, the prompt for its viewer, and what switches a thing just touched."""
    scene, viewer = view.game.scene, NOBODY if view.seat is None else view.seat
    assert scene is not None
    fields = view.fields
    return {
        "svg": str(scene.draw(fields, viewer, frame).svg()),
        "accent": scene.accent,
        "prompt": scene.prompt(fields, viewer, frame.names),
        "switches": scene.switches(fields, viewer) if viewer in view.to_act else {},
    }


def shortcuts(view: View, frame: Frame) -> dict[str, Any]:
    """What a seat that is to act can do at once: chips, and slots to be filled in any order."""
    scene, seat = view.game.scene, view.seat
    if scene is None or seat is None or seat not in view.to_act:
        return {}
    chips = scene.chips(view.fields, seat, frame)
    fill = scene.fill(view.fields, seat)
    return {
        "chips": [asdict(chip) | {"ghost": chip.ghost and str(chip.ghost)} for chip in chips],
        "fill": fill and {"slots": fill.slots, "pieces": dict(fill.pieces), "token": fill.token},
    }


def moves(view: View, frame: Frame | None = None) -> list[dict[str, Any]]:
    """The legal moves of a view's seat: token, label, path of touches and, framed, the ghost."""
    scene, seat = view.game.scene, NOBODY if view.seat is None else view.seat
    ids = view.game.vocabulary(view.options).action_ids
    legal = []
    for token in view.legal:
        move: dict[str, Any] = {"token": token, "label": view.label(token)}
        if scene is None:
            move["path"] = (BUTTON + token,)
        else:
            move["path"] = scene.path(view.fields, seat, ids[token])
            if frame is not None:
                ghost = scene.ghost(view.fields, seat, ids[token], frame)
                move["ghost"] = None if ghost is None else str(ghost)
        legal.append(move)
    return legal


def middle_of_a_match(game: Game, *, dark: bool = False, moment: int = 0) -> str | None:
    """A picture of a good match, always the same one, from the view of whoever is to move.

    Moments 1, 2, … lead to it: they are earlier states of the same match, seen by the same seat.
    """
    return _showcase(game, spoken(), dark, moment)


@cache
def _showcase(game: Game, _language: str, dark: bool, moment: int) -> str | None:
    if game.scene is None:
        return None
    match = _showcase_match(game)
    state = match.final
    seat = max(state.to_act[0], 0)
    if moment:
        own = [number for number, (actor, _token) in enumerate(match.events) if actor != DEALER]
        state = match.state_at(own[len(own) * moment // MOMENTS])
    names = CHARACTERS[: state.players]
    faces = ["" if other == seat else name for other, name in enumerate(names)]
    drawn = game.scene.draw(state.view(seat).fields, seat, Frame(names, faces=faces))
    return drawn.svg(standalone=True, dark=dark)


def _showcase_match(game: Game) -> Record:
    """A match up to a moment worth seeing: the game's own showcase, or a random match."""
    if game.showcase is not None:
        return open_record(game.showcase)
    match = play(game, min(3, game.players[-1]), seed=SHOWN_SEED)
    number = len(match.events) // 3
    while match.state_at(number).to_act == (DEALER,):
        number += 1
    return replace(match, events=match.events[:number])


@cache
def face_picture(name: str) -> str:
    """A character's face as a file: 100 units wide, on nothing."""
    drawn = el(
        "svg",
        el("title", name),
        at(50, 50, face(name, 50)),
        xmlns="http://www.w3.org/2000/svg",
        viewBox="0 0 100 100",
        class_="scene",
    )
    return standalone(drawn, paper=False)


def refusal(view: View, touched: Sequence[str]) -> str | None:
    """Why touching these things makes no move: the reason against a move that begins with them."""
    scene, seat = view.game.scene, view.seat
    if scene is None or seat is None or seat not in view.to_act:
        return None
    if reason := scene.refusal(view.fields, seat, tuple(touched)):
        return reason
    legal = set(view.legal_ids(seat))
    for action, token in enumerate(view.game.vocabulary(view.options).actions):
        if action not in legal and _begins(_path_of(view, action), list(touched)):
            return view.why(token)
    return None


def _path_of(view: View, action: int) -> Path_:
    """What a person would touch for an illegal move; empty if the scene has no path for it."""
    assert view.game.scene is not None and view.seat is not None
    try:
        return view.game.scene.path(view.fields, view.seat, action)
    except (LookupError, ValueError, ArithmeticError):
        return ()


def _begins(path: Path_, touched: list[str]) -> bool:
    """Whether a path begins with these touches; those of a group may come in any order."""
    for step in path:
        group = [step] if isinstance(step, str) else list(step)
        while group and touched:
            if touched[0] not in group:
                return False
            group.remove(touched.pop(0))
        if not touched:
            return True
    return False


def score_sheet(table: Table, viewer: int | None, language: str) -> list[dict[str, Any]]:
    """The score as a person would write it down, as this viewer may know it."""
    if table.state is None or table.game is None or table.game.scene is None:
        return []
    views = [state.view(viewer).fields for state in table.state.record.states()]
    with speaking(language):
        return [asdict(line) for line in table.game.sheet(views, table.names)]
