"""What happens at a table. Events are only ever appended; a table is the fold over them."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from droptable.tables.settings import Settings

Identity: TypeAlias = str


class _Event(Struct, frozen=True, tag=True, tag_field="type", omit_defaults=True, gc=False):
    """Something that has happened; a `Line` adds its time and number.

    Events are many and never part of a cycle: they are not tracked by the garbage collector.
    """


class Created(_Event, frozen=True):
    """A table was created. Reserved seats are for those people only (a rematch)."""

    table: str
    rules: int  # version of the game's rules, frozen for the match
    settings: Settings
    owner: Identity
    reserved: tuple[tuple[Identity, ...], ...] = ()  # for each seat
    previous: str = ""  # the table that this is a rematch of
    awaited: tuple[Identity, ...] = ()  # people who will contribute: the start waits for them
    daily: str = ""  # the day (UTC) whose deal this is: the same for everybody


class Sealed(_Event, frozen=True):
    """The host has drawn its secret; nobody learns of this event. Missing in older tables."""

    secret: str = ""  # hexadecimal

    def __repr__(self) -> str:
        return "Sealed(…)"  # logs may tell of events


class Joined(_Event, frozen=True):
    """A person took a seat; in some games several people may share one."""

    seat: int
    identity: Identity
    name: str
    contribution: str = ""  # randomness for a fair deal, hexadecimal
    place: str = ""  # the same for people at one table who came from one address
    here: bool = False  # somebody else, on that person's device


class Contributed(_Event, frozen=True):
    """A person who sits at the table has added randomness for a fair deal."""

    seat: int
    identity: Identity
    contribution: str


class Left(_Event, frozen=True):
    """A person left a seat."""

    seat: int
    identity: Identity
    name: str = ""  # missing in older tables


class Renamed(_Event, frozen=True):
    """A person who sits at the table has another name now."""

    seat: int
    identity: Identity
    name: str
    before: str


class BotSeated(_Event, frozen=True):
    """A bot took an open seat."""

    seat: int
    bot: str
    character: str = ""  # its name and face; missing in older tables


class SeatOpened(_Event, frozen=True):
    """A bot was removed."""

    seat: int
    character: str = ""  # missing in older tables


class OwnerChanged(_Event, frozen=True):
    """The owner left before the start, and somebody else owns the table now."""

    identity: Identity


class Closed(_Event, frozen=True):
    """The last person left before the start: no event will follow."""


class Started(_Event, frozen=True):
    """The match began. At seat s now sits whoever sat at `order[s]` before."""

    order: tuple[int, ...]


class Moved(_Event, frozen=True):
    """A seat moved, or the dealer (-1) dealt."""

    actor: int
    token: str
    # stopgap: instead of a bot that failed; table: the seat had no other move
    by: Literal["person", "bot", "stopgap", "dealer", "table"] = "person"


class TakenBack(_Event, frozen=True):
    """An undo: the match went back to its first `to` events, and `kept` were applied again."""

    seat: int
    to: int
    kept: tuple[tuple[int, str], ...] = ()


class UndoAsked(_Event, frozen=True):
    """A seat asked everybody to go back to the first `to` events."""

    seat: int
    identity: Identity
    to: int


class UndoAnswered(_Event, frozen=True):
    """A person agreed or refused, or withdrew their own request."""

    identity: Identity
    agree: bool


class Chatted(_Event, frozen=True):
    """A person said something to everybody."""

    identity: Identity
    name: str
    text: str
    seat: int | None = None


class Muted(_Event, frozen=True):
    """The owner muted a seat's people, or everybody (None), or unmuted them."""

    on: bool
    seat: int | None = None


class Resigned(_Event, frozen=True):
    """A seat resigned: it cannot win any more."""

    seat: int


class TimedOut(_Event, frozen=True):
    """A seat's clock ran out."""

    seat: int


class ClocksHeld(_Event, frozen=True):
    """Clocks ran out while no server was there to count: whoever is to act has at least so many
    seconds. The same for everybody: what is left of one clock may tell who has acted in secret."""

    seconds: float


class BotTookOver(_Event, frozen=True):
    """A bot plays for a seat's people until they return."""

    seat: int
    bot: str
    why: Literal["absent", "clock", "resigned"]


class Returned(_Event, frozen=True):
    """A person is back at the seat that a bot played for."""

    seat: int
    identity: Identity


class Hinted(_Event, frozen=True):
    """A seat was given a hint."""

    seat: int


class Finished(_Event, frozen=True):
    """The match is over; `winners` leaves out seats that resigned."""

    winners: tuple[int, ...]
    how: Literal["played", "resigned"] = "played"


class Forgotten(_Event, frozen=True):
    """A person's data was deleted: earlier events were written anew without them."""


class Moderated(_Event, frozen=True):
    """The host changed a name or removed chat: earlier events were written anew."""


class Rematched(_Event, frozen=True):
    """The same people play again at another table."""

    table: str


Event: TypeAlias = (
    Created | Sealed | Joined | Contributed | Left | Renamed | BotSeated | SeatOpened
    | OwnerChanged | Closed | Started | Moved | TakenBack | UndoAsked | UndoAnswered | Chatted
    | Muted | Resigned | TimedOut | ClocksHeld | BotTookOver | Returned | Hinted | Finished
    | Rematched | Forgotten | Moderated
)  # fmt: skip


class Line(Struct, frozen=True):
    """A stored event: number (from 1), time, and the key of the command that caused it, if any."""

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
