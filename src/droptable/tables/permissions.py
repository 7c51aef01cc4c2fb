"""Who may do what, and when: the questions that most commands have in common."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field

from droptable.core.language import _
from droptable.tables.events import Identity
from droptable.tables.rejected import Rejected
from droptable.tables.table import Table


@dataclass(frozen=True)
class Who:
    """The person that asks."""

    identity: Identity
    name: str


@dataclass(frozen=True)
class Circumstances:
    """What a decision depends on besides the table and the command."""

    now: float
    chance: random.Random
    command: str = ""  # a key of the command, to know it again
    seq: int | None = None  # what the sender has seen, counted in its own ledger
    absent: Mapping[Identity, float] = field(default_factory=dict)  # seconds; who is not here
    new_table: str = ""  # the id of a rematch


def seat_at(table: Table, seat: int) -> int:
    """A seat that there is."""
    if not 0 <= seat < table.players:
        told = _("there is no seat {seat}; seats are 0 to {last}")
        raise Rejected("syntax", told.format(seat=seat, last=table.players - 1))
    return seat


def must_own(table: Table, who: Who, what: str) -> None:
    """Refuse what only the owner may do."""
    if who.identity != table.owner:
        told = _("only the owner of this table may {what}")
        raise Rejected("forbidden", told.format(what=what))


def seated(table: Table, who: Who) -> int:
    """The seat of somebody who sits at the table."""
    seat = table.seat_of(who.identity)
    if seat is None:
        raise Rejected("forbidden", _("you do not sit at this table"))
    return seat


def playing(table: Table, who: Who) -> int:
    """The seat of somebody whose match goes on."""
    seat = seated(table, who)
    if table.status == "waiting":
        raise Rejected("illegal", _("the match has not started yet"))
    if table.status != "playing":
        raise Rejected("gone", _("the match is over"))
    if table.seats[seat].resigned:
        raise Rejected("illegal", _("you have resigned"))
    return seat


def before_start(table: Table) -> None:
    """Refuse what is only possible before the match."""
    if table.status != "waiting":
        raise Rejected("illegal", _("that is possible before the match starts only"))


def check_seen(table: Table, who: Who, seq: int | None) -> None:
    """Refuse what was meant for another moment of the match, as its sender's viewer knows it."""
    ledger = table.ledgers[table.seat_of(who.identity)]
    if seq is None or ledger.match_seq <= seq <= ledger.seq:
        return
    told = _("there is no {seq} yet: this table is at {now}")
    if seq < ledger.match_seq:
        told = _(
            "you have seen the table up to {seq}, but the match has changed at {at}: look again"
        )
    raise Rejected("stale", told.format(seq=seq, at=ledger.match_seq, now=ledger.seq))
