"""Bots think in processes of their own. One that fails or hangs is replaced by a legal move."""

from __future__ import annotations

import multiprocessing
import queue
import random
import signal
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from droptable.bots.base import Bot, make_bot
from droptable.core.game import Game
from droptable.core.state import View

Key = tuple[str, int]  # table and seat
MOST_BOTS = 500  # that a process remembers, with the turns they have planned
FIRST_SECONDS = 120.0  # the first choice in a game may have to wait for its compiler


@dataclass(frozen=True)
class Choice:
    """A bot's move; or, where it failed, any legal move and what went wrong."""

    token: str
    failure: str = ""


@dataclass(frozen=True)
class _Question:
    """A view and the bot that is asked, as they are sent to a process."""

    key: Key
    bot: str
    game: Game  # pickled by name
    players: int
    options: dict[str, Any]
    array: Any
    seat: int


class Thinkers:
    """A few processes that choose moves. `make` makes bots by name, in those processes."""

    def __init__(
        self, processes: int = 1, seconds: float = 15.0, make: Callable[[str], Bot] = make_bot
    ) -> None:
        self._thinkers = [_Thinker(seconds, make) for _ in range(processes)]
        self._homes: OrderedDict[Key, _Thinker] = OrderedDict()

    def choose(self, key: Key, bot: str, view: View) -> Future[Choice]:
        """Let a bot choose for a view's seat. Never fails: see `Choice.failure`."""
        assert view.seat is not None
        question = _Question(
            key, bot, view.game, view.players, view.options, view.array, view.seat
        )  # fmt: skip
        return self._thinker(key).ask(question, view.legal)

    def _thinker(self, key: Key) -> _Thinker:
        """The process that knows what this bot has planned, unless others have much less to do."""
        idle = min(self._thinkers, key=lambda thinker: thinker.waiting)
        home = self._homes.pop(key, idle)
        chosen = home if home.waiting <= idle.waiting + 2 else idle
        self._homes[key] = chosen
        if len(self._homes) > MOST_BOTS * len(self._thinkers):
            self._homes.popitem(last=False)
        return chosen

    def close(self) -> None:
        """Stop at once; what was asked for gets any legal move as its answer."""
        for thinker in self._thinkers:
            thinker.close()


class _Thinker:
    """A thread that asks a process, and replaces the process when it does not answer."""

    def __init__(self, seconds: float, make: Callable[[str], Bot]) -> None:
        self.waiting = 0
        self._seconds = seconds
        self._make = make
        self._questions: queue.SimpleQueue[
            tuple[_Question, list[str], Future[Choice]] | None
        ] = queue.SimpleQueue()  # fmt: skip
        self._process: Any = None
        self._pipe: Connection | None = None
        self._known: set[str] = set()  # games in which the process has chosen before
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="droptable-thinker", daemon=True)
        self._thread.start()

    def ask(self, question: _Question, legal: list[str]) -> Future[Choice]:
        answer: Future[Choice] = Future()
        self.waiting += 1
        self._questions.put((question, legal, answer))
        return answer

    def close(self) -> None:
        self._closed = True
        self._questions.put(None)
        if self._process is not None:
            self._process.kill()
        self._thread.join()

    def _run(self) -> None:
        while (job := self._questions.get()) is not None:
            question, legal, answer = job
            if answer.set_running_or_notify_cancel():
                answer.set_result(self._choose(question, legal))
            self.waiting -= 1
        self._stop()

    def _choose(self, question: _Question, legal: list[str]) -> Choice:
        if self._closed:
            return Choice(random.choice(legal), "the server is closing")
        try:
            token = self._answer(question)
            if token in legal:
                return Choice(token)
            failure = f"{question.bot} chose {token!r}, which is not legal"
        except Exception as error:
            failure = f"{question.bot}: {error}"
        return Choice(random.choice(legal), failure)

    def _answer(self, question: _Question) -> str:
        name = question.game.name
        seconds = self._seconds if name in self._known else max(self._seconds, FIRST_SECONDS)
        pipe = self._start()
        try:
            pipe.send(question)
            if not pipe.poll(seconds):
                raise TimeoutError(f"no move after {seconds:.0f} seconds")
            fine, told = pipe.recv()
        except (OSError, EOFError) as error:
            self._stop()
            raise RuntimeError(str(error) or "its process died") from error
        if not fine:
            raise RuntimeError(told)
        self._known.add(name)
        return str(told)

    def _start(self) -> Connection:
        if self._pipe is None or not self._process.is_alive():
            self._stop()
            context = multiprocessing.get_context("spawn")
            self._pipe, theirs = context.Pipe()
            self._process = context.Process(
                target=think, args=(theirs, self._make), name="droptable-bots", daemon=True
            )
            self._process.start()
            theirs.close()
        return self._pipe

    def _stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process = None
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None
        self._known.clear()


def think(pipe: Connection, make: Callable[[str], Bot]) -> None:
    """Answer questions until nobody asks any more: what a process of bots does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server decides when to stop
    bots: OrderedDict[tuple[Key, str], Bot] = OrderedDict()
    while True:
        try:
            question: _Question = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            answer = True, _ask(bots, question, make)
        except Exception as error:
            answer = False, f"{type(error).__name__}: {error}"
        pipe.send(answer)


def _ask(
    bots: OrderedDict[tuple[Key, str], Bot], question: _Question, make: Callable[[str], Bot]
) -> str:
    name = question.key, question.bot
    bot = bots.pop(name, None) or make(question.bot)
    bots[name] = bot
    if len(bots) > MOST_BOTS:
        bots.popitem(last=False)
    view = View(
        question.game, question.players, question.options, question.array, question.seat
    )  # fmt: skip
    return bot.choose(view)
