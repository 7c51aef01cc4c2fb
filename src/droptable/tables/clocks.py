"""Clocks of all seats, as one viewer knows them; to each seat its own clock is exact."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from droptable.tables.settings import Clock


@dataclass
class Clocks:
    """Seconds left for each seat, and since when its clock has been running (None: stopped)."""

    clock: Clock
    left: list[float]
    since: list[float | None]

    @classmethod
    def new(cls, clock: Clock, players: int) -> Clocks:
        return cls(clock, [float(clock.seconds)] * players, [None] * players)

    def copy(self) -> Clocks:
        return Clocks(self.clock, self.left.copy(), self.since.copy())

    def run(self, running: Collection[int], at: float, *, resume: bool = False) -> None:
        """Start these clocks and stop the others.

        With time per turn, a clock that starts is refilled, unless a turn is resumed: otherwise an
        undo would buy time to think.
        """
        for seat, since in enumerate(self.since):
            if seat in running and since is None:
                self.since[seat] = at
                if self.clock.per == "turn" and not resume:
                    self.left[seat] = float(self.clock.seconds)
            elif seat not in running and since is not None:
                self.left[seat] = self.left_at(seat, at)
                self.since[seat] = None

    def hold(self, seconds: float, at: float) -> None:
        """Leave each clock that is running at least so many seconds."""
        for seat, since in enumerate(self.since):
            if since is not None and self.left_at(seat, at) < seconds:
                self.left[seat], self.since[seat] = seconds, at

    def left_at(self, seat: int, now: float) -> float:
        """Seconds that the seat has left, at least 0."""
        since = self.since[seat]
        used = 0.0 if since is None else max(0.0, now - since)
        return max(0.0, self.left[seat] - used)

    def timeout_at(self, seat: int) -> float | None:
        """When the seat's time will be up, if its clock is running."""
        since = self.since[seat]
        return None if since is None else since + self.left[seat]
