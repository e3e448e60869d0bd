"""Tools over the user's own tasks: note them, list them, and say how far they are."""

from collections.abc import Mapping

from wellread.assistant import tasks
from wellread.assistant.database import Database
from wellread.assistant.ports import Clock, Effect, Tool, ToolResult
from wellread.assistant.tasks import Change, Now, Status, Task

_DUE = "A day or a time, in plain English: 'Friday', 'tomorrow at 18:00', 'on 3 May 2027'."


def task_tools(database: Database, clock: Clock, zone: str) -> tuple[Tool, ...]:
    """Return the tools; `zone` is the user's IANA zone, in which `tomorrow` is understood."""
    return _create(database, clock, zone), _list(database, clock, zone), _update(database, clock, zone)


def _create(database: Database, clock: Clock, zone: str) -> Tool:
    async def run(arguments: Mapping[str, object]) -> ToolResult:
        now = Now(clock.now_ms(), zone)
        title, notes, due = (str(arguments.get(name, "")) for name in ("title", "notes", "due"))
        task = await database.run(lambda session: tasks.create(session, title, now, notes=notes, due=due))
        return _done("created", task, now)

    return Tool(
        name="task_create",
        description="Note something that the user has to do.",
        parameters={
            "type": "object",
            "properties": {
                "title": {"type": "string", "maxLength": tasks.MAX_TITLE_CHARS},
                "notes": {"type": "string", "maxLength": tasks.MAX_NOTES_CHARS},
                "due": {"type": "string", "maxLength": 200, "description": _DUE},
            },
            "required": ["title"],
            "additionalProperties": False,
        },
        run=run,
        effect=Effect.OWN,
        simple=True,
    )


def _list(database: Database, clock: Clock, zone: str) -> Tool:
    async def run(arguments: Mapping[str, object]) -> ToolResult:
        now = Now(clock.now_ms(), zone)
        status = Status(str(arguments["status"])) if arguments.get("status") else None
        found = await database.run(lambda session: tasks.tasks(session, status=status))
        return ToolResult("\n".join(tasks.line(task, now) for task in found) or "There are no such tasks.")

    return Tool(
        name="task_list",
        description="List the user's tasks, those due first at the top; without a status, all that are not ended.",
        parameters={
            "type": "object",
            "properties": {"status": {"type": "string", "enum": list(Status)}},
            "required": [],
            "additionalProperties": False,
        },
        run=run,
        simple=True,
    )


def _update(database: Database, clock: Clock, zone: str) -> Tool:
    async def run(arguments: Mapping[str, object]) -> ToolResult:
        now = Now(clock.now_ms(), zone)
        given = {name: str(arguments[name]) for name in ("title", "notes", "due") if name in arguments}
        status = Status(str(arguments["status"])) if arguments.get("status") else None
        change = Change(status=status, **given)
        task = await database.run(lambda session: tasks.update(session, str(arguments["which"]), change, now))
        return _done("changed", task, now)

    return Tool(
        name="task_update",
        description="Say how far a task is, or change its title, its notes or when it is due.",
        parameters={
            "type": "object",
            "properties": {
                "which": {"type": "string", "description": "The task's id, its first characters, or its exact title."},
                "status": {"type": "string", "enum": list(Status)},
                "title": {"type": "string", "maxLength": tasks.MAX_TITLE_CHARS},
                "notes": {"type": "string", "maxLength": tasks.MAX_NOTES_CHARS},
                "due": {"type": "string", "maxLength": 200, "description": f"{_DUE} Empty for no date."},
            },
            "required": ["which"],
            "additionalProperties": False,
        },
        run=run,
        effect=Effect.OWN,
        simple=True,
    )


def _done(what: str, task: Task, now: Now) -> ToolResult:
    line = tasks.line(task, now)
    return ToolResult(f"Task {what}: {line}", receipts=(f"task {what}: {line.partition('] ')[2]}",))
