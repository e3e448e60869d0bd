"""LlamaIndex: the `ToolOutput` of a tool, as an agent hands it to its model."""

from __future__ import annotations

import asyncio
from importlib import import_module

import report


async def main() -> None:
    """Call the tool."""
    target = report.target()
    library = import_module("llama_index.tools.mcp")
    client = library.BasicMCPClient(target.url)
    if target.transport == "stdio":
        client = library.BasicMCPClient(target.command[0], args=target.command[1:])
    name, arguments = report.call()
    tools = await library.McpToolSpec(client, allowed_tools=[name]).to_tool_list_async()
    output = await tools[0].acall(**arguments)
    report.report("llama-index-tools-mcp", "llama-index-tools-mcp", str(output.content))


asyncio.run(main())
