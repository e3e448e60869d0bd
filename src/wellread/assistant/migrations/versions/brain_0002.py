"""Whose conversations, messages, approvals and requests to models these are."""

import sqlalchemy as sa
from alembic import op

from wellread.assistant.migrations import accounts

revision = "brain_0002"
down_revision = "brain_0001"
branch_labels = None


def upgrade() -> None:
    """Add the columns, and fill them by the channel of each conversation."""
    accounts.add("conversations", "messages", "approvals", "usage")
    op.add_column("messages", sa.Column("author", sa.Text(), nullable=False, server_default=""))
    accounts.fill("conversations", accounts.of_channel("channel"))
    accounts.fill("messages", accounts.of_conversation("messages.conversation_id"))
    accounts.fill("approvals", accounts.of_conversation("approvals.conversation_id"))
    asked_in = "(SELECT min(messages.conversation_id) FROM messages WHERE messages.turn_id = usage.turn_id)"
    accounts.fill("usage", accounts.of_conversation(asked_in))
