"""Many matches of one line-up: how often does each seat win? `droptable simulate`."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from droptable.core.chance import generators
from droptable.core.contract import MOST_SEATS
from droptable.core.game import Game
from droptable.core.loops import Tally as RandomTally
from droptable.core.match import check_count
from droptable.lab.cell import Cell, lend
from droptable.lab.fleet import Fleet
from droptable.lab.matches import play_chunk
from droptable.lab.pace import Pace
from droptable.lab.progress import Meter
from droptable.lab.saved import Saved
from droptable.lab.tally import Tally

WARM = 0.25  # seconds that a measurement of the first matches takes


@dataclass(frozen=True)
class Outcome:
    """The results of many matches. A victory shared by k seats adds 1/k to each one's `wins`."""

    cell: Cell
    seed: int
    tally: Tally
    wanted: int  # matches; fewer were played if it was interrupted

    @property
    def interrupted(self) -> bool:
        """Whether there are matches that were not played."""
        return self.matches < self.wanted

    @property
    def matches(self) -> int:
        return self.tally.matches

    @property
    def moves(self) -> int:
        return self.tally.moves

    @property
    def wins(self) -> tuple[float, ...]:
        return tuple(self.tally.victories.tolist())

    @property
    def mean_scores(self) -> tuple[float, ...]:
        return tuple(self.tally.mean_score(seat) for seat in range(self.cell.seats))

    def interval(self, seat: int) -> tuple[float, float]:
        """The 95 % confidence interval (Wilson) of a seat's share of wins."""
        return self.tally.interval(seat)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        tally, seats = self.tally, range(self.cell.seats)
        return {
            "game": self.cell.game, "players": self.cell.seats, "options": dict(self.cell.options),
            "constants": dict(self.cell.constants), "bots": list(self.cell.lineup),
            "seed": self.seed, "matches": self.matches, "interrupted": self.interrupted,
            "moves": self.moves, "decisions": tally.decisions, "turns": tally.turns,
            "wins": self.wins, "intervals": [self.interval(seat) for seat in seats],
            "mean_scores": self.mean_scores,
            "score_margins": [tally.score_margin(seat) for seat in seats],
            "shared_victories": tally.shared, "draws": tally.draws, "limits": tally.limits,
        }  # fmt: skip

    # -- in words ---------------------------------------------------------------------------------

    def __str__(self) -> str:
        cell, tally = self.cell, self.tally
        lines = [
            f"{cell}, {tally.matches:,} matches, seed {self.seed}",
            f"  a match has {tally.moves / tally.matches:.1f} moves, "
            f"{tally.decisions / tally.matches:.1f} of them with a choice",
        ]
        same = len(set(cell.lineup)) == 1
        for seat, bot in enumerate(cell.lineup):
            low, high = self.interval(seat)
            lines.append(
                f"  seat {seat}{'' if same else f' ({bot})'}: "
                f"wins {self.wins[seat] / tally.matches:.1%} ({low:.1%} to {high:.1%}), "
                f"mean score {self._score(seat)}"
            )
        if cell.seats > 1:
            lines += [self._fairness(), self._endings()]
        return "\n".join([*lines, self._about_scores()])

    def _score(self, seat: int) -> str:
        margin = self.tally.score_margin(seat)
        return f"{self.mean_scores[seat]:.1f}" + (
            f" ± {margin:.2g}" if 0 < margin < math.inf else ""
        )

    def _fairness(self) -> str:
        fair = 1 / self.cell.seats
        odd = []
        for seat in range(self.cell.seats):
            low, high = self.interval(seat)
            if not low <= fair <= high:
                odd.append(f"seat {seat} is {'favoured' if low > fair else 'at a disadvantage'}")
        return f"  a fair share is {fair:.1%}: " + ("; ".join(odd) or "no seat is clearly favoured")

    def _endings(self) -> str:
        tally = self.tally
        told = {
            "shared victories": tally.shared,
            "draws": tally.draws,
            "limits reached": tally.limits,
        }
        shares = [f"{name} {count / tally.matches:.2%}" for name, count in told.items()]
        return "  " + ", ".join(shares) + " (a draw is a victory shared by all)"

    def _about_scores(self) -> str:
        text = "  a score is what the game writes down for a seat at the end"
        (best, winners), (rest, others) = self.tally.best.tolist(), self.tally.rest.tolist()
        if winners and others:
            text += (
                f"; winners have {best / winners:.1f} on average, the others {rest / others:.1f}"
            )
        return text


