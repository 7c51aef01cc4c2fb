"""A table in a few columns, for lists; and solo scores."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from droptable.core.language import speaking
from droptable.tables.events import Identity
from droptable.tables.table import Table


@dataclass(frozen=True)
class Summary:
    """The columns of a table that have changed; for a new table, all of them."""

    columns: dict[str, Any]  # `names` and `winners` are lists
    people: tuple[tuple[int, Identity], ...] | None = None  # seat and who, if that has changed


@dataclass(frozen=True)
class Listed:
    """A table in a list; `turn` is whether it is the reader's turn, in a list of their own."""

    table: str
    game: str
    players: int
    public: bool
    status: str
    title: str
    free: int
    names: tuple[str, ...]
    winners: tuple[int, ...]
    created: float
    updated: float
    turn: bool | None = None


@dataclass(frozen=True)
class Score:
    """The result of a solo match."""

    table: str
    game: str
    name: str
    score: int
    at: float

    def row(self) -> dict[str, Any]:
        """The score as columns of the database."""
        return asdict(self)


def summary(table: Table, before: Table | None = None) -> Summary:
    """A table in a few columns, and what has changed of its people and turns since `before`."""
    columns, people = _columns(table), _people(table)
    if before is None:
        return Summary(columns, people)
    old = before.columns or _columns(before)
    changed = {name: value for name, value in columns.items() if value != old[name]}
    return Summary(changed, None if _people(before) == people else people)


def _columns(table: Table) -> dict[str, Any]:
    """All columns; the table remembers them, since the next move is compared with them."""
    settings = table.settings
    with speaking("en"):  # what is stored is read in any language
        names = table.names
    table.columns = {
        "game": settings.game,
        "players": table.players,
        "public": int(settings.public),
        "status": table.status,
        "title": settings.title,
        "owner": table.owner,
        "free": sum(not seat.taken for seat in table.seats),
        "names": names,
        "winners": table.winners,
        "created": table.created,
        "updated": table.updated,
        "turns": sum(1 << seat for seat, turn in enumerate(turns(table)) if turn),
    }
    return table.columns


def _people(table: Table) -> tuple[tuple[int, Identity], ...]:
    return tuple((s, identity) for s, seat in enumerate(table.seats) for identity in seat.people)


def turns(table: Table) -> list[bool]:
    """For each seat whether it is its turn, as the seat itself knows it."""
    if table.status != "playing" or table.state is None:
        return [False] * table.players
    acting = table.state.to_act
    return [s in acting and not seat.played_by for s, seat in enumerate(table.seats)]


def turns_of(table: Table, identity: Identity) -> list[int]:
    """The seats that somebody holds and for which it is their turn."""
    held = table.seats_of(identity)
    if not held or table.status != "playing" or table.state is None:
        return []
    acting = table.state.to_act
    return [seat for seat in held if seat in acting and not table.seats[seat].played_by]


def is_rated(table: Table) -> bool:
    """Whether ratings may follow from a match that has just finished."""
    return table.status == "over" and table.rated


def solo_score(table: Table) -> Score | None:
    """What a match that has just finished adds to the leaderboard of its game: nothing if its
    player was helped."""
    if (
        table.status != "over" or table.how != "played" or not table.has_high_scores
        or table.state is None or not table.seats[0].people or table.seats[0].assisted
    ):  # fmt: skip
        return None
    name = table.names[0]
    return Score(table.id, table.settings.game, name, table.state.scores[0], table.updated)
