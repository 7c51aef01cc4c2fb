"""The moments of Depot that are worth seeing.

A deal is one moment, not one for each card; the end of a game is several.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from droptable.core.language import _
from droptable.core.scene import Beat, Frame, Picture, Step
from droptable.games.depot import rules
from droptable.games.depot.picture.board import board_picture
from droptable.games.depot.picture.ending import Count, count_picture, ends_game
from droptable.games.depot.picture.origins import is_fresh
from droptable.games.depot.words.log import (
    counted_up,
    dealt_hands,
    ended_round,
    game_over,
    tell,
    told_taker,
    verdict,
)


def beats(step: Step, viewer: int, frame: Frame) -> Sequence[Beat]:
    if ends_game(step):
        return _game_ends(step, viewer, frame)
    if step.after["set_size"] > step.before["set_size"]:
        return _round_ends(step, viewer, frame)
    if step.before["phase"] == rules.DEAL:
        return _dealt(step)
    if step.actor < 0:
        return _filled(step, frame)
    told = tell(step.before, step.after, step.actor, step.action, frame.names)
    if step.action < rules.TAKE:
        return [Beat(0.9, text=told, sound="drop")]
    return [Beat(0.8, text=told, sound="card")]


def _dealt(step: Step) -> Sequence[Beat]:
    """All hands at once, when the last card is dealt."""
    if step.after["phase"] == rules.DEAL:
        return []
    return [Beat(1.8, text=dealt_hands(step.after), sound="shuffle")]


def _filled(step: Step, frame: Frame) -> Sequence[Beat]:
    """Card by card, but the first ones together."""
    if is_fresh(step.after):
        if step.after["phase"] == rules.FILL:
            return []
        return [Beat(1.4, text=_("The Storage is filled."), sound="flip")]
    told = tell(step.before, step.after, step.actor, step.action, frame.names)
    shuffled = step.before["deck_size"] == 0  # DP7
    return [Beat(1.4 if shuffled else 0.5, text=told, sound="shuffle" if shuffled else "flip")]


def _round_ends(step: Step, viewer: int, frame: Frame) -> Sequence[Beat]:
    """First what was done, then the play leaves the bay and the shelf grows."""
    told = tell(step.before, step.before, step.actor, step.action, frame.names)
    before = _finished_pass(step, viewer, frame)
    return [
        Beat(0.7, before, text=told, sound="card"),
        Beat(1.7, text=ended_round(step.after, frame.names), sound="round"),
    ]


def _finished_pass(step: Step, viewer: int, frame: Frame) -> Picture:
    """The last pass of a round is over, but its play still lies in the bay."""
    view = step.after.copy()
    for field in ("table", "last", "set_size", "discards"):
        view[field] = step.before[field]
    view["passes"] = int(view["players"]) - 1
    view["phase"] = rules.FILL
    return board_picture(view, viewer, frame)


def _game_ends(step: Step, viewer: int, frame: Frame) -> Sequence[Beat]:
    after = step.after
    told = game_over(step.before, after, step.actor, step.action, frame.names)
    if after["games"] == 1:
        return [Beat(2.0, text=told, sound="round")]
    count = Count.of(step)
    shown = [
        Beat(1.8, _last_board(count, viewer, frame), text=told, sound="drop"),
        Beat(
            1.6, count_picture(count, 0, viewer, frame), sound="round",
            text=_("Lost points: the last takes the highest number in the Storage."),
        ),
    ]  # fmt: skip
    takers = count.takers
    for number, seat in enumerate(takers, 1):
        text = told_taker(seat, count.took[seat], count.lost[seat], frame.names)
        picture = count_picture(count, number, viewer, frame)
        shown.append(Beat(1.3, picture, text=text, sound="score"))
    if after["phase"] == rules.OVER:
        return [*shown, Beat(2.0, text=verdict(after, frame.names))]
    total = count_picture(count, len(takers), viewer, frame)
    return [*shown, Beat(2.5, total, text=counted_up(step.before, after, frame.names))]


def _last_board(count: Count, viewer: int, frame: Frame) -> Picture:
    """The last move of a game; the hands lie as they are."""
    game: Any = count.game.copy()
    if game["hand_size"][game["last"]] == 0:
        game["won"] = 1 << int(game["last"])
    return board_picture(game, viewer, frame)
