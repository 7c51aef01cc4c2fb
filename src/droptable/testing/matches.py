"""What is played to check a game: random matches of every variant."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from droptable.core.contract import DEALER
from droptable.core.game import Game
from droptable.core.state import State

NAMES = ("Ann", "Bartholomew <b>&amp;", "C", "Dimitri Karamasow", "Ève", "F\"F'", "G", "H")


def variants(game: Game) -> Iterator[dict[str, Any]]:
    """The defaults, then each option at each end of its range."""
    yield {}
    for name, option in game.options.items():
        yield from ({name: value} for value in option.extremes() if value != option.default)


def random_match(state: State, chance: random.Random) -> Iterator[State]:
    """Play on at random, in place: the state before each event, and at the end."""
    while not state.over:
        yield state
        actor = chance.choice(state.to_act)
        if actor == DEALER:
            state.deal(chance)
        else:
            state.apply(actor, chance.choice(state.legal(actor)))
    yield state
