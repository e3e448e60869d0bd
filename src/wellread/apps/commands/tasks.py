"""The command `tasks`: what the user has to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from wellread.apps.commands.keeping import here, in_store
from wellread.apps.commands.options import Json, guarded
from wellread.apps.terminal import say, say_json
from wellread.errors import InvalidInput

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from wellread.assistant.tasks import Now, Task

Action = Literal["list", "add", "change", "open", "doing", "done", "dropped"]


def tasks(
    context: typer.Context,
    action: Annotated[Action, typer.Argument()] = "list",
    words: Annotated[list[str] | None, typer.Argument(help="add: TITLE; else WHICH, an id or a title.")] = None,
    *,
    title: Annotated[str | None, typer.Option(help="change: another title.")] = None,
    notes: Annotated[str | None, typer.Option(help="add, change: what else is to be known.")] = None,
    due: Annotated[str | None, typer.Option(help="add, change: a day or a time; change: empty for none.")] = None,
    status: Annotated[
        Literal["open", "doing", "done", "dropped"] | None, typer.Option(help="list: those of this status.")
    ] = None,
    zone: Annotated[str | None, typer.Option(help="IANA zone of --due; else schedule.timezone.")] = None,
    json: Json = False,
) -> None:
    """List, note and change tasks: list, add TITLE, change WHICH; open, doing, done and dropped say how far one is."""
    which = guarded(lambda: _which(action, words or []), json=json)
    place = here(context, zone, json=json)
    from wellread.assistant.tasks import Change, Now, Status, create, update
    from wellread.assistant.tasks import tasks as listed

    now = Now(place.now_ms, place.zone)

    def work(session: Session) -> list[Task]:
        if action == "list":
            return list(listed(session, status=Status(status) if status else None))
        if action == "add":
            return [create(session, which, now, notes=notes or "", due=due or "")]
        if action == "change":
            return [update(session, which, Change(title=title, notes=notes, due=due), now)]
        return [update(session, which, Change(status=Status(action)), now)]

    _show(in_store(context, work, json=json), now, many=action == "list", json=json)


def _which(action: Action, words: list[str]) -> str:
    if bool(words) == (action == "list"):
        wanted = "nothing more" if action == "list" else "TITLE" if action == "add" else "WHICH"
        raise InvalidInput(f"tasks {action} takes {wanted}", hint="wellread tasks add TITLE; wellread tasks done WHICH")
    return " ".join(words)


def _show(found: list[Task], now: Now, *, many: bool, json: bool) -> None:
    from wellread.assistant.tasks import line

    if json:
        say_json({"tasks": found} if many else found[0])
        return
    for task in found:
        say(line(task, now))
