"""All games, in one list: names, docs, tests, command line and lobby derive from it.

Other packages add theirs by an entry point of the group `droptable.games` that names a `Game`; a
file with a `GAME` is added by `$DROPTABLE_GAMES` (several are separated as in `$PATH`).
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
from droptable.games.depot import GAME as DEPOT
from droptable.games.drop import GAME as DROP
from droptable.games.drop_or_pop import GAME as DROP_OR_POP
from droptable.games.drop_site import GAME as DROP_SITE
from droptable.games.number_drop import GAME as NUMBER_DROP

OWN: tuple[Game, ...] = (DROP_SITE, NUMBER_DROP, DROP, DEPOT, DROP_OR_POP)


@cache
def games() -> tuple[Game, ...]:
    """All games that can be played: our own, then those of other packages and files."""
    found = list(OWN)
    for point in entry_points(group="droptable.games"):
        found.append(_checked(_load_point(point), f"the entry point {point.value!r}"))
    for file in filter(None, os.environ.get("DROPTABLE_GAMES", "").split(os.pathsep)):
        found.append(_checked(_load(Path(file)), f"DROPTABLE_GAMES names {file!r}, whose GAME"))
    names = [game.name for game in found]
    for name in names:
        if names.count(name) > 1:
            raise OptionError(f"two games are called {name!r}")
    return tuple(found)


def game(name: str) -> Game:
    """The game of that name; `UnknownGame` says which there are."""
    for candidate in games():
        if candidate.name == name:
            return candidate
    known = ", ".join(candidate.name for candidate in games())
    raise UnknownGame(
        _("there is no game {name}; games: {known}").format(name=repr(name), known=known)
    )


def _load(file: Path) -> object:
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
            raise OptionError(f"{where}, which fails: {_told(error)}") from error
    found = sys.modules[file.stem]
    if Path(getattr(found, "__file__", None) or "").resolve() != file.resolve():
        raise OptionError(f"{where}, but another module is called {file.stem!r}: rename the file")
    return getattr(found, "GAME", None)


def _load_point(point: EntryPoint) -> object:
    """What another package's entry point names."""
    try:
        return point.load()
    except Exception as error:
        raise OptionError(f"the entry point {point.value!r} fails: {_told(error)}") from error


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".split("\n")[0]


def _checked(found: object, where: str) -> Game:
    if not isinstance(found, Game):
        raise OptionError(f"{where} is {found!r}; expected a droptable Game")
    return found
