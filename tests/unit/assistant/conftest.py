"""What the assistant's tests share: its store on each database there is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import postgres
from wellread.assistant.database import Database

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from postgres import Postgres


@pytest.fixture(scope="session")
def server() -> Iterator[Postgres]:
    if postgres.binaries() is None:
        pytest.skip("no PostgreSQL is installed (Debian: apt-get install postgresql)")
    with postgres.serving() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/assistant.db"
    served: Postgres = request.getfixturevalue("server")
    return served.database()


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    opened = Database.open(url)
    yield opened
    opened.close()
