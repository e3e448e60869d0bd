"""Reads the dates of HTTP headers (RFC 9110, section 5.6.7)."""

from __future__ import annotations

from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime


def http_date(value: str) -> datetime | None:
    """Return the moment that a header names, in UTC where it names no zone; None if it is no date."""
    try:
        moment = parsedate_to_datetime(value)
    except (TypeError, ValueError, OverflowError):
        return None
    if moment.tzinfo is None:
        return moment.replace(tzinfo=UTC)
    return moment
