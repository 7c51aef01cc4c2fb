"""`python -m droptable.bots.ready [GAME …]`: compile what matches, greedy and search need."""

from __future__ import annotations

import random
import sys

from droptable.bots.base import make_bot
from droptable.core.contract import DEALER
from droptable.core.game import Game
from droptable.core.warm import compile_now
from droptable.games import game, games


def compile_bots(found: Game) -> None:
    """Compile a game's rules and its bots, by letting them choose a first move."""
    compile_now(found)
    state = found.start()
    chance = random.Random(1)
    while state.to_act[0] == DEALER or len(state.legal(state.to_act[0])) < 2:
        actor = state.to_act[0]
        if actor == DEALER:
            state.deal(chance)
        else:
            state.apply(actor, state.legal(actor)[0])
    view = state.view(state.to_act[0])
    for name in ("greedy", "search:2"):
        make_bot(name, seed=1, cores=1).choose(view)


if __name__ == "__main__":
    for wanted in [game(name) for name in sys.argv[1:]] or games():
        compile_bots(wanted)
