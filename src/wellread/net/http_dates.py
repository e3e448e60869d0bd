"""Reads the dates of HTTP headers (RFC 9110, section 5.6.7), and the pause that a server asks for."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING

from wellread.lazy_pattern import lazy_pattern
from wellread.types import header

if TYPE_CHECKING:
    from datetime import datetime

    from wellread.types import Headers

_FRACTION = lazy_pattern(r"[0-9]{1,9}\.[0-9]{1,9}")


def http_date(value: str) -> datetime | None:
    """Return the moment that a header names, in UTC where it names no zone; None if it is no date."""
    from email.utils import parsedate_to_datetime  # here, because a saved page has no headers

    try:
        moment = parsedate_to_datetime(value)
    except (TypeError, ValueError, OverflowError):
        return None
    if moment.tzinfo is None:
        return moment.replace(tzinfo=UTC)
    return moment


def retry_after_s(headers: Headers, now: datetime) -> float | None:
    """Return the seconds that Retry-After asks for (RFC 9110 section 10.2.3), or None where it says nothing.

    Some services send parts of a second, too.
    """
    value = (header(headers, "retry-after") or "").strip()
    if value.isascii() and value.isdigit():
        return float(value[:9])
    if _FRACTION.fullmatch(value):
        return float(value)
    date = http_date(value)
    if date is None:
        return None
    return max(0.0, (date - now).total_seconds())
