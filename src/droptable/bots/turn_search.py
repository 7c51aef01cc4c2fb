"""Search by whole turns, for games in which one turn is many small moves.

The game's instinct plans turns (`plan_turns`) and makes a good one at once (`play_turn`). After
each of the planned turns, simulated matches go on with good turns of all seats until the instinct
pauses. The n-th match of every turn is dealt by the same random numbers, and turns are compared
after equally many matches, so that all have had the same luck.

That is done in heats: all turns are tried in some matches, the better half in twice as many, and so
on down to the best two; then the next heat begins, with twice as many matches for all.
"""

# ruff: noqa: ARG001
from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, Any

import numpy as np

from droptable.bots.instinct import estimate, pause
from droptable.bots.search_base import Turn, Work
from droptable.core.bits import lowest_bit
from droptable.core.chance import generators, sample_outcome
from droptable.core.compile import kernel, slot
from droptable.core.contract import (
    DEALER_ACTS,
    MOST_SEATS,
    Ids,
    Numbers,
    Random,
    State,
    apply,
    determinize,
    to_act,
)
from droptable.core.loops import dealer

if TYPE_CHECKING:
    from droptable.core.state import View

TURNS = 16  # most turns that are compared
DROPS = 320  # rows in which the instinct looks for them
FEW = 2  # moves that are compared even if no planned turn begins with them
QUICK = 32  # the same in simulated matches
TRUST = 2.0  # matches that the first estimate of a turn counts as
WORLDS = 1 << 12  # matches of a turn that have luck of their own
FIRST = 2  # matches of every turn in the first heat

# The state of a heat, by index.
ALL, TARGET, ALIVE = range(3)  # matches of every turn; of those that are left; how many these are


@slot
def plan_turns(state: State, seat: int, limit: int, plans: Any, worths: Any, notes: Any) -> int:
    """Write up to `limit` turns of a seat into the rows of `plans`, best first; return how many.

    A turn is a list of actions ended by -1. It ends when others are to act, or earlier. The rows
    beyond `limit`, and `notes`, are scratch.
    """
    return 0


@slot
def play_turn(state: State, seat: int, plans: Any, worths: Any, notes: Any) -> None:
    """Make a good turn of a seat at once. All but the state is scratch."""


@kernel
def plan_at(states: Any, i: int, seat: int, limit: int, plans: Any, worths: Any, notes: Any) -> int:
    """The turns of a seat in one of the states."""
    return plan_turns(states[i], seat, limit, plans, worths, notes)


@kernel
def next_turn(heat: Any, ranks: Any, visits: Any, sums: Any) -> int:
    """The turn that is to be tried next; goes on to the next part of a heat if this one is over.

    The first ALIVE of the `ranks` are the turns that are left, the best ones first.
    """
    while True:
        least = int(ranks[0])
        for i in range(1, heat[ALIVE]):
            if visits[ranks[i]] < visits[least]:
                least = int(ranks[i])
        if visits[least] < heat[TARGET]:
            return least
        matches = min(int(heat[TARGET]), WORLDS)
        for i in range(1, heat[ALIVE]):
            turn = int(ranks[i])
            place = i
            while place > 0 and sums[ranks[place - 1], matches] < sums[turn, matches]:
                ranks[place] = ranks[place - 1]
                place -= 1
            ranks[place] = turn
        if heat[ALIVE] > 2:
            heat[ALIVE] = (heat[ALIVE] + 1) // 2
            heat[TARGET] *= 2
        else:
            heat[ALIVE] = len(ranks)
            heat[ALL] *= 2
            heat[TARGET] = heat[ALL]


@kernel
def try_turns(
    states: Any,
    seat: int,
    turns: Any,
    iterations: int,
    heat: Any,
    ranks: Any,
    visits: Any,
    totals: Any,
    sums: Any,
    seeds: Random,
    random: Random,
    plans: Any,
    worths: Any,
    notes: Any,
    ids: Ids,
    weights: Numbers,
    points: Numbers,
    values: Any,
) -> None:
    """Simulate so many matches from the view in states[0], each after the turn whose turn it is.

    `visits` and `totals` (of every seat's share of the victory) are by turn; `sums` are the seat's
    totals after each of the first WORLDS matches.
    """
    for _ in range(iterations):
        turn = next_turn(heat, ranks, visits, sums)
        match = int(visits[turn])
        states[1] = states[0]
        state = states[1]
        random[0] = seeds[match % WORLDS]
        determinize(state, seat, random)
        step = 0
        while step < turns.shape[1] and turns[turn, step] >= 0:
            apply(state, seat, int(turns[turn, step]))
            step += 1
        actors = to_act(state)
        while actors and not pause(state, states[0]):
            if actors == DEALER_ACTS:
                apply(state, dealer(), sample_outcome(state, ids, weights, random))
            else:
                mover = seat if actors >> seat & 1 else lowest_bit(actors)
                play_turn(state, mover, plans, worths, notes)
            actors = to_act(state)
        estimate(state, points, values)
        visits[turn] += 1
        for s in range(int(state["players"])):
            totals[turn, s] += values[s]
        if match < WORLDS:
            sums[turn, match + 1] = totals[turn, seat]


