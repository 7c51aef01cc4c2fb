"""Whole matches between bots."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from droptable.bots.levels import LEVELS
from droptable.bots.precompile import prepare
from droptable.bots.registry import Bot, make_bot
from droptable.core.contract import DEALER
from droptable.core.errors import OptionError
from droptable.core.game import Game
from droptable.core.record import Record
from droptable.core.state import State


def play(
    game: Game,
    players: int | None = None,
    bots: Sequence[str] | None = None,
    seed: int | None = None,
    **options: Any,
) -> Record:
    """Let bots play a match, one name per seat; random ones by default.

    The same seed gives the same match.
    """
    state = game.start(players, **options)
    names = ["random"] * state.players if bots is None else list(bots)
    if len(names) != state.players:
        raise OptionError(f"{len(names)} bots for {state.players} players: {names!r}")
    if any(name in LEVELS for name in names):
        prepare(game)
    chance = random.Random(seed)
    seats = [make_bot(name, chance.getrandbits(32)) for name in names]
    play_out(state, seats, chance)
    return state.record


def play_out(state: State, seats: Sequence[Bot], dealer: random.Random) -> None:
    """Play a match to its end, one bot per seat."""
    while not state.over:
        actor = state.to_act[0]
        if actor == DEALER:
            state.deal(dealer)
        else:
            state.apply(actor, seats[actor].choose(state.view(actor)))
