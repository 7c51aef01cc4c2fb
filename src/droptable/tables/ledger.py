"""What one viewer knows of a table: an entry for each event that the viewer may notice.

The `seq` that a client sees counts the entries of its own viewer: a global count would reveal that
others have acted in secret.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec
import numpy as np
from msgspec import Struct

from droptable.core.state import View
from droptable.tables.clocks import Clocks
from droptable.tables.events import Event
from droptable.tables.seat import Seat


class Entry(Struct, frozen=True, eq=False, gc=False):
    """An event that a viewer notices; for a move, with the viewer's views before and after it.

    Like events, entries are many and never part of a cycle: they are not tracked for collection.
    """

    at: float
    event: Event
    known: bool = True  # whether the viewer may know which move it was
    public: bool = True  # whether everybody may
    before: bytes = b""
    after: bytes = b""
    memo: dict[Any, Any] = msgspec.field(default_factory=dict)  # what was worked out about it


class Link(NamedTuple):
    """An event of the match that was not undone, as a viewer noticed it."""

    number: int  # how many events of the match came before it; others count them differently
    entry: Entry
    previous: Link | None


@dataclass(eq=False)
class Ledger:
    """All entries of one viewer: a seat, or (None) everybody who only watches."""

    viewer: int | None
    entries: list[Entry] = field(default_factory=list)
    match_seq: int = 0  # the last entry that changed the viewer's view
    view: View | None = None  # of the match, once it has started
    image: bytes = b""  # the bytes of that view's record
    clocks: Clocks | None = None
    last: Link | None = None  # of the match, without what was undone
    withheld: list[Entry] = field(default_factory=list)  # entries that the viewer may not see yet
    outdated: dict[int, Seat] = field(default_factory=dict)  # seats as they were before those

    @property
    def seq(self) -> int:
        """How many entries there are."""
        return len(self.entries)

    def copy(self) -> Ledger:
        return Ledger(
            self.viewer, self.entries.copy(), self.match_seq, self.view, self.image,
            self.clocks and self.clocks.copy(), self.last, self.withheld.copy(),
            self.outdated.copy(),
        )  # fmt: skip

    def note(self, entry: Entry) -> None:
        """Add an entry that everybody may see and that does not change the match."""
        self.entries.append(entry)

    def update_view(self, view: View) -> None:
        """Remember what the viewer sees of the match now."""
        image = view.array.tobytes()
        self.image = self.image if image == self.image else image  # share one object
        self.view = view

    def add_match_event(
        self, event: Event, at: float, view: View, witnesses: tuple[int, ...], like: Entry | None
    ) -> Entry | None:
        """Add an entry for an event of the match, if the viewer can notice it.

        `like` is another viewer's entry of the same event, which is shared if it is equal.
        """
        before = self.image
        self.update_view(view)
        known = self._witnesses(witnesses, view.players)
        if not known and self.image is before:
            return None
        same = like and (like.known, like.before, like.after) == (known, before, self.image)
        public = len(witnesses) == view.players
        entry = like if like and same else Entry(at, event, known, public, before, self.image)
        self.entries.append(entry)
        self.match_seq = self.seq
        return entry

    def history(self) -> Iterator[Link]:
        """What the viewer has noticed of the match and was not undone, the last first."""
        link = self.last
        while link is not None:
            yield link
            link = link.previous

    def rewind(self, to: int, kept: Mapping[int, int]) -> None:
        """Forget the events of the match from number `to` on, but for those kept: by their number,
        the new one."""
        survivors = []
        while self.last is not None and self.last.number >= to:
            if self.last.number in kept:
                survivors.append((kept[self.last.number], self.last.entry))
            self.last = self.last.previous
        for number, entry in reversed(survivors):
            self.last = Link(number, entry, self.last)

    def view_from(self, image: bytes) -> View:
        """The viewer's view with these bytes: that of another moment of the match."""
        assert self.view is not None
        data = np.frombuffer(bytearray(image), self.view.array.dtype)
        return View(self.view.game, self.view.players, self.view.options, data, self.viewer)

    def withhold(self, entry: Entry) -> None:
        """Keep an entry back until the viewer may see it."""
        self.withheld.append(entry)

    def release(self) -> None:
        """Add the entries that were withheld."""
        self.entries += self.withheld
        self.withheld.clear()
        self.outdated.clear()

    def _witnesses(self, witnesses: tuple[int, ...], players: int) -> bool:
        """Whether the viewer knows the move; a spectator knows what all seats know."""
        return len(witnesses) == players if self.viewer is None else self.viewer in witnesses
