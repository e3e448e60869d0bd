"""Users of the assistant in tests: the owner of the terminal, and the owner's part of a store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.assistant.users import Users
from wellread.sections import AssistantSettings, ChannelSettings

if TYPE_CHECKING:
    from wellread.assistant.database import Database, UserStore

OWNER = Users(AssistantSettings(), ChannelSettings()).owner


def owned(database: Database) -> UserStore:
    return database.for_user(OWNER)
