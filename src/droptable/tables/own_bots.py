"""Bots that the host of a server brings to its tables: their names, and where they are.

Only the host says where a bot is (`DROPTABLE_BOTS`, `droptable serve --bot`). Others choose a name.
Each bot has a process of its own, which gets a view and nothing else. One that fails is not asked
again for a while, and longer each time; see `BotPool` for who plays meanwhile.
"""

from __future__ import annotations

import logging
import os
import re
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping

from droptable.bots.levels import ADVISER
from droptable.bots.own import OwnBot, WrongAnswer, looks_own, own_bot
from droptable.bots.program import PROGRAM, ProgramBot, ProgramFailed, end_all
from droptable.core.errors import OptionError
from droptable.core.state import View
from droptable.tables import crew
from droptable.tables.crew import Bounds, Closing, Crew, Job, WorkFailed
from droptable.tables.settings import BOTS, HERE, ME, OPEN

EXPECTED = "NAME=SPEC, like mine=my_package.bots:Mine or rusty=program:./my-bot"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,28}[A-Za-z0-9]|[A-Za-z0-9]")
TAKEN = {*BOTS, ADVISER, ME, OPEN, HERE}
MEGABYTES = 1000  # that a bot's process keeps; it may take twice as much for a moment
SECONDS, FIRST_SECONDS = 10.0, 20.0  # for a move, and for the first one of a process
GRACE = 1.0  # seconds in which a process that is stopped ends the program that it runs
SHORTEST_REST, LONGEST_REST = 1.0, 60.0  # seconds, after one failure and after many
NICENESS = 5
MOST_BOTS = 500  # objects that a process remembers, one for each seat
# What a server is told by its environment, and its guests need not know.
SECRETS = ("ADMIN_TOKEN", "DATABASE", "SHARDS", "BUS", "SMTP", "BOTS")

log = logging.getLogger(__name__)
Bots = Mapping[str, str]  # by name, where they are


def parse(text: str) -> dict[str, str]:
    """The bots in a text, separated by `;`. `OptionError` says which one cannot be."""
    bots: dict[str, str] = {}
    for entry in filter(None, map(str.strip, text.split(";"))):
        name, separator, spec = (part.strip() for part in entry.partition("="))
        if not separator or not NAME.fullmatch(name) or not looks_own(spec):
            raise OptionError(f"bot {entry!r}; expected {EXPECTED}")
        if name.casefold() in {*TAKEN, *map(str.casefold, bots)}:
            raise OptionError(f"bot {entry!r}: the name {name!r} is taken")
        bots[name] = spec
    return bots


class OwnBots:
    """A process for each bot of the host's, and until when those that failed are not asked."""

    def __init__(
        self,
        bots: Bots | None = None,
        seconds: float = SECONDS,
        first_seconds: float = FIRST_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """A choice may take `seconds`, the first one of a process in a game `first_seconds`."""
        bots = bots or {}
        self.names = tuple(bots)
        self._seconds = seconds, max(seconds, first_seconds)
        self._bots = bots
        self._clock = clock
        self._failures = dict.fromkeys(bots, 0)  # in a row
        self._rests = dict.fromkeys(bots, 0.0)  # until then
        bounds = Bounds(megabytes=MEGABYTES, jobs=1_000_000, grace=GRACE)
        environment = without_secrets(os.environ)
        self._crews = {name: Crew(1, bounds, NICENESS, environment) for name in bots}

    def __contains__(self, name: str) -> bool:
        return name in self._bots

    def rest(self, name: str) -> float:
        """For how many seconds a bot is not asked yet."""
        return max(0.0, self._rests[name] - self._clock())

    def ask(self, name: str, key: tuple[str, int], view: View, owner: str) -> Job:
        """Let a bot choose; the job is on its way."""
        seconds, first_seconds = self._seconds
        job = Job(
            choose, (self._bots[name], self._seconds, key, view), (owner,), seconds + GRACE,
            first_seconds + GRACE, topic=view.game.name,
        )  # fmt: skip
        job.done.add_done_callback(lambda done: self._learn(name, done.exception()))
        self._crews[name].submit(job)
        return job

    def _learn(self, name: str, error: BaseException | None) -> None:
        """Let a bot rest if it failed in a way that costs time; a wrong answer costs none."""
        if not isinstance(error, ProgramFailed | WorkFailed | OptionError) or isinstance(
            error, Closing
        ):
            self._failures[name] = 0
            return
        seconds = min(LONGEST_REST, SHORTEST_REST * 2 ** min(self._failures[name], 20))
        self._failures[name] += 1
        self._rests[name] = self._clock() + seconds

    def warm_up(self) -> None:
        """Load each bot: its host reads at once in the log if that fails."""
        for name, spec in self._bots.items():
            job = Job(load, (spec,))
            job.done.add_done_callback(
                lambda done, name=name: _tell(name, done.exception())  # type: ignore[misc]
            )
            self._crews[name].submit(job)

    def close(self) -> None:
        """End all processes at once."""
        for crew_of_one in self._crews.values():
            crew_of_one.close()


def without_secrets(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment for bots."""
    hidden = {f"DROPTABLE_{name}" for name in SECRETS}
    return {name: value for name, value in environment.items() if name not in hidden}


def _tell(name: str, error: BaseException | None) -> None:
    if error is not None and not isinstance(error, Closing):
        log.error("the bot %s cannot play: %s", name, error)


# -- in the process of a bot ----------------------------------------------------------------------

_seats: OrderedDict[tuple[str, int], OwnBot] = OrderedDict()
_program: dict[str, ProgramBot] = {}  # the one that runs: it serves all tables


def load(spec: str) -> None:
    """Import a bot, without asking it anything; `OptionError` if that fails."""
    own_bot(spec)


def choose(spec: str, limits: tuple[float, float], key: tuple[str, int], view: View) -> str:
    """What a bot chooses. `WrongAnswer` says what was wrong with it, or what it raised."""
    bot = _program_bot(spec, limits) if spec.startswith(PROGRAM) else _bot_of_seat(spec, key)
    try:
        return bot.ask(view)
    except (WrongAnswer, ProgramFailed):
        raise
    except Exception as error:  # whatever somebody's code may raise
        raise WrongAnswer(f"{type(error).__name__}: {error}") from None


def _bot_of_seat(spec: str, key: tuple[str, int]) -> OwnBot:
    if key not in _seats:
        bot = own_bot(spec)
        assert bot is not None
        _seats[key] = bot
    _seats.move_to_end(key)
    if len(_seats) > MOST_BOTS:
        _seats.popitem(last=False)
    return _seats[key]


def _program_bot(spec: str, limits: tuple[float, float]) -> OwnBot:
    """One program answers for all tables: each question says all that it needs."""
    return OwnBot(spec, lambda view: _ask_program(spec, limits, view))


def _ask_program(spec: str, limits: tuple[float, float], view: View) -> str:
    if spec not in _program:
        crew.at_end(end_all)
        command, (seconds, first) = spec.removeprefix(PROGRAM), limits
        _program[spec] = ProgramBot(command, seconds=seconds, first_seconds=first)
    try:
        return _program[spec].choose(view)
    except ProgramFailed:
        _program.pop(spec)  # the next question starts another one
        raise
