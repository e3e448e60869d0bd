"""The command `tasks`: the user's tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import click

from wellread.apps.commands.options import Json, guarded
from wellread.apps.commands.parameters import Argument, Option
from wellread.apps.commands.store_access import here, in_store
from wellread.apps.terminal import say, say_json, show_empty
from wellread.errors import InvalidInput

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from wellread.assistant.task_list import LocalNow, Task

Action = Literal["list", "add", "change", "open", "doing", "done", "dropped"]
_OPTIONS = {"list": {"status"}, "add": {"notes", "due"}, "change": {"title", "notes", "due", "status"}}
"""The options that say something to an action; one that says nothing to it is refused, not passed over."""


def tasks(
    context: click.Context,
    action: Annotated[Action, Argument(help="Action to run.")] = "list",
    words: Annotated[
        list[str] | None,
        Argument(
            help="Arguments of the action. add: TITLE. Others: ID, the id or the title of a task.", metavar="WORDS"
        ),
    ] = None,
    *,
    title: Annotated[str | None, Option(help="change: new title.")] = None,
    notes: Annotated[str | None, Option(help="add, change: notes about the task.")] = None,
    due: Annotated[
        str | None,
        Option(help="add, change: day or time at which the task is due; with change, an empty value removes it."),
    ] = None,
    status: Annotated[
        Literal["open", "doing", "done", "dropped"] | None,
        Option(help="list: only tasks with this status. change: new status."),
    ] = None,
    zone: Annotated[str | None, Option(help="IANA time zone of --due; by default schedule.timezone.")] = None,
    json: Json = False,
) -> None:
    """Manage your tasks.

    Actions: list; add TITLE; change ID; open, doing, done or dropped ID, which set the status.
    """
    options = {"title": title, "notes": notes, "due": due, "status": status}
    given_options = {name for name, value in options.items() if value is not None}
    which = guarded(lambda: _which(action, words or [], given_options), json=json)
    moment = here(context, zone, json=json)
    from wellread.assistant.task_list import LocalNow, Status, TaskChange, create, update
    from wellread.assistant.task_list import tasks as listed

    now = LocalNow(moment.now_ms, moment.zone)
    new_status = Status(status) if status else None

    def work(session: Session) -> list[Task]:
        if action == "list":
            return list(listed(session, status=new_status))
        if action == "add":
            return [create(session, which, now, notes=notes or "", due=due or "")]
        if action == "change":
            return [update(session, which, TaskChange(status=new_status, title=title, notes=notes, due=due), now)]
        return [update(session, which, TaskChange(status=Status(action)), now)]

    _show(in_store(context, work, json=json), now, as_list=action == "list", json=json)


def _which(action: Action, words: list[str], given_options: set[str]) -> str:
    accepted = _OPTIONS.get(action, set())
    if unused := sorted(given_options - accepted):
        names = ", ".join(f"--{option}" for option in sorted(accepted)) or "an ID only"
        hint = f"it takes {names}; `wellread tasks change` takes all options"
        raise InvalidInput(f"tasks {action} takes no --{unused[0]}", hint=hint)
    if action == "change" and not given_options:
        raise InvalidInput("tasks change needs something to change", hint="give --title, --notes, --due or --status")
    if bool(words) == (action == "list"):
        expected = {"list": "no arguments", "add": "TITLE"}.get(action, "ID")
        raise InvalidInput(f"tasks {action} takes {expected}", hint="wellread tasks add TITLE; wellread tasks done ID")
    return " ".join(words)


def _show(rows: list[Task], now: LocalNow, *, as_list: bool, json: bool) -> None:
    from wellread.assistant.task_list import line

    if json:
        if as_list:
            say_json({"tasks": rows})
        else:
            say_json(rows[0])
        return
    if not rows:
        show_empty("no task is open", "wellread tasks add TITLE")
    for task in rows:
        say(line(task, now))
