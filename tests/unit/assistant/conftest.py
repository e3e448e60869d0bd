"""What the assistant's tests share: its store, on each database there is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from accounts import owned
from stores import prepare_store
from wellread.assistant.database import Database

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from postgres import Postgres
    from wellread.assistant.database import UserStore


@pytest.fixture(scope="session")
def migrated_postgres(postgres_server: Postgres) -> Iterator[str]:
    """The name of a database in PostgreSQL that has its tables; tests copy it."""
    with postgres_server.database() as url:
        Database.open(url).close()
        yield url.rpartition("/")[2]


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """A store without rows, on each database there is."""
    if request.param == "sqlite":
        prepare_store(tmp_path)
        opened = Database.open(f"sqlite:///{tmp_path}/assistant.db")
        yield opened
        opened.close()
        return
    server: Postgres = request.getfixturevalue("postgres_server")
    with server.database(template=request.getfixturevalue("migrated_postgres")) as url:
        opened = Database.open(url)
        yield opened
        opened.close()


@pytest.fixture
def store(database: Database) -> UserStore:
    """The owner's part of the store."""
    return owned(database)
