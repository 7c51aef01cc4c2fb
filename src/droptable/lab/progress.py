"""How far long work is: a bar with rate and time left; where there is no terminal, now and then a
line."""

from __future__ import annotations

import time
from contextlib import AbstractContextManager

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

EVERY = 30.0  # seconds between lines, where there is no terminal


class _Rate(ProgressColumn):
    """How many a second, or a minute where they are slow."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text("" if not speed else rate(speed))


def rate(speed: float) -> str:
    """A speed in words."""
    return f"{speed:,.0f} per second" if speed >= 10 else f"{60 * speed:,.1f} per minute"


class Meter(AbstractContextManager["Meter"]):
    """The progress of `total` matches, or whatever is counted, on the standard error output."""

    def __init__(self, title: str, total: int, done: int = 0) -> None:
        self._console = Console(stderr=True)
        self._title, self._total, self._done = title, total, done
        self._start = self._told = time.monotonic()
        self._before = done
        self._progress = Progress(
            TextColumn("{task.description}"), BarColumn(),
            TextColumn("{task.completed:,} of {task.total:,}"), _Rate(),
            TimeRemainingColumn(), console=self._console, transient=True,
            disable=not self._console.is_terminal,
        )  # fmt: skip
        self._task = self._progress.add_task(title, total=total, completed=done)

    def __enter__(self) -> Meter:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def advance(self, count: int) -> None:
        """So many more are done."""
        self._done += count
        self._progress.update(self._task, completed=self._done)
        now = time.monotonic()
        if not self._console.is_terminal and now - self._told > EVERY and self._done < self._total:
            self._told = now
            self.say(self._line(now - self._start))

    def _line(self, seconds: float) -> str:
        speed = (self._done - self._before) / seconds
        left = (self._total - self._done) / speed if speed else 0.0
        return (
            f"{self._title} {self._done:,} of {self._total:,}, {rate(speed)}, "
            f"{left / 60:,.1f} minutes left"
        )

    def say(self, line: str) -> None:
        """Print a line beside the bar."""
        self._console.print(line, markup=False, highlight=False, soft_wrap=True)
