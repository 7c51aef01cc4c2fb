"""Bots that people bring: functions, objects, `package.module:Name`, `bot.py:Name`, programs, and
networks in files.

They get a view, as all bots do. What they answer is checked: a wrong answer, or an error, is logged
and counted, and any legal move is made instead.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import logging
import random
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

from droptable.bots.checkpoint import SUFFIXES, CheckpointBot, Misfit
from droptable.bots.guided_search import GuidedBot, guided_name
from droptable.bots.program import PROGRAM, ProgramBot
from droptable.core.errors import DroptableError, OptionError
from droptable.core.state import View

Choose: TypeAlias = Callable[[View], str]
# `package.module:Name`, or a file of Python and a name in it.
PLACE = re.compile(r"(?P<where>[\w.]+|.+\.py):(?P<name>[A-Za-z_]\w*)")
MOST_TOLD = 3  # wrong answers of a bot that are logged one by one

log = logging.getLogger("droptable.bots")


class WrongAnswer(DroptableError):
    """A bot's answer that is no legal move."""


class OwnBot:
    """Somebody's own bot, whose answers are checked. `mistakes` counts those that were replaced.
    Some say how good they find each move, by `values(view)`."""

    def __init__(
        self,
        name: str,
        choose: Choose,
        seed: int | None = None,
        values: Callable[[View], Any] | None = None,
    ) -> None:
        self.name = name
        self.mistakes = 0
        self.values = values
        self._choose = choose
        self._random = random.Random(seed)

    def choose(self, view: View) -> str:
        """What the bot chooses; where that is no legal move, any that is."""
        try:
            return self.ask(view)
        except Misfit:
            raise
        except Exception as error:  # whatever somebody's code may raise
            wrong = isinstance(error, WrongAnswer)
            problem = str(error) if wrong else f"{type(error).__name__}: {error}"
            return self._instead(view.legal, problem)

    def ask(self, view: View) -> str:
        """What the bot chooses; `WrongAnswer` if that is no legal move, or whatever it raises."""
        token = self._choose(view)
        legal = view.legal
        if isinstance(token, str) and token in legal:
            return token
        said = f"{token!r:.80}"
        if isinstance(token, str):
            raise WrongAnswer(f"it chose {said}: {view.why(token)}")
        raise WrongAnswer(f"it chose {said}; expected a token, such as {legal[0]!r}")

    def _instead(self, legal: list[str], problem: str) -> str:
        self.mistakes += 1
        if self.mistakes <= MOST_TOLD:
            more = "; further ones are only counted" if self.mistakes == MOST_TOLD else ""
            log.warning("bot %s: %s; another move is made instead%s", self.name, problem, more)
        return self._random.choice(legal)


def looks_own(name: str) -> bool:
    """Whether a text names a bot that somebody brings; nothing is loaded."""
    return name.startswith(PROGRAM) or name.endswith(SUFFIXES) or bool(PLACE.fullmatch(name))


def own_bot(bot: Any, seed: int | None = None) -> OwnBot | None:
    """Somebody's own bot; None for a text that does not look like one."""
    if not isinstance(bot, str):
        return _made(bot, _name_of(bot), seed)
    if (guided := guided_name(bot)) is not None:
        seconds, iterations, path = guided.groups()
        thinks = GuidedBot(
            path, seed, seconds=float(seconds) if seconds else None,
            iterations=int(iterations) if iterations else None,
        )  # fmt: skip
        return _made(thinks, bot, seed)
    if bot.endswith(SUFFIXES):
        return _made(CheckpointBot(bot), bot, seed)
    if bot.startswith(PROGRAM):
        return OwnBot(bot, ProgramBot(bot.removeprefix(PROGRAM), seed).choose, seed)
    return _made(load_object(bot), bot, seed) if PLACE.fullmatch(bot) else None


def load_object(spec: str) -> Any:
    """What `package.module:Name` or `file.py:Name` names; `OptionError` if that fails."""
    place = PLACE.fullmatch(spec)
    if place is None:
        raise OptionError(f"{spec!r} is no place of code; expected module:Name or file.py:Name")
    return _load(spec, place["where"], place["name"])


def _made(bot: Any, name: str, seed: int | None) -> OwnBot:
    """A bot that is asked by its method `choose`, or called. A class is made an object first."""
    if inspect.isclass(bot):
        try:
            given = {"seed": seed} if "seed" in inspect.signature(bot).parameters else {}
            bot = bot(**given)
        except Exception as error:
            raise OptionError(f"bot {name} cannot be made: {error}") from error
    choose = getattr(bot, "choose", bot)
    if not callable(choose):
        raise OptionError(
            f"bot {name} is {bot!r:.80}; expected a function of a view, an object with "
            "choose(view), or a bot's name"
        )
    return OwnBot(name, choose, seed, getattr(bot, "values", None))


def _name_of(bot: Any) -> str:
    return str(getattr(bot, "__name__", None) or type(bot).__name__)


def _load(spec: str, where: str, name: str) -> Any:
    """What a module or a file of Python calls by this name."""
    try:
        module = (
            _from_file(Path(where)) if where.endswith(".py") else importlib.import_module(where)
        )
    except Exception as error:  # whatever the module raises
        raise OptionError(f"bot {spec!r} cannot be loaded: {error}") from error
    if not hasattr(module, name):
        raise OptionError(f"bot {spec!r}: {where} has no {name}")
    return getattr(module, name)


def _from_file(path: Path) -> Any:
    file = path.resolve()
    key = f"droptable_own_bot {file}"
    if key not in sys.modules:
        if not file.is_file():
            raise OptionError(f"there is no file {path}")
        spec = importlib.util.spec_from_file_location(key, file)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        sys.modules[key] = module
    return sys.modules[key]
