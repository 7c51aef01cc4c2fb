"""Search by whole turns, for games in which one turn is many small moves.

The game's turn planner proposes turns (`plan_turns`) and makes a good one at once (`play_turn`).
After each of the proposed turns, simulated matches go on with good turns of all seats up to the
game's cutoff. The n-th match of every turn is dealt from the same seed (common random numbers), and
turns are compared after equally many matches, so that all have had the same luck.

Matches are shared out by sequential halving: all turns are tried in some matches, the better half
in twice as many, and so on down to the best two; then the next bracket begins, with twice as many
matches for all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from droptable.bots.search_base import Turn, Work
from droptable.core.bits import lowest_bit
from droptable.core.chance import generators, sample_outcome
from droptable.core.compile import kernel
from droptable.core.contract import (
    DEALER_ACTS,
    MOST_SEATS,
    Numbers,
    Random,
    apply,
    determinize,
    to_act,
)
from droptable.core.heuristics import (
    Plans,
    TurnScratch,
    Values,
    Worths,
    cutoff,
    evaluate,
    plan_turns,
    play_turn,
)
from droptable.core.loops import States, dealer

if TYPE_CHECKING:
    from droptable.core.state import View

TURNS = 16  # most turns that are compared
DROPS = 320  # further rows of the plans, in which the planner looks for turns
QUICK = 32  # the same in simulated matches
FEW = 2  # moves that are compared even if no planned turn begins with them
PRIOR_MATCHES = 2.0  # matches that the evaluation right after a turn counts as
SEEDS = 1 << 12  # matches of a turn that have a seed of their own
FIRST = 2  # matches of every turn in the first bracket

HALVING = np.dtype(
    [
        ("bracket", np.int64),  # matches that every turn gets in this bracket
        ("target", np.int64),  # matches that each of the remaining turns gets in this round
        ("remaining", np.int64),  # turns that are left in this round
    ]
)


class Contest(NamedTuple):
    """The arrays of one search by turns. Those without a comment are scratch."""

    states: Any  # the view, and a simulated match
    turns: Plans  # the turns that are compared
    halving: Any  # one record of HALVING
    ranking: Any  # the turns by rank; the first ones, those that remain, from best to worst
    visits: Any  # [turn]: matches
    totals: Any  # [turn, seat]: sums of the shares of the victory
    sums: Any  # [turn, n]: the seat's own total after each of the first SEEDS matches
    seeds: Random  # of the first SEEDS matches
    random: Random
    ids: Any
    weights: Any
    points: Any
    values: Any
    plans: Any
    worths: Any
    scratch: Any


@kernel
def run_matches(contest: Contest, seat: int, iterations: int) -> None:
    """Simulate matches from the view, each after the turn that sequential halving chooses."""
    for _ in range(iterations):
        turn = next_turn(contest.halving[0], contest.ranking, contest.visits, contest.sums)
        contest.random[0] = contest.seeds[contest.visits[turn] % SEEDS]
        begin(contest.states, seat, contest.turns[turn], contest.random)
        simulate(contest, seat)
        record_match(contest, seat, turn)


@kernel
def next_turn(halving: Any, ranking: Any, visits: Any, sums: Any) -> int:
    """The turn to be tried next; when a round is complete, ranks its turns and halves them."""
    while True:
        least = int(ranking[0])
        for i in range(1, halving["remaining"]):
            if visits[ranking[i]] < visits[least]:
                least = int(ranking[i])
        if visits[least] < halving["target"]:
            return least
        matches = min(int(halving["target"]), SEEDS)
        for i in range(1, halving["remaining"]):
            turn = int(ranking[i])
            place = i
            while place > 0 and sums[ranking[place - 1], matches] < sums[turn, matches]:
                ranking[place] = ranking[place - 1]
                place -= 1
            ranking[place] = turn
        if halving["remaining"] > 2:
            halving["remaining"] = (halving["remaining"] + 1) // 2
            halving["target"] *= 2
        else:
            halving["remaining"] = len(ranking)
            halving["bracket"] *= 2
            halving["target"] = halving["bracket"]


@kernel
def begin(states: States, seat: int, turn: Any, random: Random) -> None:
    """Determinize the view in states[0] into states[1] and make a turn there."""
    states[1] = states[0]
    determinize(states[1], seat, random)
    step = 0
    while step < len(turn) and turn[step] >= 0:
        apply(states[1], seat, int(turn[step]))
        step += 1


@kernel
def simulate(contest: Contest, seat: int) -> None:
    """Play on with good turns of all seats, up to the cutoff, and evaluate what came of it."""
    state = contest.states[1]
    actors = to_act(state)
    while actors and not cutoff(state, contest.states[0]):
        if actors == DEALER_ACTS:
            outcome = sample_outcome(state, contest.ids, contest.weights, contest.random)
            apply(state, dealer(), outcome)
        else:
            mover = seat if actors >> seat & 1 else lowest_bit(actors)
            play_turn(state, mover, contest.plans, contest.worths, contest.scratch)
        actors = to_act(state)
    evaluate(state, contest.points, contest.values)


@kernel
def record_match(contest: Contest, seat: int, turn: int) -> None:
    """Add the shares of a simulated match to its turn."""
    match = int(contest.visits[turn])
    contest.visits[turn] += 1
    for s in range(int(contest.states[1]["players"])):
        contest.totals[turn, s] += contest.values[s]
    if match < SEEDS:
        contest.sums[turn, match + 1] = contest.totals[turn, seat]


@kernel
def plan_at(
    states: States,
    i: int,
    seat: int,
    limit: int,
    plans: Plans,
    worths: Worths,
    scratch: TurnScratch,
) -> int:
    """The turns of a seat in one of the states."""
    return plan_turns(states[i], seat, limit, plans, worths, scratch)


@kernel
def evaluate_turn(
    states: States, seat: int, turn: Any, random: Random, points: Numbers, values: Values
) -> None:
    """Every seat's share of the victory right after a turn."""
    begin(states, seat, turn, random)
    evaluate(states[1], points, values)


