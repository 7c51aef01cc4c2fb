"""Where things lie in pictures of Drop Site."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from droptable.core.components import CARD, CardSizes, spread
from droptable.core.scene import Frame
from droptable.games.drop_site import rules

Point = tuple[float, float]
Box = tuple[float, float, float, float]  # centre, width and height


@dataclass(frozen=True)
class Layout(CardSizes):
    """Plates and the deck at the top, sites in the middle, the viewer's place at the bottom.

    When the match is over, and when everything is open, the sites are at the top and a row for
    each seat is below.
    """

    players: int
    viewer: int  # a seat, or NOBODY: then nobody's place is at the bottom
    slots: int
    tall: bool
    over: bool
    open: bool  # every hand and reserve is shown

    @classmethod
    def of(cls, view: Any, viewer: int, frame: Frame) -> Layout:
        slots, over = rules.sites_to_end(view), view["phase"] == rules.OVER
        return cls(int(view["players"]), viewer, slots, frame.tall, over, frame.open)

    @property
    def listed(self) -> bool:
        """Whether there is a row for each seat."""
        return self.over or self.open

    # -- sizes ------------------------------------------------------------------------------------

    @property
    def site_card(self) -> float:
        if self.tall:
            return 76 if self.open else 80 if self.over else 110
        return 144 if self.listed else 152

    @property
    def hand_card(self) -> float:
        return 76 if self.tall else 158

    @property
    def deck_card(self) -> float:
        return 46 if self.tall else 78

    @property
    def scored_card(self) -> float:
        return 26 if self.tall else 42

    @property
    def open_card(self) -> float:
        return 26 if self.tall else 46

    @property
    def peek(self) -> float:
        """How far a covered card looks out above the next one."""
        return 6 if self.tall else 9

    @property
    def peeks(self) -> float:
        """The room for all the covered cards of a site."""
        return 20 if self.tall else 32

    @property
    def nudge(self) -> float:
        """How much lower a card is shown that would be placed."""
        return 6 if self.tall else 10

    # -- the top row ------------------------------------------------------------------------------

    @property
    def top(self) -> float:
        """The height of all the plates at the top."""
        rows = -(-self._others // self._plates_across)
        return rows * self._plate_height + (rows - 1) * self.margin / 2

    @property
    def deck(self) -> Point:
        if self.open:  # where one more site would be
            return self.site(self.slots)
        return self.width - self.margin - self.deck_card * CARD / 2, self.margin + self.top / 2 + 2

    def plate(self, seat: int) -> Box:
        """A seat's plate: the viewer's beside its hand, those of the others at the top."""
        if seat == self.viewer:
            return self._own_plate
        others = [other for other in range(self.players) if other != self.viewer]
        row, column = divmod(others.index(seat), self._plates_across)
        room = self.width - 2 * self.margin - self.deck_card * CARD
        share = room / self._plates_across
        x = self.margin + (column + 0.5) * share - self.margin / 2
        y = self.margin + self._plate_height / 2 + row * (self._plate_height + self.margin / 2)
        return x, y, share - self.margin, self._plate_height

    @property
    def _others(self) -> int:
        return self.players - (self.viewer >= 0)

    @property
    def _plates_across(self) -> int:
        """Side by side, at least two; four would be too narrow in a tall picture."""
        return 2 if self.tall and self._others == 4 else max(self._others, 2)

    @property
    def _plate_height(self) -> float:
        return 50 if self.tall else 84

    # -- sites ------------------------------------------------------------------------------------

    @property
    def across(self) -> int:
        """How many sites lie side by side."""
        places = self.slots + self.open  # the deck lies beside the sites then
        return places if not self.tall else (places + 1) // 2

    @property
    def sites_top(self) -> float:
        return self.margin if self.listed else self.margin * 2 + self.top

    @property
    def sites_height(self) -> float:
        return ((self.slots + self.open) / self.across).__ceil__() * self._site_height

    @property
    def _site_height(self) -> float:
        return self.peeks + self.site_card + self.margin

    def site(self, site: int) -> Point:
        """The centre of a site's top card."""
        row, column = divmod(site, self.across)
        step = (self.width - 2 * self.margin) / self.across
        step = min(step, self.site_card * CARD * 1.25)
        x = self.width / 2 + (column - (self.across - 1) / 2) * step
        return x, self.sites_top + self.peeks + self.site_card / 2 + row * self._site_height

    # -- the viewer's place -----------------------------------------------------------------------

    @property
    def _bottom(self) -> float:
        return self.sites_top + self.sites_height + self.margin

    @property
    def _own_plate(self) -> Box:
        if self.tall:
            return self.width / 2, self._bottom + 14, self.width - 2 * self.margin, 28
        return 125, self._bottom + self.hand_card / 2, 222, 84

    @property
    def _hand_y(self) -> float:
        return self._bottom + self.hand_card / 2 + (28 + 10 if self.tall else 0)

    def hand(self, count: int) -> list[Point]:
        card = self.hand_card * CARD
        width = 5 * card + 4 * self.margin / 2
        left = self.margin if self.tall else 254
        places = spread(count, width - card, card + self.margin / 2)
        return [(left + width / 2 + x, self._hand_y) for x in places]

    @property
    def reserve(self) -> Point:
        """The centre of the pile; its name is below it. In a row, the place of its first card."""
        if self.listed:
            x, y, _width, _height = self.row(self.viewer)
            dx, dy = self.open_reserve(1)[0]
            return x + dx, y + dy
        x = self.width - self.margin * (1 if self.tall else 2) - self.hand_card * CARD / 2
        return x, self._hand_y - self.small * 0.7

    @property
    def reserve_card(self) -> float:
        if self.listed:
            return self.open_card
        return self.hand_card - self.small * 1.4

    @property
    def height(self) -> int:
        if self.listed:
            return round(self._bottom + self.players * self._row_height + self.margin / 2)
        if self.viewer < 0:
            return round(self._bottom)
        return round(self._hand_y + self.hand_card / 2 + self.margin)

    # -- rows of the last scoring, and of open hands ----------------------------------------------

    @property
    def _row_height(self) -> float:
        if self.tall:
            return 73 if self.open else 66
        return 82

    def row(self, seat: int) -> Box:
        height = self._row_height - 4
        y = self._bottom + self._row_height * seat + height / 2
        return self.width / 2, y, self.width - 2 * self.margin, height

    def scored(self, count: int) -> list[Point]:
        """Where the cards of a reserve lie in its row, from the row's centre."""
        if self.tall:
            left, step, y = -self.width / 2 + 24, 26.0, 2.0
        else:
            left, step, y = -self.width / 2 + 300, 50.0, -13.0
        return [(left + i * step, y) for i in range(count)]

    @property
    def name_room(self) -> float:
        """How wide the name in an open row may be."""
        return 100 if self.tall else 190

    def open_hand(self, count: int) -> list[Point]:
        """Where an open hand lies in its row, from the row's centre: behind the name."""
        left, step = (-30.0, 22.0) if self.tall else (-228.0, 36.0)
        return [(left + i * step, -20.0 if self.tall else -13.0) for i in range(count)]

    def open_reserve(self, count: int) -> list[Point]:
        """Where the numbers of an open reserve lie: below the hand, or behind it."""
        if self.tall:
            left, step, y = -self.width / 2 + 24, 25.5, 6.5
        else:
            left, step, y = -22.0, 36.0, -13.0
        return [(left + i * step, y) for i in range(count)]
