"""A match in text, for language models: a prompt for each decision, a free-text answer.

    match = TextMatch(game, players=3, seed=7)
    while not match.over:
        seat = match.to_act[0]
        match.answer(seat, model(match.prompt(seat)))

A prompt says only what its seat may know. `droptable.envs.answer_parser` reads the answers and is
lenient about their form; the rules decide what is legal, and a refused answer changes nothing.
"""

from __future__ import annotations

import random
import re
from typing import Any

from droptable.core.contract import DEALER
from droptable.core.errors import DroptableError, OptionError
from droptable.core.game import Game
from droptable.core.language import counted
from droptable.core.record import Record
from droptable.core.scene import Step
from droptable.core.state import State, View
from droptable.core.words import runs, told
from droptable.envs.answer_parser import Reader, Unclear
from droptable.games import game as game_of

__all__ = ["TextMatch", "Unclear"]

ANSWER = "move: "  # how an answer is asked for


class TextMatch:
    """One match. The dealer acts by itself; seats get a `prompt` and give an `answer`.

    `rules` and `moves` say whether prompts include the rules and the list of legal moves; `events`
    is how many of the last events they include (None: all since the seat's last decision).
    """

    def __init__(
        self,
        game: Game | str,
        players: int | None = None,
        *,
        seed: int | None = None,
        rules: bool = True,
        moves: bool = True,
        events: int | None = None,
        **options: Any,
    ) -> None:
        self.game = game_of(game) if isinstance(game, str) else game
        self._state = self.game.start(players, **options)
        self.rules = rules
        self.moves = moves
        self.events = events
        self.names = [f"Seat {seat}" for seat in range(self._state.players)]
        self._chance = random.Random(seed)
        self._logs: list[list[Step]] = [[] for _ in self.names]  # events as each seat saw them
        self._news = [0] * len(self.names)  # where each seat's news begin
        self._refused: dict[int, str] = {}
        self._readers: dict[int, Reader] = {}  # by seat, for the decision that it has now
        self._deal()

    # -- the match --------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """A copy of the full state, hidden information included: not for players."""
        return self._state.copy()

    @property
    def players(self) -> int:
        return self._state.players

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that have a decision now; empty at the end."""
        return self._state.to_act

    @property
    def over(self) -> bool:
        return self._state.over

    @property
    def scores(self) -> tuple[int, ...]:
        return self._state.scores

    @property
    def winners(self) -> tuple[int, ...]:
        return self._state.winners

    @property
    def record(self) -> Record:
        """The match up to now, to be saved and replayed."""
        return self._state.record

    # -- prompts ----------------------------------------------------------------------------------

    def prompt(self, seat: int) -> str:
        """All that a model needs to decide for a seat, or to see that it has nothing to decide."""
        parts = [self.introduction(seat), *self.situation(seat)]
        if not self._state.over and seat in self._state.to_act:
            parts.append(self.form(seat))
        return "\n\n".join(parts)

    def introduction(self, seat: int) -> str:
        """What stays the same: who plays what and, if wanted, the rules."""
        players = counted("{count} player", "{count} players", self.players)
        told = f"You are playing {self.game.title}, {players}, as seat {seat}."
        return f"{told}\n\nRules\n{self._rules()}" if self.rules else told

    def situation(self, seat: int) -> list[str]:
        """What a seat needs to know now, in parts: news, the table, its legal moves or why there
        are none, and why its last answer was refused."""
        view = self._view(seat)
        news = self.news(seat)
        parts = [f"What has happened\n{news}"] if news else []
        parts.append(f"The table, as you see it\n{view}")
        if self._state.over:
            verdict = self.game.words.verdict(view.fields, self.names)
            return [*parts, f"The match is over. {verdict}"]
        if seat not in self._state.to_act:
            return [*parts, "It is not your turn. There is nothing to answer."]
        if self.moves:
            parts.append("Your legal moves\n" + "\n".join(self.legal_moves(seat)))
        if seat in self._refused:
            parts.append(f"Your last answer was refused: {self._refused[seat]}")
        return parts

    def form(self, seat: int) -> str:
        """How an answer is to be given."""
        example = self._view(seat).legal[0] if self.moves else _any_token(self._tokens)
        return (
            "Answer with the move you choose, as the last line, in this form "
            f"(here with {example!r} as an example):\n{ANSWER}{example}"
        )

    def news(self, seat: int) -> str:
        """What has happened, as the seat saw it: a line for each turn, deal or roll."""
        events = self._logs[seat][self._news[seat] :] if self.events is None else self._last(seat)
        return "\n".join(text for run in runs(events) if (text := self._tell(run, seat)))

    def legal_moves(self, seat: int) -> list[str]:
        """The legal moves of a seat, one per line: the move and what it means."""
        view = self._view(seat)
        return [f"- {token}: {view.label(token)}" for token in view.legal]

    def _last(self, seat: int) -> list[Step]:
        assert self.events is not None
        return self._logs[seat][-self.events :] if self.events > 0 else []

    def _tell(self, run: list[Step], seat: int) -> str:
        """A turn, a deal or a roll in one line."""
        text = told(self.game, run, self.names)
        if run[0].actor == seat:  # some rules let a table forget what a player has to remember
            tokens = ", ".join(self._tokens[step.action] for step in run)
            text = f"{text} (Your {'move' if len(run) == 1 else 'moves'}: {tokens})".strip()
        return text

    def _rules(self) -> str:
        """The game's rules without Markdown headings."""
        text = re.sub(r"^# .*\n+", "", self.game.text)
        return re.sub(r"^## ", "", text, flags=re.MULTILINE).strip()

    # -- answers ----------------------------------------------------------------------------------

    def read(self, seat: int, text: str) -> str:
        """The move that an answer names, legal or not; it is not made."""
        if not isinstance(text, str):
            raise Unclear(f"an answer is a text, not {text!r}")
        if " " in self.game.title:  # its words may be moves, too
            text = text.replace(self.game.title, " ")
        return self._reader(seat).read(text)

    def _reader(self, seat: int) -> Reader:
        view = self._view(seat)
        if seat not in self._readers:
            labels = {token: view.label(token) for token in view.legal}
            self._readers[seat] = Reader(self._tokens, labels)
        return self._readers[seat]

    def answer(self, seat: int, text: str) -> str:
        """Make the move that a seat's answer names, and return it.

        `Unclear` if there is not exactly one, `IllegalMove` with its rule if it is not legal now:
        then nothing has changed but the seat's next prompt, which says why.
        """
        self._view(seat)  # an error for what is no seat
        try:
            token = self._try(seat, text)
        except DroptableError as error:
            self._refused[seat] = str(error)
            raise
        return token

    def _try(self, seat: int, text: str) -> str:
        if seat not in self._state.to_act:  # whatever the answer is
            self._state.apply(seat, self._tokens[0])
        token = self.read(seat, text)
        self.move(seat, token)
        return token

    def move(self, seat: int, token: str) -> None:
        """Make a move by its token, as a program does; `IllegalMove` changes nothing."""
        news = len(self._logs[self._view(seat).seat or 0])
        self._happen(seat, token)
        self._news[seat] = news
        self._refused.pop(seat, None)
        self._deal()

    def view(self, seat: int) -> View:
        """What a seat may know."""
        return self._view(seat)

    # -- events -----------------------------------------------------------------------------------

    def _deal(self) -> None:
        while DEALER in self._state.to_act:
            self._happen(DEALER, self._state.draw(self._chance))

    def _happen(self, actor: int, token: str) -> None:
        before = self._state.copy()
        self._state.apply(actor, token)
        self._readers.clear()
        known = before.witnesses(actor, token)
        action = self.game.vocabulary(before.options).ids(actor)[token]
        for seat, log in enumerate(self._logs):
            was, now = before.view(seat).fields, self._state.view(seat).fields
            log.append(Step(was, now, actor, action if seat in known else -1))

    @property
    def _tokens(self) -> tuple[str, ...]:
        return self.game.vocabulary(self._state.options).actions

    def _view(self, seat: int) -> View:
        if seat is None:
            raise OptionError(f"there is no seat None; seats are 0 to {self.players - 1}")
        return self._state.view(seat)


def _any_token(tokens: tuple[str, ...]) -> str:
    """A move of the game, which need not be legal."""
    return tokens[len(tokens) // 2]
