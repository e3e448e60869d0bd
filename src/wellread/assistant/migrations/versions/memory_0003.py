"""Whose facts, turns, topics and documents these are.

A fact belongs to the user in whose turn it was heard last: that user said it, in these words or nearly so. Its links to
turns of others are dropped. Documents have no known origin, and belong to the owner.
"""

import sqlalchemy as sa
from alembic import op

from wellread.assistant.migrations import Number, accounts

revision = "memory_0003"
down_revision = "memory_0002"
branch_labels = None

_MEMORY = ("user_facts", "user_fact_sources", "memory_turns", "conversation_topics", "memory_waiting")


def upgrade() -> None:
    """Add the columns and fill them; make the source of a document unique for its user alone."""
    accounts.add(*_MEMORY)
    accounts.fill("memory_turns", accounts.of_conversation("memory_turns.conversation"))
    accounts.fill("conversation_topics", accounts.of_conversation("conversation_topics.conversation"))
    accounts.fill("memory_waiting", _of_turn("memory_turns.exchange = memory_waiting.exchange"))
    accounts.fill("user_fact_sources", _of_turn("memory_turns.id = user_fact_sources.turn"))
    heard = "JOIN user_fact_sources ON user_fact_sources.turn = memory_turns.id"
    accounts.fill("user_facts", _of_turn("user_fact_sources.fact = user_facts.id", heard))
    op.execute(
        sa.text(
            "DELETE FROM user_fact_sources WHERE user_id <> "
            "(SELECT user_facts.user_id FROM user_facts WHERE user_facts.id = user_fact_sources.fact)"
        )
    )
    _documents()


def _of_turn(condition: str, join: str = "") -> str:
    last = f"SELECT memory_turns.user_id FROM memory_turns {join} WHERE {condition} ORDER BY memory_turns.number DESC"
    return f"COALESCE(({last} LIMIT 1), 'owner')"


def _documents() -> None:
    # Made anew: SQLite changes no constraint of a table, and to drop `documents` alone would delete its chunks.
    op.create_table(
        "documents_new",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at_ms", Number, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_documents_new"),
        sa.UniqueConstraint("user_id", "source", name="uq_documents_user_id_source"),
    )
    op.create_table(
        "chunks_new",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.Column("start", Number, autoincrement=False, nullable=False),
        sa.Column("stop", Number, nullable=False),
        sa.Column("bag", sa.LargeBinary(), nullable=False),
        sa.Column("space", sa.Text(), nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("document", "start", name="pk_chunks_new"),
        sa.ForeignKeyConstraint(["document"], ["documents_new.id"], name="fk_chunks_new", ondelete="CASCADE"),
    )
    for table, columns in (
        ("documents", "id, source, title, snapshot, text, at_ms"),
        ("chunks", "document, start, stop, bag, space, vector"),
    ):
        op.execute(sa.text(f"INSERT INTO {table}_new (user_id, {columns}) SELECT 'owner', {columns} FROM {table}"))
    for table in ("chunks", "documents"):
        op.drop_table(table)
    for table in ("documents", "chunks"):
        op.rename_table(f"{table}_new", table)
        op.create_index(f"ix_{table}_user_id", table, ["user_id"])
    if op.get_bind().dialect.name == "postgresql":
        for table, old, new in (
            ("documents", "pk_documents_new", "pk_documents"),
            ("chunks", "pk_chunks_new", "pk_chunks"),
            ("chunks", "fk_chunks_new", "fk_chunks_document_documents"),
        ):
            op.execute(sa.text(f"ALTER TABLE {table} RENAME CONSTRAINT {old} TO {new}"))
