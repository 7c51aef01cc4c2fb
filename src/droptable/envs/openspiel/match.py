"""A match as a node of a game tree: one actor at a time, and what every seat has noticed so far."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from droptable.core.contract import DEALER, DEALER_ACTS
from droptable.core.errors import DroptableError, IllegalMove
from droptable.core.state import duplicate
from droptable.envs.openspiel.memory import SOMEBODY, UNSEEN, Memory, fresh
from droptable.envs.openspiel.variant import Records, Variant

OVER = -4  # OpenSpiel's terminal player; its chance player is -1, like the dealer
MEMORY_LOST = "…"  # what a seat remembers from before a resampling that was not for it


class Match:
    """The record of a match and its seats' memories.

    Rollouts never ask for memories, so events wait in `_pending` until somebody does.
    """

    __slots__ = ("_chance", "_known", "_legal", "_memories", "_pending", "actor", "data", "variant")

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.data = duplicate(variant.start)
        self._known: Records = variant.start  # the record before the first event of `_pending`
        self._pending: list[tuple[int, int]] = []
        self._memories: tuple[Memory, ...] | None = None  # at `_known`; None: nobody has asked yet
        self._turn(variant.actors(self.data))

    def _turn(self, actors: int) -> None:
        """Set whose turn it is; of seats that act at the same time the lowest comes first."""
        self._legal: list[int] | None = None
        self._chance: list[tuple[int, float]] | None = None
        if actors == DEALER_ACTS:
            self.actor = DEALER
        else:
            self.actor = (actors & -actors).bit_length() - 1 if actors else OVER

    def __deepcopy__(self, memo: Any) -> Match:
        copy = object.__new__(Match)
        copy.variant = self.variant
        copy.data = duplicate(self.data)
        copy.actor = self.actor
        copy._legal = self._legal
        copy._chance = self._chance
        copy._known = self._known
        copy._pending = self._pending.copy()
        copy._memories = self._memories
        return copy

    def __getstate__(self) -> tuple[Any, ...]:
        return self.variant, self.data, self.actor, self._known, self._pending, self._memories

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self.variant, self.data, self.actor, self._known, self._pending, self._memories = state
        self._legal = self._chance = None

    def chance(self) -> list[tuple[int, float]]:
        """What the dealer may do now, with probabilities."""
        if self._chance is None:
            self._chance = self.variant.chance(self.data)
        return self._chance

    def legal(self) -> list[int]:
        """The ids of what the actor may do."""
        if self._legal is None:
            if self.actor == DEALER:
                self._legal = [outcome for outcome, _ in self.chance()]
            else:
                self._legal = self.variant.legal(self.data, self.actor) if self.actor >= 0 else []
        return self._legal

    def apply(self, action: int) -> None:
        """Let the actor do this; an illegal action is an error and changes nothing."""
        if action not in self.legal():
            raise self._refusal(action)
        self._pending.append((self.actor, action))
        self._turn(self.variant.apply(self.data, self.actor, action))

    def _refusal(self, action: int) -> DroptableError:
        if self.actor >= 0 and 0 <= action < len(self.variant.tokens):
            return self.variant.refusal(self.data, 0, self.actor, action)
        token = self.token(self.actor, action)
        rule = self.variant.game.words.turn_rule
        return IllegalMove(f"action {action} is not legal now", rule, self.actor, token)

    def token(self, actor: int, action: int) -> str:
        """An action in words."""
        words = self.variant.outcomes if actor == DEALER else self.variant.tokens
        return words[action] if 0 <= action < len(words) else str(action)

    # -- what seats know --------------------------------------------------------------------------

    def memory(self, seat: int) -> Memory:
        """All that a seat has noticed."""
        if self._memories is None or self._pending:
            self._catch_up()
        assert self._memories is not None
        return self._memories[seat]

    def _catch_up(self) -> None:
        variant, data = self.variant, duplicate(self._known)
        seats = range(variant.players)
        memories = list(self._memories or (fresh(variant.seen(data, seat)) for seat in seats))
        for actor, action in self._pending:
            witnesses = variant.witnesses(data, actor, action)
            variant.apply(data, actor, action)
            token = self.token(actor, action)
            shown = None if variant.hides else data.tobytes()
            for seat in seats:
                view = shown or variant.seen(data, seat)
                if witnesses >> seat & 1:
                    memories[seat] = memories[seat].and_then((actor, action), token, view)
                elif view != memories[seat].view:
                    memories[seat] = memories[seat].and_then((SOMEBODY, UNSEEN), "", view)
        self._known = data
        self._pending = []
        self._memories = tuple(memories)

    def resampled(self, seat: int, uniform: Callable[[], float]) -> Match:
        """A match that is the same to this seat, now and in its memory.

        The others remember nothing from before, as their past in this world is not known.
        """
        variant = self.variant
        if not variant.hides:
            return self.__deepcopy__({})
        random = np.array([1 + int(uniform() * (1 << 62))], np.uint64)
        copy = object.__new__(Match)
        copy.variant = variant
        copy.data = variant.observed(self.data, seat)
        variant.engine.determinize_at(copy.data, 0, seat, random)
        copy._turn(variant.actors(copy.data))
        while copy.actor != self.actor and copy.actor >= 0:
            # The seat does not see whether those before it have acted; here, and now, they have.
            moves = copy.legal()
            move = moves[int(uniform() * len(moves))]
            copy._turn(variant.apply(copy.data, copy.actor, move))
        copy._known = duplicate(copy.data)
        copy._pending = []
        copy._memories = tuple(
            self.memory(seat) if other == seat
            else fresh(variant.seen(copy.data, other), MEMORY_LOST)
            for other in range(variant.players)
        )  # fmt: skip
        return copy
