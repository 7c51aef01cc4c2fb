"""The refusal of a command, with its reason."""

from __future__ import annotations

from typing import Any, Literal

from droptable.core.errors import DroptableError, IllegalMove, TokenError

Kind = Literal["syntax", "illegal", "stale", "forbidden", "gone", "limit", "outage"]


class Rejected(DroptableError):
    """A command that is refused and changes nothing. The message is a sentence for its sender.

    Kinds: `syntax` (no such command, move or value), `illegal` (not possible now), `stale` (the
    match has changed since the sender looked), `forbidden` (not this person), `gone` (the table or
    match does not exist, or is over), `limit` (too many, too long, too fast), `outage` (the
    database does not answer: the same command may be sent again).
    """

    def __init__(
        self, kind: Kind, message: str, rule: str | None = None, wait: int | None = None
    ) -> None:
        """`wait` is after how many seconds it may be tried again, where that is known."""
        super().__init__(message)
        self.kind = kind
        self.rule = rule
        self.wait = wait

    def __reduce__(self) -> tuple[Any, ...]:  # by default it would be made of its message alone
        return Rejected, (self.kind, str(self), self.rule, self.wait)

    @classmethod
    def from_error(cls, error: DroptableError) -> Rejected:
        """The refusal for an error of the rules."""
        if isinstance(error, IllegalMove):
            return cls("illegal", str(error), error.rule)
        return cls("syntax" if isinstance(error, TokenError) else "illegal", str(error))
