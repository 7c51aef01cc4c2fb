"""What one viewer has been told: an entry for each event that the viewer may notice, and no other.

The `seq` that a client sees counts the entries of its own viewer. A number that also counted what
others do in secret would tell that they did something.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from droptable.core.state import View
from droptable.tables.clocks import Clocks
from droptable.tables.events import Event, Moved


@dataclass(frozen=True)
class Happening:
    """The match just before and after a move, as packed states."""

    before: bytes
    after: bytes
    witnesses: tuple[int, ...]  # the seats that may know which move it was


@dataclass(frozen=True)
class Entry:
    """An event that a viewer notices."""

    at: float
    event: Event
    happening: Happening | None = None
    known: bool = True  # whether the viewer may know which move it was


@dataclass
class Ledger:
    """All entries of one viewer: a seat, or (None) everybody who only watches."""

    viewer: int | None
    entries: list[Entry] = field(default_factory=list)
    match_seq: int = 0  # the last entry that changed what the viewer sees of the match
    image: bytes = b""  # the viewer's view of the match, packed
    to_act: tuple[int, ...] = ()  # as the viewer knows it
    clocks: Clocks | None = None

    @property
    def seq(self) -> int:
        """How many entries there are."""
        return len(self.entries)

    def copy(self) -> Ledger:
        clocks = self.clocks and self.clocks.copy()
        entries = self.entries.copy()
        return Ledger(self.viewer, entries, self.match_seq, self.image, self.to_act, clocks)

    def note(self, entry: Entry) -> None:
        """Enter something that everybody may know and that does not change the match."""
        self.entries.append(entry)

    def see(self, entry: Entry, view: View) -> None:
        """Enter something that happened in the match, if the viewer can notice it."""
        image = bytes(view)
        if isinstance(entry.event, Moved) and entry.happening is not None:
            known = self._witnesses(entry.happening.witnesses, view.players)
            entry = Entry(entry.at, entry.event, entry.happening, known)
        else:
            known = False
        if known or image != self.image:
            self.entries.append(entry)
            self.match_seq = self.seq
        self.image = image
        self.to_act = view.to_act

    def _witnesses(self, witnesses: tuple[int, ...], players: int) -> bool:
        """Who only watches knows what all seats may know."""
        return len(witnesses) == players if self.viewer is None else self.viewer in witnesses
