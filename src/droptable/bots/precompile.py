"""Nobody waits for bots to be compiled: levels play by plain instinct until search is ready.

Machine code for greedy and search is made once, by a process of its own (seconds, for Number Drop's
whole turns about a minute), and loaded in each process by a thread (a second or two).
`python -m droptable.bots [GAME …]` compiles ahead.
"""

from __future__ import annotations

import random
import sys
import threading
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from droptable.bots.players import GreedyBot, SearchBot
from droptable.bots.search import kind_of_search
from droptable.core import precompile
from droptable.core.contract import DEALER
from droptable.core.game import Game
from droptable.games import game, games

_loaded: set[str] = set()
_loading: set[str] = set()  # by a thread of this process
_compiling: set[str] = set()  # by another process


def bots_ready(found: Game) -> bool:
    """Whether a game's bots can think at full speed in this process; if not, sees to it.

    Where the compile policy is `never` they never can; where it is `now` they are made ready first.
    """
    if found.name in _loaded:
        return True
    if precompile.policy() == "never":
        return False
    if precompile.policy() == "now":
        prepare(found)
        return True
    if precompile.noted(_marker(found)):
        if found.name not in _loading:
            _loading.add(found.name)
            threading.Thread(target=_load, args=(found,)).start()
    elif found.name not in _compiling:
        _compiling.add(found.name)
        precompile.run_in_background("droptable.bots", found.name)
    return False


def prepare(found: Game) -> None:
    """Make a game's bots ready and wait for it, unless nothing is to be compiled."""
    if found.name not in _loaded and precompile.policy() != "never":
        _load(found)


def _load(found: Game) -> None:
    """Let the bots choose a first move with compiled kernels; note that it works."""
    precompile.compile_now(found)
    state = found.start()
    chance = random.Random(1)
    while state.to_act[0] == DEALER or len(state.legal(state.to_act[0])) < 2:
        actor = state.to_act[0]
        if actor == DEALER:
            state.deal(chance)
        else:
            state.apply(actor, state.legal(actor)[0])
    view = state.view(state.to_act[0])
    GreedyBot(1).choose(view, found.compiled)
    SearchBot(1, iterations=2, cores=1).choose(view)
    _loaded.add(found.name)
    precompile.note(_marker(found))


def _marker(found: Game) -> Path:
    kind = sys.modules[kind_of_search(found).__module__]
    return precompile.marker(found, kind.grow if hasattr(kind, "grow") else kind.try_turns)


def main(names: list[str]) -> None:
    """Compile the rules and bots of these games, or of all, on all cores, and wait."""
    wanted = [game(name) for name in names] or games()
    if len(wanted) == 1:
        _load(wanted[0])
        return
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        for done in [pool.submit(_load, found) for found in wanted]:
            done.result()
