"""The whole table of Number Drop as one picture, at rest or in the middle of something."""

from __future__ import annotations

from typing import Any

from droptable.core.bits import members
from droptable.core.components import box
from droptable.core.contract import DEALER_ACTS, NOBODY
from droptable.core.language import ngettext
from droptable.core.scene import Frame, Picture
from droptable.core.svg import Svg, join
from droptable.games.number_drop import rules
from droptable.games.number_drop.picture.combo_table import combo_table
from droptable.games.number_drop.picture.dice_tray import dice, round_sign, tray
from droptable.games.number_drop.picture.large_sheet import large_sheet
from droptable.games.number_drop.picture.layout import TALL, WIDE, Layout
from droptable.games.number_drop.picture.moment import Moment
from droptable.games.number_drop.picture.small_sheets import small_sheets
from droptable.games.number_drop.picture.solo_tracks import high_scores, tracks


def draw(view: Any, viewer: int, frame: Frame) -> Picture:
    return drawn(view, viewer, frame, moment_of(view, viewer, frame))


def drawn(view: Any, viewer: int, frame: Frame, moment: Moment, *, still: bool = False) -> Picture:
    """A picture of a moment; of one that is `still`, nothing can be touched."""
    layout = layout_of(frame)
    large = large_seat(viewer, frame)
    acting = not still and large == viewer and bool(rules.to_act(view) >> viewer & 1)
    writing = view["doing"][large] == rules.NUMBER
    chosen_from = tray(view, large, layout) if acting else None
    body = join(
        box(layout.width, layout.height, "nd-ground", x=layout.width / 2, y=layout.height / 2,
            r=10),
        large_sheet(view, large, acting, frame, moment, layout, mine=large == viewer),
        combo_table(view, large, layout),
        dice(view, large, acting, layout),
        None if chosen_from and not writing else round_sign(view, layout),
        _others(view, large, acting, frame, moment, layout),
        chosen_from,
    )  # fmt: skip
    points = rules.score(view, large)
    title = ngettext(
        "{name}'s sheet of Number Drop, {points} point",
        "{name}'s sheet of Number Drop, {points} points",
        points,
    )
    title = title.format(name=frame.names[large], points=points)
    return Picture(layout.width, layout.height, body, title)


def _others(view: Any, large: int, acting: bool, frame: Frame, moment: Moment,
            layout: Layout) -> Svg:  # fmt: skip
    """The sheets of the others; alone, the tiles, and at the end the printed scores."""
    if view["players"] == 1:
        if view["stage"] == rules.OVER:
            return high_scores(moment.score(view, 0), frame.names[0], layout)
        return tracks(view, acting, layout)
    others = [seat for seat in range(view["players"]) if seat != large]
    return small_sheets(view, others, frame, moment, layout)


def layout_of(frame: Frame) -> Layout:
    return TALL if frame.tall else WIDE


def large_seat(viewer: int, frame: Frame) -> int:
    """Whose sheet is drawn large: the one asked for, else the viewer's, else the first."""
    if frame.focus is not None:
        return frame.focus
    return 0 if viewer == NOBODY else viewer


def moment_of(view: Any, viewer: int, frame: Frame) -> Moment:
    """The table at rest: who rolls or plays, who is done, who has won, as far as that is known."""
    actors = rules.to_act(view)
    everybody = tuple(range(view["players"]))
    if view["players"] == 1 or actors == 0:
        return Moment(won=members(rules.winners(view)) if view["players"] > 1 else ())
    if actors == DEALER_ACTS:
        return Moment(lit=(rules.active_seat(view),) if view["stage"] == rules.ROLLING else ())
    if rules.is_secret(view) and not frame.open:  # who is done is not known of others
        own = viewer != NOBODY
        waits = own and not actors >> viewer & 1 and bool(view["pending"])
        return Moment(
            lit=(viewer,) if own and actors >> viewer & 1 else (), done=(viewer,) if waits else ()
        )
    pending = int(view["pending"]) if view["stage"] == rules.PLAYING else actors
    done = tuple(seat for seat in everybody if not pending >> seat & 1)
    return Moment(lit=members(actors), done=done if view["stage"] == rules.PLAYING else ())
