"""The tables of the database, as queries see them; ``migrations`` creates them.

Only the types that SQLite and PostgreSQL share are used. The host is the only writer, so it numbers rows itself.

What a throw writes wears an SD card, and each index that it touches is a page more. So what is written with every
throw has a number for its key, in whose order SQLite keeps the rows themselves: ``ROOM`` times the place of its
table, and the number of the row there. It takes the place of an index of tables, and of one of readings by their
ids, which are looked for at their table.
"""

from sqlalchemy import JSON, BigInteger, Boolean, Column, Integer, LargeBinary, MetaData, Table, Text

ROOM = 2**32
"""Between the places of one table's entries (or readings) and those of the next: more than a log can have."""

metadata = MetaData()

_PLACE = BigInteger().with_variant(Integer(), "sqlite")
"""SQLite's integers have 64 bits anyway, and only a column that is called just so is its own number of a row."""

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
    Column("place", _PLACE, primary_key=True, autoincrement=False),
    Column("table_id", Text, nullable=False),
    Column("number", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("action", JSON(none_as_null=True)),
    Column("by", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("message_id", Text),
    Column("reading", _PLACE),
)
"""An entry that a message brought about is that message's answer, too."""

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
"""Of messages that brought no entry about."""

readings = Table(
    "readings",
    metadata,
    Column("place", _PLACE, primary_key=True, autoincrement=False),
    Column("id", Text, nullable=False),
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
    Column("reading", _PLACE, nullable=False),
    Column("confirmed", JSON, nullable=False),
)

tokens = Table(
    "tokens",
    metadata,
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("sha256", Text, nullable=False),
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
