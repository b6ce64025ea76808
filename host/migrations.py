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


def rows_that_a_throw_writes_in_few_pages(connection: Connection) -> None:
    """Entries, readings and tokens by number; without the indexes that this spares. See ``schema``.

    What refers to readings is made anew beside them, since a table that is renamed takes along who refers to it.
    """
    is_sqlite = connection.dialect.name == "sqlite"
    # Only a column of just this type is SQLite's own number of a row.
    number = "INTEGER" if is_sqlite else "BIGINT"
    by_key_alone = "WITHOUT ROWID" if is_sqlite else ""
    made_anew = ("entries", "corrections", "pictures", "readings", "answers", "tokens")
    for name in made_anew:
        connection.execute(text(f"ALTER TABLE {name} RENAME TO old_{name}"))
    for statement in (
        f"""CREATE TABLE readings (
            place {number} PRIMARY KEY, id TEXT NOT NULL, table_id TEXT REFERENCES tables (id),
            expect TEXT NOT NULL, dice JSON NOT NULL, unread JSON NOT NULL, status TEXT NOT NULL,
            detail TEXT NOT NULL, told JSON, at TEXT NOT NULL)""",
        """INSERT INTO readings (place, id, table_id, expect, dice, unread, status, detail, told, at)
            SELECT COALESCE(t.place, 0) * 4294967296 + r.place, r.id, r.table_id, r.expect, r.dice, r.unread,
            r.status, r.detail, r.told, r.at FROM old_readings r LEFT JOIN tables t ON t.id = r.table_id
            ORDER BY 1""",
        f"""CREATE TABLE entries (
            place {number} PRIMARY KEY, table_id TEXT NOT NULL REFERENCES tables (id), number INTEGER NOT NULL,
            kind TEXT NOT NULL, action JSON, "by" TEXT NOT NULL, at TEXT NOT NULL, message_id TEXT,
            reading {number} REFERENCES readings (place))""",
        """INSERT INTO entries (place, table_id, number, kind, action, "by", at, message_id, reading)
            SELECT t.place * 4294967296 + e.number, e.table_id, e.number, e.kind, e.action, e."by", e.at,
            e.message_id, COALESCE(read_at.place, 0) * 4294967296 + r.place FROM old_entries e
            JOIN tables t ON t.id = e.table_id LEFT JOIN old_readings r ON r.id = e.reading_id
            LEFT JOIN tables read_at ON read_at.id = r.table_id ORDER BY 1""",
        # What no message brought about would be a row of the index, too.
        "CREATE UNIQUE INDEX entries_of_messages ON entries (message_id) WHERE message_id IS NOT NULL",
        f"""CREATE TABLE corrections (
            place INTEGER PRIMARY KEY, table_id TEXT NOT NULL REFERENCES tables (id), number INTEGER NOT NULL,
            reading {number} NOT NULL REFERENCES readings (place), confirmed JSON NOT NULL)""",
        """INSERT INTO corrections (place, table_id, number, reading, confirmed)
            SELECT c.place, c.table_id, c.number, COALESCE(read_at.place, 0) * 4294967296 + r.place, c.confirmed
            FROM old_corrections c JOIN old_readings r ON r.id = c.reading_id
            LEFT JOIN tables read_at ON read_at.id = r.table_id""",
        # Only of versions that kept pictures in here; they become files, see ``ReadingStore.take_over_pictures``.
        "CREATE TABLE pictures (reading_id TEXT PRIMARY KEY, place INTEGER NOT NULL UNIQUE, jpeg BYTEA NOT NULL)",
        "INSERT INTO pictures (reading_id, place, jpeg) SELECT reading_id, place, jpeg FROM old_pictures",
        f"""CREATE TABLE answers (
            message_id TEXT PRIMARY KEY, table_id TEXT NOT NULL REFERENCES tables (id), sender TEXT NOT NULL,
            number INTEGER NOT NULL, slug TEXT, detail TEXT, extras JSON) {by_key_alone}""",
        """INSERT INTO answers (message_id, table_id, sender, number, slug, detail, extras)
            SELECT message_id, table_id, sender, number, slug, detail, extras FROM old_answers""",
        """CREATE TABLE tokens (
            place INTEGER PRIMARY KEY, sha256 TEXT NOT NULL, kind TEXT NOT NULL, table_id TEXT, player TEXT)""",
        """INSERT INTO tokens (place, sha256, kind, table_id, player)
            SELECT ROW_NUMBER() OVER (ORDER BY table_id, sha256), sha256, kind, table_id, player FROM old_tokens""",
        *(f"DROP TABLE old_{name}" for name in made_anew),
    ):
        connection.execute(text(statement))


MIGRATIONS: tuple[Migration, ...] = (
    tables_entries_and_readings,
    phones_seats_and_lobbies,
    corrections_of_readings,
    rematches,
    readings_told_in_any_language,
    wishes_for_rematches,
    rows_that_a_throw_writes_in_few_pages,
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
