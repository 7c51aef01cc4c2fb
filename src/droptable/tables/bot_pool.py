"""Bots think in processes of their own. One that fails or hangs is replaced by a legal move.

There are three crews: one for bots that answer at once, one for those that search, and one, of low
priority, for tables where nobody is. So no person waits for a search at somebody else's table, but
only for those of other people who play against strong bots as well, by turns. The host's own bots
have processes of their own (`OwnBots`); where one cannot be asked, `normal` plays instead.
"""

from __future__ import annotations

import importlib
import random
from collections import OrderedDict
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cache
from typing import Any

from droptable.bots.levels import ADVISER, LEVELS
from droptable.bots.registry import Bot
from droptable.bots.steady import steady_choice
from droptable.core.contract import DEALER
from droptable.core.game import Game
from droptable.core.state import View
from droptable.games import games
from droptable.tables.crew import FIRST_SECONDS, Bounds, Closing, Crew, Job, Owner
from droptable.tables.own_bots import OwnBots
from droptable.tables.settings import BOTS

Key = tuple[str, int]  # table and seat
MOST_BOTS = 500  # that a process remembers, with the turns they have planned
MAKE_BOT = "droptable.bots.registry:named_bot"
MOST_WAITING = 1_000_000  # bots: there are fewer, since tables are limited
QUICK = (*(n for n, level in LEVELS.items() if not level.seconds), "random", "greedy")  # no search
KNOWN = {*BOTS, ADVISER}
STOPGAP = "normal"  # plays for a bot of the host's that cannot be asked
NICENESS, UNATTENDED_NICENESS = 2, 15  # people are served first
IDLE_SECONDS = 300.0  # until a process for tables where nobody is ends


@dataclass(frozen=True)
class Choice:
    """A bot's move; or, where it failed, any legal move and what went wrong."""

    token: str
    failure: str = ""


@dataclass(frozen=True)
class _Request:
    """A view and the bot that is asked, as they are sent to a process."""

    make: str
    key: Key
    bot: str
    game: Game  # pickled by name
    players: int
    options: dict[str, Any]
    array: Any
    seat: int
    seed: bytes = b""  # what its choice follows from, if it is to be the same for everybody

    @property
    def view(self) -> View:
        return View(self.game, self.players, self.options, self.array, self.seat)


class BotPool:
    """Processes that choose moves. `make` (`MODULE:FUNCTION`) makes bots by name there."""

    def __init__(
        self,
        processes: int = 1,
        seconds: float = 15.0,
        first_seconds: float = FIRST_SECONDS,
        make: str = MAKE_BOT,
        own: OwnBots | None = None,
    ) -> None:
        """`processes` are for bots that search; a choice may take `seconds`, the first one of a
        process in a game `first_seconds`. `own` are bots that the host brings."""
        self._make = make
        self._own = own or OwnBots()
        self.own = self._own.names
        self._seconds = seconds, first_seconds
        share = max(1, processes - 1)  # of one owner: somebody else finds a process free
        self._quick = Crew(1, Bounds(MOST_WAITING))
        self._searching = Crew(processes, Bounds(MOST_WAITING, running=share), NICENESS)
        self._unattended = Crew(
            1, Bounds(MOST_WAITING, idle_seconds=IDLE_SECONDS), UNATTENDED_NICENESS
        )

    def choose(
        self,
        key: Key,
        bot: str,
        view: View,
        owner: str = "",
        *,
        attended: bool = True,
        seed: bytes = b"",
    ) -> Future[Choice]:
        """Let a bot choose for a view's seat. Never fails: see `Choice.failure`.

        Owners get their answers by turns; where nobody is (not `attended`), after all others. With
        a `seed`, the same view gets the same move.
        """
        reason = ""
        if bot in self._own:
            rest = self._own.rest(bot)
            if not rest:
                job = self._own.ask(bot, key, view, owner)
                return _choice_of(job, bot, view)
            reason = f"{bot} is not asked for {rest:.0f} seconds, as it failed"
        elif bot not in KNOWN:
            reason = f"this server has no bot {bot!r}"
        bot = STOPGAP if reason else bot
        assert view.seat is not None
        request = _Request(
            self._make, key, bot, view.game, view.players, view.options, view.array, view.seat,
            seed,
        )  # fmt: skip
        seconds, first_seconds = self._seconds
        owners: Owner = (owner,)
        job = Job(
            choose, (request,), owners, seconds, first_seconds, topic=view.game.name, home=key
        )  # fmt: skip
        choice = _choice_of(job, bot, view, reason)
        (self._crew(bot) if attended else self._unattended).submit(job)
        return choice

    def warm_up(self) -> None:
        """Start the process of bots that answer at once: the first to meet one does not wait, nor
        does whoever played at a server that died."""
        self._quick.submit(Job(warm_up, (self._make,), topic="", seconds=FIRST_SECONDS))
        self._own.warm_up()

    def attend(self, table: str) -> None:
        """Somebody has come to a table: its bots are not to wait any longer."""
        for job in self._unattended.withdraw(lambda job: job.arguments[0].key[0] == table):
            self._crew(job.arguments[0].bot).submit(job)

    def _crew(self, bot: str) -> Crew:
        return self._quick if bot in QUICK else self._searching

    def close(self) -> None:
        """Stop at once; requests that are still waiting get any legal move as their answer."""
        for crew in (self._quick, self._searching, self._unattended):
            crew.close()
        self._own.close()


def _choice_of(job: Job, bot: str, view: View, reason: str = "") -> Future[Choice]:
    """What a bot will have chosen, and the `reason` why it is asked in another one's place."""
    choice: Future[Choice] = Future()
    legal = view.legal
    job.done.add_done_callback(lambda done: _settle(choice, done, bot, legal, reason))
    return choice


def _settle(
    choice: Future[Choice], done: Future[str], bot: str, legal: list[str], reason: str
) -> None:
    """Make a choice of what came back, whatever that was."""
    if not choice.set_running_or_notify_cancel():
        return
    error = done.exception()
    if error is None and done.result() in legal:
        choice.set_result(Choice(done.result(), f"{reason}: {bot} plays" if reason else ""))
        return
    failure = f"{bot}: {error}"
    if error is None:
        failure = f"{bot} chose {done.result()!r}, which is not legal"
    elif isinstance(error, Closing):
        failure = str(error)
    choice.set_result(Choice(random.choice(legal), failure))


# -- in a process of the crew ---------------------------------------------------------------------

_bots: OrderedDict[tuple[Key, str], Bot] = OrderedDict()


def warm_up(make: str) -> None:
    """Let a bot begin each game once: what it needs is loaded then."""
    for game in games():
        state = game.start()
        while DEALER in state.to_act:
            state.deal(random.Random(0))
        _maker(make)(QUICK[0]).choose(state.view(state.to_act[0]))


def choose(request: _Request) -> str:
    """What a bot chooses; the same one is asked again for the same seat."""
    if request.seed:
        return steady_choice(request.bot, request.view, request.seed)
    name = request.key, request.bot
    if name not in _bots:
        _bots[name] = _maker(request.make)(request.bot)
    _bots.move_to_end(name)
    if len(_bots) > MOST_BOTS:
        _bots.popitem(last=False)
    return _bots[name].choose(request.view)


@cache
def _maker(make: str) -> Any:
    module, _, function = make.partition(":")
    return getattr(importlib.import_module(module), function)
