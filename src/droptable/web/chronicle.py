"""A match in sentences: each event, and the turns, deals and rolls that people would tell of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from droptable.core.contract import DEALER
from droptable.core.game import Game
from droptable.core.record import Record
from droptable.core.scene import Step
from droptable.core.state import State
from droptable.core.words import told

Viewer = int | None  # a seat, or None: everything is open


def step_of(before: State, after: State, event: tuple[int, str], viewer: Viewer) -> Step:
    """An event as a viewer saw it."""
    actor, token = event
    known = viewer is None or viewer in before.witnesses(actor, token)
    action = before.game.vocabulary(before.options).ids(actor)[token] if known else -1
    was, now = (s.fields if viewer is None else s.view(viewer).fields for s in (before, after))
    return Step(was, now, actor, action)


def events_of(steps: Sequence[Step], record: Record, names: Sequence[str]) -> list[dict[str, Any]]:
    """Each event: who acted, the token if the viewer saw it, and a sentence or nothing."""
    tell = record.game.words.tell
    return [
        {
            "actor": step.actor,
            "token": token if step.action >= 0 else None,
            "text": tell(step.before, step.after, step.actor, step.action, names),
        }
        for step, (_actor, token) in zip(steps, record.events, strict=True)
    ]


def turns_of(
    steps: Sequence[Step], scores: Sequence[Sequence[int]], game: Game, names: Sequence[str]
) -> list[dict[str, Any]]:
    """Runs of events of one actor: where each begins and ends, and one line about all of it.

    `scores` are those before each event, and at the end. What is dealt after the scoring of a round
    is a run of its own: where the dealer's last card ended it, the scores of several seats change.
    """
    return [
        {"from": first, "to": end, "actor": steps[first].actor,
         "text": told(game, steps[first:end], names)}
        for first, end in _runs(steps, scores)
    ]  # fmt: skip


def _runs(steps: Sequence[Step], scores: Sequence[Sequence[int]]) -> Iterator[tuple[int, int]]:
    first = 0
    for end in range(1, len(steps) + 1):
        changed = sum(now != was for now, was in zip(scores[end], scores[end - 1], strict=True))
        scored = steps[end - 1].actor == DEALER and changed > 1
        if end == len(steps) or steps[end].actor != steps[first].actor or scored:
            yield first, end
            first = end
