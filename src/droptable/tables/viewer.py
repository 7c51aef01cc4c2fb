"""What one viewer is sent: the people of a seat, or all spectators (None).

Everything here is made from the viewer's own view of the match and its own ledger, so it cannot
reveal more than the viewer may know: neither what others hold, nor whether they have acted while
all act at once.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable
from functools import cache, lru_cache
from typing import Any

import numpy as np

from droptable.core.language import _, spoken
from droptable.core.state import View, fields_of
from droptable.tables import events as ev
from droptable.tables.entries import Entries, Entry
from droptable.tables.events import Identity
from droptable.tables.log_text import sentence, verdict
from droptable.tables.rejected import Rejected
from droptable.tables.table import Table
from droptable.tables.undo import Undoable, undoable

MOST_ALIKE = 8  # of what several viewers are sent that is remembered meanwhile
PAGE = 300  # entries of the log that are sent at once to somebody who has none of them


def snapshot(
    table: Table,
    viewer: int | None,
    now: float,
    present: Collection[Identity] = (),
) -> dict[str, Any]:
    """All that a viewer may know of a table now, except log and chat (see `since`) and moves.

    `seq` counts what the viewer has noticed; a client returns it with its commands. Numbers that
    JavaScript cannot hold are decimal strings.
    """
    ledger = table.ledgers[viewer]
    view = ledger.view
    return _surroundings(table, viewer, present) | {
        "seq": ledger.seq,
        "seat": viewer,
        "view": None if view is None else plain(view),
        "scores": None if view is None else view.scores,
        "to_act": () if view is None or table.status != "playing" else view.to_act,
        "clocks": _clocks(table, viewer, now),
        "undo": _undo(table),
        "can": _can(table, viewer),
        "assisted": () if viewer is None else sorted(table.seats[viewer].assisted),
        "result": _result(table, view),
    }


def _surroundings(
    table: Table, viewer: int | None, present: Collection[Identity]
) -> dict[str, Any]:
    """What no move changes: made once for all who know the same of the seats."""
    alone = (viewer,) if table.ledgers[viewer].outdated else ()
    key = spoken(), _here(table, present), alone
    if key not in table.surroundings:
        if len(table.surroundings) >= MOST_ALIKE:
            table.surroundings = {}
        table.surroundings[key] = _new_surroundings(table, viewer, present)
    return table.surroundings[key]


def _new_surroundings(
    table: Table, viewer: int | None, present: Collection[Identity]
) -> dict[str, Any]:
    settings = table.settings
    return {
        "table": table.id,
        "status": table.status,
        "frozen": table.frozen,
        "game": settings.game,
        "players": table.players,
        "options": settings.options,
        "title": settings.title,
        "public": settings.public,
        "rated": table.rated,
        "teams": table.game is not None and table.game.teams,
        "start_when_full": settings.start_when_full,
        "shuffled": settings.shuffled,
        "seats": [_seat(table, viewer, seat, present) for seat in range(table.players)],
        "owner_seat": table.seat_of(table.owner),
        "hints": table.hints,
        "muted": {
            "all": None in table.muted,
            "seats": sorted(seat for seat in table.muted if seat is not None),
        },
        "fairness": _fairness(table),
        "previous": table.previous,
        "next": table.next,
    }


def fingerprint(
    table: Table, viewer: int | None, present: Collection[Identity] = ()
) -> tuple[Hashable, ...]:
    """Differs whenever what the viewer is told of a table differs, running clocks apart.

    While it stays the same, nothing has to be sent. Cheap: nearly everything that a viewer can be
    told of is an entry in its ledger.
    """
    ledger = table.ledgers[viewer]
    clocks = ledger.clocks
    return (
        viewer,
        ledger.seq,
        table.status,
        table.undo,
        table.next,
        _here(table, present),
        None if clocks is None else (*clocks.since, *clocks.left),
    )


def _here(table: Table, present: Collection[Identity]) -> tuple[bool, ...]:
    return tuple([identity in present for seat in table.seats for identity in seat.people])


def since(table: Table, viewer: int | None, seq: int = 0) -> list[dict[str, Any]]:
    """The log and the chat after the viewer's `seq`: what a client that reconnects has missed.

    The moves of one actor in a row are one line. Its `seq` is the first one's and stays so while
    the line grows: a line that had begun before `seq` is sent again, whole.
    """
    entries = table.ledgers[viewer].entries
    return _lines(table, entries, max(0, seq), len(entries))


def page_before(
    table: Table, viewer: int | None, before: int | None = None
) -> tuple[list[dict[str, Any]], int]:
    """About a page of the log and the chat, of the first `before` entries the last ones (None: of
    all), and how many came before that page."""
    entries = table.ledgers[viewer].entries
    end = len(entries) if before is None else min(before, len(entries))
    first = max(0, end - PAGE)
    if first < end:
        first, _end = _run_around(entries, first)
    return _lines(table, entries, first, end), first


def _lines(table: Table, entries: Entries, first: int, end: int) -> list[dict[str, Any]]:
    lines = []
    while first < end:
        first, after = _run_around(entries, first)
        line = _line(table, first + 1, entries[first:after])
        if line["text"]:
            lines.append(line)
        first = after
    return lines


def line_at(table: Table, viewer: int | None, seq: int) -> dict[str, Any]:
    """The line of the log that tells of an entry of the viewer's; its text may be empty."""
    entries = table.ledgers[viewer].entries
    first, end = _run_around(entries, seq - 1)
    return _line(table, first + 1, entries[first:end])


