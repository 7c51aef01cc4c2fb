"""My mistakes: what the coach found in somebody's own matches comes back as exercises.

An exercise is due a day after the coach found it, then 3, 7 and 21 days after each right answer; a
wrong one begins anew, and the last right one solves it. It keeps the position as its events, so it
outlives the table; nothing else of the match is in it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec

from droptable.bots.coach import Decision
from droptable.bots.puzzles import Puzzle, of_decision, read_events
from droptable.core.record import Record
from droptable.tables.daily import is_secret, shifted
from droptable.tables.database import Connection
from droptable.tables.events import Identity
from droptable.tables.store import Store
from droptable.tables.table import Table

SPACING = (1, 3, 7, 21)  # days until an exercise comes back
MOST_MATCHES = 200  # of somebody's last ones that are looked at
MOST_AT_ONCE = 20  # analyses that are read for one request


@dataclass(frozen=True)
class Mistake:
    """A mistake of somebody's as an exercise: due on a day (UTC), after so many right answers."""

    id: str
    table: str
    mark: str  # "mistake" or "blunder"
    made: tuple[str, ...]  # what was done instead
    puzzle: Puzzle
    step: int
    due: str  # empty once it is solved

    @property
    def event(self) -> int:
        """After how many events of the match it was made."""
        return len(read_events(self.puzzle.events))

    @property
    def solved(self) -> bool:
        """Whether it does not come back any more."""
        return self.step == len(SPACING)

    def after(self, day: str, *, right: bool) -> tuple[int, str]:
        """The step and the day on which it is due, after an answer on a day when it was due."""
        step = self.step + 1 if right else 0
        return step, "" if step == len(SPACING) else shifted(day, SPACING[step])


def mistakes_of(
    record: Record, decisions: Sequence[Decision], seat: int, table: str, day: str
) -> Iterator[Mistake]:
    """What the coach marked of a seat's turns, as exercises that begin on a day."""
    for decision in decisions:
        if decision.seat != seat or not decision.mark:
            continue
        found = of_decision(record, decision)
        if found is not None:
            puzzle, made = found
            id_ = hashlib.sha256(f"{table} {seat} {decision.event}".encode()).hexdigest()[:16]
            yield Mistake(id_, table, decision.mark, made, puzzle, 0, shifted(day, SPACING[0]))


# -- the database ---------------------------------------------------------------------------------


async def unread(store: Store, who: Identity) -> list[tuple[str, str, str]]:
    """Analyses of somebody's matches in which nobody has looked for their mistakes yet: the table,
    the match and the analysis."""
    tables = [one.table for one in await store.mine(who, MOST_MATCHES) if one.status == "over"]

    def work(connection: Connection) -> list[tuple[str, str, str]]:
        found = []
        for table in tables:
            values = {"first": f"table:{table}:", "end": f"table:{table};", "who": who}
            found += [
                (table, match, body)
                for match, body in connection.execute(_UNREAD, values)
            ]  # fmt: skip
            if len(found) >= MOST_AT_ONCE:
                break
        return found

    return await store.query(work)


_UNREAD = (
    "SELECT id, body FROM analyses WHERE id >= :first AND id < :end AND NOT EXISTS"
    " (SELECT 1 FROM reviewed WHERE match = analyses.id AND identity = :who)"
)


def may_be_shown(table: Table, now: float) -> bool:
    """Whether a finished match may come back: not while others still play the same deal."""
    return table.status == "over" and not is_secret(table.daily, now)


def add(connection: Connection, who: Identity, match: str, found: Sequence[Mistake]) -> None:
    """Keep the exercises of an analysis."""
    connection.execute(
        "INSERT INTO reviewed (identity, match) VALUES (:who, :match) ON CONFLICT DO NOTHING",
        {"who": who, "match": match},
    )
    for one in found:
        connection.execute(
            "INSERT INTO exercises (id, identity, table_id, mark, made, body, step, due) VALUES"
            " (:id, :who, :table, :mark, :made, :body, :step, :due) ON CONFLICT DO NOTHING",
            {"id": one.id, "who": who, "table": one.table, "mark": one.mark,
             "made": ";".join(one.made), "body": msgspec.json.encode(one.puzzle).decode(),
             "step": one.step, "due": one.due},
        )  # fmt: skip


def mistakes(connection: Connection, who: Identity, id_: str | None = None) -> list[Mistake]:
    """Somebody's exercises, or the one of this id, what is due first at first and what is solved at
    last."""
    query = (
        "SELECT id, table_id, mark, made, body, step, due FROM exercises WHERE identity = :who"
        + ("" if id_ is None else " AND id = :id")
    )
    found = [
        Mistake(id_, table, mark, tuple(made.split(";")), puzzle, step, due)
        for id_, table, mark, made, body, step, due in connection.execute(
            query, {"who": who} if id_ is None else {"who": who, "id": id_}
        )
        if (puzzle := msgspec.json.decode(body, type=Puzzle))
    ]
    return sorted(found, key=lambda one: (one.solved, one.due, one.table, one.event))


def note_answer(
    connection: Connection, who: Identity, id_: str, day: str, *, right: bool
) -> Mistake | None:
    """Move an exercise on, if it was due; as it is then, or None if there is none."""
    for mistake in mistakes(connection, who, id_):
        if not mistake.solved and mistake.due <= day:
            step, due = mistake.after(day, right=right)
            connection.execute(
                "UPDATE exercises SET step = :step, due = :due WHERE id = :id AND identity = :who",
                {"step": step, "due": due, "id": id_, "who": who},
            )
    return next(iter(mistakes(connection, who, id_)), None)
