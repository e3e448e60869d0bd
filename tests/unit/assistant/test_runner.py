"""The runner: what it does when something is due, when it fails, when it was not there, and while nothing is due."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import anyio
import pytest
from sqlalchemy import select

from accounts import OWNER, owned
from wellread.apps.system_clock import SystemClock
from wellread.assistant import wakeup as bell_module
from wellread.assistant.database import Database, UserStore
from wellread.assistant.outbox import OutboxRow
from wellread.assistant.schedule import job_store, run_store
from wellread.assistant.schedule import runner as runner_module
from wellread.assistant.schedule.jobs import JobState, RunState, ScheduledJob
from wellread.assistant.schedule.misfires import Misfire
from wellread.assistant.schedule.runner import Runner
from wellread.assistant.schedule.zones import EPOCH
from wellread.assistant.wakeup import MAX_SLEEP_S, WakeupSignal
from wellread.errors import InvalidInput, Unreachable, WellreadError
from wellread.testing import FakeClock

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from sqlalchemy.orm import Session

    from wellread.ports import TextModel

T = TypeVar("T")
MINUTE = 60_000
HOUR = 60 * MINUTE
START = 1_790_000_000_000


def standing(at_ms: int) -> FakeClock:
    return FakeClock(EPOCH + timedelta(milliseconds=at_ms))


@dataclass
class Model:
    """Sums up in one word, or fails."""

    fails: bool = False
    asked: list[tuple[str, str]] = field(default_factory=list)

    async def answer(self, instructions: str, text: str, *, max_tokens: int = 1_000) -> str:
        self.asked.append((instructions, text))
        if self.fails:
            raise Unreachable("no model answers")
        return "calm"


def given(model: Model | None) -> Callable[[ScheduledJob], Awaitable[TextModel]] | None:
    async def give(_job: ScheduledJob) -> TextModel:
        assert model is not None
        return model

    return give if model else None


def wish(**other: object) -> job_store.JobRequest:
    given: dict[str, object] = {
        "task": "read the tide table", "name": "tides", "when": "every hour", "channel": "terminal", "chat": "me",
        "author": "owner", "zone": "UTC",
    } | other  # fmt: skip
    return job_store.JobRequest(**given)  # type: ignore[arg-type]  # the fields of a wish, one by one


async def made(store: UserStore, asked: job_store.JobRequest, now_ms: int = START) -> ScheduledJob:
    return await store.run(lambda session: job_store.create(session, asked, now_ms))


async def letters(store: UserStore) -> list[str]:
    return await store.run(lambda session: list(session.scalars(select(OutboxRow.body).order_by(OutboxRow.number))))


async def states(store: UserStore, job: ScheduledJob) -> list[tuple[str, int]]:
    runs = await store.run(lambda session: job_store.runs(session, job.id))
    return [(run.state, run.count) for run in reversed(runs)]


@dataclass
class Doer:
    """Does what a job asks for: says so, or fails."""

    error: Exception | None = None
    done: list[str] = field(default_factory=list)

    async def perform(self, job: ScheduledJob) -> str:
        self.done.append(job.task)
        if self.error:
            raise self.error
        return "low water at nine"


async def one_run(store: UserStore, doer: Doer, *, late_ms: int = 0, model: Model | None = None) -> list[str]:
    bell = WakeupSignal()
    runner = Runner(store, standing(START + HOUR + late_ms), doer.perform, model=given(model), told=bell.ring)
    ended: list[str] = []

    async def watch() -> None:
        while not ended:
            await bell.wait(10)
            ended.extend(await letters(store))

    with anyio.fail_after(60):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(runner.run)
            await watch()
            tasks.cancel_scope.cancel()
    return ended


async def test_what_is_due_is_done_and_its_result_goes_to_its_chat(store: UserStore) -> None:
    job = await made(store, wish())
    doer = Doer()
    assert await one_run(store, doer) == ["low water at nine"]
    assert doer.done == ["read the tide table"]
    assert await states(store, job) == [(RunState.DONE, 1)]


async def test_a_model_sums_up_what_asks_for_it_and_no_other_is_asked(store: UserStore) -> None:
    await made(store, wish(synthesis="in one word"))
    model = Model()
    assert await one_run(store, Doer(), model=model) == ["calm"]
    assert model.asked == [("in one word", "low water at nine")]


async def test_a_result_that_no_model_sums_up_is_told_as_it_is(store: UserStore) -> None:
    await made(store, wish(synthesis="in one word"))
    told = await one_run(store, Doer(), model=Model(fails=True))
    assert told == ["low water at nine\n\n(no summary: no model answers)"]


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (Unreachable("nothing answers there", hint="try later"), "tides failed: nothing answers there (try later)"),
        (ZeroDivisionError("secret"), "tides failed because of a bug (ZeroDivisionError)"),
    ],
)
async def test_a_run_that_fails_says_why_and_is_not_repeated(store: UserStore, error: Exception, says: str) -> None:
    job = await made(store, wish())
    doer = Doer(error)
    assert await one_run(store, doer) == [says]
    assert len(doer.done) == 1
    assert await states(store, job) == [(RunState.FAILED, 1)]


async def test_one_run_makes_up_for_all_that_were_missed_and_says_so(store: UserStore) -> None:
    job = await made(store, wish())
    told = await one_run(store, Doer(), late_ms=5 * HOUR)
    assert told == ["low water at nine\n\n(missed 5 times from Mon 21 Sep 2026, 15:13 (UTC) on)"]
    assert await states(store, job) == [(RunState.MISSED, 5), (RunState.DONE, 1)]


@pytest.mark.parametrize(
    ("misfire", "late_ms", "acts"),
    [
        (Misfire.SKIP, MINUTE, True),
        (Misfire.SKIP, MINUTE + 1, False),
        (Misfire.WINDOW, 20 * MINUTE, True),
        (Misfire.WINDOW, 20 * MINUTE + 1, False),
        (Misfire.ONCE, 59 * MINUTE, True),
    ],
)
async def test_a_late_run_is_done_only_if_its_job_wants_it(
    store: UserStore, misfire: Misfire, late_ms: int, acts: bool
) -> None:
    job = await made(store, wish(misfire=misfire, window_ms=20 * MINUTE))
    doer = Doer()
    told = await one_run(store, doer, late_ms=late_ms)
    assert told == (["low water at nine"] if acts else ["tides: missed on Mon 21 Sep 2026, 15:13 (UTC)"])
    assert bool(doer.done) == acts
    assert await states(store, job) == [(RunState.DONE if acts else RunState.MISSED, 1)]


async def test_old_planned_run_that_never_began_is_checked_again(store: UserStore) -> None:
    job = await made(store, wish(misfire=Misfire.SKIP))
    await store.run(lambda session: run_store.plan(session, START + HOUR))
    doer = Doer()
    assert await one_run(store, doer, late_ms=30 * MINUTE) == ["tides: missed on Mon 21 Sep 2026, 15:13 (UTC)"]
    assert doer.done == []
    assert await states(store, job) == [(RunState.MISSED, 1)]


async def test_a_job_never_runs_twice_at_a_time(store: UserStore) -> None:
    job = await made(store, wish())
    await store.run(lambda session: run_store.plan(session, START + HOUR))
    order = await store.run(lambda session: run_store.start(session, owner="one", now_ms=START + HOUR))
    assert order is not None
    assert await store.run(lambda session: run_store.plan(session, START + 3 * HOUR)) == 0
    assert await store.run(run_store.next_ms) is None
    await store.run(
        lambda session: run_store.end(session, order, RunState.DONE, "", owner="one", now_ms=START + 3 * HOUR)
    )
    assert await store.run(lambda session: run_store.plan(session, START + 3 * HOUR)) == 1
    assert await states(store, job) == [(RunState.DONE, 1), (RunState.MISSED, 1), (RunState.PLANNED, 1)]
    assert await letters(store) == [], "a run that has nothing to say says nothing"


async def test_a_run_taken_for_dead_that_ends_after_all_tells_its_result(store: UserStore) -> None:
    job = await made(store, wish())
    await store.run(lambda session: run_store.plan(session, START + HOUR))
    order = await store.run(lambda session: run_store.start(session, owner="slow", now_ms=START + HOUR))
    assert order is not None
    seen = await store.run(lambda session: run_store.under_way(session, owner="other"))
    assert await store.run(lambda session: run_store.mark_interrupted(session, seen, START + HOUR)) == 1
    await store.run(lambda session: run_store.end(session, order, RunState.DONE, "calm", owner="slow", now_ms=START))
    told = await letters(store)
    assert "was interrupted" in told[0]
    assert told[1:] == ["calm"]
    assert await states(store, job) == [(RunState.DONE, 1)]


async def test_a_living_runner_shows_that_it_lives(store: UserStore) -> None:
    await made(store, wish())
    proceed = anyio.Event()
    beats: list[int] = []

    async def perform(_job: ScheduledJob) -> str:
        await proceed.wait()
        return "calm"

    bell = WakeupSignal()
    runner = Runner(store, standing(START + HOUR), perform, told=bell.ring, lease_s=0.03)
    with anyio.fail_after(60):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(runner.run)
            while not beats or max(beats) < 3:
                beats += (await store.run(lambda session: run_store.under_way(session, owner=""))).values()
            proceed.set()
            while not await letters(store):
                await bell.wait(1)
            tasks.cancel_scope.cancel()
    assert await letters(store) == ["calm"]


async def test_other_times_after_a_clock_was_put_back_repeat_nothing(store: UserStore) -> None:
    job = await made(store, wish(when="0 * * * *"))
    await one_run(store, Doer())
    done = await store.run(lambda session: job_store.runs(session, job.id))
    earlier = START - 5 * HOUR
    changed = await store.run(lambda session: job_store.change(session, "tides", earlier, when="*/30 * * * *"))
    assert changed.next_ms > done[0].due_ms


async def test_a_pause_is_not_made_up_for(store: UserStore) -> None:
    await made(store, wish())
    await store.run(lambda session: job_store.change(session, "tides", START, paused=True))
    assert await store.run(lambda session: run_store.plan(session, START + 9 * HOUR)) == 0
    job = await store.run(lambda session: job_store.change(session, "tides", START + 9 * HOUR, paused=False))
    assert job.next_ms == START + 10 * HOUR


async def test_what_is_due_once_is_done_and_stays_in_the_book(store: UserStore) -> None:
    await made(store, wish(when="in an hour"))
    await one_run(store, Doer())
    assert await store.run(job_store.jobs) == []
    (job,) = await store.run(lambda session: job_store.jobs(session, done=True))
    assert job.state is JobState.DONE


async def test_a_job_is_found_by_its_id_its_beginning_or_its_name(store: UserStore) -> None:
    job = await made(store, wish())
    for which in (job.id, job.id[:4], "tides"):
        assert await store.run(partial(job_store.find, name=which)) == job
    await made(store, wish())
    for which in ("tides", "nothing", job.id[:3], "%%%%"):
        with pytest.raises(InvalidInput):
            await store.run(partial(job_store.find, name=which))


@pytest.mark.parametrize("task", ["", "   ", "x" * (job_store.MAX_TASK_CHARS + 1)])
async def test_a_job_without_a_task_that_can_be_done_is_refused(store: UserStore, task: str) -> None:
    with pytest.raises(WellreadError):
        await made(store, wish(task=task))


async def test_jobs_made_in_a_loop_come_to_an_end(store: UserStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_store, "MAX_JOBS", 2)
    for _ in range(2):
        await made(store, wish())
    with pytest.raises(InvalidInput, match="2 schedules already"):
        await made(store, wish())


async def test_runs_that_ended_long_ago_are_forgotten(store: UserStore) -> None:
    job = await made(store, wish())
    await one_run(store, Doer())
    await store.run(lambda session: run_store.prune(session, START + 2 * HOUR))
    assert await states(store, job) == []


async def test_runner_sleeps_until_the_next_due_time() -> None:
    opened = Database.open("sqlite://")
    store = owned(opened)
    looked = 0

    class Counted(UserStore):
        async def run(self, work: Callable[[Session], T]) -> T:
            nonlocal looked
            looked += 1
            return await store.run(work)

    model, bell = Model(), WakeupSignal()
    clock = SystemClock()
    begun_ms = clock.now_ms()
    await made(store, wish(when="in 2 seconds", synthesis="in one word"), begun_ms)
    runner = Runner(Counted(opened._engine, OWNER), clock, Doer().perform, model=given(model), told=bell.ring)
    with anyio.fail_after(60):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(runner.run)
            while not await letters(store):
                assert model.asked == [] or clock.now_ms() >= begun_ms + 2_000, "nobody is asked before it is due"
                await bell.wait(MAX_SLEEP_S)
            tasks.cancel_scope.cancel()
    assert await letters(store) == ["calm"]
    assert looked <= 16, "a pass is half a dozen looks: one before it slept, one when it was due, one after"
    opened.close()


@pytest.mark.parametrize("due_in_ms", [5_000, 3_600_000])
async def test_length_of_the_sleep_of_the_runner(due_in_ms: int, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []

    class Recorded(WakeupSignal):
        async def wait(self, seconds: float) -> None:
            slept.append(seconds)
            await anyio.sleep_forever()

    monkeypatch.setattr(runner_module, "WakeupSignal", Recorded)
    opened = Database.open("sqlite://")
    store = owned(opened)
    await made(store, wish(when=f"in {due_in_ms // 1_000} seconds"))
    runner = Runner(store, standing(START), Doer().perform)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(runner.run)
        with anyio.fail_after(60):
            while not slept:
                await anyio.wait_all_tasks_blocked()
        tasks.cancel_scope.cancel()
    assert slept == [due_in_ms / 1_000]
    opened.close()


async def test_a_bell_wakes_the_one_who_waits_or_the_next_one(monkeypatch: pytest.MonkeyPatch) -> None:
    bell = WakeupSignal()
    bell.ring()
    monkeypatch.setattr(bell_module, "MAX_SLEEP_S", 3_600)
    with anyio.fail_after(60):
        await bell.wait(3_600)
    monkeypatch.setattr(bell_module, "MAX_SLEEP_S", 0.01)
    with anyio.fail_after(60):
        await bell.wait(3_600)
