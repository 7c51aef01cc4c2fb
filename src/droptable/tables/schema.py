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
# `chain` is a checksum over all events so far; rows from before have none. `turns` has bit s set
# where it is seat s's turn (`seats.turn` of older versions, one row per seat to be written).
# `keeper` is the server whose bots think for a table; `beat`, by the database's clock, is when
# that server was last heard of.
KEEPERS = (
    "ALTER TABLE events ADD COLUMN chain TEXT",
    "ALTER TABLE tables ADD COLUMN turns INTEGER NOT NULL DEFAULT 0",
    "UPDATE tables SET turns = (SELECT COALESCE(SUM(DISTINCT 1 << seats.seat), 0) FROM seats"
    " WHERE seats.table_id = tables.id AND seats.turn = 1)",
    "ALTER TABLE seats DROP COLUMN turn",
    "ALTER TABLE tables ADD COLUMN keeper TEXT",
    "CREATE INDEX tables_keeper ON tables (keeper) WHERE keeper IS NOT NULL",
    "CREATE TABLE servers (id TEXT PRIMARY KEY, beat DOUBLE PRECISION NOT NULL)",
)
# `seen` is the day of somebody's last visit. `forgotten` are people who were deleted and whose
# tables still have to be written anew; `chores` says when some server has to do something again.
GUESTS = (
    "ALTER TABLE identities ADD COLUMN seen DOUBLE PRECISION",
    "CREATE TABLE forgotten (identity TEXT PRIMARY KEY, at DOUBLE PRECISION NOT NULL)",
    "CREATE TABLE chores (name TEXT PRIMARY KEY, due DOUBLE PRECISION NOT NULL)",
)
# Tables that are leaving this database for another one, named by its secret.
MOVES = ("CREATE TABLE moves (table_id TEXT PRIMARY KEY, target TEXT NOT NULL)",)
# Who tried the deal of a day (UTC) at which table, and what came of it once that is known.
DAILIES = (
    "CREATE TABLE dailies (day TEXT NOT NULL, game TEXT NOT NULL, identity TEXT NOT NULL,"
    " table_id TEXT NOT NULL, points INTEGER, value INTEGER, won INTEGER, rated INTEGER,"
    " PRIMARY KEY (day, game, identity))",
    "CREATE INDEX dailies_identity ON dailies (identity)",
)
# What people want to hear of and where (`notice_people`, `notice_targets`); what there is to tell
# (`notices`, due until it was told) and where it still has to go (`deliveries`, deleted once it has
# arrived); who looks at a table, as the servers on one database tell each other (`lookers`).
NOTICES = (
    "CREATE TABLE notice_people (identity TEXT PRIMARY KEY, wishes TEXT NOT NULL)",
    "CREATE TABLE notice_targets (id TEXT PRIMARY KEY, identity TEXT NOT NULL, way TEXT NOT NULL,"
    " address TEXT NOT NULL, state TEXT NOT NULL, problem TEXT NOT NULL,"
    " created DOUBLE PRECISION NOT NULL)",
    "CREATE INDEX notice_targets_identity ON notice_targets (identity)",
    "CREATE TABLE notices (id TEXT PRIMARY KEY, identity TEXT NOT NULL, kind TEXT NOT NULL,"
    " table_id TEXT NOT NULL, at DOUBLE PRECISION NOT NULL, due DOUBLE PRECISION,"
    " body TEXT NOT NULL)",
    "CREATE INDEX notices_due ON notices (due) WHERE due IS NOT NULL",
    "CREATE INDEX notices_about ON notices (table_id, identity)",
    "CREATE INDEX notices_identity ON notices (identity)",
    "CREATE TABLE deliveries (notice TEXT NOT NULL, target TEXT NOT NULL, way TEXT NOT NULL,"
    " since DOUBLE PRECISION NOT NULL, due DOUBLE PRECISION NOT NULL, tries INTEGER NOT NULL,"
    " body TEXT NOT NULL, PRIMARY KEY (notice, target))",
    "CREATE INDEX deliveries_due ON deliveries (way, due)",
    "CREATE INDEX deliveries_target ON deliveries (target)",
    "CREATE TABLE lookers (table_id TEXT NOT NULL, identity TEXT NOT NULL, server TEXT NOT NULL,"
    " at DOUBLE PRECISION NOT NULL, PRIMARY KEY (table_id, identity, server))",
    "CREATE TABLE notice_limits (name TEXT PRIMARY KEY, until DOUBLE PRECISION NOT NULL)",
)
# Ratings of puzzles (with the puzzle itself where it was mined here) and of who solves them; what
# came of the one try that counts; and mistakes that come back to who made them. `reviewed` are the
# analyses in which somebody's mistakes were looked for.
PUZZLES = (
    "CREATE TABLE puzzles (id TEXT PRIMARY KEY, rating DOUBLE PRECISION NOT NULL,"
    " deviation DOUBLE PRECISION NOT NULL, tries INTEGER NOT NULL, solved INTEGER NOT NULL,"
    " body TEXT)",
    "CREATE TABLE solvers (identity TEXT PRIMARY KEY, rating DOUBLE PRECISION NOT NULL,"
    " deviation DOUBLE PRECISION NOT NULL, tries INTEGER NOT NULL, solved INTEGER NOT NULL)",
    "CREATE TABLE puzzle_tries (identity TEXT NOT NULL, puzzle TEXT NOT NULL,"
    " at DOUBLE PRECISION NOT NULL, solved INTEGER NOT NULL, PRIMARY KEY (identity, puzzle))",
    "CREATE TABLE exercises (id TEXT PRIMARY KEY, identity TEXT NOT NULL, table_id TEXT NOT NULL,"
    " mark TEXT NOT NULL, made TEXT NOT NULL, body TEXT NOT NULL, step INTEGER NOT NULL,"
    " due TEXT NOT NULL)",
    "CREATE INDEX exercises_identity ON exercises (identity, due)",
    "CREATE TABLE reviewed (identity TEXT NOT NULL, match TEXT NOT NULL,"
    " PRIMARY KEY (identity, match))",
)
# People as others may name them: `public_id` is random, `hidden` keeps others from the profile.
PROFILES = (
    "CREATE TABLE profiles (identity TEXT PRIMARY KEY, public_id TEXT NOT NULL UNIQUE,"
    " hidden INTEGER NOT NULL)",
)
# Rated matches whose result is still to be taken over by the home database (`unrated`, with their
# table), and what follows from them there: the matches, what was known of each person after each,
# what is known now, and from which match on a game's ratings have to be made anew.
RATINGS = (
    "CREATE TABLE unrated (table_id TEXT PRIMARY KEY)",
    "CREATE TABLE rated_matches (table_id TEXT PRIMARY KEY, game TEXT NOT NULL,"
    " at DOUBLE PRECISION NOT NULL, body TEXT NOT NULL)",
    "CREATE INDEX rated_matches_order ON rated_matches (game, at, table_id)",
    "CREATE TABLE rated_people (table_id TEXT NOT NULL, identity TEXT NOT NULL, game TEXT NOT NULL,"
    " at DOUBLE PRECISION NOT NULL, people INTEGER NOT NULL, share DOUBLE PRECISION NOT NULL,"
    " mu DOUBLE PRECISION NOT NULL, sigma DOUBLE PRECISION NOT NULL,"
    " PRIMARY KEY (table_id, identity))",
    "CREATE INDEX rated_people_order ON rated_people (identity, game, at)",
    "CREATE INDEX rated_people_game ON rated_people (game, at)",
    "CREATE TABLE ratings (identity TEXT NOT NULL, game TEXT NOT NULL,"
    " mu DOUBLE PRECISION NOT NULL, sigma DOUBLE PRECISION NOT NULL, matches INTEGER NOT NULL,"
    " wins DOUBLE PRECISION NOT NULL, at DOUBLE PRECISION NOT NULL, PRIMARY KEY (identity, game))",
    "CREATE INDEX ratings_best ON ratings (game, mu)",
    "CREATE TABLE rating_games (game TEXT PRIMARY KEY, since_at DOUBLE PRECISION,"
    " since_table TEXT NOT NULL)",
)
# What a host does by hand: whom they keep out, what they tell everybody, and the acts themselves,
# which all servers look for; how many people came on a day, and how much servers had to do.
HOSTING = (
    "CREATE TABLE blocked (identity TEXT PRIMARY KEY, at DOUBLE PRECISION NOT NULL,"
    " reason TEXT NOT NULL)",
    "CREATE TABLE announcements (text TEXT NOT NULL, begins DOUBLE PRECISION NOT NULL,"
    " ends DOUBLE PRECISION NOT NULL)",
    "CREATE TABLE acts (id TEXT PRIMARY KEY, at DOUBLE PRECISION NOT NULL, act TEXT NOT NULL,"
    " about TEXT NOT NULL, detail TEXT NOT NULL, identity TEXT NOT NULL, table_id TEXT NOT NULL)",
    "CREATE INDEX acts_at ON acts (at)",
    "CREATE TABLE visits (day INTEGER PRIMARY KEY, people INTEGER NOT NULL)",
    "CREATE TABLE loads (server TEXT NOT NULL, at DOUBLE PRECISION NOT NULL,"
    " commands INTEGER NOT NULL, people INTEGER NOT NULL, busy DOUBLE PRECISION NOT NULL,"
    " PRIMARY KEY (server, at))",
    "CREATE INDEX loads_at ON loads (at)",
)
# Invitations to tables, whom somebody takes none from, and who takes none at all.
FRIENDS = (
    "CREATE TABLE invitations (table_id TEXT NOT NULL, identity TEXT NOT NULL,"
    " invited_by TEXT NOT NULL, at DOUBLE PRECISION NOT NULL,"
    " rematch INTEGER NOT NULL, declined INTEGER NOT NULL DEFAULT 0,"
    " PRIMARY KEY (table_id, identity))",
    "CREATE INDEX invitations_identity ON invitations (identity)",
    "CREATE INDEX invitations_by ON invitations (invited_by, at)",
    "CREATE TABLE personal_blocks (identity TEXT NOT NULL, other TEXT NOT NULL,"
    " PRIMARY KEY (identity, other))",
    "CREATE INDEX personal_blocks_other ON personal_blocks (other)",
    "CREATE TABLE uninvitable (identity TEXT PRIMARY KEY)",
)
# Standing groups; who was ever in one (`gone` is empty, `left` or `removed`), and the
# tables that were opened for it. `secret` is that of its link, `used` when anybody last did
# something there.
GROUPS = (
    "CREATE TABLE standing_groups (id TEXT PRIMARY KEY, secret TEXT NOT NULL UNIQUE,"
    " name TEXT NOT NULL, founder TEXT NOT NULL, created DOUBLE PRECISION NOT NULL,"
    " used DOUBLE PRECISION NOT NULL)",
    "CREATE INDEX standing_groups_used ON standing_groups (used)",
    "CREATE TABLE group_members (group_id TEXT NOT NULL, identity TEXT NOT NULL,"
    " joined DOUBLE PRECISION NOT NULL, gone TEXT NOT NULL DEFAULT '',"
    " PRIMARY KEY (group_id, identity))",
    "CREATE INDEX group_members_identity ON group_members (identity)",
    "CREATE TABLE group_tables (table_id TEXT PRIMARY KEY, group_id TEXT NOT NULL,"
    " at DOUBLE PRECISION NOT NULL)",
    "CREATE INDEX group_tables_group ON group_tables (group_id, at)",
)
MIGRATIONS: tuple[tuple[str, ...], ...] = (  # step i: to i + 1
    FIRST, ANALYSES, KEEPERS, GUESTS, MOVES, DAILIES, NOTICES, PROFILES, RATINGS, PUZZLES,
    HOSTING, FRIENDS, GROUPS,
)  # fmt: skip
OF_EVENTS = ("events", "seats", "scores", "unrated")  # what follows from the events of a table
OF_TABLE = (*OF_EVENTS, "notices")  # what belongs to a table by its `table_id`
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