def _begin_with(turns: np.ndarray, candidates: Sequence[int]) -> np.ndarray:
    """The turns that begin with one of these moves; a few moves that no turn begins with, alone."""
    kept = turns[np.isin(turns[:, 0], candidates)]
    missing = [move for move in candidates if move not in turns[:, 0]]
    if len(kept) and len(candidates) > FEW:
        missing = []  # all legal moves were asked for: the planned ones are the good ones
    alone = np.full((len(missing), turns.shape[1]), -1, np.int32)
    alone[:, 0] = missing
    return np.ascontiguousarray(np.concatenate([kept, alone]))


def _rows(turns: Sequence[Turn], plans: np.ndarray) -> np.ndarray:
    """Turns as rows of plans; what a row has no room for is left to the match that follows."""
    rows = np.full((len(turns), plans.shape[1]), -1, np.int32)
    for row, turn in zip(rows, turns, strict=True):
        kept = turn[: plans.shape[1] - 1]
        row[: len(kept)] = kept
    return rows


class TurnSearch(Work):
    """The turns of one view, compared in simulated matches: the work of one core."""

    kernels = (run_matches, plan_at, evaluate_turn)

    def __init__(
        self,
        view: View,
        seed: int,
        candidates: Sequence[int],
        *,
        also: Turn | None = None,
        only: Sequence[Turn] | None = None,
    ) -> None:
        """Compare turns that begin with one of the candidates, and one more, or `only` some."""
        assert view.seat is not None
        assert view.game.bot is not None
        planner = view.game.bot.turn_planner
        assert planner is not None
        self._view = view
        self._seat = view.seat
        kernels = view.game.at_full_speed.kernels
        self._run = kernels.twin(run_matches)
        states = np.repeat(view.array, 2)
        scratch = np.zeros(planner.scratch, np.int64)
        plans = np.zeros((TURNS + DROPS, planner.length), np.int32)
        worths = np.zeros(TURNS + DROPS)
        if only is None:
            count = kernels.twin(plan_at)(states, 0, self._seat, TURNS, plans, worths, scratch)
            turns = _begin_with(plans[:count], candidates)
        else:
            turns = _rows(only, plans)
        if also is not None:
            turns = np.concatenate([turns, _rows([also], plans)])
        count = len(turns)
        seeds = generators(SEEDS, seed)
        random = seeds[:1].copy()
        ids, weights = view.game.vocabulary(view.options).room()
        points, values = np.zeros(MOST_SEATS, np.int32), np.zeros(MOST_SEATS)
        totals, sums = np.zeros((count, MOST_SEATS)), np.zeros((count, SEEDS + 1))
        rate = kernels.twin(evaluate_turn)
        for k, turn in enumerate(turns):
            rate(states, self._seat, turn, random, points, values)
            totals[k] = PRIOR_MATCHES * values
        sums[:, 0] = totals[:, self._seat]
        self.contest = Contest(
            states=states,
            turns=turns,
            halving=np.array([(FIRST, FIRST, count)], HALVING),
            ranking=np.argsort(-sums[:, 0], kind="stable"),
            visits=np.zeros(count, np.int64),
            totals=totals,
            sums=sums,
            seeds=seeds,
            random=random,
            ids=ids,
            weights=weights,
            points=points,
            values=values,
            plans=np.zeros((1 + QUICK, planner.length), np.int32),
            worths=np.zeros(1 + QUICK),
            scratch=scratch,
        )

    def run(self, iterations: int) -> None:
        self._run(self.contest, self._seat, iterations)
        self.iterations += iterations

    def tally(self) -> Mapping[Turn, tuple[float, np.ndarray]]:
        results = {}
        for k, turn in enumerate(self.contest.turns):
            visits = float(self.contest.visits[k]) + PRIOR_MATCHES
            results[_actions(turn)] = visits, self.contest.totals[k]
        return results

    @property
    def best_turn(self) -> list[str]:
        """The turn that was tried most, as tokens; the better one of equals."""
        tokens = self._view.game.vocabulary(self._view.options).actions
        visits, totals = self.contest.visits, self.contest.totals[:, self._seat]
        means = totals / (visits + PRIOR_MATCHES)
        best = max(range(len(visits)), key=lambda k: (visits[k], means[k]))
        return [tokens[action] for action in _actions(self.contest.turns[best])]


def _actions(turn: np.ndarray) -> Turn:
    """The actions of a row of plans."""
    return tuple(int(action) for action in takewhile(lambda action: action >= 0, turn))
