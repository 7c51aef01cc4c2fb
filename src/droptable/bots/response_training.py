"""The training of a best response: rounds of learning, each tried out; the best one is kept."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from droptable.bots import response_learning as learning
from droptable.bots.instincts import bots_of, choose, habit_of
from droptable.core.chance import generators
from droptable.core.contract import DEALER
from droptable.core.game import Game
from droptable.core.state import State, View
from droptable.core.tensor import size_of
from droptable.core.view_tensor import bytes_of

if TYPE_CHECKING:
    from droptable.bots.registry import Bot

ROUNDS = 8  # of a training: in each, the learner follows what the one before has found
MARGINS = (0.0, 0.03, 0.1)  # what another move has to be worth more than the bot's, to be made
LEARNED_WITH = 0.02  # such a margin while learning
RATES = 0.1, 0.01  # of learning, at the beginning and at the end
KEPT = 0.5  # of what one round has counted, in the next
TABLE = 1 << 18  # views and moves whose results are counted one by one
MOST_WEIGHTS = 1 << 22
MOST_STEPS = 512  # decisions of a match that are learned from
MOST_NOTES = 1 << 18
SEED = 0x5EED_0F_7EA1  # of trainings: no match that is played later has it

Estimates = learning.Estimates


@dataclass
class Response:
    """What a training has found."""

    table: Table
    estimates: learning.Estimates
    margin: float
    share: float  # of the victories in its last trials; too high, as it was the best of many

    def opponent(self, view: View, random: Any) -> int:
        """The move of the bot that was trained against, which follows a habit."""
        self.table.see(view)
        return self.table.habitual(view.seat, random)

    def choose(self, view: View, own: int, rollouts: int, random: Any) -> int:
        """The move of a seat where the bot would make its own, by so many rollouts, if any."""
        self.table.see(view)
        move = self.table.respond(self.estimates, view.seat, own, self.margin)
        if not rollouts:
            return move
        return self.table.look_ahead(self, view.seat, move, rollouts, random)


class Trainer(Protocol):
    """Plays the matches of a training."""

    table: Table

    def learn(
        self, policy: Estimates, margin: float, estimates: Estimates, matches: int,
        rates: tuple[float, float],
    ) -> None:  # fmt: skip
        """Learn from matches in which the learner follows a policy but for one decision."""

    def try_out(self, policy: Estimates, margin: float, matches: int) -> float:
        """The mean share of whoever follows the policy, over all seats."""


def train(trainer: Trainer, matches: int) -> Response:
    """Learn in rounds, and keep what did best in trials after one of them."""
    table = trainer.table
    estimates = table.blank()
    policy = estimates
    best = Response(table, estimates, learning.NEVER, 1 / table.players)  # plays as the bot does
    share = max(1, matches // ROUNDS)
    trials = max(table.players, share // len(MARGINS))
    for number in range(ROUNDS):
        rates = _at(RATES, number / ROUNDS), _at(RATES, (number + 1) / ROUNDS)
        margin = learning.NEVER if number == 0 else LEARNED_WITH
        trainer.learn(policy, margin, estimates, share, rates)
        policy = tuple(array.copy() for array in estimates)
        for tried in MARGINS:
            won = trainer.try_out(policy, tried, trials)
            if won > best.share:
                best = Response(table, policy, tried, won)
        for counted in estimates[3:]:
            counted *= KEPT
    return best


def _at(ends: tuple[float, float], part: float) -> float:
    """A number between two, in equal ratios."""
    return ends[0] * math.pow(ends[1] / ends[0], part)


class CompiledTrainer:
    """Against a bot that follows a habit: whole matches in machine code."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._random = generators(1, SEED)
        self._length = np.ones(1)

    def learn(
        self, policy: Estimates, margin: float, estimates: Estimates, matches: int,
        rates: tuple[float, float],
    ) -> None:  # fmt: skip
        t = self.table
        t.twin(learning.learn)(
            t.states, t.hidden, self._random, t.bots, t.scratch, t.eyes, policy, margin, estimates,
            t.notes, matches, rates, self._length,
        )  # fmt: skip

    def try_out(self, policy: Estimates, margin: float, matches: int) -> float:
        t = self.table
        share: float = t.twin(learning.try_out)(
            t.states, t.hidden, self._random, t.bots, t.scratch, t.eyes, policy, margin, t.notes,
            matches,
        )  # fmt: skip
        return share


