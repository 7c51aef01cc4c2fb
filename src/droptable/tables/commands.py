"""Commands that people may send to a table, as they arrive from outside."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta, Struct

from droptable.core.fair import CONTRIBUTION
from droptable.core.language import _
from droptable.tables.rejected import Rejected

EXAMPLE = '{"id": "…", "seq": 0, "command": {"type": "move", "token": "…"}}'

LONGEST_ID = 64
PRINTABLE = r"^[^\x00-\x1f\x7f]*$"  # PostgreSQL stores no NUL, and nobody needs the others
MOST_MOVES = 64  # in one command
Seat: TypeAlias = Annotated[int, Meta(ge=0, le=63)]
Token: TypeAlias = Annotated[str, Meta(max_length=200)]


class _Command(Struct, frozen=True, tag=str.lower, tag_field="type", forbid_unknown_fields=True):
    """The base of all commands."""


class Join(_Command, frozen=True):
    """Take that seat, or the first that is free; with randomness for a fair deal. With a name:
    for somebody else on the same device."""

    seat: Seat | None = None
    contribution: Annotated[str, Meta(pattern=CONTRIBUTION)] | None = None
    name: Annotated[str, Meta(max_length=200)] | None = None


class Leave(_Command, frozen=True):
    """Leave one's seats before the start, or only that one, of somebody on the same device; later
    only if others share it."""

    seat: Seat | None = None


class AddBot(_Command, frozen=True, tag="add_bot"):
    """Seat a bot at an open seat (the owner, before the start)."""

    seat: Seat
    bot: str


class RemoveBot(_Command, frozen=True, tag="remove_bot"):
    """Remove a bot from its seat (the owner, before the start)."""

    seat: Seat


class Start(_Command, frozen=True):
    """Start the match (the owner)."""


class Move(_Command, frozen=True):
    """Make a move."""

    token: Token


class Moves(_Command, frozen=True):
    """Make moves one after the other, all or none; nothing new may be shown between them."""

    tokens: Annotated[tuple[Token, ...], Meta(min_length=1, max_length=MOST_MOVES)]


class Undo(_Command, frozen=True):
    """Go back to the start of one's turn, if nothing was drawn, shown or played since; with
    `step`, only before one's last decision."""

    step: bool = False


class AskUndo(_Command, frozen=True, tag="ask_undo"):
    """Ask everybody to go back to the start of one's last turn."""


class AnswerUndo(_Command, frozen=True, tag="answer_undo"):
    """Agree to an undo, or refuse; whoever asked withdraws by refusing."""

    agree: bool


class Resign(_Command, frozen=True):
    """Give up; at a shared seat, only leave it."""


class Chat(_Command, frozen=True):
    """Say something to everybody."""

    text: str


class Mute(_Command, frozen=True):
    """Mute a seat's people, or everybody, or unmute them (the owner)."""

    on: bool
    seat: Seat | None = None


class TakeOver(_Command, frozen=True, tag="take_over"):
    """Let a bot play for one's own seat, or for one whose people are away."""

    seat: Seat


class Return(_Command, frozen=True):
    """Take one's seat back from the bot."""


class Rematch(_Command, frozen=True):
    """Play again at a new table with the same settings, seats rotated by one."""


Command: TypeAlias = (
    Join | Leave | AddBot | RemoveBot | Start | Move | Moves | Undo | AskUndo | AnswerUndo
    | Resign | Chat | Mute | TakeOver | Return | Rematch
)  # fmt: skip
MATCH_COMMANDS = (Move, Moves, Undo, AskUndo)  # they depend on what their sender has seen


class Envelope(Struct, frozen=True, forbid_unknown_fields=True):
    """A command as a client sends it: with an id of its own, and the `seq` that it has seen."""

    id: Annotated[str, Meta(min_length=1, max_length=LONGEST_ID, pattern=PRINTABLE)]
    command: Command
    seq: Annotated[int, Meta(ge=0)] | None = None


class BotMove(Struct, frozen=True):
    """From the host: a bot has chosen a move for a seat, at that `seq` of the seat."""

    seat: int
    token: str
    seq: int
    stopgap: bool = False


class GiveHint(Struct, frozen=True):
    """From the host: a seat is given a hint."""

    seat: int


class Tick(Struct, frozen=True):
    """From the host: check the clocks."""


def parse(data: bytes | str | dict[str, Any]) -> Envelope:
    """The command in a JSON text or object; `Rejected` says what is wrong with it."""
    try:
        if isinstance(data, dict):
            return msgspec.convert(data, Envelope)
        return msgspec.json.decode(data, type=Envelope)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        text = data.decode(errors="replace") if isinstance(data, bytes) else str(data)
        shown = repr(text if len(text) <= 80 else text[:80] + " …")
        message = _("{text} is not a command ({error}); expected {example}")
        raise Rejected("syntax", message.format(text=shown, error=error, example=EXAMPLE)) from None
