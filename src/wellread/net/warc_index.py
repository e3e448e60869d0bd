"""Indexes the records of a WARC file by the method, the URL and the body of the request."""

from __future__ import annotations

from collections import defaultdict
from hashlib import sha256
from typing import TYPE_CHECKING, Final, NamedTuple

from ada_url import URL

from wellread.net import guard, warc
from wellread.types import header

if TYPE_CHECKING:
    from collections.abc import Iterable

_MAX_NAME_CHARS: Final = 200
_MAX_IDS: Final = 16
Key = tuple[str, str, str]
"""Method, normalised URL, and the hash of the body of the request."""


class Capture(NamedTuple):
    """Where an answer lies."""

    offset: int
    status: int
    body: int
    """The record that has the body: of a revisit, another one."""


class _RecordNames(NamedTuple):
    """The facts of a record that the index needs, with hashes of bodies and long names, so that few bytes are kept."""

    offset: int
    kind: str
    status: int | None
    """Of an answer."""
    url: str
    date: str | None
    record_id: str | None
    digest: str | None
    ids: tuple[str, ...]
    """Its own id, and those of the records that belong to it."""
    refers_to: tuple[object, ...]
    """Names of the answer that a revisit repeats."""
    request: tuple[str, str]
    """Method and hash of the body of a request."""


def index(walk: Iterable[warc.RecordSummary]) -> dict[Key, list[Capture]]:
    """Note for every request where its answers lie, in the order of the file."""
    records = [_names(record) for record in walk]
    requests = _requests(records)
    originals = _originals(records)
    captures_by_request: dict[Key, list[Capture]] = defaultdict(list)
    for record in records:
        capture = _capture(record, originals)
        if capture and record.url:
            names = (*record.ids, (record.url, record.date))
            method, body = next((requests[name] for name in names if name in requests), ("GET", ""))
            captures_by_request[method, record.url, body].append(capture)
    return dict(captures_by_request)


def _names(record: warc.RecordSummary) -> _RecordNames:
    fields, kind = record.fields, record.kind
    digest = _name(header(fields, "WARC-Payload-Digest"))
    refers_to: tuple[object, ...] = ()
    if kind == "revisit":
        url = _normalized(header(fields, "WARC-Refers-To-Target-URI") or "")
        date = _name(header(fields, "WARC-Refers-To-Date"))
        refers_to = (_name(header(fields, "WARC-Refers-To")), (url, date), digest)
    request = ("", "")
    if kind == "request":
        head, _, body = record.start.partition(b"\r\n\r\n")
        method = head.partition(b" ")[0][:_MAX_NAME_CHARS].decode("latin-1").upper()
        request = (method, _hash(body))
    return _RecordNames(
        offset=record.offset,
        kind=kind,
        status=warc.status(record.start),
        url=_normalized(header(fields, "WARC-Target-URI") or ""),
        date=_name(header(fields, "WARC-Date")),
        record_id=_name(header(fields, "WARC-Record-ID")),
        digest=digest,
        ids=_ids(record),
        refers_to=refers_to,
        request=request,
    )


def _name(text: str | None) -> str | None:
    """Return a name of a record, or the hash of a long one."""
    if text is None or len(text) <= _MAX_NAME_CHARS:
        return text
    return _hash(text.encode("utf-8", "replace"))


def _capture(record: _RecordNames, originals: dict[object, Capture]) -> Capture | None:
    if record.kind != "revisit":
        return _whole_capture(record)
    original = next((originals[name] for name in record.refers_to if name in originals), None)
    if original is None or record.status in {None, 304}:  # no head of its own, or only "not modified"
        return original
    return Capture(record.offset, record.status or 0, original.body)


def _whole_capture(record: _RecordNames) -> Capture | None:
    """Return an answer that lies whole in one record."""
    status = {"response": record.status, "resource": 200}.get(record.kind)
    if not status:
        return None
    return Capture(record.offset, status, record.offset)


def _originals(records: list[_RecordNames]) -> dict[object, Capture]:
    """Map every name that a revisit may use for an answer to that answer."""
    originals: dict[object, Capture] = {}
    for record in records:
        capture = _whole_capture(record)
        if capture is not None:
            originals.setdefault(record.record_id, capture)
            originals.setdefault((record.url, record.date), capture)
            originals.setdefault(record.digest, capture)
    originals.pop(None, None)
    return originals


def _requests(records: list[_RecordNames]) -> dict[object, tuple[str, str]]:
    """Map the key of a response (an id, or URL and date) to the method and the body hash of its request."""
    requests: dict[object, tuple[str, str]] = {}
    for record in records:
        if record.kind == "request":
            for name in (*record.ids, (record.url, record.date)):
                requests.setdefault(name, record.request)
    return requests


def _ids(record: warc.RecordSummary) -> tuple[str, ...]:
    field_names = {"warc-record-id", "warc-concurrent-to"}
    names = [_name(value) for name, value in record.fields if name.lower() in field_names]
    return tuple(name for name in names[:_MAX_IDS] if name is not None)


def key(method: str, url: str, body: bytes) -> Key:
    """Return the key of a recorded request."""
    return method.upper(), url, _hash(body)


def _hash(body: bytes) -> str:
    if body:
        return sha256(body).hexdigest()
    return ""


def _normalized(url: str) -> str:
    """Write a recorded URL as the guard writes a target's: normalised, without fragment; empty if it is no web URL."""
    if len(url) > guard.MAX_URL_CHARS:  # nobody can ask for it
        return ""
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
