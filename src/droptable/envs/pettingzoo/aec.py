"""A match as a PettingZoo AEC environment: the seats that have a decision, one after another."""

from __future__ import annotations

from typing import Any

import numpy as np
from pettingzoo import AECEnv

from droptable.core.errors import DroptableError
from droptable.core.game import Game
from droptable.core.match import OVER, Match, MatchSpec, check_count
from droptable.envs import drawing
from droptable.envs.spaces import LegalNow, Moves, observation_space
from droptable.games import game as game_called

AFTER_RESET = ("agent_selection", "rewards", "terminations", "truncations", "infos")


class TableEnv(AECEnv):  # type: ignore[misc]
    """Any game. The dealer acts by itself; only seats that have a decision are asked.

    Of several seats that act at the same time the lowest comes first, and nobody else observes what
    it did until the rules reveal it. Illegal actions raise `IllegalMove` and change nothing.
    `max_moves` truncates a match after that many moves of all seats.
    """

    def __init__(
        self,
        game: Game | str,
        players: int | None = None,
        *,
        render_mode: str | None = None,
        max_moves: int | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self.game = game = game_called(game) if isinstance(game, str) else game
        spec = MatchSpec(game, players, options)
        self._match = Match(spec)
        self.render_mode = drawing.check_mode(game, render_mode)
        self.max_moves = check_limit("max_moves", max_moves)
        self.metadata = {
            "name": version_name(game),
            "render_modes": drawing.modes(game),
            "render_fps": 2,
            "is_parallelizable": False,  # by PettingZoo's converter; see `parallel_env`
        }
        self.possible_agents = agent_names(spec.players)
        self.agents: list[str] = []
        self.tokens = spec.tokens
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.action_spaces = {
            agent: Moves(len(self.tokens), LegalNow(self, agent)) for agent in self.possible_agents
        }
        self.observation_spaces = {
            agent: observation_space(spec.tensor_size, len(self.tokens))
            for agent in self.possible_agents
        }
        self._no_moves = np.zeros(len(self.tokens), np.int8)
        self._no_moves.flags.writeable = False
        self._waiting = {"action_mask": self._no_moves}

    def __getattr__(self, name: str) -> Any:
        if name in AFTER_RESET:
            raise AttributeError(f"{name} cannot be accessed before reset")
        raise AttributeError(f"{type(self).__name__} has no {name}")

    def observation_space(self, agent: str) -> Any:
        """A tensor (docs/observations.md) and an action mask."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """All moves of the game by id; `env.tokens` has their names."""
        return self.action_spaces[agent]

    # -- the match goes on ------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Start a match. Without a seed, chance goes on from where it is; options are not used."""
        mask = np.empty(len(self.tokens), np.int8)
        first = self._match.begin(seed, mask)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = dict.fromkeys(self.agents, self._waiting)
        self._skip_agent_selection = None
        self._moves_made = 0
        self._ended = False
        self._ask(first, mask)
        if self.render_mode == "human":
            self.render()

    def step(self, action: Any) -> None:
        """Make a move of the selected agent; None removes an agent whose match has ended."""
        if not self.agents:
            raise DroptableError("there is no match: reset() starts one")
        agent = self.agent_selection
        if self._ended:
            self._was_dead_step(action)
            return
        mask = np.empty(len(self.tokens), np.int8)
        following = self._match.play(action, mask)
        self.infos[agent] = self._waiting
        self._moves_made += 1
        if following == OVER:
            self._end()
        elif self._moves_made == self.max_moves:
            self._cut()
        else:
            self._ask(following, mask)
        if self.render_mode == "human":
            self.render()

    def _ask(self, seat: int, mask: Any) -> None:
        self._mask = mask
        self.agent_selection = agent = self.possible_agents[seat]
        self.infos[agent] = {"action_mask": mask}

    def _end(self) -> None:
        """Give all rewards at once."""
        self._ended = True
        self.terminations = dict.fromkeys(self.agents, True)
        self.rewards = dict(zip(self.agents, self._match.rewards(), strict=True))
        self._cumulative_rewards = self.rewards.copy()
        self.agent_selection = self.agents[0]

    def _cut(self) -> None:
        self._ended = True
        self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0]

    # -- what is seen -----------------------------------------------------------------------------

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees; its mask has moves if it is the one that is asked."""
        if not hasattr(self, "_ended"):
            raise DroptableError("there is no match to observe: reset() starts one")
        return {
            "observation": self._match.tensor(self._seats[agent]),
            "action_mask": self.mask(agent),
        }

    def mask(self, agent: str) -> Any:
        """The moves that an agent has now, 1 for each; no moves if it is not asked."""
        if not self.agents or self._ended or agent != self.agent_selection:
            return self._no_moves.copy()
        return self._mask

    def state(self) -> Any:
        """What all seats see, one after another."""
        return np.concatenate([self._match.tensor(seat) for seat in self._seats.values()])

    def render(self) -> Any:
        """The table, in the chosen mode."""
        return drawing.render(self._match, self.possible_agents, self.render_mode)

    def close(self) -> None:
        """Nothing to release."""


def agent_names(players: int) -> list[str]:
    """`seat_0`, `seat_1` …"""
    return [f"seat_{seat}" for seat in range(players)]


def version_name(game: Game) -> str:
    """`drop_site_v0`: the number is the version of the rules, less one."""
    return f"{game.name.replace('-', '_')}_v{game.version - 1}"


def check_limit(name: str, limit: Any) -> int | None:
    """A limit from 1 up, or None."""
    return None if limit is None else check_count(name, limit)
