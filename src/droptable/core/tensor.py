"""Views as tensors for learning: planes of numbers from -1 to 1, made from what a seat may know.

A tensor is one row of float32, the game's planes one after another. A game's own `encoder.py` says
which planes there are (`planes`) and fills them (`encode`); a game without one gets the bits of its
record. Planes about seats begin with the viewer's own and go on clockwise; a spectator's begin
with seat 0.
"""

# ruff: noqa: ARG001
from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from droptable.core.compile import kernel, slot
from droptable.core.contract import State, check_kernels, set_kernels, to_act

Tensor = Any  # a row of float32 with room for every plane
Bytes = Any  # an array of records as rows of uint8
Places = Any  # by seat: which byte of the record each eight numbers are; see `bit_places`

Shown = tuple[Any, Any]  # what rows of tensors show: views, and whose they are
NEVER = -2  # instead of a seat: nothing is shown yet

OWN_FIRST = "first the viewer's own, then clockwise"
WORD = 62  # bits that an integer holds, whatever is done with it
BYTES = np.arange(256, dtype=np.uint8)
# [byte, bit]: its bits, lowest first. Copying all eight at once is quicker than working them out.
BITS = np.unpackbits(BYTES, bitorder="little").reshape(256, 8).astype(np.float32)


@dataclass(frozen=True)
class Plane:
    """A named part of a tensor; `shape` is how to reshape it, row-major."""

    name: str
    shape: tuple[int, ...]
    meaning: str

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return prod(self.shape)


def size_of(planes: Sequence[Plane]) -> int:
    """How many numbers a tensor of these planes has."""
    return sum(plane.size for plane in planes)


@slot
def encode(view: State, seat: int, out: Tensor) -> int:
    """Write what a seat (or a spectator, `NOBODY`) sees; return how many numbers that took.

    All of them, the zeros, too: `out` may hold anything before.
    """
    return 0


@slot
def revise(view: State, seat: int, shown: State, shown_seat: int, out: Tensor) -> None:
    """Fill in what a seat sees where `out` has what a seat saw in another view, `shown`.

    Default: all anew.
    """
    encode(view, seat, out)


@dataclass(frozen=True, kw_only=True)
class Encoder:
    """A game's own tensor: `planes(players, options)` in the order in which `encode` fills them.

    `revise` is for large tensors of which a move changes little: it writes no more than that.
    """

    planes: Callable[[int, dict[str, Any]], list[Plane]]
    encode: Callable[[State, int, Tensor], int]
    revise: Callable[[State, int, State, int, Tensor], None] | None = None
    past: Collection[str] = ()  # fields that a tensor leaves out: it shows the present

    def __post_init__(self) -> None:
        check_kernels("Encoder", self.kernels())

    def kernels(self) -> dict[str, Callable[..., Any]]:
        """The game's own functions, by the slot they fill."""
        return set_kernels(self, without=("planes", "past"))


@kernel
def encode_at(states: Any, i: int, raw: Bytes, places: Places, seat: int, out: Tensor) -> None:
    """Write a view's tensor: by the game's own `encode`, or bit by bit if there are places."""
    if len(places):
        copy_bits(raw[i], places[max(seat, 0)], out)
        encode_actors(to_act(states[i]), seat, out[8 * places.shape[1] :])
    else:
        encode(states[i], seat, out)


@kernel
def revise_at(
    states: Any, i: int, raw: Bytes, places: Places, seat: int, shown: Shown, k: int, out: Tensor
) -> None:
    """Write a view's tensor where that of another view stands, and remember what is shown now."""
    shown_views, shown_seats = shown
    before = int(np.int64(shown_seats[k]))
    if before == NEVER:
        encode_at(states, i, raw, places, seat, out)
    else:
        revise(states[i], seat, shown_views[k], before, out)
    shown_views[k] = states[i]
    shown_seats[k] = seat


@kernel
def clear(out: Tensor) -> None:
    """All numbers 0."""
    for k in range(len(out)):
        out[k] = 0.0


# -- parts of planes ------------------------------------------------------------------------------
# A part is a slice of the tensor: its length says how many numbers to write.


