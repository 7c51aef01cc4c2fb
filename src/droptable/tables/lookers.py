"""Who looks at which table now: people whose page is visible, and not merely open."""

from __future__ import annotations

from collections import Counter

from droptable.tables.events import Identity


class Lookers:
    """Counts visible pages on this server by table and person."""

    def __init__(self) -> None:
        self._pages: Counter[tuple[str, Identity]] = Counter()

    def look(self, table: str, identity: Identity) -> None:
        """A page becomes visible; call `look_away` once for each time."""
        self._pages[table, identity] += 1

    def look_away(self, table: str, identity: Identity) -> None:
        """A page was hidden or closed."""
        self._pages[table, identity] -= 1
        if self._pages[table, identity] <= 0:
            del self._pages[table, identity]

    def looks(self, table: str, identity: Identity) -> bool:
        """Whether somebody looks at a table."""
        return (table, identity) in self._pages

    @property
    def all(self) -> list[tuple[str, Identity]]:
        """Everybody who looks at a table, with that table."""
        return list(self._pages)