def simulate_matches(
    game: Game,
    players: int | None,
    matches: int,
    seed: int | None = None,
    *,
    bots: Sequence[str] = ("random",),
    constants: dict[str, Any] | None = None,
    resume: Path | None = None,
    on: str | None = None,
    workers: int | None = None,
    **options: Any,
) -> Outcome:
    """Play many matches on all cores, with a progress bar in a terminal.

    Ctrl-C ends early and keeps what is done. `resume` is a file that keeps it for later: if it is
    there, matches that are in it are not played again. Without a seed, one is chosen.
    """
    check_count("matches", matches)
    names = [bots] if isinstance(bots, str) else list(bots)
    count = game.check_players(players)
    names += names[-1:] * (count - len(names))
    cell = Cell(lend(game), count, options, names, constants or {})
    saved = Saved.opened(resume, cell, seed)
    given = saved.seed if seed is None else seed
    if given is None:
        given = random.SystemRandom().getrandbits(32)
    run = _Run(cell, given, matches, saved)
    # What no other process knows is played here, and a few matches need nobody else.
    alone = not cell.anywhere or (matches < 1000 and not cell.thinks and on is None)
    with Fleet("local" if alone else on, 1 if alone else workers) as fleet:
        run.play(fleet)
    return Outcome(cell, given, run.tally, matches)


class _Run:
    """A simulation while it is running."""

    def __init__(self, cell: Cell, seed: int, matches: int, saved: Saved) -> None:
        self.cell, self.seed, self.matches, self.saved = cell, seed, matches, saved
        self.saved.seed = seed
        self.pace = Pace()

    @property
    def tally(self) -> Tally:
        """What has been counted."""
        return self.saved.tally

    def play(self, fleet: Fleet) -> None:
        """Play what is missing; Ctrl-C ends early."""
        with Meter(f"{self.cell}:", self.matches, self.tally.matches) as meter:
            try:
                self._warm_up(meter)
                if self.saved.done.missing(self.matches):
                    self._play_on(fleet, meter)
            except KeyboardInterrupt:
                if not self.tally.matches:
                    raise
                kept = f"interrupted: {self.tally.matches:,} of {self.matches:,} matches are kept"
                meter.say(kept)
            finally:
                self.saved.write()

    def _warm_up(self, meter: Meter) -> None:
        """Compile, and see how long a match takes; a few matches may be all there are."""
        if self.cell.thinks:
            return
        for _ in range(2):  # the first one waits for the compiler
            seconds = 0.0
            while seconds < WARM:
                missing = self.saved.done.missing(self.matches)
                if not missing:
                    return
                first, stop = missing[0]
                count = min(self.pace.size, stop - first)
                part = tally_of((self.cell, self.seed, first, count))
                seconds = part[2]
                self._take(part, meter)

    def _play_on(self, fleet: Fleet, meter: Meter) -> None:
        missing = self.saved.done.missing(self.matches)
        ranges = self.pace.chunks(missing, fleet.workers)
        chunks = ((self.cell, self.seed, first, count) for first, count in ranges)
        for _, part in fleet.map(tally_of, chunks):
            self._take(part, meter)

    def _take(self, part: Part, meter: Meter) -> None:
        first, tally, seconds = part
        self.saved.add(first, tally)
        self.pace.note(tally.matches, seconds)
        meter.advance(tally.matches)


Part = tuple[int, Tally, float]  # the first match, counts, and the seconds it took


def tally_of(chunk: tuple[Cell, int, int, int]) -> Part:
    """The counts of a chunk of matches: (cell, seed, first, count)."""
    cell, seed, first, count = chunk
    begun = time.monotonic()
    tally = Tally.of(play_chunk(cell, seed, first, count))
    return first, tally, time.monotonic() - begun


class Simulation:
    """Random matches of one variant on arrays made once: the engine's own speed, for benchmarks."""

    def __init__(
        self, game: Game, players: int, values: dict[str, Any], seed: int | None = None
    ) -> None:
        self._simulate = game.at_full_speed.simulate
        self._states = np.repeat(game.template(players, values), 2)
        self._random = generators(1, seed)
        self._ids, self._weights = game.vocabulary(values).room()
        self.wins = np.zeros(players)
        self.totals = np.zeros(players)
        self._tally: RandomTally = (self.wins, self.totals, np.zeros(MOST_SEATS, np.int32))

    def play(self, matches: int) -> int:
        """Play this many matches; return how many moves the seats made."""
        return int(
            self._simulate(
                self._states, matches, self._random, self._ids, self._weights, self._tally
            )
        )
