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
    """A few processes that choose moves. `make` (`MODULE:FUNCTION`) makes bots by name there."""

    def __init__(
        self,
        processes: int = 1,
        seconds: float = 15.0,
        first: float = FIRST_SECONDS,
        make: str = MAKE_BOT,
    ) -> None:
        """A choice may take so many seconds, the `first` one of a process in a game longer."""
        self._thinkers = [_Thinker(seconds, first, make) for _ in range(processes)]
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

    def __init__(self, seconds: float, first: float, make: str) -> None:
        self.waiting = 0
        self._seconds = seconds
        self._first = first
        self._make = make
        self._questions: queue.SimpleQueue[
            tuple[_Question, list[str], Future[Choice]] | None
        ] = queue.SimpleQueue()  # fmt: skip
        self._process: subprocess.Popen[bytes] | None = None
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
        process = self._process
        if process is not None:
            process.kill()
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
        seconds = self._seconds if name in self._known else self._first
        if self._process is None or self._process.poll() is not None:
            self._start()
        fine, told = self._talk(question, seconds)
        if not fine:
            raise RuntimeError(told)
        self._known.add(name)
        return str(told)

    def _talk(self, question: _Question | None, seconds: float) -> tuple[bool, str]:
        """Tell the process something, and wait so long for its answer."""
        process = self._process
        assert process is not None and process.stdin is not None and process.stdout is not None
        alarm = threading.Timer(seconds, process.kill)  # then there is nothing more to be read
        alarm.start()
        try:
            pickle.dump(question, process.stdin)
            process.stdin.flush()
            answer: tuple[bool, str] = pickle.load(process.stdout)
            return answer
        except (OSError, EOFError, pickle.UnpicklingError) as error:
            late = alarm.finished.is_set()
            self._stop()
            why = f"no move after {seconds:.0f} seconds" if late else "its process died"
            raise RuntimeError(why) from error
        finally:
            alarm.cancel()

    def _start(self) -> None:
        """Start a process, and wait until it is there: that is not part of anybody's thinking."""
        self._stop()
        # Not `multiprocessing`: its children run the main program again to find their work.
        self._process = subprocess.Popen(
            [sys.executable, "-m", "droptable.tables.bot_pool", self._make],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        if self._closed:  # meanwhile
            self._process.kill()
        self._talk(None, FIRST_SECONDS)

    def _stop(self) -> None:
        process, self._process = self._process, None
        self._known.clear()
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                with suppress(OSError):  # what it was not told yet does not matter any more
                    assert pipe is not None
                    pipe.close()


def think(questions: BinaryIO, answers: BinaryIO, make: Callable[[str], Bot]) -> None:
    """Answer questions until nobody asks any more: what a process of bots does."""
    bots: OrderedDict[tuple[Key, str], Bot] = OrderedDict()
    while True:
        try:
            question: _Question | None = pickle.load(questions)
        except EOFError:
            return
        try:
            answer = True, "" if question is None else _ask(bots, question, make)
        except Exception as error:
            answer = False, f"{type(error).__name__}: {error}"
        pickle.dump(answer, answers)
        answers.flush()


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


def main(make: str) -> None:
    """Think for the process that started this one, with bots that `MODULE:FUNCTION` makes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server decides when to stop
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a bot prints is no answer
    module, _, function = make.partition(":")
    think(sys.stdin.buffer, answers, getattr(importlib.import_module(module), function))


if __name__ == "__main__":
    # Not this module's own `main`: questions are pickled as those of the module of this name.
    from droptable.tables import bot_pool

    bot_pool.main(sys.argv[1])
