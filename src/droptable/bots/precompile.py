"""Nobody waits for bots to be compiled: levels play by their heuristic until search is ready.

Machine code for greedy and search is made once, by another process (in seconds; Number Drop's whole
turns take about a minute), and loaded in each process by a thread (in a second or two).
`python -m droptable.bots [GAME …]` compiles ahead of time.
"""

from __future__ import annotations

import random
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


def bots_ready(wanted: Game) -> bool:
    """Whether a game's bots run at full speed in this process; if not, starts to make them ready.

    Never, where the compile policy is `never`; where it is `now`, this waits until they are.
    """
    if wanted.name in _loaded:
        return True
    if precompile.policy() == "never":
        return False
    if precompile.policy() == "now":
        prepare(wanted)
        return True
    if not wanted.everywhere or precompile.noted(_marker(wanted)):
        if wanted.name not in _loading:
            _loading.add(wanted.name)
            threading.Thread(target=_load, args=(wanted,), daemon=True).start()
    elif wanted.name not in _compiling:
        _compiling.add(wanted.name)
        precompile.run_in_background("droptable.bots", wanted.name)
    return False


def prepare(wanted: Game) -> None:
    """Make a game's bots ready and wait for it, unless nothing may be compiled."""
    if wanted.name not in _loaded and precompile.policy() != "never":
        _load(wanted)


def _load(wanted: Game) -> None:
    """Let the bots choose a first move with compiled kernels, then leave a marker on disk."""
    precompile.compile_now(wanted)
    state = wanted.start()
    chance = random.Random(1)
    while state.to_act[0] == DEALER or len(state.legal(state.to_act[0])) < 2:
        actor = state.to_act[0]
        if actor == DEALER:
            state.deal(chance)
        else:
            state.apply(actor, state.legal(actor)[0])
    view = state.view(state.to_act[0])
    GreedyBot(1).choose(view, wanted.compiled)
    SearchBot(1, iterations=2, cores=1).choose(view)
    _loaded.add(wanted.name)
    precompile.note(_marker(wanted))


def _marker(wanted: Game) -> Path:
    return precompile.marker(wanted, *kind_of_search(wanted).kernels)


def main(names: list[str]) -> None:
    """Compile the rules and bots of these games, or of all, on all cores, and wait."""
    chosen = [game(name) for name in names] or games()
    if len(chosen) == 1:
        _load(chosen[0])
        return
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        for done in [pool.submit(_load, wanted) for wanted in chosen]:
            done.result()
