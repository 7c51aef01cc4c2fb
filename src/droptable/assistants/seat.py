"""A seat that an assistant plays: what it is told, and what it can do. All in text."""

from __future__ import annotations

from typing import Protocol

from droptable.core.errors import DroptableError, IllegalMove
from droptable.core.game import Game
from droptable.core.state import View
from droptable.envs.answer_parser import Reader


class Refused(DroptableError):
    """What an assistant asked for is not possible; the message says why."""


class Seat(Protocol):
    """One seat at one match. Whatever it returns, the seat's people could see as well."""

    @property
    def game(self) -> Game:
        """What is played."""

    def look(self, wait: float = 0.0) -> str:
        """News, the table and the legal moves; first wait so many seconds for one's turn."""

    def move(self, said: str) -> str:
        """Make the move that a text names; the table after it."""

    def why(self, said: str) -> str:
        """What a move means, or why it is not legal."""

    def hint(self) -> str:
        """What a good bot would do, where hints are allowed."""

    def leave(self) -> str:
        """Give up the seat."""


def reader_of(view: View) -> Reader:
    """Reads what may name any move of the game."""
    labels = {token: view.label(token) for token in view.legal}
    return Reader(view.game.vocabulary(view.options).actions, labels)


def read(view: View, said: str) -> str:
    """The move that a text names, legal or not."""
    if " " in view.game.title:  # its words may be moves, too
        said = said.replace(view.game.title, " ")
    return reader_of(view).read(said)


def explained(game: Game, reason: str, rule: str | None) -> str:
    """A refusal together with the rule that it cites."""
    if rule is None or rule not in game.rule_sections:
        return reason
    return f"{reason}\n\n{game.rule(rule)}"


def why_not(view: View, said: str) -> str:
    """What a move means if it is legal; else why it is not, with the rule."""
    token = read(view, said)
    if view.seat in view.to_act and token in view.legal:
        return f"{token} is legal: {view.label(token)}"
    reason = view.why(token)
    rule = reason.rpartition("(")[2].rstrip(")")
    return explained(view.game, f"{token} is not legal: {reason}", rule)


def refusal_of(game: Game, error: DroptableError) -> Refused:
    """What to tell an assistant about an error."""
    rule = error.rule if isinstance(error, IllegalMove) else None
    return Refused(explained(game, str(error), rule))


def moves_of(view: View) -> str:
    """The legal moves, one per line: the move and what it means."""
    return "\n".join(f"- {token}: {view.label(token)}" for token in view.legal)
