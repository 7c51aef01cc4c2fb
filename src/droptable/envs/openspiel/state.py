"""A match at one moment, as OpenSpiel asks for it."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import TYPE_CHECKING

import pyspiel

from droptable.core.contract import DEALER, NOBODY
from droptable.envs.openspiel.match import OVER, Match

if TYPE_CHECKING:
    from droptable.envs.openspiel.game import OpenSpielGame


class OpenSpielState(pyspiel.State):  # type: ignore[misc]
    """A node of the game tree. OpenSpiel copies and serialises it by its only attribute."""

    def __init__(self, game: OpenSpielGame) -> None:
        super().__init__(game)
        self.match = Match(game.variant)

    def current_player(self) -> int:
        """The seat to act, or OpenSpiel's number for chance or the end."""
        return self.match.actor

    def is_terminal(self) -> bool:
        """Whether the match has ended."""
        return self.match.actor == OVER

    def _legal_actions(self, player: int) -> list[int]:  # noqa: ARG002
        return self.match.legal()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What the dealer may do, with probabilities."""
        assert self.match.actor == DEALER
        return self.match.chance()

    def _apply_action(self, action: int) -> None:
        self.match.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.match.token(player, action)

    def returns(self) -> list[float]:
        """What the match is worth to each seat; nothing before its end."""
        variant = self.match.variant
        if self.match.actor != OVER:
            return [0.0] * variant.players
        return variant.rewards(self.match.data)

    def resample_from_infostate(self, player: int, uniform: Callable[[], float]) -> OpenSpielState:
        """A state that a seat cannot tell from this one; `uniform` gives numbers below 1."""
        sample: OpenSpielState = self.get_game().new_initial_state()
        sample.match = self.match.resampled(player, uniform)
        return sample

    def __str__(self) -> str:
        match = self.match
        drawn = match.variant.game.words.draw(match.data[0], NOBODY)
        return f"{drawn}\nstate {mark(match.data.tobytes())}"


def mark(record: bytes) -> str:
    """What tells a record from another that is drawn alike."""
    return blake2b(record, digest_size=8).hexdigest()
