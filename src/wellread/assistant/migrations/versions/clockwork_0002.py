"""Whose schedules, letters and tasks these are. Tasks have no known origin, and belong to the owner."""

import sqlalchemy as sa
from alembic import op

from wellread.assistant.migrations import accounts

revision = "clockwork_0002"
down_revision = "clockwork_0001"
branch_labels = None


def upgrade() -> None:
    """Add the columns, and fill them by the conversation that results and letters go to."""
    accounts.add("jobs", "runs", "outbox", "tasks")
    op.add_column("jobs", sa.Column("author", sa.Text(), nullable=False, server_default=""))
    accounts.fill("jobs", accounts.of_conversation("jobs.chat"))
    accounts.fill("runs", "(SELECT jobs.user_id FROM jobs WHERE jobs.id = runs.job_id)")
    accounts.fill("outbox", accounts.of_conversation("outbox.chat"))
    accounts.fill("tasks", "'owner'")
