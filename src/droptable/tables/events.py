"""What happens at a table. Events are only ever appended; a table is the fold over them."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from droptable.tables.settings import Settings

Identity: TypeAlias = str


class _Event(Struct, frozen=True, tag=True, tag_field="type", omit_defaults=True, gc=False):
    """Something that has happened; its time and number are kept beside it.

    Events are many and hold nothing that could hold them: the garbage collector need not look.
    """


class Created(_Event, frozen=True):
    """The table is there. Seats that are reserved are for those people only (a rematch)."""

    table: str
    rules: int  # version of the game's rules, frozen for the match
    settings: Settings
    owner: Identity
    reserved: tuple[tuple[Identity, ...], ...] = ()  # for each seat
    previous: str = ""  # the table that this is a rematch of


class Joined(_Event, frozen=True):
    """A person sits down at a seat; in some games several people may share it."""

    seat: int
    identity: Identity
    name: str


class Left(_Event, frozen=True):
    """A person gets up."""

    seat: int
    identity: Identity
    name: str = ""  # older tables do not tell it


class BotSeated(_Event, frozen=True):
    """A bot gets an open seat."""

    seat: int
    bot: str


class SeatOpened(_Event, frozen=True):
    """A bot is sent away."""

    seat: int


class OwnerChanged(_Event, frozen=True):
    """The owner left before the start, and somebody else owns the table now."""

    identity: Identity


class Closed(_Event, frozen=True):
    """The last person left before the start: nothing will ever happen here again."""


class Started(_Event, frozen=True):
    """The match begins. Seat s is taken by who sat at seat `order[s]` before."""

    order: tuple[int, ...]


class Moved(_Event, frozen=True):
    """A seat moved, or the dealer (-1) dealt."""

    actor: int
    token: str
    by: Literal["person", "bot", "stopgap", "dealer"] = "person"  # stopgap: instead of a failed bot


class TakenBack(_Event, frozen=True):
    """The match goes back to its first `to` moves; `kept` are then made again."""

    seat: int
    to: int
    kept: tuple[tuple[int, str], ...] = ()


class UndoAsked(_Event, frozen=True):
    """A seat asks everybody to go back to the first `to` moves."""

    seat: int
    identity: Identity
    to: int


class UndoAnswered(_Event, frozen=True):
    """A person agrees, or refuses (or withdraws what they asked for themselves)."""

    identity: Identity
    agree: bool


class Chatted(_Event, frozen=True):
    """A person says something to all."""

    identity: Identity
    name: str
    text: str
    seat: int | None = None


class Muted(_Event, frozen=True):
    """The owner switches the chat of a seat's people, or of all (None), off or on."""

    on: bool
    seat: int | None = None


class Resigned(_Event, frozen=True):
    """A seat gives up: it cannot win any more."""

    seat: int


class TimedOut(_Event, frozen=True):
    """A seat's clock has come to zero."""

    seat: int


class BotTookOver(_Event, frozen=True):
    """A bot plays for a seat's people, until they return."""

    seat: int
    bot: str
    why: Literal["absent", "clock", "resigned"]


class Returned(_Event, frozen=True):
    """A person is back at the seat that a bot kept playing."""

    seat: int
    identity: Identity


class Finished(_Event, frozen=True):
    """The match is over; `winners` leaves out who resigned."""

    winners: tuple[int, ...]
    how: Literal["played", "resigned"] = "played"


class Rematched(_Event, frozen=True):
    """The same people go on at another table."""

    table: str


Event: TypeAlias = (
    Created | Joined | Left | BotSeated | SeatOpened | OwnerChanged | Closed | Started | Moved
    | TakenBack | UndoAsked | UndoAnswered | Chatted | Muted | Resigned | TimedOut | BotTookOver
    | Returned | Finished | Rematched
)  # fmt: skip


class Line(Struct, frozen=True):
    """An event as it is stored: number (from 1), time, and the command it answers, if any."""

    seq: int
    at: float  # seconds since 1970
    event: Event
    command: str = ""


_decoder = msgspec.json.Decoder(Event)


def encode(event: Event) -> str:
    """An event as JSON."""
    return msgspec.json.encode(event).decode()


def decode(body: str) -> Event:
    """The event that `encode` wrote; `msgspec.ValidationError` if it is none."""
    event: Event = _decoder.decode(body)
    return event
