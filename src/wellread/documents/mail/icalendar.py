"""Read the events of a calendar part (iCalendar, RFC 5545) as lines for people."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from wellread.text.characters import without_invisible
from wellread.types import Block, Kind, Span, Style

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_LINES: Final = 20_000
MAX_EVENTS: Final = 100
MAX_VALUE_CHARS: Final = 5_000
MAX_ATTENDEES: Final = 30

_COMPONENTS: Final = frozenset({"VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY"})
_SHOWN: Final = {
    "SUMMARY": "Event",
    "DTSTART": "Start",
    "DTEND": "End",
    "DUE": "Due",
    "DURATION": "Duration",
    "RRULE": "Repeats",
    "LOCATION": "Place",
    "STATUS": "Status",
    "ORGANIZER": "Organizer",
    "ATTENDEE": "Attendees",
    "URL": "URL",
    "DESCRIPTION": "Description",
}
_PEOPLE: Final = frozenset({"ORGANIZER", "ATTENDEE"})
_STAMP: Final = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?")
_ESCAPED: Final = re.compile(r"\\(.)")
_STRONG: Final = int(Style.STRONG)


def calendar_blocks(text: str) -> tuple[list[Block], int]:
    """Return a paragraph for each event, and how many events were left out."""
    events: list[dict[str, list[str]]] = []
    method = ""
    fields: dict[str, list[str]] | None = None
    left_out = 0
    for name, parameters, value in _properties(text):
        if name == "BEGIN" and value.upper() in _COMPONENTS:
            fields = {}
        elif name == "END" and value.upper() in _COMPONENTS and fields is not None:
            if len(events) < MAX_EVENTS:
                events.append(fields)
            else:
                left_out += 1
            fields = None
        elif name == "METHOD":
            method = value.capitalize()[:30]
        elif fields is not None and name in _SHOWN:
            fields.setdefault(name, []).append(_shown(name, parameters, value))
    return [_paragraph(event, method) for event in events], left_out


def _properties(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield name, parameters and value of each property; lines that begin with a space continue the previous line."""
    unfolded = text.replace("\n ", "").replace("\n\t", "")
    for line in unfolded.split("\n", MAX_LINES)[:MAX_LINES]:
        head, value = _split_line(line[: MAX_VALUE_CHARS * 2])
        name, _, parameters = head.partition(";")
        yield name.strip().upper(), parameters, value.strip()


def _split_line(line: str) -> tuple[str, str]:
    """Split a line at the first colon outside of quotation marks."""
    is_quoted = False
    for index, character in enumerate(line):
        if character == '"':
            is_quoted = not is_quoted
        elif character == ":" and not is_quoted:
            return line[:index], line[index + 1 :]
    return line, ""


def _shown(name: str, parameters: str, value: str) -> str:
    if name in {"DTSTART", "DTEND", "DUE"}:
        zone = _parameter(parameters, "TZID")
        return f"{_date(value)} {zone}".strip()
    if name in _PEOPLE:
        address = value
        if value.lower().startswith("mailto:"):
            address = value.partition(":")[2]
        common_name = _parameter(parameters, "CN")
        if common_name in {"", address}:
            return address
        return f"{common_name} <{address}>"
    return _ESCAPED.sub(_unescaped, value[:MAX_VALUE_CHARS])


def _unescaped(match: re.Match[str]) -> str:
    return {"n": "\n", "N": "\n"}.get(match[1], match[1])


def _date(value: str) -> str:
    match = _STAMP.match(value)
    if match is None:
        return value[:100]
    day = f"{match[1]}-{match[2]}-{match[3]}"
    if not match[4]:
        return day
    return f"{day}T{match[4]}:{match[5]}:{match[6]}{match[7]}"


def _parameter(parameters: str, name: str) -> str:
    for parameter in parameters.split(";"):
        key, _, value = parameter.partition("=")
        if key.strip().upper() == name:
            return value.strip().strip('"')[:200]
    return ""


def _paragraph(event: dict[str, list[str]], method: str) -> Block:
    spans: list[Span] = []
    lines = []
    if method not in {"", "Publish"}:
        lines.append(("Invitation", [method]))
    for name, label in _SHOWN.items():
        values = event.get(name, [])
        if len(values) > MAX_ATTENDEES:
            values = [*values[:MAX_ATTENDEES], f"and {len(values) - MAX_ATTENDEES} more"]
        if values:
            lines.append((label, values))
    for label, values in lines:
        if spans:
            spans.append(Span("\n"))
        spans.append(Span(f"{label}:", _STRONG))
        first, *others = without_invisible(", ".join(values))[0].split("\n")
        spans.append(Span(f" {first.strip()}"))
        spans.extend(Span(f"\n{text.strip()}") for text in others)
    return Block(Kind.PARAGRAPH, tuple(spans))
