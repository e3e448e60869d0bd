"""FastMCP's client: the text of `CallToolResult.content`, which its documentation hands to models."""

from __future__ import annotations

import asyncio
from importlib import import_module
from typing import Any

import report


async def main() -> None:
    """Call the tool."""
    target = report.target()
    where: Any = target.url
    if target.transport == "stdio":
        transports = import_module("fastmcp.client.transports")
        where = transports.StdioTransport(command=target.command[0], args=target.command[1:])
    name, arguments = report.call()
    async with import_module("fastmcp").Client(where) as client:
        result = await client.call_tool(name, arguments)
    assert result.structured_content, "it has the structured part beside the text"
    text = "\n".join(block.text for block in result.content if block.type == "text")
    report.report("fastmcp", "fastmcp", text)


asyncio.run(main())
