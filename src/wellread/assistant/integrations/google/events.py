"""Events in words, in pure code: a line for a list, the change that would be made, the body that makes it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wellread.assistant.integrations.google import moments
from wellread.assistant.ports import Preview
from wellread.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellread.assistant.integrations.google.moments import Span
    from wellread.assistant.integrations.wire import Json

WORDS = {"title": "summary", "place": "location", "notes": "description"}
"""A tool's name of a field -> the API's."""
NOTES_CHARS = 500
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
    lines += [f"  {name}: {str(event[key])[:NOTES_CHARS]}" for name, key in _DETAILS if event.get(key)]
    guests = [f"{it.get('email')} ({it.get('responseStatus', 'needsAction')})" for it in people(event)]
    return "\n".join([*lines, *([f"  attendees: {', '.join(guests)}"] if guests else [])])


_DETAILS = (("place", "location"), ("meeting", "hangoutLink"), ("notes", "description"))


def title(event: Mapping[str, object]) -> str:
    """Return what an event is called."""
    return " ".join(str(event.get("summary") or "(no title)").split())


def people(event: Mapping[str, object]) -> list[Json]:
    """Return the attendees of an event as the API has them."""
    given = event.get("attendees")
    return [it for it in given if isinstance(it, dict)] if isinstance(given, list) else []


def invited(given: Sequence[str], before: Mapping[str, object] | None = None) -> list[Json]:
    """Return attendees as the API takes them; who was invited `before` keeps the answer that they gave.

    Raises:
        InvalidInput: one is no address.
    """
    known = {str(it.get("email", "")).lower(): it for it in people(before or {})}
    for each in given:
        if not _ADDRESS.fullmatch(each):
            raise InvalidInput(f"{each[:80]!r} is no mail address", hint="write ann@example.com, without a name")
    return [known.get(each.lower(), {"email": each}) for each in given]


def repeated(rule: str) -> list[str]:
    """Return a recurrence as the API takes it (RFC 5545 section 3.3.10).

    Raises:
        InvalidInput: it is no rule.
    """
    plain = rule.strip().removeprefix("RRULE:")
    if not _RULE.fullmatch(plain):
        raise InvalidInput(f"{rule[:80]!r} is no rule of repetition", hint="such as FREQ=WEEKLY;BYDAY=TU,TH;COUNT=10")
    return [f"RRULE:{plain}"]


def creation(words: Mapping[str, str], when: Span, attendees: Sequence[Json], recurrence: Sequence[str]) -> Json:
    """Return the body that makes an event."""
    times = {name: {key: part for key, part in at.items() if part} for name, at in when.fields().items()}
    body: Json = {WORDS[name]: text for name, text in words.items() if text} | times
    if attendees:
        body["attendees"] = list(attendees)
    if recurrence:
        body["recurrence"] = list(recurrence)
    return body


def created(body: Json, when: Span, calendar: str, zone: str) -> Preview:
    """Return what would be made, all of it."""
    parts = [("title", title(body)), ("when", when.told(zone)), ("calendar", calendar)]
    parts += [("repeats", it) for it in body.get("recurrence", ())]
    parts += [(name, str(body[key])) for name, key in _DETAILS if body.get(key)]
    guests = ", ".join(str(it["email"]) for it in people(body))
    return Preview("create an event", [*parts, *([("invitations are mailed to", guests)] if guests else [])])


def changed(event: Json, patch: Json, when: Span | None, zone: str) -> Preview:
    """Return what would become of an event, old and new."""
    parts = [("event", title(event)), ("when so far" if when else "when", _when(event, zone))]
    parts += [("when", when.told(zone))] if when else []
    for name, key in WORDS.items():
        if key in patch:
            parts += [(f"{name} so far", str(event.get(key) or "")), (name, str(patch[key]))]
    if "attendees" in patch:
        was, will = ({str(it.get("email", "")).lower() for it in people(where)} for where in (event, patch))
        changes = (("invited", will - was), ("no longer invited", was - will))
        parts += [(name, ", ".join(sorted(them))) for name, them in changes if them]
    return Preview("change an event", [*parts, *_told(event, patch)])


def removed(event: Json, zone: str, *, series: bool) -> Preview:
    """Return what would be deleted."""
    deed = "delete an event and all of its repetitions" if series else "delete an event"
    return Preview(deed, [("event", title(event)), ("when", _when(event, zone)), *_told(event, {})])


def _when(event: Mapping[str, object], zone: str) -> str:
    found = moments.of_event(event, zone)
    return found.told(zone) if found else "time unknown"


def _told(event: Json, patch: Json) -> list[tuple[str, str]]:
    told = sorted({str(it.get("email", "")) for where in (event, patch) for it in people(where)})
    return [("mailed to", ", ".join(told))] if told else []
