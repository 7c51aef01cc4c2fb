"""The entries of a viewer's ledger: the latest as objects, all earlier ones packed.

A live table has hundreds of entries for each viewer, and hardly anybody asks for old ones. Packed
they are about twenty times smaller, so a table's memory stays nearly the same over a match.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice
from typing import Any, overload

import msgspec
from msgspec import Struct

from droptable.tables.events import Event

BLOCK = 16  # entries that are packed together
FRESH = 12  # of the latest entries are never packed
LEVEL, WINDOW, ROOM = 6, 12, 5  # of compression: as good as more, and seven times as fast
ALIKE = 8  # blocks that are remembered while viewers who see the same pack theirs
UNPACKED = 256  # blocks of all tables that are kept unpacked: what is read again soon


class Entry(Struct, frozen=True, eq=False, gc=False):
    """An event that a viewer notices; for a move, with the viewer's views before and after it.

    Like events, entries are many and never part of a cycle: they are not tracked for collection.
    """

    at: float
    event: Event
    known: bool = True  # whether the viewer may know which move it was
    public: bool = True  # whether everybody may
    before: bytes = b""
    after: bytes = b""
    memo: dict[Any, Any] = msgspec.field(default_factory=dict)  # what was worked out about it


class _Packed(Struct, frozen=True, array_like=True):
    """An entry in a block; `before` and `after` are indices into the block's images."""

    at: float
    event: Event
    known: bool
    public: bool
    before: int
    after: int


class _Block(Struct, frozen=True, array_like=True):
    """Entries, and the different images that they show."""

    entries: list[_Packed]
    images: list[bytes]


class Entries(Sequence[Entry]):
    """Entries in the order in which they were noticed. Copies share what is packed."""

    __slots__ = ("_blocks", "_fresh", "_packed")

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._blocks: tuple[bytes, ...] = ()
        self._packed = 0  # entries in them
        self._fresh: list[Entry] = []
        self.extend(entries)

    def copy(self) -> Entries:
        """An independent list of the same entries."""
        twin = object.__new__(Entries)  # copies are made for each move
        twin._blocks, twin._packed = self._blocks, self._packed
        twin._fresh = self._fresh.copy()
        return twin

    def append(self, entry: Entry) -> None:
        """Add an entry at the end."""
        self._fresh.append(entry)
        if len(self._fresh) >= BLOCK + FRESH:
            self._blocks += (_pack(*self._fresh[:BLOCK]),)
            self._packed += BLOCK
            del self._fresh[:BLOCK]

    def extend(self, entries: Iterable[Entry]) -> None:
        """Add entries at the end."""
        for entry in entries:
            self.append(entry)

    def __len__(self) -> int:
        return self._packed + len(self._fresh)

    @overload
    def __getitem__(self, index: int) -> Entry: ...
    @overload
    def __getitem__(self, index: slice) -> list[Entry]: ...
    def __getitem__(self, index: int | slice) -> Entry | list[Entry]:
        if isinstance(index, slice):
            first, end, step = index.indices(len(self))
            if step == 1 and first >= self._packed:
                return self._fresh[first - self._packed : max(0, end - self._packed)]
            if step != 1:
                return [self[number] for number in range(first, end, step)]
            return list(islice(self._from(first), max(0, end - first)))
        if index >= self._packed:  # most often
            return self._fresh[index - self._packed]
        number = index if index >= 0 else index + len(self)
        if number >= self._packed:
            return self._fresh[number - self._packed]
        if number < 0:
            raise IndexError(index)
        block, place = divmod(number, BLOCK)
        return _unpack(self._blocks[block])[place]

    def __iter__(self) -> Iterator[Entry]:
        return self._from(0)

    def __reversed__(self) -> Iterator[Entry]:
        yield from reversed(self._fresh)
        for block in reversed(self._blocks):
            yield from reversed(_unpack(block))

    def _from(self, first: int) -> Iterator[Entry]:
        """The entries from a number on."""
        if first >= self._packed:
            return iter(self._fresh[first - self._packed :])
        blocks = map(_unpack, self._blocks[first // BLOCK :])
        return islice(chain(chain.from_iterable(blocks), self._fresh), first % BLOCK, None)


@lru_cache(maxsize=ALIKE)
def _pack(*entries: Entry) -> bytes:
    """Entries as bytes; the same bytes for viewers who have noticed the same."""
    images: dict[bytes, int] = {}
    packed = [
        _Packed(
            entry.at, entry.event, entry.known, entry.public,
            images.setdefault(entry.before, len(images)),
            images.setdefault(entry.after, len(images)),
        )
        for entry in entries
    ]  # fmt: skip
    compressor = zlib.compressobj(LEVEL, zlib.DEFLATED, -WINDOW, ROOM)
    data = _encoder.encode(_Block(packed, list(images)))
    return compressor.compress(data) + compressor.flush()


@lru_cache(maxsize=UNPACKED)
def _unpack(block: bytes) -> tuple[Entry, ...]:
    """The entries in a block."""
    read = _decoder.decode(zlib.decompress(block, -WINDOW))
    return tuple(
        Entry(
            one.at, one.event, one.known, one.public, read.images[one.before],
            read.images[one.after],
        )
        for one in read.entries
    )  # fmt: skip


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(_Block)
