"""The coach: how good every decision of a match was, judged by what its seat could know."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from droptable.bots.search import Rating, search
from droptable.core.contract import DEALER
from droptable.core.errors import OptionError
from droptable.core.extras import extra
from droptable.core.language import counted
from droptable.core.record import Record
from droptable.core.state import View

MISTAKE, BLUNDER = 0.04, 0.12  # share of the victory lost by one move
CERTAIN = 2.0  # standard errors that a loss must exceed to be marked


@dataclass(frozen=True)
class Decision:
    """One move that had an alternative, with every seat's expected share of the victory."""

    event: int  # its index in the record
    seat: int
    token: str
    best: str
    before: tuple[float, ...]  # shares after the best move
    after: tuple[float, ...]  # shares after the move that was made
    loss: float  # of the seat's own share; 0 if the best move was made
    mark: str  # "blunder", "mistake" or ""


@dataclass(frozen=True)
class Analysis:
    """A match with every decision judged."""

    record: Record
    decisions: tuple[Decision, ...]

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "game": self.record.game.name,
            "players": self.record.players,
            "decisions": [asdict(decision) for decision in self.decisions],
            "losses": self.losses(),
        }

    def losses(self) -> list[float]:
        """How much of the victory each seat lost by its moves, in total."""
        return [
            sum(d.loss for d in self.decisions if d.seat == seat)
            for seat in range(self.record.players)
        ]

    def __str__(self) -> str:
        head = (
            f"{'event':>5} {'seat':>4}  {'move':<14} {'best':<14} {'chances after':<30} {'lost':>5}"
        )
        lines = [head]
        for d in self.decisions:
            chances = " ".join(f"{share:4.0%}" for share in d.after)
            cost = f"{d.loss:5.0%}" if d.loss else "     "
            best = "" if d.best == d.token else d.best
            line = (
                f"{d.event:>5} {d.seat:>4}  {d.token:<14} {best:<14} {chances:<30} {cost} {d.mark}"
            )
            lines.append(line.rstrip())
        for seat, lost in enumerate(self.losses()):
            marks = [d.mark for d in self.decisions if d.seat == seat]
            blunders = counted("{count} blunder", "{count} blunders", marks.count("blunder"))
            mistakes = counted("{count} mistake", "{count} mistakes", marks.count("mistake"))
            decisions = counted("{count} decision", "{count} decisions", len(marks))
            lines.append(
                f"Seat {seat} lost {lost:.0%} in all: {blunders}, {mistakes} in {decisions}."
            )
        return "\n".join(lines)

    def plot(self, path: Path) -> None:
        """Draw the seats' chances over the match, with mistakes and blunders, to a file."""
        with extra("plot"):
            from matplotlib.figure import Figure

        figure = Figure(figsize=(9, 4), layout="constrained")
        axes = figure.subplots()
        events = [d.event for d in self.decisions]
        for seat in range(self.record.players):
            chances = [d.after[seat] for d in self.decisions]
            (line,) = axes.plot(events, chances, label=f"seat {seat}")
            for mark, shape in (("mistake", "o"), ("blunder", "X")):
                at = [i for i, d in enumerate(self.decisions) if (d.seat, d.mark) == (seat, mark)]
                axes.plot(
                    [events[i] for i in at], [chances[i] for i in at], shape, color=line.get_color()
                )
        axes.set_ylim(0, 1)
        axes.set_xlabel("event (o mistake, X blunder)")
        axes.set_ylabel("chance to win" if self.record.players > 1 else "expected score / 100")
        players = counted("{count} player", "{count} players", self.record.players)
        axes.set_title(f"{self.record.game.title}, {players}")
        axes.legend()
        figure.savefig(path)


def analyse(
    record: Record,
    *,
    seconds: float | None = None,
    iterations: int | None = None,
    seats: Sequence[int] | None = None,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Analysis:
    """Judge every decision of a match, or only those of some seats.

    Each decision is searched from the view that its seat had, for 0.2 seconds unless `seconds` or
    `iterations` is given; if another move looks better, a second search compares the two.
    """
    for seat in seats or ():
        if not 0 <= seat < record.players:
            raise OptionError(f"there is no seat {seat!r}; seats are 0 to {record.players - 1}")
    if seconds is None and iterations is None:
        seconds = 0.2
    limits: dict[str, Any] = {"seconds": seconds, "iterations": iterations}
    decisions = []
    for number, state in enumerate(record.states()):
        if progress:
            progress(number, len(record.events))
        if number == len(record.events):
            break
        seat, token = record.events[number]
        if seat == DEALER or len(state.legal(seat)) < 2 or (seats and seat not in seats):
            continue
        decisions.append(_judge(state.view(seat), number, token, limits, seed + number))
    return Analysis(record, tuple(decisions))


def _judge(view: View, number: int, token: str, limits: dict[str, Any], seed: int) -> Decision:
    assert view.seat is not None
    best = made = search(view, seed=seed, **limits).best
    if best.token != token:
        duel = search(view, seed=seed + 1, only=(best.token, token), **limits)
        best, made = duel.best, duel.rating(token)
    loss = max(0.0, best.shares[view.seat] - made.shares[view.seat])
    error = math.hypot(_standard_error(best, view.seat), _standard_error(made, view.seat))
    mark = ""
    if best.token != token and loss > CERTAIN * error:
        mark = "blunder" if loss >= BLUNDER else "mistake" if loss >= MISTAKE else ""
    return Decision(
        number, view.seat, token, best.token, best.shares, made.shares, loss, mark
    )  # fmt: skip


def _standard_error(rating: Rating, seat: int) -> float:
    """The standard error of a share averaged over visits; large when these are few."""
    visits = max(rating.visits, 1)
    share = min(max(rating.shares[seat], 0.0), 1.0)
    return math.sqrt((share * (1 - share) + 1 / (visits + 1)) / visits)
