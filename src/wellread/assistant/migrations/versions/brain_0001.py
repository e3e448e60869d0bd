"""The first tables of conversations, approvals and usage."""

import sqlalchemy as sa
from alembic import op

from wellread.assistant.migrations import Number

revision = "brain_0001"
down_revision = None
branch_labels = ("brain",)


def upgrade() -> None:
    """Make the tables."""
    _conversations()
    _approvals()
    _usage()


def _conversations() -> None:
    op.create_table(
        "conversations",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("created_ms", Number, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_conversations"),
    )
    op.create_table(
        "messages",
        sa.Column("number", Number, nullable=False),
        sa.Column("conversation_id", sa.String(), nullable=False),
        sa.Column("turn_id", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("tainted", sa.Boolean(), nullable=False),
        sa.Column("receipts", sa.String(), nullable=False),
        sa.Column("steps", sa.String(), nullable=False),
        sa.Column("created_ms", Number, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_messages"),
        sa.ForeignKeyConstraint(["conversation_id"], ["conversations.id"], name="fk_messages_conversation_id"),
    )
    op.create_index("ix_messages_conversation_id", "messages", ["conversation_id"])
    op.create_index("ix_messages_turn_id", "messages", ["turn_id"])


def _approvals() -> None:
    op.create_table(
        "approvals",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("conversation_id", sa.String(), nullable=False),
        sa.Column("turn_id", sa.String(), nullable=False),
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
        sa.PrimaryKeyConstraint("id", name="pk_approvals"),
        sa.ForeignKeyConstraint(["conversation_id"], ["conversations.id"], name="fk_approvals_conversation_id"),
    )
    op.create_index("ix_approvals_conversation_id", "approvals", ["conversation_id"])
    op.create_index("ix_approvals_turn_id", "approvals", ["turn_id"])


def _usage() -> None:
    op.create_table(
        "usage",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("turn_id", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("input_tokens", Number, nullable=False),
        sa.Column("output_tokens", Number, nullable=False),
        sa.Column("cost", Number),
        sa.Column("settled", sa.Boolean(), nullable=False),
        sa.Column("at_ms", Number, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_usage"),
    )
    op.create_index("ix_usage_turn_id", "usage", ["turn_id"])
    op.create_index("ix_usage_at_ms", "usage", ["at_ms"])
