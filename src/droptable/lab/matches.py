"""Matches of a cell, by their numbers: as columns of many (`play_chunk`), or as one record."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from droptable.bots.instincts import word_of
from droptable.core.contract import MOST_SEATS
from droptable.core.errors import OptionError
from droptable.core.match import check_count
from droptable.core.record import Record
from droptable.lab import loop
from droptable.lab.cell import Cell
from droptable.lab.loop import ACTION, CHOICES, ROW, SEAT, TURN, Room
from droptable.lab.one_match import Books, play_match
from droptable.lab.seeds import generators_of

DECISIONS, TURNS, VALUES = "decisions", "turns", "values"
TRACES = (DECISIONS, TURNS, VALUES)
ROLLOUTS = 16  # playouts that estimate a value
TRACE_ROOM = 1 << 16  # rows of a trace before matches are played in several runs


@dataclass(frozen=True)
class Decisions:
    """One row per move of a seat, of all matches in order; also moves without a choice."""

    match: np.ndarray  # int64
    seat: np.ndarray  # int8
    turn: np.ndarray  # int32: turns of the match, from 1
    choices: np.ndarray  # int32: how many moves were legal
    action: np.ndarray  # int32: the id of the move
    tokens: tuple[str, ...]  # by id

    @property
    def words(self) -> np.ndarray:
        """The first word of each move's token, which says what kind of move it is."""
        words: np.ndarray = np.array([word_of(token) for token in self.tokens])[self.action]
        return words


@dataclass(frozen=True)
class Turns:
    """One row per turn of a match, and one before its first: how the match stands after it.

    A turn is a run of moves of one seat. `values` are the shares of the victory that seats get if
    the line-up goes on from here, by `ROLLOUTS` playouts of somebody who sees everything; bots that
    think play greedily in them. They are zero unless they were asked for.
    """

    match: np.ndarray  # int64
    turn: np.ndarray  # int32: 0 is the start
    seat: np.ndarray  # int8: whose turn it was; -1 at the start
    points: np.ndarray  # int32 [row, seat]
    values: np.ndarray  # float64 [row, seat]


@dataclass(frozen=True)
class Chunk:
    """Consecutive matches of one cell as columns, a row per match, in the order of their numbers.

    Of those with two dimensions the second is the seat.
    """

    cell: Cell
    seed: int
    match: np.ndarray  # int64: numbers of the matches
    deal: np.ndarray  # int64: matches with the same number have the same cards and dice
    deal_seed: np.ndarray  # uint64: the generator that dealt, equal for equal deals of a seed
    bot: np.ndarray  # int8 [match, seat]: which of `bots` sat there
    share: np.ndarray  # float64 [match, seat]: 1 / k for each of k winners
    score: np.ndarray  # int32 [match, seat]
    rank: np.ndarray  # int8 [match, seat]: 1 is the best; winners first, the others by score
    winners: np.ndarray  # int8: how many shared the victory
    moves: np.ndarray  # int64: of seats
    decisions: np.ndarray  # int64: moves with more than one legal one
    turns: np.ndarray  # int64: runs of moves of one seat
    first: np.ndarray  # int8: the seat that made the first decision; -1 if there was none
    limit: np.ndarray  # bool: a limit ended the match, see `Rules.ended_by_limit`
    traced_decisions: Decisions | None = None
    traced_turns: Turns | None = None

    def __len__(self) -> int:
        return len(self.match)

    @property
    def bots(self) -> tuple[str, ...]:
        """The different bots of the line-up, which the column `bot` counts."""
        return tuple(dict.fromkeys(self.cell.lineup))

    @property
    def draw(self) -> np.ndarray:
        """Whether all seats shared the victory."""
        drawn: np.ndarray = (self.winners == self.cell.seats) & (self.cell.seats > 1)
        return drawn


def play_chunk(
    cell: Cell, seed: int, first: int, count: int, traces: Collection[str] = ()
) -> Chunk:
    """Matches number `first` to `first + count - 1` of a cell.

    The seed and a match's number alone decide what is dealt and what bots choose, however matches
    are cut into chunks and wherever they are played; only bots that think for some seconds play
    differently when they are slowed down. The same deal number has the same cards in every cell
    that deals alike, so cells can be compared by pairs.

    `traces` is some of `TRACES`: "decisions" fills `traced_decisions`, "turns" and "values" (which
    takes many times as long) `traced_turns`.
    """
    if isinstance(first, bool) or not isinstance(first, int) or first < 0:
        raise OptionError(f"first is {first!r}; expected a match's number, from 0 up")
    check_count("count", count)
    for trace in traces:
        if trace not in TRACES:
            raise OptionError(f"trace {trace!r}; expected some of {', '.join(TRACES)}")
    run = _Run(cell, seed, first, count, traces)
    if cell.thinks:
        run.play_one_by_one()
    else:
        run.play_compiled()
    return run.chunk()


def record_of(cell: Cell, seed: int, match: int) -> Record:
    """The match of this number, to be saved and opened on the replay page."""
    record = play_match(cell, seed, match).record
    names = {f"seat {seat}": bot for seat, bot in enumerate(cell.seated(match))}
    record.info.update(names, lab=f"match {match} of seed {seed}")
    return record