def view_at(table: Table, viewer: int | None, seq: int) -> View:
    """What the viewer saw of the match after an entry of its ledger; `Rejected` if there was none.

    It is made from the viewer's own ledger, so it shows nothing that the viewer has not seen.
    """
    ledger = table.ledgers[viewer]
    if not 1 <= seq <= ledger.seq:
        message = _("there is no entry {seq} in your log; expected 1 to {last}")
        raise Rejected("gone", message.format(seq=seq, last=ledger.seq))
    for entry in reversed(ledger.entries[:seq]):
        if entry.after:
            return ledger.view_from(entry.after)
        if isinstance(entry.event, ev.Started) and ledger.view is not None:
            later = (entry.before for entry in ledger.entries[seq:] if entry.before)
            return ledger.view_from(next(later, ledger.image))
    raise Rejected("gone", _("there is nothing to see at {seq}: no match yet").format(seq=seq))


def _run_around(entries: Entries, index: int) -> tuple[int, int]:
    """From where to where entries go together with that one."""
    first, end = index, index + 1
    while first > 0 and _go_together(entries[first - 1], entries[first]):
        first -= 1
    while end < len(entries) and _go_together(entries[end - 1], entries[end]):
        end += 1
    return first, end


def _go_together(entry: Entry, following: Entry) -> bool:
    """Whether two entries belong to one line: moves of one actor."""
    one, other = entry.event, following.event
    return isinstance(one, ev.Moved) and isinstance(other, ev.Moved) and one.actor == other.actor


def plain(view: View) -> dict[str, Any]:
    """A view as JSON that JavaScript can read: 64-bit fields are decimal strings."""
    return {"viewer": view.seat} | _fields(view.array.dtype, view.array.tobytes())


@lru_cache(MOST_ALIKE)
def _fields(record: np.dtype[Any], image: bytes) -> dict[str, Any]:
    """The fields of a view: the same for all who see the same."""
    data = fields_of(np.frombuffer(image, record))
    for name in _wide(record):
        data[name] = _strings(data[name])
    return data


@cache
def _wide(record: np.dtype[Any]) -> tuple[str, ...]:
    """The fields that JavaScript's numbers cannot hold."""
    return tuple(name for name in record.names or () if record[name].base.itemsize == 8)


