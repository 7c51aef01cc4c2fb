"""What people may ask of a table, as it arrives from outside."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta, Struct

from droptable.core.language import _
from droptable.tables.rejected import Rejected

EXAMPLE = '{"id": "…", "seq": 0, "command": {"type": "move", "token": "…"}}'

LONGEST_ID = 64
PRINTABLE = r"^[^\x00-\x1f\x7f]*$"  # PostgreSQL keeps no NUL, and nobody needs the others
Seat: TypeAlias = Annotated[int, Meta(ge=0, le=63)]


class _Command(Struct, frozen=True, tag=str.lower, tag_field="type", forbid_unknown_fields=True):
    """Something that a person asks of a table."""


class Join(_Command, frozen=True):
    """Sit down: at that seat, or at the first that is free."""

    seat: Seat | None = None


class Leave(_Command, frozen=True):
    """Get up: before the start; later only from a seat that others share."""


class AddBot(_Command, frozen=True, tag="add_bot"):
    """Let a bot sit at an open seat (the owner, before the start)."""

    seat: Seat
    bot: str


class RemoveBot(_Command, frozen=True, tag="remove_bot"):
    """Open a bot's seat again (the owner, before the start)."""

    seat: Seat


class Start(_Command, frozen=True):
    """Begin the match (the owner)."""


class Move(_Command, frozen=True):
    """Make a move."""

    token: Annotated[str, Meta(max_length=200)]


class Undo(_Command, frozen=True):
    """Go back to the start of one's turn, as long as nothing was drawn, shown or played since."""


class AskUndo(_Command, frozen=True, tag="ask_undo"):
    """Ask all people to go back to the start of one's last turn."""


class AnswerUndo(_Command, frozen=True, tag="answer_undo"):
    """Agree or refuse; whoever asked can withdraw by refusing."""

    agree: bool


class Resign(_Command, frozen=True):
    """Give up; from a shared seat, only get up."""


class Chat(_Command, frozen=True):
    """Say something to all."""

    text: str


class Mute(_Command, frozen=True):
    """Switch the chat of a seat's people, or of all, off or on again (the owner)."""

    on: bool
    seat: Seat | None = None


class TakeOver(_Command, frozen=True, tag="take_over"):
    """Let a bot play for one's own seat, or for a seat whose people are absent."""

    seat: Seat


class Return(_Command, frozen=True):
    """Take one's seat back from the bot."""


class Rematch(_Command, frozen=True):
    """Go on at a new table with the same settings, seats rotated by one."""


Command: TypeAlias = (
    Join | Leave | AddBot | RemoveBot | Start | Move | Undo | AskUndo | AnswerUndo | Resign
    | Chat | Mute | TakeOver | Return | Rematch
)  # fmt: skip
MATCH_COMMANDS = (Move, Undo, AskUndo)  # they depend on what their sender saw of the match


class Envelope(Struct, frozen=True, forbid_unknown_fields=True):
    """A command as a client sends it: its own id for it, and the `seq` that the client has seen."""

    id: Annotated[str, Meta(min_length=1, max_length=LONGEST_ID, pattern=PRINTABLE)]
    command: Command
    seq: Annotated[int, Meta(ge=0)] | None = None


class BotMove(Struct, frozen=True):
    """From the host: a bot has chosen for a seat, at that `seq` of the seat's."""

    seat: int
    token: str
    seq: int
    stopgap: bool = False


class Tick(Struct, frozen=True):
    """From the host: look at the clocks."""


def parse(data: bytes | str | dict[str, Any]) -> Envelope:
    """The command in a JSON text or its plain data; `Rejected` says what is wrong with it."""
    try:
        if isinstance(data, dict):
            return msgspec.convert(data, Envelope)
        return msgspec.json.decode(data, type=Envelope)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        text = data.decode(errors="replace") if isinstance(data, bytes) else str(data)
        shown = repr(text if len(text) <= 80 else text[:80] + " …")
        told = _("{text} is not a command ({error}); expected {example}")
        raise Rejected("syntax", told.format(text=shown, error=error, example=EXAMPLE)) from None
