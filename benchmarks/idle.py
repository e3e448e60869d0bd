"""What the assistant costs where nobody asks it anything: tokens of every request, and a day in which nothing happens.

    python benchmarks/idle.py

The day is simulated: the clock goes on by a minute, and whoever waits is woken, 1,440 times. A schedule, a task and a
fact are there, and none is due. At its end the schedule comes due, so that the count is seen to count.
"""

from __future__ import annotations

import tempfile
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
from sqlalchemy import event, func, select

from wellread.apps.build import Web, assistant
from wellread.assistant import task_list
from wellread.assistant.context import ContextBuilder
from wellread.assistant.models.model_client import ModelQuestion, question_tokens
from wellread.assistant.outbox import OutboxRow
from wellread.assistant.schedule import job_store
from wellread.config import CacheSettings, Settings
from wellread.sections import AssistantSettings, IntegrationSettings, RenderSettings, ScheduleSettings
from wellread.testing import FakeClock, ScriptedModel
from wellread.values import Secret

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from wellread.apps.assistant_runtime import AssistantRuntime
    from wellread.assistant.user_assistant import UserAssistant

MONDAY = datetime(2026, 9, 21, 10, 0, tzinfo=UTC)
MINUTES = 24 * 60
LOOKS = 5
"""Whoever is woken has looked once so many statements more were sent: the runner's and the courier's first."""


def made(folder: Path, *, integrations: bool) -> Settings:
    keys = {name: Secret("x") for name in ("linear", "google_client_id", "google_client_secret")}
    return replace(
        Settings(),
        cache=CacheSettings(dir=folder / "store"),
        render=RenderSettings(enabled=False),
        schedule=ScheduleSettings(timezone="Europe/Berlin"),
        assistant=AssistantSettings(workspace=folder / "desk", shell=True),
        integrations=IntegrationSettings(keys=keys if integrations else {}),
    )


def tokens(ready: UserAssistant, clock: FakeClock, *services: str) -> int:
    dispatch = ready.parts.dispatch
    fixed = ContextBuilder("Wellread", "Europe/Berlin").fixed(clock.now_ms(), dispatch.tools)
    return question_tokens(
        ModelQuestion(turn_id="", instructions=fixed, messages=(), tools=dispatch.definitions(services))
    )


async def day(home: AssistantRuntime, clock: FakeClock) -> int:
    """Let a day go by; return how many statements the store was sent."""
    sent: list[str] = []
    engine = home.database._engine  # noqa: SLF001 - what it is asked is counted where it leaves
    event.listen(engine, "before_cursor_execute", lambda *told: sent.append(told[2]))
    for _ in range(MINUTES):
        before = len(sent)
        clock.advance(60)
        home.runner.ring()
        home.courier.ring()
        while len(sent) < before + LOOKS:
            await anyio.lowlevel.checkpoint()
    return len(sent)


async def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder, clock, model = Path(name), FakeClock(MONDAY), ScriptedModel(["Calm."])
        models = {"chat": model.model(), "intent": model.model()}
        settings = made(folder, integrations=True)
        async with Web(settings) as web, assistant(settings, web, models=models, clock=clock) as home:
            ready = await home.owner()
            print(f"tokens of every request, with all integrations: {tokens(ready, clock):,}")
            print(f"once all of them were opened: {tokens(ready, clock, 'google', 'linear'):,}")
        settings = made(folder, integrations=False)
        async with Web(settings) as web, assistant(settings, web, models=models, clock=clock) as home:
            ready = await home.owner()
            print(f"tokens of every request: {tokens(ready, clock):,}")
            await ready.memory.add("Has a boat")

            def begin(session: Session) -> None:
                now = task_list.LocalNow(clock.now_ms(), "Europe/Berlin")
                task_list.create(session, "mend the gauge", now, due="in 3 days")
                wish = job_store.JobRequest(
                    task="Say how the sea is.",
                    when="in 25 hours",
                    channel="terminal",
                    chat="me",
                    author="owner",
                    zone="UTC",
                )
                job_store.create(session, wish, clock.now_ms())

            await ready.store.run(begin)
            async with home.on_duty():
                begun_s, worked_s = time.monotonic(), time.process_time()
                statements = await day(home, clock)
                letters = await ready.store.run(lambda it: it.scalar(select(func.count(OutboxRow.id))))
                print(f"a day in which nothing is due: {len(model.asked)} calls of models, {letters} letters, "
                      f"{statements:,} statements, {time.process_time() - worked_s:.1f} s of CPU "
                      f"in {time.monotonic() - begun_s:.1f} s")  # fmt: skip
                clock.advance(2 * 3_600)
                home.runner.ring()
                with anyio.fail_after(30):
                    while not model.asked:
                        await anyio.lowlevel.checkpoint()
                print(f"and when the schedule comes due: {len(model.asked)}")


if __name__ == "__main__":
    anyio.run(main)