def _strings(value: Any) -> Any:
    return [_strings(v) for v in value] if isinstance(value, list) else str(value)


def _line(table: Table, number: int, run: list[Entry]) -> dict[str, Any]:
    """A line of the log about entries from that number on; made once for all who share them."""
    last = run[-1]
    if not isinstance(last.event, ev.Moved):
        return _new_line(table, number, run)
    key = "line", number, spoken(), *table.names, *run[:-1]
    if key not in last.memo:
        last.memo[key] = _new_line(table, number, run)
    line: dict[str, Any] = last.memo[key]
    return line


def _new_line(table: Table, number: int, run: list[Entry]) -> dict[str, Any]:
    line = {"seq": number, "to": number + len(run) - 1, "at": run[-1].at}
    match run[0].event:
        case ev.Chatted() as chat:
            return line | {
                "kind": "chat", "seat": chat.seat, "name": chat.name, "text": chat.text,
            }  # fmt: skip
        case ev.Moved(actor=actor):
            tokens = [
                entry.event.token
                for entry in run
                if entry.known and isinstance(entry.event, ev.Moved)
            ]
            return line | {
                "kind": "move", "seat": actor, "tokens": tokens, "text": sentence(table, run),
            }  # fmt: skip
    kind = "undo" if isinstance(run[0].event, ev.TakenBack) else "note"
    return line | {"kind": kind, "text": sentence(table, run)}


def _seat(
    table: Table, viewer: int | None, seat: int, present: Collection[Identity]
) -> dict[str, Any]:
    taken = table.known_seat(viewer, seat)
    return {
        "name": table.names[seat],
        "people": list(taken.people.values()),
        "present": [identity in present for identity in taken.people],
        "bot": taken.bot,
        "face": taken.character if taken.bot else "",
        "stand_in": taken.stand_in,
        "resigned": taken.resigned,
        "timed_out": taken.timed_out,
        "reserved": bool(taken.reserved),
        "here": bool(taken.here),
    }


def _clocks(table: Table, viewer: int | None, now: float) -> dict[str, Any] | None:
    """Seconds left for each seat. A clock runs while its seat has to act, as the viewer knows."""
    clock, clocks = table.settings.clock, table.ledgers[viewer].clocks
    if clock is None:
        return None
    left = [
        float(clock.seconds) if clocks is None else clocks.left_at(seat, now)
        for seat in range(table.players)
    ]
    running = [clocks is not None and clocks.since[s] is not None for s in range(table.players)]
    return {
        "per": clock.per, "seconds": clock.seconds, "at_zero": clock.at_zero,
        "left": [round(seconds, 1) for seconds in left], "running": running,
    }  # fmt: skip


def _undo(table: Table) -> dict[str, Any] | None:
    undo = table.undo
    return None if undo is None else {"seat": undo.seat, "waiting": sorted(undo.waiting)}


def _fairness(table: Table) -> dict[str, Any] | None:
    """What was promised of the deal; the secret is in the record, once the match is over."""
    sealed = table.sealed
    return None if sealed is None else {
        "commitment": sealed.commitment, "contributions": sealed.contributions,
        "awaited": table.awaited,
    }  # fmt: skip


def _can(table: Table, viewer: int | None) -> dict[str, Any]:
    """How many decisions the viewer could undo now, and whether it may ask for more."""
    can = Undoable(0, False) if viewer is None else undoable(table, viewer)
    return {"undo": can.decisions, "ask_undo": can.ask}


def _result(table: Table, view: View | None) -> dict[str, Any] | None:
    if table.status != "over":
        return None
    scores = None if view is None else view.scores
    return {
        "winners": table.winners, "how": table.how, "verdict": verdict(table), "scores": scores,
        "assisted": [sorted(seat.assisted) for seat in table.seats],
    }  # fmt: skip
