"""Views of matches as tensors, written in compiled code into arrays of the caller."""

from __future__ import annotations

from typing import Any

import numpy as np

from droptable.core.compile import kernel
from droptable.core.contract import observe
from droptable.core.loops import States
from droptable.core.match import MatchSpec
from droptable.core.tensor import Bytes, Places, encode_at, size_of

# One view per thread, the bytes of these views, and which of them are in a tensor (`bit_places`).
# A plain tuple: as an argument from Python it is cheaper than a named one.
Scratch = tuple[States, Bytes, Places]


@kernel
def write_tensors(
    states: States, first: int, stop: int, seats: Any, scratch: Scratch, thread: int, out: Any
) -> None:
    """Write what one seat of each match in a range sees."""
    views, raw, places = scratch
    for i in range(first, stop):
        seat = int(np.int64(seats[i]))
        views[thread] = states[i]
        observe(views[thread], seat)
        encode_at(views, thread, raw, places, seat, out[i])


class TensorWriter:
    """Observations of one kind of match, for a number of threads."""

    def __init__(self, spec: MatchSpec, threads: int = 1) -> None:
        self.spec = spec
        self.size = size_of(spec.game.planes_of(spec.players, spec.options))
        views = np.repeat(spec.start, threads)
        raw = views.view(np.uint8).reshape(threads, -1)
        self._scratch: Scratch = (views, raw, spec.game.bit_places(spec.players))
        self._seats = [np.array([seat], np.int8) for seat in range(spec.players)]
        self._write_tensors = spec.engine.kernels.twin(write_tensors)

    def __reduce__(self) -> tuple[Any, ...]:
        return TensorWriter, (self.spec, len(self._scratch[0]))

    def tensor(self, states: States, seat: int) -> np.ndarray:
        """What a seat sees of the first match, as a new array."""
        out = np.empty((1, self.size), np.float32)
        self._write_tensors(states, 0, 1, self._seats[seat], self._scratch, 0, out)
        row: np.ndarray = out[0]
        return row

    def tensors(self, states: States, seats: np.ndarray) -> np.ndarray:
        """What one seat of each match sees, as a new array."""
        out = np.empty((len(states), self.size), np.float32)
        self.write(states, (0, len(states)), seats, out)
        return out

    def write(
        self, states: States, share: tuple[int, int], seats: Any, out: np.ndarray, thread: int = 0
    ) -> None:
        """Write the tensors of a range of matches into `out`."""
        self._write_tensors(states, *share, seats, self._scratch, thread, out)
