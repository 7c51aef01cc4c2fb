"""Whole pictures of Drop Site: the table, the scoring of a round, and everything open."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from droptable.core.language import ngettext
from droptable.core.scene import Frame, Picture
from droptable.core.svg import Svg, join
from droptable.games.drop_site import rules
from droptable.games.drop_site.picture.layout import Layout
from droptable.games.drop_site.picture.pieces import (
    Flight,
    Landing,
    deck_picture,
    flight_picture,
    hand_picture,
    map_picture,
    open_row,
    seat_picture,
    sites_picture,
    slots_picture,
)
from droptable.games.drop_site.picture.scoring import (
    Stage,
    finished,
    paying_sites,
    pays_picture,
    scored_row,
)
from droptable.games.drop_site.words import round_number


def draw(view: Any, viewer: int, frame: Frame) -> Picture:
    if frame.open:
        return _draw_open(view, viewer, frame)
    if rules.is_scored(view):
        return draw_scoring(view, viewer, frame, finished(view))
    return draw_table(view, viewer, frame)


def draw_table(
    view: Any,
    viewer: int,
    frame: Frame,
    *,
    flight: Flight | None = None,
    landing: Landing | None = None,
    covered: bool | str = False,
) -> Picture:
    """A round that is played; a card may be in the air or land, the hand may lie face down."""
    layout = Layout.at_table(view, viewer, frame)
    parts = [map_picture(view, layout)]
    for seat in range(view["players"]):
        parts += seat_picture(view, layout, seat, viewer, frame)
    parts += [
        deck_picture(view, layout, flying=flight is not None),
        *slots_picture(view, layout),
        *sites_picture(view, layout, landing=landing),
    ]
    if viewer >= 0:
        parts += hand_picture(view, layout, viewer, covered=covered)
    if flight is not None:
        parts += flight_picture(view, layout, flight)
    return _picture(view, layout, parts)


def draw_scoring(view: Any, viewer: int, frame: Frame, stage: Stage) -> Picture:
    """A round that is over, as far as its scoring has been shown."""
    layout = Layout.scoring(view, viewer, frame)
    lit = paying_sites(view, stage.now) if stage.now >= 0 else {}
    parts = [map_picture(view, layout), deck_picture(view, layout)]
    parts += sites_picture(view, layout, lit=tuple(lit))
    for seat in range(view["players"]):
        parts += scored_row(view, layout, seat, viewer, frame, stage)
    parts += pays_picture(view, layout, stage)
    return _picture(view, layout, parts)


def _draw_open(view: Any, viewer: int, frame: Frame) -> Picture:
    """All hands and reserves, when there are no secrets any more."""
    layout = Layout.of(view, viewer, frame)
    parts = [map_picture(view, layout), deck_picture(view, layout), *slots_picture(view, layout)]
    parts += sites_picture(view, layout)
    for seat in range(view["players"]):
        parts += open_row(view, layout, seat, viewer, frame)
    return _picture(view, layout, parts)


def _picture(view: Any, layout: Layout, parts: Iterable[Svg]) -> Picture:
    title = ngettext(
        "Drop Site, round {round}, played to {target} point",
        "Drop Site, round {round}, played to {target} points",
        view["target"],
    ).format(round=round_number(view), target=int(view["target"]))
    return Picture(int(layout.width), layout.height, join(*parts), title)
