"""Nobody waits for a compiler: matches run as plain Python until their machine code is ready.

A process of its own compiles what a table needs, so that no thread stalls and a program that ends
early is not held up; `python -m droptable.core [GAME …]` is its command. `$DROPTABLE_COMPILE`
decides: `background` (default), `now` (compile at first use and wait), `never` (stay plain).
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

import numpy as np

from droptable.core import loops
from droptable.core.bits import lowest_bit
from droptable.core.chance import below, generators
from droptable.core.compile import cache_root
from droptable.core.contract import DEALER, DEALER_ACTS, MOST_SEATS
from droptable.core.errors import DroptableError, GameError
from droptable.core.options import resolve

if TYPE_CHECKING:
    from droptable.core.engine import Engine
    from droptable.core.game import Game

REHEARSED_EVENTS = 150  # of a match at the fewest players, and of one at the most

_ready: WeakSet[Game] = WeakSet()
_started: WeakSet[Game] = WeakSet()
_rehearsed: WeakSet[Game] = WeakSet()


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
    if game in _ready:
        return True
    if policy() == "never":
        return False
    if policy() == "now":
        rehearse(game)
        _ready.add(game)
        return True
    if noted(marker(game)):
        _ready.add(game)
        return True
    if game not in _started:
        _started.add(game)
        if game.everywhere:
            run_in_background("droptable.core", game.name)
        else:
            threading.Thread(target=_compile_here, args=(game,), daemon=True).start()
    return False


def _compile_here(game: Game) -> None:
    """Compile what a match needs in this process: no other one knows the game."""
    with suppress(GameError):  # it stays plain, where it says the same when it is played
        rehearse(game)
        _rehearse(game, game.players[0], game.compiled)
        note(marker(game))
        _ready.add(game)


def compile_now(game: Game) -> None:
    """Compile all that a match needs, by playing some moves of one, and note it on disk."""
    rehearse(game)
    _ready.add(game)
    state = game.start()
    for _ in range(100):
        for actor in state.to_act[:1]:
            state.view(0).determinize(seed=1)
            tokens = state.legal(actor) if actor != DEALER else [state.chance()[0][0]]
            state.witnesses(actor, tokens[0])
            state.apply(actor, tokens[0])
    _ = state.scores
    note(marker(game))


def marker(game: Game, *functions: Callable[..., Any]) -> Path:
    """The file that says that the machine code of some functions is on disk; by default, all that
    a match needs."""
    return cache_root() / "ready" / game.compiled.kernels.digest(*(functions or loops.MATCH))


def noted(marker: Path) -> bool:
    """Whether something was noted on disk."""
    try:
        return bool(marker.read_bytes())  # read, so that it counts as used like what it stands for
    except OSError:
        return False


def note(marker: Path) -> None:
    """Note something on disk."""
    marker.parent.mkdir(parents=True, exist_ok=True)
    marker.write_bytes(b"1")


def rehearse(game: Game) -> None:
    """Play a little as plain Python, where an index out of range is an error and not a crash.

    Machine code trusts its rules; so a game that breaks its own arrays is refused before
    (`GameError`). Done once for what is compiled, and noted on disk.
    """
    if game in _rehearsed:
        return
    done = cache_root() / "rehearsed" / marker(game).name
    if not noted(done):
        for players in sorted({game.players[0], game.players[-1]}):
            _rehearse(game, players, game.plain)
        note(done)
    _rehearsed.add(game)


def _rehearse(game: Game, players: int, engine: Engine) -> None:
    """Play random events with one engine; `GameError` says what fails, and where."""
    values = resolve(game.name, game.options, {})
    vocabulary = game.vocabulary(values)
    random = generators(1, 1)
    doing = "setup"
    event = 0
    try:
        states = game.blank(players, values)
        engine.start_at(states, 0)
        for event in range(REHEARSED_EVENTS):  # noqa: B007
            doing = "to_act"
            actors = engine.to_act_at(states, 0)
            if not actors:
                break
            ids, weights = vocabulary.room()
            actor = DEALER if actors == DEALER_ACTS else lowest_bit(actors)
            if actor == DEALER:
                doing, tokens = "chance", vocabulary.outcomes
                count = engine.chance_at(states, 0, ids, weights)
            else:
                doing, tokens = "legal", vocabulary.actions
                count = engine.legal_at(states, 0, actor, ids)
            chosen = ids[:count].tolist()
            if not chosen or not all(0 <= i < len(tokens) for i in chosen):
                raise IndexError(f"it lists {chosen}; expected ids from 0 to {len(tokens) - 1}")
            doing = "witnesses"
            engine.witnesses_at(states, 0, actor, chosen[0])
            doing = "observe or determinize"
            view = states.copy()
            engine.observe_at(view, 0, 0)
            engine.determinize_at(view, 0, 0, random)
            doing = "apply"
            engine.apply_at(states, 0, actor, chosen[below(random, len(chosen))])
        doing = "scores or winners"
        engine.result_at(states, 0, np.zeros(MOST_SEATS, np.int32))
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
        raise GameError(
            f"{game.name}: {doing} fails with {players} players, at event {event}: {problem}"
        ) from error


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
    from droptable.core.registry import game, games

    for wanted in [game(name) for name in names] or games():
        compile_now(wanted)
