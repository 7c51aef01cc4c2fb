"""What a seat has noticed of a match, in order: perfect recall in a line of text and a few numbers.

A view shows the moment; an information state must tell apart all pasts that the seat can tell
apart. Tokens alone do not: the end of a round may show more than the token that ended it. So all
views are folded into one fingerprint beside them.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import NamedTuple

from droptable.core.contract import DEALER

RECENT = 64  # events that an information state tensor shows one by one
FINGERPRINT = 8  # bytes
UNSEEN = -1  # the token of an event that was noticed but may not be known
SOMEBODY = -2  # its actor

Noticed = tuple[int, int]  # (actor, action)


class Memory(NamedTuple):
    """One seat's memory; never changed, so that copies of a match share it."""

    text: str  # every event noticed
    recent: tuple[Noticed, ...]  # the last of them, the latest first
    fingerprint: bytes  # of all views, in order
    view: bytes  # the last of them

    def and_then(self, noticed: Noticed, token: str, view: bytes) -> Memory:
        """The memory after one more event."""
        actor = noticed[0]
        if actor == SOMEBODY:
            entry = "?"
        else:
            entry = token if actor == DEALER else f"{actor} {token}"
        return Memory(
            f"{self.text}; {entry}" if self.text else entry,
            (noticed, *self.recent[: RECENT - 1]),
            _fingerprint(self.fingerprint + view),
            view,
        )


def fresh(view: bytes, text: str = "") -> Memory:
    """The memory of a seat that knows what it sees, and nothing else."""
    return Memory(text, (), _fingerprint(view), view)


def _fingerprint(seen: bytes) -> bytes:
    return blake2b(seen, digest_size=FINGERPRINT).digest()
