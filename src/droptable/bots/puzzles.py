"""Puzzles: positions where one move is clearly the best of what a seat can know.

`lab/puzzles.py` mines them; each game's are in the file `puzzles.json` of its folder.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from droptable.bots.coach import BLUNDER, Decision
from droptable.bots.played_turns import after
from droptable.core.contract import DEALER
from droptable.core.game import Game
from droptable.core.language import N_
from droptable.core.record import Record
from droptable.core.state import Event, State, View
from droptable.games import game, games

FILE = "puzzles.json"
Theme = Literal["opening", "middle", "end"]
Goal = Literal["finish", "lead", "hold", "defend", "score"]
Difficulty = Literal["easy", "medium", "hard"]
THEMES: dict[Theme, str] = {
    "opening": N_("Opening"), "middle": N_("Middle game"), "end": N_("Endgame"),
}  # fmt: skip
GOALS: dict[Goal, str] = {
    "finish": N_("Win the match"), "lead": N_("Take the lead"), "hold": N_("Keep the lead"),
    "defend": N_("Stay in the match"), "score": N_("Score more"),
}  # fmt: skip
DIFFICULTIES: dict[Difficulty, str] = {
    "easy": N_("Easy"), "medium": N_("Medium"), "hard": N_("Hard"),
}  # fmt: skip
AS_GOOD_AS_WON = 0.95
RATINGS: dict[Difficulty, float] = {"easy": 1000.0, "medium": 1400.0, "hard": 1800.0}


class Puzzle(Struct, frozen=True):
    """A position by the events that lead to it, the moves that solve it, and how sure that is.

    `best` are moves that all lead to the same view. Shares are of the victory, for `seat`.
    """

    id: str
    game: str
    players: int
    options: dict[str, Any]
    events: str  # `ACTOR TOKEN`, separated by `;`, where the actor `d` is the dealer
    seat: int
    best: tuple[str, ...]
    line: tuple[str, ...]  # the best move, and the moves planned after it in the same turn
    share: float  # after the best move …
    rival: str  # … and the best other move, with its share
    rival_share: float
    error: float  # standard error of the difference
    theme: Theme
    kind: str  # of the best move: the first word of its token
    difficulty: Difficulty
    found: float  # by this share of shallow searches
    greedy: bool  # whether the greedy bot finds it

    def state(self) -> State:
        """The position."""
        state = game(self.game).start(self.players, **self.options)
        for actor, token in read_events(self.events):
            state.apply(actor, token)
        return state

    def view(self) -> View:
        """All that the puzzle may show: what its seat sees."""
        return self.state().view(self.seat)

    def solved_by(self, token: str) -> bool:
        """Whether a move is the solution."""
        return token in self.best

    @property
    def goal(self) -> Goal:
        """What the best move achieves, by the shares of the victory."""
        if self.players == 1:
            return "score"
        if self.share >= AS_GOOD_AS_WON:
            return "finish"
        if self.share < 1 / 2:
            return "defend"
        return "lead" if self.rival_share < 1 / 2 else "hold"

    @property
    def rating(self) -> float:
        """How strong a solver is who finds it half of the time."""
        return RATINGS[self.difficulty] + 200.0 * (0.5 - self.found)


def write_events(events: Sequence[Event]) -> str:
    """Events as a puzzle has them."""
    return ";".join(f"{'d' if actor == DEALER else actor} {token}" for actor, token in events)


def read_events(text: str) -> list[Event]:
    """The events that `write_events` wrote."""
    pairs = (event.split(" ", 1) for event in text.split(";") if event)
    return [(DEALER if actor == "d" else int(actor), token) for actor, token in pairs]


def of_decision(record: Record, decision: Decision) -> tuple[Puzzle, tuple[str, ...]] | None:
    """A turn that the coach marked as a puzzle of the same kind, at the first move that should have
    been another one; and what was made of the turn from there on. None if there is no such move."""
    pairs = zip(decision.turn, decision.line, strict=False)
    step = next((k for k, (made, best) in enumerate(pairs) if made != best), None)
    if step is None:
        return None
    event = decision.events[step]
    view = record.state_at(event).view(decision.seat)
    if decision.line[step] not in view.legal:
        return None
    best = same_moves(view, decision.line[step])
    seat, made = decision.seat, decision.turn[step:]
    theme, lost = theme_of(event / len(record.events)), decision.level_loss
    puzzle = Puzzle(
        id="", game=record.game.name, players=record.players, options=dict(record.options),
        events=write_events(record.events[:event]), seat=seat, best=best,
        line=decision.line[step:], share=decision.before[seat], rival=made[0],
        rival_share=decision.after[seat], error=0.0, theme=theme, kind=kind_of(best[0]),
        difficulty="easy" if lost >= BLUNDER else "medium", found=0.0, greedy=False,
    )  # fmt: skip
    return puzzle, made


def theme_of(moment: float) -> Theme:
    """The part of a match, by the share of its events that have happened."""
    return "opening" if moment < 1 / 3 else "middle" if moment < 2 / 3 else "end"


def kind_of(token: str) -> str:
    """The kind of a move: the first word of its token."""
    word = token.split(" ")[0]
    return word if word[0].isalpha() else "place"


def same_moves(view: View, token: str) -> tuple[str, ...]:
    """The moves that lead to the same view as this one; it comes first."""
    reached = {other: bytes(after(view, (other,)).view(view.seat)) for other in view.legal}
    others = (o for o in view.legal if o != token and reached[o] == reached[token])
    return (token, *others)


@cache
def puzzles(subject: Game) -> tuple[Puzzle, ...]:
    """The puzzles that come with a game, in the order of their difficulty."""
    file = puzzle_file(subject)
    if file is None or not file.is_file():
        return ()
    return msgspec.json.decode(file.read_bytes(), type=tuple[Puzzle, ...])


def puzzle_file(subject: Game) -> Path | None:
    """Where a game's puzzles are, beside the match that it shows."""
    return None if subject.showcase is None else subject.showcase.with_name(FILE)


def find_puzzle(id_: str) -> Puzzle | None:
    """A puzzle by its id."""
    return _by_id().get(id_)


@cache
def _by_id() -> dict[str, Puzzle]:
    return {puzzle.id: puzzle for subject in games() for puzzle in puzzles(subject)}
