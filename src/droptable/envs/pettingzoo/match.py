"""One match by integer ids, as both kinds of environment need it; the dealer acts by itself."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np

from droptable.core.bits import members
from droptable.core.chance import generators
from droptable.core.contract import MOST_SEATS
from droptable.core.errors import DroptableError, IllegalMove, OptionError
from droptable.core.game import Game
from droptable.core.options import resolve
from droptable.core.tensor import size_of
from droptable.envs.pettingzoo import kernels
from droptable.envs.pettingzoo.kernels import REFUSED
from droptable.envs.vector_kernels import note_result
from droptable.games import game as game_of


class Match:
    """A match that starts anew as often as wanted. It never shares an array that it relies on."""

    def __init__(self, game: Game | str, players: int | None, options: dict[str, Any]) -> None:
        self.game = game_of(game) if isinstance(game, str) else game
        self.players = self.game.check_players(players)
        self.options = resolve(self.game.name, self.game.options, options)
        self.tokens = self.game.vocabulary(self.options).actions
        self.tensor_size = size_of(self.game.planes_of(self.players, self.options))
        self._fresh = self.game.template(self.players, self.options)
        self._states = np.repeat(self._fresh, 2)
        self._ids, self._weights = self.game.vocabulary(self.options).room()
        self._random: Any = None
        self._bind()

    def _bind(self) -> None:
        """Make what a copy cannot take over: machine code, and the record's bytes."""
        twin = self.game.at_full_speed.kernels.twin
        self._play, self._look = twin(kernels.play), twin(kernels.look)
        self._begin, self._mark = twin(kernels.begin), twin(kernels.mark)
        self._may, self._join = twin(kernels.may), twin(kernels.join)
        self._deal = self.game.at_full_speed.deal
        self._raw = self._states.view(np.uint8).reshape(2, -1)
        self._places = self.game.bit_places(self.players)

    def __getstate__(self) -> dict[str, Any]:
        bound = ("_play", "_look", "_begin", "_mark", "_may", "_join", "_deal", "_raw")
        return {name: value for name, value in vars(self).items() if name not in bound}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._bind()

    # -- the match goes on ------------------------------------------------------------------------

    def begin(self, seed: int | None, mask: Any) -> int:
        """Start anew; return the seat with the first decision. No seed: chance just goes on."""
        if seed is not None or self._random is None:
            self._random = generators(1, check_seed(seed))
        self._states[0] = self._fresh[0]
        seat: int = self._begin(self._states, self._random, self._ids, self._weights, mask)
        return seat

    def play(self, seat: int, action: Any, mask: Any) -> int:
        """Make a move of a seat; return the next seat with a decision, or `OVER`.

        An illegal move raises an error, and nothing has changed.
        """
        number = index_of(action)
        if not 0 <= number < len(self.tokens):
            raise self.refusal(seat, number)
        following: int = self._play(
            self._states, seat, number, self._random, self._ids, self._weights, mask
        )
        if following == REFUSED:
            raise self.refusal(seat, number)
        return following

    def play_together(self, actions: dict[int, Any]) -> set[int]:
        """Make the moves of several seats at once, then let the dealer go on.

        If one of them is not legal, that is an error, and nothing has changed. Returns the seats
        whose move was not possible any more after the moves of seats before them.
        """
        numbers = {seat: index_of(action) for seat, action in sorted(actions.items())}
        for seat, number in numbers.items():
            if not 0 <= number < len(self.tokens) or not self._may(
                self._states, seat, number, self._ids
            ):
                raise self.refusal(seat, number)
        late = {
            seat
            for seat, number in numbers.items()
            if not self._join(self._states, seat, number, self._ids)
        }
        self._deal(self._states, 0, self._random, self._ids, self._weights)
        return late

    # -- what is seen -----------------------------------------------------------------------------

    @property
    def record(self) -> Any:
        """The record with everything open; not to be changed."""
        return self._states[0]

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that may act now."""
        return members(int(self.game.at_full_speed.to_act_at(self._states, 0)))

    def look(self, seat: int) -> Any:
        """What a seat sees, as a new tensor."""
        tensor = np.empty(self.tensor_size, np.float32)
        self._look(self._states, self._raw, self._places, seat, tensor)
        return tensor

    def mark(self, seat: int, mask: Any) -> None:
        """Mark the legal moves of a seat that is to act."""
        self._mark(self._states, seat, self._ids, mask)

    def rewards(self) -> list[float]:
        """For each seat, at the end; they add up to zero.

        Of n seats, k winners get (n / k - 1) / (n - 1) each, the others -1 / (n - 1): 1 and -1 with
        two players, 1 for anybody who wins alone, 0 for all if all win. Alone at the table, a
        seat's reward is its score.
        """
        points = np.zeros(MOST_SEATS, np.int32)
        winners = int(self.game.at_full_speed.result_at(self._states, 0, points))
        won, rewards = [0] * self.players, [0.0] * self.players
        note_result(winners, points.tolist(), won, rewards)
        return [float(reward) for reward in rewards]

    def refusal(self, seat: int, action: int) -> DroptableError:
        """Why a seat that is to act cannot make this move."""
        if not 0 <= action < len(self.tokens):
            return OptionError(
                f"action {action} of seat {seat}; expected 0 to {len(self.tokens) - 1}"
            )
        view = self._states[:1].copy()
        self.game.at_full_speed.observe_at(view, 0, seat)
        rule, reason = self.game.words.why(view[0], seat, action)
        return IllegalMove(reason, rule, seat, self.tokens[action])


def index_of(action: Any) -> int:
    """An action as a Python integer, whatever kind of integer it is."""
    try:
        return index(action)
    except TypeError:
        raise OptionError(f"action {action!r}; expected a whole number") from None


def check_seed(seed: Any) -> int | None:
    """A seed that the generators take."""
    if seed is not None and (not isinstance(seed, int | np.integer) or seed < 0):
        raise OptionError(f"seed is {seed!r}; expected a whole number from 0 up")
    return None if seed is None else int(seed)
