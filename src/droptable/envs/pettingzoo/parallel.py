"""A match as a PettingZoo parallel environment: every seat acts, or waits, in every step."""

from __future__ import annotations

from typing import Any

import numpy as np
from pettingzoo import ParallelEnv

from droptable.core.errors import DroptableError, IllegalMove, OptionError
from droptable.core.game import Game
from droptable.core.match import Match, MatchSpec, action_id
from droptable.envs import drawing
from droptable.envs.pettingzoo.aec import agent_names, check_limit, version_name
from droptable.envs.spaces import LegalNow, Moves, observation_space
from droptable.games import game as game_called


class ParallelTableEnv(ParallelEnv):  # type: ignore[misc]
    """Any game. One step is one decision of every seat that has one, made unseen by the others.

    The last action, `wait`, is the only one of seats that have no decision. So a turn-based game
    asks one seat per step, Number Drop all that are still dropping. An illegal action raises an
    error, and the whole step changes nothing. In a game where simultaneous moves can conflict,
    lower seats come first, and a move that has become impossible is skipped:
    `infos[agent]` is then `{"late": True}` (none of our own games is like that).
    """

    def __init__(
        self,
        game: Game | str,
        players: int | None = None,
        *,
        render_mode: str | None = None,
        max_cycles: int | None = None,
        **options: Any,
    ) -> None:
        self.game = game = game_called(game) if isinstance(game, str) else game
        spec = MatchSpec(game, players, options)
        self._match = Match(spec)
        self.render_mode = drawing.check_mode(game, render_mode)
        self.max_cycles = check_limit("max_cycles", max_cycles)
        self.metadata = {
            "name": version_name(game),
            "render_modes": drawing.modes(game),
            "render_fps": 2,
        }
        self.possible_agents = agent_names(spec.players)
        self.agents: list[str] = []
        self.tokens = (*spec.tokens, "wait")
        self.wait = len(spec.tokens)
        self.action_spaces = {
            agent: Moves(len(self.tokens), LegalNow(self, agent)) for agent in self.possible_agents
        }
        self.observation_spaces = {
            agent: observation_space(spec.tensor_size, len(self.tokens))
            for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> Any:
        """A tensor (docs/observations.md) and an action mask."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """All moves of the game by id, then `wait`; `env.tokens` has their names."""
        return self.action_spaces[agent]

    # -- the match goes on ------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:  # noqa: ARG002
        """Start a match. Without a seed, chance goes on from where it is; options are not used."""
        self._match.begin(seed, np.zeros(len(self.tokens), np.int8))
        self.agents = self.possible_agents[:]
        self._cycles = 0
        if self.render_mode == "human":
            self.render()
        return self._seen(set())

    def step(self, actions: dict[str, Any]) -> Any:
        """Make the moves of all agents; those without a decision `wait`."""
        if not self.agents:
            raise DroptableError("there is no match: reset() starts one")
        late = self._match.play_together(self._moves(actions))
        self._cycles += 1
        over = not self._match.to_act
        cut = not over and self._cycles == self.max_cycles
        given = self._match.rewards() if over else [0.0] * len(self.agents)
        rewards = dict(zip(self.agents, given, strict=True))
        terminations = dict.fromkeys(self.agents, over)
        truncations = dict.fromkeys(self.agents, cut)
        observations, infos = self._seen(late)
        if over or cut:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return observations, rewards, terminations, truncations, infos

    def _moves(self, actions: dict[str, Any]) -> dict[int, int]:
        """The moves by seat, of those that do not wait."""
        if set(actions) != set(self.agents):
            raise OptionError(f"actions of {sorted(actions)}; expected one of each agent")
        asked = self._match.to_act
        moves = {}
        for seat, agent in enumerate(self.agents):
            action = action_id(actions[agent])
            if seat in asked:
                moves[seat] = self._not_waiting(seat, action)
            elif action != self.wait:
                rule = self.game.words.turn_rule
                raise IllegalMove(f"{agent} is not to act: it waits", rule, seat, str(action))
        return moves

    def _not_waiting(self, seat: int, action: int) -> int:
        if action == self.wait:
            rule = self.game.words.turn_rule
            raise IllegalMove(f"{self.agents[seat]} is to act: it cannot wait", rule, seat, "wait")
        return action

    # -- what is seen -----------------------------------------------------------------------------

    def _seen(self, late: set[int]) -> tuple[dict[str, Any], dict[str, Any]]:
        observations, infos = {}, {}
        for seat, agent in enumerate(self.agents):
            mask = self.mask(agent)
            observations[agent] = {"observation": self._match.tensor(seat), "action_mask": mask}
            infos[agent] = {"late": True} if seat in late else {}  # TorchRL wants the mask once
        return observations, infos

    def mask(self, agent: str) -> Any:
        """The actions that an agent has now, 1 for each: its moves, or `wait`."""
        mask = np.zeros(len(self.tokens), np.int8)
        seat = self.possible_agents.index(agent)
        if self.agents and seat in self._match.to_act:
            self._match.mark(seat, mask)
        else:
            mask[self.wait] = 1
        return mask

    def state(self) -> Any:
        """What all seats see, one after another."""
        seats = range(len(self.possible_agents))
        return np.concatenate([self._match.tensor(seat) for seat in seats])

    def render(self) -> Any:
        """The table, in the chosen mode."""
        return drawing.render(self._match, self.possible_agents, self.render_mode)

    def close(self) -> None:
        """Nothing to release."""
