"""The first tables of channels: incoming items, and the place up to which each service's list was read."""

import sqlalchemy as sa
from alembic import op

from wellread.assistant.migrations import Number

revision = "channels_0001"
down_revision = None
branch_labels = ("channels",)


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "inbox",
        sa.Column("number", Number, primary_key=True),
        sa.Column("channel", sa.String(64), nullable=False, index=True),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("chat", sa.String(200), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("created_ms", Number, nullable=False),
        sa.UniqueConstraint("channel", "key", name="uq_inbox_channel_key"),
    )
    op.create_table(
        "offsets",
        sa.Column("channel", sa.String(64), primary_key=True),
        sa.Column("place", Number, nullable=False),
        sa.Column("at_ms", Number, nullable=False),
    )
