"""Copies of an SQLite database, made while a server writes to it, and put back again."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from droptable.core.errors import DroptableError

BESIDE = ("-wal", "-shm", "-journal")  # what SQLite keeps beside a database


def back_up(database: Path, copy: Path) -> None:
    """Write a copy as of this moment; a server that uses the database is not held up."""
    if not database.is_file():
        raise DroptableError(f"there is no database {str(database)!r}")
    _copy(database, copy)


def restore(copy: Path, database: Path) -> None:
    """Put a copy where a database was; one that is still there is never overwritten."""
    if not copy.is_file():
        raise DroptableError(f"there is no copy {str(copy)!r}")
    if database.exists():
        message = f"{str(database)!r} exists: stop its server and move it away first"
        raise DroptableError(message)
    database.parent.mkdir(parents=True, exist_ok=True)
    for ending in BESIDE:  # writes of the lost database must not reach the restored one
        Path(f"{database}{ending}").unlink(missing_ok=True)
    _copy(copy, database)


def _copy(source: Path, target: Path) -> None:
    """Copy and check beside the target, then rename: there is a whole copy there, or none."""
    part = Path(f"{target}.part")
    try:
        part.unlink(missing_ok=True)
        part.touch(mode=0o600)  # it holds identities and the key that signs them
        with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(part)) as new:
            old.backup(new)  # all pages in one read transaction: a single moment
            new.execute("PRAGMA journal_mode=DELETE")  # one file, without others beside it
            (found,) = new.execute("PRAGMA integrity_check(1)").fetchone()
        if found != "ok":
            raise DroptableError(f"{str(source)!r} is damaged: {found}")
        with part.open("rb") as written:
            os.fsync(written.fileno())
        part.replace(target)
    except sqlite3.Error as error:
        raise DroptableError(f"cannot copy {str(source)!r}: {error}") from None
    finally:
        part.unlink(missing_ok=True)
