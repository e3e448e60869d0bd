"""Pydantic AI: the `ToolReturnPart` in the messages of the model's second turn, as its providers serialise it."""

from __future__ import annotations

import asyncio
from importlib import import_module
from typing import Any

import report

ai = import_module("pydantic_ai")
messages = import_module("pydantic_ai.messages")


async def main() -> None:
    """Run an agent to its end."""
    target = report.target()
    name, arguments = report.call()
    seen: list[str] = []

    def script(history: list[Any], _info: object) -> Any:
        returned = [part for part in history[-1].parts if isinstance(part, messages.ToolReturnPart)]
        if not returned:
            return messages.ModelResponse(parts=[messages.ToolCallPart(name, arguments)])
        seen.append(returned[0].model_response_str())
        return messages.ModelResponse(parts=[messages.TextPart("Done.")])

    where: Any = target.url
    if target.transport == "stdio":
        transports = import_module("fastmcp.client.transports")
        where = transports.StdioTransport(command=target.command[0], args=target.command[1:])
    toolset = import_module("pydantic_ai.mcp").MCPToolset(where)
    model = import_module("pydantic_ai.models.function").FunctionModel(script)
    await ai.Agent(model, toolsets=[toolset]).run("Read the log.")
    report.report("pydantic-ai", "pydantic-ai-slim", seen[0])


asyncio.run(main())
