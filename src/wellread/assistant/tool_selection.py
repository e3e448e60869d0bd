"""Selects the tools in a request: all, or where these are too many, the tools of the services that are named.

A service is an integration or an MCP server. The other services are listed by name, and the model can open
them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pydantic_ai.tools import ToolDefinition

from wellread.assistant.models.model_client import ModelQuestion, question_tokens
from wellread.assistant.tool_types import Tool, ToolResult
from wellread.assistant.tools.argument_schemas import arguments_schema, enum_schema

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

SERVICE_OPENER_NAME = "service_open"
MAX_DEFINITION_TOKENS = 2_200
"""Of all tool definitions of a request; the other fixed text takes the rest of `context.MAX_FIXED_TOKENS`."""
MAX_NAMES_CHARS = 300
"""Of the names of one service's tools: a server may have hundreds."""
_HIDDEN_KEYWORDS = frozenset({"minLength", "maxLength"})
"""Models do not count characters: the dispatcher checks these bounds, and says what is wrong."""


def tool_definition(tool: Tool) -> ToolDefinition:
    """Return a tool as models see it."""
    schema = dict(tool.parameters)
    if isinstance(properties := schema.get("properties"), dict):
        schema["properties"] = {
            name: _without_length_bounds(property_schema) for name, property_schema in properties.items()
        }
    # Not strict: strict dialects want every argument given, and ours have defaults that are better left alone.
    return ToolDefinition(name=tool.name, description=tool.description, parameters_json_schema=schema, strict=False)


def _without_length_bounds(schema: object) -> object:
    if not isinstance(schema, dict):
        return schema
    return {key: value for key, value in schema.items() if key not in _HIDDEN_KEYWORDS}


def service_opener(tools: Collection[Tool]) -> Tool | None:
    """Return the tool that adds a service's tools to a request; None where there is room for all of them."""
    services = sorted({tool.service for tool in tools} - {""})
    tools_by_service = {
        name: ", ".join(tool.name for tool in tools if tool.service == name)[:MAX_NAMES_CHARS] for name in services
    }
    definitions = [tool_definition(tool) for tool in tools]
    if (
        not tools_by_service
        or question_tokens(ModelQuestion(turn_id="", instructions="", messages=(), tools=definitions))
        <= MAX_DEFINITION_TOKENS
    ):
        return None

    async def run(arguments: Mapping[str, object]) -> ToolResult:
        return ToolResult(f"The tools of {arguments['name']} are there now.")

    listed = "; ".join(f"{name}: {tool_names}" for name, tool_names in tools_by_service.items())
    return Tool(
        SERVICE_OPENER_NAME,
        f"Get the tools of a service. {listed}",
        arguments_schema(("name",), name=enum_schema(tools_by_service)),
        run,
    )


def named_services(words: str, tools: Collection[Tool]) -> set[str]:
    """Return the services that a message names by the first word of their tools' names: gmail, calendar."""
    message_words = set(re.findall("[a-z0-9]{4,}", words.lower()))
    return {tool.service for tool in tools if tool.service and tool.name.partition("_")[0].lower() in message_words}
