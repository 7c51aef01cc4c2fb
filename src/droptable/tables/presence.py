"""Who is at which table now: on this server, and on others by their notices."""

from __future__ import annotations

from collections import Counter, OrderedDict

from droptable.tables.events import Identity

REMIND = 20.0  # seconds between a server's reminders of who is there
MOST_SEEN = 100_000  # people per table whose time of leaving is remembered
FORGET = 3 * REMIND  # seconds after which a silent server is forgotten


class Presence:
    """Counts connections by table and person."""

    def __init__(self, now: float) -> None:
        self._since = now  # who was never seen here has been away since then
        self._here: dict[str, Counter[Identity]] = {}
        self._seen: OrderedDict[tuple[str, Identity], float] = OrderedDict()
        # By table and server: when its last notice came, and who is there.
        self._elsewhere: dict[str, dict[str, tuple[float, frozenset[Identity]]]] = {}

    def enter(self, table: str, identity: Identity) -> bool:
        """Somebody connects; True if they were not there before."""
        people = self._here.setdefault(table, Counter())
        people[identity] += 1
        return people[identity] == 1

    @property
    def people(self) -> set[Identity]:
        """Everybody who is connected to this server."""
        return {identity for people in self._here.values() for identity in people}

    def leave(self, table: str, identity: Identity, now: float) -> bool:
        """Somebody disconnects; True if that was their last connection."""
        people = self._here.get(table, Counter())
        people[identity] -= 1
        if people[identity] > 0:
            return False
        del people[identity]
        if not people:
            self._here.pop(table, None)
        self._saw(table, identity, now)
        return True

    def _saw(self, table: str, identity: Identity, now: float) -> None:
        self._seen[table, identity] = now
        self._seen.move_to_end((table, identity))
        if len(self._seen) > MOST_SEEN:
            self._seen.popitem(last=False)

    def here(self, table: str) -> frozenset[Identity]:
        """Who is at the table on this server."""
        return frozenset(self._here.get(table, ()))

    @property
    def tables(self) -> list[str]:
        """The tables where somebody is, on this server."""
        return list(self._here)

    def receive(self, server: str, table: str, people: frozenset[Identity], now: float) -> None:
        """Another server has sent a notice of who is there."""
        there = self._elsewhere.setdefault(table, {})
        _at, before = there.pop(server, (0.0, frozenset()))
        for identity in before - people:
            self._saw(table, identity, now)
        if people:
            there[server] = now, people
        if not there:
            del self._elsewhere[table]

    def present(self, table: str, now: float) -> frozenset[Identity]:
        """Who is at the table, on any server."""
        if table not in self._elsewhere:
            return self.here(table)
        there = self._elsewhere[table].values()
        return self.here(table).union(*(people for at, people in there if at > now - FORGET))

    def absent(self, table: str, people: frozenset[Identity], now: float) -> dict[Identity, float]:
        """Which of these people are away, and for how many seconds, as far as this server knows."""
        return {
            identity: now - self._seen.get((table, identity), self._since)
            for identity in people - self.present(table, now)
        }
