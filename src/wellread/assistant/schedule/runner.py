"""Runs due jobs: sleeps until the next time, marks a run as started, performs it, and stores the result."""

from collections.abc import Awaitable, Callable

import anyio

from wellread.assistant import outbox
from wellread.assistant.database import Store, new_id
from wellread.assistant.leases import LeaseWatch
from wellread.assistant.schedule import run_store
from wellread.assistant.schedule.jobs import RunState, ScheduledJob
from wellread.assistant.schedule.run_store import PlannedRun
from wellread.assistant.schedule.times import DAY
from wellread.assistant.wakeup import WakeupSignal, pause_s
from wellread.errors import UnavailableError, WellreadError
from wellread.ports import Clock, TextModel

MAX_CONCURRENT_RUNS = 4
"""Runs that go on at a time, never two of one job."""

LEASE_S = 60.0
"""A run whose runner has not stirred for so long is told as interrupted."""

RETENTION_MS = 90 * DAY
"""How long ended runs and sent messages are kept."""

Perform = Callable[[ScheduledJob], Awaitable[str]]
"""Does what a job asks for and returns what to tell its chat; raises a WellreadError for what cannot be done."""


def _nobody() -> None:
    """Wake nobody: messages are found in time."""


class Runner:
    """Runs the jobs of a store; several may serve one store."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        perform: Perform,
        *,
        model: Callable[[ScheduledJob], Awaitable[TextModel]] | None = None,
        told: Callable[[], None] = _nobody,
        lease_s: float = LEASE_S,
    ) -> None:
        """Take the parts.

        `model` returns what writes the report of a job that has a prompt for it. `told` is called when there is a
        message in the outbox, so that it is sent at once.
        """
        self._store = store
        self._clock = clock
        self._perform = perform
        self._model = model
        self._told = told
        self._free = MAX_CONCURRENT_RUNS
        self._lease_s = lease_s
        self._owner = new_id()
        self._wakeup = WakeupSignal()

    def ring(self) -> None:
        """Wake the runner after a change of jobs; without it the change is found within `wakeup.MAX_SLEEP_S`."""
        self._wakeup.ring()

    async def run(self) -> None:
        """Run due jobs until cancelled.

        Raises:
            UnavailableError: the store does not answer.
        """
        watch = LeaseWatch(self._lease_s)
        before_ms = self._clock.now_ms() - RETENTION_MS
        await self._store.run(lambda session: run_store.prune(session, before_ms))
        await self._store.run(lambda session: outbox.prune(session, before_ms))
        async with anyio.create_task_group() as tasks:
            while True:
                await self._interrupt(watch)
                await self._plan()
                while self._free and (order := await self._start()):
                    self._free -= 1
                    tasks.start_soon(self._do, order)
                await self._wakeup.wait(await self._pause_s())

    async def _plan(self) -> None:
        if await self._store.run(lambda session: run_store.plan(session, self._clock.now_ms())):
            self._told()  # what is given up as missed is told at once

    async def _start(self) -> PlannedRun | None:
        return await self._store.run(
            lambda session: run_store.start(session, owner=self._owner, now_ms=self._clock.now_ms())
        )

    async def _do(self, order: PlannedRun) -> None:
        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._stay_alive, order)
                state, body = await self._outcome(order.job)
                tasks.cancel_scope.cancel()
            with anyio.CancelScope(shield=True):  # it is done: whoever closes now waits until that is known
                await self._store.run(
                    lambda session: run_store.end(
                        session, order, state, body, owner=self._owner, now_ms=self._clock.now_ms()
                    )
                )
            self._told()
        finally:
            self._free += 1
            self._wakeup.ring()

    async def _stay_alive(self, order: PlannedRun) -> None:
        while True:
            await anyio.sleep(self._lease_s / 3)
            await self._store.run(lambda session: run_store.count_up_beat(session, order.run_id, owner=self._owner))

    async def _outcome(self, job: ScheduledJob) -> tuple[RunState, str]:
        try:
            return RunState.DONE, await self._report(job, await self._perform(job))
        except WellreadError as error:
            hint = f" ({error.hint})" if error.hint else ""
            return RunState.FAILED, f"{job.name} failed: {error.message}{hint}"
        except Exception as error:  # noqa: BLE001 - a mistake in one job must not end all others; it is told
            return RunState.FAILED, f"{job.name} failed because of a bug ({type(error).__name__})"

    async def _report(self, job: ScheduledJob, result: str) -> str:
        if job.synthesis is None or self._model is None or not result.strip():
            return result
        try:
            return await (await self._model(job)).answer(job.synthesis, result)
        except UnavailableError as error:
            return f"{result}\n\n(no summary: {error.message})"

    async def _interrupt(self, watch: LeaseWatch) -> None:
        beats = await self._store.run(lambda session: run_store.under_way(session, owner=self._owner))
        if dead_runs := {run: beats[run] for run in watch.dead(beats, anyio.current_time())}:
            await self._store.run(lambda session: run_store.mark_interrupted(session, dead_runs, self._clock.now_ms()))
            self._told()

    async def _pause_s(self) -> float:
        next_ms = await self._store.run(run_store.next_ms) if self._free else None
        return pause_s(next_ms, self._clock.now_ms())
