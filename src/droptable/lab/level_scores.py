"""How well levels do in deals of the day: `python -m droptable.lab.level_scores GAME …`.

A level takes the person's seat against the bots of a daily, in matches with a deal of their own
each. Levels without search play in machine code; those that search do so by iterations
(`bots/steady.py`), so anybody gets the same results. What was played is written after each chunk,
and a later call goes on from there; `--anew` begins again, as must be when a level plays otherwise.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import msgspec

from droptable.bots.instincts import habit_of
from droptable.bots.level_scores import Values, level_file
from droptable.bots.levels import LEVELS
from droptable.bots.match import play_out
from droptable.bots.precompile import prepare
from droptable.bots.steady import SteadyBot
from droptable.core.cpu import usable_cores
from droptable.core.errors import DroptableError
from droptable.core.game import Game
from droptable.core.state import State
from droptable.games import game
from droptable.lab import matches
from droptable.lab.cell import Cell
from droptable.tables.daily import OPPONENTS, SEAT, value_of

CHUNK = 10  # matches of a level that searches
QUICK_CHUNK = 1000  # of one that does not
SEED = 41  # of the matches of levels that do not search


def chunk_of(level: str) -> int:
    """How many matches a process plays at a time."""
    return CHUNK if habit_of(level) is None else QUICK_CHUNK


def play_chunk(name: str, level: str, first: int, last: int) -> Counter[int]:
    """The results of a level in some matches, from a first number to before a last one."""
    subject = game(name)
    prepare(subject)
    if habit_of(level) is None:
        finals = [play_searching(subject, level, number) for number in range(first, last)]
        return Counter(value_of(final.scores, final.winners, SEAT) for final in finals)
    cell = Cell(name, subject.players[0], lineup=_lineup(subject, level))
    played = matches.play_chunk(cell, SEED, first, last - first)
    results: Counter[int] = Counter()
    for scores, shares in zip(played.score.tolist(), played.share, strict=True):
        results[value_of(tuple(scores), tuple(shares.nonzero()[0].tolist()), SEAT)] += 1
    return results


def play_searching(subject: Game, level: str, number: int, iterations: int | None = None) -> State:
    """The end of one match of a level that searches, with its number as a seed."""
    chance = random.Random(f"{subject.name} {level} {number}")
    state = subject.start(subject.players[0])
    bots = [
        SteadyBot(one, subject, chance.getrandbits(32), iterations)
        for one in _lineup(subject, level)
    ]
    play_out(state, bots, chance)
    return state


def _lineup(subject: Game, level: str) -> list[str]:
    return [level if seat == SEAT else OPPONENTS for seat in range(subject.players[0])]


def main(arguments: Sequence[str] | None = None) -> None:
    """Play the matches of each level, or as many as there is time for."""
    parser = argparse.ArgumentParser(prog="droptable.lab.level_scores", description=__doc__)
    parser.add_argument("games", nargs="+")
    parser.add_argument("--levels", nargs="+", choices=LEVELS, default=list(LEVELS))
    parser.add_argument("--matches", type=int, default=10_000, help="of each level (10000)")
    parser.add_argument("--seconds", type=float, default=1e9, help="at most, for each level")
    parser.add_argument("--anew", action="store_true", help="forget the results of these levels")
    parser.add_argument("--cores", type=int, default=usable_cores())
    parser.add_argument("--out", type=Path, help="a file instead of the game's own (one game)")
    given = parser.parse_args(arguments)
    for name in given.games:
        subject = game(name)
        out = given.out or level_file(subject)
        if out is None:
            raise DroptableError(f"{name} has no folder for results: give --out FILE")
        prepare(subject)
        with ProcessPoolExecutor(given.cores) as pool:
            for level in given.levels:
                _play(pool, name, level, out, given)


def _play(
    pool: ProcessPoolExecutor, name: str, level: str, out: Path, given: argparse.Namespace
) -> None:
    """Go on with a level, from the first match that is not in the file."""
    deadline = time.monotonic() + given.seconds
    known: Values = {} if given.anew else read(out).get(level, {})
    played, chunk = sum(known.values()), chunk_of(level)
    while played < given.matches and time.monotonic() < deadline:
        starts = range(played, given.matches, chunk)[: given.cores]
        ends = [min(start + chunk, given.matches) for start in starts]
        for done in pool.map(partial(play_chunk, name, level), starts, ends):
            played += sum(done.values())
            known = Counter(known) + done
        write(out, level, known)
    print(f"{name}, {level}: {played} matches", flush=True)


def read(file: Path) -> dict[str, Values]:
    """The results that there are."""
    return msgspec.json.decode(file.read_bytes(), type=dict[str, Values]) if file.is_file() else {}


def write(file: Path, level: str, values: Values) -> None:
    """Replace the results of a level, a line each."""
    results = read(file) | {level: dict(sorted(values.items()))}
    lines = [
        f'"{one}": {msgspec.json.encode(results[one]).decode()}' for one in LEVELS if one in results
    ]
    file.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
