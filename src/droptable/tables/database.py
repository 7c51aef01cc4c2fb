"""One interface to SQLite and PostgreSQL: the same statements, with values named `:like_this`."""

from __future__ import annotations

import logging
import os
import re
import socket
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from droptable.core.errors import OptionError
from droptable.core.extras import extra

BUSY = 3.0  # seconds that SQLite waits for another process's lock
# Nothing waits for PostgreSQL without end, nor does it wait for us while we hold locks.
POSTGRES_TIMEOUTS = {
    "lock_timeout": 1000, "statement_timeout": 3000, "idle_in_transaction_session_timeout": 2000,
}  # fmt: skip
POSTGRES_NETWORK = {
    "connect_timeout": 3, "keepalives": 1, "keepalives_idle": 5, "keepalives_interval": 2,
    "keepalives_count": 3, "tcp_user_timeout": 5000,
}  # fmt: skip
# What a commit waits for: the disk (nothing is lost even if the power fails), or the operating
# system (nothing is lost if the server dies; the last moments may be if the machine does).
SQLITE_SYNC = {"disk": "FULL", "system": "NORMAL"}
POSTGRES_SYNC = {"disk": "DEFAULT", "system": "off"}
FULL = ("SQLITE_FULL", "53100")  # there is no space left
DAMAGE = ("SQLITE_CORRUPT", "SQLITE_NOTADB", "XX001", "XX002")  # XX…: of PostgreSQL
log = logging.getLogger(__name__)

SCHEMES = ("sqlite", "postgresql", "postgres")
Values = Mapping[str, Any]
Errors = tuple[type[Exception], ...]
NONE: Values = {}


class DatabaseError(RuntimeError):
    """The database does not answer, or refuses. The message has no values: they are secrets."""

    damaged = False  # whether it says that what is stored is not what was written
    full = False  # whether there is no space left

    @classmethod
    def of(cls, error: Exception) -> DatabaseError:
        """From a driver's error."""
        made = cls(f"{type(error).__name__}: {_reason(error)}")
        made.damaged = _tells_damage(error)
        made.full = _code(error) in FULL
        return made


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
        self._errors: Errors = (sqlite3.Error, UnicodeDecodeError)  # of texts in a damaged file
        if self.is_postgres:
            with extra("postgres"):
                import psycopg

            self._errors = (psycopg.Error,)

    @property
    def file(self) -> Path | None:
        """The file of an SQLite database."""
        return None if self.is_postgres else Path(self.url.removeprefix("sqlite:///")).expanduser()

    def connect(self, *, patient: bool = False) -> Connection:
        """A new connection, for one thread; a `patient` one lets statements take their time."""
        try:
            driver = self._postgres(patient) if self.is_postgres else self._sqlite()
        except self._errors + (OSError,) as error:  # noqa: RUF005  (mypy knows the type)
            raise DatabaseError.of(error) from None
        return Connection(driver, self._errors, self.is_postgres)

    def _postgres(self, patient: bool) -> Any:
        import psycopg
        from psycopg.conninfo import conninfo_to_dict

        chosen = conninfo_to_dict(self.url)  # whoever hosts knows the network better
        network = {name: value for name, value in POSTGRES_NETWORK.items() if name not in chosen}
        driver = psycopg.connect(self.url, autocommit=True, **network)  # type: ignore[arg-type]
        settings = [f"SET synchronous_commit TO {POSTGRES_SYNC[self._durability]}"]
        if not patient:
            settings += [f"SET {name} TO {value}" for name, value in POSTGRES_TIMEOUTS.items()]
        driver.execute("; ".join(settings))
        return driver

    def _sqlite(self) -> Any:
        path = self.file
        assert path is not None
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)  # it holds secrets: only its owner may read it
        _narrow(path)
        # We begin transactions ourselves; the driver must not. Another thread may interrupt.
        driver = sqlite3.connect(
            path, timeout=BUSY, isolation_level=None, cached_statements=512, check_same_thread=False
        )
        sync = SQLITE_SYNC[self._durability]
        try:
            for pragma in ("journal_mode=WAL", f"synchronous={sync}", "foreign_keys=ON"):
                driver.execute(f"PRAGMA {pragma}")
        except BaseException:
            driver.close()
            raise
        return driver


