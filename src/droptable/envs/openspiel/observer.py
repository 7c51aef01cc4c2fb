"""What a seat sees, and what it remembers, as strings and tensors for OpenSpiel."""

from __future__ import annotations

from typing import Any

import numpy as np

from droptable.core.contract import DEALER
from droptable.core.tensor import size_of
from droptable.envs.openspiel.memory import FINGERPRINT, RECENT, UNSEEN, Memory
from droptable.envs.openspiel.state import OpenSpielState, mark
from droptable.envs.openspiel.variant import Variant


class Observer:
    """The view of a seat (or, without private information, a spectator) at one moment.

    `tensor` is one row; `dict` has its planes by name, in the same memory.
    """

    def __init__(self, variant: Variant, private: bool) -> None:
        self._variant = variant
        self._private = private
        planes = variant.game.planes_of(variant.players, variant.options)
        self.dict: dict[str, np.ndarray] = {}
        self._seen = size_of(planes)
        self._lay_out([(plane.name, plane.shape) for plane in planes])

    def _lay_out(self, pieces: list[tuple[str, tuple[int, ...]]]) -> None:
        self.tensor = np.zeros(sum(int(np.prod(shape)) for _, shape in pieces), np.float32)
        start = 0
        for name, shape in pieces:
            end = start + int(np.prod(shape))
            self.dict[name] = self.tensor[start:end].reshape(shape)
            start = end

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Fill the tensor."""
        seat = player if self._private else None
        self.tensor[: self._seen] = self._variant.view(state.match.data, seat).tensor()

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """The view as it is drawn for people, and what tells it from all other views."""
        view = self._variant.view(state.match.data, player if self._private else None)
        return f"{view}\nview {mark(view.array.tobytes())}"


class PrivateObserver:
    """What a seat sees that a spectator does not: fields of the record, as text only."""

    tensor = None

    def __init__(self, variant: Variant) -> None:
        self._variant = variant
        self.dict: dict[str, np.ndarray] = {}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """There is no tensor."""

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """The fields that differ from the spectator's."""
        seat, all_others = (
            self._variant.view(state.match.data, eyes).to_dict() for eyes in (player, None)
        )
        own = {name: value for name, value in seat.items() if value != all_others[name]}
        return "; ".join(f"{name} {value}" for name, value in own.items() if name != "viewer")


class RecallingObserver(Observer):
    """The view of a seat and all that it remembers.

    The tensor shows the last events one by one, the latest first: who acted (counted from the own
    seat; the dealer is lowest) and what was done, or that it is not known (-1). What is older is in
    the fingerprint only, which no network can read; it makes the tensors of different memories
    different.
    """

    def __init__(self, variant: Variant) -> None:
        super().__init__(variant, private=True)
        shapes = [(name, piece.shape) for name, piece in self.dict.items()]
        self._lay_out([*shapes, ("recent events", (RECENT, 2)), ("memory", (FINGERPRINT,))])

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Fill the tensor."""
        super().set_from(state, player)
        memory = state.match.memory(player)
        self.dict["recent events"][:] = self._events(memory, player)
        self.dict["memory"][:] = np.frombuffer(memory.fingerprint, np.uint8) / np.float32(256)

    def _events(self, memory: Memory, player: int) -> Any:
        rows = np.zeros((RECENT, 2), np.float32)
        players = self._variant.players
        most = max(len(self._variant.tokens), len(self._variant.outcomes))
        for row, (actor, action) in zip(rows, memory.recent, strict=False):
            if action == UNSEEN:
                row[1] = -1
            else:
                who = 1 if actor == DEALER else 2 + (actor - player) % players
                row[:] = who / (players + 1), (action + 1) / most
        return rows

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """All that the seat has noticed, in order."""
        memory = state.match.memory(player)
        return f"seat {player}: {memory.text} [{memory.fingerprint.hex()}]"
