"""Many matches stepped together, by integer ids: for learning, searching and measuring."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from droptable.core.chance import generators
from droptable.core.contract import MOST_SEATS
from droptable.core.errors import DroptableError, IllegalMove, OptionError
from droptable.core.options import resolve

if TYPE_CHECKING:
    from droptable.core.game import Game


class Batch:
    """Matches in one array. The dealer acts by itself; a match that ends starts anew at once.

    The public arrays are the batch's own and change with every `step`:
    `seats[i]` is the seat that moves next in match i (the lowest of those to act), `counts[i]` how
    many legal moves it has, `moves[i, :counts[i]]` their ids, ascending. After a step `done[i]`
    says whether match i has just ended, with its `points[i]` and `won[i]` (winners as bits).
    """

    def __init__(
        self, game: Game, matches: int, players: int, seed: int | None, options: dict[str, Any]
    ) -> None:
        if isinstance(matches, bool) or not isinstance(matches, int) or matches < 1:
            raise OptionError(f"matches is {matches!r}; expected a whole number from 1 up")
        values = resolve(game.name, game.options, options)
        self.game = game
        self.players = players
        vocabulary = game.vocabulary(values)
        self.tokens = vocabulary.actions
        self._engine = game.at_full_speed
        self._fresh = game.template(players, values)
        self._random = generators(matches, seed)
        self._weights = vocabulary.room()[1]
        self.states = np.repeat(self._fresh, matches)
        self.seats = np.zeros(matches, np.int8)
        self.moves = np.zeros((matches, vocabulary.width), np.int32)
        self.counts = np.zeros(matches, np.int16)
        self.done = np.zeros(matches, np.bool_)
        self.points = np.zeros((matches, MOST_SEATS), np.int32)
        self.won = np.zeros(matches, np.int32)
        self._engine.open_rows(
            self.states, self.seats, self.moves, self.counts, self._random, self._weights
        )

    def __len__(self) -> int:
        return len(self.states)

    def step(self, actions: Any) -> None:
        """Make one move in every match; refused whole, and nothing changed, if one is not legal."""
        given = np.asarray(actions)
        if given.dtype.kind not in "iu":
            raise OptionError(f"actions are of type {given.dtype}; expected whole numbers")
        actions = np.ascontiguousarray(given, np.int32)
        if actions.shape != self.seats.shape:
            raise OptionError(f"{actions.shape} actions for {len(self)} matches")
        refused = self._engine.step_rows(
            self.states,
            self._fresh,
            actions,
            self.seats,
            self.moves,
            self.counts,
            self.done,
            self.points,
            self.won,
            self._random,
            self._weights,
        )
        if refused >= 0:
            seat, action = int(self.seats[refused]), int(actions[refused])
            raise refusal(self.game, self.states, int(refused), seat, action)

    def random_actions(self, generator: np.random.Generator) -> np.ndarray:
        """One uniformly random legal move for every match."""
        chosen = (generator.random(len(self)) * self.counts).astype(np.intp)
        picked: np.ndarray = self.moves[np.arange(len(self)), chosen]
        return picked


def refusal(game: Game, states: Any, row: int, seat: int, action: int) -> DroptableError:
    """Why an action is not legal for the seat to act in one of many matches."""
    options = {name: option.decode(states[row][name]) for name, option in game.options.items()}
    tokens = game.vocabulary(options).actions
    if not 0 <= action < len(tokens):
        return OptionError(f"match {row}: action {action}; expected 0 to {len(tokens) - 1}")
    view = states[row : row + 1].copy()
    game.at_full_speed.observe_at(view, 0, seat)
    rule, reason = game.words.why(view[0], seat, action)
    return IllegalMove(f"match {row}: {reason}", rule, seat, tokens[action])
