"""A strict fake of Google Calendar API v3, events only, from its reference: parameters, bodies, etags, repetitions."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote
from zoneinfo import ZoneInfo

from contract.integration_fakes.accounts import failed
from contract.provider_fakes.exchange import Reply, told

if TYPE_CHECKING:
    from contract.integration_fakes.accounts import Accounts
    from contract.provider_fakes.exchange import Asked

Event = dict[str, Any]
LIST = {"timeMin", "timeMax", "singleEvents", "orderBy", "maxResults", "pageToken", "q", "timeZone"}
BODY = {"summary", "location", "description", "start", "end", "attendees", "recurrence"}
STEPS = {"DAILY": 1, "WEEKLY": 7}


def bad(message: str, reason: str = "badRequest") -> Reply:
    return failed(400, reason, message, "global")


@dataclass
class Calendar:
    """One calendar, `primary`."""

    accounts: Accounts
    events: dict[str, Event] = field(default_factory=dict)
    mailed: list[str] = field(default_factory=list)
    """What `sendUpdates` said, change by change."""
    page: int = 250

    def put(self, key: str, **event: Any) -> Event:
        self.events[key] = {
            "kind": "calendar#event", "id": key, "etag": '"1"', "status": "confirmed", **event,
        }  # fmt: skip
        return self.events[key]

    def answer(self, asked: Asked) -> Reply:
        refused = self.accounts.may(asked, "calendar.events")
        if refused is not None:
            return refused
        found = re.fullmatch(r"/calendars/([^/]+)/events(?:/([^/]+))?", asked.path)
        if found is None or unquote(found[1]) != "primary":
            return failed(404, "notFound", "Not Found", "global")
        if found[2] is None:
            return self._list(asked) if asked.method == "GET" else self._insert(asked)
        return self._one(asked, unquote(found[2]))

    # ------------------------------------------------------------------------------------------- reading

    def _list(self, asked: Asked) -> Reply:
        given = asked.parameters
        low, high = (_with_offset(given.get(name, "")) for name in ("timeMin", "timeMax"))
        sorts_what_it_cannot = given.get("orderBy") == "startTime" and given.get("singleEvents") != "true"
        too_many = not 1 <= int(given.get("maxResults", "250")) <= 2_500
        if set(given) - LIST or low is None or high is None or sorts_what_it_cannot or too_many:
            return bad("Bad Request")
        if high <= low:
            return failed(400, "timeRangeEmpty", "The specified time range is empty.")
        hits = [it for event in self.events.values() for it in self._unfolded(event, high) if _within(it, low, high)]
        hits = [it for it in hits if given.get("q", "").lower() in _words(it)]
        hits.sort(key=lambda it: _moment(it["start"]))
        return self._paged([_shown_in(it, ZoneInfo(given.get("timeZone", "UTC"))) for it in hits], given)

    def _paged(self, hits: list[Event], given: dict[str, str]) -> Reply:
        size, token = min(self.page, int(given.get("maxResults", "250"))), given.get("pageToken", "page-0")
        if not re.fullmatch(r"page-\d+", token):
            return failed(410, "updatedMinTooLongAgo", "Sync token is no longer valid, a full sync is required.")
        start = int(token.removeprefix("page-"))
        more = {"nextPageToken": f"page-{start + size}"} if len(hits) > start + size else {}
        return told({"kind": "calendar#events", "timeZone": "UTC", "items": hits[start : start + size], **more})

    def _unfolded(self, event: Event, high: datetime) -> list[Event]:
        """Repeat an event on the wall of its own zone."""
        if not event.get("recurrence"):
            return [event]
        rule = dict(part.split("=") for part in event["recurrence"][0].removeprefix("RRULE:").split(";"))
        where = ZoneInfo(event["start"]["timeZone"])
        first, last = (datetime.fromisoformat(event[it]["dateTime"]).astimezone(where) for it in ("start", "end"))
        found = []
        for number in range(int(rule.get("COUNT", "400"))):
            shift = timedelta(days=STEPS[rule["FREQ"]] * number)
            starts, ends = first + shift, last + shift
            if starts > high:
                break
            times = {
                name: {"dateTime": at.isoformat(), "timeZone": where.key}
                for name, at in (("start", starts), ("end", ends))
            }
            key = f"{event['id']}_{starts.astimezone(UTC):%Y%m%dT%H%M%SZ}"
            one = {name: value for name, value in event.items() if name != "recurrence"}
            if key not in self.events:  # else one that was changed or deleted by itself stands for it
                found.append({**one, **times, "id": key, "recurringEventId": event["id"]})
        return found

    def _found(self, key: str) -> Event | None:
        head, _, _ = key.partition("_")
        if key in self.events:
            return self.events[key]
        far = datetime(2100, 1, 1, tzinfo=UTC)
        return next((it for it in self._unfolded(self.events.get(head, {}), far) if it.get("id") == key), None)

    # ------------------------------------------------------------------------------------------ changing

    def _one(self, asked: Asked, key: str) -> Reply:
        event = self._found(key)
        if event is None:
            return failed(404, "notFound", "Not Found", "global")
        if asked.method == "GET":
            return bad("no parameters") if asked.query else told(event)
        return self._refused(asked, event) or self._changed(asked, key, event)

    def _refused(self, asked: Asked, event: Event) -> Reply | None:
        if set(asked.parameters) - {"sendUpdates"} or asked.parameters["sendUpdates"] not in {"all", "none"}:
            return bad("sendUpdates")
        if event["status"] == "cancelled":
            return failed(410, "deleted", "Resource has been deleted", "global")
        if asked.headers.get("if-match", event["etag"]) != event["etag"]:
            return failed(412, "conditionNotMet", "Precondition Failed", "global")
        return None

    def _changed(self, asked: Asked, key: str, event: Event) -> Reply:
        self.mailed.append(asked.parameters["sendUpdates"])
        if asked.method == "DELETE":
            self.events[key] = {**event, "status": "cancelled"}
            return Reply(204)
        return self._patched(asked, key, event)

    def _patched(self, asked: Asked, key: str, event: Event) -> Reply:
        made = dict(event)
        for name, value in asked.json.items():
            if name in {"start", "end"}:
                value = {it: part for it, part in {**event[name], **value}.items() if part is not None}  # noqa: PLW2901 - patched
            made[name] = value
        wrong = _wrong(asked.json, made)
        if wrong is not None:
            return wrong
        self.events[key] = {**made, "etag": f'"{len(self.mailed) + 1}"'}
        return told(self.events[key])

    def _insert(self, asked: Asked) -> Reply:
        if set(asked.parameters) - {"sendUpdates"} or asked.method != "POST":
            return bad("Unknown parameter")
        wrong = _wrong(asked.json, asked.json)
        if wrong is not None:
            return wrong
        self.mailed.append(asked.parameters["sendUpdates"])
        return told(self.put(f"new{len(self.events)}", **asked.json))


def _wrong(body: Event, whole: Event) -> Reply | None:
    start, end = whole.get("start", {}), whole.get("end", {})
    kinds = [("date" in it, "dateTime" in it) for it in (start, end)]
    faults = {
        "Unknown name": set(body) - BODY,
        "Invalid time": kinds[0] != kinds[1] or kinds[0][0] == kinds[0][1],
        "Unknown name in start": set(start) - {"date", "dateTime", "timeZone"},
        "Missing time zone": whole.get("recurrence") and "timeZone" not in start,
        "Invalid attendee email": any("@" not in it["email"] for it in whole.get("attendees", ())),
    }
    message = next((name for name, wrong in faults.items() if wrong), "")
    if not message and _moment(end) <= _moment(start):
        return failed(400, "timeRangeEmpty", "The specified time range is empty.")
    return bad(message) if message else None


def _with_offset(text: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo else None


def _moment(at: dict[str, str]) -> datetime:
    if "date" in at:
        day = date.fromisoformat(at["date"])
        return datetime(day.year, day.month, day.day, tzinfo=UTC)
    found = datetime.fromisoformat(at["dateTime"])
    return found if found.tzinfo else found.replace(tzinfo=ZoneInfo(at["timeZone"]))


def _within(event: Event, low: datetime, high: datetime) -> bool:
    """Tell whether an event is listed; one that was deleted is not, unless `showDeleted` asks for it."""
    return event["status"] != "cancelled" and _moment(event["start"]) < high and _moment(event["end"]) > low


def _words(event: Event) -> str:
    own = [str(event.get(name, "")) for name in ("summary", "description", "location")]
    return " ".join([*own, *(it["email"] for it in event.get("attendees", ()))]).lower()


def _shown_in(event: Event, zone: ZoneInfo) -> Event:
    """Return an event with its times on the clocks that the request names; its own zone stays beside them."""
    times = {
        name: {**event[name], "dateTime": _moment(event[name]).astimezone(zone).isoformat()}
        for name in ("start", "end")
        if "dateTime" in event[name]
    }
    return {**event, **times}
