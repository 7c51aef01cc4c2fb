"""A bot that is a program of its own, in any language: lines of JSON in and out.

The program reads one object per line and answers each with one line. docs/bots.md has the protocol.
It runs with limits on its time and memory, and never sees more than a view.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import shlex
import subprocess
import threading
import weakref
from typing import Any

from droptable.core.errors import DroptableError, OptionError
from droptable.core.state import View

PROGRAM = "program:"  # before a command
PROTOCOL = 1
SECONDS, FIRST_SECONDS = 15.0, 60.0  # for a move; for the first one, which may load something
MEGABYTES = 2000
LONGEST_LINE = 10_000  # bytes of an answer
MOST_UNREAD = 20  # lines that nobody asked for, until a program is not listened to any more
MOST_STARTS = 5  # a program that fails again and again is not started any more


class ProgramFailed(DroptableError):
    """A program that cannot be started, ended, or did not answer in time."""


class ProgramBot:
    """Asks a program for moves. It is started when it is needed, and ends with this object."""

    def __init__(
        self,
        command: str,
        seed: int | None = None,
        *,
        seconds: float = SECONDS,
        first_seconds: float | None = None,
        megabytes: int = MEGABYTES,
    ) -> None:
        try:
            self._command = shlex.split(command)
        except ValueError as error:
            raise OptionError(f"bot {PROGRAM}{command}: {error}") from None
        if not self._command:
            raise OptionError(f"bot {PROGRAM!r} names no command; expected {PROGRAM}./my-bot")
        self._seed = seed
        self._seconds = seconds
        self._first_seconds = max(seconds, first_seconds or FIRST_SECONDS)
        self._megabytes = megabytes
        self._running: _Running | None = None
        self._starts = 0

    def choose(self, view: View) -> str:
        """The program's answer; `ProgramFailed` if there is none."""
        limit = self._seconds
        if self._running is None:
            limit = self._first_seconds
            self._start()
        assert self._running is not None
        try:
            said = self._running.ask(question(view, self._seed), limit)
        except ProgramFailed:
            self.close()
            raise
        return answer(said)

    def _start(self) -> None:
        if self._starts == MOST_STARTS:
            raise ProgramFailed(f"it was started {MOST_STARTS} times and failed each time")
        self._starts += 1
        self._running = _Running(self._command, self._megabytes)

    def close(self) -> None:
        """End the program."""
        if self._running is not None:
            self._running.end()
            self._running = None


def question(view: View, seed: int | None) -> dict[str, Any]:
    """What a program is asked: all that its seat may know, and its legal moves."""
    return {
        "type": "choose", "protocol": PROTOCOL, "game": view.game.name, "players": view.players,
        "seat": view.seat, "options": view.options, "seed": seed, "view": view.to_dict(),
        "text": str(view), "legal": view.legal,
    }  # fmt: skip


def answer(line: str) -> str:
    """The move that a line names: the line itself, or the `move` of a JSON object."""
    if line.lstrip().startswith("{"):
        try:
            said = json.loads(line)
        except ValueError as error:
            raise ProgramFailed(f"it answered {line!r:.80}: {error}") from None
        if not isinstance(said.get("move"), str):
            raise ProgramFailed(f'it answered {line!r:.80}; expected {{"move": "TOKEN"}}')
        return str(said["move"])
    return line.strip()


class _Running:
    """A program that is running, and a thread that reads what it says."""

    def __init__(self, command: list[str], megabytes: int) -> None:
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
            )
        except OSError as error:
            raise ProgramFailed(f"{command[0]} cannot be started: {error.strerror}") from None
        limit_memory(self._process.pid, megabytes)
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        threading.Thread(
            target=_read, args=(self._process.stdout, self._lines), daemon=True
        ).start()
        self.end = weakref.finalize(self, _end, self._process)
        _all.add(self)

    def ask(self, question: dict[str, Any], seconds: float) -> str:
        """Send a line, and wait for one."""
        self._refuse_unasked()
        self._send(json.dumps(question).encode() + b"\n", seconds)
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            raise ProgramFailed(f"it did not answer within {seconds:g} seconds") from None
        if line is None:
            raise ProgramFailed("it prints without end, and without being asked")
        if not line:
            raise ProgramFailed(self._how_it_ended())
        if len(line) > LONGEST_LINE:
            raise ProgramFailed(f"it answered with more than {LONGEST_LINE} bytes")
        return line.decode(errors="replace")

    def _refuse_unasked(self) -> None:
        """Whatever was said before the question is no answer to it."""
        with contextlib.suppress(queue.Empty):
            line = self._lines.get_nowait()
            if line:
                raise ProgramFailed(f"it said {line!r:.80} without being asked")
            self._lines.put(line)

    def _send(self, line: bytes, seconds: float) -> None:
        """Write a line; a program that does not read is ended when its time is up."""
        assert self._process.stdin is not None
        alarm = threading.Timer(seconds, self._process.kill)
        alarm.daemon = True
        alarm.start()
        try:
            self._process.stdin.write(line)
            self._process.stdin.flush()
        except OSError:
            raise ProgramFailed(self._how_it_ended()) from None
        finally:
            alarm.cancel()

    def _how_it_ended(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        return f"it ended with exit code {self._process.returncode}"


_all: weakref.WeakSet[_Running] = weakref.WeakSet()


def end_all() -> None:
    """End all programs that this process has started."""
    for running in list(_all):
        running.end()


def limit_memory(pid: int, megabytes: int) -> None:
    """Let a process have so much memory at most, where the system can."""
    try:
        from resource import RLIMIT_AS, prlimit
    except ImportError:
        return
    with contextlib.suppress(OSError, ProcessLookupError):
        prlimit(pid, RLIMIT_AS, (megabytes << 20, megabytes << 20))


def _read(lines: Any, into: queue.SimpleQueue[bytes | None]) -> None:
    """Hand on line by line; an empty one at the end, None if there are too many to listen any
    longer. A line that is too long is cut."""
    with lines:
        while line := lines.readline(LONGEST_LINE + 1):
            into.put(line)
            if into.qsize() > MOST_UNREAD:
                into.put(None)
                return
    into.put(b"")


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a program and what it has started."""
    if process.stdin is not None:
        with contextlib.suppress(OSError):
            process.stdin.close()
    with contextlib.suppress(OSError, AttributeError):
        os.killpg(process.pid, 9)
    with contextlib.suppress(OSError):
        process.kill()
    process.wait()
