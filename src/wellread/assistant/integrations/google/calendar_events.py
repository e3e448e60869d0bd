"""Events as text and as API bodies, in pure code: list lines, previews of a change, request bodies."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wellread.assistant.integrations.google import event_times
from wellread.assistant.tool_types import Preview
from wellread.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellread.assistant.integrations.google.event_times import EventTime
    from wellread.assistant.integrations.service_client import Json

WORDS = {"title": "summary", "place": "location", "notes": "description"}
"""A tool's name of a field -> the API's."""
MAX_NOTES_CHARS = 500
_ADDRESS = re.compile(r"[^\s@<>,;\"]+@[^\s@<>,;\"]+")
_RULE = re.compile(r"FREQ=(DAILY|WEEKLY|MONTHLY|YEARLY)(;[A-Z]+=[A-Z0-9,+:-]+)*")


def line(event: Mapping[str, object], zone: str) -> str:
    """Return an event as one line and its details below."""
    parts = [f"{_when(event, zone)}: {title(event)}", f"id {event.get('id')}"]
    if event.get("recurringEventId"):
        parts.append("repeats")
    if event.get("status") == "tentative":
        parts.append("tentative")
    lines = [" | ".join(parts)]
    lines += [f"  {name}: {str(event[key])[:MAX_NOTES_CHARS]}" for name, key in _DETAILS if event.get(key)]
    guests = [f"{guest.get('email')} ({guest.get('responseStatus', 'needsAction')})" for guest in attendees(event)]
    if guests:
        lines.append(f"  attendees: {', '.join(guests)}")
    return "\n".join(lines)


_DETAILS = (("place", "location"), ("meeting", "hangoutLink"), ("notes", "description"))


def title(event: Mapping[str, object]) -> str:
    """Return the title of an event."""
    return " ".join(str(event.get("summary") or "(no title)").split())


def attendees(event: Mapping[str, object]) -> list[Json]:
    """Return the attendees of an event as the API has them."""
    guests = event.get("attendees")
    if not isinstance(guests, list):
        return []
    return [attendee for attendee in guests if isinstance(attendee, dict)]


def attendee_list(addresses: Sequence[str], before: Mapping[str, object] | None = None) -> list[Json]:
    """Return attendees as the API takes them; an attendee of `before` keeps the answer already given.

    Raises:
        InvalidInput: one is no address.
    """
    known_guests = {str(guest.get("email", "")).lower(): guest for guest in attendees(before or {})}
    for address in addresses:
        if not _ADDRESS.fullmatch(address):
            raise InvalidInput(f"{address[:80]!r} is not a mail address", hint="use ann@example.com, without a name")
    return [known_guests.get(address.lower(), {"email": address}) for address in addresses]


def recurrence(rule: str) -> list[str]:
    """Return a recurrence as the API takes it (RFC 5545 section 3.3.10).

    Raises:
        InvalidInput: it is no rule.
    """
    plain = rule.strip().removeprefix("RRULE:")
    if not _RULE.fullmatch(plain):
        raise InvalidInput(
            f"{rule[:80]!r} is not a recurrence rule", hint="use an RRULE such as FREQ=WEEKLY;BYDAY=TU,TH;COUNT=10"
        )
    return [f"RRULE:{plain}"]


def event_body(words: Mapping[str, str], when: EventTime, attendees: Sequence[Json], recurrence: Sequence[str]) -> Json:
    """Return the body that makes an event."""
    times = {name: {key: part for key, part in at.items() if part} for name, at in when.fields().items()}
    body: Json = {WORDS[name]: text for name, text in words.items() if text} | times
    if attendees:
        body["attendees"] = list(attendees)
    if recurrence:
        body["recurrence"] = list(recurrence)
    return body


def creation_preview(body: Json, when: EventTime, calendar: str, zone: str) -> Preview:
    """Return the preview of a new event, with all its fields."""
    parts = [("title", title(body)), ("when", when.describe(zone)), ("calendar", calendar)]
    parts += [("repeats", rule) for rule in body.get("recurrence", ())]
    parts += [(name, str(body[key])) for name, key in _DETAILS if body.get(key)]
    guests = ", ".join(str(guest["email"]) for guest in attendees(body))
    if guests:
        parts.append(("invitations are mailed to", guests))
    return Preview("create an event", parts)


def change_preview(event: Json, patch: Json, when: EventTime | None, zone: str) -> Preview:
    """Return the preview of a change to an event, old and new values."""
    parts = [("event", title(event)), ("when so far" if when else "when", _when(event, zone))]
    if when:
        parts.append(("when", when.describe(zone)))
    for name, key in WORDS.items():
        if key in patch:
            parts += [(f"{name} so far", str(event.get(key) or "")), (name, str(patch[key]))]
    if "attendees" in patch:
        old_guests, new_guests = _addresses(event), _addresses(patch)
        changes = (("invited", new_guests - old_guests), ("no longer invited", old_guests - new_guests))
        parts += [(name, ", ".join(sorted(addresses))) for name, addresses in changes if addresses]
    return Preview("change an event", [*parts, *_mailed_to(event, patch)])


def deletion_preview(event: Json, zone: str, *, series: bool) -> Preview:
    """Return the preview of a deletion."""
    action = "delete an event"
    if series:
        action += " and all of its repetitions"
    return Preview(action, [("event", title(event)), ("when", _when(event, zone)), *_mailed_to(event, {})])


def _when(event: Mapping[str, object], zone: str) -> str:
    span = event_times.event_time(event, zone)
    if span is None:
        return "time unknown"
    return span.describe(zone)


def _addresses(event: Mapping[str, object]) -> set[str]:
    return {str(guest.get("email", "")).lower() for guest in attendees(event)}


def _mailed_to(event: Json, patch: Json) -> list[tuple[str, str]]:
    addresses = sorted({str(guest.get("email", "")) for guest in (*attendees(event), *attendees(patch))})
    if not addresses:
        return []
    return [("mailed to", ", ".join(addresses))]
