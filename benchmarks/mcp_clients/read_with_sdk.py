"""The official SDK's `Client`, in either protocol revision: the text blocks of `content`."""

from __future__ import annotations

import asyncio
from importlib import import_module
from typing import Any

import report


async def main() -> None:
    """Call the tool."""
    target = report.target()
    mcp = import_module("mcp")
    where: Any = target.url
    if target.transport == "stdio":
        where = mcp.StdioServerParameters(command=target.command[0], args=target.command[1:])
    name, arguments = report.call()
    async with mcp.Client(where, mode="legacy" if target.revision == "2025-11-25" else "auto") as client:
        result = await client.call_tool(name, arguments)
        revision = client.protocol_version
    assert revision == target.revision, revision
    assert result.structured_content, "it has the structured part beside the text"
    report.report("mcp", "mcp", "\n".join(block.text for block in result.content if block.type == "text"), revision)


asyncio.run(main())
