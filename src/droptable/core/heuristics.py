"""What a game may tell its bots beyond its rules: kernels and settings, all of them optional.

Every kernel below is a slot whose default body works for any game, so a new game has bots at once;
a game fills the ones it knows better by naming them in one `Heuristics` object. Values are shares
of the victory between 0 and 1, one per seat.
"""

# ruff: noqa: ARG001
from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from droptable.core.bits import count_bits
from droptable.core.chance import below
from droptable.core.compile import kernel, slot
from droptable.core.contract import (
    Ids,
    Numbers,
    Random,
    State,
    check_kernels,
    scores,
    set_kernels,
    to_act,
    winners,
)
from droptable.core.errors import GameError
from droptable.core.loops import States

NetScratch = Any  # a record of droptable.core.net.NOTES
Values = Any  # a float64 array: one share of the victory per seat
Plans = Any  # an int32 array: one turn per row, its actions ended by -1
Worths = Any  # a float64 array: one number per row of the plans
TurnScratch = Any  # an int64 array of a TurnPlanner's `scratch` numbers

NOISE_STEPS = 1024  # the noise of a rollout is one of so many multiples
UNLIMITED = math.inf  # no progressive widening: all legal moves of a node are tried


# -- slots ----------------------------------------------------------------------------------------


@slot
def heuristic(state: State, seat: int, action: int) -> float:
    """Rate a legal move at a glance; `greedy` makes the best one.

    Search also uses it as the prior unless the game has one of its own; 0 to 1 is a good range
    for that.
    """
    return 0.0


@slot
def prior(states: States, seat: int, action: int, ids: Ids, scratch: NetScratch) -> float:
    """Rate a legal move of a seat in states[1] before it is searched, by what the seat can know.

    states[3], states[4], `ids` and `scratch` may be used freely.
    """
    return heuristic(states[1], seat, action)


@slot
def leaf_value(state: State, seat: int, scratch: NetScratch, values: Values) -> bool:
    """Write each seat's share right after a turn of this seat, if it can be told; else False.

    Called in rollouts with a `lookahead`, when others or the dealer are to act.
    """
    return False


@slot
def rollout_move(state: State, seat: int, ids: Ids, count: int, random: Random) -> int:
    """Choose one of the legal moves in `ids` in a rollout: quick, sensible and varied.

    By default uniformly at random.
    """
    return int(np.int64(ids[below(random, count)]))


@slot
def resample_belief(state: State, seat: int, random: Random) -> None:
    """Turn a determinization into a more likely one, e.g. by Metropolis-Hastings steps.

    What the seat can see must stay the same.
    """


@slot
def cutoff(state: State, root: State) -> bool:
    """Whether a simulated match that began at `root` has gone far enough to be evaluated."""
    return False


@slot
def evaluate(state: State, points: Numbers, values: Values) -> None:
    """Write each seat's expected share at the end of a rollout; `points` may be used freely."""
    final_shares(state, points, values)


@slot
def plan_turns(
    state: State, seat: int, limit: int, plans: Plans, worths: Worths, scratch: TurnScratch
) -> int:
    """Write up to `limit` turns of a seat into the rows of `plans`, best first; return how many.

    A turn ends when others are to act, or earlier. `scratch` and the rows beyond `limit` may be
    used freely.
    """
    return 0


@slot
def play_turn(state: State, seat: int, plans: Plans, worths: Worths, scratch: TurnScratch) -> None:
    """Make a good turn of a seat at once. All arguments behind the seat may be used freely."""


# -- kernels for bots and games -------------------------------------------------------------------


@kernel
def final_shares(state: State, points: Numbers, values: Values) -> None:
    """Write the shares of a match that is over, equal ones before; in solo play, score / 100."""
    players = int(state["players"])
    won = winners(state)
    for seat in range(players):
        values[seat] = 1.0 / players
    if to_act(state):
        return
    if players == 1:
        scores(state, points)
        values[0] = points[0] / 100.0
        return
    share = 1.0 / count_bits(won)
    for seat in range(players):
        values[seat] = share if won >> seat & 1 else 0.0


@kernel
def greedy_move(state: State, seat: int, ids: Ids, count: int, random: Random) -> int:
    """The best of some legal moves by the heuristic, a random one of equals."""
    best = -1e30
    move = int(np.int64(ids[0]))
    equal = 0
    for k in range(count):
        action = int(np.int64(ids[k]))
        rating = heuristic(state, seat, action)
        if rating > best:
            best = rating
            equal = 0
        if rating == best:
            equal += 1
            if below(random, equal) == 0:
                move = action
    return move


@kernel
def noisy_greedy_move(
    state: State, seat: int, ids: Ids, count: int, noise: float, random: Random
) -> int:
    """The best of some legal moves by the heuristic plus up to `noise`."""
    best = int(ids[0])
    best_value = -1e9
    for k in range(count):
        action = int(np.int64(ids[k]))
        value = heuristic(state, seat, action) + noise * below(random, NOISE_STEPS) / NOISE_STEPS
        if value > best_value:
            best, best_value = action, value
    return best


