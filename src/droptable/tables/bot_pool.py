"""Bots think in processes of their own. One that fails or hangs is replaced by a legal move."""

from __future__ import annotations

import importlib
import os
import pickle
import queue
import random
import signal
import subprocess
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, BinaryIO

from droptable.bots.registry import Bot
from droptable.core.game import Game
from droptable.core.state import View

Key = tuple[str, int]  # table and seat
MOST_BOTS = 500  # that a process remembers, with the turns they have planned
MAKE_BOT = "droptable.bots.registry:make_bot"
FIRST_SECONDS = 120.0  # the first choice in a game may have to wait for its compiler
WAITING_MORE = 2  # requests by which a bot's own process may be busier than the idlest


@dataclass(frozen=True)
class Choice:
    """A bot's move; or, where it failed, any legal move and what went wrong."""

    token: str
    failure: str = ""


@dataclass(frozen=True)
class _Request:
    """A view and the bot that is asked, as they are sent to a process."""

    key: Key
    bot: str
    game: Game  # pickled by name
    players: int
    options: dict[str, Any]
    array: Any
    seat: int

    @property
    def view(self) -> View:
        return View(self.game, self.players, self.options, self.array, self.seat)


class BotPool:
    """A few processes that choose moves. `make` (`MODULE:FUNCTION`) makes bots by name there."""

    def __init__(
        self,
        processes: int = 1,
        seconds: float = 15.0,
        first_seconds: float = FIRST_SECONDS,
        make: str = MAKE_BOT,
    ) -> None:
        """A choice may take `seconds`, the first one of a process in a game `first_seconds`."""
        self._processes = [_BotProcess(seconds, first_seconds, make) for _ in range(processes)]
        self._last_used: OrderedDict[Key, _BotProcess] = OrderedDict()

    def choose(self, key: Key, bot: str, view: View) -> Future[Choice]:
        """Let a bot choose for a view's seat. Never fails: see `Choice.failure`."""
        assert view.seat is not None
        request = _Request(
            key, bot, view.game, view.players, view.options, view.array, view.seat
        )  # fmt: skip
        return self._process(key).submit(request, view.legal)

    def _process(self, key: Key) -> _BotProcess:
        """The process that knows what this bot has planned, unless another has much less to do."""
        idlest = min(self._processes, key=lambda process: process.waiting)
        own = self._last_used.pop(key, idlest)
        chosen = own if own.waiting <= idlest.waiting + WAITING_MORE else idlest
        self._last_used[key] = chosen
        if len(self._last_used) > MOST_BOTS * len(self._processes):
            self._last_used.popitem(last=False)
        return chosen

    def close(self) -> None:
        """Stop at once; requests that are still waiting get any legal move as their answer."""
        for process in self._processes:
            process.close()


class _BotProcess:
    """A thread that talks to a process, and replaces the process when it does not answer."""

    def __init__(self, seconds: float, first_seconds: float, make: str) -> None:
        self.waiting = 0
        self._seconds = seconds
        self._first_seconds = first_seconds
        self._make = make
        self._requests: queue.SimpleQueue[
            tuple[_Request, list[str], Future[Choice]] | None
        ] = queue.SimpleQueue()  # fmt: skip
        self._process: subprocess.Popen[bytes] | None = None
        self._warm_games: set[str] = set()  # those in which the process has chosen before
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="droptable-bots", daemon=True)
        self._thread.start()

    def submit(self, request: _Request, legal: list[str]) -> Future[Choice]:
        answer: Future[Choice] = Future()
        self.waiting += 1
        self._requests.put((request, legal, answer))
        return answer

    def close(self) -> None:
        self._closed = True
        self._requests.put(None)
        process = self._process
        if process is not None:
            process.kill()
        self._thread.join()

    def _run(self) -> None:
        while (job := self._requests.get()) is not None:
            request, legal, answer = job
            if answer.set_running_or_notify_cancel():
                answer.set_result(self._choose(request, legal))
            self.waiting -= 1
        self._stop()

    def _choose(self, request: _Request, legal: list[str]) -> Choice:
        if self._closed:
            return Choice(random.choice(legal), "the server is closing")
        try:
            token = self._ask(request)
            if token in legal:
                return Choice(token)
            failure = f"{request.bot} chose {token!r}, which is not legal"
        except Exception as error:
            failure = f"{request.bot}: {error}"
        return Choice(random.choice(legal), failure)

    def _ask(self, request: _Request) -> str:
        name = request.game.name
        seconds = self._seconds if name in self._warm_games else self._first_seconds
        if self._process is None or self._process.poll() is not None:
            self._start()
        succeeded, answer = self._exchange(request, seconds)
        if not succeeded:
            raise RuntimeError(answer)
        self._warm_games.add(name)
        return answer

    def _exchange(self, request: _Request | None, seconds: float) -> tuple[bool, str]:
        """Send the process a request, and wait that long for its answer."""
        process = self._process
        assert process is not None and process.stdin is not None and process.stdout is not None
        alarm = threading.Timer(seconds, process.kill)  # then there is nothing more to be read
        alarm.start()
        try:
            pickle.dump(request, process.stdin)
            process.stdin.flush()
            answer: tuple[bool, str] = pickle.load(process.stdout)
            return answer
        except (OSError, EOFError, pickle.UnpicklingError) as error:
            late = alarm.finished.is_set()
            self._stop()
            reason = f"no move after {seconds:.0f} seconds" if late else "its process died"
            raise RuntimeError(reason) from error
        finally:
            alarm.cancel()

    def _start(self) -> None:
        """Start a process, and wait until it is up: that does not count as thinking time."""
        self._stop()
        # Not `multiprocessing`: its children run the main program again to find their work.
        self._process = subprocess.Popen(
            [sys.executable, "-m", "droptable.tables.bot_pool", self._make],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        if self._closed:  # meanwhile
            self._process.kill()
        self._exchange(None, FIRST_SECONDS)

    def _stop(self) -> None:
        process, self._process = self._process, None
        self._warm_games.clear()
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                with suppress(OSError):  # what could not be sent does not matter any more
                    assert pipe is not None
                    pipe.close()


def serve(requests: BinaryIO, answers: BinaryIO, make: Callable[[str], Bot]) -> None:
    """Answer requests until there are no more: what a process of the pool does."""
    bots: OrderedDict[tuple[Key, str], Bot] = OrderedDict()
    while True:
        try:
            request: _Request | None = pickle.load(requests)
        except EOFError:
            return
        try:
            answer = True, "" if request is None else _choose(bots, request, make)
        except Exception as error:
            answer = False, f"{type(error).__name__}: {error}"
        pickle.dump(answer, answers)
        answers.flush()


def _choose(
    bots: OrderedDict[tuple[Key, str], Bot], request: _Request, make: Callable[[str], Bot]
) -> str:
    name = request.key, request.bot
    bot = bots.pop(name, None) or make(request.bot)
    bots[name] = bot
    if len(bots) > MOST_BOTS:
        bots.popitem(last=False)
    return bot.choose(request.view)


def main(make: str) -> None:
    """Serve the process that started this one, with bots that `MODULE:FUNCTION` makes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server decides when to stop
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a bot prints is no answer
    module, _, function = make.partition(":")
    serve(sys.stdin.buffer, answers, getattr(importlib.import_module(module), function))


if __name__ == "__main__":
    # Not this module's own `main`: requests are pickled as those of the module of this name.
    from droptable.tables import bot_pool

    bot_pool.main(sys.argv[1])
