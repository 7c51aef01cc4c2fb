"""Mine puzzles: `python -m droptable.lab.puzzles GAME … --count 40`.

Positions come from bots' matches, from records, or (`--database FILE`) from the public matches that
people finished on a server, which offers what was found from then on. A quick search looks for a
move that is clearly better than all others; then the best moves are each searched at length,
several times: the intervals of two independent rounds must be apart, and a second full search must
agree. What was found is written after each match; a later call goes on from there, with another
`--first` match.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count, islice, zip_longest
from pathlib import Path
from statistics import fmean, stdev

import msgspec

from droptable.bots.accuracy import level_loss
from droptable.bots.match import play_out
from droptable.bots.players import GreedyBot
from droptable.bots.precompile import prepare
from droptable.bots.puzzles import (
    Difficulty,
    Puzzle,
    kind_of,
    puzzle_file,
    same_moves,
    theme_of,
    write_events,
)
from droptable.bots.registry import make_bot
from droptable.bots.search import kind_of_search, search
from droptable.bots.turn_search import TurnSearch
from droptable.core.contract import DEALER
from droptable.core.errors import DroptableError
from droptable.core.game import Game
from droptable.core.record import Record, open_record
from droptable.core.state import State, View
from droptable.games import game
from droptable.lab.fleet import Fleet
from droptable.lab.played_matches import played_matches
from droptable.tables.puzzle_book import add_puzzles
from droptable.tables.retention import DAY
from droptable.web.config import Config
from droptable.web.server import open_store

PLAYERS = ("greedy", "search:40", "search:150")  # who plays the matches, a kind for each seat
ROUNDS, REPEATS = 2, 4  # rounds of equally long searches of each candidate
SURE = 2.0  # standard errors on each side of an interval
GLANCE = 0.04  # what the second best move loses in a quick look, at least
APART = 0.06  # and in a search at length
RIVALS = 4  # other moves that are searched at length
SHALLOW, SHALLOW_SEARCHES = 24, 12  # iterations and number of searches that judge the difficulty
MOST_OF_A_MATCH = 3
MOST_PLAYERS = 2  # player counts, the lowest ones: more seats take longer to search
SPARE = 3  # so many times the puzzles that are kept are looked for


@dataclass(frozen=True)
class Depth:
    """Iterations of a quick look, and of a search at length."""

    quick: int
    deep: int

    @classmethod
    def of(cls, subject: Game) -> Depth:
        """Turns are few and dear, moves many and cheap."""
        return cls(100, 300) if kind_of_search(subject) is TurnSearch else cls(500, 3000)


@dataclass(frozen=True)
class Estimate:
    """What a move is worth to its seat, from several searches."""

    mean: float
    error: float

    def apart_from(self, other: Estimate) -> bool:
        """Whether this one's interval lies above the other's."""
        return self.mean - SURE * self.error > other.mean + SURE * other.error


def mine_match(name: str, seed: int) -> list[Puzzle]:
    """The puzzles of one match between bots."""
    subject = game(name)
    prepare(subject)
    chance = random.Random(f"{name} {seed}")
    state = subject.start(chance.choice(subject.players[:MOST_PLAYERS]))
    bots = [make_bot(chance.choice(PLAYERS), chance.getrandbits(32), 1) for _ in state.scores]
    play_out(state, bots, chance)
    return mine_record(state.record, chance)


def mine_record(record: Record, chance: random.Random) -> list[Puzzle]:
    """The puzzles of a match: a few at most, since its positions are like each other."""
    found: list[Puzzle] = []
    positions = list(_decisions(record))
    chance.shuffle(positions)
    for number, state, seat in positions:
        if len(found) == MOST_OF_A_MATCH:
            break
        puzzle = examine(state, seat, number / len(record.events), chance.getrandbits(32))
        if puzzle is not None:
            found.append(puzzle)
    return found


def _decisions(record: Record) -> Iterator[tuple[int, State, int]]:
    for number, state in enumerate(record.states()):
        for seat in state.to_act:
            if seat != DEALER and len(state.legal(seat)) > 2 and not state.automatic(seat):
                yield number, state.copy(), seat


def examine(state: State, seat: int, moment: float, seed: int) -> Puzzle | None:
    """A position as a puzzle, if one move is clearly the best."""
    view = state.view(seat)
    depth = Depth.of(view.game)
    quick = search(view, iterations=depth.quick, seed=seed, cores=1)
    best = same_moves(view, quick.best.token)
    others = [token for token in view.legal if token not in best]
    if len(others) < 2:
        return None
    second = max((m.shares[seat] for m in quick.moves if m.token in others), default=0.0)
    if lead(quick.best.shares[seat], second, view.players) < GLANCE:
        return None
    rivals = _rivals(view, others, depth, seed)
    top = _estimate(view, best[0], depth.quick, 2, seed)
    first = _estimate(view, rivals[0], depth.quick, 2, seed)
    if lead(top.mean, first.mean, view.players) < APART:
        return None
    again = search(view, iterations=2 * depth.deep, seed=seed + 1, cores=1)
    if again.best.token not in best:
        return None
    weighed = _weigh(view, best[0], rivals, depth, seed + 2)
    if weighed is None:
        return None
    share, rival, rival_share, error = weighed
    found, greedy = _ease(view, best, seed)
    return Puzzle(
        id=_id(state, seat), game=view.game.name, players=view.players, options=view.options,
        events=write_events(state.events), seat=seat, best=best,
        line=again.turn if again.turn[0] in best else best[:1],
        share=round(share, 4), rival=rival, rival_share=round(rival_share, 4),
        error=round(error, 5), theme=theme_of(moment), kind=kind_of(best[0]),
        difficulty=_difficulty(found, greedy=greedy), found=round(found, 3), greedy=greedy,
    )  # fmt: skip


def lead(best: float, other: float, players: int) -> float:
    """How clearly a share is better: the lower one of what the other loses as it is, and of what it
    would lose if chances were even, so that neither a won nor a lost match makes a puzzle."""
    return min(best - other, level_loss(best, other, 0.0, players)[0])


def _rivals(view: View, others: Sequence[str], depth: Depth, seed: int) -> list[str]:
    """The most promising other moves, by searches without the best one, the last one at length."""
    seen: dict[str, float] = {}
    for number, iterations in enumerate((depth.quick, depth.quick, depth.deep)):
        found = search(view, iterations=iterations, seed=seed + number, cores=1, only=others)
        for rating in found.moves[:RIVALS]:
            seen[rating.token] = seen.get(rating.token, 0.0) + rating.visits / iterations
    return sorted(seen, key=lambda token: -seen[token])[:RIVALS]


def _estimate(view: View, token: str, iterations: int, repeats: int, seed: int) -> Estimate:
    assert view.seat is not None
    shares = [
        search(view, iterations=iterations, seed=seed + 1000 * number, cores=1, only=[token])
        .best.shares[view.seat]
        for number in range(repeats)
    ]  # fmt: skip
    return Estimate(fmean(shares), stdev(shares) / len(shares) ** 0.5)


def _weigh(
    view: View, best: str, rivals: Sequence[str], depth: Depth, seed: int
) -> tuple[float, str, float, float] | None:
    """The share of the best move, and the best rival with its share and the difference's error;
    None if they are not apart in each round."""
    worst_gap: tuple[float, str, float, float] | None = None
    for round_ in range(ROUNDS):
        start = seed + 100_000 * round_
        top = _estimate(view, best, depth.deep, REPEATS, start)
        for rival in rivals:
            other = _estimate(view, rival, depth.deep, REPEATS, start + 50_000)
            if not top.apart_from(other) or lead(top.mean, other.mean, view.players) < APART:
                return None
            if worst_gap is None or top.mean - other.mean < worst_gap[0] - worst_gap[2]:
                error = (top.error**2 + other.error**2) ** 0.5
                worst_gap = top.mean, rival, other.mean, error
    return worst_gap


def _ease(view: View, best: Sequence[str], seed: int) -> tuple[float, bool]:
    """The share of shallow searches that find the best move, and whether the greedy bot does."""
    shallow = [
        search(view, iterations=SHALLOW, seed=seed + number, cores=1).best.token in best
        for number in range(SHALLOW_SEARCHES)
    ]
    return sum(shallow) / len(shallow), GreedyBot(seed).choose(view) in best


def _difficulty(found: float, *, greedy: bool) -> Difficulty:
    if greedy and found >= 0.5:
        return "easy"
    return "medium" if greedy or found >= 0.5 else "hard"


def _id(state: State, seat: int) -> str:
    text = f"{state.game.name} {seat} {write_events(state.events)}"
    return hashlib.sha256(text.encode()).hexdigest()[:10]


def chosen(found: Sequence[Puzzle], count: int) -> list[Puzzle]:
    """The most varied puzzles: of each difficulty, theme and kind of move in turn, the clearest
    ones first; in the order of their ratings."""
    groups: dict[tuple[str, str, str], list[Puzzle]] = {}
    for puzzle in sorted(found, key=lambda p: (p.rival_share - p.share, p.id)):
        groups.setdefault((puzzle.difficulty, puzzle.theme, puzzle.kind), []).append(puzzle)
    by_turns = (puzzle for row in zip_longest(*groups.values()) for puzzle in row if puzzle)
    return sorted(islice(by_turns, count), key=lambda puzzle: (puzzle.rating, puzzle.id))


def main(arguments: Sequence[str] | None = None) -> None:
    """Mine until there are enough puzzles, or the time is up."""
    parser = argparse.ArgumentParser(prog="droptable.lab.puzzles", description=__doc__)
    parser.add_argument("games", nargs="+")
    parser.add_argument("--count", type=int, default=40, help="puzzles of each game (40)")
    parser.add_argument("--seconds", type=float, default=900.0, help="for each game (900)")
    parser.add_argument("--cores", type=int, help="all of them by default")
    parser.add_argument("--on", help="local, ray or ray://HOST:PORT; here by default")
    parser.add_argument("--first", type=int, default=0, help="number of the first match (0)")
    parser.add_argument("--database", help="mine the matches of this server instead")
    parser.add_argument("--days", type=float, default=1e4, help="… the last ones only")
    parser.add_argument("--records", type=Path, help="a folder of records to mine as well")
    parser.add_argument("--out", type=Path, help="a file instead of the game's own (one game)")
    given = parser.parse_args(arguments)
    for name in given.games:
        subject = game(name)
        if given.database:
            asyncio.run(_mine_server(subject, given))
            continue
        out = given.out or puzzle_file(subject)
        if out is None:
            raise DroptableError(f"{name} has no folder for puzzles: give --out FILE")
        _mine(subject, out, given)


def _mine(subject: Game, out: Path, given: argparse.Namespace) -> None:
    """Look for more puzzles than are kept, and keep the most varied ones."""
    known: dict[str, Puzzle] = {}
    if out.is_file():
        known = {p.id: p for p in msgspec.json.decode(out.read_bytes(), type=list[Puzzle])}
    deadline = time.monotonic() + given.seconds
    matches = count(given.first)

    def enough() -> bool:
        return bool(len(known) >= SPARE * given.count or time.monotonic() > deadline)

    def sources() -> Iterator[tuple[str, int | Path]]:
        yield from ((subject.name, file) for file in _files(given))
        while not enough():
            yield subject.name, next(matches)

    with Fleet(given.on, given.cores) as fleet:
        for _, found in fleet.map(mine, sources()):
            fresh = [p for p in found if p.game == subject.name]
            if fresh:
                known |= {puzzle.id: puzzle for puzzle in fresh}
                write(out, chosen(list(known.values()), given.count))
                print(f"{subject.name}: {len(known)} puzzles", flush=True)
            if enough():
                break  # what is under way is not waited for


def mine(source: tuple[str, int | Path]) -> list[Puzzle]:
    """The puzzles of a match between bots, by its number, or of a file."""
    name, where = source
    return mine_record_file(where) if isinstance(where, Path) else mine_match(name, where)


async def _mine_server(subject: Game, given: argparse.Namespace) -> None:
    """Mine what people played, and let the server offer it."""
    prepare(subject)
    deadline = time.monotonic() + given.seconds
    store = open_store(Config.from_environment().change("database", given.database))
    try:
        since = await store.time() - given.days * DAY
        async for record in played_matches(store, subject, since):
            found = mine_record(record, random.Random(write_events(record.events)))
            added = await store.write(partial(add_puzzles, found=found))
            print(f"{subject.name}: {added} new puzzles in a match", flush=True)
            if time.monotonic() > deadline:
                break
    finally:
        await store.close()


def _files(given: argparse.Namespace) -> list[Path]:
    return [] if given.records is None else sorted(given.records.glob("*.json"))


def mine_record_file(file: Path) -> list[Puzzle]:
    """The puzzles of a match that people played."""
    record = open_record(file)
    prepare(record.game)
    return mine_record(record, random.Random(file.name))


def write(out: Path, puzzles: Sequence[Puzzle]) -> None:
    """Puzzles as a file, a line each."""
    lines = b",\n".join(msgspec.json.encode(puzzle) for puzzle in puzzles)
    out.write_bytes(b"[\n" + lines + b"\n]\n")


if __name__ == "__main__":
    main()
