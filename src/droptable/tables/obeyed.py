"""The commands that a table has obeyed: what is sent again changes nothing more."""

from __future__ import annotations

from hashlib import blake2b

SIZE = 8  # bytes of a command's digest


class Obeyed:
    """Keys of commands, each as a few bytes of a digest: a match has hundreds."""

    def __init__(self, digests: bytes = b"") -> None:
        self._digests = digests

    def copy(self) -> Obeyed:
        """An independent set of the same commands."""
        return Obeyed(self._digests)

    def add(self, key: str) -> None:
        """Remember a command."""
        self._digests += _digest(key)

    def __contains__(self, key: str) -> bool:
        wanted = _digest(key)
        place = self._digests.find(wanted)
        while place % SIZE and place > 0:  # parts of two others that look like it
            place = self._digests.find(wanted, place + 1)
        return place >= 0

    def __len__(self) -> int:
        return len(self._digests) // SIZE


def _digest(key: str) -> bytes:
    return blake2b(key.encode(), digest_size=SIZE).digest()
