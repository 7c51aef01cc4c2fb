"""Nobody waits for a compiler: matches run as plain Python until their machine code is ready.

A process of its own compiles what a table needs, so that no thread stalls and a program that ends
early is not held up; `python -m droptable.core [GAME …]` is its command. `$DROPTABLE_COMPILE`
decides: `background` (default), `now` (compile at first use and wait), `never` (stay plain).
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from droptable.core import loops
from droptable.core.contract import DEALER
from droptable.core.errors import DroptableError

if TYPE_CHECKING:
    from droptable.core.game import Game

_ready: set[str] = set()
_started: set[str] = set()


@cache
def policy() -> str:
    """`background`, `now` or `never`, from the environment."""
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return "never"
    chosen = os.environ.get("DROPTABLE_COMPILE", "background")
    if chosen not in ("background", "now", "never"):
        raise DroptableError(f"DROPTABLE_COMPILE is {chosen!r}; expected background, now or never")
    return chosen


def ready(game: Game) -> bool:
    """Whether the machine code for matches of this game is there; starts making it if not."""
    if game.name in _ready:
        return True
    if policy() == "never":
        return False
    if policy() == "now" or marker(game).exists():
        _ready.add(game.name)
        return True
    if game.name not in _started:
        _started.add(game.name)
        run_in_background("droptable.core", game.name)
    return False


def compile_now(game: Game) -> None:
    """Compile all that a match needs, by playing some moves of one, and note it on disk."""
    _ready.add(game.name)
    state = game.start()
    for _ in range(100):
        for actor in state.to_act[:1]:
            state.view(0).determinize(seed=1)
            tokens = state.legal(actor) if actor != DEALER else [state.chance()[0][0]]
            state.witnesses(actor, tokens[0])
            state.apply(actor, tokens[0])
    _ = state.scores
    done = marker(game)
    done.parent.mkdir(parents=True, exist_ok=True)
    done.touch()


def marker(game: Game, module: ModuleType = loops) -> Path:
    """The file that says that the machine code of a module, for this game, is on disk."""
    folder = game.plain.kernels.cache_folder(module)
    return folder / f"ready-{sys.version_info.major}.{sys.version_info.minor}-{version('numba')}"


def run_in_background(module: str, name: str) -> None:
    """Start a Python module that compiles for a game, as a process of its own."""
    with suppress(OSError):  # no process to be had: plain Python is slow, but right
        subprocess.Popen(
            [sys.executable, "-m", module, name],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"DROPTABLE_COMPILE": "now"},
        )


def main(names: list[str]) -> None:
    """Compile the games of these names, or all of them, and wait."""
    from droptable.games import game, games

    for found in [game(name) for name in names] or games():
        compile_now(found)
