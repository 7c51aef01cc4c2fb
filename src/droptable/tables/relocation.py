"""Moving a table to another database while people play there.

Three steps, each one transaction. First the table is *frozen*: its number becomes negative, so that
no append fits any more, and where it goes is noted. Then all of it is written to the other
database: that commit is the move, since exactly one database now has it with a positive number.
Last, the old rows are deleted. Whoever wants to append meanwhile waits, and looks again where the
table is (`sharding`). If the mover dies, nothing is lost: the same command finishes the move.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from droptable.core.errors import DroptableError
from droptable.tables import bulk
from droptable.tables.database import Connection
from droptable.tables.retention import delete_rows
from droptable.tables.schema import OF_TABLE
from droptable.tables.sharding import ShardedStore
from droptable.tables.store import Store

Copy = dict[str, list[dict[str, Any]]]  # the rows of a table, by where they are


async def move(store: ShardedStore, table: str, target: Store) -> bool:
    """Move a table to one of the store's databases; False if it is there already.

    `DroptableError` if there is no such table, or if it is on its way to somewhere else.
    """
    goal = await store.name_of_shard(target)
    for source in store.shards:
        if source is target:
            continue
        copy = await source.write(partial(freeze, table=table, goal=goal), table)
        if copy is not None:
            await target.write(partial(arrive, copy=copy), table)
            await source.write(partial(leave, table=table), table)
            return True
    if table not in await Store.numbers(target, [table]):
        raise DroptableError(f"there is no table {table!r}")
    return False


async def spread(store: ShardedStore) -> int:
    """Move each table to the database that its id prefers, as after adding one; how many moved."""
    moved = 0
    for table in await store.ids():
        preferred = await store.preferred(table)
        if await store.find(table) is not preferred:
            moved += await move(store, table, preferred)
    return moved


def freeze(connection: Connection, table: str, goal: str) -> Copy | None:
    """Let nobody append here any more, and return all rows; None if the table is not here."""
    values = {"id": table, "goal": goal}
    lock = " FOR UPDATE" if connection.is_postgres else ""
    seq = connection.value(f"SELECT seq FROM tables WHERE id = :id{lock}", values)
    if seq is None:
        return None
    if seq > 0:
        connection.execute("UPDATE tables SET seq = -seq WHERE id = :id", values)
        connection.execute("INSERT INTO moves (table_id, target) VALUES (:id, :goal)", values)
    noted = connection.value("SELECT target FROM moves WHERE table_id = :id", values)
    if noted != goal:  # it may have arrived there already
        raise DroptableError(f"table {table!r} is on its way elsewhere: finish that move first")
    return {
        "tables": _rows(connection, "SELECT * FROM tables WHERE id = :id", values),
        **{
            name: _rows(connection, f"SELECT * FROM {name} WHERE table_id = :id", values)
            for name in OF_TABLE
        },
    }


def arrive(connection: Connection, copy: Copy) -> None:
    """Write a table's rows, unless they are there already."""
    (row,) = copy["tables"]
    there = connection.value("SELECT seq FROM tables WHERE id = :id", {"id": row["id"]}) or 0
    if there > 0:
        return
    if -there > abs(row["seq"]):  # these rows are left over from a move the other way
        raise DroptableError(f"table {row['id']!r} is on its way elsewhere: finish that move first")
    leave(connection, row["id"])
    for name, rows in (copy | {"tables": [row | {"seq": abs(row["seq"])}]}).items():
        if rows:
            columns = tuple(rows[0])
            statement = f"INSERT INTO {name} ({', '.join(columns)}) VALUES {{rows}}"
            values = [tuple(each.values()) for each in rows]
            bulk.write(connection, statement, ("",) * len(columns), values)


def leave(connection: Connection, table: str) -> None:
    """Delete a frozen table's rows."""
    frozen = connection.value("SELECT seq FROM tables WHERE id = :id", {"id": table})
    if frozen is not None and frozen < 0:
        delete_rows(connection, [table])
        connection.execute("DELETE FROM moves WHERE table_id = :id", {"id": table})


def _rows(connection: Connection, query: str, values: dict[str, Any]) -> list[dict[str, Any]]:
    cursor = connection.execute(query, values)
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor]
