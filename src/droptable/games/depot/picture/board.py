"""The table while a game is played."""

from __future__ import annotations

from typing import Any

from droptable.core.language import _
from droptable.core.scene import Frame, Picture
from droptable.core.svg import join
from droptable.games.depot.picture.layout import Layout
from droptable.games.depot.picture.pieces import (
    bay_picture,
    hand,
    limits,
    open_hands,
    others_hand,
    piles,
    places,
    played,
    seat_picture,
    shelf,
    stored,
)


def board_picture(view: Any, viewer: int, frame: Frame) -> Picture:
    """Plates, piles, the loading bay and the shelf, and the hand of the viewer or all hands."""
    layout = Layout.of(view, viewer, frame)
    seats = range(view["players"])
    body = join(
        *(seat_picture(view, layout, seat, frame) for seat in seats),
        piles(view, layout),
        bay_picture(view, layout, frame),
        shelf(view, layout, limits(view)),
        *places(view, layout),
        *stored(view, layout),
        *([] if frame.open else (others_hand(view, layout, seat) for seat in seats)),
        *played(view, layout),
        *(open_hands(view, layout) if frame.open else hand(view, layout)),
    )
    title = _("Depot, game {game} of {games}, turn {turn}").format(
        game=int(view["game"]) + 1, games=int(view["games"]), turn=int(view["turn"]) + 1
    )
    return Picture(360 if frame.tall else 1000, layout.height, body, title)
