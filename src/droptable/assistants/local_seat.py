"""A seat at a match in this process, against bots."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from droptable.assistants.seat import Refused, refusal_of, why_not
from droptable.bots.levels import ADVISER
from droptable.bots.registry import Bot, named_bot
from droptable.core.errors import DroptableError, OptionError
from droptable.core.game import Game
from droptable.core.record import Record
from droptable.envs.text import TextMatch


class LocalSeat:
    """A match against bots, seen from one seat. Bots move as soon as it is their turn."""

    def __init__(
        self,
        game: Game,
        players: int | None,
        seat: int,
        bots: Sequence[Bot],
        *,
        seed: int | None = None,
        hints: bool = True,
        options: dict[str, Any] | None = None,
    ) -> None:
        """`bots` sit at the other seats, clockwise from the next one."""
        self._match = TextMatch(game, players, seed=seed, rules=False, **(options or {}))
        seats = self._match.players
        if seat not in range(seats):
            raise OptionError(f"seat is {seat}; expected 0 to {seats - 1}")
        if len(bots) != seats - 1:
            raise OptionError(f"{len(bots)} bots for {seats - 1} other seats")
        self._seat = seat
        self._bots = dict(zip(((seat + k) % seats for k in range(1, seats)), bots, strict=True))
        self._hints = hints
        self._hinted = 0
        self._gone = False
        self._adviser = named_bot(ADVISER, seed)
        self._let_bots_move()

    @property
    def game(self) -> Game:
        return self._match.game

    @property
    def record(self) -> Record:
        """The match up to now."""
        return self._match.record

    @property
    def over(self) -> bool:
        return self._match.over

    def look(self, wait: float = 0.0) -> str:  # noqa: ARG002 - bots do not keep anybody waiting
        return "\n\n".join([self._match.introduction(self._seat), *self._situation()])

    def move(self, said: str) -> str:
        self._must_play()
        try:
            token = self._match.answer(self._seat, said)
        except DroptableError as error:
            raise refusal_of(self.game, error) from None
        self._let_bots_move()
        return "\n\n".join([f"You have made the move {token}.", *self._situation()])

    def why(self, said: str) -> str:
        return why_not(self._match.view(self._seat), said)

    def hint(self) -> str:
        self._must_play()
        if not self._hints:
            raise Refused("there are no hints in this match")
        view = self._match.view(self._seat)
        if view.seat not in view.to_act:
            raise Refused("there is nothing for you to decide now")
        self._hinted += 1
        token = self._adviser.choose(view)
        return f"A good bot would choose {token}: {view.label(token)}"

    def leave(self) -> str:
        self._gone = True
        return "You have left the match; nobody goes on with it."

    def _situation(self) -> list[str]:
        return self._match.situation(self._seat)

    def _must_play(self) -> None:
        if self._gone:
            raise Refused("you have left this match")
        if self._match.over:
            raise Refused("the match is over")

    def _let_bots_move(self) -> None:
        while seats := [seat for seat in self._match.to_act if seat in self._bots]:
            seat = seats[0]
            self._match.move(seat, self._bots[seat].choose(self._match.view(seat)))


def dealer_seed() -> int:
    """A seed for a match that nobody is to foresee."""
    return random.SystemRandom().getrandbits(48)
