"""How strong the bots are: `python -m droptable.lab.anchors GAME …` makes `anchors.json`.

Bots play each other in random line-ups, at every player count. Each level's strength is the one
under which the shares of victories are likeliest (Plackett and Luce's model of who comes first),
with its standard error, and the matches of a player count get the scale under which levels are as
strong there as with the fewest players. `tables/rating_model.py` says how that is used.

Levels without search play by a kernel, at every player count; those that search do so by
iterations, with the fewest players: elsewhere they are taken to be as strong. What
`benchmarks/levels.py --json` has measured by the clock can be added.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec import structs

from droptable.bots.levels import LEVELS, level_of
from droptable.bots.match import play_out
from droptable.bots.precompile import prepare
from droptable.bots.steady import SteadyBot
from droptable.core.bits import lowest_bit
from droptable.core.chance import below, generators
from droptable.core.compile import kernel
from droptable.core.contract import MOST_SEATS, Ids, Numbers, Random, apply, legal, observe
from droptable.core.cpu import usable_cores
from droptable.core.errors import DroptableError
from droptable.core.game import Game
from droptable.core.heuristics import greedy_move
from droptable.core.loops import States, deal, result_at
from droptable.games import game as find_game
from droptable.tables.rating_model import NORMAL, Anchors, Skill, Strengths, anchors_file, model_of

QUICK = ("random", *(name for name, level in LEVELS.items() if not level.seconds))
SEARCHING = tuple(name for name, level in LEVELS.items() if level.seconds)
CHUNK = 4  # matches of those that search
ROUNDS = 300  # of the fit: changes are far below its errors then


@dataclass(frozen=True)
class Result:
    """One match: who sat where, and each seat's share of the victory."""

    names: tuple[str, ...]
    shares: tuple[float, ...]


@kernel
def play_mixed(
    states: States, noise: Any, random: Random, ids: Ids, weights: Numbers, points: Numbers
) -> int:
    """Play a match from states[0]: of a seat's moves, so many in 1000 are random, the others
    greedy. Returns the winners as bits."""
    states[1] = states[0]
    state = states[1]
    actors = deal(states, 1, random, ids, weights)
    while actors:
        seat = lowest_bit(actors)
        states[2] = states[1]
        observe(states[2], seat)
        count = legal(states[2], seat, ids)
        move = int(np.int64(ids[below(random, count)]))
        if below(random, 1000) >= noise[seat]:
            move = greedy_move(states[2], seat, ids, count, random)
        apply(state, seat, move)
        actors = deal(states, 1, random, ids, weights)
    return result_at(states, 1, points)


class Mixed:
    """Matches between players that make so many of 1000 moves at random, the others greedily."""

    def __init__(self, game: Game, players: int, seed: int) -> None:
        self._play = game.at_full_speed.kernels.twin(play_mixed)
        self._states = np.repeat(game.template(players, game.start(players).options), 3)
        self._random = generators(1, seed)
        self._room = (*game.vocabulary(game.start(players).options).room(),)
        self._points = np.zeros(MOST_SEATS, np.int32)

    def play(self, noise: Sequence[int]) -> tuple[float, ...]:
        """Play a match; each seat's share of the victory."""
        won = self._play(self._states, np.array(noise), self._random, *self._room, self._points)
        winners = [seat for seat in range(len(noise)) if won >> seat & 1]
        return tuple(1 / len(winners) if seat in winners else 0.0 for seat in range(len(noise)))


def noise_of(name: str, game: Game) -> int:
    """How many of 1000 moves a level without search makes at random."""
    return 1000 if name == "random" else round(1000 * level_of(name, game).random)


def quick_results(game: Game, players: int, matches: int, seed: int) -> list[Result]:
    """Matches of the levels that do not search, in random line-ups."""
    mixed, chance = Mixed(game, players, seed), random.Random(seed)
    noise = {name: noise_of(name, game) for name in QUICK}
    results: list[Result] = []
    while len(results) < matches:
        names = tuple(chance.choice(QUICK) for _ in range(players))
        if len(set(names)) > 1:
            results.append(Result(names, mixed.play([noise[name] for name in names])))
    return results


def searched_results(name: str, players: int, level: str, first: int) -> list[Result]:
    """Matches of a level that searches against one or more others, each with its own number."""
    game = find_game(name)
    prepare(game)
    others = [NORMAL, *SEARCHING[: SEARCHING.index(level)]]
    results = []
    for number in range(first, first + CHUNK):
        chance = random.Random(f"anchors {name} {players} {level} {number}")
        names = [level, *(chance.choice(others) for _ in range(players - 1))]
        chance.shuffle(names)
        state = game.start(players)
        seeds = [chance.getrandbits(32) for _ in names]
        bots = [SteadyBot(one, game, seed) for one, seed in zip(names, seeds, strict=True)]
        play_out(state, bots, chance)
        won = state.winners
        shares = tuple(1 / len(won) if seat in won else 0.0 for seat in range(players))
        results.append(Result(tuple(names), shares))
    return results