@kernel
def estimate_turn(
    states: Any, seat: int, turn: Any, random: Random, points: Numbers, values: Any
) -> None:
    """Every seat's share of the victory right after a turn."""
    states[1] = states[0]
    determinize(states[1], seat, random)
    step = 0
    while step < len(turn) and turn[step] >= 0:
        apply(states[1], seat, int(turn[step]))
        step += 1
    estimate(states[1], points, values)


def _begin_with(turns: np.ndarray, candidates: Sequence[int]) -> np.ndarray:
    """The turns that begin with one of these moves; a few moves that no turn begins with, alone."""
    kept = turns[np.isin(turns[:, 0], candidates)]
    missing = [move for move in candidates if move not in turns[:, 0]]
    if len(kept) and len(candidates) > FEW:
        missing = []  # all legal moves were asked for: the planned ones are the good ones
    alone = np.full((len(missing), turns.shape[1]), -1, np.int32)
    alone[:, 0] = missing
    return np.ascontiguousarray(np.concatenate([kept, alone]))


class TurnSearch(Work):
    """The turns of one view, and what simulated matches say about them: the work of one core."""

    def __init__(self, view: View, seed: int, candidates: Sequence[int]) -> None:
        assert view.seat is not None
        assert view.game.bot.module is not None
        self._view = view
        self._seat = view.seat
        kernels = view.game.at_full_speed.kernels
        self._try = kernels.twin(try_turns)
        self._states = np.repeat(view.array, 2)
        notes = np.zeros(view.game.bot.module.NOTES, np.int64)
        length = view.game.bot.module.PLAN
        plans, worths = np.zeros((TURNS + DROPS, length), np.int32), np.zeros(TURNS + DROPS)
        count = kernels.twin(plan_at)(self._states, 0, self._seat, TURNS, plans, worths, notes)
        turns = plans[:count]
        self.turns = _begin_with(turns, candidates)
        seeds = generators(WORLDS, seed)
        random = seeds[:1].copy()
        ids, weights = view.game.vocabulary(view.options).room()
        points = np.zeros(MOST_SEATS, np.int32)
        values = np.zeros(MOST_SEATS)
        self.visits = np.zeros(len(self.turns), np.int64)
        self.totals = np.zeros((len(self.turns), MOST_SEATS))
        judge = kernels.twin(estimate_turn)
        for k, turn in enumerate(self.turns):
            judge(self._states, self._seat, turn, random, points, values)
            self.totals[k] = TRUST * values
        count = len(self.turns)
        sums = np.zeros((count, WORLDS + 1))
        sums[:, 0] = self.totals[:, self._seat]
        ranks = np.argsort(-sums[:, 0], kind="stable")
        self._heat = np.array([FIRST, FIRST, count]), ranks, self.visits, self.totals, sums
        self._scratch = (
            seeds, random, np.zeros((1 + QUICK, length), np.int32), np.zeros(1 + QUICK), notes, ids,
            weights, points, values,
        )  # fmt: skip

    def run(self, iterations: int) -> None:
        self._try(
            self._states, self._seat, self.turns, iterations, *self._heat, *self._scratch,
        )  # fmt: skip
        self.iterations += iterations

    def tally(self) -> Mapping[Turn, tuple[float, np.ndarray]]:
        found = {}
        for k, turn in enumerate(self.turns):
            actions = tuple(int(action) for action in takewhile(lambda a: a >= 0, turn))
            found[actions] = float(self.visits[k]) + TRUST, self.totals[k]
        return found

    @property
    def best_turn(self) -> list[str]:
        """The turn that was tried most, as tokens; the better one of equals."""
        tokens = self._view.game.vocabulary(self._view.options).actions
        known = self.visits + TRUST
        best = max(
            range(len(self.turns)),
            key=lambda k: (self.visits[k], self.totals[k, self._seat] / known[k]),
        )
        return [tokens[action] for action in takewhile(lambda a: a >= 0, self.turns[best])]
