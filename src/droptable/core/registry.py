"""All games by name. Droptable registers its own in `droptable.games`; others are found here.

Another package adds a game by an entry point of the group `droptable.games` that names a `Game`; a
file that defines a `GAME` is added by `$DROPTABLE_GAMES` (several are separated as in `$PATH`).
"""

from __future__ import annotations

import importlib.util
import os
import sys
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from droptable.core.errors import OptionError, UnknownGame
from droptable.core.game import Game
from droptable.core.language import _

_registered: dict[str, Game] = {}


def register(*games: Game, everywhere: bool = False) -> None:
    """Add games to the list; `OptionError` if another game has the same name.

    Games that are known `everywhere` are those that other processes find by their name, too.
    """
    for game in games:
        if _registered.setdefault(game.name, game) is not game:
            raise OptionError(f"two games are called {game.name!r}")
        game.everywhere = everywhere


def games() -> tuple[Game, ...]:
    """All games that can be played: our own, then those of other packages and files."""
    _register_added()
    return tuple(_registered.values())


def game(name: str) -> Game:
    """The game of that name; `UnknownGame` lists the names there are."""
    if name not in _registered:  # else not even looking for others: they may be asking for this one
        _register_added()
    if name in _registered:
        return _registered[name]
    known = ", ".join(candidate.name for candidate in games())
    raise UnknownGame(
        _("there is no game {name}; games: {known}").format(name=repr(name), known=known)
    )


def registered(candidate: Game) -> bool:
    """Whether a game is found by its name."""
    _register_added()
    return _registered.get(candidate.name) is candidate


@cache
def _register_added() -> None:
    """Register the games of other packages and files, once."""
    for point in entry_points(group="droptable.games"):
        added = _checked(_load_point(point), f"the entry point {point.value!r}")
        register(added, everywhere=True)
    for file in filter(None, os.environ.get("DROPTABLE_GAMES", "").split(os.pathsep)):
        added = _checked(_load_file(Path(file)), f"DROPTABLE_GAMES names {file!r}, whose GAME")
        register(added, everywhere=True)


def _load_file(file: Path) -> object:
    """The `GAME` in a Python file, imported under the file's name."""
    where = f"DROPTABLE_GAMES names {str(file)!r}"
    spec = importlib.util.spec_from_file_location(file.stem, file)
    if not file.is_file() or spec is None or spec.loader is None:
        raise OptionError(f"{where}; expected a Python file")
    if file.stem not in sys.modules:
        module = importlib.util.module_from_spec(spec)
        sys.modules[file.stem] = module
        try:
            spec.loader.exec_module(module)
        except Exception as error:
            del sys.modules[file.stem]
            raise OptionError(f"{where}, which fails: {_first_line(error)}") from error
    module = sys.modules[file.stem]
    if Path(getattr(module, "__file__", None) or "").resolve() != file.resolve():
        raise OptionError(f"{where}, but another module is called {file.stem!r}: rename the file")
    return getattr(module, "GAME", None)


def _load_point(point: EntryPoint) -> object:
    """What another package's entry point names."""
    try:
        return point.load()
    except Exception as error:
        raise OptionError(f"the entry point {point.value!r} fails: {_first_line(error)}") from error


def _first_line(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".split("\n")[0]


def _checked(candidate: object, where: str) -> Game:
    if not isinstance(candidate, Game):
        raise OptionError(f"{where} is {candidate!r}; expected a droptable Game")
    return candidate
