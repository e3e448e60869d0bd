"""The user of each token: tokens of older stores belong to the owner."""

import sqlalchemy as sa
from alembic import op

from wellread.assistant.migrations import Number

revision = "integrations_0002"
down_revision = "integrations_0001"
branch_labels = None


def upgrade() -> None:
    """Make the table anew, with the user in its key."""
    op.create_table(
        "sealed_new",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("at_ms", Number, nullable=False),
        sa.PrimaryKeyConstraint("user_id", "name", name="pk_sealed_new"),
    )
    op.execute(
        sa.text("INSERT INTO sealed_new (user_id, name, sealed, at_ms) SELECT 'owner', name, sealed, at_ms FROM sealed")
    )
    op.drop_table("sealed")
    op.rename_table("sealed_new", "sealed")
    if op.get_bind().dialect.name == "postgresql":
        op.execute(sa.text("ALTER TABLE sealed RENAME CONSTRAINT pk_sealed_new TO pk_sealed"))
