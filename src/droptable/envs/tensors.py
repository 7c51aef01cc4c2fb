"""Views of matches as tensors, written in compiled code into arrays of the caller."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from droptable.core.compile import kernel
from droptable.core.contract import observe
from droptable.core.loops import States
from droptable.core.match import MatchSpec
from droptable.core.tensor import Bytes, Places, Tensor, encode_at, size_of


class Scratch(NamedTuple):
    """Room for one view per thread, and how its bytes become a tensor."""

    views: States  # [thread]
    raw: Bytes  # [thread, byte] the same memory
    places: Places


@kernel
def write_tensor(
    states: States, i: int, seat: int, scratch: Scratch, thread: int, out: Tensor
) -> None:
    """Write what a seat sees of match i."""
    views = scratch.views
    views[thread] = states[i]
    observe(views[thread], seat)
    encode_at(views, thread, scratch.raw, scratch.places, seat, out)


@kernel
def write_tensors(
    states: States, first: int, stop: int, seats: Any, scratch: Scratch, thread: int, out: Any
) -> None:
    """Write what one seat of each match in a range sees."""
    for i in range(first, stop):
        write_tensor(states, i, int(np.int64(seats[i])), scratch, thread, out[i])


class TensorWriter:
    """Observations of one kind of match, for a number of threads."""

    def __init__(self, spec: MatchSpec, threads: int = 1) -> None:
        self.spec = spec
        self.size = size_of(spec.game.planes_of(spec.players, spec.options))
        views = np.repeat(spec.start, threads)
        raw = views.view(np.uint8).reshape(threads, -1)
        self._scratch = Scratch(views, raw, spec.game.bit_places(spec.players))
        twin = spec.engine.kernels.twin
        self._write_one, self._write_range = twin(write_tensor), twin(write_tensors)

    def __reduce__(self) -> tuple[Any, ...]:
        return TensorWriter, (self.spec, len(self._scratch.views))

    def tensor(self, states: States, seat: int) -> np.ndarray:
        """What a seat sees of the first match, as a new array."""
        out = np.empty(self.size, np.float32)
        self._write_one(states, 0, seat, self._scratch, 0, out)
        return out

    def tensors(self, states: States, seats: np.ndarray) -> np.ndarray:
        """What one seat of each match sees, as a new array."""
        out = np.empty((len(states), self.size), np.float32)
        self.write(states, (0, len(states)), seats, out)
        return out

    def write(
        self, states: States, share: tuple[int, int], seats: Any, out: np.ndarray, thread: int = 0
    ) -> None:
        """Write the tensors of a range of matches into `out`."""
        self._write_range(states, *share, seats, self._scratch, thread, out)
