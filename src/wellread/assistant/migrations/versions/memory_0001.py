"""The first tables of memory and knowledge."""

import sqlalchemy as sa
from alembic import op

from wellread.assistant.migrations import Number

revision = "memory_0001"
down_revision = None
branch_labels = ("memory",)


def upgrade() -> None:
    """Make the tables."""
    _facts()
    _turns()
    _documents()


def _facts() -> None:
    op.create_table(
        "user_facts",
        sa.Column("id", sa.Text(), primary_key=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("category", sa.Text(), nullable=False),
        sa.Column("confidence", sa.Double(), nullable=False),
        sa.Column("first_ms", Number, nullable=False),
        sa.Column("seen_ms", Number, nullable=False),
        sa.Column("tainted", sa.Boolean(), nullable=False),
        sa.Column("bag", sa.LargeBinary(), nullable=False),
    )
    op.create_table(
        "user_fact_sources",
        sa.Column("fact", sa.Text(), sa.ForeignKey("user_facts.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("turn", sa.Text(), primary_key=True, index=True),
    )


def _turns() -> None:
    op.create_table(
        "memory_turns",
        sa.Column("number", Number, autoincrement=True, primary_key=True),
        sa.Column("id", sa.Text(), nullable=False, unique=True),
        sa.Column("conversation", sa.Text(), nullable=False, index=True),
        sa.Column("exchange", sa.Text(), nullable=False, index=True),
        sa.Column("speaker", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at_ms", Number, nullable=False),
        sa.Column("tainted", sa.Boolean(), nullable=False),
        sa.Column("bag", sa.LargeBinary(), nullable=False),
    )
    op.create_table(
        "memory_waiting",
        sa.Column("exchange", sa.Text(), primary_key=True),
        sa.Column("recalled", sa.Text(), nullable=False),
        sa.Column("attempts", Number, nullable=False),
    )


def _documents() -> None:
    op.create_table(
        "documents",
        sa.Column("id", sa.Text(), primary_key=True),
        sa.Column("source", sa.Text(), nullable=False, unique=True),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at_ms", Number, nullable=False),
    )
    op.create_table(
        "chunks",
        sa.Column("document", sa.Text(), sa.ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("start", Number, autoincrement=False, primary_key=True),
        sa.Column("stop", Number, nullable=False),
        sa.Column("bag", sa.LargeBinary(), nullable=False),
        sa.Column("space", sa.Text(), nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=False),
    )
