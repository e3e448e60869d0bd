"""Due times from planned to started to ended; each step is one transaction.

    job.next_ms ──plan──► planned ──start──► started ──end──► done | failed
                   │                           └── its runner died ──► interrupted
                   └─► missed

Planning moves the job's `next_ms` on and leaves the run in the same transaction, by an update that only one process can
win; so each due time is accounted for once, whatever dies when. Nothing acts before its run is marked as started.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Row, delete, func, select, update
from sqlalchemy.orm import Session

from wellread.assistant.database import changed_rows, new_id
from wellread.assistant.outbox import enqueue
from wellread.assistant.schedule.jobs import JobState, RunState, ScheduledJob, job_of
from wellread.assistant.schedule.misfires import decide_misfire
from wellread.assistant.schedule.schedule_tables import JobRow, RunRow
from wellread.assistant.schedule.times import MAX_TIME_MS, Due, Times, due_until
from wellread.assistant.schedule.zones import local_time_text

_UNDER_WAY = (RunState.PLANNED, RunState.STARTED)


@dataclass(frozen=True, slots=True)
class PlannedRun:
    """A run that is to be done."""

    run_id: str
    due_ms: int
    job: ScheduledJob


def plan(session: Session, now_ms: int) -> int:
    """Plan all due times: a run, or a record of missed times, for each due job; return how many.

    A job whose last run goes on is left until that has ended: it never runs twice at a time. A run whose runner died
    before it began is given up if its job does not want it that late.
    """
    late = sum(_give_up(session, run, job_of(job), now_ms) for run, job in _planned(session))
    busy = select(RunRow.id).where(RunRow.job_id == JobRow.id, RunRow.state.in_(_UNDER_WAY)).exists()
    rows = session.scalars(
        select(JobRow)
        .where(JobRow.state == JobState.ACTIVE, JobRow.next_ms <= now_ms, ~busy)
        .order_by(JobRow.next_ms, JobRow.id)
    )
    return late + sum(_plan(session, job_of(row), now_ms) for row in rows.all())


def _planned(session: Session) -> Sequence[Row[RunRow, JobRow]]:
    """Return the planned runs and their jobs by due time."""
    planned = (
        select(RunRow, JobRow)
        .join(JobRow, JobRow.id == RunRow.job_id)
        .where(RunRow.state == RunState.PLANNED)
        .order_by(RunRow.due_ms)
    )
    return session.execute(planned).all()


def _give_up(session: Session, run: RunRow, job: ScheduledJob, now_ms: int) -> bool:
    due = Due(run.due_ms, run.due_ms, 1)
    if not decide_misfire(due, None, now_ms, policy=job.misfire, window_ms=job.window_ms).missed:
        return False
    missed = _change(session, run.id, RunRow.state == RunState.PLANNED, state=RunState.MISSED, ended_ms=now_ms)
    if missed:
        _tell(session, job, run.id, f"{job.name}: {missed_text(run.due_ms, 1, job.zone)}", now_ms)
    return missed


def _plan(session: Session, job: ScheduledJob, now_ms: int) -> bool:
    first = first_unaccounted(session, job.id, job.times, job.next_ms)
    due = following = None
    if first is not None:
        due, following = due_until(job.times, first, now_ms), first
    if due is not None:
        following = job.times.next_ms(due.last_ms)
    if not _move_on(session, job, following) or due is None:
        return False  # another process has planned it, or it was due by a clock that has been put back
    before = None if due.count == 1 else job.times.last_ms(due.last_ms - 1)
    verdict = decide_misfire(due, before, now_ms, policy=job.misfire, window_ms=job.window_ms)
    if verdict.missed:
        _miss(session, job, verdict.missed, now_ms, notify=verdict.run_ms is None)
    if verdict.run_ms is not None:
        session.add(_row(job, Due(verdict.run_ms, verdict.run_ms, 1), RunState.PLANNED))
    session.flush()
    return True


def first_unaccounted(session: Session, job_id: str, times: Times, due_ms: int) -> int | None:
    """Return `due_ms`, or the first due time after the recorded runs; None when none is left.

    A job that is given other times after a clock was put back may name a time that it has run at already.
    """
    accounted = session.scalar(select(func.max(RunRow.last_ms)).where(RunRow.job_id == job_id))
    return due_ms if accounted is None or due_ms > accounted else times.next_ms(accounted)


def _move_on(session: Session, job: ScheduledJob, following: int | None) -> bool:
    state, next_ms = JobState.ACTIVE, following
    if next_ms is None:
        state, next_ms = JobState.DONE, MAX_TIME_MS
    moved = (
        update(JobRow)
        .where(JobRow.id == job.id, JobRow.state == JobState.ACTIVE, JobRow.next_ms == job.next_ms)
        .values(next_ms=next_ms, state=state)
    )
    return changed_rows(session, moved) == 1


def _miss(session: Session, job: ScheduledJob, missed: Due, now_ms: int, *, notify: bool) -> None:
    row = _row(job, missed, RunState.MISSED)
    row.ended_ms = now_ms
    session.add(row)
    if notify:
        _tell(session, job, row.id, f"{job.name}: {missed_text(missed.first_ms, missed.count, job.zone)}", now_ms)


def missed_text(first_ms: int, count: int, zone: str) -> str:
    """Return a sentence on missed due times."""
    when = local_time_text(first_ms, zone)
    if count == 1:
        return f"missed on {when}"
    return f"missed {count} times from {when} on"


def _row(job: ScheduledJob, due: Due, state: RunState) -> RunRow:
    return RunRow(
        id=new_id(), user_id=job.user_id, job_id=job.id, due_ms=due.first_ms, last_ms=due.last_ms, count=due.count,
        state=state, owner="", beat=0, started_ms=None, ended_ms=None, result="",
    )  # fmt: skip


def start(session: Session, *, owner: str, now_ms: int) -> PlannedRun | None:
    """Return the oldest planned run, marked as started by `owner`; None when there is none."""
    for run, job in _planned(session):
        order = PlannedRun(run.id, run.due_ms, job_of(job))
        started = {"state": RunState.STARTED, "owner": owner, "beat": 1, "started_ms": now_ms}
        if _change(session, run.id, RunRow.state == RunState.PLANNED, **started):
            return order
    return None


def count_up_beat(session: Session, run_id: str, *, owner: str) -> None:
    """Count up the beat of a run, as a sign that its runner lives."""
    session.execute(update(RunRow).where(RunRow.id == run_id, RunRow.owner == owner).values(beat=RunRow.beat + 1))


def end(session: Session, order: PlannedRun, state: RunState, body: str, *, owner: str, now_ms: int) -> None:
    """Store the end of a run, and its message in the same transaction; an empty `body` leaves no message.

    A run that was taken for interrupted, because its machine stood still, ends as well: its result is not lost.
    """
    mine = RunRow.state.in_((RunState.STARTED, RunState.INTERRUPTED)), RunRow.owner == owner
    if not _change(session, order.run_id, *mine, state=state, ended_ms=now_ms, result=body):
        return  # its job was deleted meanwhile
    missed = session.scalars(
        select(RunRow)
        .where(RunRow.job_id == order.job.id, RunRow.state == RunState.MISSED, RunRow.last_ms < order.due_ms)
        .order_by(RunRow.due_ms.desc())
        .limit(1)
    ).first()
    if words := "\n\n".join(filter(None, (body, _late(missed, order)))):
        _tell(session, order.job, order.run_id, words, now_ms)


def _late(missed: RunRow | None, order: PlannedRun) -> str:
    """Return a sentence on the times just before this one that were missed; a caught up run speaks for them."""
    if missed is None or order.job.times.next_ms(missed.last_ms) != order.due_ms:
        return ""
    return f"({missed_text(missed.due_ms, missed.count, order.job.zone)})"


def under_way(session: Session, *, owner: str) -> dict[str, int]:
    """Return every run that other owners have started and not ended, with its beat."""
    others = RunRow.state == RunState.STARTED, RunRow.owner != owner
    rows = session.execute(select(RunRow.id, RunRow.beat).where(*others))
    return {row.id: row.beat for row in rows}


def mark_interrupted(session: Session, dead: Mapping[str, int], now_ms: int) -> int:
    """Mark runs whose runner has died (id to its last seen beat), and leave a message of each; return how many."""
    count = 0
    for run_id, last_beat in dead.items():
        still = RunRow.state == RunState.STARTED, RunRow.beat == last_beat
        if _change(session, run_id, *still, state=RunState.INTERRUPTED, ended_ms=now_ms):
            run, job = session.execute(
                select(RunRow, JobRow).join(JobRow, JobRow.id == RunRow.job_id).where(RunRow.id == run_id)
            ).one()
            when = local_time_text(run.due_ms, job.zone)
            words = (
                f"{job.name}: the run of {when} was interrupted; it may have done part of its work, and is not repeated"
            )
            _tell(session, job_of(job), f"{run_id} interrupted", words, now_ms)
            count += 1
    return count


def next_ms(session: Session) -> int | None:
    """Return when the next job is due that is not held up by a run of its own; None when there is none."""
    busy = select(RunRow.id).where(RunRow.job_id == JobRow.id, RunRow.state.in_(_UNDER_WAY)).exists()
    return session.scalar(select(func.min(JobRow.next_ms)).where(JobRow.state == JobState.ACTIVE, ~busy))


def prune(session: Session, before_ms: int) -> None:
    """Delete runs that ended before `before_ms`."""
    session.execute(delete(RunRow).where(RunRow.ended_ms < before_ms))


def _tell(session: Session, job: ScheduledJob, about: str, body: str, now_ms: int) -> None:
    enqueue(
        session, account=job.user_id, channel=job.channel, chat=job.chat, body=body, key=f"run {about}", now_ms=now_ms
    )


def _change(session: Session, run_id: str, *unless: ColumnElement[bool], **values: object) -> bool:
    return changed_rows(session, update(RunRow).where(RunRow.id == run_id, *unless).values(**values)) == 1
