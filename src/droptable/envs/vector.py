"""Thousands of matches stepped at once, as NumPy arrays: `VectorEnv(game, 4096, seed=1)`.

A Gymnasium vector environment, `gymnasium.make_vec("droptable/DropSite-v0", num_envs=4096)`. All
seats are the caller's, or one of them is and the others play by instinct in machine code. Without
Gymnasium it works as well, but for its spaces.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from droptable.core.batch import Batch
from droptable.core.chance import generators
from droptable.core.cpu import usable_cores
from droptable.core.errors import OptionError
from droptable.core.game import Game
from droptable.core.match import check_count
from droptable.core.tensor import NEVER
from droptable.core.view_tensor import last_tensors, scratch_for, shown_in, view_tensors
from droptable.envs import opponents as against
from droptable.envs.opponents import ALL_SEATS, Others, habits_of
from droptable.envs.thread_team import ThreadTeam
from droptable.games import game as game_called

ROWS_PER_THREAD = 8192  # with fewer, waking a thread takes longer than stepping its rows
NEXT_STEP, SAME_STEP, DISABLED = "NextStep", "SameStep", "Disabled"  # as Gymnasium calls them
OPPONENTS = 0x0B07  # mixed into the seed: opponents choose by generators of their own
Infos = dict[str, Any]


def _base() -> Any:
    """Gymnasium's class, if it is there."""
    try:
        from gymnasium.vector import VectorEnv as Base
    except ModuleNotFoundError:
        return object
    return Base


