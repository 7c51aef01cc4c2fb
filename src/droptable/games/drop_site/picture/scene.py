"""Drop Site as a picture: crates under parachutes, dropped on landing zones of a map.

A reserve lies under a tarpaulin, also before its owner, until the round is over. A card in a hand
is known by its owner's seat, its number and a letter, one on a site by the site and its number (a
site has each number once).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from droptable.core.components import at
from droptable.core.language import _
from droptable.core.scene import Frame, Line, Path_, Scene
from droptable.core.svg import Svg
from droptable.games.drop_site import rules
from droptable.games.drop_site.picture.beats import beats
from droptable.games.drop_site.picture.cards import back
from droptable.games.drop_site.picture.drawing import draw
from droptable.games.drop_site.picture.layout import Layout
from droptable.games.drop_site.picture.pieces import card_face
from droptable.games.drop_site.words import round_number, verdict, why


def path(view: Any, seat: int, action: int) -> Path_:
    number = action % rules.NUMBERS
    if action >= rules.HIDE:
        where = "reserve"
    elif action >= rules.PLACE:
        where = f"site-{rules.site_for(view, number) + 1}"
    else:
        where = "new-site"
    return (f"hand-{number}", where)


def ghost(view: Any, seat: int, action: int, frame: Frame) -> Svg | None:
    layout = Layout.of(view, seat, frame)
    number = action % rules.NUMBERS
    if action >= rules.HIDE:
        x, y, _width, height = layout.reserve
        return at(x, y, back(min(height, layout.hand_card) * 0.9))
    placed = action >= rules.PLACE
    site = rules.site_for(view, number) if placed else rules.site_count(view)
    x, y = layout.site(site)
    lift = layout.nudge if placed else 0
    return at(x, y + lift, card_face(view, number, layout, layout.site_card))


def refusal(view: Any, seat: int, touched: Sequence[str]) -> str:
    """A card on a site that is not its own: where it has to go instead."""
    if len(touched) != 2 or not touched[1].startswith("site-"):
        return ""
    number = int(touched[0].removeprefix("hand-"))
    if 2 << number > rules.tops(view):  # DS3, DS5: no site is higher
        return "{1} ({0})".format(*why(view, seat, rules.PLACE + number))
    top = rules.top_number(int(view["sites"][rules.site_for(view, number)]))
    reason = _("the {card} has to go on the {top}: that is the lowest site above it")
    return reason.format(card=number, top=top) + " (DS4)"


def prompt(view: Any, viewer: int, names: Sequence[str]) -> str:
    phase, seat = view["phase"], int(view["seat"])
    if phase == rules.OVER:
        return verdict(view, names)
    if rules.is_scored(view):
        return _("Round {round} is over.").format(round=round_number(view))
    if phase == rules.DEAL:
        return _("The cards are being dealt.")
    if phase == rules.SITE:
        return _("The first site is being opened.")
    if phase == rules.DRAW:
        return _("{name} draws a card.").format(name=names[seat])
    if seat != viewer:
        return _("Waiting for {name}.").format(name=names[seat])
    if rules.site_count(view) + 1 == rules.sites_to_end(view):
        return _("Your turn: play a card. A new site ends the round.")
    return _("Your turn: play a card")


def sheet(views: Iterable[Any], names: Sequence[str]) -> Sequence[Line]:
    lines: list[Line] = []
    totals = [0] * len(names)
    for view in views:
        now = view["totals"][: len(names)].tolist()
        if view["rounds"] > len(lines):
            points = tuple(n - t for n, t in zip(now, totals, strict=True))
            title = _("Round {round}").format(round=len(lines) + 1)
            lines.append(Line(title, "DS9", points))
        totals = now
    return [*lines, Line(_("Total"), "DS10", tuple(totals), total=True)]


SCENE = Scene(
    accent="orange",
    draw=draw,
    path=path,
    prompt=prompt,
    ghost=ghost,
    sheet=sheet,
    refusal=refusal,
    beats=beats,
    style=Path(__file__).with_name("style.css"),
)
