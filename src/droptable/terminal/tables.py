"""`droptable tables …`: tables as files, for backups and moves to another server."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from droptable.core.errors import DroptableError
from droptable.core.files import replace_text
from droptable.core.language import counted
from droptable.core.record import Record
from droptable.terminal.parameters import Database, Shards

if TYPE_CHECKING:
    from droptable.tables.sharding import ShardedStore
    from droptable.tables.store import Store
    from droptable.web.config import Config

app = typer.Typer(
    help="Back up, restore, export, import, rate, move and delete the tables of a server.",
    no_args_is_help=True,
)
File = Annotated[
    Path | None, typer.Argument(metavar="FILE", help="By default standard input or output.")
]


@app.command("export")
def export_all(
    file: File = None,
    table: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="Only this table; may be repeated.")
    ] = None,
    damaged: Annotated[
        bool, typer.Option("--damaged", help="Damaged tables, too, up to the damage.")
    ] = False,
    database: Database = None,
    shard: Shards = None,
) -> None:
    """Write tables with their whole history, one JSON line each."""
    lines = asyncio.run(_export(settings_of(database, shard), table, damaged=damaged))
    if file is None:
        sys.stdout.writelines(line + "\n" for line in lines)
        return
    replace_text(file, "".join(line + "\n" for line in lines), private=True)  # identities
    tables = counted("{count} table", "{count} tables", len(lines))
    print(f"{tables} written to {file}", file=sys.stderr)


@app.command("import")
def import_all(file: File = None, database: Database = None, shard: Shards = None) -> None:
    """Add exported tables; tables that exist already are left as they are."""
    try:
        text = sys.stdin.read() if file is None else file.read_text(encoding="utf-8")
    except OSError as error:
        raise DroptableError(f"cannot read {str(file)!r}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise DroptableError(f"{str(file or 'the input')!r} is not a text file: {error}") from None
    added, known = asyncio.run(_import(settings_of(database, shard), text))
    tables = counted("{count} table", "{count} tables", added)
    print(f"{tables} added, {known} already there")


@app.command()
def check(database: Database = None, shard: Shards = None) -> None:
    """Read every table, and name those that are not as they were written; then exit with 1."""
    checked, bad = asyncio.run(_check(settings_of(database, shard)))
    for table, reason in bad:
        print(f"{table} is damaged: {reason}")
    tables = counted("{count} table", "{count} tables", checked)
    print(f"{tables} checked, {len(bad)} damaged", file=sys.stderr)
    if bad:
        raise typer.Exit(1)


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The copy; replaces an older one.")],
    database: Database = None,
) -> None:
    """Copy an SQLite database, whole and checked, while its server goes on."""
    from droptable.tables.backup import back_up

    back_up(_sqlite_file(database, "pg_dump"), file)
    print(f"the database is copied to {file}", file=sys.stderr)


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `backup` has written.")],
    database: Database = None,
) -> None:
    """Put a copy where the lost database was; one that exists is never overwritten."""
    from droptable.tables.backup import restore as put_back

    lost = _sqlite_file(database, "pg_restore")
    put_back(file, lost)
    print(f"{file} is restored to {lost}", file=sys.stderr)


@app.command("delete")
def delete(
    tables: Annotated[list[str], typer.Argument(metavar="ID...", help="The tables to delete.")],
    database: Database = None,
    shard: Shards = None,
) -> None:
    """Delete tables with their whole history, whoever sits there."""
    count = asyncio.run(_delete(settings_of(database, shard), tables))
    if count < len(tables):
        raise DroptableError(f"{len(tables) - count} of {len(tables)} tables did not exist")
    print(counted("{count} table deleted", "{count} tables deleted", count))


@app.command("prune")
def prune(
    days: Annotated[
        float, typer.Option("--older-than", metavar="DAYS", min=0, help="Days without any change.")
    ],
    database: Database = None,
    shard: Shards = None,
) -> None:
    """Delete all tables that nobody has touched for so many days, finished ones too."""
    count = asyncio.run(_prune(settings_of(database, shard), days))
    print(counted("{count} table deleted", "{count} tables deleted", count))


@app.command("rate")
def rate(database: Database = None, shard: Shards = None) -> None:
    """Make all ratings anew from the events of the tables; the result is always the same."""
    count = asyncio.run(_rate(settings_of(database, shard)))
    print(counted("{count} rated match", "{count} rated matches", count))


@app.command("move")
def move(
    table: Annotated[str, typer.Argument(metavar="ID", help="The table to move.")],
    to: Annotated[str, typer.Option(metavar="URL", help="One of the server's databases.")],
    database: Database = None,
    shard: Shards = None,
) -> None:
    """Move a table to another database while people play there; again to finish a broken move."""
    config = settings_of(database, shard)
    if to not in config.addresses:
        raise DroptableError("--to is none of the databases; name all of them as the server does")
    moved = asyncio.run(_move(_open_sharded(config), table, config.addresses.index(to)))
    print("moved" if moved else "the table is there already")


@app.command("spread")
def spread(database: Database = None, shard: Shards = None) -> None:
    """Move tables so that all databases have their share, as after adding one."""
    count = asyncio.run(_spread(_open_sharded(settings_of(database, shard))))
    print(counted("{count} table moved", "{count} tables moved", count))


def read_record(table: str, database: str | None) -> Record:
    """The record of a finished table."""
    return asyncio.run(_record(table, settings_of(database)))


async def _export(config: Config, tables: list[str] | None, *, damaged: bool) -> list[str]:
    from droptable.tables.archive import export_tables
    from droptable.tables.integrity import DamagedTable

    store = open_databases(config, must_exist=True)
    try:
        return [line async for line in export_tables(store, tables, damaged=damaged)]
    except DamagedTable as error:
        raise DroptableError(f"{error}; --damaged exports it up to there") from None
    finally:
        await store.close()


async def _check(config: Config) -> tuple[int, list[tuple[str, str]]]:
    from droptable.tables.archive import damaged_tables

    store = open_databases(config, must_exist=True)
    try:
        found = [(table, reason) async for table, reason in damaged_tables(store)]
    finally:
        await store.close()
    return len(found), [(table, reason) for table, reason in found if reason]


async def _import(config: Config, text: str) -> tuple[int, int]:
    from droptable.tables.archive import import_tables

    store = open_databases(config)
    try:
        return await import_tables(store, text.splitlines())
    finally:
        await store.close()


async def _delete(config: Config, tables: list[str]) -> int:
    from droptable.tables.retention import delete_tables

    store = open_databases(config, must_exist=True)
    try:
        return await delete_tables(store, tables)
    finally:
        await store.close()


async def _prune(config: Config, days: float) -> int:
    from droptable.tables.retention import DAY, delete_tables, untouched

    store = open_databases(config, must_exist=True)
    try:
        before = await store.time() - days * DAY
        return await delete_tables(store, await untouched(store, before))
    finally:
        await store.close()


async def _rate(config: Config) -> int:
    from droptable.tables import ratings

    store = open_databases(config, must_exist=True)
    try:
        return await ratings.rebuild(store)
    finally:
        await store.close()


async def _move(store: ShardedStore, table: str, target: int) -> bool:
    from droptable.tables import relocation

    try:
        return await relocation.move(store, table, store.shards[target])
    finally:
        await store.close()


async def _spread(store: ShardedStore) -> int:
    from droptable.tables import relocation

    try:
        return await relocation.spread(store)
    finally:
        await store.close()


async def _record(table: str, config: Config) -> Record:
    from droptable.tables.archive import record
    from droptable.tables.table import fold

    store = open_databases(config, must_exist=True)
    try:
        lines = await store.read(table)
    finally:
        await store.close()
    if not lines:
        raise DroptableError(f"there is no table {table!r} in this database")
    return record(fold(table, lines))


def settings_of(database: str | None, shards: list[str] | None = None) -> Config:
    """The server's settings, with other databases if they are named."""
    from droptable.web.config import Config

    config = Config.from_environment()
    if shards:
        config = config.change("shards", " ".join(shards))
    return config.change("database", database) if database else config


def _sqlite_file(database: str | None, otherwise: str) -> Path:
    """The file of the database; PostgreSQL has none, but a program of its own."""
    from droptable.tables.database import Database as Address

    file = Address(settings_of(database).database_address).file
    if file is None:
        raise DroptableError(f"this is for SQLite; for PostgreSQL use {otherwise}")
    return file


def open_databases(config: Config, *, must_exist: bool = False) -> Store:
    """Open the databases; with `must_exist`, none is created."""
    from droptable.tables.database import Database as Address
    from droptable.web.server import open_store

    for address in config.addresses if must_exist else ():
        file = Address(address).file
        if file is not None and not file.is_file():
            raise DroptableError(f"there is no database {str(file)!r}")
    return open_store(config)


def _open_sharded(config: Config) -> ShardedStore:
    from droptable.tables.sharding import ShardedStore

    store = open_databases(config, must_exist=True)
    if not isinstance(store, ShardedStore):
        asyncio.run(store.close())
        raise DroptableError("there is only one database; name others by --shard")
    return store
