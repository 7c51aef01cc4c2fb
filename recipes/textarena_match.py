"""Every game as an environment of TextArena: `textarena.make("droptable/DropSite-v0")`.

Importing this module registers all games. A player is first told the rules; then, and before each
further decision, what has happened, how things stand, and its legal moves. Answers may have any
form that `droptable.envs.chat` understands; after three without a legal move a random one is made.
"""

from __future__ import annotations

from typing import Any

import textarena
from textarena import GAME_ID, ObservationType
from textarena.envs.registration import ENV_REGISTRY

from droptable.envs.chat import ChatMatch
from droptable.games import games


class TextArenaMatch(textarena.Env):
    """One match among players that read and write."""

    def __init__(self, game: str, **settings: Any) -> None:
        self.game = game
        self._settings = settings
        self._told: set[int] = set()  # who knows the rules

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Start a match."""
        self.match = ChatMatch(self.game, num_players, seed=seed, history=0, **self._settings)
        self._told.clear()

    def get_observation(self) -> tuple[int, list[tuple[int, str, ObservationType]]]:
        """Who decides now, and what it has not been told yet."""
        seat = self.match.seat
        assert seat is not None, "the match is over"
        rules, now = (message["content"] for message in self.match.messages(seat))
        told = [(GAME_ID, now, ObservationType.GAME_BOARD)]
        if seat not in self._told:
            told.insert(0, (GAME_ID, rules, ObservationType.PROMPT))
        self._told.add(seat)
        return seat, told

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Take an answer; whether the match is over, and why the answer was refused if it was."""
        seat = self.match.seat
        assert seat is not None, "the match is over"
        decision = self.match.answer(seat, action)
        return self.match.over, {"reason": decision.problem} if decision.problem else {}

    def close(self) -> tuple[dict[int, float], dict[int, dict[str, Any]]]:
        """Rewards and counts by player."""
        outcome = self.match.outcome
        about = {
            seat: {"invalid_move": bool(refused), "refused": refused, "score": score}
            for seat, (refused, score) in enumerate(
                zip(outcome.refused, outcome.scores, strict=True)
            )
        }
        return dict(enumerate(outcome.rewards)), about


def register_all() -> None:
    """Enter all games into TextArena's registry."""
    for game in games():
        name = "".join(part.capitalize() for part in game.name.split("-"))
        known = f"droptable/{name}-v{game.version - 1}"
        if known not in ENV_REGISTRY:
            as_text = [textarena.wrappers.LLMObservationWrapper]
            textarena.register(known, TextArenaMatch, as_text, game=game.name)


register_all()
