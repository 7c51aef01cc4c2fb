"""What a turn was worth: the position that it reached against the best one that search can find.

Both positions are searched equally long from the same seed. In a game with a turn planner, whole
turns are compared in simulated matches that have the same luck; elsewhere, the best turn is found
move by move, and each position is valued by a tree below the turn's last move.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from droptable.bots.played_turns import PlayedTurn, after
from droptable.bots.search import kind_of_search, search
from droptable.bots.search_base import Work
from droptable.bots.tree import TreeSearch
from droptable.bots.turn_search import PRIOR_MATCHES, SEEDS, TurnSearch
from droptable.core.state import View

LONGEST_TURN = 32  # moves; a turn that goes on longer is valued there
SEARCHES = 3  # that a comparison needs, mostly: to find a turn, and to value two of them
FEWEST = 24  # simulated matches that say how sure they are
PARTS = 8  # a search is done in so many parts, which show how much its result varies

Shares = tuple[float, ...]  # of the victory, by seat
Tokens = tuple[str, ...]


@dataclass(frozen=True)
class Effort:
    """How long each search takes: seconds or iterations."""

    seconds: float | None = None
    iterations: int | None = None

    def run(self, work: Work, part: float = 1.0, least: int = 1) -> None:
        """Do a part of the work; by the clock, at least so many iterations."""
        before = work.iterations
        if self.iterations is not None:
            work.run(max(1, round(part * self.iterations)))
            return
        work.run_until(time.monotonic() + part * (self.seconds or 0.0))
        if work.iterations - before < least:
            work.run(least - work.iterations + before)


@dataclass(frozen=True)
class Comparison:
    """A turn that was made beside the best one that was found."""

    best: Tokens  # the turn that was made, if there is no better one
    before: Shares  # after the best turn
    after: Shares  # after the turn that was made
    error: float  # standard error of the difference, in the seat's own share

    @property
    def same(self) -> bool:
        """Whether nothing better was found."""
        return self.before == self.after


def compare(turn: PlayedTurn, effort: Effort, seed: int) -> Comparison:
    """Look for a better turn than the one that was made."""
    if kind_of_search(turn.view.game) is TurnSearch:
        return _contest(turn, effort, seed)
    best = _find_turn(turn.view, effort, seed)
    made, made_error = _value(turn.view, turn.tokens, effort, seed)
    if _reached(turn.view, best) == _reached(turn.view, turn.tokens):
        return Comparison(turn.tokens, made, made, made_error)
    found, found_error = _value(turn.view, best, effort, seed)
    seat = turn.seat
    if found[seat] <= made[seat]:
        return Comparison(turn.tokens, made, made, made_error)
    return Comparison(best, found, made, math.hypot(made_error, found_error))


def _find_turn(view: View, effort: Effort, seed: int) -> Tokens:
    """The turn of the moves that search likes best, one after the other."""
    tokens: list[str] = []
    here = view
    while len(tokens) < LONGEST_TURN:
        if len(here.legal) == 1:
            tokens.append(here.legal[0])
        else:
            found = search(
                here, seconds=effort.seconds, iterations=effort.iterations,
                seed=seed + len(tokens), cores=1,
            )  # fmt: skip
            tokens.append(found.best.token)
        goes_on = _next_view(view, tokens)
        if goes_on is None:
            break
        here = goes_on
    return tuple(tokens)


def _next_view(view: View, tokens: Sequence[str]) -> View | None:
    """What the seat sees after these moves of a turn; None if the turn is over.

    It is over if the seat would see something then that it cannot know yet: two worlds that look
    alike now, and then no more.
    """
    one, other = (after(view, tokens, seed) for seed in range(2))
    if view.seat not in one.to_act or view.seat not in other.to_act:
        return None
    seen = one.view(view.seat)
    return seen if seen == other.view(view.seat) else None


def _reached(view: View, tokens: Sequence[str]) -> bytes:
    """What the seat sees after a turn: turns that lead to the same are the same."""
    return bytes(after(view, tokens).view(view.seat))


def _value(view: View, tokens: Tokens, effort: Effort, seed: int) -> tuple[Shares, float]:
    """Every seat's share after a turn, and the standard error of the seat's own."""
    assert view.seat is not None
    here = view if len(tokens) == 1 else after(view, tokens[:-1]).view(view.seat)
    action = view.game.vocabulary(view.options).action_ids[tokens[-1]]
    work = TreeSearch(here, seed, [action])
    totals = [work.tree.shares[action].copy()]
    counts = [0]
    for _ in range(PARTS):
        effort.run(work, 1 / PARTS, FEWEST // PARTS)
        totals.append(work.tree.shares[action].copy())
        counts.append(work.iterations)
    shares = tuple((totals[-1] / counts[-1])[: view.players].tolist())
    if counts[-1] < FEWEST:
        return shares, 1.0
    own = np.diff([total[view.seat] for total in totals])
    means = own / np.diff(counts)
    return shares, float(means.std(ddof=1) / math.sqrt(PARTS))


# -- whole turns ----------------------------------------------------------------------------------


def _contest(turn: PlayedTurn, effort: Effort, seed: int) -> Comparison:
    """Compare planned turns with the one that was made; then the best with it, at length."""
    ids = turn.view.game.vocabulary(turn.view.options).action_ids
    made = tuple(ids[token] for token in turn.tokens)
    work = TurnSearch(turn.view, seed, turn.view.legal_ids(turn.seat), also=made)
    effort.run(work)
    best = tuple(work.best_turn)
    same = _reached(turn.view, best) == _reached(turn.view, turn.tokens)
    rows = [made] if same else [tuple(ids[token] for token in best), made]
    duel = TurnSearch(turn.view, seed + 1, (), only=rows)
    effort.run(duel, least=FEWEST)
    shares, error = _results(duel, turn)
    if same or shares[0][turn.seat] <= shares[-1][turn.seat]:
        return Comparison(turn.tokens, shares[-1], shares[-1], error)
    return Comparison(best, shares[0], shares[-1], error)


def _results(duel: TurnSearch, turn: PlayedTurn) -> tuple[list[Shares], float]:
    """The shares after each turn of a duel, and the standard error of the difference."""
    contest = duel.contest
    visits = int(contest.visits.min())  # equally many matches, with the same luck
    matches = contest.visits + PRIOR_MATCHES
    shares = [
        cast(Shares, tuple((total / count)[: turn.view.players].tolist()))
        for total, count in zip(contest.totals, matches, strict=True)
    ]
    each = np.diff(contest.sums[:, : min(visits, SEEDS) + 1])
    difference = each[0] - each[-1] if len(each) > 1 else each[0]
    if visits < FEWEST / 2:  # these have the same luck
        return shares, 1.0
    return shares, float(difference.std(ddof=1) / math.sqrt(visits))
