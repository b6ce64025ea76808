"""The tables of the database, as queries see them; ``migrations`` creates them.

Only the types that SQLite and PostgreSQL share are used. The host is the only writer, so it numbers rows itself.
"""

from sqlalchemy import JSON, Boolean, Column, Integer, LargeBinary, MetaData, Table, Text

metadata = MetaData()

migrations = Table(
    "migrations",
    metadata,
    Column("name", Text, primary_key=True),
    Column("at", Text, nullable=False),
)

tables = Table(
    "tables",
    metadata,
    Column("id", Text, primary_key=True),
    Column("place", Integer, nullable=False, unique=True),
    Column("game", Text, nullable=False),
    Column("players", JSON, nullable=False),
    Column("options", JSON, nullable=False),
    Column("opened_at", Text, nullable=False),
)

entries = Table(
    "entries",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("action", JSON(none_as_null=True)),
    Column("by", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("message_id", Text, unique=True),
    Column("reading_id", Text),
)

answers = Table(
    "answers",
    metadata,
    Column("message_id", Text, primary_key=True),
    Column("table_id", Text, nullable=False),
    Column("sender", Text, nullable=False),
    Column("number", Integer, nullable=False),
    Column("slug", Text),
    Column("detail", Text),
    Column("extras", JSON(none_as_null=True)),
)

readings = Table(
    "readings",
    metadata,
    Column("id", Text, primary_key=True),
    Column("place", Integer, nullable=False, unique=True),
    Column("table_id", Text),
    Column("expect", Text, nullable=False),
    Column("dice", JSON, nullable=False),
    Column("unread", JSON, nullable=False),
    Column("status", Text, nullable=False),
    Column("detail", Text, nullable=False),
    Column("told", JSON(none_as_null=True)),
    Column("at", Text, nullable=False),
)

pictures = Table(
    "pictures",
    metadata,
    Column("reading_id", Text, primary_key=True),
    Column("place", Integer, nullable=False, unique=True),
    Column("jpeg", LargeBinary, nullable=False),
)

corrections = Table(
    "corrections",
    metadata,
    Column("place", Integer, primary_key=True),
    Column("table_id", Text, nullable=False),
    Column("number", Integer, nullable=False),
    Column("reading_id", Text, nullable=False),
    Column("confirmed", JSON, nullable=False),
)

tokens = Table(
    "tokens",
    metadata,
    Column("sha256", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("table_id", Text),
    Column("player", Text),
)

phones = Table(
    "phones",
    metadata,
    Column("id", Text, primary_key=True),
    Column("sha256", Text, nullable=False, unique=True),
    Column("is_owner", Boolean, nullable=False),
    Column("joined_at", Text, nullable=False),
    Column("revoked_at", Text),
)

seats = Table(
    "seats",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("player", Text, primary_key=True),
    Column("phone_id", Text),
    Column("is_locked", Boolean, nullable=False),
)

lobbies = Table(
    "lobbies",
    metadata,
    Column("id", Text, primary_key=True),
    Column("message_id", Text, nullable=False, unique=True),
    Column("game", Text, nullable=False),
    Column("players", JSON, nullable=False),
    Column("options", JSON, nullable=False),
    Column("opened_at", Text, nullable=False),
)

joining = Table(
    "joining",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("generation", Integer, nullable=False),
    Column("is_open", Boolean, nullable=False),
)

seat_codes = Table(
    "seat_codes",
    metadata,
    Column("sha256", Text, primary_key=True),
    Column("table_id", Text, nullable=False),
    Column("player", Text, nullable=False),
    Column("expires_at", Text, nullable=False),
)

guesses = Table(
    "guesses",
    metadata,
    Column("what", Text, primary_key=True),
    Column("failures", Integer, nullable=False),
    Column("failed_at", Text, nullable=False),
)

rematches = Table(
    "rematches",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("next_id", Text, nullable=False, unique=True),
)

rematch_wishes = Table(
    "rematch_wishes",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("player", Text, primary_key=True),
)
