"""Statements that write many rows at once: each statement costs more than its rows do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from droptable.tables.database import Connection

MOST_ROWS = 64  # per statement
Rows = Sequence[Sequence[Any]]


def chunks(rows: Rows) -> Iterator[Rows]:
    """Rows in parts whose sizes are powers of two, so that few statements have to be prepared."""
    start = 0
    while start < len(rows):
        left = min(len(rows) - start, MOST_ROWS)
        size = 1 << (left.bit_length() - 1)
        yield rows[start : start + size]
        start += size


def write(connection: Connection, statement: str, types: tuple[str, ...], rows: Rows) -> list[Any]:
    """Run a statement with `{rows}` in the place of its values; all rows that it returns.

    `types` are the columns' types, empty where PostgreSQL can infer them.
    """
    returned: list[Any] = []
    for part in chunks(rows):
        text = _statement(statement, types, len(part), connection.is_postgres)
        cursor = connection.execute_positional(text, [value for row in part for value in row])
        if cursor.description is not None:
            returned += cursor.fetchall()
    return returned


@lru_cache(512)
def _statement(statement: str, types: tuple[str, ...], count: int, is_postgres: bool) -> str:
    typed = ["%s" + ("::" + kind if kind else "") if is_postgres else "?" for kind in types]
    values = ", ".join(typed)
    return statement.format(rows=", ".join([f"({values})"] * count))
