"""Tables as files: all events as JSON lines, and the record of a match."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Iterable
from typing import Any

import msgspec

from droptable.core.errors import DroptableError, RecordError
from droptable.core.language import _, speaking
from droptable.core.record import Record
from droptable.tables import events as ev
from droptable.tables.daily import is_secret
from droptable.tables.integrity import DamagedTable
from droptable.tables.store import Append, Store
from droptable.tables.summary import is_rated, solo_score, summary
from droptable.tables.table import Table, fold

FORMAT = 1


async def export_tables(
    store: Store, tables: Iterable[str] | None = None, *, damaged: bool = False
) -> AsyncIterator[str]:
    """Each table (all by default) as one line of JSON, with its whole history.

    A damaged one raises `DamagedTable`, or with `damaged` is exported up to the damage.
    """
    for table in await store.ids() if tables is None else tables:
        try:
            lines = await store.read(table)
        except DamagedTable as error:
            if not damaged:
                raise
            if not error.good:
                continue
            lines = error.good
        if not lines:
            raise DroptableError(f"there is no table {table!r}")
        yield pack(table, lines)


async def damaged_tables(store: Store) -> AsyncIterator[tuple[str, str]]:
    """Every table, and what is wrong with it: nothing (an empty text) where all events are as they
    were written and follow the rules."""
    for table in await store.ids():
        reason = ""
        try:
            fold(table, await store.read(table))
        except DamagedTable as error:
            reason = error.reason
        except (DroptableError, AssertionError, *_NOT_AN_EVENT) as error:
            reason = f"its events make no match: {error}"
        yield table, reason


async def import_tables(store: Store, texts: Iterable[str]) -> tuple[int, int]:
    """Add tables from lines of JSON; return how many were added and how many already existed.

    Each is verified, event by event, before it is added: `RecordError` names the first bad line.
    """
    added = known = 0
    for number, text in enumerate(texts, 1):
        if not text.strip():
            continue
        try:
            table, lines = unpack(text)
        except (DroptableError, AssertionError, msgspec.MsgspecError, *_NOT_AN_EVENT) as error:
            raise RecordError(f"line {number} is not a table: {error}") from error
        for line in lines:
            if (
                isinstance(line.event, ev.Joined)
                and await store.name_of(line.event.identity) is None
            ):
                await store.save_identity(line.event.identity, line.event.name, line.at)
        due = table.updated if table.bots_to_act or table.next_timeout is not None else None
        score = solo_score(table)
        rated = is_rated(table)
        if await store.append(Append(table.id, 0, lines, summary(table), due, score, rated=rated)):
            added += 1
        else:
            known += 1
    return added, known


_NOT_AN_EVENT = (KeyError, IndexError, TypeError, ValueError)


def pack(table: str, lines: Iterable[ev.Line]) -> str:
    """A table's events as one line of JSON."""
    entries = [[line.at, line.command, json.loads(ev.encode(line.event))] for line in lines]
    return json.dumps({"droptable_table": FORMAT, "id": table, "events": entries})


def unpack(text: str) -> tuple[Table, list[ev.Line]]:
    """The table that `pack` wrote, and its events."""
    document: dict[str, Any] = json.loads(text)
    if not isinstance(document, dict) or document.get("droptable_table") != FORMAT:
        raise RecordError(f'expected an object with "droptable_table": {FORMAT}')
    lines = [
        ev.Line(seq, float(at), msgspec.convert(event, ev.Event), str(command))
        for seq, (at, command, event) in enumerate(document["events"], 1)
    ]
    first = lines[0].event
    if not isinstance(first, ev.Created) or first.table != document["id"]:
        raise RecordError(f"the events do not begin with the creation of {document['id']!r}")
    return fold(first.table, lines), lines


def record(table: Table) -> Record:
    """The record of a finished table (which has no secrets any more), with its seats' names.

    Others still play the deal of a day: how it was dealt is added once that day is over.
    """
    if table.status != "over":
        message = _("the match is not over yet: its record would reveal what is hidden")
        raise DroptableError(message)
    if table.state is None:
        raise DroptableError(table.frozen)
    match = table.state.record
    with speaking("en"):  # records are read in any language
        info = {f"seat {seat}": name for seat, name in enumerate(table.names)}
    info |= {"table": table.id}
    if table.settings.title:
        info |= {"title": table.settings.title}
    sealed = None if is_secret(table.daily, time.time()) else table.sealed
    fairness = None if sealed is None else sealed.published
    return Record(match.game, match.players, match.options, match.events, info, fairness)