class Connection:
    """A connection, for one thread."""

    def __init__(self, driver: Any, errors: Errors, is_postgres: bool) -> None:
        self._driver = driver
        self._errors = errors  # that the driver raises
        self.is_postgres = is_postgres
        self.broken = False

    def execute(self, statement: str, values: Values = NONE) -> Any:
        """Run a statement; the cursor has its rows and `rowcount`."""
        if self.is_postgres:
            statement = _to_psycopg(statement)
        return self._driver.execute(statement, values)

    def execute_positional(self, statement: str, values: Sequence[Any]) -> Any:
        """Run a statement that is in the driver's own syntax already."""
        return self._driver.execute(statement, values)

    def value(self, statement: str, values: Values = NONE) -> Any:
        """The first value of the first row; None if there is none."""
        row = self.execute(statement, values).fetchone()
        return row and row[0]

    def salvage(self, statement: str, values: Values = NONE) -> tuple[list[Any], str]:
        """The rows of a query up to those that cannot be read, and why (empty: all can)."""
        rows: list[Any] = []
        try:
            rows.extend(self.execute(statement, values))
        except self._errors as error:
            if not rows or not _tells_damage(error):
                raise
            return rows, _reason(error)
        return rows, ""

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

    def damage(self, seconds: float, check: str = "quick_check") -> str:
        """What is wrong with the structure of an SQLite file, as far as that long a look finds."""
        if self.is_postgres:
            return ""
        end = time.monotonic() + seconds
        self._driver.set_progress_handler(lambda: time.monotonic() > end, 10_000)
        try:
            found = str(self.value(f"PRAGMA {check}(1)"))
        except self._errors as error:
            if getattr(error, "sqlite_errorname", "") == "SQLITE_INTERRUPT":  # it is large
                return ""
            found = _reason(error)
        finally:
            self._driver.set_progress_handler(None, 0)
        lines = [line for line in found.splitlines() if not line.startswith("***")]
        return "" if found == "ok" else f"the database file is damaged: {''.join(lines[:1])}"

    def abort(self) -> None:
        """End, from another thread, a wait that has taken too long; what waited fails."""
        with suppress(*self._errors, OSError):
            if self.is_postgres:
                # Not a request to cancel: whoever does not answer would not hear that either.
                with socket.socket(fileno=os.dup(self._driver.fileno())) as line:
                    line.shutdown(socket.SHUT_RDWR)
            else:
                self._driver.interrupt()

    def close(self) -> None:
        """Disconnect."""
        self._driver.close()


def _reason(error: Exception) -> str:
    """What a driver says, without what may quote values: lines after the first, bad texts."""
    if isinstance(error, UnicodeDecodeError):
        return "a text is not UTF-8"
    return str(error).strip().partition("\n")[0].partition(" with text ")[0]


def _tells_damage(error: Exception) -> bool:
    if isinstance(error, UnicodeDecodeError) or "decode to UTF-8" in str(error):
        return True
    return _code(error).startswith(DAMAGE)


def _code(error: Exception) -> str:
    return getattr(error, "sqlite_errorname", None) or getattr(error, "sqlstate", None) or ""


def _narrow(path: Path) -> None:
    """Keep others from reading a file that was made readable to them."""
    mode = path.stat().st_mode
    if mode & 0o077:
        try:
            path.chmod(0o600)
        except OSError as error:
            log.warning("others can read the database, and that cannot be changed: %s", error)
        else:
            log.warning("others could read the database (mode %o): now they cannot", mode & 0o777)


@lru_cache
def _to_psycopg(statement: str) -> str:
    """A statement in the syntax of PostgreSQL's driver."""
    return re.sub(r":(\w+)", r"%(\1)s", statement)
