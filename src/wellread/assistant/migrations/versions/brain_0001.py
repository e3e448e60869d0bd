"""The first tables of conversations, approvals and usage."""

import sqlalchemy as sa
from alembic import op

from wellread.assistant.migrations import Number

revision = "brain_0001"
down_revision = None
branch_labels = ("brain",)


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "conversations",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("created_ms", Number, nullable=False),
    )
    op.create_table(
        "messages",
        sa.Column("number", Number, primary_key=True),
        sa.Column("conversation_id", sa.String(), sa.ForeignKey("conversations.id"), nullable=False, index=True),
        sa.Column("turn_id", sa.String(), nullable=False, index=True),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("tainted", sa.Boolean(), nullable=False),
        sa.Column("receipts", sa.String(), nullable=False),
        sa.Column("steps", sa.String(), nullable=False),
        sa.Column("created_ms", Number, nullable=False),
    )
    op.create_table(
        "approvals",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("conversation_id", sa.String(), sa.ForeignKey("conversations.id"), nullable=False, index=True),
        sa.Column("turn_id", sa.String(), nullable=False, index=True),
        sa.Column("call_id", sa.String(), nullable=False),
        sa.Column("tool", sa.String(), nullable=False),
        sa.Column("arguments", sa.String(), nullable=False),
        sa.Column("preview", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("result", sa.String(), nullable=False),
        sa.Column("receipts", sa.String(), nullable=False),
        sa.Column("tainted", sa.Boolean(), nullable=False),
        sa.Column("created_ms", Number, nullable=False),
        sa.Column("expires_ms", Number, nullable=False),
    )
    op.create_table(
        "usage",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("turn_id", sa.String(), nullable=False, index=True),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("input_tokens", Number, nullable=False),
        sa.Column("output_tokens", Number, nullable=False),
        sa.Column("cost", Number),
        sa.Column("settled", sa.Boolean(), nullable=False),
        sa.Column("at_ms", Number, nullable=False, index=True),
    )
