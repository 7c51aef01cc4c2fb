"""A variant of a game, as OpenSpiel asks for it."""

from __future__ import annotations

from typing import Any

import pyspiel

from droptable.core.game import Game
from droptable.envs.openspiel.bounds import most_deals, most_moves, solo_scores
from droptable.envs.openspiel.observer import Observer, PrivateObserver, RecallingObserver
from droptable.envs.openspiel.state import OpenSpielState
from droptable.envs.openspiel.variant import (
    Variant,
    parameters_of,
    short_name,
    variant_of,
)


class OpenSpielGame(pyspiel.Game):  # type: ignore[misc]
    """One variant: a game, with its player count and options. Each game has a class of its own."""

    game: Game

    def __init__(self, parameters: dict[str, Any] | None = None) -> None:
        self.variant = variant_of(self.game, parameters or {})
        super().__init__(
            type_of(self.game, self.variant.players), _info_of(self.variant), parameters or {}
        )

    def new_initial_state(self, *_: Any) -> OpenSpielState:
        """The start of a match."""
        return OpenSpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        """No match has more events of the dealer."""
        return most_deals(self.game, self.variant.players, self.variant.options)

    def make_py_observer(
        self,
        kind: Any = None,
        params: Any = None,  # noqa: ARG002
    ) -> Observer | PrivateObserver | None:
        """What a seat sees or remembers, a spectator sees, or only a seat; None for other kinds."""
        if not isinstance(kind, pyspiel.IIGObservationType):
            return Observer(self.variant, private=True)
        whose = pyspiel.PrivateInfoType
        match kind.public_info, kind.private_info == whose.SINGLE_PLAYER, kind.perfect_recall:
            case True, True, True:
                return RecallingObserver(self.variant)
            case True, True, False:
                return Observer(self.variant, private=True)
            case False, True, False:
                return PrivateObserver(self.variant)
        if kind.public_info and kind.private_info == whose.NONE and not kind.perfect_recall:
            return Observer(self.variant, private=False)
        return None


def type_of(game: Game, players: int) -> pyspiel.GameType:
    """What kind of game it is, at a player count."""
    kind = pyspiel.GameType
    dealt = game.vocabulary({name: o.default for name, o in game.options.items()}).outcomes
    return kind(
        short_name=short_name(game),
        long_name=game.title,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC if dealt else kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.IMPERFECT_INFORMATION
        if game.hides
        else kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.GENERAL_SUM if players == 1 else kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=game.players[-1],
        min_num_players=game.players[0],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters_of(game),
    )


def _info_of(variant: Variant) -> pyspiel.GameInfo:
    solo = variant.players == 1
    low, high = solo_scores(variant.game) if solo else (-1 / (variant.players - 1), 1)
    return pyspiel.GameInfo(
        num_distinct_actions=len(variant.tokens),
        max_chance_outcomes=len(variant.outcomes),
        num_players=variant.players,
        min_utility=float(low),
        max_utility=float(high),
        utility_sum=None if solo else 0.0,
        max_game_length=most_moves(variant.game, variant.players, variant.options),
    )
