"""Turns in words: what was done, what would have been better, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from droptable.bots.played_turns import after
from droptable.core.language import ngettext
from droptable.core.scene import Step
from droptable.core.state import View
from droptable.core.words import told

if TYPE_CHECKING:
    from droptable.bots.coach import Decision


def turn_label(view: View, tokens: Sequence[str], names: Sequence[str]) -> str:
    """A turn in a few words: as a move's label, or as the log tells it if it is many moves."""
    if len(tokens) == 1:
        return view.label(tokens[0])
    ids = view.game.vocabulary(view.options).action_ids
    assert view.seat is not None
    views = [view, *(after(view, tokens[: i + 1]).view(view.seat) for i in range(len(tokens)))]
    if view.game.words.tell_turn is None:
        return ", ".join(v.label(token) for v, token in zip(views, tokens, strict=False))
    steps = [
        Step(was.fields, now.fields, view.seat, ids[token])
        for was, now, token in zip(views, views[1:], tokens, strict=False)
    ]
    return told(view.game, steps, names)


def explanation(view: View, decision: Decision, names: Sequence[str]) -> str:
    """Why a turn was worse than the best one, in the game's terms; empty if nothing can be said."""
    return explain_turns(view, decision.turn, decision.line, names)


def explain_turns(
    view: View, turn: Sequence[str], line: Sequence[str], names: Sequence[str]
) -> str:
    """The same for any turn, and a better one."""
    assert view.seat is not None
    made, best = (after(view, tokens).view(view.seat) for tokens in (turn, line))
    if view.game.words.explain is not None:
        why = view.game.words.explain(view.fields, made.fields, best.fields, view.seat, names)
        if why:
            return why
    points, better = made.scores[view.seat], best.scores[view.seat]
    if better <= points:
        return ""
    text = ngettext(
        "{name} could have had {better} point now, not {points}.",
        "{name} could have had {better} points now, not {points}.",
        better,
    )
    return text.format(name=names[view.seat], better=better, points=points)
