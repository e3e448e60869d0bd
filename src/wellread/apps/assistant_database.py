"""Open the assistant's database: for the assistant itself, and for commands of the owner.

Its libraries are loaded by the functions: reading the web must neither need them nor wait for them.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator

    from wellread.assistant.database import Database, UserStore
    from wellread.config import Settings


@contextmanager
def owner_store(settings: Settings) -> Generator[UserStore, None, None]:
    """Open the assistant's store for the person at the terminal, as commands do.

    Raises:
        ConfigError: the store, or a setting, is not valid.
        UnavailableError: it does not answer.
    """
    from wellread.assistant.users import Users

    user = Users(settings.assistant, settings.channels).owner
    database = assistant_store(settings)
    try:
        yield database.for_user(user)
    finally:
        database.close()


def assistant_store(settings: Settings) -> Database:
    """Open the assistant's store, its tables brought up to date.

    Raises:
        ConfigError: the store is not valid.
        UnavailableError: it does not answer.
    """
    from wellread.assistant.database import Database

    if settings.store.url:
        return Database.open(settings.store.url.reveal())
    return Database.open(f"sqlite:///{(settings.cache.dir / 'assistant.db').absolute()}")
