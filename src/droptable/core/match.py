"""Matches by integer ids: what is played (`MatchSpec`), and one match of it (`Match`).

`Batch` and all environments for learning are made of these two and of the kernels in `loops` and
`rows`: one way to check actions and seeds, to deal, to end a match and to reward its seats.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from droptable.core.bits import members
from droptable.core.chance import generators
from droptable.core.contract import MOST_SEATS
from droptable.core.errors import DroptableError, IllegalMove, OptionError
from droptable.core.loops import REFUSED, States, share_victory
from droptable.core.options import resolve
from droptable.core.tensor import size_of
from droptable.core.view_tensor import bytes_of, view_tensor

if TYPE_CHECKING:
    from droptable.core.game import Game

OVER = -1  # instead of a seat: the match has ended

Mask = Any  # an array with a place for every action, and maybe more


class MatchSpec:
    """What is played: a game at one player count with one set of options."""

    def __init__(self, game: Game, players: int | None, options: dict[str, Any]) -> None:
        self.game = game
        self.players = game.check_players(players)
        self.options = resolve(game.name, game.options, options)
        self.vocabulary = game.vocabulary(self.options)
        self.tokens = self.vocabulary.actions
        self.start = game.template(self.players, self.options)
        self.planes = game.planes_of(self.players, self.options)
        self.tensor_size = size_of(self.planes)
        self.places = game.bit_places(self.players)
        self.engine = game.at_full_speed

    def __deepcopy__(self, memo: Any) -> MatchSpec:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game, self.players, self.options)

    def rewards(self, states: States, i: int = 0) -> list[float]:
        """The reward of each seat for a match that is over."""
        points = np.zeros(MOST_SEATS, np.int32)
        won = int(self.engine.result_at(states, i, points))
        rewards = [0.0] * self.players
        share_victory(won, points.tolist(), rewards)
        return [float(reward) for reward in rewards]

    def refusal(
        self, states: States, i: int, seat: int, action: int, where: str = ""
    ) -> DroptableError:
        """Why a seat that is to act cannot do this now."""
        if not 0 <= action < len(self.tokens):
            return OptionError(f"{where}action {action}; expected 0 to {len(self.tokens) - 1}")
        view = states[i : i + 1].copy()
        self.engine.observe_at(view, 0, seat)
        rule, reason = self.game.words.why(view[0], seat, action)
        return IllegalMove(where + reason, rule, seat, self.tokens[action])


class Match:
    """One match; the dealer acts by itself. Arrays that it relies on are never handed out."""

    def __init__(self, spec: MatchSpec) -> None:
        self.spec = spec
        self.states = np.repeat(spec.start, 2)  # the match, and room for a view of it
        self._ids, self._weights = spec.vocabulary.room()
        self._random: Any = None
        self._bind()

    def _bind(self) -> None:
        """Make what a copy cannot take over: machine code, and the bytes of the records."""
        self._view_tensor = self.spec.engine.kernels.twin(view_tensor)
        self._raw = bytes_of(self.states)

    def __getstate__(self) -> dict[str, Any]:
        return {k: v for k, v in vars(self).items() if k not in ("_view_tensor", "_raw")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._bind()

    def begin(self, seed: int | None, mask: Mask) -> int:
        """Start anew and mark the first decision; return its seat. No seed: chance goes on."""
        if seed is not None or self._random is None:
            self._random = generators(1, seed)
        self.states[0] = self.spec.start[0]
        engine = self.spec.engine
        decision = engine.next_decision(self.states, 0, self._random, self._ids, self._weights)
        engine.mark(self._ids, decision & 0xFFFF, mask)
        return int(decision >> 16)

    def play(self, action: Any, mask: Mask) -> int:
        """Make a move of the lowest seat to act and mark the next decision.

        Returns the seat of that decision, or `OVER`. An illegal move is an error and changes
        nothing.
        """
        number = action_id(action)
        decision = REFUSED
        if 0 <= number < len(self.spec.tokens):
            decision = self.spec.engine.try_step(
                self.states, 0, number, self._random, self._ids, self._weights, mask
            )
        if decision == REFUSED:
            raise self.spec.refusal(self.states, 0, self.to_act[0], number)
        return int(decision >> 16) if decision else OVER

    def play_together(self, actions: Mapping[int, Any]) -> set[int]:
        """Make the moves of several seats at once, then let the dealer go on.

        If one of them is not legal, that is an error, and nothing has changed. Returns the seats
        whose move was no longer possible after the moves of lower seats.
        """
        numbers = {seat: action_id(action) for seat, action in sorted(actions.items())}
        for seat, number in numbers.items():
            if not self._is_legal(seat, number):
                raise self.spec.refusal(self.states, 0, seat, number)
        engine = self.spec.engine
        late = {
            seat
            for seat, number in numbers.items()
            if not engine.try_apply_at(self.states, 0, seat, number, self._ids)
        }
        engine.deal(self.states, 0, self._random, self._ids, self._weights)
        return late

    def _is_legal(self, seat: int, action: int) -> bool:
        return 0 <= action < len(self.spec.tokens) and bool(
            self.spec.engine.is_legal_at(self.states, 0, seat, action, self._ids)
        )

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that may act now; none when the match is over."""
        return members(int(self.spec.engine.to_act_at(self.states, 0)))

    def mark(self, seat: int, mask: Mask) -> None:
        """Mark the legal actions of a seat that is to act."""
        self.spec.engine.list_at(self.states, 0, seat, self._ids, mask)

    def tensor(self, seat: int) -> np.ndarray:
        """What a seat sees, as a new array."""
        out = np.empty(self.spec.tensor_size, np.float32)
        self._view_tensor(self.states, self._raw, self.spec.places, seat, out)
        return out

    def rewards(self) -> list[float]:
        """The reward of each seat, when the match is over."""
        return self.spec.rewards(self.states)


def action_id(action: Any) -> int:
    """An action as a Python integer, whatever kind of integer it is."""
    try:
        return index(action)
    except TypeError:
        raise OptionError(f"action {action!r}; expected a whole number") from None


def check_count(name: str, value: Any) -> int:
    """A whole number from 1 up, or an `OptionError`."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise OptionError(f"{name} is {value!r}; expected a whole number from 1 up")
    return value
