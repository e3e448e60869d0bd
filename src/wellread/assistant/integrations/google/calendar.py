"""Calendar tools: list events; create, change and delete them after the user has seen the exact change.

A change is made to the very state of the event that the user was shown (RFC 9110 section 13.1.1, If-Match).
"""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

from wellread.assistant.integrations.google import calendar_events, event_times
from wellread.assistant.integrations.google.addresses import ADDRESS_LIST_SCHEMA, address_list
from wellread.assistant.integrations.preview_cache import PreviewCache
from wellread.assistant.integrations.service_client import tainted_result
from wellread.assistant.tool_types import Effect, Preview, Tool, ToolResult
from wellread.assistant.tools.argument_schemas import Schema, arguments_schema, string_argument, string_schema
from wellread.errors import InvalidInput, UnreadableError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from wellread.assistant.integrations.google.event_times import EventTime
    from wellread.assistant.integrations.google.google_api import GoogleApi
    from wellread.assistant.integrations.service_client import Json
    from wellread.ports import Clock

    Arguments = Mapping[str, object]

MAX_EVENTS = 100
"""Maximum events per answer; a cursor continues."""
PAGE_SIZE = 50
_HTML = re.compile(r"</?[a-z]|&#?\w+;", re.IGNORECASE)
_TIME = string_schema("2026-11-24T09:00 in the user's zone, or 2026-11-24 for whole days.", max_length=40)
_ID = string_schema("An id from calendar_list_events.", max_length=1_100)
_CALENDAR = string_schema("Id of another calendar; default: the user's own.", max_length=300)
_SERIES: Schema = {"type": "boolean", "description": "All repetitions, not this one alone."}
_WORDS = {
    "title": string_schema(max_length=1_000),
    "place": string_schema(max_length=1_000),
    "notes": string_schema(max_length=8_000),
}


