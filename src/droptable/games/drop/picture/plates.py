"""The seats in pictures of Drop.: a plate with name and largest group, and a tray of stones."""

from __future__ import annotations

from typing import Any

from droptable.core.components import at, box, motion, plate, spread, text
from droptable.core.language import _, counted
from droptable.core.scene import Frame
from droptable.core.svg import Svg, join
from droptable.games.drop import rules
from droptable.games.drop.picture.board import STONE, Hexes, stone
from droptable.games.drop.picture.stones import stone_name
from droptable.games.drop.words import placements_left

TALL_PLATE, WIDE_PLATE = (175, 98), (238, 156)
FEW = 32  # stones that fit into a tray at a good size


def seat_plate(view: Any, seat: int, mine: bool, frame: Frame, hexes: Hexes, group: int) -> Svg:
    """A seat's plate: name, largest group, and the stones that it places in this turn."""
    active = bool(rules.to_act(view) >> seat & 1)
    now = placements_left(view) if active else 0
    width, height = TALL_PLATE if frame.tall else WIDE_PLATE
    x, y = (2 + width / 2, frame_width(frame) - 2 - width / 2)[seat], 2 + height / 2
    size = 15 if frame.tall else 25
    inside = _tall_inside if frame.tall else _wide_inside
    left = int(view["left"][seat])
    drawn = plate(
        seat, frame.names[seat], width, height, size, inside(seat, group, left),
        active=active, mine=mine, face=frame.face(seat),
    )  # fmt: skip
    return join(
        at(x, y, drawn, key=f"seat-{seat}"),
        _hand(view, seat, now, hexes, x, y, frame),
        None if frame.tall else _tray(view, seat, x, left - now),
    )


def frame_width(frame: Frame) -> int:
    return 360 if frame.tall else 1000


def _wide_inside(seat: int, group: int, _left: int) -> Svg:
    return join(
        at(-82, 2, _group_sign(seat, 10)),
        _group_size(seat, group, -56, 2, 36),
        text(_("largest group"), -102, 48, size=22, kind="left soft"),
    )


def _tall_inside(seat: int, group: int, left: int) -> Svg:
    return join(
        at(-66, -1, _group_sign(seat, 7)),
        _group_size(seat, group, -48, -1, 22),
        text(_("largest group"), -78, 18, size=12, kind="left soft"),
        at(-71, 36, stone(seat, 7)),
        text(_stones_left(left), -59, 36, size=13, kind="left"),
    )


def _group_size(seat: int, group: int, x: float, y: float, size: float) -> Svg:
    """A number that counts up when a group grows."""
    number = text(group, size=size, kind="left bold")
    return at(x, y, number, key=f"size-{seat}", motion=motion(face=group, turn="count"))


def _stones_left(left: int) -> str:
    return counted("{count} stone left", "{count} stones left", left)


def _hand(view: Any, seat: int, now: int, hexes: Hexes, x: float, y: float, frame: Frame) -> Svg:
    """The stones of this turn, as large as on the board, each with the id that it keeps there."""
    radius = hexes.side * STONE
    apart = 2.3 * radius
    right, down = (x + 52, y + 10) if frame.tall else (x + 60, y + 4)
    places = spread(now, 2 * apart, apart)
    how = motion(enter="grow", leave="none")
    return join(
        *(
            at(right + place, down, stone(seat, radius), key=stone_name(view, i),
               kind="still stone", motion=how)
            for i, place in enumerate(places)
        )
    )  # fmt: skip


def _tray(view: Any, seat: int, x: float, waiting: int) -> Svg:
    """The stones for later turns, in a tray at the board's lower corner."""
    width, height = WIDE_PLATE
    a_row, apart = (8, 27) if view["pieces"] <= FEW else (12, 18)
    first = -apart * (a_row - 1) / 2
    rows = [
        at(first + apart * (i % a_row), apart * (i // a_row) - 75 + apart * 0.8,
           stone(seat, apart * 0.43))
        for i in range(waiting)
    ]  # fmt: skip
    return at(
        x,
        558 - height / 2,
        box(width, height, "tray", r=14),
        *rows,
        text(_stones_left(int(view["left"][seat])), 0, 58, size=22, kind="on-wood"),
        key=f"tray-{seat}",
    )


def _group_sign(seat: int, side: float) -> Svg:
    """Three cells in an outline: the sign for a largest group."""
    hexes = Hexes(2, False, -side * 0.87, side * 0.5, side)
    return hexes.group([(0, 0), (1, 0), (1, -1)], seat)
