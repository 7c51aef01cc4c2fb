"""Calls: what people who are not at the table may want to hear of.

They are stored in the same transaction as the events that cause them, so that none is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from droptable.tables.events import Identity
from droptable.tables.table import Table

Kind: TypeAlias = Literal["turn", "reminder", "invitation", "over", "daily", "test"]


@dataclass(frozen=True)
class Call:
    """Something to tell one person, not before `due`. Of two with the same id one is stored."""

    id: str
    identity: Identity
    kind: Kind
    table: str
    at: float
    due: float
    body: str = "{}"  # what the table's row does not say, as JSON


# The calls that follow from what has changed at a table; None: it is new.
Calling: TypeAlias = Callable[[Table | None, Table], Sequence[Call]]


def nobody(_before: Table | None, _after: Table) -> Sequence[Call]:
    """No calls at all."""
    return ()
