"""A table in a few columns, for lists; and solo scores."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from droptable.core.language import speaking
from droptable.tables.events import Identity
from droptable.tables.table import Table


@dataclass(frozen=True)
class Summary:
    """What lists show of a table. `people` and `turns` are what has changed."""

    game: str
    players: int
    public: bool
    status: str
    title: str
    owner: Identity
    free: int  # seats that nobody has taken
    names: tuple[str, ...]
    winners: tuple[int, ...]
    created: float
    updated: float
    people: tuple[tuple[int, Identity, bool], ...] | None = None  # seat, who, whether to act
    turns: tuple[tuple[int, bool], ...] = ()

    def row(self) -> dict[str, Any]:
        """The columns."""
        row = vars(self) | {
            "public": int(self.public),
            "names": json.dumps(self.names),
            "winners": json.dumps(self.winners),
        }
        del row["people"], row["turns"]
        return row


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
    """What somebody reached alone."""

    table: str
    game: str
    name: str
    score: int
    at: float

    def row(self) -> dict[str, Any]:
        """The columns."""
        return asdict(self)


def summary(table: Table, before: Table | None = None) -> Summary:
    """A table in a few columns, and what has changed of its people and turns since `before`."""
    settings = table.settings
    people, turns = _people(table), _turns(table)
    same = before is not None and _people(before) == people
    were = _turns(before) if before is not None and same else []
    with speaking("en"):  # what is stored is read in any language
        names = tuple(table.names)
    return Summary(
        game=settings.game,
        players=table.players,
        public=settings.public,
        status=table.status,
        title=settings.title,
        owner=table.owner,
        free=sum(not seat.taken for seat in table.seats),
        names=names,
        winners=table.winners,
        created=table.created,
        updated=table.updated,
        people=None if same else tuple((s, who, turns[s]) for s, who in people),
        turns=tuple((s, t) for s, t in enumerate(turns) if same and were[s] != t),
    )


def _people(table: Table) -> list[tuple[int, Identity]]:
    return [(s, identity) for s, seat in enumerate(table.seats) for identity in seat.people]


def _turns(table: Table) -> list[bool]:
    """Whose turn it is, each as the seat itself knows it."""
    if table.status != "playing" or table.state is None:
        return [False] * table.players
    acting = table.state.to_act
    return [s in acting and not seat.played_by for s, seat in enumerate(table.seats)]


def solo_score(table: Table) -> Score | None:
    """What a match that was just finished adds to the board of its game."""
    if (
        table.status != "over" or table.how != "played" or table.players != 1
        or table.state is None or table.game is None or not table.game.printed_scores
        or not table.seats[0].people
    ):  # fmt: skip
        return None
    name = table.names[0]
    return Score(table.id, table.settings.game, name, table.state.scores[0], table.updated)
