"""Many random matches: how often does each seat win?"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import Progress

from droptable.core.chance import generators
from droptable.core.contract import MOST_SEATS
from droptable.core.game import Game
from droptable.core.language import counted
from droptable.core.loops import Tally
from droptable.core.options import resolve

CHUNKS = 100  # steps of the progress bar


@dataclass(frozen=True)
class Outcome:
    """The results of many matches. A victory shared by k seats adds 1/k to each one's `wins`."""

    game: str
    players: int
    options: dict[str, Any]
    matches: int
    moves: int
    wins: tuple[float, ...]
    mean_scores: tuple[float, ...]

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self) | {"intervals": [self.interval(s) for s in range(self.players)]}

    def interval(self, seat: int) -> tuple[float, float]:
        """The 95 % confidence interval (Wilson) of a seat's share of wins."""
        return wilson(self.wins[seat], self.matches)

    def __str__(self) -> str:
        players = counted("{count} player", "{count} players", self.players)
        matches = counted("{count} random match", "{count} random matches", self.matches)
        lines = [
            f"{self.game}, {players}, {matches}, {self.moves / self.matches:.1f} moves per match"
        ]
        for seat in range(self.players):
            low, high = self.interval(seat)
            lines.append(
                f"  seat {seat}: wins {self.wins[seat] / self.matches:.1%} "
                f"({low:.1%} to {high:.1%}), mean score {self.mean_scores[seat]:.1f}"
            )
        fair = 1 / self.players
        odd = [s for s in range(self.players) if not _within(fair, self.interval(s))]
        if self.players > 1:
            lines.append(
                f"  a fair share is {fair:.1%}: "
                + ("; ".join(self._verdict(s, fair) for s in odd) or "no seat is clearly favoured")
            )
        return "\n".join(lines)

    def _verdict(self, seat: int, fair: float) -> str:
        favoured = self.wins[seat] / self.matches > fair
        return f"seat {seat} is {'favoured' if favoured else 'at a disadvantage'}"


def wilson(wins: float, matches: int, z: float = 1.96) -> tuple[float, float]:
    """Wilson's score interval for a share of wins."""
    share = wins / matches
    centre = share + z * z / (2 * matches)
    spread = z * math.sqrt(share * (1 - share) / matches + z * z / (4 * matches * matches))
    scale = 1 + z * z / matches
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)


def _within(value: float, interval: tuple[float, float]) -> bool:
    return interval[0] <= value <= interval[1]


def simulate_matches(
    game: Game, players: int, matches: int, seed: int | None = None, **options: Any
) -> Outcome:
    """Play random matches, with a progress bar in a terminal."""
    values = resolve(game.name, game.options, options)
    run = Simulation(game, players, values, seed)
    moves = done = 0
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(f"{game.title}: compiling, playing …", total=matches)
        while done < matches:
            chunk = 1 if done == 0 else min(matches - done, math.ceil(matches / CHUNKS))
            moves += run.play(chunk)
            done += chunk
            progress.update(task, completed=done)
    return Outcome(
        game.name, players, values, matches, moves,
        tuple(run.wins.tolist()), tuple((run.totals / matches).tolist()),
    )  # fmt: skip


class Simulation:
    """Random matches of one variant, on arrays made once."""

    def __init__(
        self, game: Game, players: int, values: dict[str, Any], seed: int | None = None
    ) -> None:
        self._simulate = game.at_full_speed.simulate
        self._states = np.repeat(game.template(players, values), 2)
        self._random = generators(1, seed)
        self._ids, self._weights = game.vocabulary(values).room()
        self.wins = np.zeros(players)
        self.totals = np.zeros(players)
        self._tally: Tally = (self.wins, self.totals, np.zeros(MOST_SEATS, np.int32))

    def play(self, matches: int) -> int:
        """Play this many matches; return how many moves the seats made."""
        return int(
            self._simulate(
                self._states, matches, self._random, self._ids, self._weights, self._tally
            )
        )
