"""Where things lie in pictures of Depot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from droptable.core.bits import count_bits
from droptable.core.components import CARD, CardSizes, spread
from droptable.core.scene import Frame
from droptable.games.depot.rules.piles import NUMBERS, numbers_in

Point = tuple[float, float]
Box = tuple[float, float, float, float]  # centre, width and height


@dataclass(frozen=True)
class Layout(CardSizes):
    """Plates of the others at the top, then table and Storage, the viewer's hand at the bottom.

    When everything is open, table and Storage are at the top and a row for each seat is below.
    """

    players: int
    viewer: int  # a seat, or NOBODY: then nobody's hand is at the bottom
    held: int  # different numbers in the viewer's hand
    tall: bool
    open: bool  # every hand is shown

    @classmethod
    def of(cls, view: Any, viewer: int, frame: Frame) -> Layout:
        held = count_bits(numbers_in(view["hands"][viewer])) if viewer >= 0 else 0
        return cls(int(view["players"]), viewer, held, frame.tall, frame.open)

    # -- sizes ------------------------------------------------------------------------------------

    @property
    def tiny_card(self) -> float:
        """A card of another seat's hand."""
        return 20 if self.tall else 34

    @property
    def pile_card(self) -> float:
        return 50 if self.tall else 84

    @property
    def table_card(self) -> float:
        return 58 if self.tall else 104

    @property
    def stored_card(self) -> float:
        return 54 if self.tall else 90

    @property
    def hand_card(self) -> float:
        if self.tall:
            return 60 if self.held == NUMBERS else 68  # side by side in any case
        return 108

    # -- the others -------------------------------------------------------------------------------

    def plate(self, seat: int) -> Box:
        """A seat's plate: the viewer's beside its hand, those of the others at the top."""
        if self.open:
            return self._row(seat)
        if seat == self.viewer:
            return self._own_plate
        others = [other for other in range(self.players) if other != self.viewer]
        row, column = divmod(others.index(seat), self._across)
        share = (self.width - self.margin) / self._across
        x = self.margin + (column + 0.5) * share - self.margin / 2
        y = self.margin + self._plate_height * (row + 0.5) + row * self.margin / 2
        return x, y, share - self.margin, self._plate_height

    @property
    def _others(self) -> int:
        return self.players - (self.viewer >= 0)

    @property
    def _across(self) -> int:
        """How many plates lie side by side."""
        if self.tall:
            return 2
        return 4 if self._others == 4 else 3

    @property
    def _plate_height(self) -> float:
        return 46 if self.tall else 84

    @property
    def _top(self) -> float:
        """Where the plates of the others end."""
        rows = 0 if self.open else -(-self._others // self._across)
        return self.margin + rows * (self._plate_height + self.margin / 2) + self.margin / 2

    # -- table, piles and Storage -----------------------------------------------------------------

    @property
    def table(self) -> Box:
        if self.tall:
            return 236, self._top + 46, 232, 92
        return 206, self._top + 102, 384, 204

    @property
    def deck(self) -> Point:
        """The centre of the deck; its name is below it."""
        if self.tall:
            return 34, self._top + 36
        if self.open:
            return 922, self._bottom + 44
        return 66, self._piles_top + self.pile_card / 2

    @property
    def discards(self) -> Point:
        x, y = self.deck
        if self.open and not self.tall:
            return x, y + 126
        return x + (54 if self.tall else 116), y

    @property
    def games(self) -> Point:
        """Where it is told which game of the match this is."""
        if self.tall:
            return 61, self._top + 86
        if self.open:
            return self.deck[0], self._bottom + 266
        if self.viewer < 0:
            return 330, self.deck[1]
        x, y, _, height = self._own_plate
        return x, y + height / 2 - self.small * 0.8

    @property
    def _piles_top(self) -> float:
        """In a wide picture the piles are below the table, and below the viewer's plate."""
        return self._bottom + (10 if self.viewer < 0 else 98)

    @property
    def storage(self) -> Box:
        if self.tall:
            return 180, self._top + 100 + 60, 344, 120
        return 700, self._top + 102, 572, 204

    @property
    def bay(self) -> tuple[float, float]:
        """The width and the height of the place of one number in the Storage."""
        return (42, 84) if self.tall else (70, 138)

    def bay_centre(self, number: int) -> Point:
        """From the centre of the Storage; numbers are 0-7."""
        return (number - 3.5) * self.bay[0], 12 if self.tall else 22

    def stored(self, count: int) -> list[float]:
        """Where equal cards lie above each other in a bay, from its centre."""
        room = self.bay[1] - self.stored_card - 4
        return spread(count, room, 18 if self.tall else 30)

    # -- the viewer's place -----------------------------------------------------------------------

    @property
    def _bottom(self) -> float:
        """Where the Storage ends."""
        _, y, _, height = self.storage
        return y + height / 2 + self.margin

    @property
    def _own_plate(self) -> Box:
        if self.tall:
            return 180, self._bottom + 13, 344, 26
        return 130, self._bottom + 38, 232, 76

    @property
    def _hand_top(self) -> float:
        return self._bottom + (32 if self.tall else 0)

    @property
    def _hand_room(self) -> float:
        """How far the cards of one number may spread."""
        return 56 if self.tall else 96

    def hand(self, counts: list[int]) -> list[list[Point]]:
        """The places of a hand's cards, for each number that it has: side by side, then down."""
        width, centre = (344, 180) if self.tall else (700, 632)
        card = self.hand_card * CARD
        columns = spread(len(counts), width - card, card * 1.2)
        places = []
        for x, count in zip(columns, counts, strict=True):
            step = min(22 if self.tall else 36, self._hand_room / max(count - 1, 1))
            top = self._hand_top + self.hand_card / 2 + 4
            places.append([(centre + x, top + i * step) for i in range(count)])
        return places

    # -- rows of open hands -----------------------------------------------------------------------

    def _row(self, seat: int) -> Box:
        if self.tall:
            return 180, self._bottom + 53 * seat + 25, 344, 50
        return 427, self._bottom + 63 * seat + 30, 826, 59

    @property
    def name_room(self) -> float:
        """How wide the name in a row may be."""
        return 250 if self.tall else 120

    @property
    def open_card(self) -> float:
        return 27 if self.tall else 44

    def open_hand(self, number: int) -> Point:
        """The place of a number (1-8) in a row, from the row's centre: the same in each row."""
        return (42.0 * number - 202, 9.5) if self.tall else (68.0 * number - 293, 0.0)

    @property
    def height(self) -> int:
        if self.open:
            _x, y, _width, height = self._row(self.players - 1)
            piles = 0 if self.tall else self._bottom + 280
            return round(max(y + height / 2 + self.margin / 2, piles))
        if self.viewer < 0:
            below = 0 if self.tall else self.pile_card + self.small * 2
            return round(self._bottom + below)
        return round(self._hand_top + self.hand_card + self._hand_room + self.margin + 4)
