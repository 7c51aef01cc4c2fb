"""The turns of a match: what a seat did without learning anything new in between.

A turn is a run of moves of one seat, whatever others do meanwhile out of its sight: Number Drop's
shape, place, numbers and combo, two placements of Drop., `take` and `give` in Depot. It ends when
somebody else's turn comes, or when the seat is shown something that it could not know before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from droptable.core.contract import DEALER
from droptable.core.record import Record
from droptable.core.state import State, View


@dataclass(frozen=True)
class PlayedTurn:
    """Moves of a seat, from the first one that had an alternative on."""

    seat: int
    events: tuple[int, ...]  # their indices in the record
    tokens: tuple[str, ...]
    view: View  # before the first of them

    @property
    def start(self) -> int:
        """The index of its first event: it begins after so many."""
        return self.events[0]


class _Open:
    """A turn that may go on."""

    def __init__(self) -> None:
        self.events: list[int] = []
        self.tokens: list[str] = []
        self.view: View | None = None  # None until there was a choice
        self.expected = b""  # what the seat sees next if it learns nothing

    def add(self, number: int, token: str, view: View) -> None:
        if self.view is None and len(view.legal) > 1:
            self.view = view
        if self.view is not None:
            self.events.append(number)
            self.tokens.append(token)
        world = after(view, (token,))
        self.expected = bytes(world.view(view.seat)) if view.seat in world.to_act else b""

    def turn(self, seat: int) -> PlayedTurn | None:
        if self.view is None:
            return None
        return PlayedTurn(seat, tuple(self.events), tuple(self.tokens), self.view)


def played_turns(record: Record, seats: Sequence[int] | None = None) -> list[PlayedTurn]:
    """All turns with a decision in them, or those of some seats, in the order of the match."""
    return sorted(_turns(record, seats), key=lambda turn: turn.start)


def _turns(record: Record, seats: Sequence[int] | None) -> Iterator[PlayedTurn]:
    under_way: dict[int, _Open] = {}
    states = record.states()
    for number, (seat, token) in enumerate(record.events):
        state = next(states)
        if seat == DEALER or (seats and seat not in seats):
            continue
        view = state.view(seat)
        if seat not in under_way or bytes(view) != under_way[seat].expected:
            yield from _closed(under_way, seat)
            under_way[seat] = _Open()
        under_way[seat].add(number, token, view)
    for seat in list(under_way):
        yield from _closed(under_way, seat)


def _closed(under_way: dict[int, _Open], seat: int) -> Iterator[PlayedTurn]:
    turn = under_way[seat].turn(seat) if seat in under_way else None
    if turn is not None:
        yield turn


def after(view: View, tokens: Sequence[str], seed: int = 0) -> State:
    """A world that looks like this view to its seat, after some of the seat's moves."""
    assert view.seat is not None
    world = view.determinize(seed)
    for token in tokens:
        world.apply(view.seat, token)
    return world
