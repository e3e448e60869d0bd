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
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("category", sa.Text(), nullable=False),
        sa.Column("confidence", sa.Double(), nullable=False),
        sa.Column("first_ms", Number, nullable=False),
        sa.Column("seen_ms", Number, nullable=False),
        sa.Column("tainted", sa.Boolean(), nullable=False),
        sa.Column("bag", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_user_facts"),
    )
    op.create_table(
        "user_fact_sources",
        sa.Column("fact", sa.Text(), nullable=False),
        sa.Column("turn", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("fact", "turn", name="pk_user_fact_sources"),
        sa.ForeignKeyConstraint(["fact"], ["user_facts.id"], name="fk_user_fact_sources_fact", ondelete="CASCADE"),
    )
    op.create_index("ix_user_fact_sources_turn", "user_fact_sources", ["turn"])


def _turns() -> None:
    op.create_table(
        "memory_turns",
        sa.Column("number", Number, nullable=False, autoincrement=True),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("conversation", sa.Text(), nullable=False),
        sa.Column("exchange", sa.Text(), nullable=False),
        sa.Column("speaker", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at_ms", Number, nullable=False),
        sa.Column("tainted", sa.Boolean(), nullable=False),
        sa.Column("bag", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_memory_turns"),
        sa.UniqueConstraint("id", name="uq_memory_turns_id"),
    )
    op.create_index("ix_memory_turns_conversation", "memory_turns", ["conversation"])
    op.create_index("ix_memory_turns_exchange", "memory_turns", ["exchange"])
    op.create_table(
        "memory_waiting",
        sa.Column("exchange", sa.Text(), nullable=False),
        sa.Column("recalled", sa.Text(), nullable=False),
        sa.Column("attempts", Number, nullable=False),
        sa.PrimaryKeyConstraint("exchange", name="pk_memory_waiting"),
    )


def _documents() -> None:
    op.create_table(
        "documents",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at_ms", Number, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_documents"),
        sa.UniqueConstraint("source", name="uq_documents_source"),
    )
    op.create_table(
        "chunks",
        sa.Column("document", sa.Text(), nullable=False),
        sa.Column("start", Number, nullable=False, autoincrement=False),
        sa.Column("stop", Number, nullable=False),
        sa.Column("bag", sa.LargeBinary(), nullable=False),
        sa.Column("space", sa.Text(), nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("document", "start", name="pk_chunks"),
        sa.ForeignKeyConstraint(["document"], ["documents.id"], name="fk_chunks_document", ondelete="CASCADE"),
    )
