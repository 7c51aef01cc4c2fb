"""The coach: how good every turn of a match was, judged by what its seat could know."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from droptable.bots.accuracy import LEAST_CHANCE, level_loss, seat_accuracy, turn_accuracy
from droptable.bots.explanations import explanation
from droptable.bots.played_turns import PlayedTurn, played_turns
from droptable.bots.turn_values import SEARCHES, Comparison, Effort, compare
from droptable.core.cpu import usable_cores
from droptable.core.errors import OptionError
from droptable.core.extras import extra
from droptable.core.language import _, counted
from droptable.core.record import Record

MISTAKE, BLUNDER = 0.04, 0.12  # level losses of one turn
CERTAIN = 2.0  # standard errors that a loss must exceed to be marked
SECONDS = 0.1  # for each search, unless something else is asked for

# Within a time limit: first a quick look at all turns, then a long one at the doubtful ones.
QUICK_SHARE = 0.35  # of the time
QUICKEST, QUICK = 0.004, 0.06  # seconds per search of the quick look
LONGEST = 0.4  # seconds per search of the long look
DOUBTFUL = 0.02  # level loss


@dataclass(frozen=True)
class Decision:
    """One turn that had an alternative, with every seat's expected share of the victory."""

    event: int  # the index of its first move in the record
    seat: int
    token: str  # its first move …
    best: str  # … and that of the best turn
    before: tuple[float, ...]  # shares after the best turn
    after: tuple[float, ...]  # shares after the turn that was made
    loss: float  # of the seat's own share; 0 if the best turn was made
    mark: str  # "blunder", "mistake" or ""
    events: tuple[int, ...]  # the indices of all its moves
    turn: tuple[str, ...]  # these moves
    line: tuple[str, ...]  # the best turn
    level_loss: float  # the loss as if the seat had not been behind
    accuracy: float | None  # 0 to 100; None if the match was decided already


@dataclass(frozen=True)
class Analysis:
    """A match with every turn judged."""

    record: Record
    decisions: tuple[Decision, ...]

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "game": self.record.game.name,
            "players": self.record.players,
            "decisions": [
                asdict(decision) | {"why": self.reasons.get(decision.event, "")}
                for decision in self.decisions
            ],
            "accuracy": self.accuracy(),
            "losses": self.losses(),
        }

    @cached_property
    def reasons(self) -> dict[int, str]:
        """Why each turn that is marked was worse than the best one, by its event."""
        info = self.record.info
        names = [info.get(f"seat {s}") or f"Seat {s}" for s in range(self.record.players)]
        marked = {d.event: d for d in self.decisions if d.mark}
        return {
            event: explanation(state.view(marked[event].seat), marked[event], names)
            for event, state in enumerate(self.record.states())
            if event in marked
        }

    def accuracy(self) -> list[float | None]:
        """How well each seat played, from 0 to 100; None for a seat that decided nothing."""
        return [
            seat_accuracy([d.accuracy for d in self.decisions if d.seat == seat])
            for seat in range(self.record.players)
        ]

    def losses(self) -> list[float]:
        """How much of the victory each seat lost by its turns, in total."""
        return [
            sum(d.loss for d in self.decisions if d.seat == seat)
            for seat in range(self.record.players)
        ]

    def __str__(self) -> str:
        lines = [f"{'event':>5} {'seat':>4}  {'chances after':<30} {'lost':>5}"]
        for d in self.decisions:
            chances = " ".join(f"{share:4.0%}" for share in d.after)
            cost = f"{d.loss:5.0%}" if d.loss else "     "
            lines.append(f"{d.event:>5} {d.seat:>4}  {chances:<30} {cost} {d.mark}".rstrip())
            lines.append(f"{'':>12}{'  '.join(d.turn)}")
            if d.line != d.turn:
                lines.append(f"{'':>12}better: {'  '.join(d.line)}")
            if self.reasons.get(d.event):
                lines.append(f"{'':>12}{self.reasons[d.event]}")
        for seat, accuracy in enumerate(self.accuracy()):
            marks = [d.mark for d in self.decisions if d.seat == seat]
            blunders = counted("{count} blunder", "{count} blunders", marks.count("blunder"))
            mistakes = counted("{count} mistake", "{count} mistakes", marks.count("mistake"))
            decisions = counted("{count} decision", "{count} decisions", len(marks))
            played = "-" if accuracy is None else f"{accuracy:.0f}"
            lines.append(f"Seat {seat}, accuracy {played}: {blunders}, {mistakes} in {decisions}.")
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
    """Judge every turn of a match, or only those of some seats.

    Each turn is judged from the view that its seat had, by a few searches of 0.1 seconds unless
    `seconds` or `iterations` is given. By iterations, the same seed gives the same analysis.
    """
    if record.game.plain_only:
        raise OptionError(_("the coach does not know variants of a game"))
    for seat in seats or ():
        if not 0 <= seat < record.players:
            raise OptionError(f"there is no seat {seat!r}; seats are 0 to {record.players - 1}")
    if seconds is None and iterations is None:
        seconds = SECONDS
    turns = played_turns(record, seats)
    decisions: list[Decision] = []
    with _Judges() as judges:
        effort = Effort(seconds, iterations)
        for decision in judges.judge(turns, lambda: effort, seed):
            decisions.append(decision)
            if progress:
                progress(len(decisions), len(turns))
    return Analysis(record, tuple(sorted(decisions, key=lambda d: d.event)))


