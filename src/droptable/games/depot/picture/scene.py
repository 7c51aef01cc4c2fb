"""Depot as a picture: the Storage as a shelf with a bay for each number, the play to beat, hands.

What the Storage allows can be seen: its largest set is a stack, its longest run has a bracket.
Hands of others lie face down but for the cards that everybody saw them take.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from droptable.core.components import arrow, at, card
from droptable.core.language import _
from droptable.core.scene import Frame, Line, Path_, Picture, Scene
from droptable.core.svg import Svg, join
from droptable.games.depot import rules
from droptable.games.depot.picture.layout import Layout
from droptable.games.depot.picture.pieces import (
    hand,
    open_hands,
    piles,
    played,
    seat_picture,
    storage_picture,
    table_picture,
    table_places,
)
from droptable.games.depot.rules.piles import NUMBERS, numbers_in
from droptable.games.depot.words import verdict


def draw(view: Any, viewer: int, frame: Frame) -> Picture:
    layout = Layout.of(view, viewer, frame)
    body = join(
        *(seat_picture(view, layout, seat, frame) for seat in range(view["players"])),
        piles(view, layout),
        table_picture(view, layout),
        storage_picture(view, layout),
        *played(view, layout),
        *(open_hands(view, layout) if frame.open else hand(view, layout)),
    )
    title = _("Depot, game {game} of {games}, turn {turn}").format(
        game=int(view["game"]) + 1, games=int(view["games"]), turn=int(view["turn"]) + 1
    )
    return Picture(360 if frame.tall else 1000, layout.height, body, title)


def path(view: Any, seat: int, action: int) -> Path_:
    if action < rules.TAKE:
        return (tuple(f"hand-{number}" for number in rules.PLAYS[action]), "table")
    if action < rules.GIVE_CARD:
        return (f"store-{action - rules.TAKE + 1}",)
    if action < rules.KEEP:
        return (f"hand-{action - rules.GIVE_CARD + 1}", "storage")
    return ("do-keep",) if action == rules.KEEP else ("do-pass",)


def ghost(view: Any, seat: int, action: int, frame: Frame) -> Svg | None:
    layout = Layout.of(view, seat, frame)
    if action < rules.TAKE:
        numbers = rules.PLAYS[action]
        faces = [card(number, layout.table_card) for number in numbers]
        return join(*map(at, *table_places(layout, len(numbers)), faces))
    if action >= rules.KEEP:
        return None
    number = (action - rules.TAKE) % NUMBERS
    (x, y, *_size), (dx, dy) = layout.storage, layout.bay_centre(number)
    if action < rules.GIVE_CARD:
        edge = y + dy + layout.bay[1] / 2
        return arrow(x + dx, edge - layout.text, x + dx, edge + layout.text * 1.6)
    lower = layout.stored(int(view["storage"][number]) + 1)[-1]
    return at(x + dx, y + dy + lower, card(number + 1, layout.stored_card))


def prompt(view: Any, viewer: int, names: Sequence[str]) -> str:
    phase, seat = view["phase"], int(view["seat"])
    if phase == rules.OVER:
        return verdict(view, names)
    if phase == rules.DEAL:
        return _("The cards are being dealt.")
    if phase == rules.FILL:
        return _("The Storage is being filled.")
    if phase == rules.GIVE:
        if seat == viewer:
            return _("Choose a card of another number for the Storage, or keep all.")
        return _("{name} may give a card to the Storage.").format(name=names[seat])
    if seat != viewer:
        return _("{name} is choosing a play.").format(name=names[seat])
    if view["table"] == rules.NO_PLAY:
        return _("Start the round: choose one card, a set or a run, then the table.")
    beat = _("Beat the play: choose cards, then the table.")
    if numbers_in(view["storage"]):
        return beat + " " + _("Or pass: take a number from the Storage.")
    return beat + " " + _("Or pass.")


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
)
