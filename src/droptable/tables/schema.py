"""The database's schema, and the migration from each version to the next.

The same SQL serves SQLite and PostgreSQL. A migration that was released is never changed.
"""

from __future__ import annotations

from droptable.core.errors import DroptableError
from droptable.tables.database import Connection

FIRST = (
    "CREATE TABLE identities (id TEXT PRIMARY KEY, name TEXT NOT NULL,"
    " created DOUBLE PRECISION NOT NULL)",
    # `seq` decides which writer may append; the other columns are a summary for lists.
    "CREATE TABLE tables (id TEXT PRIMARY KEY, seq INTEGER NOT NULL, game TEXT NOT NULL,"
    " players INTEGER NOT NULL, public INTEGER NOT NULL, status TEXT NOT NULL,"
    " title TEXT NOT NULL, owner TEXT NOT NULL, free INTEGER NOT NULL, names TEXT NOT NULL,"
    " winners TEXT NOT NULL, created DOUBLE PRECISION NOT NULL,"
    " updated DOUBLE PRECISION NOT NULL, due_at DOUBLE PRECISION)",
    "CREATE INDEX tables_due ON tables (due_at)",
    "CREATE INDEX tables_listed ON tables (public, status, updated)",
    "CREATE INDEX tables_owner ON tables (owner, status)",
    "CREATE TABLE events (table_id TEXT NOT NULL, seq INTEGER NOT NULL,"
    " at DOUBLE PRECISION NOT NULL, command TEXT, body TEXT NOT NULL,"
    " PRIMARY KEY (table_id, seq), UNIQUE (table_id, command))",
    "CREATE TABLE seats (table_id TEXT NOT NULL, seat INTEGER NOT NULL, identity TEXT NOT NULL,"
    " turn INTEGER NOT NULL, PRIMARY KEY (table_id, seat, identity))",
    "CREATE INDEX seats_identity ON seats (identity)",
    "CREATE TABLE scores (table_id TEXT PRIMARY KEY, game TEXT NOT NULL, name TEXT NOT NULL,"
    " score INTEGER NOT NULL, at DOUBLE PRECISION NOT NULL)",
    "CREATE INDEX scores_best ON scores (game, score)",
    "CREATE TABLE links (hash TEXT PRIMARY KEY, identity TEXT NOT NULL,"
    " expires DOUBLE PRECISION NOT NULL)",
    "CREATE TABLE secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
)
# What the coach said about a match, by the match: it can be made again at any time.
ANALYSES = (
    "CREATE TABLE analyses (id TEXT PRIMARY KEY, at DOUBLE PRECISION NOT NULL, body TEXT NOT NULL)",
    "CREATE INDEX analyses_at ON analyses (at)",
)
MIGRATIONS: tuple[tuple[str, ...], ...] = (FIRST, ANALYSES)  # step i leads to version i + 1
LOCK = 7305  # an advisory lock of PostgreSQL: one server migrates, the others wait


def migrate(connection: Connection, steps: tuple[tuple[str, ...], ...] = MIGRATIONS) -> int:
    """Bring the database to the newest version, within the caller's transaction; return it."""
    if connection.is_postgres:
        connection.execute("SELECT pg_advisory_xact_lock(:lock)", {"lock": LOCK})
    connection.execute("CREATE TABLE IF NOT EXISTS schema (version INTEGER NOT NULL)")
    version = connection.value("SELECT version FROM schema")
    if version is None:
        connection.execute("INSERT INTO schema VALUES (0)")
        version = 0
    if version > len(steps):
        raise DroptableError(
            f"this database has version {version} of the schema; this program knows versions up to "
            f"{len(steps)}: use a newer program"
        )
    for step in steps[version:]:
        for statement in step:
            connection.execute(statement)
    connection.execute("UPDATE schema SET version = :version", {"version": len(steps)})
    return len(steps)
