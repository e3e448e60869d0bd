"""The topics of conversations, exchange by exchange."""

import sqlalchemy as sa
from alembic import op

from wellread.assistant.migrations import Number

revision = "memory_0002"
down_revision = "memory_0001"
branch_labels = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "conversation_topics",
        sa.Column("exchange", sa.Text(), primary_key=True),
        sa.Column("conversation", sa.Text(), nullable=False, index=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at_ms", Number, nullable=False),
        sa.Column("tainted", sa.Boolean(), nullable=False),
        sa.Column("bag", sa.LargeBinary(), nullable=False),
    )
