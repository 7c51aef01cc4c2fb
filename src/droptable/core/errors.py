"""Errors about input from people, files and programs. All are `ValueError`s."""

from __future__ import annotations


class DroptableError(ValueError):
    """The base of all errors that Droptable raises about its input."""


class GameError(DroptableError):
    """A game that is not made as the contract says: a matter for its author."""


class UnknownGame(DroptableError):
    """There is no game of that name."""


class OptionError(DroptableError):
    """A player count or an option that the game does not have, or a value outside its range."""


class TokenError(DroptableError):
    """Text that is not a move of the game in any position."""


class IllegalMove(DroptableError):
    """A move that is not legal now. `rule` is the number of the rule that it breaks."""

    def __init__(self, reason: str, rule: str, actor: int, token: str) -> None:
        super().__init__(f"{reason} ({rule})")
        self.reason = reason
        self.rule = rule
        self.actor = actor
        self.token = token

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return type(self), (self.reason, self.rule, self.actor, self.token)


class RecordError(DroptableError):
    """A record that cannot be read, or breaks a rule at `event` (from 0; None if at no event)."""

    def __init__(self, message: str, event: int | None = None, rule: str | None = None) -> None:
        super().__init__(message)
        self.event = event
        self.rule = rule
