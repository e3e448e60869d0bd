"""The user's own tasks: title, due time and status; a few lines of them go into every prompt."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import Index, String, Text, func, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from wellread.assistant.database import Base, Private, find_row, frozen_row, new_id
from wellread.assistant.schedule.phrases import parse_times
from wellread.assistant.schedule.times import Once
from wellread.assistant.schedule.zones import local_time_text
from wellread.errors import InvalidInput

MAX_TITLE_CHARS = 200
MAX_NOTES_CHARS = 10_000
MAX_TASKS = 5_000
"""Tasks that are not done."""


class Status(StrEnum):
    """The status of a task."""

    OPEN = "open"
    DOING = "doing"
    DONE = "done"
    DROPPED = "dropped"


_LIVING = (Status.OPEN, Status.DOING)


class TaskRow(Private, Base):
    """One task."""

    __tablename__ = "tasks"
    shared_as = "tasks"
    __table_args__ = (Index("ix_tasks_status_due_ms", "status", "due_ms"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    title: Mapped[str] = mapped_column(String(MAX_TITLE_CHARS))
    notes: Mapped[str] = mapped_column(Text)
    status: Mapped[str] = mapped_column(String(16))
    due_ms: Mapped[int | None]
    created_ms: Mapped[int]
    ended_ms: Mapped[int | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One task."""

    id: str
    title: str
    notes: str
    status: Status
    due_ms: int | None
    created_ms: int
    ended_ms: int | None


@dataclass(frozen=True, slots=True)
class LocalNow:
    """The moment and the zone in which words like `tomorrow` are understood."""

    ms: int
    zone: str


def create(session: Session, title: str, now: LocalNow, *, notes: str = "", due: str = "") -> Task:
    """Store a task; `due` is a day or a time in words, for example `Friday` or `tomorrow at 18:00`.

    Raises:
        InvalidInput: there is no title, it is too long, the time is not understood, or there are too many tasks.
    """
    due_ms = _due_ms(due, now)
    open_count = session.scalar(select(func.count()).where(TaskRow.status.in_(_LIVING))) or 0
    if open_count >= MAX_TASKS:
        raise InvalidInput(f"there are {MAX_TASKS:,} open tasks already", hint="end some of them first")
    row = TaskRow(
        id=new_id(), title=_title(title), notes=_notes(notes), status=Status.OPEN, due_ms=due_ms, created_ms=now.ms,
        ended_ms=None,
    )  # fmt: skip
    session.add(row)
    session.flush()
    return _task(row)


def tasks(session: Session, *, status: Status | None = None, limit: int = 100) -> Sequence[Task]:
    """Return the tasks of a status, else all that are not ended; by due time, undated tasks last."""
    condition = TaskRow.status.in_(_LIVING) if status is None else TaskRow.status == status
    order = TaskRow.due_ms.is_(None), TaskRow.due_ms, TaskRow.created_ms, TaskRow.id
    query = select(TaskRow).where(condition).order_by(*order).limit(limit)
    return [_task(row) for row in session.scalars(query)]


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskChange:
    """A change to a task; None leaves a field as it is."""

    status: Status | None = None
    title: str | None = None
    notes: str | None = None
    due: str | None = None
    """A day or a time in words; empty for none."""


def update(session: Session, name: str, change: TaskChange, now: LocalNow) -> Task:
    """Change the task of an id, of its beginning (at least 4 characters), or of a title.

    Raises:
        InvalidInput: there is no such task, or more than one; or what it shall become is not understood.
    """
    row = find_row(session, select(TaskRow), name, "task", TaskRow.id, TaskRow.title)
    if change.title is not None:
        row.title = _title(change.title)
    if change.notes is not None:
        row.notes = _notes(change.notes)
    if change.due is not None:
        row.due_ms = _due_ms(change.due, now)
    if change.status is not None and change.status != row.status:
        row.status = change.status
        row.ended_ms = None if change.status in _LIVING else now.ms
    session.flush()
    return _task(row)


def summary(session: Session, now: LocalNow, *, limit: int = 15) -> list[str]:
    """Return the tasks that matter now as lines for a prompt, most urgent first, and a line for the rest."""
    lines = [line(task, now) for task in tasks(session, limit=limit)]
    count = session.scalar(select(func.count()).where(TaskRow.status.in_(_LIVING))) or 0
    if count > limit:
        lines.append(f"... and {count - limit} more")
    return lines


def line(task: Task, now: LocalNow) -> str:
    """Return a task as one line: `[3f2a] call the dentist, due Fri 27 Nov 2026, 18:00 (UTC)`."""
    due = ""
    if task.due_ms is not None:
        late = "overdue since" if task.due_ms < now.ms and task.status in _LIVING else "due"
        due = f", {late} {local_time_text(task.due_ms, now.zone)}"
    status = "" if task.status is Status.OPEN else f" ({task.status})"
    return f"[{task.id[:8]}] {task.title}{status}{due}"


def moment_of(text: str, now: LocalNow) -> int:
    """Return the moment that words name; a day without a time means its last minute.

    Raises:
        InvalidInput: they name none, or several.
    """
    try:
        times = parse_times(text, now.zone, now.ms)
    except InvalidInput as error:
        try:
            times = parse_times(f"{text} at 23:59", now.zone, now.ms)
        except InvalidInput:
            raise error from None
    if not isinstance(times, Once):
        raise InvalidInput(f"{text!r} is a repeated time", hint="use one date; for repeated times, create a schedule")
    return times.at_ms


def _due_ms(text: str, now: LocalNow) -> int | None:
    if not text.strip():
        return None
    return moment_of(text, now)


def _title(text: str) -> str:
    title = " ".join(text.split())
    if not title:
        raise InvalidInput("the task has no title", hint="set a title")
    if len(title) > MAX_TITLE_CHARS:
        raise InvalidInput("the title is too long", hint="put details into the notes")
    return title


def _notes(text: str) -> str:
    if len(text) > MAX_NOTES_CHARS:
        raise InvalidInput(f"notes of {len(text):,} characters", hint=f"at most {MAX_NOTES_CHARS:,}")
    return text.strip()


def _task(row: TaskRow) -> Task:
    return frozen_row(Task, row, status=Status(row.status))
