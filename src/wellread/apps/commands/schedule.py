"""The command `schedule`: the assistant's scheduled tasks."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any, Literal

import click

from wellread.apps.commands.options import Json, guarded
from wellread.apps.commands.parameters import Argument, Option
from wellread.apps.commands.store_access import CommandMoment, here, in_store
from wellread.apps.terminal import say, say_json, show_empty
from wellread.errors import InvalidInput
from wellread.text.counts import count_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wellread.assistant.schedule.jobs import JobRun, ScheduledJob
    from wellread.assistant.schedule.times import Times

Action = Literal["list", "add", "show", "move", "pause", "resume", "delete", "when"]
Words = dict[Action, tuple[str, ...]]

_ARGUMENTS: Words = {
    "list": (), "add": ("WHEN", "TASK"), "show": ("ID",), "move": ("ID", "WHEN"), "pause": ("ID",),
    "resume": ("ID",), "delete": ("ID",), "when": ("WHEN",),
}  # fmt: skip


def schedule(
    context: click.Context,
    action: Annotated[Action, Argument(help="Action to run.")] = "list",
    words: Annotated[
        list[str] | None,
        Argument(
            help="Arguments of the action. ID is an id or a name; WHEN is a time, such as 'every weekday at 9'.",
            metavar="WORDS",
        ),
    ] = None,
    *,
    name: Annotated[str, Option(help="add: short name for the list.")] = "",
    report: Annotated[str | None, Option(help="add: prompt with which a model summarises the result.")] = None,
    if_missed: Annotated[
        Literal["once", "skip", "window"],
        Option(help="add: what to do with missed times: one late run, no run, or a run only within --window."),
    ] = "once",
    window: Annotated[int, Option(help="add: minutes that a run may be late with --if-missed window.", min=1)] = 60,
    channel: Annotated[str, Option(help="add: channel that receives the results.")] = "terminal",
    chat: Annotated[str, Option(help="add: chat in the channel.")] = "me",
    zone: Annotated[str | None, Option(help="IANA time zone of WHEN; by default schedule.timezone.")] = None,
    everything: Annotated[bool, Option("--all", help="list: also schedules that have no next time.")] = False,
    json: Json = False,
) -> None:
    """Schedule tasks for the assistant.

    Actions: list; add WHEN TASK; show ID; move ID WHEN; pause ID; resume ID; delete ID; when WHEN, which shows the next
    times and stores nothing.
    """
    values = guarded(lambda: _words(action, words or []), json=json)
    moment = here(context, zone, json=json)
    if action == "when":
        _show_times(values[0], moment, json=json)
        return
    from wellread.assistant.schedule import job_store
    from wellread.assistant.schedule.misfires import Misfire
    from wellread.assistant.users import OWNER

    if action == "list":
        _show_jobs(in_store(context, lambda session: job_store.jobs(session, done=everything), json=json), json=json)
    elif action == "show":
        job = in_store(context, lambda session: job_store.find(session, values[0]), json=json)
        _show_runs(job, in_store(context, lambda session: list(job_store.runs(session, job.id)), json=json), json=json)
    elif action == "add":
        request = job_store.JobRequest(
            task=values[1], when=values[0], name=name, synthesis=report, channel=channel, chat=chat, author=OWNER,
            zone=moment.zone, misfire=Misfire(if_missed), window_ms=window * 60_000,
        )  # fmt: skip
        job = in_store(context, lambda session: job_store.create(session, request, moment.now_ms), json=json)
        _show_done("created", job, json=json)
    else:
        _change(context, action, values, moment, json=json)


def _words(action: Action, words: list[str]) -> list[str]:
    names = _ARGUMENTS[action]
    # What follows the last that is named belongs to it: a task or a time may come without quotation marks.
    values = words
    if len(words) > len(names) > 0:
        values = [*words[: len(names) - 1], " ".join(words[len(names) - 1 :])]
    if len(values) != len(names):
        usage = " ".join(["wellread schedule", action, *names])
        raise InvalidInput(f"schedule {action} takes {' and '.join(names) or 'no arguments'}", hint=usage)
    return values


def _change(context: click.Context, action: Action, values: list[str], moment: CommandMoment, *, json: bool) -> None:
    from wellread.assistant.schedule import job_store

    if action == "delete":
        _show_done(
            "deleted", in_store(context, lambda session: job_store.delete(session, values[0]), json=json), json=json
        )
        return
    when, paused = None, None
    if action == "move":
        when = values[1]
    else:
        paused = action == "pause"
    job = in_store(
        context,
        lambda session: job_store.change(session, values[0], moment.now_ms, when=when, paused=paused),
        json=json,
    )
    _show_done("changed", job, json=json)


def _show_times(when: str, moment: CommandMoment, *, json: bool) -> None:
    from wellread.assistant.schedule.phrases import parse_times, times_text
    from wellread.assistant.schedule.zones import local_time_text

    times = guarded(lambda: parse_times(when, moment.zone, moment.now_ms), json=json)
    following = list(islice(_following(times, moment.now_ms), 5))
    if json:
        say_json({"when": when, "understood": times_text(times), "zone": moment.zone, "next_ms": following})
        return
    say(times_text(times))
    for due in following:
        say(local_time_text(due, moment.zone))


def _following(times: Times, after_ms: int) -> Iterator[int]:
    due = times.next_ms(after_ms)
    while due is not None:
        yield due
        due = times.next_ms(due)


def _show_jobs(jobs: list[ScheduledJob], *, json: bool) -> None:
    from wellread.assistant.tools.schedule_tools import job_line

    if json:
        say_json({"schedules": [_plain(job) for job in jobs]})
        return
    if not jobs:
        show_empty("no schedule has a next time (--all shows the others)", "wellread schedule add WHEN TASK")
    for job in jobs:
        say(f"{job.id[:8]}  {job_line(job)}")


def _show_runs(job: ScheduledJob, runs: list[JobRun], *, json: bool) -> None:
    from wellread.assistant.schedule.zones import local_time_text
    from wellread.assistant.tools.schedule_tools import job_line

    if json:
        say_json({**_plain(job), "runs": runs})
        return
    say(f"{job.id[:8]}  {job_line(job)}\n{job.task}")
    for run in runs:
        line = f"{run.state:<12} {local_time_text(run.due_ms, job.zone)}"
        if run.count > 1:
            line += f" and {count_of(run.count - 1, 'more time')}"
        say(line)


def _show_done(change: str, job: ScheduledJob, *, json: bool) -> None:
    from wellread.assistant.tools.schedule_tools import job_line

    if json:
        say_json(_plain(job))
    else:
        say(f"schedule {change}: {job.id[:8]}  {job_line(job)}")


def _plain(job: ScheduledJob) -> dict[str, Any]:  # Any: the fields of a job, each of its own type
    from dataclasses import fields

    from wellread.assistant.schedule.phrases import times_text

    shape = {field.name: getattr(job, field.name) for field in fields(job) if field.name != "times"}
    return shape | {"understood": times_text(job.times)}