# -- what a game gives ----------------------------------------------------------------------------


@dataclass(frozen=True)
class SearchSettings:
    """How search treats a game."""

    exploration: float = 0.7  # the constant of UCB, for values between 0 and 1
    prior_weight: float = 0.5  # a move's score gets prior_weight * prior / (visits + 1)
    widening: float = UNLIMITED  # progressive widening: 1 + widening * sqrt(visits) moves are tried
    opponent_rollouts: float = 0.0  # share of the others' moves that the rollout policy makes in
    # the tree too; where much is hidden, a tree cannot think for them
    rollout_noise: float | None = None  # rollouts make the best move by the heuristic plus up to
    # this much noise; None: by `rollout_move`
    rollout_limit: int = 10_000  # moves after which a rollout is evaluated in any case
    lookahead: int = 0  # the seat's own turns, made by its prior, until a rollout ends with
    # `leaf_value`; 0: rollouts go on to their end
    burn_in: int = 0  # steps of `resample_belief` before the first world of a Markov chain of
    # worlds; 0: every world is dealt independently
    max_nodes: int = 1 << 18  # per tree; bounds its memory, at 40 bytes per node

    def __post_init__(self) -> None:
        for name, least in (
            ("exploration", 0), ("prior_weight", 0), ("widening", 0), ("opponent_rollouts", 0),
            ("rollout_noise", 0), ("rollout_limit", 0), ("lookahead", 0), ("burn_in", 0),
            ("max_nodes", 2),
        ):  # fmt: skip
            value = getattr(self, name)
            if value is not None and not value >= least:
                raise GameError(f"{name} is {value!r}; expected at least {least}")
        if self.opponent_rollouts > 1:
            raise GameError(
                f"opponent_rollouts is {self.opponent_rollouts!r}; expected a share from 0 to 1"
            )


@dataclass(frozen=True)
class LevelShares:
    """How far from each other the levels are in a game, as shares of their decisions.

    `python benchmarks/levels.py GAME` measures them: each should win two to four times as often
    as the one below.
    """

    beginner: float = 0.65  # that `beginner` makes at random …
    easy: float = 0.35  # … and `easy`; their other moves are greedy
    hard: float = 0.4  # that `hard` makes greedily, not by search
    steady: int = 1000  # iterations of `hard` and `master` where the clock must not matter: in the
    # lab's matches by the thousand (`python benchmarks/steady.py GAME` finds a good number)

    def __post_init__(self) -> None:
        for name, share in (("beginner", self.beginner), ("easy", self.easy), ("hard", self.hard)):
            if not 0 <= share <= 1:
                raise GameError(f"{name} is {share!r}; expected a share from 0 to 1")
        if isinstance(self.steady, bool) or not isinstance(self.steady, int) or self.steady < 1:
            raise GameError(f"steady is {self.steady!r}; expected a whole number from 1 up")


@dataclass(frozen=True)
class TurnPlanner:
    """Lets search compare whole turns, in a game whose turns are many small moves."""

    plan_turns: Callable[[State, int, int, Plans, Worths, TurnScratch], int]
    play_turn: Callable[[State, int, Plans, Worths, TurnScratch], None]
    length: int  # most actions in a turn, with the -1 that ends it
    scratch: int  # int64 numbers that both kernels need besides

    def __post_init__(self) -> None:
        check_kernels("TurnPlanner", self.kernels())

    def kernels(self) -> dict[str, Callable[..., Any]]:
        """The two functions, by the names of the slots they fill."""
        return set_kernels(self, without=("length", "scratch"))


@dataclass(frozen=True)
class Heuristics:
    """All that a game tells its bots; see the slot of the same name for each of the kernels."""

    heuristic: Callable[[State, int, int], float] | None = None
    prior: Callable[[States, int, int, Ids, NetScratch], float] | None = None
    leaf_value: Callable[[State, int, NetScratch, Values], bool] | None = None
    rollout_move: Callable[[State, int, Ids, int, Random], int] | None = None
    resample_belief: Callable[[State, int, Random], None] | None = None
    cutoff: Callable[[State, State], bool] | None = None
    evaluate: Callable[[State, Numbers, Values], None] | None = None
    turn_planner: TurnPlanner | None = None
    search: SearchSettings = field(default_factory=SearchSettings)
    levels: LevelShares = field(default_factory=LevelShares)

    def __post_init__(self) -> None:
        check_kernels("Heuristics", self.kernels())
        if self.rollout_move is not None and self.search.rollout_noise is not None:
            raise GameError(
                "rollout_move and rollout_noise are both given; rollouts can follow only one"
            )

    def kernels(self) -> dict[str, Callable[..., Any]]:
        """The functions that are given, by the names of the slots they fill."""
        planner = self.turn_planner.kernels() if self.turn_planner else {}
        return set_kernels(self, without=("turn_planner", "search", "levels")) | planner
