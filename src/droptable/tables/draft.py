"""Events that are about to happen, folded into a copy of their table before they are stored."""

from __future__ import annotations

import random

from droptable.core import fair
from droptable.core.contract import DEALER
from droptable.core.state import State
from droptable.tables import events as ev
from droptable.tables.table import Table


class Draft:
    """Collects events; `table` is the table after them. The original table is not changed."""

    def __init__(self, table: Table, now: float, chance: random.Random, command: str = "") -> None:
        self.table = table.fork()
        self.lines: list[ev.Line] = []
        self._now = max(now, table.at)  # a server whose clock is behind turns no time back
        self._chance = chance
        self._command = command

    @property
    def events(self) -> tuple[ev.Event, ...]:
        return tuple(line.event for line in self.lines)

    def add(self, event: ev.Event) -> None:
        """Append an event and fold it. The first one carries the key of its command."""
        command = "" if self.lines else self._command
        line = ev.Line(self.table.seq + 1, self._now, event, command)
        self.table.apply(line)
        self.lines.append(line)

    def start(self) -> None:
        """Begin the match: shuffle the seats if that was chosen, and let the dealer deal."""
        shuffled = self.table.settings.shuffled
        self.add(ev.Started(self._shuffle() if shuffled else tuple(range(self.table.players))))
        self.advance()

    def _shuffle(self) -> tuple[int, ...]:
        if self.table.sealed is not None:
            return fair.seat_order(self.table.sealed.seed, self.table.players)
        order = list(range(self.table.players))
        self._chance.shuffle(order)
        return tuple(order)

    def advance(self) -> None:
        """Let the dealer act, and the table for seats without a choice, until a seat has to decide
        or the match is over."""
        while self.table.state is not None and self.table.status == "playing":
            state = self.table.state
            if state.over:
                self._finish(state.winners)
            elif state.to_act == (DEALER,):
                self.add(ev.Moved(DEALER, self._draw(state), "dealer"))
            elif moved := self._automatic(state):
                self.add(moved)
            else:
                return

    def _draw(self, state: State) -> str:
        """What the dealer deals: after an undo, or decided on again, the same as before. Tables
        of earlier versions have no secret that it could follow from."""
        if self.table.sealed is None:
            return state.draw(self._chance)
        return fair.draw(self.table.sealed.seed, self.table.dealt, state.chance_weights())

    def _automatic(self, state: State) -> ev.Moved | None:
        """The move that the table makes for some seat."""
        for seat in state.to_act:
            if token := state.automatic(seat):
                return ev.Moved(seat, token, "table")
        return None

    def _finish(self, winners: tuple[int, ...]) -> None:
        playing = self._unresigned()
        self.add(ev.Finished(tuple(s for s in winners if s in playing) or tuple(playing)))

    def resign(self, seat: int) -> None:
        """A seat resigns: the last one standing wins, or a bot plays on for the seat."""
        self.add(ev.Resigned(seat))
        playing = self._unresigned()
        if len(playing) <= 1:
            self.add(ev.Finished(tuple(playing), "resigned"))
        elif not self.table.seats[seat].played_by:
            self.add(ev.BotTookOver(seat, self.table.settings.stand_in, "resigned"))

    def _unresigned(self) -> list[int]:
        return [s for s, seat in enumerate(self.table.seats) if not seat.resigned]
