"""The host's secret of a table, and what people contribute: cards and dice follow from both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from droptable.core import fair
from droptable.core.fair import GENERATOR, Contribution, Fairness
from droptable.tables.events import Identity
from droptable.tables.seat import Seat


@dataclass(frozen=True)
class Sealed:
    """Nothing but the commitment and the contributions may leave before the match is over."""

    secret: bytes = field(repr=False)
    commitment: str
    expected: frozenset[Identity] = frozenset()  # people whose contributions the start waits for
    given: Mapping[Identity, str] = field(default_factory=dict)
    contributors: tuple[Contribution, ...] = ()  # once the match has started, as all that follows
    order: tuple[int, ...] | None = None

    @classmethod
    def of(cls, secret: str, expected: frozenset[Identity]) -> Sealed:
        """The host's secret (hexadecimal) at a new table."""
        data = bytes.fromhex(secret)
        return cls(data, fair.commitment(data), expected)

    def with_contribution(self, identity: Identity, value: str) -> Sealed:
        """After somebody has contributed."""
        return replace(self, given={**self.given, identity: value})

    def without(self, identity: Identity) -> Sealed:
        """After somebody has left before the start."""
        return replace(self, given={i: v for i, v in self.given.items() if i != identity})

    def started(self, seats: Sequence[Seat], order: tuple[int, ...] | None) -> Sealed:
        """When the match begins: nothing can be contributed any more."""
        contributors: dict[Identity, Contribution] = {}  # one each, named after their own seat
        for number, seat in sorted(enumerate(seats), key=lambda one: bool(one[1].here)):
            for identity, name in seat.people.items():
                if identity in self.given:
                    given = Contribution(number, name, self.given[identity])
                    contributors.setdefault(identity, given)
        return replace(self, contributors=tuple(contributors.values()), order=order)

    def awaited(self, seats: Sequence[Seat]) -> list[int]:
        """The seats of people who said that they would contribute, and have not yet."""
        missing = self.expected - self.given.keys()
        return [number for number, seat in enumerate(seats) if missing & seat.people.keys()]

    @property
    def contributions(self) -> list[str]:
        """What was contributed, in the order that the seed is made of."""
        return sorted(self.given.values())

    @cached_property
    def seed(self) -> bytes:
        """What everything at this table is drawn from."""
        return fair.seed(self.secret, map(bytes.fromhex, self.given.values()))

    @property
    def published(self) -> Fairness:
        """All of it, for the record of a match that is over."""
        secret = self.secret.hex()
        return Fairness(GENERATOR, self.commitment, secret, self.contributors, self.order)