class VectorEnv(_base()):  # type: ignore[misc]
    """Matches of one game, stepped together; the dealer acts by itself.

    Without `opponents` all seats are yours: in match i `seats[i]` decides next, the lowest of those
    to act. With them (`["greedy", "random"]`, one for each further seat, clockwise after yours; or
    one for all) only one seat is: `seat`, or by default another one in every match, in turns.

    `observations[i]` is that seat's view as a tensor (`game.planes`), so where several seats act at
    the same time later ones do not see what earlier ones did. `action_mask[i]` says which actions
    are legal; `tokens` names them.

    Rewards are 0 before the end; `rewards[i]` is that of the seat which moved, `infos["rewards"]`
    has every seat's. A single winner gets 1, winners share a victory, and losers pay for it in
    equal parts. Solo, the reward is the score. Matches are never truncated: every game ends by its
    own rules. `infos["final_points"]` and `infos["final_winners"]` have the result.

    What happens after the end is Gymnasium's `autoreset_mode`: with "SameStep" a match starts anew
    in the same step, and `infos["final_obs"]` has the last observation of the old one; with
    "NextStep" the next step starts it, whatever the action; with "Disabled" only
    `reset(options={"reset_mask": mask})` does.

    Arrays belong to the environment and change with the next step, unless you ask for a `copy`. Do
    not write into them: a step writes only what differs. The same seed and actions give the same
    matches for any number of threads.
    """

    def __init__(
        self,
        game: Game | str,
        num_envs: int,
        players: int | None = None,
        seed: int | None = None,
        threads: int | None = None,
        observe: bool = True,
        *,
        opponents: Sequence[str] | str | None = None,
        seat: int | None = None,
        autoreset_mode: Any = SAME_STEP,
        copy: bool = False,
        render_mode: None = None,
        **options: Any,
    ) -> None:
        self.game = game = game_called(game) if isinstance(game, str) else game
        self.num_envs = check_count("num_envs", num_envs)
        if render_mode is not None:
            raise OptionError(f"render_mode is {render_mode!r}; many matches are not drawn")
        if threads is None:
            threads = max(1, min(usable_cores(), num_envs // ROWS_PER_THREAD))
        self.threads = min(check_count("threads", threads), num_envs)
        self.autoreset = _mode(autoreset_mode)
        self._copy = copy
        self._batch = batch = Batch(
            game, num_envs, players, seed, options, threads=self.threads, masks=True, begin=False
        )
        spec = batch.spec
        twin = spec.engine.kernels.twin
        self._view_tensors, self._last_tensors = twin(view_tensors), twin(last_tensors)
        self._begin_rows, self._step_against = twin(against.begin_rows), twin(against.step_against)
        self._scratch = scratch_for(spec.start, spec.places, self.threads)
        self._anew = shown_in(spec.start, 0)
        self._shown = shown_in(spec.start, num_envs if observe and game.revises else 0)
        self._team = ThreadTeam(self.threads)
        self.players = spec.players
        self.options = spec.options
        self.tokens = spec.tokens
        self.planes = spec.planes
        self.opponents, self.seat = opponents, seat
        self._others = self._seat_others(opponents, seat)
        self._arrays, self._more = tuple(batch.rows), tuple(self._others)
        self._plain = opponents is None and self.autoreset == SAME_STEP
        self._share_arrays(spec.tensor_size if observe else 0)
        self._seed(seed)
        self._begin(None)
        self._fresh = True  # nothing has happened since the matches started
        self._remake = {
            "game": game, "num_envs": num_envs, "players": self.players, "threads": threads,
            "observe": observe, "opponents": opponents, "seat": seat, "copy": copy,
            "autoreset_mode": self.autoreset, **spec.options,
        }  # fmt: skip

    def _seat_others(self, opponents: Sequence[str] | str | None, seat: int | None) -> Others:
        count, players = self.num_envs, self.players
        if seat is not None and (
            opponents is None or isinstance(seat, bool) or seat not in range(players)
        ):
            expected = f"0 to {players - 1}" if opponents is not None else "None without opponents"
            raise OptionError(f"seat is {seat!r}; expected {expected}")
        habits = np.zeros(0) if opponents is None else habits_of(self.game, opponents, players)
        mine = np.full(count, ALL_SEATS if opponents is None else seat or 0, np.int8)
        return Others(
            mine=mine,
            turn=np.array([opponents is not None and seat is None and players > 1], np.int64),
            held=np.zeros(count, np.bool_),
            habits=habits,
            avoided=np.zeros((len(habits), 0), np.bool_),
            choosing=np.ones(count, np.uint64),
            views=np.repeat(self._batch.spec.start, self.threads),
            ratings=np.zeros((self.threads, self._batch.moves.shape[1])),
        )

    def _share_arrays(self, size: int) -> None:
        """Name the arrays of the batch as Gymnasium does, and make those that it lacks."""
        rows = self._batch.rows
        self.states = rows.states
        self.seats = rows.seats
        self.action_mask = rows.masks
        self.counts = rows.counts  # of legal actions
        self.all_rewards = rows.rewards  # of every seat
        self.rewards = np.zeros(self.num_envs, np.float64)
        self.terminations = rows.done
        self.truncations = np.zeros(self.num_envs, np.bool_)
        self.final_points = rows.points[:, : self.players]
        self.final_winners = rows.winners
        self.observations = np.zeros((self.num_envs, size), np.float32)
        self._final_obs = np.zeros((self.num_envs, size), np.float32)
        self._movers = self.seats.copy()  # who moved in the last step
        self._every_row = np.arange(self.num_envs)
        self._sampled = np.zeros(self.num_envs, np.int64)
        done = self.terminations
        self._infos: Infos = {
            "seats": self.seats,
            "action_mask": self.action_mask,
            "rewards": self.all_rewards,
            "final_points": self.final_points,
            "_final_points": done,  # Gymnasium's way to say which rows are valid
            "final_winners": self.final_winners,
            "_final_winners": done,
        }
        if self.autoreset == SAME_STEP:
            final = {"points": self.final_points, "_points": done,
                     "winners": self.final_winners, "_winners": done}  # fmt: skip
            self._infos |= {"final_info": final, "_final_info": done}
            self._infos |= {"final_obs": self._final_obs, "_final_obs": done}

    # -- stepping ---------------------------------------------------------------------------------

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, Infos]:
        """Start all matches anew, or those in `options["reset_mask"]`.

        Without a seed, chance goes on from where it is; the first reset after making the
        environment changes nothing then.
        """
        chosen = self._chosen(options)
        if seed is not None:
            self._seed(seed)
        if seed is not None or chosen is not None or not self._fresh:
            self._begin(chosen)
        self._fresh = False
        return self._given(self.observations), self._given_infos()

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, Infos]:
        """Make one move in every match: observations, rewards, terminations, truncations, infos.

        If one is not legal, all are refused with the reason, and nothing has changed.
        """
        checked = self._check(actions)
        self._movers[:] = self.seats
        self._fresh = False
        self._team.share(self._step, checked)
        self.rewards[:] = self.all_rewards[self._every_row, self._movers]
        given = self._given
        return (
            given(self.observations), given(self.rewards), given(self.terminations),
            given(self.truncations), self._given_infos(),
        )  # fmt: skip

    def _chosen(self, options: dict[str, Any] | None) -> np.ndarray | None:
        """Which matches a reset is about, if it names them."""
        unknown = set(options or {}) - {"reset_mask"}
        if unknown:
            raise OptionError(
                f"options is {options!r}; set options of the game when making the environment"
            )
        if not options:
            return None
        mask = np.asarray(options["reset_mask"])
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_:
            raise OptionError(f"reset_mask is {mask!r}; expected {self.num_envs} booleans")
        return np.ascontiguousarray(mask)

    def _check(self, actions: Any) -> np.ndarray:
        """The actions, all legal; those of matches that are over do not matter."""
        held = self._others.held
        if held.any():
            if self.autoreset == DISABLED:
                row = int(np.flatnonzero(held)[0])
                raise OptionError(f"match {row} is over: reset it, by reset_mask, before this step")
            actions = np.asarray(actions)
            if actions.shape == held.shape:
                actions = np.where(held, self._batch.moves[:, 0], actions)
        return self._batch.check(actions)

    def _given(self, array: np.ndarray) -> np.ndarray:
        return array.copy() if self._copy else array

    def _given_infos(self) -> Infos:
        if not self._copy:
            return self._infos
        return {
            key: {k: v.copy() for k, v in value.items()}
            if isinstance(value, dict)
            else value.copy()
            for key, value in self._infos.items()
        }

    def _seed(self, seed: int | None) -> None:
        self._batch.seed(seed)
        mixed = None if seed is None else seed ^ OPPONENTS << 32
        self._others.choosing[:] = generators(self.num_envs, mixed)
        if self._others.turn[0]:  # the first matches begin at seats by turns as well
            self._others.mine[:] = (self._every_row - 1) % self.players

    def _begin(self, chosen: np.ndarray | None) -> None:
        every = np.ones(self.num_envs, np.bool_) if chosen is None else chosen
        self._team.share(self._start, every)

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
        self._view_tensors(states, 0, len(states), seats, self._scratch, 0, self._anew, out)
        return out

    # -- the share of one thread ------------------------------------------------------------------

    def _start(self, thread: int, chosen: np.ndarray) -> None:
        first, stop = self._batch.share(thread)
        self._begin_rows(self._arrays, self._more, first, stop, thread, chosen)
        self._observe(thread)

    def _step(self, thread: int, actions: np.ndarray) -> None:
        if self._plain:
            self._batch.step_share(thread, actions)
        else:
            again = self.autoreset == SAME_STEP
            first, stop = self._batch.share(thread)
            self._step_against(self._arrays, self._more, first, stop, thread, actions, again)
        if self.autoreset == SAME_STEP and self._final_obs.size:
            first, stop = self._batch.share(thread)
            self._last_tensors(
                self._batch.rows.ended, first, stop, self._movers, self._scratch, thread,
                self.terminations, self._final_obs,
            )  # fmt: skip
        self._observe(thread)

    def _observe(self, thread: int) -> None:
        if self.observations.size:
            first, stop = self._batch.share(thread)
            self._view_tensors(
                self.states, first, stop, self.seats, self._scratch, thread, self._shown,
                self.observations,
            )  # fmt: skip

    # -- Gymnasium's names ------------------------------------------------------------------------

    def __len__(self) -> int:
        return self.num_envs

    def close(self, **_kwargs: Any) -> None:
        """End the threads; no more steps are possible after this."""
        self._team.dismiss()
        self.closed = True

    def __getstate__(self) -> dict[str, Any]:
        arrays = {**self._batch.rows._asdict(), **self._others._asdict()}
        own = {
            name: getattr(self, name)
            for name in ("observations", "_final_obs", "rewards", "_fresh", "spec")
            if hasattr(self, name)
        }
        return {
            "made": self._remake, "arrays": arrays, "own": own, "sampling": self._batch.sampling,
        }  # fmt: skip

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state["made"])  # type: ignore[misc]
        for name, array in {**self._batch.rows._asdict(), **self._others._asdict()}.items():
            array[:] = state["arrays"][name]
        self._batch.sampling[:] = state["sampling"]
        for name, value in state["own"].items():
            if isinstance(value, np.ndarray):
                getattr(self, name)[:] = value
            else:
                setattr(self, name, value)
        self._shown[1][:] = NEVER  # the next observations are written anew

    @cached_property
    def metadata(self) -> dict[str, Any]:
        """When finished matches start anew, in Gymnasium's terms."""
        try:
            from gymnasium.vector import AutoresetMode
        except ImportError:
            return {"autoreset_mode": self.autoreset}
        return {"autoreset_mode": AutoresetMode(self.autoreset), "render_modes": []}

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
        from droptable.envs.spaces import ChoicesOfAll

        return ChoicesOfAll(self.num_envs, len(self.tokens), lambda: self.action_mask)


def _copied(infos: Infos) -> Infos:
    return {k: _copied(v) if isinstance(v, dict) else v.copy() for k, v in infos.items()}


def _mode(mode: Any) -> str:
    """An autoreset mode, by its name or as Gymnasium's."""
    name = getattr(mode, "value", mode)
    if name not in (NEXT_STEP, SAME_STEP, DISABLED):
        expected = f"{NEXT_STEP}, {SAME_STEP} or {DISABLED}"
        raise OptionError(f"autoreset_mode is {mode!r}; expected {expected}")
    return str(name)


def _spaces() -> Any:
    try:
        from gymnasium import spaces
    except ImportError as error:
        raise ImportError("spaces need Gymnasium: pip install 'droptable[envs]'") from error
    return spaces