def clocked_results(file: Path | None, game: Game) -> list[Result]:
    """The matches of each level against the one below that `benchmarks/levels.py` has played."""
    if file is None:
        return []
    results = []
    for line in msgspec.json.decode(file.read_bytes()):
        if line["game"] == game.name and line["upper"] in SEARCHING:
            others = round(1 / line["fair"]) - 1
            shares = (line["share"], *[(1 - line["share"]) / others] * others)
            names = (line["upper"], *[line["lower"]] * others)
            results += [Result(names, shares)] * line["matches"]
    return results


def fit(results: Sequence[Result]) -> dict[str, Skill]:
    """The strengths under which these results are likeliest, as log odds; NORMAL has 0."""
    names = sorted({name for result in results for name in result.names})
    seats = np.array([[names.index(name) for name in result.names] for result in results])
    shares = np.array([result.shares for result in results])
    won = np.bincount(seats.ravel(), shares.ravel(), len(names))
    odds = np.ones(len(names))
    for _ in range(ROUNDS):  # Hunter's algorithm, with half a match against each one's equal
        each = np.repeat(1 / odds[seats].sum(axis=1), seats.shape[1])
        odds = (won + 0.5) / (np.bincount(seats.ravel(), each, len(names)) + 0.5 / odds)
        odds /= odds[names.index(NORMAL)]
    chances = odds[seats] / odds[seats].sum(axis=1, keepdims=True)
    known = np.bincount(seats.ravel(), (chances * (1 - chances)).ravel(), len(names)) + 0.25
    return {
        name: Skill(float(np.log(odds[i])), 0.0 if name == NORMAL else float(known[i] ** -0.5))
        for i, name in enumerate(names)
    }


def aligned(fits: dict[int, dict[str, Skill]], matches: int) -> Anchors:
    """All player counts on the scale of the fewest players."""
    reference = fits[min(fits)]
    players = {}
    for count, strengths in sorted(fits.items()):
        pairs = [(strengths[n], reference[n]) for n in strengths if n in QUICK and n != NORMAL]
        weights = [1 / (one.sigma**2 + other.sigma**2) for one, other in pairs]
        scale = sum(
            weight * one.mu * other.mu for weight, (one, other) in zip(weights, pairs, strict=True)
        ) / sum(weight * other.mu**2 for weight, (_, other) in zip(weights, pairs, strict=True))
        own = {name: Skill(one.mu / scale, one.sigma / scale) for name, one in strengths.items()}
        levels = {
            name: Skill(round(one.mu, 3), round(one.sigma, 3))
            for name, one in sorted((reference | own).items(), key=lambda item: item[1].mu)
        }
        players[count] = Strengths(round(scale, 3), levels)
    spread = reference["hard"].mu - reference["easy"].mu
    return Anchors(matches, round(max(1.0, spread / 2), 3), players)


def measure(game: Game, given: argparse.Namespace) -> Anchors:
    """Play, and fit."""
    prepare(game)
    fits, total = dict[int, dict[str, Skill]](), 0
    counts = [count for count in game.players if count > 1]
    with ProcessPoolExecutor(given.cores) as pool:
        for players in counts:
            results = quick_results(game, players, given.matches, seed=players)
            if players == counts[0]:
                results += clocked_results(given.levels, game)
                for level in SEARCHING:
                    results += _searched(pool, game, players, level, given)
            fits[players] = fit(results)
            if players == counts[0] and not given.searched:
                known = {name: model_of(game.name).bot(name, players) for name in SEARCHING}
                fits[players] |= {name: skill for name, skill in known.items() if skill}
            total += len(results)
            told = ", ".join(
                f"{name} {one.mu:+.2f} ({one.sigma:.2f})" for name, one in fits[players].items()
            )
            print(f"{game.name}, {players} players, {len(results)} matches: {told}", flush=True)
    return structs.replace(aligned(fits, total), calibration=model_of(game.name).calibration)


def _searched(
    pool: ProcessPoolExecutor, game: Game, players: int, level: str, given: argparse.Namespace
) -> list[Result]:
    deadline = time.monotonic() + given.seconds
    results: list[Result] = []
    starts = list(range(0, given.searched, CHUNK))
    while starts and time.monotonic() < deadline:
        batch, starts = starts[: given.cores], starts[given.cores :]
        jobs = [pool.submit(searched_results, game.name, players, level, one) for one in batch]
        results += [result for job in jobs for result in job.result()]
    return results


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure the bots of some games."""
    parser = argparse.ArgumentParser(prog="droptable.lab.anchors", description=__doc__)
    parser.add_argument("games", nargs="+")
    parser.add_argument("--matches", type=int, default=20_000, help="of the quick levels, each")
    parser.add_argument(
        "--searched",
        type=int,
        default=2_000,
        help="of each level that searches; 0: keep what is known of them",
    )
    parser.add_argument("--levels", type=Path, help="what benchmarks/levels.py --json wrote")
    parser.add_argument("--seconds", type=float, default=1e9, help="at most, for each of those")
    parser.add_argument("--cores", type=int, default=usable_cores())
    given = parser.parse_args(arguments)
    for name in given.games:
        game = find_game(name)
        out = anchors_file(game)
        if out is None:
            raise DroptableError(f"{name} has no folder for what is measured")
        made = msgspec.json.encode(measure(game, given))
        out.write_bytes(msgspec.json.format(made, indent=1) + b"\n")


if __name__ == "__main__":
    main()
