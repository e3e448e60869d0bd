"""The process that is killed: a runner and a courier on one store, with a model and a channel that may kill it.

    python -m scenario.clockwork URL DELIVERIES STEP

DELIVERIES is the file of what has reached the channel, a line for each letter, on disk before the channel answers. STEP
names where the process kills itself, as by `kill -9`; with `none` it serves until all letters are sent, and ends.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from typing import TYPE_CHECKING

import anyio
import anyio.lowlevel

from wellread.apps.build import SystemClock
from wellread.assistant.database import Database
from wellread.assistant.outbox import Courier, LetterRow, LetterState
from wellread.assistant.schedule.runner import Runner
from wellread.assistant.schedule.tables import RunRow

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy.orm import Session

    from wellread.assistant.outbox import Letter
    from wellread.assistant.schedule.jobs import Job

STEPS = (
    "before the model answers", "after the model answered", "after the commit, before the send", "in the send",
    "after the send, before the mark", "after the mark",
)  # fmt: skip


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def write(deliveries: str | Path, line: dict[str, object]) -> None:
    with open(deliveries, "a", encoding="utf-8") as out:  # noqa: PTH123 - one call, as short as it can be
        out.write(json.dumps(line) + "\n")
        out.flush()
        os.fsync(out.fileno())


async def serve(url: str, deliveries: str, step: str) -> None:
    database = Database.open(url)
    clock = SystemClock()

    async def perform(job: Job) -> str:
        write(deliveries, {"acted": job.name})
        if step == "before the model answers":
            die()
        answer = f"{job.name} is done"
        if step == "after the model answered":
            die()
        return answer

    async def send(letter: Letter) -> None:
        if step == "after the commit, before the send":
            die()
        write(deliveries, {"sent": letter.text, "id": letter.id})
        if step == "in the send":
            die()
        await anyio.lowlevel.checkpoint()
        if step == "after the send, before the mark":
            die()

    def settled(session: Session) -> bool:
        letters = session.query(LetterRow).filter(LetterRow.state != LetterState.SENT).count()
        runs = session.query(RunRow).filter(RunRow.state.in_(("planned", "started"))).count()
        return letters + runs == 0 and session.query(LetterRow).count() > 0

    runner = Runner(database, clock, perform, lease_s=0.3)
    courier = Courier(database, clock, {"terminal": send}, lease_s=0.3)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(runner.run)
        tasks.start_soon(courier.run)
        while not await database.run(settled):
            runner.ring()
            courier.ring()
            await anyio.sleep(0.05)  # it looks from outside, as a person would
        if step == "after the mark":
            die()
        tasks.cancel_scope.cancel()
    database.close()


if __name__ == "__main__":
    anyio.run(serve, *sys.argv[1:])
