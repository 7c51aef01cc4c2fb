"""One interface to SQLite and PostgreSQL: the same statements, with values named `:like_this`."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

from droptable.core.errors import OptionError
from droptable.core.extras import extra

BUSY = 30.0  # seconds that SQLite waits for another process's lock
# What a commit waits for: the disk (nothing is lost even if the power fails), or the operating
# system (nothing is lost if the server dies; the last moments may be if the machine does).
SQLITE_SYNC = {"disk": "FULL", "system": "NORMAL"}
POSTGRES_SYNC = {"disk": "DEFAULT", "system": "off"}
SCHEMES = ("sqlite", "postgresql", "postgres")
Values = Mapping[str, Any]
NONE: Values = {}


class DatabaseError(RuntimeError):
    """The database does not answer, or refuses. The message has no values: they are secrets."""

    @classmethod
    def of(cls, error: Exception) -> DatabaseError:
        """From a driver's error, without the lines after its first, which may quote values."""
        return cls(f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0]}")


class Database:
    """A database by its URL: `postgresql://…`, `sqlite:///…`, or the path of an SQLite file."""

    def __init__(self, url: str, durability: str = "disk") -> None:
        if durability not in SQLITE_SYNC:
            known = " or ".join(SQLITE_SYNC)
            raise OptionError(f"there is no durability {durability!r}; expected {known}")
        scheme = url.partition("://")[0] if "://" in url else "sqlite"
        if scheme not in SCHEMES:  # the rest of the URL may hold a password
            expected = "a file, sqlite:///… or postgresql://…"
            raise OptionError(f"there is no kind of database {scheme!r}; expected {expected}")
        self.url = url
        self._durability = durability
        self.is_postgres = scheme != "sqlite"
        self._errors: type[Exception] = sqlite3.Error
        if self.is_postgres:
            with extra("postgres"):
                import psycopg

            self._errors = psycopg.Error

    @property
    def file(self) -> Path | None:
        """The file of an SQLite database."""
        return None if self.is_postgres else Path(self.url.removeprefix("sqlite:///")).expanduser()

    def connect(self) -> Connection:
        """A new connection, for one thread."""
        try:
            driver = self._postgres() if self.is_postgres else self._sqlite()
        except (self._errors, OSError) as error:
            raise DatabaseError.of(error) from None
        return Connection(driver, self._errors, self.is_postgres)

    def _postgres(self) -> Any:
        import psycopg

        driver = psycopg.connect(self.url, autocommit=True)
        driver.execute(f"SET synchronous_commit TO {POSTGRES_SYNC[self._durability]}")
        return driver

    def _sqlite(self) -> Any:
        path = self.file
        assert path is not None
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)  # it holds secrets: only its owner may read it
        # We begin transactions ourselves; the driver must not.
        driver = sqlite3.connect(path, timeout=BUSY, isolation_level=None)
        sync = SQLITE_SYNC[self._durability]
        for pragma in ("journal_mode=WAL", f"synchronous={sync}", "foreign_keys=ON"):
            driver.execute(f"PRAGMA {pragma}")
        return driver


class Connection:
    """A connection, for one thread."""

    def __init__(self, driver: Any, errors: type[Exception], is_postgres: bool) -> None:
        self._driver = driver
        self._errors = errors  # that the driver raises
        self.is_postgres = is_postgres
        self.broken = False

    def execute(self, statement: str, values: Values = NONE) -> Any:
        """Run a statement; the cursor has its rows and `rowcount`."""
        if self.is_postgres:
            statement = _to_psycopg(statement)
        return self._driver.execute(statement, values)

    def execute_many(self, statement: str, values: Sequence[Values]) -> None:
        """Run a statement once for each of these values."""
        if self.is_postgres:
            statement = _to_psycopg(statement)
        self._driver.cursor().executemany(statement, values)

    def value(self, statement: str, values: Values = NONE) -> Any:
        """The first value of the first row; None if there is none."""
        row = self.execute(statement, values).fetchone()
        return row and row[0]

    @contextmanager
    def transaction(self, *, writes: bool) -> Iterator[None]:
        """Commit everything that is done within, or nothing of it."""
        # A writer takes SQLite's lock at once, so that no transaction fails half way.
        begin = "BEGIN IMMEDIATE" if writes and not self.is_postgres else "BEGIN"
        try:
            self.execute(begin)
            yield
            self.execute("COMMIT")
        except BaseException as error:
            try:
                self.execute("ROLLBACK")
            except self._errors:
                self.broken = True
            if isinstance(error, self._errors):
                raise DatabaseError.of(error) from None
            raise

    def close(self) -> None:
        """Disconnect."""
        self._driver.close()


@lru_cache
def _to_psycopg(statement: str) -> str:
    """A statement in the syntax of PostgreSQL's driver."""
    return re.sub(r":(\w+)", r"%(\1)s", statement)
