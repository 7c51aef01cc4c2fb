"""What seats see of matches, as tensors: kernels that copy a record, blank it and encode it."""

from __future__ import annotations

from typing import Any

import numpy as np

from droptable.core.compile import kernel
from droptable.core.contract import observe
from droptable.core.loops import States
from droptable.core.tensor import NEVER, Bytes, Places, Shown, Tensor, encode_at, revise_at

# [thread] a view, [thread, byte] the same memory, and which bytes are in a tensor (`bit_places`)
Scratch = tuple[States, Bytes, Places]


def scratch_for(start: States, places: Places, threads: int) -> Scratch:
    """Room for one view per thread."""
    views = np.repeat(start, threads)
    return views, bytes_of(views), places


def shown_in(start: States, rows: int) -> Shown:
    """Room to remember what so many rows show; nothing as yet. No rows: it is not remembered."""
    return np.repeat(start, rows), np.full(rows, NEVER, np.int8)


def bytes_of(states: States) -> Bytes:
    """The same memory as one row of bytes per record."""
    rows: Bytes = states.view(np.uint8).reshape(len(states), states.itemsize)
    return rows


@kernel
def view_tensor(states: States, raw: Bytes, places: Places, seat: int, out: Tensor) -> None:
    """Write what a seat sees of the match in `states[0]`; `states[1]` is scratch.

    One array of records, as another one would be half a microsecond more for a call from Python.
    """
    states[1] = states[0]
    observe(states[1], seat)
    encode_at(states, 1, raw, places, seat, out)


@kernel
def view_tensors(
    states: States, first: int, stop: int, seats: Any, scratch: Scratch, thread: int, shown: Shown,
    out: Any,
) -> None:  # fmt: skip
    """Write what one seat of each match in a range sees.

    Where it is remembered what the rows show, only what differs is written.
    """
    views, raw, places = scratch
    for i in range(first, stop):
        seat = int(np.int64(seats[i]))
        views[thread] = states[i]
        observe(views[thread], seat)
        if len(shown[1]):
            revise_at(views, thread, raw, places, seat, shown, i, out[i])
        else:
            encode_at(views, thread, raw, places, seat, out[i])


@kernel
def last_tensors(
    ended: States, first: int, stop: int, seats: Any, scratch: Scratch, thread: int, done: Any,
    out: Any,
) -> None:  # fmt: skip
    """Write what one seat saw at the end of each match in a range that ended in the last step."""
    views, raw, places = scratch
    for i in range(first, stop):
        if done[i]:
            seat = int(np.int64(seats[i]))
            views[thread] = ended[i]
            observe(views[thread], seat)
            encode_at(views, thread, raw, places, seat, out[i])
