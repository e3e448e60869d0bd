"""The error of a server of `shared.url` that does not answer."""

from __future__ import annotations

import logging

from wellread.errors import SharedStateFailed, reason_line

_log = logging.getLogger(__name__)


def shared_state_failure(cause: Exception) -> SharedStateFailed:
    """Return the error, and log it: `cause` may have internal addresses, which callers of a server do not see."""
    failure = SharedStateFailed("the server of shared.url does not answer")
    failure.owner_detail = reason_line(cause)
    _log.info("%s: %s", failure.message, failure.owner_detail)
    return failure
