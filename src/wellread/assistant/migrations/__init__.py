"""Brings the tables of the assistant's store up to date, whatever version wrote them last.

Each package that has tables has a line of migrations of its own, named NAME below, so that packages never wait for one
another. To add tables:

1. Declare their rows in your package: `class TideRow(Private, Base)`, both from `wellread.assistant.database`.
   `Private` adds the column `user_id`, and sessions of a user then see only the rows of that user. Only a table that
   holds nothing of any user leaves `Private` out; `tests/unit/assistant/test_user_scope.py` lists those tables.
2. Write `versions/NAME_0001.py`: `revision = "NAME_0001"`, `down_revision = None`, `branch_labels = ("NAME",)`, and an
   `upgrade()` that makes the tables. A later change is `NAME_0002`, with `down_revision = "NAME_0001"` and no label.
   `versions/clockwork_0001.py` shows the form. It is older than users: a new private table also has
   `sa.Column("user_id", sa.Text(), nullable=False, index=True)`, whose index is named `ix_TABLE_user_id`. Integers are
   `Number` below; constraints are named by `NAMES`.
3. `tests/unit/assistant/test_migrations.py` finds both, and fails where the migrated store and the tables differ.

A released migration is never changed: stores that have it would never see the change. There is no way back down: a
store that a newer wellread wrote is refused.
"""

from pathlib import Path

from sqlalchemy import BigInteger, Connection, Integer, inspect, text

from wellread.errors import ConfigError

Number = BigInteger().with_variant(Integer, "sqlite")
"""The type of every integer column."""
NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}
"""A name of its own for each constraint, the same on every database, so that a later migration can speak of it."""

_HERE = Path(__file__).parent
_LOCK = 7_361_223_541_904_417
"""A number that nobody else locks; PostgreSQL knows advisory locks by number only."""


def revisions() -> dict[str, str]:
    """Return every revision and its package, in order, by the names of the files."""
    names = sorted(path.stem for path in (_HERE / "versions").glob("*_[0-9][0-9][0-9][0-9].py"))
    return {name: name.rpartition("_")[0] for name in names}


def upgrade(connection: Connection) -> None:
    """Bring the store to the newest schema, within the transaction that has begun on `connection`.

    Whoever comes second waits, and finds it done: on SQLite because the transaction is the only writer, on PostgreSQL
    by an advisory lock that ends with it.

    Raises:
        ConfigError: the store was written by a newer wellread.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    package_by_revision = revisions()
    applied = _there(connection)
    if unknown := sorted(applied - set(package_by_revision)):
        raise ConfigError(
            f"the assistant's database was written by a newer wellread ({', '.join(unknown)})",
            hint="upgrade wellread, or set store.url to another database",
        )
    newest = {package: revision for revision, package in package_by_revision.items()}
    if applied != set(newest.values()):
        _run(connection)


def _there(connection: Connection) -> set[str]:
    if not inspect(connection).has_table("alembic_version"):
        return set()
    return set(connection.scalars(text("SELECT version_num FROM alembic_version")))


def _run(connection: Connection) -> None:
    # Loaded here: it takes longer than all else that a command does, and most find the store up to date.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_HERE).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "heads")