class ThinkingTrainer:
    """Against a bot that thinks: move by move."""

    def __init__(self, table: Table, make: Callable[[int], Bot]) -> None:
        self.table = table
        self._random = random.Random(SEED)
        self._bots = [make(self._random.getrandbits(32)) for _ in range(table.players)]
        self._length = 1.0

    def learn(
        self, policy: Estimates, margin: float, estimates: Estimates, matches: int,
        rates: tuple[float, float],
    ) -> None:  # fmt: skip
        notes = self.table.notes
        for k in range(matches):
            learner = k % self.table.players
            tried = self._random.randrange(int(self._length) + 1)
            share = self._play(policy, margin, learner, tried)
            steps = int(notes[0][learning.STEPS_USED])
            self._length += 0.01 * (steps - self._length)
            rate = rates[0] + (rates[1] - rates[0]) * k / matches
            first = tried if tried < steps else 0
            self.table.twin(learning.learn_from)(estimates, notes, first, share, rate)

    def try_out(self, policy: Estimates, margin: float, matches: int) -> float:
        players = self.table.players
        return sum(self._play(policy, margin, k % players, -1) for k in range(matches)) / matches

    def _play(self, policy: Estimates, margin: float, learner: int, tried: int) -> float:
        """The learner's share of a match."""
        table = self.table
        table.twin(learning.forget)(table.notes)
        state = table.game.start(table.players, **table.options)
        decided = moves = 0
        while not state.over and moves < learning.MOST_MOVES:
            seat = state.to_act[0]
            if seat == DEALER:
                state.deal(self._random)
                continue
            view = state.view(seat)
            token = self._bots[seat].choose(view)
            legal = view.legal_ids(seat)
            if seat == learner and len(legal) > 1:
                trying = decided == tried
                token = self._respond(view, token, policy, margin, legal if trying else [])
                decided += 1
            state.apply(seat, token)
            moves += 1
        return _share(state, learner)

    def _respond(
        self, view: View, token: str, policy: Estimates, margin: float, tried: list[int]
    ) -> str:
        """The learner's move in a view in which the bot would make `token`; any that is tried."""
        table = self.table
        tokens = table.game.vocabulary(table.options).actions
        table.see(view)
        step = table.note(view.seat)
        if step < 0:
            return token
        if tried:
            action = self._random.choice(tried)
        else:
            own = tokens.index(token)
            action = table.respond_at(policy, step, view.seat, own, margin)
        table.notes[3][step] = action
        return tokens[action]


def _share(state: State, seat: int) -> float:
    """A seat's share of the victory; a fair one of a match that was given up."""
    if not state.over:
        return 1 / state.players
    return 1 / len(state.winners) if seat in state.winners else 0.0


class Table:
    """The arrays that kernels work on, for one game at one number of players."""

    def __init__(self, game: Game, players: int, options: dict[str, Any], against: str) -> None:
        self.game, self.players, self.options = game, players, options
        self.twin = game.at_full_speed.kernels.twin
        self.states = np.repeat(game.template(players, options), 6)
        self.hidden = game.rules.observe is not None
        vocabulary = game.vocabulary(options)
        ids, weights = vocabulary.room()
        self.scratch = ids, weights, np.zeros(len(ids))
        size = size_of(game.planes_of(players, options))
        self.eyes = bytes_of(self.states), game.bit_places(players), np.zeros(size, np.float32)
        self.candidates = np.zeros(len(ids), np.int32), np.zeros(len(ids)), np.zeros(len(ids))
        habit = against if habit_of(against) is not None else "random"
        self.bots = bots_of(game, options, [habit])
        self.width, self.actions = size + 1, len(vocabulary.actions)
        notes = max(MOST_NOTES, 4 * self.width)
        self.notes = (
            np.zeros(2, np.int64), np.zeros(MOST_STEPS, np.int64), np.zeros(MOST_STEPS, np.uint64),
            np.zeros(MOST_STEPS, np.int32), np.zeros(notes, np.int32), np.zeros(notes),
        )  # fmt: skip

    def blank(self) -> learning.Estimates:
        """Estimates of somebody who has learned nothing: whatever is done, it is a fair share."""
        common = np.zeros(self.width)
        common[-1] = 1 / self.players
        weights = np.zeros(min(self.width * self.actions, MOST_WEIGHTS))
        return common, weights, np.zeros(TABLE, np.uint64), np.zeros(TABLE), np.zeros(TABLE)

    def see(self, view: View) -> None:
        """Look at what a seat knows."""
        self.states[learning.VIEW] = view.array[0]

    def habitual(self, seat: int | None, random: Any) -> int:
        """The move that the habit makes in the view."""
        ids, _, ratings = self.scratch
        made = self.twin(choose)(
            self.states, learning.VIEW, seat, ids, ratings, 0, *self.bots, random
        )
        return int(made) & 0xFFFFFFFF

    def note(self, seat: int | None) -> int:
        """Note the view as a decision."""
        step: int = self.twin(learning.note_view)(
            self.states, learning.VIEW, self.eyes, seat, self.notes
        )
        return step

    def respond(
        self, estimates: learning.Estimates, seat: int | None, own: int, margin: float
    ) -> int:
        """The response in the view alone."""
        self.twin(learning.forget)(self.notes)
        return self.respond_at(estimates, self.note(seat), seat, own, margin)

    def respond_at(
        self, estimates: learning.Estimates, step: int, seat: int | None, own: int, margin: float
    ) -> int:
        """The response in the view that was noted last."""
        ids = self.scratch[0]
        count = self.game.at_full_speed.legal_at(self.states, learning.VIEW, seat, ids)
        answer: int = self.twin(learning.respond)(
            estimates, self.notes, step, own, ids, count, margin
        )
        return answer

    def look_ahead(
        self, response: Response, seat: int | None, own: int, rollouts: int, random: Any
    ) -> int:
        """The best move by rollouts in which the seat goes on by the response."""
        answer: int = self.twin(learning.look_ahead)(
            self.states, self.hidden, random, self.bots, self.scratch, self.eyes,
            response.estimates, response.margin, self.notes, seat, own, rollouts, self.candidates,
        )  # fmt: skip
        return answer
