"""Which recorded answer belongs to which request: an index over the records of a WARC file, by method, URL and body."""

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


def index(walk: Iterable[warc.Note]) -> dict[Key, list[Capture]]:
    """Note for every request where its answers lie, in the order of the file."""
    notes = list(walk)
    asked = _requests(notes)
    originals = _originals(notes)
    found: dict[Key, list[Capture]] = defaultdict(list)
    for note in notes:
        capture = _capture(note, originals)
        url = _normal(header(note.fields, "WARC-Target-URI") or "")
        if capture and url:
            names = (*_ids(note), (url, header(note.fields, "WARC-Date")))
            method, body = next((asked[name] for name in names if name in asked), ("GET", ""))
            found[method, url, body].append(capture)
    return dict(found)


def _capture(note: warc.Note, originals: dict[object, Capture]) -> Capture | None:
    if note.kind != "revisit":
        return _own(note)
    original = next((originals[name] for name in _refers_to(note) if name in originals), None)
    status = warc.status(note.start)
    if original is None or status in {None, 304}:  # no head of its own, or only "not modified"
        return original
    return Capture(note.offset, status or 0, original.body)


def _own(note: warc.Note) -> Capture | None:
    """Return an answer that lies whole in one record."""
    status = {"response": warc.status(note.start), "resource": 200}.get(note.kind)
    return Capture(note.offset, status, note.offset) if status else None


def _originals(notes: list[warc.Note]) -> dict[object, Capture]:
    """Map every name that a revisit may use for an answer to that answer."""
    found: dict[object, Capture] = {}
    for note in notes:
        own = _own(note)
        if own is not None:
            url = _normal(header(note.fields, "WARC-Target-URI") or "")
            found.setdefault(header(note.fields, "WARC-Record-ID"), own)
            found.setdefault((url, header(note.fields, "WARC-Date")), own)
            found.setdefault(header(note.fields, "WARC-Payload-Digest"), own)
    found.pop(None, None)
    return found


def _refers_to(note: warc.Note) -> tuple[object, ...]:
    url = _normal(header(note.fields, "WARC-Refers-To-Target-URI") or "")
    return (
        header(note.fields, "WARC-Refers-To"),
        (url, header(note.fields, "WARC-Refers-To-Date")),
        header(note.fields, "WARC-Payload-Digest"),
    )


def _requests(notes: list[warc.Note]) -> dict[object, tuple[str, str]]:
    """Map what links an answer to its request (an id, or URL and date) to the method and the hash of the body."""
    found: dict[object, tuple[str, str]] = {}
    for note in notes:
        if note.kind == "request":
            head, _, body = note.start.partition(b"\r\n\r\n")
            asked = (head.partition(b" ")[0].decode("latin-1").upper(), _hash(body))
            url = _normal(header(note.fields, "WARC-Target-URI") or "")
            for name in (*_ids(note), (url, header(note.fields, "WARC-Date"))):
                found.setdefault(name, asked)
    return found


def _ids(note: warc.Note) -> tuple[str, ...]:
    names = {"warc-record-id", "warc-concurrent-to"}
    return tuple(value for name, value in note.fields if name.lower() in names)


def key(method: str, url: str, body: bytes) -> Key:
    """Return what a recorded request is found by."""
    return method.upper(), url, _hash(body)


def _hash(body: bytes) -> str:
    return sha256(body).hexdigest() if body else ""


def _normal(url: str) -> str:
    """Write a recorded URL as the guard writes a target's: normalised, without fragment; empty if it is no web URL."""
    try:
        parsed = URL(url.removeprefix("<").removesuffix(">"))
    except ValueError:
        return ""
    parsed.hash = ""
    return parsed.href if parsed.protocol in {"http:", "https:"} else ""


def bare(url: str) -> str:
    """Return a URL as it is compared with others when the nearest one is looked for."""
    return url.partition("://")[2].removeprefix("www.").rstrip("/")
