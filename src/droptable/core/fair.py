"""Provably fair dealing: cards, dice and seats that follow from a secret and from contributions.

docs/fairness.md has the layout of every byte, an example with numbers, and what this proves.
"""

from __future__ import annotations

import hashlib
import hmac
import math
from collections.abc import Iterable, Sequence
from itertools import count
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

GENERATOR = "hmac-sha256-1"  # its name in records; another layout would get another name
SECRET_BYTES = 32
CONTRIBUTION = r"^([0-9a-fA-F]{2}){8,32}$"  # hexadecimal, 8 to 32 bytes
DEAL, SEATS = b"deal", b"seats"  # what a number is drawn for
Hash: TypeAlias = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Seat: TypeAlias = Annotated[int, Meta(ge=0, le=63)]
_SPAN = 2**256  # numbers that a block can be


class Contribution(Struct, frozen=True):
    """Randomness that somebody added before the start; `seat` is theirs in the match."""

    seat: Seat
    name: Annotated[str, Meta(max_length=200)]
    value: Annotated[str, Meta(pattern=CONTRIBUTION)]


class Fairness(Struct, frozen=True, omit_defaults=True):
    """What a finished match publishes, so that anybody can check how it was dealt.

    `order` is that of the seats if they were shuffled: who sits at seat s had `order[s]` before.
    """

    generator: Annotated[str, Meta(pattern="^[!-~]{1,40}$")]
    commitment: Hash
    secret: Hash
    contributions: tuple[Contribution, ...] = ()
    order: tuple[Seat, ...] | None = None

    @property
    def seed(self) -> bytes:
        """What everything was drawn from."""
        values = (bytes.fromhex(given.value) for given in self.contributions)
        return seed(bytes.fromhex(self.secret), values)


def commitment(secret: bytes) -> str:
    """What a host publishes of its secret before anybody contributes."""
    return hashlib.sha256(secret).hexdigest()


def seed(secret: bytes, contributions: Iterable[bytes]) -> bytes:
    """The seed of a match. Contributions are sorted: nobody gains by the order they came in."""
    digest = hashlib.sha256(GENERATOR.encode() + b"\0" + secret)
    for given in sorted(contributions):
        digest.update(bytes([len(given)]) + given)
    return digest.digest()


def below(seed: bytes, label: bytes, number: int, bound: int) -> int:
    """A number from 0 to `bound` - 1, each exactly as likely as the others."""
    fair = _SPAN - _SPAN % bound  # beyond it small numbers would be more likely
    for attempt in count():
        message = label + b"\0" + number.to_bytes(8, "big") + attempt.to_bytes(8, "big")
        drawn = int.from_bytes(hmac.digest(seed, message, "sha256"), "big")
        if drawn < fair:
            break
    return drawn % bound


def draw(seed: bytes, number: int, weights: Sequence[tuple[str, int]]) -> str:
    """The outcome of the dealer's event with that number (from 0), of outcomes with weights.

    Neither the order of the outcomes nor a factor common to all weights matters.
    """
    outcomes = shares(weights)
    left = below(seed, DEAL, number, sum(share for _token, share in outcomes))
    for token, share in outcomes:
        left -= share
        if left < 0:
            return token
    raise AssertionError("shares do not add up")


def shares(weights: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    """Outcomes in the order of their tokens, with weights that have no common factor."""
    factor = math.gcd(*(weight for _token, weight in weights))
    return [(token, weight // factor) for token, weight in sorted(weights)]


def seat_order(seed: bytes, players: int) -> tuple[int, ...]:
    """Who sits where after the seats were shuffled (by Fisher and Yates)."""
    order = list(range(players))
    for last in range(players - 1, 0, -1):
        other = below(seed, SEATS, last, last + 1)
        order[last], order[other] = order[other], order[last]
    return tuple(order)
