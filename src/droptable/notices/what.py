"""Which notices follow from what happens, and when each is to be told. Pure."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime, time, timedelta, tzinfo
from typing import Literal
from zoneinfo import ZoneInfo

from msgspec import Struct

from droptable.tables.calls import Call, Kind
from droptable.tables.events import Identity
from droptable.tables.summary import turns
from droptable.tables.table import Table

GRACE = 1.5  # seconds after the event: whoever opens the table meanwhile needs no notice
SHORTEST_REMINDED = 600.0  # seconds on a clock; with less time people stay at the table
LONGEST_LEAD = 6 * 3600.0  # before a clock runs out; else a quarter of what it has
DIGEST_HOUR = 18  # when a daily digest comes, in the person's own time
SWITCHES = ("turn", "reminder", "invitation", "over", "daily")  # kinds that can be switched


class Wishes(Struct, frozen=True, forbid_unknown_fields=True):
    """What a person wants to hear of, and when. Quiet hours are `HH:MM`, or empty."""

    turn: bool = True
    reminder: bool = True
    invitation: bool = True
    over: bool = True
    daily: bool = False
    digest: Literal["", "hour", "day"] = ""
    quiet_from: str = ""
    quiet_to: str = ""
    zone: str = "UTC"
    language: str = "en"


@dataclass(frozen=True)
class Standing:
    """A table as its row in the store tells, and the seat of the person who may be told."""

    status: str
    turns: int
    game: str
    title: str
    names: tuple[str, ...]
    winners: tuple[int, ...]
    seat: int | None
    newest_turn: float  # when the last of the person's turns there began


def id_of(kind: str, *parts: object) -> str:
    """The id of a notice, the same whenever the same thing is to be told: 24 characters."""
    digest = hashlib.sha256(json.dumps([kind, *map(str, parts)]).encode()).digest()
    return base64.urlsafe_b64encode(digest[:18]).decode()


# -- what happens at a table ----------------------------------------------------------------------


def calls(before: Table | None, after: Table, people: Collection[Identity]) -> list[Call]:
    """Whom of these people a commit concerns: their turn, its last hours, a rematch, the end."""
    if not people:
        return []
    if before is None:
        return list(_invitations(after, people))
    seated = [(s, i) for s, seat in enumerate(after.seats) for i in seat.people if i in people]
    if not seated:
        return []
    if after.status == "over" and before.status != "over":
        return [_call("over", after, who) for who in dict.fromkeys(i for _seat, i in seated)]
    was, now = turns(before), turns(after)
    return [
        call
        for seat, identity in seated
        if now[seat] and not (before.status == "playing" and was[seat])
        for call in _turn(after, seat, identity)
    ]


def _turn(table: Table, seat: int, identity: Identity) -> Iterator[Call]:
    """A turn is known by how often the person's seats have acted: an undo makes no new one."""
    assert table.state is not None
    held = table.seats_of(identity)
    number = sum(actor in held for actor, _token in table.state.events)
    yield _call("turn", table, identity, number)
    end = table.timeout_at(seat)
    if end is not None and end - table.at >= SHORTEST_REMINDED:
        lead = min((end - table.at) / 4, LONGEST_LEAD)
        yield _call("reminder", table, identity, number, due=end - lead, body={"end": end})


def _invitations(table: Table, people: Collection[Identity]) -> Iterator[Call]:
    """A rematch reserves seats: those who are not there yet are invited."""
    inviter = table.seat_of(table.owner)
    name = "" if inviter is None else table.names[inviter]
    for seat in table.seats:
        for identity in set(seat.reserved) - set(seat.people) - {table.owner}:
            if identity in people:
                yield _call(
                    "invitation", table, identity, body={"name": name, "inviter": table.owner}
                )


def _call(
    kind: Kind,
    table: Table,
    identity: Identity,
    number: int = 0,
    *,
    due: float | None = None,
    body: dict[str, object] | None = None,
) -> Call:
    id_ = id_of(kind, table.id, identity, number)
    at = table.at
    return Call(
        id_, identity, kind, table.id, at, at + GRACE if due is None else due,
        json.dumps(body or {}),
    )  # fmt: skip


# -- when it is told ------------------------------------------------------------------------------


def is_current(call: Call, standing: Standing | None) -> bool:
    """Whether a notice still says something true and new to its person."""
    if not call.table:
        return True
    if standing is None:
        return False
    if call.kind == "invitation":
        return standing.status == "waiting" and standing.seat is None
    if standing.seat is None:
        return False
    if call.kind in ("turn", "reminder"):
        its_turn = standing.status == "playing" and standing.turns >> standing.seat & 1
        return bool(its_turn) and call.at >= standing.newest_turn
    return True


def tell_at(call: Call, wishes: Wishes, now: float) -> float | None:
    """When a person wants to hear of something; None: never."""
    if call.kind == "test":
        return now
    if not getattr(wishes, call.kind):
        return None
    when = now
    if wishes.digest and call.kind != "reminder":
        when = max(now, _gathered(call.at, wishes))
    return _after_quiet(when, wishes)


def zone_of(name: str) -> tzinfo:
    """A time zone by its name; `ValueError` if it is unknown here."""
    try:
        return ZoneInfo(name)
    except (LookupError, OSError):
        raise ValueError(f"there is no time zone {name[:60]!r} here") from None


def _gathered(at: float, wishes: Wishes) -> float:
    """When the digest comes that something of that time belongs to."""
    local = datetime.fromtimestamp(at, zone_of(wishes.zone))
    if wishes.digest == "hour":
        return (local.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)).timestamp()
    return _next(local, time(DIGEST_HOUR)).timestamp()


def _after_quiet(when: float, wishes: Wishes) -> float:
    if not wishes.quiet_from or not wishes.quiet_to:
        return when
    start, end = time.fromisoformat(wishes.quiet_from), time.fromisoformat(wishes.quiet_to)
    local = datetime.fromtimestamp(when, zone_of(wishes.zone))
    clock = local.time()
    quiet = start <= clock < end if start <= end else clock >= start or clock < end
    return _next(local, end).timestamp() if quiet else when


def _next(local: datetime, clock: time) -> datetime:
    """The next time that a clock shows this."""
    today = local.replace(hour=clock.hour, minute=clock.minute, second=0, microsecond=0)
    return today if today > local else today + timedelta(days=1)
