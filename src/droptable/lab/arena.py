"""Bots against each other: seats rotated over the same deals, win rates, intervals, ratings."""

from __future__ import annotations

import math
import multiprocessing
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress

from droptable.bots.match import play_out
from droptable.bots.precompile import prepare
from droptable.bots.registry import make_bot
from droptable.core.contract import DEALER
from droptable.core.cpu import usable_cores
from droptable.core.errors import OptionError
from droptable.core.extras import extra
from droptable.core.game import Game
from droptable.core.language import counted
from droptable.games import game as find_game
from droptable.lab.simulate import wilson

ELO = 400 / math.log(10)
PRIOR_MATCHES = 1.0  # a drawn match against the average keeps ratings finite


@dataclass(frozen=True)
class MatchResult:
    """One match: which bot sat where, and the result."""

    seed: int
    bots: tuple[str, ...]  # by seat
    shares: tuple[float, ...]  # of the victory, by seat
    scores: tuple[int, ...]
    moves: int


@dataclass(frozen=True)
class Standing:
    """One bot's line in the table. A bot at several seats counts once for each of them."""

    bot: str
    played: int
    wins: float  # a shared victory counts as a share
    low: float  # 95 % confidence interval of the share of wins
    high: float
    sole: int  # matches that it won alone
    decided: int  # matches with a single winner, whoever it was
    mean_score: float
    rating: float  # Elo, the average of all bots is 0


@dataclass
class Arena:
    """The matches of one run, and their evaluation."""

    game: str
    players: int
    options: dict[str, Any]
    bots: tuple[str, ...]
    results: list[MatchResult] = field(default_factory=list)

    def standings(self) -> list[Standing]:
        """The bots, best first."""
        ratings = self._ratings()
        lines = []
        for bot in dict.fromkeys(self.bots):
            seats = [(r, s) for r in self.results for s, b in enumerate(r.bots) if b == bot]
            if not seats:
                continue
            wins = sum(r.shares[s] for r, s in seats)
            low, high = wilson(wins, len(seats))
            lines.append(
                Standing(
                    bot,
                    len(seats),
                    wins,
                    low,
                    high,
                    sum(r.shares[s] == 1 for r, s in seats),
                    sum(max(r.shares) == 1 for r, s in seats),
                    sum(r.scores[s] for r, s in seats) / len(seats),
                    ratings[bot],
                )
            )
        return sorted(lines, key=lambda line: -line.rating)

    def _ratings(self) -> dict[str, float]:
        """Bradley-Terry strengths, as Elo, from all pairs of different bots in a match."""
        won: dict[tuple[str, str], float] = defaultdict(float)
        for result in self.results:
            for i, a in enumerate(result.bots):
                for j, b in enumerate(result.bots):
                    if i < j and a != b:
                        share = _pair_share(result.shares[i], result.shares[j])
                        won[a, b] += share
                        won[b, a] += 1 - share
        names = list(dict.fromkeys(self.bots))
        strength = dict.fromkeys(names, 1.0)
        for _ in range(200):
            for a in names:
                wins = PRIOR_MATCHES / 2 + sum(won[a, b] for b in names if b != a)
                weight = PRIOR_MATCHES / (strength[a] + 1.0) + sum(
                    (won[a, b] + won[b, a]) / (strength[a] + strength[b]) for b in names if b != a
                )
                strength[a] = wins / weight
        mean = sum(math.log(s) for s in strength.values()) / len(names)
        return {name: ELO * (math.log(strength[name]) - mean) for name in names}

    def to_dict(self) -> dict[str, Any]:
        """The results as JSON data."""
        return {
            "game": self.game,
            "players": self.players,
            "options": self.options,
            "bots": self.bots,
            "standings": [vars(line) for line in self.standings()],
            "matches": [vars(result) for result in self.results],
        }

    @property
    def _players(self) -> str:
        return counted("{count} player", "{count} players", self.players)

    @property
    def _matches(self) -> str:
        return counted("{count} match", "{count} matches", len(self.results))

    def __str__(self) -> str:
        lines = [
            f"{self.game}, {self._players}, {self._matches}, seats rotated over the same deals",
            f"{'bot':<16} {'played':>6} {'wins':>7} {'95 % interval':>17} "
            f"{'alone':>11} {'mean score':>10} {'rating':>6}",
        ]
        for line in self.standings():
            interval = f"{line.low:.1%} to {line.high:.1%}"
            lines.append(
                f"{line.bot:<16} {line.played:>6} {line.wins / line.played:>7.1%} {interval:>17} "
                f"{f'{line.sole} of {line.decided}':>11} {line.mean_score:>10.1f} "
                f"{line.rating:>+6.0f}"
            )
        return "\n".join(lines)

    def plot(self, path: Path) -> None:
        """Draw the win rates with their intervals into a file."""
        with extra("plot"):
            from matplotlib.figure import Figure

        standings = self.standings()[::-1]
        figure = Figure(figsize=(7, 1 + 0.5 * len(standings)), layout="constrained")
        axes = figure.subplots()
        shares = [line.wins / line.played for line in standings]
        spread = [
            [share - line.low for share, line in zip(shares, standings, strict=True)],
            [line.high - share for share, line in zip(shares, standings, strict=True)],
        ]
        axes.barh([line.bot for line in standings], shares, xerr=spread, color="#c2703d")
        axes.axvline(1 / self.players, color="black", linestyle="--", linewidth=1)
        axes.set_xlim(0, 1)
        axes.set_xlabel(f"share of wins, {self._matches} (dashed: a fair share)")
        axes.set_title(f"{self.game}, {self._players}")
        figure.savefig(path)


