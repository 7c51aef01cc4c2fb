"""What a standing group has played: its tables, its last matches, and who won how often.

A match counts if its table was opened for the group (or is a rematch of one that was), it is over,
at least two people played, nobody held several seats, and all of them are or were members. Who has
left is not listed, but the matches that the others played with them stay; so do those with somebody
who has deleted themselves.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import partial

from msgspec import Struct

from droptable.tables import bulk, groups
from droptable.tables.appends import TEXT
from droptable.tables.database import Connection
from droptable.tables.events import Identity
from droptable.tables.store import Store

MOST_TABLES = 500  # the last ones of a group


@dataclass
class GroupTable:
    """A table of a group."""

    table: str
    game: str
    title: str
    status: str
    names: tuple[str, ...]
    winners: tuple[int, ...]
    free: int
    at: float
    seats: list[tuple[int, Identity]] = field(default_factory=list)

    @property
    def people(self) -> set[Identity]:
        """Who sits there."""
        return {who for _seat, who in self.seats}


class Tally(Struct, frozen=True):
    """Somebody's matches of one game in a group; a shared victory counts as a share."""

    game: str
    matches: int
    wins: float
    last: float


async def tables(store: Store, group: str, now: float) -> list[GroupTable]:
    """The tables of a group that are still there, the last ones first."""
    query = (
        "SELECT table_id, at FROM group_tables WHERE group_id = :group ORDER BY at DESC LIMIT :most"
    )
    values = {"group": group, "most": MOST_TABLES}
    noted = dict(await store.query(lambda c: list(c.execute(query, values))))
    found: dict[str, GroupTable] = {}
    for shard in store.shards:
        found |= await shard.query(partial(_tables, tables=list(noted)))
    gone = [table for table, at in noted.items() if table not in found and at < now - groups.DAY]
    if gone:
        await store.write(lambda connection: groups.forget_tables(connection, gone))
    return sorted(found.values(), key=lambda one: (-one.at, one.table))


async def counting(
    store: Store, played: Sequence[GroupTable], known: Collection[Identity]
) -> list[GroupTable]:
    """Those of a group's tables that count, where these people are or were its members."""
    over = [one for one in played if one.status == "over"]
    unknown = sorted({who for one in over for who in one.people} - set(known))
    strangers = await store.query(partial(_here, people=unknown))
    return [
        one for one in over if 1 < len(one.people) == len(one.seats) and not one.people & strangers
    ]


def tallies(matches: Sequence[GroupTable], identity: Identity) -> list[Tally]:
    """What somebody has played and won in matches that count, by game."""
    own: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for one in matches:
        for seat, who in one.seats:
            if who == identity:
                share = 1 / len(one.winners) if seat in one.winners else 0.0
                own[one.game].append((share, one.at))
    return [
        Tally(game, len(all_), sum(share for share, _at in all_), max(at for _share, at in all_))
        for game, all_ in sorted(own.items())
    ]


def _tables(connection: Connection, tables: Sequence[str]) -> dict[str, GroupTable]:
    rows = [(table,) for table in tables]
    query = (
        "SELECT id, game, title, status, names, winners, free, updated FROM tables"
        " WHERE seq > 0 AND id IN (VALUES {rows})"
    )
    found = {
        id_: GroupTable(
            id_, game, title, status, tuple(json.loads(names)), tuple(json.loads(winners)), free, at
        )
        for id_, game, title, status, names, winners, free, at in bulk.write(
            connection, query, (TEXT,), rows
        )
    }
    query = "SELECT table_id, seat, identity FROM seats WHERE table_id IN (VALUES {rows})"
    for table, seat, who in bulk.write(connection, query, (TEXT,), rows):
        if table in found:
            found[table].seats.append((seat, who))
    return found


def _here(connection: Connection, people: Sequence[Identity]) -> set[Identity]:
    """Those of these people who are known here; others have deleted themselves."""
    query = "SELECT id FROM identities WHERE id IN (VALUES {rows})"
    return {who for (who,) in bulk.write(connection, query, (TEXT,), [(p,) for p in people])}
