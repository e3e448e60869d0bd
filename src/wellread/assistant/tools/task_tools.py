"""Tools of the user's own tasks: create, list and update them."""

from collections.abc import Mapping

from wellread.assistant import task_list
from wellread.assistant.database import UserStore
from wellread.assistant.task_list import LocalNow, Status, Task, TaskChange
from wellread.assistant.tool_types import Effect, Tool, ToolResult
from wellread.assistant.tools.argument_schemas import arguments_schema, enum_schema, string_schema
from wellread.ports import Clock

_DUE = "A day or a time, in plain English: 'Friday', 'tomorrow at 18:00', 'on 3 May 2027'."
_WORDS = {
    "title": string_schema(max_length=task_list.MAX_TITLE_CHARS),
    "notes": string_schema(max_length=task_list.MAX_NOTES_CHARS),
}


def task_tools(store: UserStore, clock: Clock, zone: str) -> tuple[Tool, ...]:
    """Return the tools; `zone` is the user's IANA zone, in which `tomorrow` is understood."""
    return _create(store, clock, zone), _list(store, clock, zone), _update(store, clock, zone)


def _create(store: UserStore, clock: Clock, zone: str) -> Tool:
    async def run(arguments: Mapping[str, object]) -> ToolResult:
        now = LocalNow(clock.now_ms(), zone)
        title, notes, due = (str(arguments.get(name, "")) for name in ("title", "notes", "due"))
        task = await store.run(lambda session: task_list.create(session, title, now, notes=notes, due=due))
        return _done("created", task, now)

    return Tool(
        "task_create",
        "Note something that the user has to do.",
        arguments_schema(("title",), **_WORDS, due=string_schema(_DUE, max_length=200)),
        run,
        effect=Effect.OWN,
        simple=True,
    )


def _list(store: UserStore, clock: Clock, zone: str) -> Tool:
    async def run(arguments: Mapping[str, object]) -> ToolResult:
        now = LocalNow(clock.now_ms(), zone)
        status = Status(str(arguments["status"])) if arguments.get("status") else None
        matching = await store.run(lambda session: task_list.tasks(session, status=status))
        return ToolResult("\n".join(task_list.line(task, now) for task in matching) or "There are no such tasks.")

    return Tool(
        "task_list",
        "List the user's tasks, those due first at the top; without a status, all that are not ended.",
        arguments_schema(status=enum_schema(Status)),
        run,
        simple=True,
    )


def _update(store: UserStore, clock: Clock, zone: str) -> Tool:
    async def run(arguments: Mapping[str, object]) -> ToolResult:
        now = LocalNow(clock.now_ms(), zone)
        changes = {name: str(arguments[name]) for name in ("title", "notes", "due") if name in arguments}
        status = Status(str(arguments["status"])) if arguments.get("status") else None
        change = TaskChange(status=status, **changes)
        task = await store.run(lambda session: task_list.update(session, str(arguments["which"]), change, now))
        return _done("changed", task, now)

    which = string_schema("The task's id, its first characters, or its exact title.")
    due = string_schema(f"{_DUE} Empty for no date.", max_length=200)
    return Tool(
        "task_update",
        "Say how far a task is, or change its title, its notes or when it is due.",
        arguments_schema(("which",), which=which, status=enum_schema(Status), **_WORDS, due=due),
        run,
        effect=Effect.OWN,
        simple=True,
    )


def _done(what: str, task: Task, now: LocalNow) -> ToolResult:
    line = task_list.line(task, now)
    return ToolResult(f"Task {what}: {line}", receipts=(f"task {what}: {line.partition('] ')[2]}",))
