"""Which counter is which: ids that follow a counter through tubes and hands.

A view does not tell which of a seat's six counters lies where; the steps that led to it do
(`Frame.steps`). Without them counters are named by their places.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from droptable.core.bits import count_bits
from droptable.core.scene import Frame, Step, followed
from droptable.games.drop_or_pop import rules
from droptable.games.drop_or_pop.words import owner_of


@dataclass(frozen=True)
class Counter:
    """A counter of a seat."""

    seat: int
    name: str  # its id in pictures


@dataclass(frozen=True)
class Counters:
    """All counters: those in the tubes from the bottom up, and those in the hands."""

    tubes: tuple[tuple[Counter, ...], ...]
    hands: tuple[tuple[Counter, ...], ...]
    followed: bool = True  # whether the names tell which counter it is, not only where it lies

    def after(self, step: Step) -> Counters:
        """Where they are after an event."""
        column = int(step.before["column"])
        tubes, hands = list(self.tubes), list(self.hands)
        if step.actor >= 0 and step.action == rules.DROP:
            tubes[column] += (hands[step.actor][-1],)
            hands[step.actor] = hands[step.actor][:-1]
        elif step.actor >= 0 and step.action == rules.POP:
            popped, *others = tubes[column]
            tubes[column] = tuple(others)
            hands[popped.seat] += (popped,)
        return Counters(tuple(tubes), tuple(hands), self.followed)


def counters(view: Any, frame: Frame) -> Counters:
    """Where all counters of a view are."""
    return followed(view, frame.steps, _at_start, Counters.after) or _by_place(view)


def filled_rows(view: Any, column: int) -> int:
    """How many counters a tube holds."""
    return count_bits(rules.occupied(view) >> (8 * column) & 0xFF)


def _at_start(view: Any) -> Counters | None:
    """All in hand, if the match begins with this view."""
    if view["turn"] or view["ignored"] or view["column"] != rules.NO_COLUMN:
        return None
    hands = tuple(
        tuple(Counter(seat, f"counter-{seat}-{number}") for number in range(rules.COUNTERS))
        for seat in range(view["players"])
    )
    return Counters(((),) * rules.COLUMNS, hands)


def _by_place(view: Any) -> Counters:
    tubes = tuple(
        tuple(
            Counter(owner, f"counter-{owner}-at-{column}-{row}")
            for row in range(filled_rows(view, column))
            for owner in (owner_of(view, column, row),)
        )
        for column in range(rules.COLUMNS)
    )
    hands = tuple(
        tuple(
            Counter(seat, f"counter-{seat}-held-{number}")
            for number in range(rules.COUNTERS - count_bits(int(view["counters"][seat])))
        )
        for seat in range(view["players"])
    )
    return Counters(tubes, hands, followed=False)
