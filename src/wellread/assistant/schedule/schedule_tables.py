"""The tables of schedules: jobs, and the runs of their due times."""

from sqlalchemy import ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from wellread.assistant.database import Base, Private


class JobRow(Private, Base):
    """One thing to be done at given times."""

    __tablename__ = "jobs"
    __table_args__ = (Index("ix_jobs_state_next_ms", "state", "next_ms"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    name: Mapped[str] = mapped_column(String(200))
    task: Mapped[str] = mapped_column(Text)
    synthesis: Mapped[str | None] = mapped_column(Text)
    channel: Mapped[str] = mapped_column(String(64))
    chat: Mapped[str] = mapped_column(String(200))
    author: Mapped[str] = mapped_column(Text)
    """The account of whoever made it, who alone may approve what its runs ask for."""
    said: Mapped[str] = mapped_column(String(200))
    zone: Mapped[str] = mapped_column(String(64))
    times: Mapped[str] = mapped_column(Text)
    """JSON, as `wellread.assistant.schedule.jobs` writes it."""
    misfire: Mapped[str] = mapped_column(String(16))
    window_ms: Mapped[int]
    state: Mapped[str] = mapped_column(String(16))
    next_ms: Mapped[int]
    """The first due time that is not yet accounted for; moves forward only."""
    created_ms: Mapped[int]


class RunRow(Private, Base):
    """The run of one due time, or of several missed in a row."""

    __tablename__ = "runs"
    __table_args__ = (
        UniqueConstraint("job_id", "due_ms", name="uq_runs_job_id_due_ms"),
        Index("ix_runs_state", "state"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    job_id: Mapped[str] = mapped_column(ForeignKey("jobs.id", name="fk_runs_job_id_jobs", ondelete="CASCADE"))
    due_ms: Mapped[int]
    last_ms: Mapped[int]
    """The last of several due times that were missed; else `due_ms` again."""
    count: Mapped[int]
    """How many due times this stands for."""
    state: Mapped[str] = mapped_column(String(16))
    owner: Mapped[str] = mapped_column(String(32))
    """Which runner has begun it."""
    beat: Mapped[int]
    """Counted up by its runner while it lives."""
    started_ms: Mapped[int | None]
    ended_ms: Mapped[int | None]
    result: Mapped[str] = mapped_column(Text)
