"""The matches that people have finished on a server, as far as anybody may look at them."""

from __future__ import annotations

from collections.abc import AsyncIterator

from droptable.core.errors import DroptableError
from droptable.core.game import Game
from droptable.core.record import Record
from droptable.tables.archive import record
from droptable.tables.daily import is_secret
from droptable.tables.store import Store
from droptable.tables.table import fold

PAGE = 100


async def played_matches(store: Store, subject: Game, since: float) -> AsyncIterator[Record]:
    """Public matches of a game that were finished since then, the newest first; none of a deal that
    others still play today."""
    now = await store.time()
    before: float | None = None
    while page := await store.public("finished", PAGE, before):
        for listed in page:
            if listed.updated < since:
                return
            if listed.game != subject.name:
                continue
            table = fold(listed.table, await store.read(listed.table))
            try:
                played = record(table)
            except DroptableError:  # it cannot be told as a record
                continue
            if not is_secret(table.daily, now):
                yield played
        before = page[-1].updated
