"""Every game as a Gymnasium environment with one learner: `gymnasium.make("droptable/Depot-v0")`.

Importing this module registers all games, for `gymnasium.make` and `gymnasium.make_vec`; the number
moves with the version of a game's rules. docs/environments.md describes observations and rewards.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

try:
    import gymnasium
except ModuleNotFoundError as missing:
    raise ImportError(
        f"this needs {missing.name}, which is not installed: pip install 'droptable[envs]'"
    ) from missing

from droptable.core.contract import NOBODY
from droptable.core.errors import OptionError
from droptable.core.game import Game
from droptable.core.match import action_id
from droptable.envs.drawing import check_mode, draw, modes
from droptable.envs.spaces import Moves
from droptable.envs.vector import DISABLED, VectorEnv
from droptable.games import games

NAMESPACE = "droptable"
GREEDY = "greedy"


class MatchEnv(gymnasium.Env[Any, Any]):
    """One match with one learner: you have one seat, and the others play by instinct.

    An observation is your seat's view as a tensor; `info["action_mask"]` and `action_masks()` say
    which actions are legal, and `action_space.sample()` gives one that is. `opponents` and `seat`
    are those of `VectorEnv`. An illegal action raises `IllegalMove` and changes nothing; with
    `illegal="replace"`, for learners without masks, a random legal one is made instead, and
    `info["replaced"]` says so.
    """

    def __init__(
        self,
        game: Game | str,
        players: int | None = None,
        *,
        opponents: Sequence[str] | str = GREEDY,
        seat: int | None = None,
        illegal: str = "raise",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        if illegal not in ("raise", "replace"):
            raise OptionError(f"illegal is {illegal!r}; expected raise or replace")
        self._replaces = illegal == "replace"
        self._rows = VectorEnv(
            game, 1, players, opponents=opponents, seat=seat, autoreset_mode=DISABLED, **options
        )
        self.game, self.tokens = self._rows.game, self._rows.tokens
        self.players, self.planes = self._rows.players, self._rows.planes
        self.render_mode = check_mode(self.game, render_mode)
        self.metadata = {"render_modes": modes(self.game), "render_fps": 2}
        self.observation_space = self._rows.single_observation_space
        self.action_space = Moves(len(self.tokens), self.action_masks)

    @property
    def seat(self) -> int:
        """Your seat in this match."""
        return int(self._rows.seats[0])

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start a match; the others may have moved already. No seed: chance goes on."""
        super().reset(seed=seed)
        self._rows.reset(seed=seed, options=options)
        if self.render_mode == "human":
            self.render()
        return self._rows.observations[0].copy(), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Make a move, and let the others play on to your next decision."""
        rows, chosen = self._rows, action_id(action)
        legal = rows.action_mask[0]
        replaced = self._replaces and not (0 <= chosen < len(legal) and legal[chosen])
        if replaced:
            chosen = int(self.np_random.choice(np.flatnonzero(legal)))
        observations, rewards, terminations, _, _ = rows.step(np.array([chosen]))
        over = bool(terminations[0])
        info = self._info() | ({"replaced": True} if replaced else {})
        if over:
            info["points"] = rows.final_points[0].copy()
            info["winners"] = rows.final_winners[0].copy()
        if self.render_mode == "human":
            self.render()
        return observations[0].copy(), float(rewards[0]), over, False, info

    def action_masks(self) -> Any:
        """The legal actions as booleans, as MaskablePPO asks for them."""
        return self._rows.action_mask[0].copy()

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks().astype(np.int8), "seat": self.seat}

    def render(self) -> Any:
        """The table as your seat sees it, in the chosen mode."""
        rows = self._rows
        record = rows.states[:1].copy()
        over = bool(rows.terminations[0])
        rows.game.at_full_speed.observe_at(record, 0, NOBODY if over else self.seat)
        names = [f"Seat {seat}" for seat in range(self.players)]
        return draw(self.game, record[0], NOBODY if over else self.seat, names, self.render_mode)

    def close(self) -> None:
        """End the threads of the environment."""
        self._rows.close()


def env_name(game: Game) -> str:
    """A game's name in Gymnasium: `droptable/DropSite-v0`."""
    name = "".join(part.capitalize() for part in game.name.split("-"))
    return f"{NAMESPACE}/{name}-v{game.version - 1}"


def make_match(game: str, **settings: Any) -> MatchEnv:
    """A game's environment, by the game's name."""
    return MatchEnv(game, **settings)


def make_matches(game: str, num_envs: int, **settings: Any) -> VectorEnv:
    """Many matches of a game against opponents; Gymnasium's users expect copies."""
    given: dict[str, Any] = {"opponents": GREEDY, "copy": True} | settings
    return VectorEnv(game, num_envs, **given)


def register_all() -> None:
    """Enter all games into Gymnasium's registry."""
    for game in games():
        name = env_name(game)
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point=f"{__name__}:make_match",
                vector_entry_point=f"{__name__}:make_matches",
                kwargs={"game": game.name},
            )


register_all()