class _Run:
    """The matches of a chunk while they are being played."""

    def __init__(
        self, cell: Cell, seed: int, first: int, count: int, traces: Collection[str]
    ) -> None:
        self.cell = cell
        self.seed = seed
        self.match = np.arange(first, first + count)
        self.deal = self.match // cell.plays_per_deal
        self.shift = self.match % cell.rotations
        self.random = generators_of(seed, self.deal, self.match, cell.seats)
        self.facts = np.zeros((count, loop.FACTS), np.int64)
        self.points = np.zeros((count, MOST_SEATS), np.int32)
        self.wanted = traces
        self.rollouts = ROLLOUTS if VALUES in traces else 0
        self.decisions: list[np.ndarray] = []
        self.turns: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []

    def play_compiled(self) -> None:
        """All matches in machine code, as far as the traces have room at a time."""
        room = Room(self.cell)
        play = self.cell.subject.at_full_speed.kernels.twin(loop.play_matches)
        places = TRACE_ROOM
        done = 0
        while done < len(self.match):
            traces = loop.empty_traces(*self._places(places))
            random = self.random[done:].copy().reshape(-1)
            played = play(
                room.states, room.hidden, random, self.shift[done:], room.bots, room.scratch,
                self.rollouts, self.facts[done:], self.points[done:], traces,
            )  # fmt: skip
            self._keep(traces, done)
            done += played
            if not played:  # one match alone needs more
                places *= 2

    def play_one_by_one(self) -> None:
        """Matches of bots that think."""
        places = self._places(loop.MOST_MOVES + 2)
        for row, match in enumerate(self.match.tolist()):
            books = Books(places, self.rollouts)
            play_match(self.cell, self.seed, match, books)
            self.facts[row], self.points[row] = books.facts, books.points
            self._keep(books.traces, row)

    def _places(self, places: int) -> tuple[int, int]:
        """Rows of the traces that are wanted."""
        turns = TURNS in self.wanted or VALUES in self.wanted
        return places * (DECISIONS in self.wanted), places * turns

    def _keep(self, traces: loop.Traces, done: int) -> None:
        """Take over what was traced; its rows count from the first match of the run."""
        decisions, turns, points, values, used = traces
        decided, ended = used.tolist()
        self.decisions.append(decisions[:decided] + np.array([done, 0, 0, 0, 0], np.int32))
        turns = turns[:ended] + np.array([done, 0, 0], np.int32)
        self.turns.append((turns, points[:ended].copy(), values[:ended].copy()))

    def chunk(self) -> Chunk:
        """The columns."""
        cell, seats = self.cell, self.cell.seats
        won = self.facts[:, loop.WON]
        victors = (won[:, None] >> np.arange(seats)) & 1
        count = victors.sum(axis=1)
        score = self.points[:, :seats].copy()
        names = list(dict.fromkeys(cell.lineup))
        lineup = np.array([names.index(bot) for bot in cell.lineup], np.int8)
        return Chunk(
            cell, self.seed, self.match, self.deal, self.random[:, 0].copy(),
            bot=lineup[(np.arange(seats) + self.shift[:, None]) % seats],
            share=victors / np.maximum(count, 1)[:, None],
            score=score,
            rank=_ranks(victors, score),
            winners=count.astype(np.int8),
            moves=self.facts[:, loop.MOVES].copy(),
            decisions=self.facts[:, loop.DECISIONS].copy(),
            turns=self.facts[:, loop.TURNS].copy(),
            first=self.facts[:, loop.FIRST].astype(np.int8),
            limit=self.facts[:, loop.LIMIT] == 1,
            traced_decisions=self._traced_decisions() if DECISIONS in self.wanted else None,
            traced_turns=self._traced_turns() if {TURNS, VALUES} & set(self.wanted) else None,
        )  # fmt: skip

    def _traced_decisions(self) -> Decisions:
        rows = np.concatenate(self.decisions)
        tokens = self.cell.subject.vocabulary(dict(self.cell.options)).actions
        return Decisions(
            self.match[rows[:, ROW]], rows[:, SEAT].astype(np.int8), rows[:, TURN].copy(),
            rows[:, CHOICES].copy(), rows[:, ACTION].copy(), tokens,
        )  # fmt: skip

    def _traced_turns(self) -> Turns:
        rows, points, values = (np.concatenate(part) for part in zip(*self.turns, strict=True))
        seats = self.cell.seats
        return Turns(
            self.match[rows[:, 0]], rows[:, 1].copy(), rows[:, 2].astype(np.int8),
            points[:, :seats].copy(), values[:, :seats].copy(),
        )  # fmt: skip


def _ranks(victors: np.ndarray, score: np.ndarray) -> np.ndarray:
    """Places: winners share the first, the others follow by their scores, equal ones together.

    High scores are good if the winners' are higher than the others', else low ones.
    """
    won = victors == 1
    mean_of_winners = (score * won).sum(axis=1) / np.maximum(won.sum(axis=1), 1)
    mean_of_others = (score * ~won).sum(axis=1) / np.maximum((~won).sum(axis=1), 1)
    good = np.where(mean_of_winners < mean_of_others, -1, 1)[:, None] * score
    above = np.zeros(score.shape, np.int8)
    for other in range(score.shape[1]):
        better = won[:, other : other + 1] | (good[:, other : other + 1] > good)
        above += ~won & better
    ranks: np.ndarray = above + np.int8(1)
    return ranks
