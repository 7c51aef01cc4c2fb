"""Depot as a picture: parcels on a shelf, a loading bay, and hands of labels.

What the Storage allows can be seen: equal parcels stand on top of each other, and the longest run
has a bracket. Hands of others lie face down but for the cards that everybody saw them take.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from droptable.core.language import _
from droptable.core.scene import Frame, Line, Path_, Picture, Scene
from droptable.games.depot import rules
from droptable.games.depot.picture.beats import beats
from droptable.games.depot.picture.board import board_picture
from droptable.games.depot.picture.chips import chips, legal_moves
from droptable.games.depot.picture.ending import Count, count_picture
from droptable.games.depot.picture.ghosts import ghost
from droptable.games.depot.rules.piles import numbers_in
from droptable.games.depot.words import why
from droptable.games.depot.words.cards import cards_of_play, spaced
from droptable.games.depot.words.log import verdict


def draw(view: Any, viewer: int, frame: Frame) -> Picture:
    if view["phase"] == rules.OVER and view["games"] > 1 and not frame.open:
        count = Count.after(view)
        return count_picture(count, len(count.takers), viewer, frame)
    return board_picture(view, viewer, frame)


def path(view: Any, seat: int, action: int) -> Path_:
    if action < rules.TAKE:
        return (tuple(f"hand-{number}" for number in rules.PLAYS[action]), "table")
    if action < rules.GIVE_CARD:
        return (f"store-{action - rules.TAKE + 1}",)
    if action < rules.KEEP:
        return (f"hand-{action - rules.GIVE_CARD + 1}", "storage")
    return ("do-keep",) if action == rules.KEEP else ("do-pass",)


def prompt(view: Any, viewer: int, names: Sequence[str]) -> str:
    phase, seat = view["phase"], int(view["seat"])
    if phase == rules.OVER:
        return verdict(view, names)
    if phase == rules.DEAL:
        return _("The cards are being dealt.")
    if phase == rules.FILL:
        return _("The Storage is being filled.")
    return _own_prompt(view, seat) if seat == viewer else _prompt_about(view, names[seat])


def _own_prompt(view: Any, seat: int) -> str:
    if view["phase"] == rules.GIVE:
        return _("Your turn: give a card of another number to the Storage, or keep all.")
    if view["table"] == rules.NO_PLAY:
        return _("Your turn: play anything.")
    empty = numbers_in(view["storage"]) == 0
    if any(action < rules.TAKE for action in legal_moves(view, seat)):
        text = _("Your turn: beat {cards} or take from the Storage.")
        text = _("Your turn: beat {cards} or pass.") if empty else text
    else:
        text = _("You cannot beat {cards}: take from the Storage.")
        text = _("You cannot beat {cards}: pass.") if empty else text
    return text.format(cards=cards_of_play(rules.PLAYS[int(view["table"])]))


def _prompt_about(view: Any, name: str) -> str:
    if view["phase"] == rules.GIVE:
        text = _("Waiting for {name} to give a card or keep all.")
    elif view["table"] == rules.NO_PLAY:
        text = _("Waiting for {name} to start the round.")
    else:
        text = _("Waiting for {name} to beat {cards} or pass.")
    return text.format(name=name, cards=cards_of_play(rules.PLAYS[int(view["table"])]))


def refusal(view: Any, seat: int, touched: Sequence[str]) -> str:
    """Why the chosen cards cannot be played together."""
    chosen = sorted(int(name[5:]) for name in touched if name.startswith("hand-"))
    if view["phase"] != rules.TURN or len(chosen) < 2:
        return ""
    cards = tuple(chosen)
    if len(set(chosen)) > 1:
        cards = tuple(range(chosen[0], chosen[-1] + 1))  # the run that they may become
        held = all(view["hands"][seat][number - 1] for number in cards)
        if len(set(chosen)) < len(chosen) or not held:
            text = _("{cards} are neither equal nor a run")
            return text.format(cards=spaced(chosen))
    if cards not in rules.PLAYS:
        return ""
    play = rules.PLAYS.index(cards)
    return "" if play in legal_moves(view, seat) else why(view, seat, play)[1]


def sheet(views: Iterable[Any], names: Sequence[str]) -> Sequence[Line]:
    lines: list[Line] = []
    before = [0] * len(names)
    for view in views:
        lost = view["lost"][: len(names)].tolist()
        if view["games"] == 1:
            left = tuple(view["hand_size"][: len(names)].tolist())
        elif view["game"] > len(lines) or view["phase"] == rules.OVER:
            points = tuple(now - then for now, then in zip(lost, before, strict=True))
            title = _("Lost points, game {game}").format(game=len(lines) + 1)
            lines.append(Line(title, "DP12", points))
            before = lost
    if view["games"] == 1:
        return [Line(_("Cards left"), "DP10", left, total=True)]
    return [*lines, Line(_("Lost points"), "DP13", tuple(lost), total=True)]


SCENE = Scene(
    accent="violet",
    draw=draw,
    path=path,
    prompt=prompt,
    ghost=ghost,
    sheet=sheet,
    refusal=refusal,
    beats=beats,
    chips=chips,
    style=Path(__file__).with_name("style.css"),
)
