"""The user's tasks: noted, found again, ended, and summed up for a prompt."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

from wellread.assistant import task_list
from wellread.assistant.task_list import LocalNow, Status, TaskChange
from wellread.errors import InvalidInput

if TYPE_CHECKING:
    from wellread.assistant.database import UserStore

NOW = LocalNow(1_789_977_600_000, "Europe/Berlin")  # Mon 21 Sep 2026, 10:00 in Berlin
DAY = 86_400_000


async def made(store: UserStore, title: str, due: str = "") -> task_list.Task:
    return await store.run(lambda session: task_list.create(session, title, NOW, due=due))


async def test_what_is_due_first_comes_first_and_what_has_no_date_last(store: UserStore) -> None:
    for title, due in (("some day", ""), ("later", "on 3 May 2027"), ("soon", "tomorrow at 8")):
        await made(store, title, due)
    found = await store.run(task_list.tasks)
    assert [task.title for task in found] == ["soon", "later", "some day"]


async def test_a_summary_says_what_is_late_and_how_much_is_left_out(store: UserStore) -> None:
    for number in range(4):
        await made(store, f"task {number}", "tomorrow at 8" if number == 0 else "")
    told = await store.run(lambda session: task_list.summary(session, LocalNow(NOW.ms + 2 * DAY, NOW.zone), limit=2))
    assert told[0].endswith("task 0, overdue since Tue 22 Sep 2026, 08:00 (Europe/Berlin)")
    assert told[2] == "... and 2 more"


async def test_ended_task_in_the_summary_until_it_is_reopened(store: UserStore) -> None:
    task = await made(store, "mend the gauge")
    for status, lines, ended_ms in ((Status.DONE, 0, NOW.ms), (Status.DOING, 1, None), (Status.DROPPED, 0, NOW.ms)):
        change = TaskChange(status=status)
        changed = await store.run(partial(task_list.update, name=task.id[:6], change=change, now=NOW))
        assert changed.ended_ms == ended_ms
        assert len(await store.run(lambda session: task_list.summary(session, NOW))) == lines


async def test_only_what_is_given_changes(store: UserStore) -> None:
    await made(store, "mend the gauge", "Friday")
    change = TaskChange(title="mend both gauges", notes="in the boathouse")
    task = await store.run(lambda session: task_list.update(session, "mend the gauge", change, NOW))
    assert (task.title, task.notes, task.status) == ("mend both gauges", "in the boathouse", Status.OPEN)
    assert task.due_ms is not None
    task = await store.run(lambda session: task_list.update(session, task.id, TaskChange(due=""), NOW))
    assert task.due_ms is None


@pytest.mark.parametrize(
    ("title", "due"), [("", ""), ("x" * 201, ""), ("ok", "every day at 9"), ("ok", "some day"), ("ok", "yesterday")]
)
async def test_a_task_that_makes_no_sense_is_refused(store: UserStore, title: str, due: str) -> None:
    with pytest.raises(InvalidInput):
        await made(store, title, due)


async def test_a_task_that_is_not_there_or_is_two_is_refused(store: UserStore) -> None:
    for _ in range(2):
        await made(store, "twice")
    for which in ("twice", "never", ""):
        with pytest.raises(InvalidInput):
            await store.run(partial(task_list.update, name=which, change=TaskChange(), now=NOW))


async def test_notes_without_end_and_tasks_without_end_are_refused(
    store: UserStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InvalidInput, match="characters"):
        await store.run(lambda session: task_list.create(session, "a", NOW, notes="x" * 10_001))
    monkeypatch.setattr(task_list, "MAX_TASKS", 1)
    await made(store, "one")
    with pytest.raises(InvalidInput, match="open tasks already"):
        await made(store, "two")
