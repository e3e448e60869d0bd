"""The store that migrations make is the one that the rooms declare, on every database, whoever opens it first."""

from __future__ import annotations

import importlib
import multiprocessing
import pkgutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text

import wellread.assistant
from wellread.assistant import migrations
from wellread.assistant.database import Base, Database
from wellread.errors import ConfigError, UnavailableError

if TYPE_CHECKING:
    from sqlalchemy import Connection
    from sqlalchemy.orm import Session

# Every room of the assistant that is there registers its tables when it is imported.
for each in pkgutil.walk_packages(wellread.assistant.__path__, "wellread.assistant."):
    if not each.name.startswith("wellread.assistant.migrations."):
        importlib.import_module(each.name)


def of_search(connection: Connection) -> set[str]:
    """Tables of SQLite's full-text search, which no model describes, and those that they keep for themselves."""
    if connection.dialect.name != "sqlite":
        return set()
    made = connection.execute(text("SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE%'"))
    virtual = [name for (name,) in made]
    names = inspect(connection).get_table_names()
    return {name for name in names if any(name == each or name.startswith(f"{each}_") for each in virtual)}


def differences(session: Session) -> list[object]:
    connection = session.connection()
    beside = of_search(connection)

    def ours(name: str | None, kind: str, _parents: object) -> bool:
        return kind != "table" or name not in beside

    context = MigrationContext.configure(connection, opts={"compare_type": True, "include_name": ours})
    return list(compare_metadata(context, Base.metadata))


async def test_migrated_store_has_exactly_the_declared_tables(database: Database) -> None:
    assert await database.for_all_users().run(differences) == []


async def test_a_column_that_no_migration_makes_is_seen(database: Database) -> None:
    await database.run(lambda session: session.execute(text("ALTER TABLE jobs DROP COLUMN said")))
    assert "said" in str(await database.for_all_users().run(differences))


async def test_opening_a_store_again_changes_nothing_in_it(store_url: str) -> None:
    def insert(session: Session) -> None:
        jobs = Base.metadata.tables["jobs"]
        session.execute(jobs.insert().values({each.name: each.type.python_type("7") for each in jobs.columns}))

    def rows(session: Session) -> dict[str, list[tuple[object, ...]]]:
        names = inspect(session.connection()).get_table_names()
        return {name: [tuple(row) for row in session.execute(text(f'SELECT * FROM "{name}"'))] for name in names}

    opened = Database.open(store_url)
    await opened.for_all_users().run(insert)
    before = await opened.for_all_users().run(rows)
    opened.close()
    again = Database.open(store_url)
    assert await again.for_all_users().run(rows) == before
    assert len(before["jobs"]) == 1
    again.close()


def test_many_processes_that_open_a_new_store_at_once_find_it_whole(store_url: str) -> None:
    # One server forks them all: each is a process of its own, and none has to load the libraries again, nor, as what
    # it does is no function of this module, all that is imported above.
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["wellread.assistant.database", "alembic.command"])
    opening = [context.Process(target=Database.open, args=(store_url,)) for _ in range(6)]
    for process in opening:
        process.start()
    for process in opening:
        process.join(60)
    assert [process.exitcode for process in opening] == [0] * 6


def test_the_names_of_the_files_tell_what_alembic_reads_in_them() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    scripts = ScriptDirectory.from_config(config)
    newest = {room: revision for revision, room in migrations.revisions().items()}
    assert {script.revision for script in scripts.walk_revisions()} == set(migrations.revisions())
    assert set(scripts.get_heads()) == set(newest.values())


async def test_a_store_of_a_newer_wellread_is_refused_and_left_as_it_is(store_url: str) -> None:
    database = Database.open(store_url)
    await database.run(lambda session: session.execute(text("INSERT INTO alembic_version VALUES ('clockwork_9999')")))
    with pytest.raises(ConfigError, match="newer wellread"):
        Database.open(store_url)
    found = await database.run(lambda session: session.execute(text("SELECT count(*) FROM alembic_version")).scalar())
    assert found is not None
    assert found >= 2
    database.close()


def test_a_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    Database.open(f"sqlite:///{tmp_path}/new/assistant.db").close()
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "new" / "assistant.db").stat().st_mode & 0o777 == 0o600


async def test_a_store_in_memory_is_one_store_for_all_tasks() -> None:
    database = Database.open("sqlite://")
    await database.run(lambda session: session.execute(text("INSERT INTO alembic_version VALUES ('here')")))
    heads = await database.run(lambda session: session.scalars(text("SELECT version_num FROM alembic_version")).all())
    assert "here" in heads
    database.close()


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("not a url", "not a database URL"),
        ("mysql://somewhere/x", "is not supported"),
        ("sqlite:////proc/nowhere/x.db", "cannot create"),
        ("postgresql://127.0.0.1/x?sslmode=strange", "sslmode=strange"),
    ],
)
def test_a_store_that_cannot_be_is_said_so(url: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        Database.open(url)


def test_unreachable_database_does_not_show_its_password() -> None:
    with pytest.raises(UnavailableError) as caught:
        Database.open("postgresql://me:open-sesame@127.0.0.1:1/x")
    assert "open-sesame" not in str(caught.value)


async def test_what_fails_halfway_leaves_nothing_behind(database: Database) -> None:
    def work(session: Session) -> None:
        session.execute(text("INSERT INTO alembic_version VALUES ('half')"))
        raise ValueError("halfway")

    with pytest.raises(ValueError, match="halfway"):
        await database.run(work)
    heads = await database.run(lambda session: session.scalars(text("SELECT version_num FROM alembic_version")).all())
    assert "half" not in heads
