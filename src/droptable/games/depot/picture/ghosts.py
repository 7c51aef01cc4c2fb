"""What a move would do, drawn over the picture."""

from __future__ import annotations

from typing import Any

from droptable.core.components import arrow, at, box
from droptable.core.scene import Frame
from droptable.core.svg import Svg, join
from droptable.games.depot import rules
from droptable.games.depot.picture.layout import Layout
from droptable.games.depot.picture.parcels import parcel_card
from droptable.games.depot.picture.pieces import bay_places, stored_face
from droptable.games.depot.rules.piles import NUMBERS


def ghost(view: Any, seat: int, action: int, frame: Frame) -> Svg | None:
    """Cards in the bay, an arrow from the shelf, or a card on it."""
    layout = Layout.of(view, seat, frame)
    if action < rules.TAKE:
        numbers = rules.PLAYS[action]
        card, size = layout.table_card, layout.small
        faces = [parcel_card(number, card, size, both=True) for number in numbers]
        x, y, width, _height = layout.table
        floor = box(width - 6, card + 8, "dp-bare", x=x, y=y + layout.small * 0.55)
        return join(floor, *map(at, *bay_places(layout, len(numbers)), faces))
    if action >= rules.KEEP:
        return None
    number = (action - rules.TAKE) % NUMBERS
    (x, y, *_size), (dx, dy) = layout.storage, layout.bay_centre(number)
    if action < rules.GIVE_CARD:
        edge = y + dy + layout.bay[1] / 2
        return arrow(x + dx, edge - layout.text, x + dx, edge + layout.text * 1.8)
    return at(x + dx, y + dy + layout.stored(1)[0], stored_face(number + 1, layout))
