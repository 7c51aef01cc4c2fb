"""Thousands of matches stepped at once, as NumPy arrays: `VectorEnv(game, 4096, seed=1)`.

Follows Gymnasium's vector conventions where they fit a game with several seats: each step makes one
*decision* per match, by the seat in `seats`, and gives rewards to every seat. Gymnasium itself is
needed for the spaces only.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from droptable.core.batch import Batch
from droptable.core.cpu import usable_cores
from droptable.core.errors import OptionError
from droptable.core.game import Game
from droptable.core.match import check_count
from droptable.core.view_tensor import scratch_for, view_tensors
from droptable.envs.thread_team import ThreadTeam
from droptable.games import game as game_called

ROWS_PER_THREAD = 8192  # with fewer, waking a thread takes longer than stepping its rows
Infos = dict[str, Any]


class VectorEnv:
    """Matches of one game, stepped together; the dealer acts by itself.

    In match i, `seats[i]` decides next: the lowest of the seats to act. Where several act at the
    same time, later ones do not see what earlier ones did, because `observations[i]` is the seat's
    view as a tensor (`game.planes`). `action_mask[i]` says which actions are legal; `tokens` names
    them.

    A match that ends starts anew in the same step (Gymnasium's SAME_STEP): `terminations[i]` is
    true, `rewards[i]` has each seat's reward, `final_points[i]` and `final_winners[i]` the result,
    and the observation already shows the new match (`final_observations` has the last of the old
    one). Rewards are 0 before the end; then a single winner gets 1, winners share a victory, and
    losers pay for it in equal parts. Solo, the reward is the score. Matches are never truncated:
    every game ends by its own rules.

    All arrays belong to the environment and change with the next step: copy what you keep. The same
    seed and actions give the same matches for any number of threads.
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
        self.num_envs = check_count("matches", matches)
        if threads is None:
            threads = max(1, min(usable_cores(), matches // ROWS_PER_THREAD))
        self.threads = min(check_count("threads", threads), matches)
        self._batch = batch = Batch(
            game, matches, players, seed, options, threads=self.threads, masks=True
        )
        spec = batch.spec
        self._view_tensors = spec.engine.kernels.twin(view_tensors)
        self._scratch = scratch_for(spec.start, spec.places, self.threads)
        self._team = ThreadTeam(self.threads)
        self.players = spec.players
        self.options = spec.options
        self.tokens = spec.tokens
        self.planes = spec.planes
        self._share_arrays(spec.tensor_size if observe else 0)
        self._team.share(self._observe)

    def _share_arrays(self, size: int) -> None:
        """Name the arrays of the batch as Gymnasium does, and make those that it lacks."""
        rows = self._batch.rows
        self.states = rows.states
        self.seats = rows.seats
        self.action_mask = rows.masks
        self.counts = rows.counts  # of legal actions
        self.rewards = rows.rewards
        self.terminations = rows.done
        self.truncations = np.zeros(self.num_envs, np.bool_)
        self.final_points = rows.points[:, : self.players]
        self.final_winners = rows.winners
        self.observations = np.zeros((self.num_envs, size), np.float32)
        self._sampled = np.zeros(self.num_envs, np.int64)
        self._infos: Infos = {
            "seats": self.seats,
            "action_mask": self.action_mask,
            "final_points": self.final_points,
            "_final_points": self.terminations,  # Gymnasium's way to say which rows are valid
            "final_winners": self.final_winners,
            "_final_winners": self.terminations,
        }

    # -- stepping ---------------------------------------------------------------------------------

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, Infos]:
        """Start all matches anew; without a seed, chance goes on from where it is."""
        if options:
            raise OptionError(f"options is {options!r}; set options when making the environment")
        if seed is not None:
            self._batch.seed(seed)
        self._team.share(self._start)
        return self.observations, self._infos

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, Infos]:
        """Make one move in every match: observations, rewards, terminations, truncations, infos.

        If one is not legal, all are refused with the reason, and nothing has changed.
        """
        self._team.share(self._step, self._batch.check(actions))
        return self.observations, self.rewards, self.terminations, self.truncations, self._infos

    def sample_actions(self) -> np.ndarray:
        """A random legal action for every match, all equally likely."""
        self._team.share(self._batch.sample_share, self._sampled)
        return self._sampled

    def look(self, seats: Any) -> np.ndarray:
        """What the given seat of each match sees now, as a new array of tensors."""
        wanted = np.asarray(seats)
        if (
            wanted.shape != self.seats.shape
            or wanted.dtype.kind not in "iu"
            or np.any((wanted < 0) | (wanted >= self.players))
        ):
            expected = f"{self.num_envs} whole numbers from 0 to {self.players - 1}"
            raise OptionError(f"seats is {seats!r}; expected {expected}")
        return self._tensors(self.states, np.ascontiguousarray(wanted, np.int8))

    def final_observations(self) -> tuple[np.ndarray, np.ndarray]:
        """The matches that ended in the last step, and what each of their seats saw then."""
        ended = np.flatnonzero(self.terminations)
        states = np.repeat(self._batch.rows.ended[ended], self.players)
        seats = np.tile(np.arange(self.players, dtype=np.int8), len(ended))
        tensors = self._tensors(states, seats)
        return ended, tensors.reshape(len(ended), self.players, tensors.shape[1])

    def _tensors(self, states: Any, seats: np.ndarray) -> np.ndarray:
        out = np.empty((len(states), self._batch.spec.tensor_size), np.float32)
        self._view_tensors(states, 0, len(states), seats, self._scratch, 0, out)
        return out

    # -- the share of one thread ------------------------------------------------------------------

    def _start(self, thread: int) -> None:
        self._batch.start_share(thread)
        self._observe(thread)

    def _step(self, thread: int, actions: np.ndarray) -> None:
        self._batch.step_share(thread, actions)
        self._observe(thread)

    def _observe(self, thread: int) -> None:
        if self.observations.size:
            first, stop = self._batch.share(thread)
            self._view_tensors(
                self.states, first, stop, self.seats, self._scratch, thread, self.observations
            )

    # -- Gymnasium's names ------------------------------------------------------------------------

    def __len__(self) -> int:
        return self.num_envs

    def close(self) -> None:
        """End the threads; no more steps are possible after this."""
        self._team.dismiss()

    @cached_property
    def metadata(self) -> dict[str, Any]:
        """When finished matches start anew, in Gymnasium's terms."""
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
