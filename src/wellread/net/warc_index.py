"""Indexes the records of a WARC file by the method, the URL and the body of the request."""

from __future__ import annotations

from collections import defaultdict
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from ada_url import URL

from wellread.net import warc
from wellread.types import header

if TYPE_CHECKING:
    from collections.abc import Iterable

Key = tuple[str, str, str]
"""Method, normalised URL, and the hash of the body of the request."""


class Capture(NamedTuple):
    """Where an answer lies."""

    offset: int
    status: int
    body: int
    """The record that has the body: of a revisit, another one."""


def index(walk: Iterable[warc.RecordSummary]) -> dict[Key, list[Capture]]:
    """Note for every request where its answers lie, in the order of the file."""
    notes = list(walk)
    requests = _requests(notes)
    originals = _originals(notes)
    captures_by_request: dict[Key, list[Capture]] = defaultdict(list)
    for note in notes:
        capture = _capture(note, originals)
        url = _normalized(header(note.fields, "WARC-Target-URI") or "")
        if capture and url:
            names = (*_ids(note), (url, header(note.fields, "WARC-Date")))
            method, body = next((requests[name] for name in names if name in requests), ("GET", ""))
            captures_by_request[method, url, body].append(capture)
    return dict(captures_by_request)


def _capture(note: warc.RecordSummary, originals: dict[object, Capture]) -> Capture | None:
    if note.kind != "revisit":
        return _whole_capture(note)
    original = next((originals[name] for name in _refers_to(note) if name in originals), None)
    status = warc.status(note.start)
    if original is None or status in {None, 304}:  # no head of its own, or only "not modified"
        return original
    return Capture(note.offset, status or 0, original.body)


def _whole_capture(note: warc.RecordSummary) -> Capture | None:
    """Return an answer that lies whole in one record."""
    status = {"response": warc.status(note.start), "resource": 200}.get(note.kind)
    if not status:
        return None
    return Capture(note.offset, status, note.offset)


def _originals(notes: list[warc.RecordSummary]) -> dict[object, Capture]:
    """Map every name that a revisit may use for an answer to that answer."""
    originals: dict[object, Capture] = {}
    for note in notes:
        capture = _whole_capture(note)
        if capture is not None:
            url = _normalized(header(note.fields, "WARC-Target-URI") or "")
            originals.setdefault(header(note.fields, "WARC-Record-ID"), capture)
            originals.setdefault((url, header(note.fields, "WARC-Date")), capture)
            originals.setdefault(header(note.fields, "WARC-Payload-Digest"), capture)
    originals.pop(None, None)
    return originals


def _refers_to(note: warc.RecordSummary) -> tuple[object, ...]:
    url = _normalized(header(note.fields, "WARC-Refers-To-Target-URI") or "")
    return (
        header(note.fields, "WARC-Refers-To"),
        (url, header(note.fields, "WARC-Refers-To-Date")),
        header(note.fields, "WARC-Payload-Digest"),
    )


def _requests(notes: list[warc.RecordSummary]) -> dict[object, tuple[str, str]]:
    """Map the key of a response (an id, or URL and date) to the method and the body hash of its request."""
    requests: dict[object, tuple[str, str]] = {}
    for note in notes:
        if note.kind == "request":
            head, _, body = note.start.partition(b"\r\n\r\n")
            request = (head.partition(b" ")[0].decode("latin-1").upper(), _hash(body))
            url = _normalized(header(note.fields, "WARC-Target-URI") or "")
            for name in (*_ids(note), (url, header(note.fields, "WARC-Date"))):
                requests.setdefault(name, request)
    return requests


def _ids(note: warc.RecordSummary) -> tuple[str, ...]:
    names = {"warc-record-id", "warc-concurrent-to"}
    return tuple(value for name, value in note.fields if name.lower() in names)


def key(method: str, url: str, body: bytes) -> Key:
    """Return the key of a recorded request."""
    return method.upper(), url, _hash(body)


def _hash(body: bytes) -> str:
    if body:
        return sha256(body).hexdigest()
    return ""


def _normalized(url: str) -> str:
    """Write a recorded URL as the guard writes a target's: normalised, without fragment; empty if it is no web URL."""
    try:
        parsed = URL(url.removeprefix("<").removesuffix(">"))
    except ValueError:
        return ""
    parsed.hash = ""
    if parsed.protocol not in {"http:", "https:"}:
        return ""
    return parsed.href


def bare(url: str) -> str:
    """Return a URL as it is compared with others when the nearest one is looked for."""
    return url.partition("://")[2].removeprefix("www.").rstrip("/")
