"""Whole matches between bots."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from droptable.bots.base import make_bot
from droptable.bots.levels import LEVELS
from droptable.bots.ready import prepare
from droptable.core.contract import DEALER
from droptable.core.errors import OptionError
from droptable.core.game import Game
from droptable.core.record import Record


def play(
    game: Game,
    players: int | None = None,
    bots: Sequence[str] | None = None,
    seed: int | None = None,
    **options: Any,
) -> Record:
    """Let bots play a match, one name a seat; random ones by default.

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
    while not state.over:
        actor = state.to_act[0]
        if actor == DEALER:
            state.deal(chance)
        else:
            state.apply(actor, seats[actor].choose(state.view(actor)))
    return state.record
