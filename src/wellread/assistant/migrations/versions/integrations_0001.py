"""The first table of integrations: tokens, encrypted."""

import sqlalchemy as sa
from alembic import op

from wellread.assistant.migrations import Number

revision = "integrations_0001"
down_revision = None
branch_labels = ("integrations",)


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "sealed",
        sa.Column("name", sa.Text(), primary_key=True),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("at_ms", Number, nullable=False),
    )
