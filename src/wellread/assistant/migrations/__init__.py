"""Brings the tables of the assistant's store up to date, whatever version wrote them last.

Every room that has tables has a line of migrations of its own, so that rooms never wait for one another. To add tables:

1. Declare them on `wellread.assistant.database.Base`, in your room.
2. Write `versions/ROOM_0001.py`: `revision = "ROOM_0001"`, `down_revision = None`, `branch_labels = ("ROOM",)`, and an
   `upgrade()` that makes them. A later change is `ROOM_0002`, with `down_revision = "ROOM_0001"` and no label.
   `versions/clockwork_0001.py` is one to copy. Numbers are `Number` below; constraints are named as `Base` names them.
3. `tests/unit/assistant/test_migrations.py` finds both, and fails where the migrated store and the tables differ.

A released migration is never changed: stores that have it would never see the change. There is no way back down: a
store that a newer wellread wrote is refused.
"""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import BigInteger, Connection, Integer, text

from wellread.errors import ConfigError

Number = BigInteger().with_variant(Integer, "sqlite")
"""The type of every integer column."""

_LOCK = 7_361_223_541_904_417
"""A number that nobody else locks; PostgreSQL knows advisory locks by number only."""


def upgrade(connection: Connection) -> None:
    """Bring the store to the newest schema, within the transaction that has begun on `connection`.

    Whoever comes second waits, and finds it done: on SQLite because the transaction is the only writer, on PostgreSQL
    by an advisory lock that ends with it.

    Raises:
        ConfigError: the store was written by a newer wellread.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.attributes["connection"] = connection
    scripts = ScriptDirectory.from_config(config)
    there = set(MigrationContext.configure(connection).get_current_heads())
    if there == set(scripts.get_heads()):
        return
    known = {script.revision for script in scripts.walk_revisions()}
    if strange := sorted(there - known):
        raise ConfigError(
            f"the assistant's store was written by a newer wellread ({', '.join(strange)})",
            hint="upgrade wellread, or set store.url to another place",
        )
    command.upgrade(config, "heads")
