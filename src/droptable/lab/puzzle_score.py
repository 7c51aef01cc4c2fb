"""How many of the shipped puzzles a bot solves: it sees what a solver sees, and tries each once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from droptable.bots.levels import LEVELS
from droptable.bots.own import OwnBot
from droptable.bots.precompile import prepare
from droptable.bots.puzzles import DIFFICULTIES, Puzzle, puzzles
from droptable.bots.registry import make_bot
from droptable.core.errors import OptionError
from droptable.core.game import Game
from droptable.lab.statistics import wilson


@dataclass(frozen=True)
class Tally:
    """How many of some puzzles were solved."""

    solved: int
    puzzles: int
    by_chance: float  # how many of them a random move would solve

    @property
    def interval(self) -> tuple[float, float]:
        """The share of such puzzles that it solves: 95 % (Wilson)."""
        return wilson(self.solved, self.puzzles)

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        return vars(self) | {"share": self.solved / self.puzzles, "interval": self.interval}

    def __str__(self) -> str:
        low, high = self.interval
        share, chance = self.solved / self.puzzles, self.by_chance / self.puzzles
        return (
            f"{self.solved:>4} of {self.puzzles:<4} {share:5.0%}  ({low:.0%} to {high:.0%})"
            f"  by chance {chance:.0%}"
        )


@dataclass(frozen=True)
class PuzzleScore:
    """A bot's results, puzzle by puzzle."""

    bot: str
    results: tuple[tuple[Puzzle, str], ...]  # and what it answered
    wrong_answers: int  # that were no legal moves; those solve nothing

    def tally(self, fits: Callable[[Puzzle], bool] = lambda _puzzle: True) -> Tally | None:
        """The result over those puzzles that fit; None if there are none."""
        some = [(puzzle, token) for puzzle, token in self.results if fits(puzzle)]
        if not some:
            return None
        solved = sum(puzzle.solved_by(token) for puzzle, token in some)
        chance = sum(len(puzzle.best) / len(puzzle.view().legal) for puzzle, _ in some)
        return Tally(solved, len(some), chance)

    @property
    def rows(self) -> dict[str, Tally]:
        """By game, by difficulty, and in all."""
        names = sorted({puzzle.game for puzzle, _ in self.results})
        wanted: list[tuple[str, Callable[[Puzzle], bool]]] = [
            *((name, lambda p, name=name: p.game == name) for name in names),
            *((kind, lambda p, kind=kind: p.difficulty == kind) for kind in DIFFICULTIES),
            ("all", lambda _p: True),
        ]
        tallies = {label: self.tally(fits) for label, fits in wanted}
        return {label: tally for label, tally in tallies.items() if tally is not None}

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "bot": self.bot,
            "rows": {label: tally.to_dict() for label, tally in self.rows.items()},
            "wrong_answers": self.wrong_answers,
            "answers": {puzzle.id: token for puzzle, token in self.results},
        }

    def __str__(self) -> str:
        lines = [f"{self.bot} solves"]
        lines += [f"  {label:<12} {tally}" for label, tally in self.rows.items()]
        if self.wrong_answers:
            lines.append(f"{self.wrong_answers} of its answers were no legal moves.")
        return "\n".join(lines)


def solve_puzzles(
    games: Sequence[Game],
    bot: Any,
    seed: int = 0,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> PuzzleScore:
    """Let a bot try all puzzles of some games, each of them once."""
    made = make_bot(bot, seed)
    all_puzzles = [puzzle for game in games for puzzle in puzzles(game)]
    if not all_puzzles:
        names = ", ".join(game.name for game in games)
        raise OptionError(f"there are no puzzles of {names}")
    if bot in LEVELS:
        for game in games:
            prepare(game)
    results = []
    for done, puzzle in enumerate(all_puzzles, 1):
        results.append((puzzle, _answer(made, puzzle)))
        progress(done, len(all_puzzles))
    name = made.name if isinstance(made, OwnBot) else str(bot)
    wrong = sum(not token for _, token in results)
    return PuzzleScore(name, tuple(results), wrong)


def _answer(bot: Any, puzzle: Puzzle) -> str:
    """A bot's move; empty if it is not legal: what is made instead is not its own."""
    if not isinstance(bot, OwnBot):
        return str(bot.choose(puzzle.view()))
    before = bot.mistakes
    token = bot.choose(puzzle.view())
    return token if bot.mistakes == before else ""
