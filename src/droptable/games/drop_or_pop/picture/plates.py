"""The seats in pictures of Drop or Pop!: name, largest group, and the counters in hand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from droptable.core.components import LETTER, at, motion, plate, shortened, text
from droptable.core.language import _
from droptable.core.scene import Frame
from droptable.core.svg import Svg, join
from droptable.games.drop_or_pop import rules
from droptable.games.drop_or_pop.picture.layout import Layout
from droptable.games.drop_or_pop.picture.pieces import socket

GAP = 6


@dataclass(frozen=True)
class Place:
    """Where a seat's plate is: its centre and size."""

    x: float
    y: float
    width: float
    height: float

    def hand(self, layout: Layout, number: int) -> tuple[float, float]:
        """Where a counter in hand lies."""
        r = self.radius(layout)
        if layout.tall:
            left, row = number % 3, number // 3
            return (
                self.x - self.width / 2 + 7 + r + left * 2.2 * r,
                self.y + self.height / 2 - 7 - r - (1 - row) * 2.2 * r,
            )
        step = (self.width - 24) / rules.COUNTERS
        return (
            self.x - self.width / 2 + 12 + step * (number + 0.5),
            self.y + self.height / 2 - r - 12,
        )

    def radius(self, layout: Layout) -> float:
        """Of counters in hand."""
        return 9 if layout.tall else 18.5


@lru_cache
def place(layout: Layout, players: int, seat: int) -> Place:
    """Tall: one below the other at the right. Wide: clockwise round the frame."""
    if layout.tall:
        share = (layout.height - 2) / players
        left, right = layout.right + 4, layout.width - 2
        height = min(share - GAP, 112)
        return Place((left + right) / 2, 2 + height / 2 + seat * share, right - left, height)
    width, share = layout.left - 12, layout.height / 2
    height = share - 16
    x = (2 + width / 2, layout.width - 2 - width / 2)[seat in (1, 2)]
    y = (2 + height / 2, layout.height - 4 - height / 2)[seat in (2, 3)]
    return Place(x, y, width, height)


def seat_plate(view: Any, layout: Layout, seat: int, viewer: int, frame: Frame) -> Svg:
    """A seat's plate, without the counters that lie on it."""
    here = place(layout, int(view["players"]), seat)
    size = layout.size
    cells = int(view["counters"][seat])
    group = rules.group_size(cells)
    lines = _lines(frame.names[seat], here.width - 2.4 * size, size)
    top = -here.height / 2 + size * 0.95
    below = top + size * (2.1 if layout.tall else 2.6)
    drawn = plate(
        seat,
        lines[0],
        here.width,
        here.height,
        size,
        *(
            text(line, -here.width / 2 + size * 1.8, top + size * 1.15, size=size, kind="left")
            for line in lines[1:]
        ),
        _sockets(layout, here),
        *_group(seat, group, here, below, layout),
        active=seat == view["seat"] and not view["won"],
        mine=seat == viewer,
        face=frame.face(seat),
    )
    return at(here.x, here.y, drawn, key=f"seat-{seat}")


@lru_cache
def _sockets(layout: Layout, here: Place) -> Svg:
    """The places of the counters in hand."""
    hands = (here.hand(layout, number) for number in range(rules.COUNTERS))
    return join(*(at(x - here.x, y - here.y, socket(here.radius(layout))) for x, y in hands))


def _group(seat: int, group: int, here: Place, y: float, layout: Layout) -> Iterable[Svg]:
    """How many of four hang together."""
    said = f"{group}/{rules.TO_WIN}"
    grows = motion(face=said, turn="pulse")
    if layout.tall:
        x, y = here.width / 2 - 6, here.height / 2 - 17
        number = text(said, size=18, kind="right bold")
        yield at(x, y, number, key=f"group-{seat}", motion=grows)
        yield text(_("group"), x, y - 18, size=12, kind="right soft")
        return
    x, y = -here.width / 2 + 14, y + 30
    number = text(said, size=38, kind="left bold")
    yield at(x, y, number, key=f"group-{seat}", motion=grows)
    yield text(_("largest group"), x + 76, y + 1, size=layout.small, kind="left soft")


def _lines(name: str, room: float, size: float) -> list[str]:
    """A name in one line, or in two if it is a team's."""
    most = int(room / (LETTER * size))
    if len(name) <= most:
        return [name]
    words = name.split(" ")
    first = words.pop(0)
    while words and len(first) + 1 + len(words[0]) <= most:
        first += " " + words.pop(0)
    rest = " ".join(words)
    return [first, shortened(rest, room, size)] if rest else [first]


def plates(view: Any, layout: Layout, viewer: int, frame: Frame) -> Svg:
    """All plates."""
    return join(*(seat_plate(view, layout, seat, viewer, frame) for seat in range(view["players"])))
