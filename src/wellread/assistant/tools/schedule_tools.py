"""Tools of schedules: create, list, change and delete the assistant's scheduled tasks."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from wellread.assistant.database import UserStore
from wellread.assistant.schedule import job_store
from wellread.assistant.schedule.jobs import JobState, ScheduledJob
from wellread.assistant.schedule.misfires import Misfire
from wellread.assistant.schedule.phrases import times_text
from wellread.assistant.schedule.times import MINUTE, Once
from wellread.assistant.schedule.zones import local_time_text
from wellread.assistant.tool_types import Effect, Tool, ToolResult
from wellread.assistant.tools.argument_schemas import arguments_schema, enum_schema, integer_schema, string_schema
from wellread.ports import Clock

_WHEN = (
    "When, in plain English or as a cron expression: 'every weekday at 9', 'every 15 minutes', 'in two minutes', "
    "'tomorrow at 8:30', 'every first Monday of the month at 10', 'on 3 May 2027 at 14:00', '0 9 * * 1-5'. "
    "Add a zone if it is not the user's own: 'every day at 9 Asia/Tokyo'."
)
_TASK = "What is to be done each time, complete in itself: nobody can be asked then."
_MISSED = "If nobody was there in time: once runs it late, skip does not, window only if under window_minutes late."
_WHICH = string_schema("The id of the schedule, its first characters, or its exact name.")


@dataclass(frozen=True, slots=True)
class ScheduleContext:
    """The chat of a conversation: results of its schedules go there."""

    channel: str
    chat: str
    author: str
    """The account of whoever asks."""
    zone: str
    """The user's IANA zone."""


def schedule_tools(
    store: UserStore, clock: Clock, place: Callable[[], ScheduleContext], *, changed: Callable[[], None] | None = None
) -> tuple[Tool, ...]:
    """Return the tools.

    `place` says where the conversation is that asks; `changed` is called when a schedule has become different, for a
    runner to look.
    """
    tools = _Schedules(store, clock, place, changed or (lambda: None))
    return tools.create(), tools.list(), tools.update(), tools.delete()


def job_line(job: ScheduledJob) -> str:
    """Return a job as one line: `standup, at 09:00 on Monday through Friday (Europe/Berlin), next Mon 23 Nov ...`."""
    if job.state is not JobState.ACTIVE:
        return f"{_name_and_times(job)}, {job.state}"
    when = "once" if isinstance(job.times, Once) else "next"
    return f"{_name_and_times(job)}, {when} {local_time_text(job.next_ms, job.zone)}"


def _name_and_times(job: ScheduledJob) -> str:
    if isinstance(job.times, Once):
        return job.name
    return f"{job.name}, {times_text(job.times)}"


@dataclass(frozen=True, slots=True)
class _Schedules:
    store: UserStore
    clock: Clock
    place: Callable[[], ScheduleContext]
    changed: Callable[[], None]

    def create(self) -> Tool:
        async def run(arguments: Mapping[str, object]) -> ToolResult:
            place = self.place()
            wish = job_store.JobRequest(
                task=str(arguments["task"]),
                when=str(arguments["when"]),
                name=str(arguments.get("name", "")),
                synthesis=str(arguments["report"]) if arguments.get("report") else None,
                channel=place.channel,
                chat=place.chat,
                author=place.author,
                zone=place.zone,
                misfire=Misfire(str(arguments.get("if_missed", Misfire.ONCE))),
                window_ms=int(str(arguments.get("window_minutes", 60))) * MINUTE,
            )
            job = await self.store.run(lambda session: job_store.create(session, wish, self.clock.now_ms()))
            return self._done("created", job)

        return Tool(
            "schedule_create",
            "Do something later or again and again, on your own, and tell the user the result.",
            arguments_schema(
                ("when", "task"),
                when=string_schema(_WHEN, max_length=200),
                task=string_schema(_TASK, max_length=job_store.MAX_TASK_CHARS),
                name=string_schema("A short name for the list.", max_length=60),
                report=string_schema("How the result is to be reported, if it is to be summed up.", max_length=2_000),
                if_missed=enum_schema(Misfire, _MISSED),
                window_minutes=integer_schema(minimum=1, maximum=527_040),
            ),
            run,
            effect=Effect.OWN,
            simple=True,
        )

    def list(self) -> Tool:
        async def run(_arguments: Mapping[str, object]) -> ToolResult:
            jobs = await self.store.run(job_store.jobs)
            return ToolResult("\n".join(f"[{job.id[:8]}] {job_line(job)}" for job in jobs) or "There are no schedules.")

        return Tool(
            "schedule_list",
            "List what is done at given times, and when each is due next.",
            arguments_schema(),
            run,
            simple=True,
        )

    def update(self) -> Tool:
        async def run(arguments: Mapping[str, object]) -> ToolResult:
            paused = arguments.get("paused")
            job = await self.store.run(
                lambda session: job_store.change(
                    session,
                    str(arguments["which"]),
                    self.clock.now_ms(),
                    when=str(arguments["when"]) if arguments.get("when") else None,
                    paused=paused if isinstance(paused, bool) else None,
                )
            )
            return self._done("changed", job)

        return Tool(
            "schedule_update",
            "Give a schedule other times, pause it, or let it go on.",
            arguments_schema(
                ("which",),
                which=_WHICH,
                when=string_schema("As for schedule_create.", max_length=200),
                paused={"type": "boolean", "description": "true pauses it, false lets it go on."},
            ),
            run,
            effect=Effect.OWN,
            simple=True,
        )

    def delete(self) -> Tool:
        async def run(arguments: Mapping[str, object]) -> ToolResult:
            job = await self.store.run(lambda session: job_store.delete(session, str(arguments["which"])))
            return self._done("deleted", job)

        return Tool(
            "schedule_delete",
            "Delete a schedule.",
            arguments_schema(("which",), which=_WHICH),
            run,
            effect=Effect.OWN,
            simple=True,
        )

    def _done(self, what: str, job: ScheduledJob) -> ToolResult:
        self.changed()
        receipt = f"schedule {what}: {job.name if what == 'deleted' else job_line(job)}"
        return ToolResult(f"{receipt[0].upper()}{receipt[1:]} [{job.id[:8]}]", receipts=(receipt,))
