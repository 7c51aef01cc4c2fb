"""Where things lie in pictures of Drop Site."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from droptable.core.components import CARD, CardSizes, spread
from droptable.core.scene import Frame
from droptable.games.drop_site import rules

Point = tuple[float, float]
Box = tuple[float, float, float, float]  # centre, width and height
Held = tuple[float, float, float]  # a card of a fan: its centre, and how far it is tilted
SOME_NUMBERS = 7  # the cards of a reserve are as large as so many allow, or smaller


@dataclass(frozen=True)
class Layout(CardSizes):
    """Plates and the plane at the top, sites on the map, the viewer's place at the bottom.

    When a round has been scored, and when everything is open, the map is at the top and a row for
    each seat is below.
    """

    players: int
    viewer: int  # a seat, or NOBODY: then nobody's place is at the bottom
    slots: int
    tall: bool
    scored: bool
    open: bool  # every hand and reserve is shown
    numbers: int  # the most different numbers in a reserve of a scored round

    @classmethod
    def of(cls, view: Any, viewer: int, frame: Frame) -> Layout:
        scored = bool(rules.is_scored(view))
        return cls.at_table(view, viewer, frame) if not scored else cls.scoring(view, viewer, frame)

    @classmethod
    def at_table(cls, view: Any, viewer: int, frame: Frame) -> Layout:
        """The table as it is played on."""
        slots = rules.sites_to_end(view)
        return cls(int(view["players"]), viewer, slots, frame.tall, False, frame.open, 0)

    @classmethod
    def scoring(cls, view: Any, viewer: int, frame: Frame) -> Layout:
        """Rows with the reserves, as they are turned up when a round ends."""
        numbers = max(rules.count_bits(rules.held(int(bag))) for bag in view["reserves"])
        slots, players = rules.sites_to_end(view), int(view["players"])
        return cls(players, viewer, slots, frame.tall, True, frame.open, int(numbers))

    @property
    def listed(self) -> bool:
        """Whether there is a row for each seat."""
        return self.scored or self.open

    @property
    def watched(self) -> bool:
        """Whether the picture is for somebody without a seat: the map takes all the room."""
        return self.viewer < 0 and not self.listed

    # -- sizes ------------------------------------------------------------------------------------

    @property
    def site_card(self) -> float:
        if self.tall:
            return 72 if self.listed else 112 if self.watched else 98
        if self.listed:
            return 118 if self.players == 4 else 130
        return 152 if self.watched else 158

    @property
    def hand_card(self) -> float:
        return 98 if self.tall else 174

    @property
    def open_card(self) -> float:
        return 26 if self.tall else 46

    @property
    def back(self) -> float:
        """The height of a card in another's hand."""
        return 16 if self.tall else 30

    @property
    def peeks(self) -> float:
        """The room for all the covered cards of a site."""
        if self.tall:
            return 12 if self.listed else 17
        return 20 if self.listed else 29

    @property
    def nudge(self) -> float:
        """How much lower a card is shown that would be placed."""
        return 6 if self.tall else 10

    @property
    def gap(self) -> float:
        return 6 if self.tall else 10

    @property
    def height(self) -> int:
        if self.listed:
            return round(self._rows_top + self.players * self._row_height)
        if self.watched:
            return round(self._map_bottom + self.gap)
        return 518 if self.tall else 559

    # -- the top row ------------------------------------------------------------------------------

    @property
    def _top(self) -> float:
        """Where the plates at the top end."""
        rows = -(-self._others // self._plates_across)
        return self.gap + rows * (self._plate_height + self.gap) - self.gap

    def plate(self, seat: int) -> Box:
        """A seat's plate: the viewer's beside its hand, those of the others at the top."""
        if seat == self.viewer:
            return self._own_plate
        others = [other for other in range(self.players) if other != self.viewer]
        row, column = divmod(others.index(seat), self._plates_across)
        room = self.width - self.margin * 2 + self.gap
        room -= 0 if self.tall else self.plane * 2 + self.margin
        share = room / self._plates_across
        x = self.margin + (column + 0.5) * share - self.gap / 2
        y = self.gap + self._plate_height / 2 + row * (self._plate_height + self.gap)
        return x, y, share - self.gap, self._plate_height

    @property
    def _others(self) -> int:
        return self.players - (self.viewer >= 0)

    @property
    def _plates_across(self) -> int:
        """Side by side; four would be too narrow in a tall picture."""
        return 2 if self.tall and self._others == 4 else self._others

    @property
    def _plate_height(self) -> float:
        return 48 if self.tall else 86

    @property
    def plane(self) -> float:
        """Half the length of the plane that carries the deck."""
        return 27 if self.tall else 70

    @property
    def deck(self) -> Point:
        """The plane: beside the plates, or in the sky over the map."""
        if self.tall:
            return self.width - self.margin - self.plane - 6, self.map[1] + self._sky / 2 + 1
        if self.listed:
            return self.width - self.margin - self.plane - 8, self.map[1] + 44
        return self.width - self.margin - self.plane - 6, self.gap + self._plate_height / 2 + 8

    # -- the map and its sites --------------------------------------------------------------------

    @property
    def map(self) -> tuple[float, float, float, float]:
        """Left upper corner, width and height."""
        top = self.gap if self.listed else self._top + self.gap
        edge = self.margin / 2
        return edge, top, self.width - 2 * edge, self._map_bottom - top

    @property
    def _sky(self) -> float:
        """The strip above the sites: the round, and how many sites are missing."""
        return 28 if self.tall else 38

    @property
    def _map_bottom(self) -> float:
        top = self.gap if self.listed else self._top + self.gap
        return top + self._sky + self.rows * self._site_height + self.gap / 2

    @property
    def across(self) -> int:
        """How many sites lie side by side."""
        return (self.slots + 1) // 2 if self.tall or self.watched else self.slots

    @property
    def rows(self) -> int:
        return -(-self.slots // self.across)

    @property
    def _site_height(self) -> float:
        return self.peeks + self.site_card + self.pad * 2

    @property
    def pad(self) -> float:
        """The edge of a landing zone around a card."""
        return 5 if self.tall else 8

    @property
    def site_step(self) -> float:
        room = self.width - 2 * self.margin
        if self.listed and not self.tall:
            room -= self.plane * 2
        widest = 1.75 if self.across == 3 else 1.5
        return min(room / self.across, self.site_card * CARD * widest)

    def site(self, site: int) -> Point:
        """The centre of a site's top card."""
        row, column = divmod(site, self.across)
        middle = self.width / 2
        if self.listed and not self.tall:
            middle -= self.plane
        x = middle + (column - (self.across - 1) / 2) * self.site_step
        top = self.map[1] + self._sky + row * self._site_height
        return x, top + self.peeks + self.pad / 2 + self.site_card / 2

    @property
    def sign(self) -> Point:
        """The middle of the sky's left end."""
        return self.margin * 1.5, self.map[1] + self._sky / 2 + 1

    # -- the viewer's place -----------------------------------------------------------------------

    @property
    def _own_plate(self) -> Box:
        if self.tall:
            width = self.width - 2 * self.margin - self.gap - self._reserve_width
            return self.margin + width / 2, self._map_bottom + self.gap + 25, width, 50
        return self.margin + 110, self._hand_y, 220, 150

    @property
    def _reserve_width(self) -> float:
        return 150 if self.tall else 190

    @property
    def reserve(self) -> Box:
        """The viewer's reserve, under its tarpaulin."""
        if self.listed:
            x, y, _width, _height = self.row(self.viewer)
            dx, dy = self.open_reserve(1)[0]
            return x + dx, y + dy, self.open_card, self.open_card
        width = self._reserve_width
        x = self.width - self.margin - width / 2
        if self.tall:
            return x, self._map_bottom + self.gap + 25, width, 50
        return x, self._hand_y, width, 150

    @property
    def _hand_y(self) -> float:
        return self.height - self.hand_card / 2 - (9 if self.tall else 14)

    def hand(self, count: int) -> list[Held]:
        """A fan: its outer cards lie lower and are tilted."""
        if self.tall:
            middle, width, step, lean = self.width / 2, self.width - 2 * self.margin - 8, 66.0, 1.7
        else:
            middle, width, step, lean = 516.0, 548.0, 104.0, 2.2
        places = spread(count, width - self.hand_card * CARD, step)
        lowest = 5.0 if self.tall else 9.0
        fan = []
        for x in places:
            turn = x / step
            fan.append((middle + x, self._hand_y - lowest / 2 + turn * turn * lowest / 4,
                        turn * lean))  # fmt: skip
        return fan

    # -- rows of a scoring, and of open hands ----------------------------------------------------

    @property
    def _rows_top(self) -> float:
        return self._map_bottom + self.gap

    @property
    def _row_height(self) -> float:
        limit = 518 if self.tall else 558
        most = 132 if self.tall else 160
        return min((limit - self._rows_top) / self.players, most)

    def row(self, seat: int) -> Box:
        height = self._row_height - self.gap
        y = self._rows_top + self._row_height * seat + height / 2
        return self.width / 2, y, self.width - self.margin * (1 if self.tall else 2), height

    @property
    def _room(self) -> float:
        """How much of a scored row the cards may take."""
        return 328 if self.tall else 572

    @property
    def scored_card(self) -> float:
        """The height of a card in a scored row."""
        lines = 19 + 18 if self.tall else 32
        high = self._row_height - self.gap - lines
        return min(high, self._room / max(self.numbers, SOME_NUMBERS) / CARD * 0.86)

    def scored_cards(self, count: int) -> list[Point]:
        """Where the cards of a reserve lie in its row, from the row's centre."""
        step = self._room / max(self.numbers, SOME_NUMBERS)
        y = 2.0 if self.tall else -12.0
        left = -self._room / 2 if self.tall else -self.row(0)[2] / 2 + 232
        return [(left + (i + 0.5) * step, y) for i in range(count)]

    @property
    def name_room(self) -> float:
        """How wide the name in an open row may be."""
        return 100 if self.tall else 190

    def open_hand(self, count: int) -> list[Point]:
        """Where an open hand lies in its row, from the row's centre: behind the name."""
        left, step = (-30.0, 22.0) if self.tall else (-228.0, 36.0)
        return [(left + i * step, self._open_y if not self.tall else -20.0) for i in range(count)]

    def open_reserve(self, count: int) -> list[Point]:
        """Where the numbers of an open reserve lie: below the hand, or behind it."""
        left, step = (-self.width / 2 + 24, 25.5) if self.tall else (-22.0, 36.0)
        return [(left + i * step, self._open_y) for i in range(count)]

    @property
    def _open_y(self) -> float:
        return 8.0 if self.tall else -13.0
