"""The server's log: one line per operation, as JSON or for a person, and the lines of its libraries.

A line names the operation, how it ended, how long it took, the request, the caller and the trace. It holds no
addresses, no words that were searched for, no keys and no text of pages.
"""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING

import structlog
from structlog.typing import EventDict, Processor  # noqa: TC002 - in annotations of values

from wellread.apps.tracing import trace_id

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from typing import TextIO

    from wellread.sections import LogStyle


def _only_what_is_said(_logger: object, _method: str, event: EventDict) -> EventDict:
    return {name: value for name, value in event.items() if value != ""}


_SHARED: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    _only_what_is_said,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]
# Not by structlog's global configuration, which belongs to the application that this may be a part of.
_log: structlog.stdlib.BoundLogger = structlog.wrap_logger(
    logging.getLogger("wellread"),
    processors=[structlog.stdlib.filter_by_level, *_SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
    wrapper_class=structlog.stdlib.BoundLogger,
)


def configure(style: LogStyle, out: TextIO | None = None) -> None:
    """Log to `out` (standard error by default), the libraries' messages in the same form."""
    out = out or sys.stderr
    renderers: list[Processor] = [structlog.dev.ConsoleRenderer(colors=out.isatty())]
    if style == "json":
        renderers = [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(ensure_ascii=False)]
    handler: logging.Handler = logging.StreamHandler(out)
    if style == "none":
        handler = logging.NullHandler()
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=_SHARED,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderers],
        )
    )
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.getLogger("wellread").setLevel(logging.INFO)


def about(request: str) -> AbstractContextManager[None]:
    """Add the request's id to every line that is logged in the block."""
    return structlog.contextvars.bound_contextvars(request=request, caller="")


def name_caller(caller: str) -> None:
    """Add the name of the key to all further lines of this request."""
    structlog.contextvars.bind_contextvars(caller=caller)


def log_done(operation: str, code: str, seconds: float) -> None:
    """Log the end of one operation."""
    trace = trace_id()
    facts = {"trace": trace} if trace else {}
    _log.info("done", operation=operation, code=code, seconds=round(seconds, 4), **facts)
