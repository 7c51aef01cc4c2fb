"""The rules of the house as a server knows them: who is blocked, and what is announced.

Whoever hosts changes them in the home database, at any server or by the command line. Each act is a
row there, and each server looks for new ones every second.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from droptable.core.language import _
from droptable.tables.database import Connection
from droptable.tables.events import Identity
from droptable.tables.rejected import Rejected
from droptable.tables.store import Store

LOOK = 1.0  # seconds between looks for what the host has done
NEWEST = 100  # acts that are looked at
log = logging.getLogger(__name__)


class Blocked(Rejected):
    """Somebody whom the host keeps out."""

    def __init__(self, reason: str) -> None:
        message = _("the host of this server has blocked you")
        super().__init__("forbidden", f"{message}: {reason}" if reason else message)


@dataclass(frozen=True)
class Act:
    """Something that the host did. `about` and `detail` are for logs, and hold no secret."""

    at: float
    act: str
    about: str = ""
    detail: str = ""
    identity: Identity = ""
    table_id: str = ""
    id: str = field(default_factory=lambda: secrets.token_urlsafe(9))


def note(connection: Connection, act: Act) -> None:
    """Store an act, in the transaction that has its effect."""
    connection.execute(
        "INSERT INTO acts (id, at, act, about, detail, identity, table_id)"
        " VALUES (:id, :at, :act, :about, :detail, :identity, :table_id)",
        asdict(act),
    )


def newest(connection: Connection, most: int = NEWEST) -> list[Act]:
    """What the host did last, the newest first."""
    query = (
        "SELECT at, act, about, detail, identity, table_id, id FROM acts"
        " ORDER BY at DESC, id LIMIT :most"
    )
    return [Act(*row) for row in connection.execute(query, {"most": most})]


class House:
    """What one server knows of the rules."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: set[str] | None = None  # the ids of acts that were seen
        self._blocked: dict[Identity, str] = {}  # and why
        self._announced: list[tuple[str, float, float]] = []  # text, from, to

    def admit(self, identity: Identity) -> None:
        """`Blocked` if the host keeps somebody out."""
        if identity in self._blocked:
            raise Blocked(self._blocked[identity])

    def announcement(self, now: float) -> str:
        """What is announced on all pages now; empty if nothing is."""
        return "\n".join(text for text, begins, ends in self._announced if begins <= now < ends)

    async def look(self) -> Sequence[Act]:
        """Learn what the host has done since the last look, and log it."""
        first, acts = self._known is None, await self._store.query(newest)
        new = [act for act in reversed(acts) if first or act.id not in (self._known or ())]
        self._known = {act.id for act in acts}
        if new or first:
            self._blocked, self._announced = await self._store.query(_rules)
        if first:
            return ()
        for act in new:
            log.warning("host: %s %s %s", act.act, act.about, act.detail)
        return new


def _rules(connection: Connection) -> tuple[dict[Identity, str], list[tuple[str, float, float]]]:
    blocked = connection.execute("SELECT identity, reason FROM blocked")
    announced = connection.execute("SELECT text, begins, ends FROM announcements ORDER BY begins")
    return dict(list(blocked)), [(text, begins, ends) for text, begins, ends in announced]
