"""Whatever the cron expression, the zone, the change of clocks, the crash and the downtime: each time is done once."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, select

from accounts import owned
from clocks import Fields, daily, due_times, fields, near_a_change
from wellread.assistant.database import Database, UserStore, _ScopedSession
from wellread.assistant.outbox import OutboxRow
from wellread.assistant.schedule import job_store, run_store
from wellread.assistant.schedule.jobs import RunState
from wellread.assistant.schedule.misfires import Misfire
from wellread.assistant.schedule.schedule_tables import JobRow, RunRow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy.orm import Session

T = TypeVar("T")
MINUTE = 60_000
Event = tuple[str, int]

DEATHS = ("after planning", "after starting", "after acting", "after ending")


class Killed(BaseException):
    """The process is gone, in the middle of a step."""


@dataclass
class Machine:
    """A machine that runs a job by the steps of the runner, with a clock and a life that can be tampered with."""

    database: UserStore
    now_ms: int
    late_ms: int
    job_id: str = ""
    lives: int = 0
    horizon_ms: int = 0
    """The latest time that it has planned up to."""
    performed: list[int] = field(default_factory=list)
    watched: list[tuple[int, int]] = field(default_factory=list)
    """Spans in which a healthy runner was there, and the clock showed something new."""
    dies: str = ""

    def live(self, minutes: int) -> None:
        """Serve for so long, or until it dies."""
        end_ms = self.now_ms + minutes * MINUTE
        self.lives += 1
        try:
            self._recover()
            self._step()
            since_ms = max(self.now_ms, self.horizon_ms)
            while (due := self._do(run_store.next_ms)) is not None and due + self.late_ms <= end_ms:
                self.now_ms = max(self.now_ms, due + self.late_ms)
                self._step()
            self.now_ms = end_ms
            self._step()
        except Killed:
            return
        if not self.dies:
            self.watched.append((since_ms, end_ms))

    def _step(self) -> None:
        self._do(lambda session: run_store.plan(session, self.now_ms))
        self.horizon_ms = max(self.horizon_ms, self.now_ms)
        while True:
            self._die("after planning", self.dies == "after planning" and self._do(planned))
            order = self._do(lambda session: run_store.start(session, owner=f"life {self.lives}", now_ms=self.now_ms))
            if order is None:
                return
            self._die("after starting", True)
            self.performed.append(order.due_ms)
            self._die("after acting", True)
            self._end(order)
            self._die("after ending", True)

    def _end(self, order: run_store.PlannedRun) -> None:
        self._do(
            lambda session: run_store.end(
                session, order, RunState.DONE, "done", owner=f"life {self.lives}", now_ms=self.now_ms
            )
        )

    def _recover(self) -> None:
        """What the runner does once it has seen that an earlier one stirs no more."""
        dead = self._do(lambda session: run_store.under_way(session, owner=f"life {self.lives}"))
        self._do(lambda session: run_store.mark_interrupted(session, dead, self.now_ms))

    def _die(self, where: str, here: bool) -> None:
        if here and self.dies == where:
            self.dies = ""
            raise Killed

    def _do(self, work: Callable[[Session], T]) -> T:
        with _ScopedSession(self.database._engine, info=self.database._info) as session, session.begin():
            return work(session)


def planned(session: Session) -> bool:
    return session.scalar(select(RunRow.id).where(RunRow.state == RunState.PLANNED)) is not None


@pytest.fixture(scope="module")
def database() -> Iterator[UserStore]:
    opened = Database.open("sqlite://")
    yield owned(opened)
    opened.close()


def happen(machine: Machine, event: Event) -> None:
    kind, minutes = event
    if kind == "live":
        machine.live(minutes)
    elif kind == "back":
        machine.now_ms -= minutes * MINUTE
    elif kind in DEATHS:
        machine.dies = kind
        machine.live(minutes)
        machine.dies = ""
    else:  # down, or the clock is put forward: to the runner they are one
        machine.now_ms += minutes * MINUTE


@dataclass(frozen=True)
class Tale:
    """One case: what is due where, and what happens to the machine meanwhile."""

    fields: Fields
    place: tuple[str, int]
    events: list[Event]
    misfire: Misfire
    late_ms: int


def tell(database: UserStore, tale: Tale) -> None:
    zone, created_ms = tale.place
    machine = Machine(database, created_ms, tale.late_ms)
    wish = job_store.JobRequest(
        task="tell", when=tale.fields.expression(), channel="terminal", chat="me", author="owner", zone=zone,
        misfire=tale.misfire, window_ms=90 * MINUTE,
    )  # fmt: skip
    for table in (OutboxRow, RunRow, JobRow):
        machine._do(lambda session, table=table: session.execute(delete(table)))  # type: ignore[misc]  # bound at once
    machine.job_id = machine._do(lambda session: job_store.create(session, wish, created_ms)).id
    for event in tale.events:
        happen(machine, event)
    machine.live(24 * 60)
    check(machine, due_times(tale.fields, zone, created_ms, machine.horizon_ms), tale.misfire)


def check(machine: Machine, expected: list[int], misfire: Misfire) -> None:
    runs = machine._do(lambda session: job_store.runs(session, machine.job_id, limit=10_000))
    states = {run.due_ms: run.state for run in runs}
    told = Counter(machine._do(lambda session: list(session.scalars(select(OutboxRow.key)))))

    accounted = []
    for run in runs:
        stands_for = [due for due in expected if run.due_ms <= due <= run.last_ms]
        assert len(stands_for) == run.count
        accounted += stands_for
    assert sorted(accounted) == expected, "0 missed, 0 doubled: each due time is accounted for once"

    performed = Counter(machine.performed)
    for run in runs:
        assert run.state in {RunState.DONE, RunState.INTERRUPTED, RunState.MISSED}, "nothing is left hanging"
        acted = performed.pop(run.due_ms, 0)
        assert acted == 1 if run.state is RunState.DONE else acted <= (run.state is RunState.INTERRUPTED)
        assert told[f"run {run.id}"] == 1 if run.state is RunState.DONE else told[f"run {run.id}"] <= 1
        assert told[f"run {run.id} interrupted"] == (run.state is RunState.INTERRUPTED)
        if run.state is RunState.MISSED and misfire is Misfire.ONCE:
            following = next(due for due in expected if due > run.last_ms)
            assert states[following] is not RunState.MISSED, "one run makes up for all that were missed"
    assert not performed, "nothing was done that is not accounted for"

    for since_ms, until_ms in machine.watched:
        seen = [due for due in expected if since_ms < due and due + machine.late_ms <= until_ms]
        assert all(states.get(due) is RunState.DONE for due in seen), "nothing is missed while a runner is there"


minutes = st.one_of(st.integers(1, 90), st.integers(60, 2_000))
events = st.tuples(st.sampled_from(["live", "live", "down", "back", "forward", *DEATHS]), minutes)
tales = st.builds(
    Tale,
    fields=st.one_of(daily, daily, fields.filter(lambda each: each.minutes is not None)),
    place=near_a_change(),
    events=st.lists(events, min_size=1, max_size=6),
    misfire=st.sampled_from(list(Misfire)),
    late_ms=st.sampled_from([0, 1, 900, 30_000]),
)
relaxed = settings(deadline=None, suppress_health_check=list(HealthCheck))


@settings(relaxed, max_examples=100)
@given(tales)
def test_each_due_time_is_accounted_for_once(database: UserStore, tale: Tale) -> None:
    tell(database, tale)


@pytest.mark.slow
@settings(relaxed, max_examples=10_000)
@given(tales)
def test_each_due_time_is_accounted_for_once_ten_thousand_times(database: UserStore, tale: Tale) -> None:
    tell(database, tale)
