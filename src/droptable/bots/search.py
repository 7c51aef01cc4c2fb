"""The `search` bot: tree search from a view, on one core or several, by time or by iterations."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from droptable.bots import tree
from droptable.core.chance import generators
from droptable.core.contract import CHANCE_LIMIT
from droptable.core.errors import DroptableError
from droptable.core.game import Game
from droptable.core.state import MOST_SEATS, View

FIRST_CHUNK = 16  # iterations before the clock is looked at for the first time
CHUNK_SECONDS = 0.01


@dataclass(frozen=True)
class Settings:
    """How a game wants to be searched: its instinct may name each of these, in capitals."""

    exploration: float = 0.7  # for shares of 0 to 1
    trust: float = 0.5  # in a move's appeal, against what was found out
    longest: int = 10_000  # moves of a simulated match
    widening: float = 1e9  # how soon a node tries more of its moves; this much: all at once
    nodes: int = 1 << 18  # of each tree: bounds the memory (32 bytes a node)

    @classmethod
    def of(cls, game: Game) -> Settings:
        """The settings of a game, the usual ones where it names none."""
        named = {f.name: f.name.upper() for f in fields(cls)}
        return cls(
            **{k: getattr(game.instinct, v) for k, v in named.items() if hasattr(game.instinct, v)}
        )


@dataclass(frozen=True)
class Rating:
    """What a search found out about a move: every seat's expected share of the victory after it."""

    token: str
    visits: int
    shares: tuple[float, ...]


@dataclass(frozen=True)
class Findings:
    """What a search found out: the moves of a seat, best first."""

    seat: int
    moves: tuple[Rating, ...]
    iterations: int

    @property
    def best(self) -> Rating:
        """The move that was tried most: the one that promised most, most of the time."""
        return self.moves[0]

    def value(self, token: str) -> float:
        """The seat's own expected share of the victory after a move."""
        return next(m.shares[self.seat] for m in self.moves if m.token == token)


class Tree:
    """One growing tree for one view: the work of one core."""

    def __init__(self, view: View, seed: int, candidates: Sequence[int]) -> None:
        assert view.seat is not None
        self.iterations = 0
        self._settings = Settings.of(view.game)
        self._grow = view.game.compiled.kernels.twin(tree.grow)
        self._seat = view.seat
        self._states = np.repeat(view.array, 2)
        self._nodes = np.zeros(self._settings.nodes, tree.NODE)
        self._nodes[tree.ROOT]["child"] = tree.NONE
        self._size = 1
        actions = len(view.game.vocabulary(view.options).actions)
        self.shares = np.zeros((actions, MOST_SEATS))
        allowed = np.zeros(actions, np.int8)
        allowed[list(candidates)] = 1
        self._scratch = (
            generators(1, seed),
            np.zeros(max(actions, CHANCE_LIMIT), np.int32),
            np.zeros(CHANCE_LIMIT, np.int32),
            np.full(actions, tree.NONE, np.int32),
            np.zeros(tree.DEEPEST, np.int32),
            np.zeros(tree.DEEPEST, np.int32),
            np.zeros(MOST_SEATS, np.int32),
            np.zeros(MOST_SEATS),
            allowed,
        )

    def run(self, iterations: int) -> None:
        """Grow by so many iterations, without the GIL."""
        s = self._settings
        self._size = self._grow(
            self._states, self._seat, self._nodes, self._size, iterations,
            s.exploration, s.trust, s.longest, s.widening, *self._scratch, self.shares,
        )  # fmt: skip
        self.iterations += iterations

    def run_until(self, deadline: float) -> None:
        """Grow until the clock (`time.monotonic`) says so; at least a little."""
        chunk = FIRST_CHUNK
        while True:
            start = time.monotonic()
            self.run(chunk)
            now = time.monotonic()
            if now >= deadline:
                return
            pace = chunk / max(now - start, 1e-6)
            chunk = max(1, int(pace * min(CHUNK_SECONDS, deadline - now)))

    def visits(self) -> np.ndarray:
        """How often each move was tried at the root, by id."""
        counts = np.zeros(len(self.shares), np.int64)
        child = int(self._nodes[tree.ROOT]["child"])
        while child != tree.NONE:
            node = self._nodes[child]
            counts[int(node["event"])] = int(node["visits"])
            child = int(node["sibling"])
        return counts


def search(
    view: View,
    *,
    seconds: float | None = None,
    iterations: int | None = None,
    seed: int | None = None,
    cores: int | None = None,
    only: Collection[str] | None = None,
) -> Findings:
    """Search a view for some time, or (reproducibly under a seed) for so many iterations.

    Each core grows a tree of its own; what they found out is added up. `only` names the moves that
    are compared, all legal ones by default.
    """
    if view.seat is None or view.seat not in view.to_act:
        raise DroptableError("there is nothing to search: it is not this view's turn")
    cores = cores or os.cpu_count() or 1
    tokens = view.game.vocabulary(view.options).actions
    moves = [i for i in view.legal_ids(view.seat) if only is None or tokens[i] in only]
    if not moves:
        raise DroptableError(f"there is nothing to search: none of {only!r} is legal")
    seeds = np.random.SeedSequence(seed).generate_state(cores).tolist()
    trees = [Tree(view, s, moves) for s in seeds]
    if iterations is not None:
        parts = [iterations // cores + (i < iterations % cores) for i in range(cores)]
        _run_all([(t.run, n) for t, n in zip(trees, parts, strict=True) if n])
    else:
        deadline = time.monotonic() + (1.0 if seconds is None else seconds)
        _run_all([(t.run_until, deadline) for t in trees])
    visits = np.sum([t.visits() for t in trees], axis=0)
    shares = np.sum([t.shares for t in trees], axis=0)
    ratings = [
        Rating(
            tokens[i],
            int(visits[i]),
            tuple((shares[i] / max(visits[i], 1))[: view.players].tolist()),
        )
        for i in moves
    ]
    seat = view.seat
    ratings.sort(key=lambda r: (-r.visits, -r.shares[seat]))
    return Findings(seat, tuple(ratings), sum(t.iterations for t in trees))


def _run_all(jobs: list[tuple[Any, Any]]) -> None:
    if len(jobs) == 1:
        jobs[0][0](jobs[0][1])
        return
    with ThreadPoolExecutor(len(jobs)) as pool:
        for done in [pool.submit(run, argument) for run, argument in jobs]:
            done.result()
