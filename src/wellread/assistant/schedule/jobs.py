"""The values of schedules, frozen: a job, a run of it, and the JSON of a job's times."""

import json
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum

from wellread.assistant.database import frozen_row
from wellread.assistant.schedule.misfires import Misfire
from wellread.assistant.schedule.schedule_tables import JobRow, RunRow
from wellread.assistant.schedule.times import Cron, Days, Every, Once, Times


class JobState(StrEnum):
    """Whether a job's times count."""

    ACTIVE = "active"
    PAUSED = "paused"
    DONE = "done"
    """It has no time left."""


class RunState(StrEnum):
    """The state of a run."""

    PLANNED = "planned"
    """Somebody will run it; nothing has been done yet."""
    STARTED = "started"
    """Its runner acts."""
    DONE = "done"
    FAILED = "failed"
    INTERRUPTED = "interrupted"
    """Its runner died in the middle: what it did is not known, and it is not done again."""
    MISSED = "missed"
    """Nobody was there, and its job does not want it late."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledJob:
    """One task at given times, and the chat of its results."""

    id: str
    user_id: str
    """The account that it was made under, and is done as."""
    author: str
    """The account of whoever made it."""
    name: str
    task: str
    """What is to be done, in the words of the user."""
    synthesis: str | None
    """How a model shall report the result; None hands it on as it is."""
    channel: str
    chat: str
    said: str
    """When, in the words of the user."""
    zone: str
    times: Times
    misfire: Misfire
    window_ms: int
    state: JobState
    next_ms: int
    """The next due time; of no meaning once the state is done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobRun:
    """The run of a due time, or of several missed in a row."""

    id: str
    job_id: str
    due_ms: int
    last_ms: int
    count: int
    state: RunState
    started_ms: int | None
    ended_ms: int | None
    result: str


def times_to_json(times: Times) -> str:
    """Return due times as JSON."""
    fields = asdict(times)
    if isinstance(times, Days):
        fields["first"] = times.first.isoformat()
    return json.dumps({"kind": type(times).__name__.lower(), **fields})


def times_from_json(text: str) -> Times:
    """Return the due times that `times_to_json` wrote."""
    fields = json.loads(text)
    kind = fields.pop("kind")
    if kind == "days":
        return Days(**fields | {"first": datetime.fromisoformat(fields["first"])})
    kinds: dict[str, type[Times]] = {"cron": Cron, "every": Every, "once": Once}
    return kinds[kind](**fields)


def job_of(row: JobRow) -> ScheduledJob:
    """Return the frozen form of a row."""
    return frozen_row(
        ScheduledJob, row, times=times_from_json(row.times), misfire=Misfire(row.misfire), state=JobState(row.state)
    )


def run_of(row: RunRow) -> JobRun:
    """Return the frozen form of a row."""
    return frozen_row(JobRun, row, state=RunState(row.state))
