"""The first tables of schedules, outbox and tasks."""

import sqlalchemy as sa
from alembic import op

from wellread.assistant.migrations import Number

revision = "clockwork_0001"
down_revision = None
branch_labels = ("clockwork",)


def upgrade() -> None:
    """Make the tables."""
    _schedules()
    _outbox()
    _tasks()


def _schedules() -> None:
    op.create_table(
        "jobs",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("task", sa.Text(), nullable=False),
        sa.Column("synthesis", sa.Text()),
        sa.Column("channel", sa.String(64), nullable=False),
        sa.Column("chat", sa.String(200), nullable=False),
        sa.Column("said", sa.String(200), nullable=False),
        sa.Column("zone", sa.String(64), nullable=False),
        sa.Column("times", sa.Text(), nullable=False),
        sa.Column("misfire", sa.String(16), nullable=False),
        sa.Column("window_ms", Number, nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("next_ms", Number, nullable=False),
        sa.Column("created_ms", Number, nullable=False),
    )
    op.create_index("ix_jobs_state_next_ms", "jobs", ["state", "next_ms"])
    op.create_table(
        "runs",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column(
            "job_id",
            sa.String(32),
            sa.ForeignKey("jobs.id", name="fk_runs_job_id_jobs", ondelete="CASCADE"),
            nullable=False,
        ),
        sa.Column("due_ms", Number, nullable=False),
        sa.Column("last_ms", Number, nullable=False),
        sa.Column("count", Number, nullable=False),
        sa.Column("state", sa.String(16), nullable=False, index=True),
        sa.Column("owner", sa.String(32), nullable=False),
        sa.Column("beat", Number, nullable=False),
        sa.Column("started_ms", Number),
        sa.Column("ended_ms", Number),
        sa.Column("result", sa.Text(), nullable=False),
        sa.UniqueConstraint("job_id", "due_ms", name="uq_runs_job_id_due_ms"),
    )


def _outbox() -> None:
    op.create_table(
        "outbox",
        sa.Column("number", Number, primary_key=True),
        sa.Column("id", sa.String(32), nullable=False, unique=True),
        sa.Column("key", sa.String(200), nullable=False, unique=True),
        sa.Column("channel", sa.String(64), nullable=False),
        sa.Column("chat", sa.String(200), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("owner", sa.String(32), nullable=False),
        sa.Column("attempts", Number, nullable=False),
        sa.Column("maybe_sent", sa.Boolean(), nullable=False),
        sa.Column("created_ms", Number, nullable=False),
        sa.Column("deferred_ms", Number, nullable=False),
        sa.Column("next_ms", Number, nullable=False),
        sa.Column("sent_ms", Number),
        sa.Column("error", sa.Text(), nullable=False),
    )
    op.create_index("ix_outbox_state_channel", "outbox", ["state", "channel"])


def _tasks() -> None:
    op.create_table(
        "tasks",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("title", sa.String(200), nullable=False),
        sa.Column("notes", sa.Text(), nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("due_ms", Number),
        sa.Column("created_ms", Number, nullable=False),
        sa.Column("ended_ms", Number),
    )
    op.create_index("ix_tasks_status_due_ms", "tasks", ["status", "due_ms"])
