"""A match as chats, for language models: messages for each decision, rewards and an outcome.

    match = ChatMatch("depot", opponents="greedy", seed=7)
    while (seat := match.seat) is not None:
        match.answer(seat, model(match.messages(seat)))
    print(match.outcome.rewards)

No answer is an error: one that names no legal move is refused and asked for again, with the reason;
after some tries a random move is made instead. Both are counted, and may cost reward.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from droptable.bots.registry import Bot, make_bot
from droptable.core.errors import DroptableError, OptionError
from droptable.core.game import Game
from droptable.core.loops import share_victory
from droptable.core.record import Record
from droptable.envs.text import ANSWER, TextMatch

Message: TypeAlias = dict[str, str]  # role (system, user, assistant) and content, as APIs take them
HISTORY = 4  # of one's own decisions that messages repeat
TRIES = 3  # answers to one decision, until a random move is made


@dataclass(frozen=True)
class Decision:
    """What a model was sent, what it said, and what became of it: a sample for training."""

    seat: int
    messages: tuple[Message, ...]
    answer: str
    token: str | None  # the move that it made; None if the answer was refused …
    problem: str = ""  # … and why


@dataclass(frozen=True)
class Outcome:
    """How a match went, by seat. Rewards are as in all environments (docs/environments.md), less
    the penalty for each refused answer; they are 0 before the end, penalties apart."""

    over: bool
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    rewards: tuple[float, ...]
    refused: tuple[int, ...]  # answers
    replaced: tuple[int, ...]  # decisions that were made at random in the end
    record: Record  # with these counts, and who played, in its `info`


class ChatMatch:
    """One match, in which models decide for some seats and bots for the others.

    - `messages(seat)` is a conversation: the rules (system), the last `history` decisions of the
      seat with its moves, and what it sees now, its legal moves and the form of answers. It tells
      what the seat may know and nothing more.
    - `answer(seat, text)` makes the move that a text names, or refuses it; `tries` answers in all.
    - `decisions` are all answers with their messages, `outcome` has rewards and counts.

    `opponents` is a bot for all seats but `model_seat`, or one for each of them, clockwise from the
    next one; without opponents, models decide for all seats. `names` go into the record.
    """

    def __init__(
        self,
        game: Game | str,
        players: int | None = None,
        *,
        seed: int | None = None,
        opponents: Sequence[Any] | str | None = None,
        model_seat: int = 0,
        names: Sequence[str] = (),
        rules: bool = True,
        moves: bool = True,
        history: int = HISTORY,
        tries: int = TRIES,
        penalty: float = 0.0,
        **options: Any,
    ) -> None:
        self.text = TextMatch(game, players, seed=seed, rules=rules, moves=moves, **options)
        self._chance = random.Random(seed)
        if tries < 1 or history < 0:
            raise OptionError(f"tries is {tries} and history {history}; expected at least 1 and 0")
        self._history, self._tries, self._penalty = history, tries, penalty
        self._bots = self._seat_bots(opponents, model_seat)
        self._names = list(names)
        seats = self.text.players
        self._past: list[list[tuple[str, str]]] = [[] for _ in range(seats)]  # asked, and said
        self._refusals = [0] * seats  # of the decision that a seat has now
        self._refused, self._replaced = [0] * seats, [0] * seats
        self.decisions: list[Decision] = []
        self._let_bots_move()

    def _seat_bots(self, opponents: Sequence[Any] | str | None, seat: int) -> dict[int, Bot]:
        players = self.text.players
        if seat not in range(players):
            raise OptionError(f"model_seat is {seat!r}; expected 0 to {players - 1}")
        if opponents is None:
            return {}
        others = [(seat + step) % players for step in range(1, players)]
        bots = [opponents] * len(others) if isinstance(opponents, str) else list(opponents)
        if len(bots) != len(others):
            raise OptionError(f"{len(bots)} opponents for {len(others)} other seats: {bots!r}")
        made = [make_bot(bot, self._chance.getrandbits(32)) for bot in bots]
        return dict(zip(others, made, strict=True))

    # -- the match --------------------------------------------------------------------------------

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats of models that have a decision now; empty when the match is over."""
        return tuple(seat for seat in self.text.to_act if seat not in self._bots)

    @property
    def seat(self) -> int | None:
        """The first of them."""
        return next(iter(self.seats), None)

    def messages(self, seat: int) -> list[Message]:
        """The conversation of a seat up to now."""
        chat = [{"role": "system", "content": self.text.introduction(seat)}]
        past = self._past[seat]
        for asked, said in past[max(0, len(past) - self._history) :]:
            chat.append({"role": "user", "content": asked})
            chat.append({"role": "assistant", "content": said})
        now = self.text.situation(seat)
        if seat in self.text.to_act:
            now.append(self.text.form(seat))
        return [*chat, {"role": "user", "content": "\n\n".join(now)}]

    def answer(self, seat: int, text: str) -> Decision:
        """Make the move that an answer names; a refused one changes nothing but the counts."""
        asked = tuple(self.messages(seat))
        news = self.text.news(seat)
        try:
            token = self.text.answer(seat, text)
        except DroptableError as error:
            decision = Decision(seat, asked, str(text), None, str(error))
            self.decisions.append(decision)
            self._refuse(seat, news)
            return decision
        decision = Decision(seat, asked, text, token)
        self.decisions.append(decision)
        self._decided(seat, news, token)
        return decision

    def _refuse(self, seat: int, news: str) -> None:
        if seat not in self.text.to_act:  # there was nothing to answer
            return
        self._refused[seat] += 1
        self._refusals[seat] += 1
        if self._refusals[seat] >= self._tries:
            token = self._chance.choice(self.text.view(seat).legal)
            self._replaced[seat] += 1
            self.text.move(seat, token)
            self._decided(seat, news, token)

    def _decided(self, seat: int, news: str, token: str) -> None:
        """Remember a decision shortly: what had happened before it, and the move."""
        self._refusals[seat] = 0
        self._past[seat].append((news or "It is your turn.", f"{ANSWER}{token}"))
        self._let_bots_move()

    def _let_bots_move(self) -> None:
        while seats := [seat for seat in self.text.to_act if seat in self._bots]:
            self.text.move(seats[0], self._bots[seats[0]].choose(self.text.view(seats[0])))

    # -- the end ----------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        return self.text.over

    @property
    def outcome(self) -> Outcome:
        """How it went, or how it stands."""
        text, rewards = self.text, self._victory()
        costs = [self._penalty * count for count in self._refused]
        return Outcome(
            text.over, text.scores, text.winners if text.over else (),
            tuple(reward - cost for reward, cost in zip(rewards, costs, strict=True)),
            tuple(self._refused), tuple(self._replaced), self._record(),
        )  # fmt: skip

    def _victory(self) -> list[float]:
        text = self.text
        rewards = np.zeros(text.players, np.float32)
        if text.over:
            points = np.array(text.scores, np.int64)
            won = sum(1 << seat for seat in text.winners)
            text.game.plain.kernels.twin(share_victory)(won, points, rewards)
        result: list[float] = rewards.tolist()
        return result

    def _record(self) -> Record:
        record, info = self.text.record, {}
        for seat, name in enumerate(self._names):
            info[f"seat {seat}"] = str(name)
        for label, counts in (("refused", self._refused), ("replaced", self._replaced)):
            info |= {f"{label} of seat {s}": str(n) for s, n in enumerate(counts) if n}
        return replace(record, info=record.info | info)
