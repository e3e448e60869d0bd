"""The definition of an operation: name, description, arguments, result and handler, once for all interfaces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wellread.apps.operations.browser_handlers import Browsed
from wellread.apps.operations.operation_schemas import LeftOut, Schema, arguments_schema, result_schema
from wellread.types import Answer, Gathered, Page, Research

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from wellread.apps.operations.handlers import HandlerContext

LEFT_OUT: LeftOut = {
    Page: frozenset({"links", "all_links", "images", "headings", "posts", "structured_data"}),
    Gathered: frozenset({"pages"}),
    Answer: frozenset({"gathered"}),
    Research: frozenset({"findings", "contradictions"}),
    Browsed: frozenset({"elements"}),
}
"""What an answer lacks unless `include` asks for it: lists that may be long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One operation that every interface offers."""

    name: str
    title: str
    description: str
    """What it does and when to use it; what a model chooses by."""
    path: str
    """Under the HTTP API's root."""
    arguments: type
    result: type
    handler: Callable[[HandlerContext, Any], Awaitable[object]]  # Any: `arguments` is the type
    render_text: Callable[[Any, frozenset[str]], str]  # Any: `result` is the type
    """The whole result as text for a model, with those of its lists that `include` names."""
    example: Mapping[str, object]
    read_only: bool = True
    """Changes nothing that a later caller could notice, beyond what is kept in the cache."""
    idempotent: bool = True
    destructive: bool = False
    open_world: bool = True
    """Reaches out to the web."""
    streams: bool = False
    """Reports its steps as they end, as server-sent events over HTTP."""

    @property
    def arguments_schema(self) -> Schema:
        """The JSON Schema of the arguments."""
        return arguments_schema(self.arguments)

    def result_schema(self, *, words: bool = False) -> Schema:
        """Return the JSON Schema of the result."""
        return result_schema(self.result, LEFT_OUT, words=words)
