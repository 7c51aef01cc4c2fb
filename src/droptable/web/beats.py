"""Beats: the moments worth seeing between what a client was shown last and now.

They are made from the entries of the viewer's own ledger, so they tell no more than the viewer may
know. Somebody who was away for long is not kept waiting: then there are none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from droptable.core.contract import DEALER, NOBODY
from droptable.core.scene import Beat, Frame, Scene, Step
from droptable.tables import events as ev
from droptable.tables.ledger import Entry
from droptable.tables.table import Table

MOST_EVENTS = 120  # since the last state: a deal and a round; with more, one was away
MOST_SECONDS = 30.0  # of all beats together


def beats(table: Table, viewer: int | None, frame: Frame, seen: int) -> list[dict[str, Any]]:
    """The beats of what the viewer has noticed after `seen`; the last ones, if it was too much.

    `svg` is None where the picture of the state itself is shown.
    """
    game, ledger = table.game, table.ledgers[viewer]
    if game is None or game.scene is None or table.state is None or not seen:
        return []
    entries = ledger.entries[seen:]
    if len(entries) > MOST_EVENTS or any(isinstance(e.event, ev.TakenBack) for e in entries):
        return []
    steps = [step for entry in entries if (step := _step(table, entry)) is not None]
    seat = NOBODY if viewer is None else viewer
    drawn = [shown for step in steps for shown in _shown(game.scene, step, seat, frame)]
    messages = _messages(drawn, game.scene, seat, frame, ledger.image)
    while sum(message["seconds"] for message in messages) > MOST_SECONDS:
        messages.pop(0)
    return messages


def _step(table: Table, entry: Entry) -> Step | None:
    """An event of the match as the viewer saw it; None for what is not part of the match."""
    moved, game, state = entry.event, table.game, table.state
    if not isinstance(moved, ev.Moved) or game is None or state is None:
        return None
    ids = game.vocabulary(state.options).ids(moved.actor)
    action = ids[moved.token] if entry.known else -1
    before, after = (
        np.frombuffer(bytearray(image), game.rules.dtype)[0]
        for image in (entry.before, entry.after)
    )
    return Step(before, after, moved.actor, action)


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
