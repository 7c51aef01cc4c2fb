"""Bots against each other: seats rotated over the same deals, win rates, intervals, ratings."""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from droptable.bots.precompile import prepare
from droptable.core.errors import OptionError
from droptable.core.extras import extra
from droptable.core.game import Game
from droptable.core.language import counted
from droptable.lab.cell import Cell, lend
from droptable.lab.fleet import LOCAL, Fleet
from droptable.lab.matches import play_chunk
from droptable.lab.pace import Pace
from droptable.lab.progress import Meter
from droptable.lab.statistics import LEVEL, normal_quantile, student_quantile, wilson

ELO = 400 / math.log(10)
PRIOR_MATCHES = 1.0  # a drawn match against the average keeps ratings finite


@dataclass(frozen=True)
class MatchResult:
    """One match: which bot sat where, and the result."""

    deal: int  # matches with the same number have the same cards and dice
    bots: tuple[str, ...]  # by seat
    shares: tuple[float, ...]  # of the victory, by seat
    scores: tuple[int, ...]
    moves: int
    match: int = 0  # its number in the cell, see `droptable.lab.matches.record_of`
    limit: bool = False  # a limit ended it


@dataclass(frozen=True)
class SeatShare:
    """How often a seat won, whoever sat there."""

    seat: int
    share: float
    low: float  # 95 % confidence interval
    high: float


@dataclass(frozen=True)
class Standing:
    """One bot's line in the table. A bot at several seats counts once for each of them."""

    bot: str
    played: int
    wins: float  # a shared victory counts as a share
    low: float  # 95 % confidence interval of the share of wins; matches of one deal are alike
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
    seed: int = 0
    wanted: int = 0  # matches; fewer were played if it was interrupted

    def standings(self) -> list[Standing]:
        """The bots, best first."""
        ratings = self._ratings()
        lines = []
        for bot in dict.fromkeys(self.bots):
            seats = [(r, s) for r in self.results for s, b in enumerate(r.bots) if b == bot]
            if not seats:
                continue
            wins = sum(r.shares[s] for r, s in seats)
            low, high = self._interval([(r.deal, r.shares[s]) for r, s in seats])
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

    def seats(self) -> list[SeatShare]:
        """The seats: is one of them favoured?"""
        shares = []
        for seat in range(self.players) if self.results else ():
            share = sum(r.shares[seat] for r in self.results) / len(self.results)
            bounds = paired_interval([(r.deal, r.shares[seat]) for r in self.results])
            shares.append(SeatShare(seat, share, *bounds))
        return shares

    def _interval(self, shares: list[tuple[int, float]]) -> tuple[float, float]:
        if len(set(self.bots)) == 1:  # a bot against itself: nothing is left to chance
            return 1 / self.players, 1 / self.players
        return paired_interval(shares)

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
            "seed": self.seed,
            "standings": [vars(line) for line in self.standings()],
            "seats": [vars(seat) for seat in self.seats()],
            "matches": [vars(result) for result in self.results],
        }

    @property
    def _players(self) -> str:
        return counted("{count} player", "{count} players", self.players)

    @property
    def _matches(self) -> str:
        return counted("{count} match", "{count} matches", len(self.results))

    @property
    def interrupted(self) -> bool:
        """Whether there are matches that were not played."""
        return len(self.results) < self.wanted

    @property
    def _dealt(self) -> str:
        if len(set(self.bots)) == 1:
            return "each with a deal of its own"
        return "seats rotated over the same deals"

    def __str__(self) -> str:
        lines = [
            f"{self.game}, {self._players}, {self._matches}, {self._dealt}",
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
        if self.players > 1:
            told = (f"{s.seat}: {s.share:.1%} ({s.low:.1%} to {s.high:.1%})" for s in self.seats())
            lines.append("wins by seat: " + ", ".join(told))
            drawn = sum(min(r.shares) > 0 for r in self.results)
            shared = sum(max(r.shares) < 1 for r in self.results)
            limits = sum(r.limit for r in self.results)
            lines.append(f"shared victories: {shared}, draws: {drawn}, limits reached: {limits}")
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


def paired_interval(shares: Sequence[tuple[int, float]]) -> tuple[float, float]:
    """The 95 % confidence interval of a mean share, from (deal, share); deals are independent.

    Wilson's, for as many matches as would be worth the same if none shared its deal.
    """
    sums: dict[int, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for deal, share in shares:
        sums[deal][0] += share
        sums[deal][1] += 1
    deals, played = len(sums), len(shares)
    mean = sum(total for total, _ in sums.values()) / played
    spread = sum((total - mean * count) ** 2 for total, count in sums.values())
    if deals < 2 or not spread:
        return wilson(mean * deals, deals)
    variance = spread * deals / (deals - 1) / played**2
    variance *= (student_quantile(deals - 1, LEVEL) / normal_quantile(LEVEL)) ** 2
    worth = max(mean * (1 - mean), 0.0) / variance
    return wilson(mean * worth, worth)


def play_results(chunk: tuple[Cell, int, int, int]) -> tuple[list[MatchResult], float]:
    """The results of a chunk of matches (cell, seed, first, count), and the seconds it took."""
    cell, seed, first, count = chunk
    begun = time.monotonic()
    played = play_chunk(cell, seed, first, count)
    results = [
        MatchResult(
            int(played.deal[i]), cell.seated(match), tuple(played.share[i].tolist()),
            tuple(played.score[i].tolist()), int(played.moves[i]), match, bool(played.limit[i]),
        )
        for i, match in enumerate(played.match.tolist())
    ]  # fmt: skip
    return results, time.monotonic() - begun


def run_arena(
    game: Game,
    bots: Sequence[str],
    matches: int,
    *,
    players: int | None = None,
    seed: int = 0,
    on: str | None = None,
    workers: int | None = None,
    **options: Any,
) -> Arena:
    """Play the matches on all cores; Ctrl-C ends early and keeps the results.

    Each deal is played once with every different rotation of the bots over the seats, so equal
    bots never repeat one. Fewer bots than players: the last one fills the other seats.
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
    cell = Cell(lend(game), count, options, table, rotate=True)
    arena = Arena(game.name, count, dict(cell.options), table, [], seed, matches)
    if cell.thinks:
        prepare(game)  # once, not in every worker
    else:
        play_chunk(cell, seed, 0, 1)
    pace = Pace()
    with (
        Fleet(on if cell.anywhere else LOCAL, workers if cell.anywhere else 1) as fleet,
        Meter(f"{cell}:", matches) as meter,
    ):
        ranges = pace.chunks([(0, matches)], fleet.workers)
        chunks = ((cell, seed, first, size) for first, size in ranges)
        try:
            for _, (results, seconds) in fleet.map(play_results, chunks):
                arena.results += results
                pace.note(len(results), seconds)
                meter.advance(len(results))
        except KeyboardInterrupt:
            meter.say(f"interrupted: {len(arena.results)} of {matches} matches are kept")
    arena.results.sort(key=lambda result: result.match)
    return arena
