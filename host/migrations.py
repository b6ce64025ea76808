"""How a database of an older version becomes one of this version.

Each migration is a small named function, run once, in a transaction, and recorded by its name. A migration that
has been released is never changed; the next one builds on it. The SQL is what SQLite and PostgreSQL both understand.
"""

from collections.abc import Callable, Sequence

from sqlalchemy import Connection, inspect, select, text

from host import schema

Migration = Callable[[Connection], None]


class NewerDatabase(Exception):
    """The database holds migrations that this version of the program does not know."""


def tables_entries_and_readings(connection: Connection) -> None:
    """The first version: tables, their logs, readings with pictures, and tokens."""
    for statement in (
        """CREATE TABLE tables (
            id TEXT PRIMARY KEY, place INTEGER NOT NULL UNIQUE, game TEXT NOT NULL, players JSON NOT NULL,
            options JSON NOT NULL, opened_at TEXT NOT NULL)""",
        """CREATE TABLE readings (
            id TEXT PRIMARY KEY, place INTEGER NOT NULL UNIQUE, table_id TEXT REFERENCES tables (id),
            expect TEXT NOT NULL, dice JSON NOT NULL, unread JSON NOT NULL, status TEXT NOT NULL,
            detail TEXT NOT NULL, at TEXT NOT NULL)""",
        "CREATE INDEX readings_of_a_table ON readings (table_id, place)",
        """CREATE TABLE pictures (
            reading_id TEXT PRIMARY KEY REFERENCES readings (id), place INTEGER NOT NULL UNIQUE,
            jpeg BYTEA NOT NULL)""",
        """CREATE TABLE entries (
            table_id TEXT NOT NULL REFERENCES tables (id), number INTEGER NOT NULL, kind TEXT NOT NULL,
            action JSON, "by" TEXT NOT NULL, at TEXT NOT NULL, message_id TEXT UNIQUE,
            reading_id TEXT REFERENCES readings (id), PRIMARY KEY (table_id, number))""",
        """CREATE TABLE answers (
            message_id TEXT PRIMARY KEY, table_id TEXT NOT NULL REFERENCES tables (id), sender TEXT NOT NULL,
            number INTEGER NOT NULL, slug TEXT, detail TEXT)""",
        "CREATE TABLE tokens (sha256 TEXT PRIMARY KEY, kind TEXT NOT NULL, table_id TEXT, player TEXT)",
    ):
        connection.execute(text(statement))


def phones_seats_and_lobbies(connection: Connection) -> None:
    """Phones and the seats that they hold, lobbies, join links, codes that hand a seat over, wrong guesses."""
    for statement in (
        """CREATE TABLE phones (
            id TEXT PRIMARY KEY, sha256 TEXT NOT NULL UNIQUE, is_owner BOOLEAN NOT NULL, joined_at TEXT NOT NULL,
            revoked_at TEXT)""",
        # A seat may belong to a lobby, which is no table yet: so no reference to tables.
        """CREATE TABLE seats (
            table_id TEXT NOT NULL, player TEXT NOT NULL, phone_id TEXT REFERENCES phones (id),
            is_locked BOOLEAN NOT NULL, PRIMARY KEY (table_id, player))""",
        """CREATE TABLE lobbies (
            id TEXT PRIMARY KEY, message_id TEXT NOT NULL UNIQUE, game TEXT NOT NULL, players JSON NOT NULL,
            options JSON NOT NULL, opened_at TEXT NOT NULL)""",
        "CREATE TABLE joining (table_id TEXT PRIMARY KEY, generation INTEGER NOT NULL, is_open BOOLEAN NOT NULL)",
        """CREATE TABLE seat_codes (
            sha256 TEXT PRIMARY KEY, table_id TEXT NOT NULL, player TEXT NOT NULL, expires_at TEXT NOT NULL)""",
        "CREATE TABLE guesses (what TEXT PRIMARY KEY, failures INTEGER NOT NULL, failed_at TEXT NOT NULL)",
    ):
        connection.execute(text(statement))


def corrections_of_readings(connection: Connection) -> None:
    """What people say that readings should have been; what else a refusal told."""
    for statement in (
        """CREATE TABLE corrections (
            place INTEGER PRIMARY KEY, table_id TEXT NOT NULL REFERENCES tables (id), number INTEGER NOT NULL,
            reading_id TEXT NOT NULL REFERENCES readings (id), confirmed JSON NOT NULL)""",
        "ALTER TABLE answers ADD COLUMN extras JSON",
    ):
        connection.execute(text(statement))


def rematches(connection: Connection) -> None:
    """Which table is the rematch of which."""
    connection.execute(text("CREATE TABLE rematches (table_id TEXT PRIMARY KEY, next_id TEXT NOT NULL UNIQUE)"))


def readings_told_in_any_language(connection: Connection) -> None:
    """What became of a reading as sentences, beside its English text."""
    connection.execute(text("ALTER TABLE readings ADD COLUMN told JSON"))


def wishes_for_rematches(connection: Connection) -> None:
    """Who would play again, so that a restart forgets nobody."""
    columns = "table_id TEXT NOT NULL, player TEXT NOT NULL, PRIMARY KEY (table_id, player)"
    connection.execute(text(f"CREATE TABLE rematch_wishes ({columns})"))


MIGRATIONS: tuple[Migration, ...] = (
    tables_entries_and_readings,
    phones_seats_and_lobbies,
    corrections_of_readings,
    rematches,
    readings_told_in_any_language,
    wishes_for_rematches,
)
"""Every migration, oldest first."""


def refuse_newer(connection: Connection) -> None:
    """Only reads. Raises ``NewerDatabase`` where a later version of the program has been at work."""
    if inspect(connection).has_table(schema.migrations.name):
        known = {migration.__name__ for migration in MIGRATIONS}
        unknown = set(connection.scalars(select(schema.migrations.c.name))) - known
        if unknown:
            raise NewerDatabase(", ".join(sorted(unknown)))


def migrate(connection: Connection, at: str, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Run the migrations that the database does not have yet, each in a transaction of its own.

    ``at`` is the time to record, UTC, ISO 8601.
    """
    with connection.begin():
        connection.execute(text("CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, at TEXT NOT NULL)"))
        done = set(connection.scalars(select(schema.migrations.c.name)))
    for migration in migrations:
        if migration.__name__ not in done:
            with connection.begin():
                migration(connection)
                connection.execute(schema.migrations.insert().values(name=migration.__name__, at=at))
