"""Jobs: create, list, change and delete them; each function works within a transaction of one user."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from wellread.assistant.database import find_row, new_id
from wellread.assistant.schedule.jobs import JobRun, JobState, ScheduledJob, job_of, run_of, times_to_json
from wellread.assistant.schedule.misfires import Misfire
from wellread.assistant.schedule.phrases import parse_times
from wellread.assistant.schedule.run_store import first_unaccounted
from wellread.assistant.schedule.schedule_tables import JobRow, RunRow
from wellread.assistant.schedule.times import MAX_TIME_MS
from wellread.assistant.schedule.zones import zone
from wellread.errors import InvalidInput

MAX_JOBS = 1_000
"""Jobs that are not done; a model that makes jobs in a loop stops here."""

MAX_TASK_CHARS = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class JobRequest:
    """The request for a new job."""

    task: str
    when: str
    name: str = ""
    """Its first words otherwise."""
    synthesis: str | None = None
    channel: str
    chat: str
    author: str
    zone: str
    misfire: Misfire = Misfire.ONCE
    window_ms: int = 0


def create(session: Session, request: JobRequest, now_ms: int) -> ScheduledJob:
    """Store a job.

    Raises:
        InvalidInput: the time is not understood or has passed, there is no task, or there are too many jobs.
    """
    task = request.task.strip()
    if not task:
        raise InvalidInput("the task is empty", hint="describe the task in one or two sentences")
    if len(task) > MAX_TASK_CHARS:
        raise InvalidInput("the task is too long", hint="describe the task in one or two sentences")
    open_jobs = session.scalars(select(JobRow.id).where(JobRow.state != JobState.DONE).limit(MAX_JOBS)).all()
    if len(open_jobs) == MAX_JOBS:
        raise InvalidInput(
            f"there are {MAX_JOBS:,} schedules already", hint="delete schedules that are no longer needed"
        )
    times = parse_times(request.when, request.zone, now_ms)
    first = times.next_ms(now_ms)
    row = JobRow(
        id=new_id(), name=_name(request.name or task), task=task, synthesis=request.synthesis or None,
        channel=request.channel, chat=request.chat, author=request.author, said=request.when.strip(),
        zone=zone(request.zone).key, times=times_to_json(times), misfire=request.misfire, window_ms=request.window_ms,
        state=JobState.ACTIVE,
        next_ms=MAX_TIME_MS if first is None else first, created_ms=now_ms,
    )  # fmt: skip
    session.add(row)
    session.flush()
    return job_of(row)


def _name(text: str) -> str:
    line = " ".join(text.split())
    if len(line) <= 60:
        return line
    return f"{line[:59].rsplit(' ', 1)[0]}…"


def jobs(session: Session, *, done: bool = False) -> list[ScheduledJob]:
    """Return the jobs by due time; with `done` also the jobs that have no time left."""
    query = select(JobRow)
    if not done:
        query = query.where(JobRow.state != JobState.DONE)
    return [job_of(row) for row in session.scalars(query.order_by(JobRow.next_ms, JobRow.created_ms, JobRow.id))]


def runs(session: Session, job_id: str, *, limit: int = 10) -> Sequence[JobRun]:
    """Return the latest runs of a job, the newest first."""
    rows = session.scalars(select(RunRow).where(RunRow.job_id == job_id).order_by(RunRow.due_ms.desc()).limit(limit))
    return [run_of(row) for row in rows]


def find(session: Session, name: str) -> ScheduledJob:
    """Return the job of an id, of its beginning (at least 4 characters), or of a name.

    Raises:
        InvalidInput: there is none, or more than one.
    """
    return job_of(_called(session, name))


def _called(session: Session, name: str) -> JobRow:
    return find_row(session, select(JobRow), name, "schedule", JobRow.id, JobRow.name)


def change(
    session: Session, name: str, now_ms: int, *, when: str | None = None, paused: bool | None = None
) -> ScheduledJob:
    """Change a job's times, pause it, or resume it; due times during a pause are not made up for.

    Raises:
        InvalidInput: there is no such job, or the time is not understood.
    """
    row = _called(session, name)
    job = job_of(row)
    times = job.times if when is None else parse_times(when, job.zone, now_ms)
    if when is not None:
        row.said, row.times = when.strip(), times_to_json(times)
    if paused is not None:
        row.state = JobState.PAUSED if paused else JobState.ACTIVE
    elif when is not None and job.state is JobState.DONE:
        row.state = JobState.ACTIVE
    if when is not None or (paused is False and job.state is not JobState.ACTIVE):
        following = times.next_ms(now_ms)
        if following is not None:
            following = first_unaccounted(session, job.id, times, following)
        if following is None:
            row.state, following = JobState.DONE, MAX_TIME_MS
        row.next_ms = following
    session.flush()
    return job_of(row)


def delete(session: Session, name: str) -> ScheduledJob:
    """Delete a job and its runs; a run that has begun ends without a message.

    Raises:
        InvalidInput: there is no such job.
    """
    row = _called(session, name)
    job = job_of(row)
    session.delete(row)
    session.flush()
    return job
