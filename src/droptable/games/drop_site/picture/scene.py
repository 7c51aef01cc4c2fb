"""Drop Site as a picture: the sites as stacks, a slot for each one to come, and the hand below.

A reserve lies face down, also before its owner, until the match is over. A card has its number and
its points; cards on sites and in the hand are numbered together, so that one that is delivered
keeps its id on its way.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from droptable.core.components import at, card_back
from droptable.core.language import _, ngettext
from droptable.core.scene import Frame, Line, Path_, Picture, Scene
from droptable.core.svg import Svg, join
from droptable.games.drop_site import rules
from droptable.games.drop_site.picture.layout import Layout
from droptable.games.drop_site.picture.pieces import (
    card_picture,
    cards_picture,
    deck_picture,
    open_row,
    scored_row,
    seat_picture,
    slots,
)
from droptable.games.drop_site.words import verdict, why


def draw(view: Any, viewer: int, frame: Frame) -> Picture:
    layout = Layout.of(view, viewer, frame)
    over = view["phase"] == rules.OVER
    one = open_row if frame.open else scored_row if over else seat_picture
    seats = [one(view, layout, seat, viewer, frame) for seat in range(view["players"])]
    if frame.open or not over:
        seats.append(deck_picture(view, layout))
    body = join(*seats, *slots(view, layout), *cards_picture(view, layout, viewer))
    number = int(view["rounds"]) + (view["phase"] != rules.OVER)
    title = ngettext(
        "Drop Site, round {round}, played to {target} point",
        "Drop Site, round {round}, played to {target} points",
        view["target"],
    ).format(round=number, target=int(view["target"]))
    return Picture(360 if frame.tall else 1000, layout.height, body, title)


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
        return at(*layout.reserve, card_back(layout.reserve_card))
    placed = action >= rules.PLACE
    site = rules.site_for(view, number) if placed else rules.site_count(view)
    x, y = layout.site(site)
    lift = layout.nudge if placed else 0
    return at(x, y + lift, card_picture(view, number, layout, layout.site_card))


def refusal(view: Any, seat: int, touched: Sequence[str]) -> str:
    """A card on a site that is not its own: where it has to go instead."""
    if len(touched) != 2 or not touched[1].startswith("site-"):
        return ""
    number = int(touched[0].removeprefix("hand-"))
    if 2 << number > rules.tops(view):  # DS3, DS5: no site is higher
        return "{1} ({0})".format(*why(view, seat, rules.PLACE + number))
    top = rules.top_number(int(view["sites"][rules.site_for(view, number)]))
    reason = _("{card} has to go on the {top}: that is the lowest site above it")
    return reason.format(card=number, top=top) + " (DS4)"


def prompt(view: Any, viewer: int, names: Sequence[str]) -> str:
    phase, seat = view["phase"], int(view["seat"])
    if phase == rules.OVER:
        return verdict(view, names)
    if phase == rules.DEAL:
        return _("The cards are being dealt.")
    if phase == rules.SITE:
        return _("The first site is being opened.")
    if phase == rules.DRAW:
        return _("{name} draws a card.").format(name=names[seat])
    if seat != viewer:
        return _("{name} is choosing a card.").format(name=names[seat])
    choice = _("Choose a card, then a site, the new site or your reserve.")
    if rules.site_count(view) + 1 == rules.sites_to_end(view):
        return choice + " " + _("A new site ends the round.")
    return choice


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
)
