"""Names URLs that may go on without end: calendars, repeated segments, session ids, combinations of filters; pure.

Calendars and filters are bounded: the first URLs of each group are crawled, and the others are counted under its name.
Repeated segments and very long URLs are only counted. URLs that differ by the id of a session are one URL.
"""

from __future__ import annotations

import re
from hashlib import blake2b
from itertools import pairwise
from typing import Final, Literal, NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from wellread.search.url_dedup import page_key

TrapName = Literal["calendar", "repeated_segments", "facets", "long_url"]

MAX_CRAWLED_URL_CHARS: Final = 1_000
MAX_CALENDAR: Final = 60
"""Pages of one calendar: five years of months."""
MAX_FACETS: Final = 100
"""Combinations of three or more parameters on one path. Two are usual: the topics of a forum have that many."""
_MIN_FACETS: Final = 3
_MAX_REPEATS: Final = 2
"""Times that one segment may stand in a path, where at least two segments repeat."""

_SESSION: Final = re.compile(
    r"(?:php|j|asp)?_?sess(?:ion)?_?(?:id)?|sid|phpsessid|jsessionid|cfid|cftoken|zenid|oscsid", re.IGNORECASE
)
_SESSION_VALUE: Final = re.compile(r"(?=[^0-9]*[0-9])[0-9A-Za-z_-]{8,200}")
_PATH_SESSION: Final = re.compile(r";(?:jsessionid|sid|phpsessid)=[^/?#;]*", re.IGNORECASE)
_DATE: Final = re.compile(
    r"(?<![0-9])(?:19|20|21)[0-9]{2}[-/](?:0?[1-9]|1[0-2])(?:[-/](?:0?[1-9]|[12][0-9]|3[01]))?(?![0-9])"
    r"|(?<![0-9])(?:19|20|21)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])(?![0-9])"
)
_DATE_NAMES: Final = frozenset({"date", "day", "month", "year", "week", "cal", "calendar"})
_DIGITS: Final = re.compile(r"[0-9]+")


class TrapGroup(NamedTuple):
    """The group of a URL that may be one of endlessly many, and how many of the group are crawled."""

    name: TrapName
    group: str
    bound: int


def without_session(url: str) -> str:
    """Return a URL without the ids of a session, which lead to the same page."""
    parts = urlsplit(_PATH_SESSION.sub("", url))
    if not parts.query:
        return parts.geturl()
    parameters = parse_qsl(parts.query, keep_blank_values=True)
    others = [(name, text) for name, text in parameters if not _is_session(name, text)]
    if len(others) == len(parameters):
        return parts.geturl()
    return urlunsplit(parts._replace(query=urlencode(others)))


def _is_session(name: str, text: str) -> bool:
    return _SESSION.fullmatch(name) is not None and _SESSION_VALUE.fullmatch(text) is not None


def spelling_key(url: str) -> str:
    """Return a key that is equal for spellings of one URL, session ids aside; it is for comparing only."""
    try:
        return page_key(without_session(url))
    except ValueError:
        return url


def key_digest(key: str) -> str:
    """Return a digest of the key of a URL for tables: jsonb has no NUL, and an index no entry of several kB."""
    return blake2b(key.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def trap_group(url: str) -> TrapGroup | None:
    """Return the trap that a URL may be a part of, or None."""
    if len(url) > MAX_CRAWLED_URL_CHARS:
        return TrapGroup("long_url", "", 0)
    parts = urlsplit(url)
    segments = [segment for segment in parts.path.split("/") if segment and not segment.isdigit()]
    repeated = [segment for segment in set(segments) if segments.count(segment) > _MAX_REPEATS]
    pairs = list(pairwise(segments))
    if repeated or len(pairs) - len(set(pairs)) > 1:
        return TrapGroup("repeated_segments", parts.netloc, 0)
    # Groups are stored, and not every database stores a NUL.
    names = [name.lower().replace("\0", "%00") for name, _ in parse_qsl(parts.query, keep_blank_values=True)]
    if _is_calendar(parts.path, parts.query, names):
        return TrapGroup(
            "calendar", f"{parts.netloc}{_DIGITS.sub('0', parts.path)}?{'&'.join(sorted(names))}", MAX_CALENDAR
        )
    if len(names) >= _MIN_FACETS:
        return TrapGroup("facets", f"{parts.netloc}{parts.path}", MAX_FACETS)
    return None


def _is_calendar(path: str, query: str, names: list[str]) -> bool:
    """Return whether a date chooses the page: it ends the path, or a parameter holds it. An article's has a name."""
    match = next(reversed([*_DATE.finditer(path)]), None)
    if match is not None and not path[match.end() :].strip("/"):
        return True
    has_date_name = not _DATE_NAMES.isdisjoint(names)
    return has_date_name and _DIGITS.search(query) is not None
