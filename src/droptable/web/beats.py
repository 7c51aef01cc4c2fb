"""Beats: the moments worth seeing between what a client was shown last and now.

They are made from the entries of the viewer's own ledger, so they tell no more than the viewer may
know. Somebody who was away for long is not kept waiting: then there are none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice
from typing import Any, TypeVar, overload

import numpy as np

from droptable.core.contract import DEALER, NOBODY
from droptable.core.scene import Beat, Frame, History, Record, Scene, Step
from droptable.core.state import View
from droptable.tables import events as ev
from droptable.tables.entries import Entry
from droptable.tables.log_text import step_of
from droptable.tables.table import Table
from droptable.web.pictures import Look, frame_of

T = TypeVar("T")
MOST_EVENTS = 120  # since the last state: a deal and a round; with more, one was away
MOST_SECONDS = 30.0  # of all beats together


def beats(table: Table, viewer: int | None, frame: Frame, seen: int) -> list[dict[str, Any]]:
    """The beats of what the viewer has noticed after `seen`; the last ones, if it was too much.

    `svg` is None where the picture of the state itself is shown.
    """
    game, ledger = table.game, table.ledgers[viewer]
    if game is None or game.scene is None or table.state is None:
        return []
    if not seen and _has_begun(ledger.entries):
        return []
    entries = ledger.entries[seen:]
    if len(entries) > MOST_EVENTS or any(isinstance(e.event, ev.TakenBack) for e in entries):
        return []
    steps = Steps(table, viewer, entries)
    seat = NOBODY if viewer is None else viewer
    drawn = [shown for step in steps for shown in _shown(game.scene, step, seat, frame)]
    if steps and not seen:  # the first deal begins with an empty table
        drawn.insert(0, (Beat(0.2), steps[0].before))
    messages = _messages(drawn, game.scene, seat, frame, ledger.image)
    while sum(message["seconds"] for message in messages) > MOST_SECONDS:
        messages.pop(0)
    return messages


def table_frame(
    table: Table, viewer: int | None, view: View, look: Look, seq: int | None = None
) -> Frame | None:
    """How a view of a table is drawn: with its bots' faces, and with the steps that led to it (up
    to entry `seq`), so that things keep their ids."""
    frame = frame_of(view, table.names, look)
    if frame is None:
        return None
    steps = Steps(table, viewer, table.ledgers[viewer].entries, seq)
    return replace(frame, faces=table.faces, steps=steps)


def _has_begun(entries: Sequence[Entry]) -> bool:
    """Whether some seat has moved: who opens the page then wants to see the state."""
    return any(isinstance(e.event, ev.Moved) and e.event.actor != DEALER for e in entries)


class Steps(History):
    """The events of the match among a viewer's entries, made into steps when they are read."""

    def __init__(
        self, table: Table, viewer: int | None, entries: Sequence[Entry], end: int | None = None
    ) -> None:
        """Of a viewer's first `end` entries; None: of all."""
        self._table = table
        # Where nothing is hidden, what follows from entries is the same for all who share them.
        self._whose = viewer if table.game is None or table.game.hides else None
        self._all, self._end = entries, end
        self._made: dict[int, Step] = {}
        self._led: dict[bytes, list[Step]] = {}

    @cached_property
    def _entries(self) -> list[Entry]:
        entries = islice(self._all, self._end)
        return [entry for entry in entries if isinstance(entry.event, ev.Moved)]

    def __len__(self) -> int:
        return len(self._entries)

    @overload
    def __getitem__(self, index: int) -> Step: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Step]: ...
    def __getitem__(self, index: int | slice) -> Step | Sequence[Step]:
        if isinstance(index, slice):
            return [self._step(number) for number in range(len(self))[index]]
        return self._step(range(len(self))[index])

    def _step(self, number: int) -> Step:
        if number not in self._made:
            self._made[number] = step_of(self._table, self._entries[number])
        return self._made[number]

    def leading_to(self, wanted: bytes) -> list[Step]:
        """The steps that led to the view with these bytes; what was undone is left out."""
        if wanted not in self._led:
            image, numbers = wanted, []
            for number in reversed(range(len(self))):
                if self._entries[number].after == image:
                    numbers.append(number)
                    image = self._entries[number].before
            self._led[wanted] = [self._step(number) for number in reversed(numbers)]
        return self._led[wanted]

    def last_to(self, wanted: bytes) -> Step | None:
        last = next(self._chain(wanted), None)
        return None if last is None else step_of(self._table, last)

    def followed(
        self, wanted: bytes, start: Callable[[Record], T | None], after: Callable[[T, Step], T]
    ) -> T | None:
        key, first, left = ("followed", start, self._whose), wanted, list[Entry]()
        for entry in self._chain(wanted):
            if key in entry.memo:
                now: T | None = entry.memo[key]
                break
            left.append(entry)
            first = entry.before
        else:
            now = start(self._record(first))
        for entry in reversed(left):
            now = None if now is None else after(now, step_of(self._table, entry))
        if left:
            left[0].memo[key] = now
        return now

    def _chain(self, wanted: bytes) -> Iterator[Entry]:
        """The entries that led to the view with these bytes, the last first."""
        late_first = reversed(self._all if self._end is None else self._entries)
        for entry in late_first:  # the oldest are packed: they are read only if they are needed
            if isinstance(entry.event, ev.Moved) and entry.after == wanted:
                yield entry
                wanted = entry.before

    def _record(self, image: bytes) -> Record:
        assert self._table.game is not None
        return np.frombuffer(bytearray(image), self._table.game.rules.dtype)[0]


def _shown(scene: Scene, step: Step, viewer: int, frame: Frame) -> Iterator[tuple[Beat, Any]]:
    """The beats of a step, each with the view that it shows if it has no picture of its own."""
    if scene.beats is None:
        yield Beat(0.3 if step.actor == DEALER else 0.6, sound="move"), step.after
        return
    for beat in scene.beats(step, viewer, frame):
        yield beat, step.after


def _messages(
    shown: list[tuple[Beat, Any]], scene: Scene, viewer: int, frame: Frame, now: bytes
) -> list[dict[str, Any]]:
    messages = []
    for beat, view in shown:
        drawn = beat.picture
        if drawn is None and view.tobytes() != now:
            drawn = scene.draw(view, viewer, frame)
        messages.append(
            {
                "svg": None if drawn is None else str(drawn.svg()),
                "seconds": beat.seconds,
                "text": beat.text,
                "sound": beat.sound,
            }
        )
    return messages
