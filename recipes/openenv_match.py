"""Every game as an environment of OpenEnv, for training language models that answer in text.

    uvicorn openenv_match:app

serves it; `reset(game="depot", players=4, opponents="greedy", seed=7)` starts a match in which the
learner has seat 0, and `step({"text": "…"})` takes its answer. Answers may have any form that
`droptable.envs.chat` understands; after three without a legal move a random one is made.
"""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from openenv.core.env_server import Action, Environment, Observation, State, create_fastapi_app
from pydantic import Field

from droptable.envs.chat import ChatMatch

AT_ONCE = 64  # sessions, each with a match of its own
SEAT = 0


class Answer(Action):
    """What a model said."""

    text: str


class Conversation(Observation):
    """What the learner may know; the reward is given at the end."""

    messages: list[dict[str, str]] = Field(default_factory=list)
    problem: str = ""  # why the last answer was refused


class MatchEnvironment(Environment[Answer, Conversation, State]):
    """One match of a learner against bots."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._state = State()
        self._match: ChatMatch | None = None

    def reset(
        self, seed: int | None = None, episode_id: str | None = None, **settings: Any
    ) -> Conversation:
        """Start a match: `game`, `players`, `opponents`, `penalty`, the game's options …"""
        settings = {"game": "drop-or-pop", "opponents": "greedy"} | settings
        self._match = ChatMatch(settings.pop("game"), seed=seed, model_seat=SEAT, **settings)
        self._state = State(episode_id=episode_id or str(uuid4()))
        return self._conversation("")

    def step(self, action: Answer, **_: Any) -> Conversation:
        """Take an answer; bots move until it is the learner's turn again."""
        assert self._match is not None, "reset first"
        decision = self._match.answer(SEAT, action.text)
        self._state.step_count += 1
        return self._conversation(decision.problem)

    @property
    def state(self) -> State:
        """The episode, and how many answers it had."""
        return self._state

    def _conversation(self, problem: str) -> Conversation:
        assert self._match is not None
        done = self._match.over
        return Conversation(
            messages=self._match.messages(SEAT), problem=problem, done=done,
            reward=self._match.outcome.rewards[SEAT] if done else 0.0,
        )  # fmt: skip


app = create_fastapi_app(MatchEnvironment, Answer, Conversation, max_concurrent_envs=AT_ONCE)
