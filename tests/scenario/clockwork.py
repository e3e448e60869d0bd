"""The process that is killed: a runner and a courier on one store, with a model and a channel that may kill it.

`deliveries` is the file of what was done and what has reached the channel, a line for each, on disk before all else
happens. `step` names where the process kills itself, as by `kill -9`; with `none` it ends when all letters are sent.
"""

from __future__ import annotations

import json
import os
import signal
from typing import TYPE_CHECKING

import anyio
import anyio.lowlevel

from wellread.apps.system_clock import SystemClock
from wellread.assistant.database import Database
from wellread.assistant.outbox import OutboxRow, OutboxState, OutboxWorker
from wellread.assistant.schedule.runner import Runner
from wellread.assistant.schedule.schedule_tables import RunRow

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy.orm import Session

    from wellread.assistant.outbox import OutboxMessage
    from wellread.assistant.schedule.jobs import ScheduledJob

STEPS = (
    "before the model answers", "after the model answered", "after the commit, before the send", "in the send",
    "after the send, before the mark", "after the mark",
)  # fmt: skip


def write(deliveries: str | Path, line: dict[str, object]) -> None:
    with open(deliveries, "a", encoding="utf-8") as out:  # noqa: PTH123 - one call, as short as it can be
        out.write(json.dumps(line) + "\n")
        out.flush()
        os.fsync(out.fileno())


class Killable:
    """A model and a channel that note what they do, and kill the process where they are told to."""

    def __init__(self, deliveries: str, step: str) -> None:
        self._deliveries = deliveries
        self._step = step

    def die_if(self, step: str) -> None:
        if self._step == step:
            os.kill(os.getpid(), signal.SIGKILL)

    async def perform(self, job: ScheduledJob) -> str:
        write(self._deliveries, {"acted": job.name})
        self.die_if("before the model answers")
        answer = f"{job.name} is done"
        self.die_if("after the model answered")
        return answer

    async def send(self, letter: OutboxMessage) -> None:
        self.die_if("after the commit, before the send")
        write(self._deliveries, {"sent": letter.text, "id": letter.id})
        self.die_if("in the send")
        await anyio.lowlevel.checkpoint()
        self.die_if("after the send, before the mark")


def settled(session: Session) -> bool:
    """Tell whether there is nothing left to do, and something has been done.

    Runs are counted first. On PostgreSQL others write between two questions: the last run may end after the first,
    and its letter, committed with its end, is then seen by the second.
    """
    if session.query(RunRow).filter(RunRow.state.in_(("planned", "started"))).count():
        return False
    unsent = session.query(OutboxRow).filter(OutboxRow.state != OutboxState.SENT).count()
    return not unsent and session.query(OutboxRow).count() > 0


async def serve(url: str, deliveries: str, step: str, lease_s: float) -> None:
    """Serve until all is settled."""
    database = Database.open(url)
    store = database.for_all_users()
    clock = SystemClock()
    killable = Killable(deliveries, step)
    runner = Runner(store, clock, killable.perform, lease_s=lease_s)
    courier = OutboxWorker(store, clock, {"terminal": killable.send}, lease_s=lease_s)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(runner.run)
        tasks.start_soon(courier.run)
        while not await store.run(settled):
            runner.ring()
            courier.ring()
            await anyio.sleep(0.05)  # it looks from outside, as a person would
        killable.die_if("after the mark")
        tasks.cancel_scope.cancel()
    database.close()
