"""Who may do what, and when: the checks that commands have in common."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b

from droptable.core.language import _
from droptable.tables.events import Identity
from droptable.tables.rejected import Rejected
from droptable.tables.table import Table


@dataclass(frozen=True)
class Who:
    """The person who sends a command."""

    identity: Identity
    name: str
    place: str = ""  # where they are, as far as that is known: nobody can read an address from it
    seat: int | None = None  # the one that they act for, if they hold several

    def place_at(self, table: str) -> str:
        """The same for people from one place at one table, and another one at every table."""
        if not self.place:
            return ""
        return blake2b(f"{table} {self.place}".encode(), digest_size=6).hexdigest()


@dataclass(frozen=True)
class Circumstances:
    """What a decision depends on besides the table and the command."""

    now: float
    chance: random.Random
    command: str = ""  # a key that identifies the command when it comes again
    seq: int | None = None  # what the sender has seen, counted in its own ledger
    absent: Mapping[Identity, float] = field(
        default_factory=dict
    )  # for how many seconds people have been away
    new_table: str = ""  # the id of the table that may be created
    bots: tuple[str, ...] = ()  # that the host brings, by name


def require_seat(table: Table, seat: int) -> int:
    """The seat, if the table has it."""
    if not 0 <= seat < table.players:
        message = _("there is no seat {seat}; seats are 0 to {last}")
        raise Rejected("syntax", message.format(seat=seat, last=table.players - 1))
    return seat


def require_owner(table: Table, who: Who, what: str) -> None:
    """Refuse what only the owner may do."""
    if who.identity != table.owner:
        message = _("only the owner of this table may {what}")
        raise Rejected("forbidden", message.format(what=what))


def require_seated(table: Table, who: Who) -> int:
    """The seat of somebody who sits at the table; of several the chosen one, else their own."""
    held = table.seats_of(who.identity)
    seat = who.seat if who.seat in held else table.seat_of(who.identity)
    if seat is None:
        raise Rejected("forbidden", _("you have no seat at this table"))
    return seat


def require_playing(table: Table, who: Who) -> int:
    """The seat of somebody whose match is being played."""
    seat = require_seated(table, who)
    if table.status == "waiting":
        raise Rejected("illegal", _("the match has not started yet"))
    if table.status != "playing":
        raise Rejected("gone", _("the match is over"))
    if table.shown_seat(who.identity, who.seat) is None:
        held = ", ".join(map(str, table.seats_of(who.identity)))
        message = _("you hold several seats ({seats}): say for which of them you act, as seat")
        raise Rejected("syntax", message.format(seats=held))
    if table.seats[seat].resigned:
        raise Rejected("illegal", _("you have resigned"))
    return seat


def require_waiting(table: Table) -> None:
    """Refuse what is only possible before the match."""
    if table.status != "waiting":
        raise Rejected("illegal", _("that is only possible before the match starts"))


def require_current(table: Table, who: Who, seq: int | None) -> None:
    """Refuse a command that was meant for another moment of the match than its sender's."""
    ledger = table.ledgers[table.shown_seat(who.identity, who.seat)]
    if seq is None or ledger.match_seq <= seq <= ledger.seq:
        return
    message = _("there is no seq {seq} yet: this table is at {now}")
    if seq < ledger.match_seq:
        message = _(
            "you have seen the table up to {seq}, but the match changed at {at}: look again"
        )
    raise Rejected("stale", message.format(seq=seq, at=ledger.match_seq, now=ledger.seq))