@kernel
def one_hot(part: Tensor, value: int) -> None:
    """1 at the value's place; nothing but zeros if there is no such place."""
    for k in range(len(part)):
        part[k] = 1.0 if k == value else 0.0


@kernel
def members_of(part: Tensor, bits: int) -> None:
    """1 for every member of a set that is given as bits, at most `WORD` of them.

    Quickest for many at once: put planes of ones and zeros that follow each other into one set.
    """
    for k in range(len(part)):
        part[k] = bits >> k & 1


@kernel
def steps_up_to(part: Tensor, value: int) -> None:
    """A thermometer: 1 at as many places as the value says."""
    for k in range(len(part)):  # all of them, so that nothing has to be foreseen
        part[k] = 1.0 if k < value else 0.0


@kernel
def seat_of(part: Tensor, seat: int, first: int) -> None:
    """One seat, one-hot, counted clockwise from the first."""
    one_hot(part, (seat - first) % len(part))


@kernel
def seats_of(part: Tensor, bits: int, first: int) -> None:
    """1 for every seat of a set, clockwise from the first."""
    members_of(part, turned(bits, first, len(part)))


@kernel
def clockwise(first: int, steps: int, seats: int) -> int:
    """The seat so many places after the first (without a division, which takes long)."""
    seat = first + steps
    return seat - seats if seat >= seats else seat


@kernel
def turned(bits: int, first: int, seats: int) -> int:
    """A set of seats, counted clockwise from the first."""
    bits &= (1 << seats) - 1
    return (bits >> first | bits << (seats - first)) & ((1 << seats) - 1)


@kernel
def squashed(value: float, scale: float) -> float:
    """A number without a limit, pressed between -1 and 1; the scale itself becomes a half."""
    return value / (abs(value) + scale)


# -- for games without an encoder of their own ----------------------------------------------------


@kernel
def copy_bits(raw: Bytes, places: Places, out: Tensor) -> None:
    """Write the bits of some bytes of a record, 0 or 1 each."""
    for k in range(len(places)):
        bits = BITS[raw[places[k]]]
        for j in range(8):
            out[8 * k + j] = bits[j]


@kernel
def encode_actors(actors: int, seat: int, out: Tensor) -> None:
    """Write who the viewer is, one-hot by number, and who is to act, own seat first."""
    players = len(out) // 2
    for k in range(players):
        out[k] = 1.0 if k == seat else 0.0
    seats_of(out[players:], actors, max(seat, 0))


def bit_planes(record: np.dtype[Any], constant: set[str], players: int, most: int) -> list[Plane]:
    """Every field of a record as bits, but for the constant ones; then who looks and who acts.

    An array with as many rows as the game has seats at most is taken to be about seats.
    """
    planes = []
    for name, number, shape, _ in _fields(record, constant):
        turned = bool(shape) and shape[0] == most
        shape = (players, *shape[1:]) if turned else shape
        order = f"; {OWN_FIRST}" if turned else ""
        meaning = f"the record's field, each number as bits, lowest first{order}"
        planes.append(Plane(name, (*shape, 8 * number.itemsize), meaning))
    return [
        *planes,
        Plane("viewer", (players,), "the viewer's seat, one-hot by its number"),
        Plane("to act", (players,), f"1 for each seat that may act now; {OWN_FIRST}"),
    ]


def bit_places(record: np.dtype[Any], constant: set[str], players: int, most: int) -> Places:
    """By seat: the bytes of the record whose bits the planes above are, lowest byte first."""
    rows = []
    for seat in range(players):
        row: list[int] = []
        for _, number, shape, offset in _fields(record, constant):
            starts = offset + number.itemsize * np.arange(prod(shape)).reshape(shape)
            if shape and shape[0] == most:
                starts = np.roll(starts[:players], -seat, axis=0)
            row += [int(start) + byte for start in starts.flat for byte in range(number.itemsize)]
        rows.append(row)
    return np.array(rows, np.int64)


def _fields(record: np.dtype[Any], constant: set[str]) -> list[tuple[str, Any, Any, int]]:
    """Name, type of number, shape and offset of each field that is not constant."""
    assert record.fields is not None
    return [
        (name, kind.base, kind.shape, offset)
        for name, (kind, offset, *_) in record.fields.items()
        if name not in constant
    ]
