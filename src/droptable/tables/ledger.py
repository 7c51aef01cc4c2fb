"""What one viewer has been told: an entry for each event that the viewer may notice, and no other.

The `seq` that a client sees counts the entries of its own viewer. A number that also counted what
others do in secret would tell that they did something.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec
from msgspec import Struct

from droptable.core.state import View
from droptable.tables.clocks import Clocks
from droptable.tables.events import Event
from droptable.tables.seat import Seat


class Entry(Struct, frozen=True, eq=False, gc=False):
    """An event that a viewer notices; of a move, the viewer's views just before and after it.

    Like events, entries are many and cannot hold what holds them.
    """

    at: float
    event: Event
    known: bool = True  # whether the viewer may know which move it was
    before: bytes = b""
    after: bytes = b""
    told: dict[str, str] = msgspec.field(default_factory=dict)  # by language and names


@dataclass(eq=False)
class Ledger:
    """All entries of one viewer: a seat, or (None) everybody who only watches."""

    viewer: int | None
    entries: list[Entry] = field(default_factory=list)
    match_seq: int = 0  # the last entry that changed what the viewer sees of the match
    view: View | None = None  # of the match, once it has started
    image: bytes = b""  # its record
    clocks: Clocks | None = None
    later: list[Entry] = field(default_factory=list)  # what the viewer is not told yet
    frozen: dict[int, Seat] = field(default_factory=dict)  # seats as they were before that

    @property
    def seq(self) -> int:
        """How many entries there are."""
        return len(self.entries)

    def copy(self) -> Ledger:
        return Ledger(
            self.viewer, self.entries.copy(), self.match_seq, self.view, self.image,
            self.clocks and self.clocks.copy(), self.later.copy(), self.frozen.copy(),
        )  # fmt: skip

    def note(self, entry: Entry) -> None:
        """Enter something that everybody may know and that does not change the match."""
        self.entries.append(entry)

    def look(self, view: View) -> None:
        """Remember what the viewer sees of the match."""
        image = view.array.tobytes()
        self.image = self.image if image == self.image else image  # one object for both
        self.view = view

    def see(
        self, event: Event, at: float, view: View, witnesses: tuple[int, ...], like: Entry | None
    ) -> Entry | None:
        """Enter something that happened in the match, if the viewer can notice it.

        `like` is another viewer's entry of it; who sees it all the same shares that one.
        """
        before = self.image
        self.look(view)
        known = self._witnesses(witnesses, view.players)
        if not known and self.image is before:
            return None
        same = like and (like.known, like.before, like.after) == (known, before, self.image)
        entry = like if like and same else Entry(at, event, known, before, self.image)
        self.entries.append(entry)
        self.match_seq = self.seq
        return entry

    def hold(self, entry: Entry) -> None:
        """Keep something until the viewer may know it."""
        self.later.append(entry)

    def release(self) -> None:
        """Enter what was kept."""
        self.entries += self.later
        self.later.clear()
        self.frozen.clear()

    def _witnesses(self, witnesses: tuple[int, ...], players: int) -> bool:
        """Who only watches knows what all seats may know."""
        return len(witnesses) == players if self.viewer is None else self.viewer in witnesses
