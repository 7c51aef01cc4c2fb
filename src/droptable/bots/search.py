"""Search a view: by tree or by whole turns, on one core or several, by time or by iterations."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from droptable.bots.search_base import Turn, Work
from droptable.bots.tree import TreeSearch
from droptable.bots.turn_search import TurnSearch
from droptable.core.chance import check_seed
from droptable.core.contract import MOST_SEATS
from droptable.core.cpu import usable_cores
from droptable.core.errors import DroptableError, OptionError
from droptable.core.game import Game
from droptable.core.state import View


@dataclass(frozen=True)
class Rating:
    """A move, how often it was tried, and every seat's expected share of the victory after it."""

    token: str
    visits: int
    shares: tuple[float, ...]


@dataclass(frozen=True)
class Findings:
    """The result of a search: the moves of a seat, best first."""

    seat: int
    moves: tuple[Rating, ...]
    turn: tuple[str, ...]  # the best move and, in a search by turns, those planned after it
    iterations: int

    @property
    def best(self) -> Rating:
        """The move that was tried most, which was the most promising one most of the time."""
        return self.moves[0]

    def rating(self, token: str) -> Rating:
        """The rating of one of the moves."""
        return next(move for move in self.moves if move.token == token)


def search(
    view: View,
    *,
    seconds: float | None = None,
    iterations: int | None = None,
    seed: int | None = None,
    cores: int | None = None,
    only: Collection[str] | None = None,
) -> Findings:
    """Search a view for some seconds, or for some iterations (reproducible under a seed).

    Every core searches on its own, and their results are added up. `only` names the moves to be
    compared, all legal ones by default.
    """
    if view.seat is None or view.seat not in view.to_act:
        raise DroptableError("there is nothing to search: it is not this view's turn")
    check_seed(seed)
    if iterations is not None and iterations < 1:
        raise OptionError(f"iterations is {iterations}; expected a whole number from 1 up")
    cores = cores or usable_cores()
    tokens = view.game.vocabulary(view.options).actions
    moves = [i for i in view.legal_ids(view.seat) if only is None or tokens[i] in only]
    if not moves:
        raise DroptableError(f"there is nothing to search: none of {only!r} is legal")
    kind = kind_of_search(view.game)
    seeds = np.random.SeedSequence(seed).generate_state(cores).tolist()
    works: list[Work] = [kind(view, s, moves) for s in seeds]
    if iterations is not None:
        parts = [iterations // cores + (i < iterations % cores) for i in range(cores)]
        _run_all([(work.run, n) for work, n in zip(works, parts, strict=True) if n])
    else:
        deadline = time.monotonic() + (1.0 if seconds is None else seconds)
        _run_all([(work.run_until, deadline) for work in works])
    return _add_up(view, view.seat, works)


def kind_of_search(game: Game) -> type[TreeSearch] | type[TurnSearch]:
    """By whole turns where the game has a planner for them."""
    return TurnSearch if game.bot is not None and game.bot.turn_planner else TreeSearch


def _run_all(jobs: list[tuple[Callable[[Any], None], Any]]) -> None:
    if len(jobs) == 1:
        jobs[0][0](jobs[0][1])
        return
    with ThreadPoolExecutor(len(jobs)) as pool:
        for done in [pool.submit(run, argument) for run, argument in jobs]:
            done.result()


def _add_up(view: View, seat: int, works: list[Work]) -> Findings:
    tally: dict[Turn, tuple[float, np.ndarray]] = {}
    for work in works:
        for turn, (visits, sums) in work.tally().items():
            before = tally.get(turn, (0.0, np.zeros(MOST_SEATS)))
            tally[turn] = before[0] + visits, before[1] + sums
    ranked = sorted(tally.items(), key=lambda item: (-item[1][0], -item[1][1][seat], item[0]))
    tokens = view.game.vocabulary(view.options).actions
    moves: dict[str, Rating] = {}
    for turn, (visits, sums) in ranked:  # a move is worth what its best turn is
        shares = (sums / max(visits, 1.0))[: view.players].tolist()
        moves.setdefault(tokens[turn[0]], Rating(tokens[turn[0]], int(visits), tuple(shares)))
    best = tuple(tokens[action] for action in ranked[0][0])
    return Findings(seat, tuple(moves.values()), best, sum(work.iterations for work in works))
