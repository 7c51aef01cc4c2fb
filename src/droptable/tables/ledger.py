"""What one viewer knows of a table: an entry for each event that the viewer may notice.

The `seq` that a client sees counts the entries of its own viewer: a global count would reveal that
others have acted in secret.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec
import numpy as np

from droptable.core.state import View
from droptable.tables.clocks import Clocks
from droptable.tables.entries import Entries, Entry
from droptable.tables.events import Event
from droptable.tables.seat import Seat

RECENT = 12  # entries whose memos are kept: those of earlier ones would add up over a match


class Link(NamedTuple):
    """An event of the match that was not undone, as a viewer noticed it."""

    number: int  # how many events of the match came before it; others count them differently
    entry: Entry


def _no_numbers() -> array[int]:
    return array("I")


@dataclass(eq=False)
class Ledger:
    """All entries of one viewer: a seat, or (None) everybody who only watches."""

    viewer: int | None
    entries: Entries = field(default_factory=Entries)
    match_seq: int = 0  # the last entry that changed the viewer's view
    view: View | None = None  # of the match, once it has started
    image: bytes = b""  # the bytes of that view's record
    clocks: Clocks | None = None
    # Of the match, without what was undone: the numbers of its events, and of their entries.
    numbers: array[int] = field(default_factory=_no_numbers)
    places: array[int] = field(default_factory=_no_numbers)
    withheld: list[Entry] = field(default_factory=list)  # entries that the viewer may not see yet
    outdated: dict[int, Seat] = field(default_factory=dict)  # seats as they were before those

    @property
    def seq(self) -> int:
        """How many entries there are."""
        return len(self.entries)

    def copy(self) -> Ledger:
        twin = object.__new__(Ledger)  # copies are made for each move
        twin.__dict__.update(self.__dict__)
        twin.entries = self.entries.copy()
        twin.clocks = self.clocks and self.clocks.copy()
        twin.numbers, twin.places = self.numbers[:], self.places[:]
        twin.withheld, twin.outdated = self.withheld.copy(), self.outdated.copy()
        return twin

    def note(self, entry: Entry) -> None:
        """Add an entry that everybody may see and that does not change the match."""
        self.entries.append(entry)

    def update_view(self, view: View) -> None:
        """Remember what the viewer sees of the match now."""
        image = view.array.tobytes()
        self.image = self.image if image == self.image else image  # share one object
        self.view = view

    def add_match_event(
        self,
        number: int | None,
        event: Event,
        at: float,
        view: View,
        witnesses: tuple[int, ...],
        like: Entry | None,
    ) -> Entry | None:
        """Add an entry for an event of the match, if the viewer can notice it.

        `number` is how many came before it; None for an undo. `like` is another viewer's entry of
        the same event, which is shared if it is equal.
        """
        before = self.image
        self.update_view(view)
        known = self._witnesses(witnesses, view.players)
        if not known and self.image is before:
            return None
        same = like and (like.known, like.before, like.after) == (known, before, self.image)
        public = len(witnesses) == view.players
        entry = like if like and same else Entry(at, event, known, public, before, self.image)
        if number is not None:
            self._count(number, self.seq)
        self.entries.append(entry)
        self.match_seq = self.seq
        self._forget_memo()
        return entry

    def _forget_memo(self) -> None:
        """Drop what was worked out about an entry that is hardly asked for any more."""
        if len(self.entries) > RECENT:
            self.entries[-RECENT].memo.clear()

    def history(self) -> Iterator[Link]:
        """What the viewer has noticed of the match and was not undone, the last first."""
        for number, place in zip(reversed(self.numbers), reversed(self.places), strict=True):
            yield Link(number, self.entries[place])

    def _count(self, number: int, place: int) -> None:
        """An event of the match has that number, and its entry that place."""
        self.numbers.append(number)
        self.places.append(place)

    def rewind(self, to: int, kept: Mapping[int, int]) -> None:
        """Forget the events of the match from number `to` on, but for those kept: by their number,
        the new one."""
        survivors = []
        while self.numbers and self.numbers[-1] >= to:
            number, place = self.numbers.pop(), self.places.pop()
            if number in kept:
                survivors.append((kept[number], place))
        for number, place in reversed(survivors):
            self._count(number, place)

    def view_from(self, image: bytes) -> View:
        """The viewer's view with these bytes: that of another moment of the match."""
        assert self.view is not None
        data = np.frombuffer(bytearray(image), self.view.array.dtype)
        return View(self.view.game, self.view.players, self.view.options, data, self.viewer)

    def withhold(self, entry: Entry) -> None:
        """Keep an entry back until the viewer may see it."""
        self.withheld.append(entry)

    def release(self, at: float) -> None:
        """Add the entries that were withheld, as of now: when they were made stays a secret."""
        self.entries.extend(msgspec.structs.replace(entry, at=at) for entry in self.withheld)
        self.withheld.clear()
        self.outdated.clear()

    def _witnesses(self, witnesses: tuple[int, ...], players: int) -> bool:
        """Whether the viewer knows the move; a spectator knows what all seats know."""
        return len(witnesses) == players if self.viewer is None else self.viewer in witnesses