def analyse_within(
    record: Record,
    seconds: float,
    *,
    iterations: int | None = None,
    first: int | None = None,
    niceness: int = 0,
    seed: int = 0,
) -> Generator[tuple[float, Decision], None, None]:
    """Judge a match in about so many seconds; yields the progress and a decision, again and again.

    All turns are looked at quickly, those of the seat `first` before the others; then the doubtful
    ones at length, the worst ones first. A later opinion of a turn replaces the one before. Where
    nothing is compiled, searches are limited by iterations instead, and there is no second look.
    """
    deadline = time.monotonic() + seconds
    turns = sorted(played_turns(record), key=lambda turn: (turn.seat != first, turn.start))
    doubtful: list[tuple[float, PlayedTurn]] = []
    by_start = {turn.start: turn for turn in turns}
    with _Judges(niceness) as judges:
        quick = _Pace(len(turns), QUICK_SHARE * seconds, judges.cores, (QUICKEST, QUICK))
        given = Effort(iterations=iterations)
        effort = quick.effort if iterations is None else lambda: given
        for done, decision in enumerate(judges.judge(turns, effort, seed), 1):
            if decision.level_loss >= DOUBTFUL:
                doubtful.append((decision.level_loss, by_start[decision.event]))
            yield QUICK_SHARE * done / len(turns), decision
        if iterations is not None:
            return
        doubtful.sort(key=lambda found: -found[0])
        left = deadline - time.monotonic()
        longer = _Pace(len(doubtful), left, judges.cores, (QUICK, LONGEST))
        again = judges.judge(
            [turn for _, turn in doubtful], longer.effort, seed + len(record.events)
        )
        for done, decision in enumerate(again, 1):
            yield QUICK_SHARE + (1 - QUICK_SHARE) * done / len(doubtful), decision
            if time.monotonic() > deadline:  # the rest was the least doubtful
                return


class _Judges:
    """One thread per core, each of which judges a turn; search releases the interpreter lock."""

    def __init__(self, niceness: int = 0) -> None:
        self.cores = usable_cores()
        self._pool = ThreadPoolExecutor(self.cores, "coach-search", _be_nice, (niceness,))

    def __enter__(self) -> _Judges:
        return self

    def __exit__(self, *_error: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def judge(
        self, turns: Sequence[PlayedTurn], effort: Callable[[], Effort], seed: int
    ) -> Iterator[Decision]:
        """The decisions, in the order in which they are finished."""
        futures: list[Future[Decision]] = [
            self._pool.submit(_judge, turn, effort, seed + turn.start) for turn in turns
        ]
        for future in as_completed(futures):
            yield future.result()


class _Pace:
    """Shares the time that is left among the turns that are left: a busy machine takes longer."""

    def __init__(self, turns: int, seconds: float, cores: int, limits: tuple[float, float]) -> None:
        self._turns = turns
        self._deadline = time.monotonic() + seconds
        self._cores = cores
        self._least, self._most = limits  # seconds per search

    def effort(self) -> Effort:
        """For the next turn."""
        left = self._cores * (self._deadline - time.monotonic())
        share = left / (SEARCHES * max(self._turns, 1))
        self._turns -= 1
        return Effort(min(self._most, max(self._least, share)))


def _be_nice(niceness: int) -> None:
    with suppress(OSError, AttributeError):  # not every system has thread priorities
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), niceness)


def judge(found: Comparison, seat: int, players: int) -> tuple[float, float, str]:
    """The level loss of a turn beside the best one, its error, and the mark that it deserves."""
    lost, error, mark = 0.0, 0.0, ""
    if not found.same:
        lost, error = level_loss(found.before[seat], found.after[seat], found.error, players)
    if lost > CERTAIN * error:
        mark = "blunder" if lost >= BLUNDER else "mistake" if lost >= MISTAKE else ""
    return lost, error, mark


def _judge(turn: PlayedTurn, effort: Callable[[], Effort], seed: int) -> Decision:
    found = compare(turn, effort(), seed)
    seat, players = turn.seat, turn.view.players
    lost, error, mark = judge(found, seat, players)
    decided = found.before[seat] < LEAST_CHANCE and players > 1
    return Decision(
        event=turn.start,
        seat=seat,
        token=turn.tokens[0],
        best=found.best[0],
        before=found.before,
        after=found.after,
        loss=max(0.0, found.before[seat] - found.after[seat]),
        mark=mark,
        events=turn.events,
        turn=turn.tokens,
        line=found.best,
        level_loss=lost,
        accuracy=None if decided else turn_accuracy(lost - error),
    )
