"""Lessons: pictures of real positions for the rules, and exercises that are played on the scene.

Positions are given by the events that lead to them, so they are as real as any match:
`"d deal 6; 0 hide 6"` is what the dealer deals and what seat 0 does. An exercise asks for a move,
or for something to touch; the right answers are listed, and `proof` derives them from the rules
alone, so that tests can compare. Texts are English here and are translated when shown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from droptable.core.contract import DEALER
from droptable.core.language import _
from droptable.core.scene import BUTTON, Frame, Path_

if TYPE_CHECKING:
    from droptable.core.game import Game
    from droptable.core.state import State, View

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn")


@dataclass(frozen=True)
class Position:
    """A moment of a match, seen by one seat."""

    players: int
    events: str  # `ACTOR TOKEN`, separated by `;`, where the actor `d` is the dealer
    seat: int = 0  # whose view
    options: tuple[tuple[str, Any], ...] = ()

    def state(self, game: Game) -> State:
        """The state that the events lead to."""
        state = game.start(self.players, **dict(self.options))
        for event in self.events.split(";"):
            actor, token = event.strip().split(" ", 1)
            state.apply(DEALER if actor == "d" else int(actor), token)
        return state

    def frame(self, tall: bool) -> Frame:
        """The frame of the picture."""
        return Frame(NAMES[: self.players], tall)


@dataclass(frozen=True)
class Shown:
    """A picture that illustrates a rule."""

    rule: str
    caption: str
    position: Position


@dataclass(frozen=True)
class Answer:
    """An answer that somebody may give, and the reply to it."""

    says: str
    rule: str
    move: str = ""  # the move that is tried, where there is one
    touch: Path_ = ()  # what is touched; by default the path of the move


@dataclass(frozen=True)
class Exercise:
    """A question that is answered by touching the picture, or by a button."""

    question: str
    rule: str
    position: Position
    right: tuple[Answer, ...]
    wrong: tuple[Answer, ...]
    otherwise: str  # the reply to any other answer
    proof: Callable[[State, str], bool]  # whether a move (or a touch) is right, by the rules
    things: tuple[str, ...] = ()  # what may be touched when the question is not about a move
    buttons: Mapping[str, str] = field(default_factory=dict)  # such things as labelled buttons

    def paths(self, view: View) -> list[Path_]:
        """Everything that can be touched: things or legal moves, and what the answers name."""
        paths: list[Path_] = [(name,) for name in (*self.things, *self.buttons)]
        if not paths:
            paths = [move_path(view, token) for token in view.legal]
        for answer in (*self.right, *self.wrong):
            path = answer_path(view, answer)
            if path not in paths:
                paths.append(path)
        return paths

    def answer(self, view: View, touched: Sequence[str]) -> tuple[bool, Answer]:
        """Whether these touches are right, and the answer that they give."""
        for answers, right in ((self.right, True), (self.wrong, False)):
            for answer in answers:
                if _same(answer_path(view, answer), touched):
                    return right, answer
        return False, Answer(self.otherwise, self.rule)

    def labels(self, view: View) -> dict[Path_, str]:
        """What the buttons among the paths say."""
        labels: dict[Path_, str] = {(name,): _(text) for name, text in self.buttons.items()}
        for path in self.paths(view):
            if path not in labels and isinstance(path[0], str) and path[0].startswith(BUTTON):
                labels[path] = view.label(path[0].removeprefix(BUTTON))
        return labels


@dataclass(frozen=True)
class Lessons:
    """A game to learn: pictures for its rules, and exercises."""

    pictures: tuple[Shown, ...]
    exercises: tuple[Exercise, ...]


def move_path(view: View, token: str) -> Path_:
    """What is touched to make a move."""
    scene, seat = view.game.scene, view.seat
    assert scene is not None and seat is not None
    action = view.game.vocabulary(view.options).action_ids[token]
    return scene.path(view.fields, seat, action)


def answer_path(view: View, answer: Answer) -> Path_:
    """What is touched to give an answer."""
    return answer.touch or move_path(view, answer.move)


def _same(path: Path_, touched: Sequence[str]) -> bool:
    """Whether these touches follow a path; its groups are touched in any order."""
    left = list(touched)
    for step in path:
        group = [step] if isinstance(step, str) else list(step)
        if sorted(left[: len(group)]) != sorted(group):
            return False
        del left[: len(group)]
    return not left
