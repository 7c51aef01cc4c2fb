"""A seat of a table."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from droptable.tables.events import Identity

# A hint; an undo past what others or the dealer did; moves that a bot made for the seat.
Help: TypeAlias = Literal["hint", "undo", "bot"]


@dataclass
class Seat:
    """Who plays here: people (by identity, with their names), or a bot; or nobody yet."""

    people: dict[Identity, str] = field(default_factory=dict)
    bot: str = ""
    character: str = ""  # the bot's name and face
    stand_in: str = ""  # the bot that plays for the people now
    resigned: bool = False
    timed_out: bool = False  # its clock ran out, and its people have not returned
    reserved: tuple[Identity, ...] = ()
    here: Identity = ""  # the person on whose device somebody else plays here
    assisted: frozenset[Help] = frozenset()  # what its people were helped by

    @property
    def taken(self) -> bool:
        return bool(self.people or self.bot)

    @property
    def played_by(self) -> str:
        """The bot that moves for this seat; empty when a person does."""
        return self.bot or self.stand_in

    def copy(self) -> Seat:
        return Seat(
            self.people.copy(), self.bot, self.character, self.stand_in, self.resigned,
            self.timed_out, self.reserved, self.here, self.assisted,
        )  # fmt: skip
