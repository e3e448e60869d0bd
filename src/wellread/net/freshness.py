"""Decides whether a response may be stored and reused (RFC 9111): pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from wellread.lazy_pattern import lazy_pattern
from wellread.net.http_dates import http_date
from wellread.types import header

if TYPE_CHECKING:
    from wellread.types import Headers

_UNKEEPABLE: Final = lazy_pattern(
    r"(?<![\w-])(?:no-store|no-cache(?!\s*=)|max-age\s*=\s*\"?0+)(?![\w.])", re.IGNORECASE
)
"""Directives for answers that must not be used again without asking (section 5.2.2); `no-cache="Field"` is about a
field only."""
_MAX_AGE: Final = lazy_pattern(r"(?<![\w-])max-age\s*=\s*\"?([0-9]{1,9})", re.IGNORECASE)


def forbids_keeping(headers: Headers, fetched_at: float) -> bool:
    """Return whether an answer asks not to be used again without asking; `fetched_at` is in seconds since 1970.

    Cache-Control goes before Expires (section 5.3), and Pragma counts where both are missing (section 5.4).
    """
    control = ", ".join(value for name, value in headers if name.lower() == "cache-control")[:2_000]
    vary = ",".join(value for name, value in headers if name.lower() == "vary")
    if _UNKEEPABLE.search(control) or "*" in map(str.strip, vary.split(",")):
        return True
    max_age = _MAX_AGE.search(control)
    if max_age is not None:
        age = (header(headers, "age") or "").strip()
        return age.isascii() and age.isdigit() and int(age[:9]) >= int(max_age[1])
    expires = header(headers, "expires")
    if expires is not None:
        return _is_past(expires, header(headers, "date"), fetched_at)
    return not control and "no-cache" in (header(headers, "pragma") or "").lower()


def _is_past(expires: str, date: str | None, fetched_at: float) -> bool:
    """Return whether Expires is no later than the response; an invalid date, like `0`, is in the past."""
    until, answered = http_date(expires), http_date(date or "")
    if until is None:
        return True
    if answered is not None:
        return until <= answered
    return until.timestamp() <= fetched_at
