"""Operations as tool definitions, in the form of each model interface."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Callable

    from wellread.apps.operations.operation import Operation

Json = dict[str, Any]  # Any: JSON is recursive
Form = Literal["openai", "anthropic", "mcp"]


def openai(operation: Operation) -> Json:
    """Return a function tool of the Responses API.

    Not strict: strict mode wants every argument given, and ours have defaults that are better left alone.
    Source: https://platform.openai.com/docs/guides/function-calling
    """
    return {
        "type": "function",
        "name": operation.name,
        "description": operation.description,
        "parameters": operation.arguments_schema,
        "strict": False,
    }


def anthropic(operation: Operation) -> Json:
    """Return a tool of the Messages API.

    Source: https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/overview
    """
    return {"name": operation.name, "description": operation.description, "input_schema": operation.arguments_schema}


def mcp(operation: Operation, *, structured: bool = True) -> Json:
    """Return a tool of the Model Context Protocol; for text-only results, without an output schema.

    Source: https://modelcontextprotocol.io/specification/2026-07-28/server/tools
    """
    tool: Json = {
        "name": operation.name,
        "title": operation.title,
        "description": operation.description,
        "inputSchema": operation.arguments_schema,
        "annotations": {
            "title": operation.title,
            "readOnlyHint": operation.read_only,
            "destructiveHint": operation.destructive,
            "idempotentHint": operation.idempotent,
            "openWorldHint": operation.open_world,
        },
    }
    if structured:
        tool["outputSchema"] = operation.result_schema()
    return tool


FORMS: dict[Form, Callable[[Operation], Json]] = {"openai": openai, "anthropic": anthropic, "mcp": mcp}
