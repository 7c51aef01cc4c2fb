"""`droptable tables export|import`: tables as files, for backups and moves to another server."""

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
from droptable.terminal.parameters import Database

if TYPE_CHECKING:
    from droptable.tables.store import Store

app = typer.Typer(help="Export and import the tables of a server.", no_args_is_help=True)
File = Annotated[
    Path | None, typer.Argument(metavar="FILE", help="By default standard input or output.")
]


@app.command("export")
def export_all(
    file: File = None,
    table: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="Only this table; may be repeated.")
    ] = None,
    database: Database = None,
) -> None:
    """Write tables with their whole history, one JSON line each."""
    lines = asyncio.run(_export(database, table))
    if file is None:
        sys.stdout.writelines(line + "\n" for line in lines)
        return
    replace_text(file, "".join(line + "\n" for line in lines))
    tables = counted("{count} table", "{count} tables", len(lines))
    print(f"{tables} written to {file}", file=sys.stderr)


@app.command("import")
def import_all(file: File = None, database: Database = None) -> None:
    """Add exported tables; tables that exist already are left as they are."""
    try:
        text = sys.stdin.read() if file is None else file.read_text(encoding="utf-8")
    except OSError as error:
        raise DroptableError(f"cannot read {str(file)!r}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise DroptableError(f"{str(file or 'the input')!r} is not a text file: {error}") from None
    added, known = asyncio.run(_import(database, text))
    tables = counted("{count} table", "{count} tables", added)
    print(f"{tables} added, {known} already there")


def read_record(table: str, database: str | None) -> Record:
    """The record of a finished table."""
    return asyncio.run(_record(table, database))


async def _export(database: str | None, tables: list[str] | None) -> list[str]:
    from droptable.tables.archive import export_tables

    store = _open(database, must_exist=True)
    try:
        return [line async for line in export_tables(store, tables)]
    finally:
        await store.close()


async def _import(database: str | None, text: str) -> tuple[int, int]:
    from droptable.tables.archive import import_tables

    store = _open(database)
    try:
        return await import_tables(store, text.splitlines())
    finally:
        await store.close()


async def _record(table: str, database: str | None) -> Record:
    from droptable.tables.archive import record
    from droptable.tables.table import fold

    store = _open(database, must_exist=True)
    try:
        lines = await store.read(table)
    finally:
        await store.close()
    if not lines:
        raise DroptableError(f"there is no table {table!r} in this database")
    return record(fold(table, lines))


def _open(database: str | None, *, must_exist: bool = False) -> Store:
    """Open a database; with `must_exist`, none is created."""
    from droptable.tables.database import Database as Address
    from droptable.web.config import Config
    from droptable.web.server import open_store

    config = Config.from_environment()
    config = config.change("database", database) if database else config
    file = Address(config.database_address).file
    if must_exist and file is not None and not file.is_file():
        raise DroptableError(f"there is no database {str(file)!r}")
    return open_store(config)