def _pair_share(a: float, b: float) -> float:
    return 0.5 if a == b else float(a > b)


def play_one(
    name: str, players: int, options: dict[str, Any], bots: Sequence[str], seed: int
) -> MatchResult:
    """Play one match; the dealer depends on the seed alone, so seats can rotate over a deal."""
    game = find_game(name)
    prepare(game)
    state = game.start(players, **options)
    dealer = random.Random(seed)
    seats = [make_bot(bot, seed=hash((seed, seat)), cores=1) for seat, bot in enumerate(bots)]
    play_out(state, seats, dealer)
    moves = sum(actor != DEALER for actor, _ in state.events)
    won = state.winners
    shares = tuple(1 / len(won) if seat in won else 0.0 for seat in range(players))
    return MatchResult(seed, tuple(bots), shares, state.scores, moves)


def schedule(bots: Sequence[str], matches: int, seed: int) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Seeds and line-ups: each deal is played once with every rotation of the seats."""
    for number in range(matches):
        shift = number % len(bots)
        yield seed + number // len(bots), tuple(bots[shift:]) + tuple(bots[:shift])


def run_arena(
    game: Game,
    bots: Sequence[str],
    matches: int,
    *,
    players: int | None = None,
    seed: int = 0,
    workers: int | None = None,
    **options: Any,
) -> Arena:
    """Play the matches on all cores; Ctrl-C ends early and keeps the results.

    Fewer bots than players: the last one fills the other seats.
    """
    if not bots:
        raise OptionError("no bots are named; expected at least one, for example --bots greedy")
    most = min(max(len(bots), game.players[0]), game.players[-1])
    count = game.check_players(most if players is None else players)
    if len(bots) > count:
        raise OptionError(
            f"there are {len(bots)} bots, {', '.join(bots)}; expected at most {count}, one per seat"
        )
    table = tuple(bots) + (bots[-1],) * (count - len(bots))
    for bot in table:
        make_bot(bot)  # a wrong name is an error before the first match
    values = game.start(count, **options).options
    arena = Arena(game.name, count, values, table)
    jobs = schedule(table, matches, seed)
    workers = workers or usable_cores()
    prepare(game)  # once, not in every worker
    console = Console(stderr=True)
    with (
        ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool,
        Progress(console=console, transient=True, disable=not console.is_terminal) as progress,
    ):
        task = progress.add_task(f"{game.title}: playing …", total=matches)
        running: set[Future[MatchResult]] = set()
        try:
            for match_seed, line_up in jobs:
                if len(running) >= 2 * workers:
                    running = _collect(running, arena, progress, task)
                running.add(pool.submit(play_one, game.name, count, options, line_up, match_seed))
            while running:
                running = _collect(running, arena, progress, task)
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            console.print(f"interrupted: {len(arena.results)} of {matches} matches are kept")
    arena.results.sort(key=lambda result: (result.seed, result.bots))
    return arena


def _collect(
    running: set[Future[MatchResult]], arena: Arena, progress: Progress, task: Any
) -> set[Future[MatchResult]]:
    done, rest = wait(running, return_when=FIRST_COMPLETED)
    for future in done:
        arena.results.append(future.result())
        progress.advance(task)
    return rest
