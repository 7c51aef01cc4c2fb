"""One match of a cell move by move: for bots that think, and for its record.

It is the same match that the compiled loop plays, from the same generators.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from droptable.bots.instincts import glance, habit_of, outcome_at
from droptable.bots.precompile import prepare
from droptable.bots.registry import make_bot
from droptable.core.contract import DEALER, MOST_SEATS
from droptable.core.errors import DroptableError
from droptable.core.loops import limit_at
from droptable.core.state import State
from droptable.lab import loop
from droptable.lab.seeds import generators_of

if TYPE_CHECKING:
    from droptable.lab.cell import Cell


class Books:
    """What is written down about one match: facts, points, and traces as far as they are wanted."""

    def __init__(self, places: tuple[int, int] = (0, 0), rollouts: int = 0) -> None:
        self.facts = np.zeros(loop.FACTS, np.int64)
        self.points = np.zeros(MOST_SEATS, np.int32)
        self.traces = loop.empty_traces(*places)
        self.rollouts = rollouts


def play_match(cell: Cell, seed: int, match: int, books: Books | None = None) -> State:
    """Play the match of this number; what happens is also written down."""
    return _OneMatch(cell, seed, match, books or Books()).play()


class _OneMatch:
    """A match between the bots of a cell."""

    def __init__(self, cell: Cell, seed: int, match: int, books: Books) -> None:
        self.cell = cell
        self.books = books
        self.name = f"match {match} of seed {seed}"
        self.lineup = cell.seated(match)
        self.shift = match % cell.rotations
        if cell.thinks:
            prepare(cell.subject)
        self.twin = cell.subject.at_full_speed.kernels.twin
        self.room = loop.Room(cell)
        self.random = generators_of(seed, [cell.deal_of(match)], [match], cell.seats)[0]
        self.thinkers = [
            None
            if habit_of(bot) is not None
            else make_bot(bot, int(self.random[1 + seat]), cores=1)
            for seat, bot in enumerate(self.lineup)
        ]

    def play(self) -> State:
        """The state at the end."""
        state = self.cell.subject.start(self.cell.seats, **self.cell.options)
        vocabulary = state.game.vocabulary(state.options)
        draw = self.twin(outcome_at)
        ids, weights, _ = self.room.scratch
        facts, decisions, used = self.books.facts, self.books.traces[0], self.books.traces[4]
        facts[loop.FIRST] = -1
        moves = turns = 0
        before = -1
        while not state.over and moves < loop.MOST_MOVES:
            seat = state.to_act[0]
            if seat == DEALER:
                outcome = draw(state.array, 0, ids, weights, self.random[:1])
                state.apply(DEALER, vocabulary.outcomes[outcome])
                continue
            if seat != before:
                self._note_turn(state, turns, before)
                before = seat
                turns += 1
            choices = len(state.legal_ids(seat))
            token = self._choose(state, seat)
            if choices > 1:
                facts[loop.DECISIONS] += 1
                if facts[loop.FIRST] < 0:
                    facts[loop.FIRST] = seat
            if len(decisions):
                action = vocabulary.action_ids[token]
                loop.note_decision(decisions[used[0]], 0, seat, turns, choices, action)
                used[0] += 1
            state.apply(seat, token)
            moves += 1
        self._note_turn(state, turns, before)
        facts[loop.MOVES], facts[loop.TURNS] = moves, turns
        self._note_end(state)
        return state

    def _choose(self, state: State, seat: int) -> str:
        """A bot's move; what it fails with names the bot and the match."""
        thinker = self.thinkers[seat]
        if thinker is None:
            self.room.states[loop.MATCH] = state.array[0]
            ids, _, ratings = self.room.scratch
            view = loop.VIEW if self.room.hidden else loop.MATCH
            made = self.twin(glance)(
                self.room.states, loop.MATCH, view, seat, ids, ratings,
                (seat + self.shift) % self.cell.seats, *self.room.bots,
                self.random[1 + seat : 2 + seat],
            )  # fmt: skip
            own: str = state.game.vocabulary(state.options).actions[made & 0xFFFFFFFF]
            return own
        try:
            token = thinker.choose(state.view(seat))
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
            raise DroptableError(
                f"{self.lineup[seat]} fails at seat {seat} of {self.name}: {problem}"
            ) from error
        if token not in state.legal(seat):
            raise DroptableError(
                f"{self.lineup[seat]} chooses {token!r} at seat {seat} of {self.name}; "
                f"expected one of {', '.join(state.legal(seat)[:8])}"
            )
        return token

    def _note_turn(self, state: State, turn: int, seat: int) -> None:
        if not len(self.books.traces[1]):
            return
        self.room.states[loop.MATCH] = state.array[0]
        self.twin(loop.end_turn)(
            self.room.states, self.room.hidden, self.random, self.room.bots,
            np.array([self.shift]), self.room.scratch, self.books.rollouts, 0, turn, seat,
            self.books.traces,
        )  # fmt: skip

    def _note_end(self, state: State) -> None:
        seats = self.cell.seats
        self.books.points[:seats] = state.scores
        everybody = range(seats) if not state.over else state.winners
        self.books.facts[loop.WON] = sum(1 << seat for seat in everybody)
        limit = self.twin(limit_at)(state.array, 0)
        self.books.facts[loop.LIMIT] = not state.over or limit
