"""Thousands of matches stepped at once, as NumPy arrays: `VectorEnv(game, 4096, seed=1)`.

Gymnasium's vector conventions where they fit a game of several seats: one *decision* a match and
step, by the seat that `seats` names, and rewards for every seat. Gymnasium itself is needed only
for the spaces.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from droptable.core.batch import refusal
from droptable.core.chance import generators
from droptable.core.cpu import usable_cores
from droptable.core.errors import OptionError
from droptable.core.game import Game
from droptable.core.options import resolve
from droptable.core.tensor import size_of
from droptable.envs import vector_kernels
from droptable.envs.thread_team import Crew
from droptable.games import game as game_called

ROWS_A_THREAD = 8192  # fewer are stepped sooner than threads have woken each other
Infos = dict[str, Any]


class VectorEnv:
    """Matches of one game, stepped together; the dealer acts by itself.

    In match i it is `seats[i]` who decides next, the lowest of those to act. Where several act at
    the same time, the later ones do not see what the earlier ones did: an observation is made from
    the seat's view. `observations[i]` is that view as a tensor (`game.planes`), `action_mask[i]`
    says which actions are legal (their tokens are in `tokens`).

    A match that ends starts anew in the same step (Gymnasium's SAME_STEP): `terminations[i]` is
    then true, `rewards[i]` has a reward for each seat, `final_points[i]` and `final_winners[i]` the
    result, and the observation is already that of the new match (`final_observations` has the last
    ones of the old). Rewards are 0 before the end; then 1 for the only winner, a shared victory
    shares it, and the losers pay it in equal parts. Alone at the table, the reward is the score.
    Matches never are truncated: every game has its own end.

    All arrays belong to the environment and change with the next step: copy what you keep. The same
    seed and actions give the same matches, whatever the number of threads.
    """

    def __init__(
        self,
        game: Game | str,
        matches: int,
        players: int | None = None,
        seed: int | None = None,
        threads: int | None = None,
        observe: bool = True,
        **options: Any,
    ) -> None:
        self.game = game = game_called(game) if isinstance(game, str) else game
        self.num_envs = _whole("matches", matches)
        self.players = players = game.check_players(players)
        self.options = resolve(game.name, game.options, options)
        if threads is None:
            threads = max(1, min(usable_cores(), matches // ROWS_A_THREAD))
        self.threads = min(_whole("threads", threads), matches)
        self.tokens = game.vocabulary(self.options).actions
        self.planes = game.planes_of(players, self.options)
        self._prepare_arrays(observe)
        self._prepare_threads()
        self._seed(seed)
        self.reset()

    def _prepare_arrays(self, observe: bool) -> None:
        matches, players, actions = self.num_envs, self.players, len(self.tokens)
        self._fresh = self.game.template(players, self.options)
        self.states = np.repeat(self._fresh, matches)
        self._ended = np.zeros_like(self.states)
        self.seats = np.zeros(matches, np.int8)
        self.action_mask = np.zeros((matches, actions), np.bool_)
        self.counts = np.zeros(matches, np.int16)  # of legal actions
        self.rewards = np.zeros((matches, players), np.float32)
        self.terminations = np.zeros(matches, np.bool_)
        self.truncations = np.zeros(matches, np.bool_)
        self.final_points = np.zeros((matches, players), np.int32)
        self.final_winners = np.zeros((matches, players), np.bool_)
        size = size_of(self.planes) if observe else 0
        self.observations = np.zeros((matches, size), np.float32)
        self._chosen = np.zeros(matches, np.int64)
        self._infos: Infos = {
            "seats": self.seats,
            "action_mask": self.action_mask,
            "final_points": self.final_points,
            "_final_points": self.terminations,  # Gymnasium's way to say where it holds
            "final_winners": self.final_winners,
            "_final_winners": self.terminations,
        }

    def _prepare_threads(self) -> None:
        """Give each thread a range of rows, and scratch that is its own."""
        edges = np.linspace(0, self.num_envs, self.threads + 1).astype(int).tolist()
        self._ranges = list(pairwise(edges))
        rooms = [self.game.vocabulary(self.options).room() for _ in self._ranges]
        self._ids = [ids for ids, _ in rooms]
        self._weights = [weights for _, weights in rooms]
        self._views = np.repeat(self._fresh, self.threads)
        self._raw = self._views.view(np.uint8).reshape(self.threads, -1)
        self._places = self.game.bit_places(self.players)
        twin = self.game.at_full_speed.kernels.twin
        self._start_range = twin(vector_kernels.start_range)
        self._step_range = twin(vector_kernels.step_range)
        self._look_range = twin(vector_kernels.look_range)
        self._choose_range = twin(vector_kernels.choose_range)
        self._first_refused = twin(vector_kernels.first_refused)
        self._crew = Crew(self.threads)

    def _seed(self, seed: int | None) -> None:
        if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int) or seed < 0):
            raise OptionError(f"seed is {seed!r}; expected a whole number from 0 up, or None")
        both = generators(2 * self.num_envs, seed)
        self._random, self._choosers = both[: self.num_envs], both[self.num_envs :]

    # -- stepping ---------------------------------------------------------------------------------

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, Infos]:
        """Start all matches anew; without a seed, chance goes on from where it is."""
        if options:
            raise OptionError(f"options {options!r}: a game's options are set when it is made")
        if seed is not None:
            self._seed(seed)
        self.terminations[:] = False
        self.rewards[:] = 0.0
        self._crew.share(self._start)
        return self.observations, self._infos

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, Infos]:
        """Make one move in every match: observations, rewards, terminations, truncations, infos.

        If one is not legal, all are refused with the reason, and nothing has changed.
        """
        chosen = self._checked(actions)
        self._crew.share(self._step, chosen)
        return self.observations, self.rewards, self.terminations, self.truncations, self._infos

    def sample_actions(self) -> np.ndarray:
        """A random legal action for every match, all equally likely."""
        self._crew.share(self._choose)
        return self._chosen

    def look(self, seats: Any) -> np.ndarray:
        """What the given seat of each match sees now, as a new array of tensors."""
        wanted = np.asarray(seats)
        if (
            wanted.shape != self.seats.shape
            or wanted.dtype.kind not in "iu"
            or np.any((wanted < 0) | (wanted >= self.players))
        ):
            told = f"{self.num_envs} whole numbers from 0 to {self.players - 1}"
            raise OptionError(f"seats is {seats!r}; expected {told}")
        return self._tensors(self.states, np.ascontiguousarray(wanted, np.int8))

    def final_observations(self) -> tuple[np.ndarray, np.ndarray]:
        """The matches that ended in the last step, and what each of their seats saw then."""
        ended = np.flatnonzero(self.terminations)
        states = np.repeat(self._ended[ended], self.players)
        seats = np.tile(np.arange(self.players, dtype=np.int8), len(ended))
        shape = len(ended), self.players, size_of(self.planes)
        return ended, self._tensors(states, seats).reshape(shape)

    def _tensors(self, states: Any, seats: np.ndarray) -> np.ndarray:
        out = np.empty((len(states), size_of(self.planes)), np.float32)
        self._look_range(
            states, 0, len(states), seats, self._views, self._raw, 0, self._places, out
        )
        return out

    def _checked(self, actions: Any) -> np.ndarray:
        chosen = np.asarray(actions)
        if chosen.shape != self.seats.shape:
            raise OptionError(f"actions of shape {chosen.shape} for {self.num_envs} matches")
        if chosen.dtype.kind not in "iu":
            raise OptionError(f"actions of type {chosen.dtype}; expected whole numbers")
        chosen = np.ascontiguousarray(chosen, np.int64)
        row = int(self._first_refused(chosen, self.action_mask))
        if row >= 0:
            raise refusal(self.game, self.states, row, int(self.seats[row]), int(chosen[row]))
        return chosen

    # -- what each thread does ---------------------------------------------------------------------

    def _start(self, i: int) -> None:
        start, stop = self._ranges[i]
        self._start_range(
            self.states,
            self._fresh,
            start,
            stop,
            self.seats,
            self.action_mask,
            self.counts,
            self._random,
            self._ids[i],
            self._weights[i],
        )
        self._look(i)

    def _step(self, i: int, actions: np.ndarray) -> None:
        start, stop = self._ranges[i]
        self._step_range(
            self.states,
            self._fresh,
            self._ended,
            start,
            stop,
            actions,
            self.seats,
            self.action_mask,
            self.counts,
            self.terminations,
            self.rewards,
            self.final_points,
            self.final_winners,
            self._random,
            self._ids[i],
            self._weights[i],
        )
        self._look(i)

    def _look(self, i: int) -> None:
        start, stop = self._ranges[i]
        if self.observations.size:
            self._look_range(
                self.states,
                start,
                stop,
                self.seats,
                self._views,
                self._raw,
                i,
                self._places,
                self.observations,
            )

    def _choose(self, i: int) -> None:
        start, stop = self._ranges[i]
        self._choose_range(start, stop, self.action_mask, self.counts, self._choosers, self._chosen)

    # -- Gymnasium's names ------------------------------------------------------------------------

    def __len__(self) -> int:
        return self.num_envs

    def close(self) -> None:
        """Let the threads go; there are no more steps after this."""
        self._crew.dismiss()

    @cached_property
    def metadata(self) -> dict[str, Any]:
        """When finished matches start anew, as Gymnasium wants it said."""
        try:
            from gymnasium.vector import AutoresetMode
        except ImportError:
            return {"autoreset_mode": "SameStep"}
        return {"autoreset_mode": AutoresetMode.SAME_STEP}

    @cached_property
    def single_observation_space(self) -> Any:
        """The space of one match's observation."""
        return _spaces().Box(-1.0, 1.0, self.observations.shape[1:], np.float32)

    @cached_property
    def observation_space(self) -> Any:
        """The space of the observations of a step."""
        return _spaces().Box(-1.0, 1.0, self.observations.shape, np.float32)

    @cached_property
    def single_action_space(self) -> Any:
        """The space of one match's actions, legal or not."""
        return _spaces().Discrete(len(self.tokens))

    @cached_property
    def action_space(self) -> Any:
        """The space of the actions of a step, legal or not."""
        return _spaces().MultiDiscrete(np.full(self.num_envs, len(self.tokens)))


def _spaces() -> Any:
    try:
        from gymnasium import spaces
    except ImportError as error:
        raise ImportError("spaces need Gymnasium: pip install 'droptable[envs]'") from error
    return spaces


def _whole(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise OptionError(f"{name} is {value!r}; expected a whole number from 1 up")
    return value
