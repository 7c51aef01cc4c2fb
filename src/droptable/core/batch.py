"""Many matches stepped together, by integer ids: for learning, searching and measuring."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from droptable.core import rows
from droptable.core.chance import generators
from droptable.core.contract import MOST_SEATS
from droptable.core.errors import OptionError
from droptable.core.match import MatchSpec, check_count
from droptable.core.rows import Rows

if TYPE_CHECKING:
    from droptable.core.game import Game


class Batch:
    """Matches in one array. The dealer acts by itself; a match that ends starts anew at once.

    The public arrays are the batch's own and change with every `step`:
    `seats[i]` is the seat that moves next in match i (the lowest of those to act), `counts[i]` how
    many legal moves it has, `moves[i, :counts[i]]` their ids, ascending. After a step `done[i]`
    says whether match i has just ended, with its `points[i]`, `won[i]` (winners as bits) and
    `rewards[i]` for each seat.

    The rows are divided among `threads`: `start_share`, `step_share` and `sample_share` work on
    the share of one of them, and never on another's rows or scratch.
    """

    def __init__(
        self,
        game: Game,
        matches: int,
        players: int | None,
        seed: int | None,
        options: dict[str, Any],
        *,
        threads: int = 1,
        masks: bool = False,
        begin: bool = True,
    ) -> None:
        """Without `begin` no match has been started: whoever made the batch starts them."""
        self.spec = MatchSpec(game, players, options)
        self.game = game
        self.players = self.spec.players
        self.tokens = self.spec.tokens
        check_count("matches", matches)
        edges = np.linspace(0, matches, threads + 1).astype(int).tolist()
        self._shares = list(pairwise(edges))
        self.rows = _empty_rows(self.spec, matches, threads, masks)
        self._arrays = tuple(self.rows)
        self.states = self.rows.states
        self.seats = self.rows.seats
        self.counts = self.rows.counts
        self.moves = self.rows.moves
        self.done = self.rows.done
        self.points = self.rows.points
        self.won = self.rows.won
        self.rewards = self.rows.rewards
        self._row_starts = np.arange(matches) * self.moves.shape[1]
        twin = self.spec.engine.kernels.twin
        self._start_rows, self._step_rows = twin(rows.start_rows), twin(rows.step_rows)
        self._sample_rows, self._first_illegal = twin(rows.sample_rows), twin(rows.first_illegal)
        self.seed(seed)
        for thread in range(threads if begin else 0):
            self.start_share(thread)

    def __len__(self) -> int:
        return len(self.states)

    def seed(self, seed: int | None) -> None:
        """Set what is dealt from now on; it depends on nothing but the seed and the row."""
        dealing, sampling = np.split(generators(2 * len(self), seed), 2)
        self.rows.random[:] = dealing
        self.sampling = sampling

    def step(self, actions: Any) -> None:
        """Make one move in every match; refused whole, and nothing changed, if one is not legal."""
        checked = self.check(actions)
        for thread in range(len(self._shares)):
            self.step_share(thread, checked)

    def check(self, actions: Any) -> np.ndarray:
        """The actions as `step_share` takes them; an error names the first that is not legal."""
        given = np.asarray(actions)
        if given.shape != self.seats.shape:
            raise OptionError(f"actions of shape {given.shape} for {len(self)} matches")
        if given.dtype.kind not in "iu":
            raise OptionError(f"actions of type {given.dtype}; expected whole numbers")
        checked = np.ascontiguousarray(given, np.int64)
        row = int(self._first_illegal(self.moves, self.counts, checked))
        if row >= 0:
            seat, action = int(self.seats[row]), int(checked[row])
            raise self.spec.refusal(self.states, row, seat, action, f"match {row}: ")
        return checked

    def random_actions(self, generator: np.random.Generator) -> np.ndarray:
        """One uniformly random legal move for every match."""
        chosen = (generator.random(len(self)) * self.counts).astype(np.intp)
        chosen += self._row_starts
        picked: np.ndarray = self.moves.reshape(-1).take(chosen)
        return picked

    # -- the share of one thread ------------------------------------------------------------------

    def share(self, thread: int) -> tuple[int, int]:
        """The rows of a thread: the first, and the one after the last."""
        return self._shares[thread]

    def start_share(self, thread: int) -> None:
        """Start matches anew and list their first decisions."""
        self._start_rows(self._arrays, *self._shares[thread], thread)

    def step_share(self, thread: int, actions: np.ndarray) -> None:
        """Make moves that were checked."""
        self._step_rows(self._arrays, *self._shares[thread], thread, actions)

    def sample_share(self, thread: int, actions: np.ndarray) -> None:
        """Write one random legal action per match, by the batch's own seed."""
        first, stop = self._shares[thread]
        self._sample_rows(self.moves, self.counts, first, stop, self.sampling, actions)


def _empty_rows(spec: MatchSpec, matches: int, threads: int, masks: bool) -> Rows:
    actions, outcomes = len(spec.vocabulary.actions), len(spec.vocabulary.outcomes)
    return Rows(
        states=np.repeat(spec.start, matches),
        start=spec.start,
        random=np.zeros(matches, np.uint64),
        weights=np.zeros((threads, outcomes), np.int32),
        seats=np.zeros(matches, np.int8),
        counts=np.zeros(matches, np.int16),
        moves=np.zeros((matches, spec.vocabulary.width), np.int32),
        masks=np.zeros((matches, actions if masks else 0), np.bool_),
        done=np.zeros(matches, np.bool_),
        points=np.zeros((matches, MOST_SEATS), np.int32),
        won=np.zeros(matches, np.int32),
        winners=np.zeros((matches, spec.players), np.bool_),
        rewards=np.zeros((matches, spec.players), np.float32),
        ended=np.repeat(spec.start, matches),
    )
