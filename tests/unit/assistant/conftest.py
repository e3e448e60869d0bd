"""What the assistant's tests share: its store, on each database there is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from accounts import owned
from wellread.assistant.database import Database

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wellread.assistant.database import UserStore


@pytest.fixture
def database(store_url: str) -> Iterator[Database]:
    opened = Database.open(store_url)
    yield opened
    opened.close()


@pytest.fixture
def store(database: Database) -> UserStore:
    """The owner's part of the store."""
    return owned(database)
