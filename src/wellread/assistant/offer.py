"""Chooses which tools a request tells of: all, or where that is too much, those of services once they are wanted.

A service is an integration or an MCP server. The others are always told by name, and can be opened.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pydantic_ai.tools import ToolDefinition

from wellread.assistant.models.speaker import Question, size_of
from wellread.assistant.ports import Tool, ToolResult
from wellread.assistant.tools.schemas import choice, takes

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

OPENER = "service_open"
DEFINED_TOKENS = 2_200
"""Most that definitions take in every request; the words beside them take the rest of `context.FIXED_TOKENS`."""
NAMES_CHARS = 300
"""Of the names of one service's tools: a server may have hundreds."""
_UNTOLD = frozenset({"minLength", "maxLength"})
"""Models do not count characters: the house checks these bounds, and says what is wrong."""


def definition(tool: Tool) -> ToolDefinition:
    """Return a tool as models are told of it."""
    schema = dict(tool.parameters)
    if isinstance(given := schema.get("properties"), dict):
        schema["properties"] = {name: _told(it) for name, it in given.items()}
    # Not strict: strict dialects want every argument given, and ours have defaults that are better left alone.
    return ToolDefinition(name=tool.name, description=tool.description, parameters_json_schema=schema, strict=False)


def _told(schema: object) -> object:
    return {key: it for key, it in schema.items() if key not in _UNTOLD} if isinstance(schema, dict) else schema


def opener(tools: Collection[Tool]) -> Tool | None:
    """Return the tool by which a model gets a service's tools; None where there is room for all of them."""
    services = sorted({it.service for it in tools} - {""})
    told = {name: ", ".join(it.name for it in tools if it.service == name)[:NAMES_CHARS] for name in services}
    definitions = [definition(it) for it in tools]
    if not told or size_of(Question(turn_id="", instructions="", messages=(), tools=definitions)) <= DEFINED_TOKENS:
        return None

    async def run(given: Mapping[str, object]) -> ToolResult:
        return ToolResult(f"The tools of {given['name']} are there now.")

    listed = "; ".join(f"{name}: {its}" for name, its in told.items())
    return Tool(OPENER, f"Get the tools of a service. {listed}", takes(("name",), name=choice(told)), run)


def named(words: str, tools: Collection[Tool]) -> set[str]:
    """Return the services that a message names by the word that names of their tools begin with: gmail, calendar."""
    said = set(re.findall("[a-z0-9]{4,}", words.lower()))
    return {it.service for it in tools if it.service and it.name.partition("_")[0].lower() in said}
