"""Whole matches between bots."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from droptable.bots.levels import LEVELS
from droptable.bots.own import OwnBot
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
    bots: Sequence[Any] | None = None,
    seed: int | None = None,
    **options: Any,
) -> Record:
    """Let bots play a match, one per seat; random ones by default.

    A bot is a name (`make_bot`), a function of a view, or an object with `choose(view)`; of those
    that are not ours, the record's `info` counts the wrong answers. The same seed gives the same
    match.
    """
    state = game.start(players, **options)
    if isinstance(bots, str):
        raise OptionError(f"bots is {bots!r}; expected a list, one bot per seat")
    names = ["random"] * state.players if bots is None else list(bots)
    if len(names) != state.players:
        raise OptionError(f"{len(names)} bots for {state.players} players: {names!r}")
    if any(isinstance(name, str) and name in LEVELS for name in names):
        prepare(game)
    chance = random.Random(seed)
    seats = [make_bot(name, chance.getrandbits(32)) for name in names]
    play_out(state, seats, chance)
    return replace(state.record, info=_mistakes(seats))


def _mistakes(seats: Sequence[Bot]) -> dict[str, str]:
    """How often a legal move was made instead of what a bot had answered, by its seat."""
    return {
        f"wrong answers of seat {seat}": str(bot.mistakes)
        for seat, bot in enumerate(seats)
        if isinstance(bot, OwnBot) and bot.mistakes
    }


def play_out(state: State, seats: Sequence[Bot], dealer: random.Random) -> None:
    """Play a match to its end, one bot per seat."""
    while not state.over:
        actor = state.to_act[0]
        if actor == DEALER:
            state.deal(dealer)
        else:
            state.apply(actor, seats[actor].choose(state.view(actor)))
