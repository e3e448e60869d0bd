"""The tools over schedules and tasks: what they take, what they answer, and the receipts they leave."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import jsonschema
import pytest

from wellread.assistant.schedule import job_store
from wellread.assistant.schedule.misfires import Misfire
from wellread.assistant.tool_types import Effect
from wellread.assistant.tools.schedule_tools import ScheduleContext, schedule_tools
from wellread.assistant.tools.task_tools import task_tools
from wellread.errors import InvalidInput
from wellread.testing import FakeClock

if TYPE_CHECKING:
    from wellread.assistant.database import UserStore
    from wellread.assistant.tool_types import Tool, ToolResult

MINUTE = 60_000
MONDAY = datetime(2026, 9, 21, 8, tzinfo=UTC)


def tools(store: UserStore, rung: list[str] | None = None) -> dict[str, Tool]:
    place = ScheduleContext("telegram", "42", "telegram:42", "Europe/Berlin")
    made = schedule_tools(
        store, FakeClock(MONDAY), lambda: place, changed=lambda: (rung if rung is not None else []).append("rung")
    )
    return {tool.name: tool for tool in (*made, *task_tools(store, FakeClock(MONDAY), "Europe/Berlin"))}


async def call(tool: Tool, **arguments: object) -> ToolResult:
    jsonschema.validate(arguments, tool.parameters)
    return await tool.run(arguments)


async def test_a_schedule_is_made_listed_changed_and_deleted_with_receipts(store: UserStore) -> None:
    rung: list[str] = []
    offered = tools(store, rung)
    made = await call(
        offered["schedule_create"], when="every weekday at 9", task="Sum up the news.", name="news", report="briefly",
        if_missed="window", window_minutes=30,
    )  # fmt: skip
    receipt = "schedule created: news, at 09:00 on Monday through Friday (Europe/Berlin), next Tue 22 Sep 2026, 09:00"
    assert made.receipts == (f"{receipt} (Europe/Berlin)",)
    assert made.text.startswith("Schedule created: news")

    (job,) = await store.run(job_store.jobs)
    assert (job.channel, job.chat, job.synthesis) == ("telegram", "42", "briefly")
    assert (job.misfire, job.window_ms) == (Misfire.WINDOW, 30 * MINUTE)

    listed = await call(offered["schedule_list"])
    assert listed.text.startswith(f"[{job.id[:8]}] news, at 09:00")
    moved = await call(offered["schedule_update"], which="news", when="tomorrow at 8:30")
    assert moved.receipts == ("schedule changed: news, once Tue 22 Sep 2026, 08:30 (Europe/Berlin)",)
    paused = await call(offered["schedule_update"], which=job.id[:8], paused=True)
    assert paused.receipts == ("schedule changed: news, paused",)
    deleted = await call(offered["schedule_delete"], which="news")
    assert deleted.receipts == ("schedule deleted: news",)
    assert (await call(offered["schedule_list"])).text == "There are no schedules."
    assert len(rung) == 4, "the runner hears of each change"


async def test_a_time_that_is_not_understood_makes_no_schedule(store: UserStore) -> None:
    with pytest.raises(InvalidInput, match="cannot understand the time"):
        await call(tools(store)["schedule_create"], when="every blue moon", task="howl")
    assert await store.run(job_store.jobs) == []


async def test_a_task_is_noted_listed_and_ended_with_receipts(store: UserStore) -> None:
    offered = tools(store)
    made = await call(offered["task_create"], title="Mend the gauge", due="Friday")
    assert made.receipts == ("task created: Mend the gauge, due Fri 25 Sep 2026, 23:59 (Europe/Berlin)",)
    ended = await call(offered["task_update"], which="Mend the gauge", status="done", due="")
    assert ended.receipts == ("task changed: Mend the gauge (done)",)
    assert (await call(offered["task_list"])).text == "There are no such tasks."
    assert "Mend the gauge (done)" in (await call(offered["task_list"], status="done")).text


async def test_the_tools_change_nothing_but_the_assistants_own_store(store: UserStore) -> None:
    offered = tools(store).values()
    assert {tool.effect for tool in offered} <= {Effect.NONE, Effect.OWN}
    assert {tool.name for tool in offered if tool.effect is Effect.NONE} == {"schedule_list", "task_list"}
    for tool in offered:
        jsonschema.Draft202012Validator.check_schema(tool.parameters)
        assert tool.parameters["additionalProperties"] is False
        assert tool.simple
