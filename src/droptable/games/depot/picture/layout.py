"""Where things lie in pictures of Depot.

Plates of the others at the top; deck, discards and loading bay, and the shelf; the viewer's plate
and hand at the bottom. Who has no hand sees a larger bay and shelf. When all hands are open, and
when a game is counted, bay and shelf are at the top and a row for each seat is below.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from droptable.core.components import CARD, CardSizes, spread
from droptable.core.scene import Frame
from droptable.games.depot.rules.piles import NUMBERS

Point = tuple[float, float]
Box = tuple[float, float, float, float]  # centre, width and height
TILT = 5.0  # degrees, of the outermost cards of a fan


@dataclass(frozen=True)
class Held:
    """A card of the viewer's hand: its number, which of the equal ones it is, and its place."""

    number: int
    nth: int
    x: float
    y: float
    tilt: float = 0


@dataclass(frozen=True)
class Layout(CardSizes):
    """The places of one picture."""

    players: int
    viewer: int  # a seat, or NOBODY: then nobody's hand is at the bottom
    hand: tuple[int, ...]  # the viewer's cards of each number
    tall: bool
    rows: bool  # a row for each seat: every hand is shown, or a game is counted

    @classmethod
    def of(cls, view: Any, viewer: int, frame: Frame, *, rows: bool = False) -> Layout:
        hand = tuple(view["hands"][viewer].tolist()) if viewer >= 0 else ()
        return cls(int(view["players"]), viewer, hand, frame.tall, rows or frame.open)

    # -- sizes ------------------------------------------------------------------------------------

    @cached_property
    def width(self) -> float:
        return 360 if self.tall else 1000

    @cached_property
    def height(self) -> int:
        return 520 if self.tall else 560

    @cached_property
    def margin(self) -> float:
        return 6 if self.tall else 10

    @cached_property
    def tiny_card(self) -> float:
        """A card of another seat's hand."""
        if self.tall:
            return 22 if self.viewer >= 0 else 34
        return 36

    @cached_property
    def pile_card(self) -> float:
        height = self.table[3]
        return min(58.0, height - self.small * 2) if self.tall else min(96.0, height / 2 - 38)

    @cached_property
    def table_card(self) -> float:
        room = self.table[3] - self.small * (2.6 if self.tall else 2.9)
        return min(room, 84 if self.tall else 132)

    @cached_property
    def stored_card(self) -> float:
        room = self.bay[1] - (6 if self.tall else 10)
        return min((self.bay[0] - (3 if self.tall else 6)) / CARD, room)

    @cached_property
    def hand_card(self) -> float:
        return 86 if self.tall else 140

    # -- the others -------------------------------------------------------------------------------

    def plate(self, seat: int) -> Box:
        """A seat's plate: the viewer's beside its hand, those of the others at the top."""
        if self.rows:
            return self.row(seat)
        if seat == self.viewer:
            return self._own_plate
        others = [other for other in range(self.players) if other != self.viewer]
        row, column = divmod(others.index(seat), self._across)
        share = (self.width - self.margin) / self._across
        x = self.margin / 2 + (column + 0.5) * share
        y = self.margin + self._plate_height * (row + 0.5) + row * self.margin * 0.7
        return x, y, share - self.margin, self._plate_height

    @cached_property
    def _others(self) -> int:
        return self.players - (self.viewer >= 0)

    @cached_property
    def _across(self) -> int:
        """How many plates lie side by side."""
        if self.tall:
            return 3 if self._others == 3 else 2
        return 3 if self._others == 5 else self._others

    @cached_property
    def _plate_height(self) -> float:
        return self.text * 2.1 + self.tiny_card if self.tall else 88

    @cached_property
    def top(self) -> float:
        """Where the plates of the others end."""
        if self.rows:
            return self.margin
        rows = -(-self._others // self._across)
        return self.margin * 2 + rows * self._plate_height + (rows - 1) * self.margin * 0.7

    # -- bay, piles and shelf ---------------------------------------------------------------------

    @cached_property
    def _middle(self) -> tuple[float, float]:
        """The heights of the bay and of the shelf."""
        if self.rows:
            return (84, 122) if self.tall else (196, 196)
        bottom = self.height - self.margin - self._own_height
        room = bottom - self.top
        if not self.tall:
            return room, room
        room -= self.margin
        return room * 0.41, room * 0.59

    @cached_property
    def _own_height(self) -> float:
        """What the viewer's plate and hand need."""
        if self.viewer < 0 or self.rows:
            return 0
        return self._own_plate_height + self._hand_height + self.margin * 1.6

    @cached_property
    def split(self) -> float:
        """Where the bay ends and the shelf begins in a wide picture."""
        return 458 if self.viewer >= 0 or self.rows else 400

    @cached_property
    def table(self) -> Box:
        """The loading bay."""
        height = self._middle[0]
        left = 108 if self.tall else 132
        right = self.width - self.margin if self.tall else self.split
        return (left + right) / 2, self.top + height / 2, right - left, height

    @cached_property
    def deck(self) -> Point:
        """The centre of the deck; its name is below it."""
        _x, y, _width, height = self.table
        if self.tall:
            return 30, y - self.small * 0.7
        return 68, y - height / 4 - self.small * 0.65

    @cached_property
    def discards(self) -> Point:
        x, y = self.deck
        if self.tall:
            return x + 50, y
        return x, y + self.table[3] / 2

    @cached_property
    def storage(self) -> Box:
        height = self._middle[1]
        _x, y, _width, bay_height = self.table
        if self.tall:
            top = y + bay_height / 2 + self.margin
            return self.width / 2, top + height / 2, self.width - 2 * self.margin, height
        left, right = self.split + self.margin, self.width - self.margin
        return (left + right) / 2, y, right - left, height

    @cached_property
    def sign(self) -> float:
        """The height of what is written above the shelf, and below it."""
        return self.small * 1.5

    @cached_property
    def plank(self) -> float:
        """The height of the plank that the parcels stand on, with the numbers."""
        return self.small * 1.25

    @cached_property
    def bay(self) -> tuple[float, float]:
        """The width and the height of the place of one number on the shelf."""
        _x, _y, width, height = self.storage
        side = 2 if self.tall else 16
        return (width - side) / NUMBERS, height - 2 * self.sign - self.plank

    def bay_centre(self, number: int) -> Point:
        """From the centre of the shelf; numbers are 0-7."""
        return (number - 3.5) * self.bay[0], -self.plank / 2

    def stored(self, count: int) -> list[float]:
        """How high equal cards stand, the lowest and foremost first, from their place's centre."""
        card = self.stored_card
        foot = self.bay[1] / 2 - card / 2 - 1
        room = self.bay[1] - card - 3
        step = min(card * 0.3, room / max(count - 1, 1))
        return [foot - step * i for i in range(count)]

    # -- the viewer's place -----------------------------------------------------------------------

    @cached_property
    def _own_plate_height(self) -> float:
        return self.text * 1.9

    @cached_property
    def _hand_height(self) -> float:
        if self.tall:
            return 146 if self._others == 4 else 156
        return 160

    @cached_property
    def _own_plate(self) -> Box:
        top, height = self.height - self._own_height, self._own_plate_height
        return self.width / 2, top + height / 2, self.width - 2 * self.margin, height

    @cached_property
    def fan(self) -> Box:
        """Where the hand is held."""
        height = self._hand_height
        y = self.height - self.margin * 0.6 - height / 2
        return self.width / 2, y, self.width - 2 * self.margin, height

    def held(self) -> list[Held]:
        """The cards of the hand, sorted: equal ones lie closer together than different ones."""
        numbers = [n for n, count in enumerate(self.hand, 1) if count]
        if not numbers:
            return []
        return self._columns(numbers) if self.tall else self._fan(numbers)

    def _columns(self, numbers: list[int]) -> list[Held]:
        """On a phone: a column for each number, wide enough for a finger whatever the count."""
        x, y, width, height = self.fan
        card = self.hand_card
        columns = spread(len(numbers), width - card * CARD, card * CARD + 5)
        top = y - height / 2 + card / 2 + 9  # a chosen card rises
        places = []
        for number, dx in zip(numbers, columns, strict=True):
            count = self.hand[number - 1]
            step = min(23, (height - card - 12) / max(count - 1, 1))
            places += [Held(number, i, x + dx, top + i * step) for i in range(count)]
        return places

    def _fan(self, numbers: list[int]) -> list[Held]:
        """On a wide screen: one fan, the more crowded the more cards there are."""
        x, y, width, _height = self.fan
        card = self.hand_card * CARD
        equal = sum(self.hand) - len(numbers)
        room = width - card - 34
        step = min(card * 1.02, room / max(len(numbers) - 1 + 0.42 * equal, 1))
        near = step * 0.42
        length = step * (len(numbers) - 1) + near * equal
        at, places = -length / 2, []
        for number in numbers:
            for i in range(self.hand[number - 1]):
                bent = at / (width / 2)
                rise = 14 * bent * bent
                places.append(Held(number, i, x + at, y - 1 + rise, round(TILT * bent, 1)))
                at += near if i + 1 < self.hand[number - 1] else step
        return places

    # -- rows -------------------------------------------------------------------------------------

    def row(self, place: int) -> Box:
        """The row of a seat, or of a rank when a game is counted."""
        _x, y, _width, height = self.storage
        top = y + height / 2 + self.margin
        room = self.height - top - (30 if self.tall else 42)  # words are shown below
        share = min((room + self.margin / 2) / self.players, 98 if self.tall else 112)
        tall = share - self.margin / 2
        return self.width / 2, top + share * place + tall / 2, self.width - 2 * self.margin, tall

    @cached_property
    def name_room(self) -> float:
        """How wide the name in a row of open hands may be."""
        return 250 if self.tall else 130

    @cached_property
    def open_card(self) -> float:
        return 29 if self.tall else 48

    def open_hand(self, number: int) -> Point:
        """The place of a number (1-8) in a row, from the row's centre: the same in each row."""
        if self.tall:
            return 43.0 * number - 200, self.row(0)[3] / 2 - self.open_card / 2 - 3
        return 80.0 * number - 300, 0.0
