"""Ratings of puzzles and of the people who solve them: a try is a match between the two.

Only the first try of a puzzle counts. A rating of 1400 finds every second puzzle of 1400; 400 more
make it ten of eleven. It moves in ever smaller steps as its deviation shrinks.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from droptable.bots.puzzles import Puzzle
from droptable.tables.database import Connection
from droptable.tables.events import Identity

SOLVER = 1400.0, 350.0  # rating and deviation of a newcomer
PUZZLE_DEVIATION = 150.0  # the rating that the lab gives is a guess
BETA = 122.8  # 400 points are odds of ten to one
DRIFT = 8.0  # that the deviation grows by with each try: people learn
LEAST_TRIES = 5  # until a rating says much


@dataclass(frozen=True)
class PuzzleRating:
    """How well somebody solves puzzles, or how hard a puzzle is; `solved` of `tries`."""

    rating: float
    deviation: float
    tries: int = 0
    solved: int = 0

    @property
    def provisional(self) -> bool:
        """Whether it is hardly more than a guess."""
        return self.tries < LEAST_TRIES

    def after(self, rating: tuple[float, float], solved: bool) -> PuzzleRating:
        """With a new rating and deviation, after one more try."""
        return PuzzleRating(*rating, self.tries + 1, self.solved + solved)


@cache
def _model() -> Any:
    from openskill.models import PlackettLuce

    return PlackettLuce(mu=SOLVER[0], sigma=SOLVER[1], beta=BETA, tau=DRIFT)


def rated(
    solver: PuzzleRating, puzzle: PuzzleRating, *, solved: bool
) -> tuple[PuzzleRating, PuzzleRating]:
    """The ratings of a solver and a puzzle after a try."""
    model = _model()
    teams = [[model.rating(mu=one.rating, sigma=one.deviation)] for one in (solver, puzzle)]
    (person,), (task,) = model.rate(teams, ranks=[0, 1] if solved else [1, 0])
    return (
        solver.after((person.mu, person.sigma), solved),
        puzzle.after((task.mu, task.sigma), solved),
    )


# -- the database ---------------------------------------------------------------------------------


def rating_of(connection: Connection, who: Identity) -> PuzzleRating:
    """How well somebody solves puzzles; a newcomer's rating before the first try."""
    return _rating(connection, "solvers", "identity", who) or PuzzleRating(*SOLVER)


def rating_of_puzzle(connection: Connection, puzzle: Puzzle) -> PuzzleRating:
    """How hard a puzzle is."""
    known = _rating(connection, "puzzles", "id", puzzle.id)
    return known or PuzzleRating(puzzle.rating, PUZZLE_DEVIATION)


def tries(connection: Connection, who: Identity) -> dict[str, bool]:
    """The puzzles that somebody has tried, and whether the first try solved them."""
    query = "SELECT puzzle, solved FROM puzzle_tries WHERE identity = :who"
    return {puzzle: bool(solved) for puzzle, solved in connection.execute(query, {"who": who})}


def note_try(
    connection: Connection, who: Identity, puzzle: Puzzle, now: float, *, solved: bool
) -> bool:
    """Rate somebody's first try of a puzzle; whether it was the first."""
    added = connection.execute(
        "INSERT INTO puzzle_tries (identity, puzzle, at, solved) VALUES (:who, :puzzle, :now, :won)"
        " ON CONFLICT DO NOTHING",
        {"who": who, "puzzle": puzzle.id, "now": now, "won": int(solved)},
    ).rowcount
    if not added:
        return False
    before = rating_of(connection, who), rating_of_puzzle(connection, puzzle)
    person, task = rated(*before, solved=solved)
    _save(connection, "solvers", "identity", who, person)
    _save(connection, "puzzles", "id", puzzle.id, task)
    return True


def _rating(connection: Connection, table: str, key: str, value: str) -> PuzzleRating | None:
    query = f"SELECT rating, deviation, tries, solved FROM {table} WHERE {key} = :value"
    rows = list(connection.execute(query, {"value": value}))
    return PuzzleRating(*rows[0]) if rows else None


def _save(connection: Connection, table: str, key: str, value: str, now: PuzzleRating) -> None:
    columns = {"rating": now.rating, "deviation": now.deviation, "tries": now.tries,
               "solved": now.solved}  # fmt: skip
    changes = ", ".join(f"{column} = excluded.{column}" for column in columns)
    connection.execute(
        f"INSERT INTO {table} ({key}, {', '.join(columns)}) VALUES (:value, :rating, :deviation,"
        f" :tries, :solved) ON CONFLICT ({key}) DO UPDATE SET {changes}",
        {"value": value, **columns},
    )