class CalendarTools:
    """The tools of the user's calendars."""

    def __init__(self, api: GoogleApi, clock: Clock, zone: str, read_html: Callable[[str], Awaitable[str]]) -> None:
        """Take the API, the clock, the zone of times without one, and the function that reads HTML."""
        self._api = api
        self._read_html = read_html
        self._clock = clock
        self._zone = zone
        self._previews = PreviewCache(self._current_event)

    @property
    def tools(self) -> Sequence[Tool]:
        """The tools."""
        return (
            Tool(
                "calendar_list_events",
                "List events in a time range, each repetition separately; default: the next seven days.",
                arguments_schema(
                    (), start=_TIME, end=string_schema("The last day, or a time.", max_length=40), calendar=_CALENDAR,
                    query=string_schema("Words in the event.", max_length=300), cursor=string_schema(max_length=2_000),
                ),
                self._list,
            ),
            Tool(
                "calendar_create_event", "Create an event; attendees are invited by mail.",
                arguments_schema(
                    ("title", "start"), **_WORDS, start=_TIME, attendees=ADDRESS_LIST_SCHEMA, calendar=_CALENDAR,
                    end=string_schema(
                        "End; default: one hour after the start, or the same day. For whole days, the last day.",
                        max_length=40,
                    ),
                    zone=string_schema("IANA zone; default: the user's zone.", max_length=60),
                    repeat=string_schema("An RRULE, such as FREQ=WEEKLY;BYDAY=TU.", max_length=200),
                ),
                self._create,
                effect=Effect.WORLD,
                preview=self._preview_creation,
            ),
            Tool(
                "calendar_update_event", "Change an event; what is left out stays.",
                arguments_schema(
                    ("id",), id=_ID, **_WORDS, start=_TIME, end=string_schema(max_length=40),
                    zone=string_schema(max_length=60),
                    attendees={**ADDRESS_LIST_SCHEMA, "description": "All of them, also those to keep."},
                    series=_SERIES, calendar=_CALENDAR,
                ),
                self._update, effect=Effect.WORLD, async_preview=self._preview_update,
            ),
            Tool(
                "calendar_delete_event", "Delete an event.",
                arguments_schema(("id",), id=_ID, series=_SERIES, calendar=_CALENDAR),
                self._delete, effect=Effect.WORLD, async_preview=self._preview_deletion,
            ),
        )  # fmt: skip

    async def _list(self, arguments: Arguments) -> ToolResult:
        day = event_times.today(self._clock.now_ms(), self._zone).isoformat()
        start, end = string_argument(arguments, "start", day), string_argument(arguments, "end")
        last = event_times.search_bound(end, self._zone, ends=True) if end else self._week(start)
        filters = [
            ("timeMin", event_times.search_bound(start, self._zone, ends=False)),
            ("timeMax", last),
            # Repetitions each as an event of its own, so that nobody has to unfold rules.
            ("singleEvents", "true"),
            ("orderBy", "startTime"),
            ("maxResults", str(PAGE_SIZE)),
            ("timeZone", self._zone),
        ]
        if string_argument(arguments, "query"):
            filters.append(("q", string_argument(arguments, "query")))
        listed_events: list[Json] = []
        cursor = string_argument(arguments, "cursor")
        while len(listed_events) < MAX_EVENTS:
            page_token = [("pageToken", cursor)] if cursor else []
            page = await self._api.get("calendars", _calendar(arguments), "events", query=[*filters, *page_token])
            listed_events += [event for event in page.get("items", ()) if event.get("status") != "cancelled"]
            cursor = str(page.get("nextPageToken") or "")
            if not cursor:
                break
        lines = [calendar_events.line(await self._readable(event), self._zone) for event in listed_events]
        if not lines:
            lines = ["There are no events."]
        if cursor:
            lines.append(f"More follows: cursor {cursor}")
        return tainted_result("\n".join(lines))

    async def _readable(self, event: Json) -> Json:
        """Return the event with its notes as a person sees them: they may be HTML (API reference, Event)."""
        notes = str(event.get("description") or "")
        if not _HTML.search(notes):
            return event
        try:
            return {**event, "description": await self._read_html(notes)}
        except UnreadableError:  # nothing of them is seen
            return {**event, "description": ""}

    def _week(self, start: str) -> str:
        first = event_times.parse_event_time(start[:10], "", self._zone).start
        return event_times.search_bound((first + timedelta(days=6)).isoformat()[:10], self._zone, ends=True)

    def _new_event(self, arguments: Arguments) -> tuple[Json, EventTime]:
        when = event_times.parse_event_time(
            string_argument(arguments, "start"),
            string_argument(arguments, "end"),
            string_argument(arguments, "zone", self._zone),
        )
        words = {name: string_argument(arguments, name) for name in calendar_events.WORDS}
        rule = string_argument(arguments, "repeat")
        repeats = calendar_events.recurrence(rule) if rule else []
        guests = calendar_events.attendee_list(address_list(arguments, "attendees"))
        return calendar_events.event_body(words, when, guests, repeats), when

    def _preview_creation(self, arguments: Arguments) -> Preview:
        body, when = self._new_event(arguments)
        return calendar_events.creation_preview(body, when, _calendar(arguments), self._zone)

    async def _create(self, arguments: Arguments) -> ToolResult:
        body, when = self._new_event(arguments)
        path = ("calendars", _calendar(arguments), "events")
        created = await self._api.change("POST", *path, query=_send_updates(body), body=body)
        receipt = f"event created: {calendar_events.title(body)}, {when.describe(self._zone)}"
        return ToolResult(f"{receipt}; id {created.get('id')}", receipts=(receipt,))

    async def _preview_update(self, arguments: Arguments) -> Preview:
        event = await self._previews.see(arguments)
        patch, when = self._patch(event, arguments)
        return calendar_events.change_preview(event, patch, when, self._zone)

    async def _update(self, arguments: Arguments) -> ToolResult:
        event = await self._previews.take(arguments)
        patch, when = self._patch(event, arguments)
        path = ("calendars", _calendar(arguments), "events", str(event["id"]))
        send_updates = _send_updates(event, patch)
        await self._api.change("PATCH", *path, query=send_updates, body=patch, etag=str(event.get("etag", "")))
        receipt = f"event changed: {patch.get('summary') or calendar_events.title(event)}"
        if when:
            receipt += f", {when.describe(self._zone)}"
        return ToolResult(receipt, tainted=True, receipts=(receipt,))

    def _patch(self, event: Json, arguments: Arguments) -> tuple[Json, EventTime | None]:
        patch: Json = {
            key: string_argument(arguments, name) for name, key in calendar_events.WORDS.items() if name in arguments
        }
        before = event_times.event_time(event, self._zone)
        when = None
        if {"start", "end", "zone"} & set(arguments):
            if before is None:
                raise InvalidInput("this event has no time that can be changed", hint="create a new event")
            start = string_argument(arguments, "start") or before.start.isoformat()
            end = string_argument(arguments, "end")
            if not end and "start" not in arguments:
                end = before.end.isoformat()
            when = event_times.parse_event_time(start, end, string_argument(arguments, "zone") or self._zone, before)
            # Read in the user's zone, stored in the event's: a repetition follows the zone in which it was created.
            if "zone" not in arguments:
                when = when.within(before.zone)
            patch |= when.fields()
        if "attendees" in arguments:
            patch["attendees"] = calendar_events.attendee_list(address_list(arguments, "attendees"), event)
        if not patch:
            raise InvalidInput("the call has no change", hint="set a title, a time or a place")
        return patch, when

    async def _preview_deletion(self, arguments: Arguments) -> Preview:
        event = await self._previews.see(arguments)
        return calendar_events.deletion_preview(event, self._zone, series=bool(event.get("recurrence")))

    async def _delete(self, arguments: Arguments) -> ToolResult:
        event = await self._previews.take(arguments)
        path = ("calendars", _calendar(arguments), "events", str(event["id"]))
        await self._api.change("DELETE", *path, query=_send_updates(event), etag=str(event.get("etag", "")))
        receipt = f"event deleted: {calendar_events.title(event)}"
        return ToolResult(receipt, tainted=True, receipts=(receipt,))

    async def _current_event(self, arguments: Arguments) -> Json:
        """Return the current state of the event."""
        path = ("calendars", _calendar(arguments), "events")
        event = await self._api.get(*path, string_argument(arguments, "id"))
        if arguments.get("series") and event.get("recurringEventId"):
            event = await self._api.get(*path, str(event["recurringEventId"]))
        if event.get("status") == "cancelled":
            raise InvalidInput("this event was deleted", hint="list the events again")
        return event


def _calendar(arguments: Arguments) -> str:
    return string_argument(arguments, "calendar") or "primary"


def _send_updates(*bodies: Json) -> list[tuple[str, str]]:
    has_guests = any(calendar_events.attendees(body) for body in bodies)
    return [("sendUpdates", "all" if has_guests else "none")]
