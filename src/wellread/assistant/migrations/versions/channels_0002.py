"""Whose messages these are; the chat of a Telegram message names its user or its group."""

from wellread.assistant.migrations import accounts

revision = "channels_0002"
down_revision = "channels_0001"
branch_labels = None


def upgrade() -> None:
    """Add the column and fill it."""
    accounts.add("inbox")
    accounts.fill("inbox", accounts.of_channel("(inbox.channel || ':' || inbox.chat)"))
